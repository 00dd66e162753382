"""What the question of remedies says, and who may confirm it: a silent rule, a card that was seen, the decider."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.accounts.roles import Role
from controller.core.inputs import Post
from tests.accounts.house import NUMBERS, PASSWORD, House
from tests.browser.conftest import LIVE, Looker
from tests.browser.playing import TableFloor
from tests.browser.ruling_table import DEALER, FALSE_DRAW, Table, tables
from tests.faults.felt import Felt

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

SUPERVISOR = "2001"


@pytest.fixture
def table(repository: Path, look: Callable[..., Looker]) -> Iterator[Callable[..., Table]]:
    yield from tables(repository, look)


def test_where_the_rule_is_silent_the_page_says_so_and_who_chose_is_recorded(table):
    """rules.md 1.6: silent means SUPERVISOR, and nothing is proposed; PBI-09 in the French column of C.5."""
    one = table("--profile=fr_2007")
    one.say(f"draw {FALSE_DRAW}", ".wrong")
    one.asks("g")
    one.choose("A card lay face up")
    expect(one.page.locator("#remedies .silent")).to_contain_text("silent: nothing is proposed")
    expect(one.page.locator("#remedies .decides")).to_contain_text("A supervisor decides")
    one.looked_at("a silent rule")
    one.choose("Card to the basket")
    one.tried()
    expect(one.page.locator("#remedies .to-basket")).to_contain_text("PLAYER 3 → Basket")
    one.looked_at("what is done all the same")
    one.hold()
    expect(one.page.locator(".felt .spot .card:not(.empty)")).to_have_count(4)


def test_a_card_that_comes_meanwhile_is_tried_anew_before_anything_is_confirmed(table):
    """Promised: the page shows the effect before it is confirmed, also where the felt changed meanwhile."""
    one = table("--profile=house_reuse")
    one.say(f"draw {FALSE_DRAW}", ".wrong")
    one.asks("g", "1", "2")
    one.tried()
    expect(one.page.locator("#remedies .ruled-seat.banker .points")).to_have_text("5")
    one.say("draw B3:4S", "#remedies .lay-card:nth-child(6)")
    expect(one.page.locator("#remedies .lay-card")).to_have_count(6)
    one.tried()
    expect(one.page.locator("#remedies .ruled-seat.banker .points")).to_have_text("9")


def test_a_card_that_players_saw_is_pointed_out_before_it_opens_the_next_hand(table):
    """rules.md C.5 PBI-01, PBI-08: burn if seen, next hand if unseen."""
    one = table("--profile=house_reuse")
    one.say(f"draw {FALSE_DRAW}", ".wrong")
    one.asks("g", "1")
    one.choose("opens the next hand")
    one.tried()
    expect(one.page.locator("#remedies .effects .carried-note")).to_contain_text("have seen it")
    one.hold()
    one.say("draw B3:2S", ".prompt.complete")
    one.say("call tie", ".prompt.waiting")
    one.say("carry P1:5H", ".prompt:not(.waiting)")
    one.asks("g")
    expect(one.page.locator("#remedies > .carried-note")).to_be_visible()


def test_a_kept_card_that_nobody_saw_is_not_pointed_out(table):
    """rules.md C.5: such a card opens the next hand in most houses; faults.md A 14."""
    one = table()
    one.say("draw P1:2S B1:3H P2:4C B2:5D", ".prompt.complete")
    one.say("kept", ".prompt")
    one.say("call banker", ".prompt.waiting")
    one.say("carry P1:5H", ".prompt:not(.waiting)")
    one.asks("g")
    expect(one.page.locator("#remedies > .carried-note")).to_be_hidden()


# ---- who decides ---------------------------------------------------------------------------------------------------


def test_without_accounts_the_dealer_on_duty_cannot_confirm_what_a_supervisor_decides(table):
    """rules.md 1.5, 1.6: who may decide; the supervisor's number counts for that ruling alone."""
    one = table("--profile=house_reuse")
    one.asks("d")
    one.page.keyboard.type(DEALER)
    with one.page.expect_response("**/commands"):
        one.page.keyboard.press("d")
    one.say(f"draw {FALSE_DRAW}", ".wrong")
    one.asks("g", "1", "2")
    expect(one.page.locator("#remedies .preview")).to_contain_text("A supervisor decides this")
    expect(one.page.locator("#remedies [data-confirm]")).to_be_disabled()
    expect(one.page.locator("#remedies .decides")).to_contain_text("A supervisor decides")
    one.page.keyboard.press("s")
    one.page.wait_for_selector("#ask-staff[open]")
    one.page.keyboard.type(SUPERVISOR)
    one.page.keyboard.press("Enter")
    one.tried()
    with one.page.expect_request("**/commands") as sent:
        one.hold()
    assert sent.value.post_data_json["staff"] == SUPERVISOR
    expect(one.page.locator("#staff b")).to_have_text(DEALER)


@contextmanager
def house_of_roles(folder: Path) -> Iterator[House]:
    """A house with accounts at a real table where a false draw lies, and where dealers decide PBI-07."""
    floor = TableFloor(Felt(decides=(("PBI-07", Post.DEALER),)))
    floor.felt.draw(FALSE_DRAW)
    house = House(folder, floor=floor, hub=floor.hub)
    house.start()
    try:
        yield house
    finally:
        house.stop()


def signed_in(look: Callable[..., Looker], house: House, role: Role) -> Page:
    page = look(1280, 800).page
    page.goto(f"http://127.0.0.1:{house.web.port}/table/1")
    page.fill("input[name=number]", NUMBERS[role])
    page.fill("input[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{LIVE} #act-apply")
    page.keyboard.press("g")
    page.wait_for_selector("#remedies[open] .offers button")
    return page


def test_with_accounts_a_dealer_sees_who_decides_and_confirms_only_what_is_left_to_dealers(tmp_path, look):
    """rules.md 1.5, 1.6: who may decide is the house's choice by irregularity."""
    with house_of_roles(tmp_path) as house:
        page = signed_in(look, house, Role.DEALER)
        sent = []
        page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
        page.keyboard.press("1")
        page.keyboard.press("2")
        expect(page.locator("#remedies .decides")).to_have_text("A supervisor decides")
        expect(page.locator("#remedies .preview")).to_contain_text("cannot be confirmed here by you")
        expect(page.locator("#remedies [data-confirm]")).to_be_disabled()
        page.keyboard.press("Enter")
        assert sent == []
        page.keyboard.press("Backspace")
        page.keyboard.press("Backspace")
        button = page.locator("#remedies .offers button", has_text="Exposed too early")
        page.keyboard.press(str(button.get_attribute("data-key")))
        expect(page.locator("#remedies .decides")).to_have_text("The dealer decides")
        expect(page.locator("#remedies [data-confirm]")).to_be_enabled()


def test_with_accounts_the_supervisor_confirms_and_is_recorded(tmp_path, look):
    """Promised: the one chosen is applied, and who chose it is recorded."""
    with house_of_roles(tmp_path) as house:
        page = signed_in(look, house, Role.SUPERVISOR)
        page.keyboard.press("1")
        page.keyboard.press("2")
        expect(page.locator("#remedies [data-confirm]")).to_be_enabled()
        with page.expect_response("**/commands") as answer:
            page.keyboard.down("Enter")
        page.keyboard.up("Enter")
        assert answer.value.status == 200
        [ruled] = house.floor.felt.told("RemedyApplied")
        assert (ruled["irregularity"], ruled["by"].split()[0]) == ("PBI-01", f"staff:{NUMBERS[Role.SUPERVISOR]}")
