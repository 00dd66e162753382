"""The questions of remedies and of the bank at each size of screen: nothing cut, and one meaning a key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import LIVE, Looker
from tests.browser.ruling_table import FALSE_DRAW, Table, tables
from tests.browser.test_people import TRIES
from tests.sampling import sampled

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


@pytest.fixture
def table(repository: Path, look: Callable[..., Looker]) -> Iterator[Callable[..., Table]]:
    yield from tables(repository, look)


def ruled_in_punto_banco(one: Table) -> None:
    one.looked_at("stakes open")
    for key in ("k", "z"):
        one.asks("$")
        one.looked_at("the bank's acts")
        one.page.keyboard.press(key)
        one.looked_at(f"the bank's form of {key}")
        one.close()
    one.say(f"draw {FALSE_DRAW}", ".wrong")
    one.looked_at("a false draw")
    one.asks("g")
    one.looked_at("situations")
    one.page.keyboard.press("1")
    one.looked_at("remedies")
    for remedy in "123":
        one.page.keyboard.press(remedy)
        one.tried()
        one.looked_at(f"remedy {remedy}")
        one.page.keyboard.press("Backspace")


def ruled_in_chemin_de_fer(one: Table) -> None:
    one.looked_at("bank to be shown")
    one.gives("s", "1250000")
    one.asks("$", "b")
    one.looked_at("banco")
    one.close()
    one.gives("b", "3")
    one.looked_at("banco is called")
    one.gives("w")
    one.asks("$", "p")
    one.looked_at("the bank is passed")
    with one.page.expect_response("**/commands"):
        one.page.keyboard.press("Enter")
    one.page.wait_for_selector(".bank.passing")
    one.asks("$")
    one.looked_at("who takes the bank")
    one.page.keyboard.press("t")
    one.looked_at("the bank is taken")
    one.close()
    one.gives("t", "4")
    one.say("cards 6H 7H AS KC 2D", "#act-takes-punter")
    one.looked_at("who took card 5")
    for key in ("1", "t"):
        with one.page.expect_response("**/commands"):
            one.page.keyboard.press(key)
    one.page.wait_for_selector(".wrong")
    one.looked_at("a false draw")
    one.asks("g", "1", "f")
    one.tried()
    one.looked_at("a fine")


def ruled_in_banque(one: Table) -> None:
    one.gives("s", "100000")
    one.asks("$")
    one.looked_at("the bank's acts")
    one.page.keyboard.press("k")
    one.looked_at("a stake")
    one.close()
    one.say("cards 5C 9S TS 2H 7D 3C 4H", "#act-takes-right")
    one.looked_at("who took card 7")
    one.asks("!")
    one.page.wait_for_selector("#cards[open] .lay-card:nth-child(7)")
    for key in ("7", "r"):
        one.page.keyboard.press(key)  # it was dealt, not drawn: right has three face down
    one.page.wait_for_selector("#cards [data-confirm]:enabled")
    one.hold()
    one.asks("g")
    one.looked_at("situations")
    one.choose("IR-06")
    one.looked_at("remedies")
    one.page.keyboard.press("2")
    one.tried()
    one.looked_at("the card that goes out")
    one.page.keyboard.press("Backspace")
    one.page.keyboard.press("1")
    one.page.keyboard.press("r")
    one.tried()
    one.looked_at("the side that refuses")


STORIES = {
    "house_reuse": ruled_in_punto_banco,
    "chemin_tableau": ruled_in_chemin_de_fer,
    "banque_foster": ruled_in_banque,
}


@pytest.mark.parametrize(
    ("profile", "language"),
    sampled(
        [(profile, language) for profile in STORIES for language in ("en", "zh-Hans")],
        quick=[("house_reuse", "zh-Hans"), ("chemin_tableau", "en"), ("banque_foster", "en")],
    ),
)
def test_no_question_is_cut_and_no_key_of_it_means_two_things(table, profile, language):
    """Promised: read at arm's length, at each size of screen; the acts stay in view beside the bank."""
    money = "bank" if profile == "chemin_tableau" else "full"
    STORIES[profile](table(f"--profile={profile}", f"--money={money}", language=language))


def test_axe_finds_nothing_in_the_questions_of_remedies_and_of_the_bank(table):
    """Promised: axe finds nothing. Parts of the page behind a question are looked at elsewhere."""
    one = table("--profile=chemin_tableau", "--money=bank")
    one.gives("s", "1250000")
    for keys in (("$",), ("$", "b"), ("$", "z")):
        assert found_by_axe(one, "#bank", *keys) == []
    one.say("cards 6H 7H AS KC 2D", "#act-takes-punter")
    for keys in (("g",), ("g", "1"), ("g", "4", "2")):
        assert found_by_axe(one, "#remedies", *keys) == []


def found_by_axe(one: Table, within: str, *keys: str) -> list[str]:
    """Return what axe finds in a question; a page that heard nothing meanwhile closed it, and it is asked again."""
    for _ in range(TRIES):
        one.page.wait_for_selector(LIVE)
        one.asks(*keys)
        report = Axe().run(one.page, context=within).response
        if one.page.locator(f"{LIVE} {within}[open]").count():
            break
    assert report["passes"], "axe looked at nothing"
    one.close()
    return [f"{item['id']} {item['nodes'][0]['html'][:120]}" for item in report["violations"]]


def test_tab_after_the_last_field_of_the_bank_comes_to_what_confirms(table):
    """Promised: keys for everything, in the order in which they are needed."""
    one = table("--profile=chemin_tableau", "--money=bank")
    one.asks("$", "s")
    one.page.keyboard.type("40000")
    expect(one.page.locator("#bank output")).to_have_text("40\u202f000")
    one.page.keyboard.press("Tab")
    expect(one.page.locator("#bank [data-confirm]")).to_be_focused()


def test_an_empty_field_of_the_bank_takes_back_the_act(table):
    """Promised: what was chosen wrongly is taken back by one key."""
    one = table("--profile=chemin_tableau", "--money=bank")
    one.asks("$", "s", "Backspace")
    expect(one.page.locator("#bank .bank-acts")).to_be_visible()
    expect(one.page.locator("#bank .bank-form")).to_be_hidden()
    one.page.keyboard.press("d")
    expect(one.page.locator("#bank .asks")).to_have_text("Decline the bank")
