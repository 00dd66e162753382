"""Signing in, commands and second persons as people do them, in a real Chromium."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, sync_playwright

from controller.accounts.roles import Role
from tests.accounts.house import CHEAP, NUMBERS, PASSWORD, House
from tests.accounts.seated import seated

pytestmark = pytest.mark.browser
SUPERVISOR, SURVEILLANCE = NUMBERS[Role.SUPERVISOR], NUMBERS[Role.SURVEILLANCE]
LIVE = "body:not(.stale)"


@pytest.fixture(scope="module")
def chromium(tool):
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=tool("chromium"), args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def sit(chromium) -> Iterator[Callable[[House], Page]]:
    """Return a function that gives a page of a browser of its own."""
    contexts: list[BrowserContext] = []

    def new(house: House) -> Page:
        context = chromium.new_context(base_url=f"http://127.0.0.1:{house.web.port}")
        context.set_default_timeout(10_000)
        contexts.append(context)
        return context.new_page()

    yield new
    for context in contexts:
        context.close()


def sign_in(page: Page, number: str, password: str = PASSWORD) -> None:
    page.fill("input[name=number]", number)
    page.fill("input[name=password]", password)
    page.keyboard.press("Enter")


def at(page: Page, path: str) -> None:
    """Wait until the page stands at the path: the sign-in page names the same path in its query, and is not it."""
    page.wait_for_url(lambda url: urlsplit(url).path == path)


def test_a_page_leads_to_sign_in_and_back_and_a_key_then_needs_no_number(house, sit):
    page = sit(house)
    page.goto("/table/2")
    sign_in(page, SUPERVISOR)
    at(page, "/table/2")
    page.wait_for_selector(LIVE)
    assert page.inner_text("#person b") == SUPERVISOR
    with page.expect_response("**/commands") as answer:
        page.keyboard.press("t")
    assert answer.value.status == 200
    assert [by for _, _, by in house.floor.given] == [f"staff:{SUPERVISOR}"]


def test_a_wrong_password_is_said_and_the_field_is_empty(house, sit):
    page = sit(house)
    page.goto("/signin")
    sign_in(page, SUPERVISOR, "not this one, though")
    page.wait_for_selector("#answer:not([hidden])")
    assert page.inner_text("#answer") == "Number or password is not right."
    assert page.input_value("input[name=password]") == ""


def test_a_first_password_is_changed_on_the_page_and_then_the_person_signs_out(house, sit):
    house.people.store.set_password(SUPERVISOR, CHEAP.hash(PASSWORD), 0, must_change=1)
    page = sit(house)
    page.goto("/signin?next=/table/1")
    sign_in(page, SUPERVISOR)
    at(page, "/me")
    page.fill("input[name=old]", PASSWORD)
    page.fill("input[name=new]", "seven lanterns by the quay")
    page.click("#password-form button")
    page.wait_for_selector("nav.pages a[href='/table/1']")
    page.click("#signout")
    at(page, "/signin")
    page.goto("/table/1")
    page.wait_for_url("**/signin?next=/table/1")


def test_the_second_person_sees_the_act_and_approves_it(two_persons, sit):
    with two_persons.signed_in(SUPERVISOR) as first:
        shown = first.give({"kind": "correct", "result": "tie"}).json()["approval"]
        page = sit(two_persons)
        page.goto("/approvals")
        sign_in(page, SURVEILLANCE)
        page.wait_for_selector(".approval")
        assert shown["hash"] in page.inner_text(".approval")
        assert '"result": "tie"' in page.inner_text(".approval pre")
        page.click("[data-verdict=approve]")
        page.wait_for_selector(".approval[data-state=approved]")
    assert [by for _, _, by in two_persons.floor.given] == [f"staff:{SUPERVISOR}+staff:{SURVEILLANCE}"]


def test_a_display_takes_its_token_from_the_address_once_and_hides_it(house, sit):
    house.people.store.add_display("board 1", hashlib.sha256(b"d" * 43).hexdigest(), 1)
    page = sit(house)
    page.goto(f"/signin?next=/board/1#display={'d' * 43}")
    at(page, "/board/1")
    page.wait_for_selector(LIVE)
    assert "d" * 43 not in page.url
    assert page.evaluate("document.cookie") == ""


def test_a_session_that_ended_leads_the_open_page_to_sign_in(house, sit):
    page = sit(house)
    page.goto("/signin?next=/table/1")
    sign_in(page, SUPERVISOR)
    at(page, "/table/1")
    page.wait_for_selector(LIVE)
    house.people.store.set_disabled(SUPERVISOR, 1)
    page.wait_for_url(re.compile(r"/signin\?next=(/|%2F)table(/|%2F)1$"), timeout=15_000)


def test_a_dealer_is_offered_only_what_a_dealer_gives(house, sit):
    """trust.md 4.3: Turned and the own duty, and nothing that rules on a hand."""
    house.floor.views["2"] = replace(house.floor.views["2"], acts=("turned", "accept", "void"))
    page = sit(house)
    page.goto("/table/2")
    sign_in(page, NUMBERS[Role.DEALER])
    at(page, "/table/2")
    page.wait_for_selector(LIVE)
    page.wait_for_selector("#act-void", state="attached")
    shown = [it.get_attribute("data-act") for it in page.locator(".acts [data-act]").all() if it.is_visible()]
    assert shown == ["turned"]
    page.keyboard.press("h")
    assert page.locator("dialog[open]").count() == 0


def test_the_second_person_reads_what_is_approved_in_words(two_persons, sit):
    """Promised: act, hand and what is wrong stand there in words, not only the bare command."""
    with two_persons.signed_in(SUPERVISOR) as first:
        first.give({"kind": "correct", "result": "tie"})
    page = sit(two_persons)
    page.goto("/approvals")
    sign_in(page, SURVEILLANCE)
    page.wait_for_selector(".approval")
    assert "Correct result" in page.inner_text(".approval h2")
    told = page.inner_text(".approval .told").replace("\n", " ")
    assert "Would become TIE" in told
    assert "Of the hand 3-69" in told


def test_a_supervisor_rules_by_keys_and_the_second_person_reads_the_remedy(tmp_path, sit):
    """Promised: a remedy is given by keys on the dealer's page; who approves it reads it in words (trust.md 4.3)."""
    rules = {"two_persons": frozenset({"apply"})}
    with seated(tmp_path, "--profile=house_reuse", "--money=full", **rules) as house:
        house.say("draw P1:7S B1:2H P2:KC B2:3D P3:5H")
        page, other = sit(house), sit(house)
        for looking, number, path in ((page, SUPERVISOR, "/table/1"), (other, SURVEILLANCE, "/approvals")):
            house.time.s += 6.5
            looking.goto(path)
            sign_in(looking, number)
            at(looking, path)
        page.wait_for_selector(LIVE)
        page.wait_for_selector(".wrong")
        page.keyboard.press("g")
        page.wait_for_selector("#remedies[open] .offers button")
        page.keyboard.press("1")
        page.wait_for_selector("#remedies .said li")
        assert page.inner_text("#remedies .decides") == "A supervisor decides"  # who signed in is known
        key = page.locator("#remedies .offers button", has_text="Card to the basket").get_attribute("data-key")
        page.keyboard.press(str(key))
        page.wait_for_selector("#remedies [data-confirm]:enabled")
        page.keyboard.down("Enter")
        page.wait_for_selector("#answer:not([hidden])")
        page.keyboard.up("Enter")
        assert page.inner_text("#answer") == "Waits for a second person, two minutes at most."
        other.wait_for_selector(".approval[data-state=pending]")
        assert "Card to the basket · PLAYER 3 5H" in other.inner_text(".approval .told")
        other.click("[data-verdict=approve]")
        other.wait_for_selector(".approval[data-state=approved]")
        page.wait_for_selector(".wrong", state="detached")
        assert [one["by"] for one in house.facts("RemedyApplied")] == [f"staff:{SUPERVISOR}+staff:{SURVEILLANCE}"]


def test_a_dealer_keeps_stakes_by_keys_and_is_offered_no_penalty(tmp_path, sit):
    """trust.md 4.3, docs/dealer.md: with accounts a person sees only what that person may give."""
    with seated(tmp_path, "--profile=banque_fr", "--money=full") as house:
        page = sit(house)
        page.goto("/table/1")
        sign_in(page, NUMBERS[Role.DEALER])
        at(page, "/table/1")
        page.wait_for_selector(LIVE)
        page.keyboard.press("$")
        page.wait_for_selector("#bank[open] .bank-acts button")
        offered = {it.get_attribute("data-value") for it in page.locator(".bank-acts button").all() if it.is_visible()}
        assert {"show_bank", "sit"} <= offered
        assert offered.isdisjoint({"penalise", "readmit"})
        page.keyboard.press("s")
        page.keyboard.type("1000")
        with page.expect_response("**/commands") as answer:
            page.keyboard.press("Enter")
        assert answer.value.status == 200
        assert [one["by"] for one in house.facts("BankMoved")] == [f"staff:{NUMBERS[Role.DEALER]}"]
