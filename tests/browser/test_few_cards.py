"""Too few cards for a hand, on the page of a real daemon: told before card 1, and settled there by keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.profiles import text_of
from tests.browser.old_games import DEADLINE_MS, seated

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

HAND = ("5C", "9S", "TS", "3H", "7D", "6C")  # right 8, a natural: the coup is over for all (R-000-27)
FEW = {"decks = 6": "decks = 1", "fewest_cards = 10": "fewest_cards = 47", "cut_card_by = 10": "cut_card_by = 47"}


def house(folder: Path) -> str:
    """Write Foster's house with one pack of which no hand may begin with less than 47 cards."""
    text = text_of("banque_foster")
    for old, new in FEW.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "house.toml").write_text(text)
    return "house.toml"


def pressed(page: Page, words: str) -> None:
    button = page.locator("#remedies .offers button", has_text=words)
    page.keyboard.press(str(button.get_attribute("data-key")))


def test_ir_13_the_dealer_is_told_before_card_1_and_ends_the_shoe_by_keys(tmp_path: Path, look: Callable):
    """rules.md IR-13, R-000-06: told in each language; G ends the shoe where there is no hand (R-003-18)."""
    with seated(tmp_path, house(tmp_path), look, rules='money = "bank"') as croupier:
        page = croupier.page
        for face in HAND:
            croupier.draw(face)
        croupier.press("act.turned")
        expect(page.locator(".prompt")).to_contain_text("too few cards", timeout=DEADLINE_MS)
        for lang, says in (("zh-Hans", "余牌不足"), ("zh-Hant", "餘牌不足")):
            other = page.context.new_page()
            other.goto(f"{page.url.split('?')[0]}?lang={lang}")
            expect(other.locator(".prompt")).to_contain_text(says)
            other.close()
        croupier.picture("few-cards")
        page.keyboard.press("g")
        page.wait_for_selector("#remedies[open] .offers button")
        pressed(page, "Too few cards for another hand")
        expect(page.locator("#remedies [data-confirm]")).to_be_enabled(timeout=DEADLINE_MS)
        croupier.picture("few-cards-remedy")
        with page.expect_response("**/commands") as answer:
            page.keyboard.down("Enter")
        page.keyboard.up("Enter")
        assert answer.value.status == 200, answer.value.text()
        expect(page.locator(".prompt")).to_have_text("SHOE FINISHED", timeout=DEADLINE_MS)
