"""What is typed into the bank's question is sent as typed, for the bank that was looked at; and a 0 of no meaning."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.old_games import DEADLINE_MS, LYING, seated

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

READ = {"7000": "7\u202f000", "7 000": "7\u202f000", "12\u202f345\u202f678": "12\u202f345\u202f678", "0070": "70"}
ARABIC, WIDE = "\u0667\u0660\u0660", "\uff17\uff10\uff10"  # digits that no sum is written with
MISREAD = ("7.000", "6,000", "20.0", "0x10", "1e3", "-5", "70 00", ARABIC, WIDE, "9007199254740993", "1000000000001")
EXPECTED = "Expected a whole sum in the smallest unit, in digits, at most 1\u202f000\u202f000\u202f000\u202f000. Came: "
PLACE_EXPECTED = "Expected the number of a place, in digits. Came: "
OFFERED = "#bank[open] .bank-acts button"


def asks(page: Page, key: str) -> None:
    """Open the bank's question anew at one of its acts."""
    if page.locator("dialog[open]").count():
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
    page.keyboard.press("$")
    page.wait_for_selector(OFFERED)
    page.keyboard.press(key)


def amount(page: Page, text: str) -> None:
    page.keyboard.insert_text(text)
    expect(page.locator("#bank [name=amount]")).to_have_value(text)


def posted(page: Page) -> list[str]:
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data or "") if request.method == "POST" else None)
    return sent


def test_what_is_no_whole_sum_is_told_at_the_field_and_not_sent(tmp_path: Path, look: Callable):
    """Promised: whole minor units; nothing is read otherwise than it was typed, and nothing is cut."""
    with seated(tmp_path, "chemin_tableau", look, rules='money = "bank"') as croupier:
        page = croupier.page
        sent = posted(page)
        for text in MISREAD:
            asks(page, "s")
            amount(page, text)
            expect(page.locator("#bank output")).to_have_text("")
            page.keyboard.press("Enter")
            expect(page.locator("#bank [data-field=amount] .wrong-here")).to_have_text(EXPECTED + text)
            expect(page.locator("#bank [name=amount]")).to_be_focused()
            page.keyboard.press("Enter")
            expect(page.locator("#bank[open]")).to_have_count(1)
        asks(page, "i")
        page.keyboard.insert_text("12345")
        page.keyboard.press("Enter")
        expect(page.locator("#bank [data-field=place] .wrong-here")).to_have_text(PLACE_EXPECTED + "12345")
        croupier.draw("5C")  # whatever the keys had sent came before this card
        assert sent == []


def test_what_is_sent_is_what_the_page_echoed(tmp_path: Path, look: Callable):
    """Promised: whole minor units, grouped as the page writes them or not at all."""
    with seated(tmp_path, "chemin_tableau", look, rules='money = "bank"') as croupier:
        page = croupier.page
        sent = posted(page)
        for text, echo in READ.items():
            asks(page, "s")
            amount(page, text)
            expect(page.locator("#bank output")).to_have_text(echo)
            with page.expect_response("**/commands"):
                page.keyboard.press("Enter")
            assert json.loads(sent[-1])["act"]["amount"] == int(echo.replace("\u202f", ""))


def test_a_bank_typed_for_one_banker_is_not_given_to_the_next(tmp_path: Path, look: Callable):
    """R-002-07: another page declined for him meanwhile; this page says that the bank moved on and sends nothing."""
    with seated(tmp_path, "chemin_tableau", look, rules='money = "bank"') as croupier:
        page, other = croupier.page, look().open(croupier.page.url)
        other.evaluate("sessionStorage.setItem('staff', '1043')")
        other.wait_for_selector("body:not(.stale)")
        asks(page, "s")
        amount(page, "700")
        asks(other, "d")
        with other.expect_response("**/commands") as answer:
            other.keyboard.press("Enter")
        assert answer.value.status == 200
        expect(page.locator("#bank .moved")).to_be_visible(timeout=DEADLINE_MS)
        expect(page.locator("#bank .moved")).to_contain_text("The bank has moved on")
        sent = posted(page)
        page.keyboard.press("Enter")
        expect(page.locator("#bank [data-confirm]")).to_be_disabled()
        assert sent == []
        asks(page, "s")  # looked at anew it is the next banker's
        amount(page, "700")
        with page.expect_response("**/commands") as answer:
            page.keyboard.press("Enter")
        assert answer.value.status == 200
        other.close()


def test_a_zero_where_no_close_was_forgotten_turns_nothing(tmp_path: Path, look: Callable):
    """R-000-05: six cards lie face down and stay so; 0 means a card that opened the next hand, and there is none."""
    with seated(tmp_path, "banque_foster", look) as croupier:
        page = croupier.page
        for face in ("5C", "9S", "TS", "2H", "7D", "3C"):
            croupier.draw(face)
        sent = posted(page)
        page.keyboard.press("0")
        page.keyboard.press("0")
        croupier.draw("8S")  # whatever the keys had sent came before this card
        expect(page.locator(LYING)).to_have_count(7)
        assert sent == []
        croupier.press("0")
        expect(page.locator(".felt .spot svg.black, .felt .spot svg.red")).to_have_count(0, timeout=DEADLINE_MS)
        assert '"kind":"opened_next","place":6' in sent[-1]
        sent.clear()
        for face in ("8C", "4S", "TC", "2S", "9D"):
            croupier.draw(face)
        page.keyboard.press("0")
        croupier.draw("6S")
        assert sent == []
