"""A misdeal ruled on and a bank kept, on the page of a real daemon."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.old_games import DEADLINE_MS, Croupier, seated

UNCHECKED = re.compile(r"^A supervisor decides\. Nobody checks that [0-9]+ is one$")

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


def held(page: Page, key: str = "Enter") -> None:
    with page.expect_response("**/commands") as answer:
        page.keyboard.down(key)
    page.keyboard.up(key)
    assert answer.value.status == 200, answer.value.text()


def typed(croupier: Croupier, key: str, amount: str) -> None:
    """Open the bank's question, press the letter of an act, key its amount, and give it."""
    page = croupier.page
    page.keyboard.press("$")
    page.wait_for_selector("#bank[open] .bank-acts button")
    page.keyboard.press(key)
    page.keyboard.type(amount)
    with page.expect_response("**/commands") as answer:
        page.keyboard.press("Enter")
    assert answer.value.status == 200, answer.value.text()


def test_a_misdeal_is_ruled_on_after_its_effect_was_seen(tmp_path: Path, look: Callable):
    """rules.md IR-06, R-000-16: the holder with a card too many keeps two, the one named goes out unseen."""
    with seated(tmp_path, "banque_foster", look) as croupier:
        page = croupier.page
        for face in ("5C", "9S", "TS", "2H", "7D", "3C", "4H"):
            croupier.draw(face)
        page.keyboard.press("!")
        page.wait_for_selector("#cards[open] .lay-card:nth-child(7)")
        for key in ("7", "r"):  # it was dealt, not drawn: right has three face down
            page.keyboard.press(key)
        expect(page.locator("#cards [data-confirm]")).to_be_enabled(timeout=DEADLINE_MS)
        held(page)
        expect(page.locator("dialog[open]")).to_have_count(0)
        page.keyboard.press("g")
        page.wait_for_selector("#remedies[open] .offers button")
        croupier.picture("remedies")
        key = page.locator("#remedies .offers button", has_text="A player has a card too many").get_attribute(
            "data-key"
        )
        page.keyboard.press(str(key))
        expect(page.locator("#remedies .decides")).to_have_text(UNCHECKED)  # without accounts nobody knows whose it is
        key = page.locator("#remedies .offers button", has_text="goes out unseen").get_attribute("data-key")
        page.keyboard.press(str(key))
        expect(page.locator("#remedies .to-basket .lying-card")).to_have_count(1, timeout=DEADLINE_MS)
        expect(page.locator("#remedies .amends")).to_contain_text("Bets stand")
        page.keyboard.press("4")
        expect(page.locator("#remedies .lay-card[aria-pressed=true] .nth")).to_have_text("4")
        expect(page.locator("#remedies [data-confirm]")).to_be_enabled(timeout=DEADLINE_MS)
        croupier.picture("remedy-tried")
        assert page.locator(".felt .spot .card:not(.empty)").count() == 7
        held(page)
        expect(page.locator(".felt .spot .card:not(.empty)")).to_have_count(6, timeout=DEADLINE_MS)
        croupier.picture("remedy-applied")


def test_who_goes_back_chooses_again(tmp_path: Path, look: Callable):
    """Promised: each fault is settled by keys; what was chosen wrongly is taken back by one."""
    with seated(tmp_path, "banque_foster", look) as croupier:
        page = croupier.page
        for face in ("5C", "9S", "TS", "2H"):
            croupier.draw(face)
        page.keyboard.press("g")
        page.wait_for_selector("#remedies[open] .offers button")
        before = page.locator("#remedies .offers button").count()
        page.keyboard.press("1")
        expect(page.locator("#remedies .said li")).not_to_have_count(0)
        page.keyboard.press("Backspace")
        expect(page.locator("#remedies .offers button")).to_have_count(before)


def test_a_bank_is_shown_covered_and_settled_on_the_page(tmp_path: Path, look: Callable):
    """rules.md R-002-07, R-002-16, R-FRC-05: the banker wins 400 less 5 per cent and keeps the bank."""
    with seated(tmp_path, "chemin_tableau", look, rules='money = "bank"') as croupier:
        page = croupier.page
        line = page.locator("[data-part=bank]")
        expect(line).to_contain_text("Show the sum")
        typed(croupier, "s", "100000")
        expect(line.locator(".bank-sum")).to_have_text("100\u202f000", timeout=DEADLINE_MS)
        typed(croupier, "c", "40000")
        expect(line.locator(".bank-covered")).to_have_text("40\u202f000", timeout=DEADLINE_MS)
        croupier.picture("bank-open")
        for face in ("5C", "5H", "2C", "4H"):
            croupier.draw(face)
        expect(line).to_contain_text("Stakes closed", timeout=DEADLINE_MS)
        croupier.press("T")
        expect(line.locator(".bank-sum")).to_have_text("138\u202f000", timeout=DEADLINE_MS)
        croupier.picture("bank-settled")
        page.keyboard.press("c")
        page.wait_for_selector("#earlier[open] .hands-list button")
        page.keyboard.press("p")
        money = page.locator("#earlier .preview .of-money")  # the punter won after all: 400 back, 400 won, no rake
        expect(money).to_contain_text("The bank → Place 1", timeout=DEADLINE_MS)
        croupier.picture("correction-tried")
        page.keyboard.press("Escape")
        page.keyboard.press("$")
        page.wait_for_selector("#bank[open]")
        croupier.picture("bank-question")
        page.keyboard.press("c")
        page.keyboard.type("999999")
        with page.expect_response("**/commands") as answer:
            page.keyboard.press("Enter")
        assert answer.value.status == 409
        expect(page.locator("#answer")).to_have_text("The stakes would be more than the bank.")


def test_a_void_on_a_table_that_keeps_money_shows_what_goes_back_before_it_counts(tmp_path: Path, look: Callable):
    """rules.md 1.5 VOID: every stake goes back, and is seen to before the hold that confirms."""
    with seated(tmp_path, "chemin_tableau", look, rules='money = "bank"') as croupier:
        page = croupier.page
        typed(croupier, "s", "100000")
        typed(croupier, "c", "40000")
        for face in ("5C", "5H", "2C"):
            croupier.draw(face)
        page.keyboard.down("v")
        money = page.locator("#earlier[open] .preview .of-money")
        expect(money).to_have_text("Money Stakes → The punters together 40\u202f000", timeout=DEADLINE_MS)
        page.keyboard.up("v")
        expect(page.locator("#earlier [data-confirm]")).to_be_enabled(timeout=DEADLINE_MS)
        held(page)
        expect(page.locator("[data-part=bank]")).to_contain_text("Stakes open", timeout=DEADLINE_MS)
