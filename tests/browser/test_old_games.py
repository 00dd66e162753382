"""An evening of each old game: a croupier deals from a line shoe and presses keys, nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.core.cards import Card
from controller.core.signals import CardDrawn
from tests.browser.old_games import DEADLINE_MS, Croupier, seated
from tests.browser.worked import played
from tests.rules import evenings

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

# The keys of a lawful coup for its cards; a wrong one has more for the supervisor.
MOST_KEYS = {"chemin-de-fer": 2, "baccarat-banque": 4}
MEAN_KEYS = {"chemin-de-fer": 1.5, "baccarat-banque": 2.5}
# The beads of each part's board, a row a side: who won, hand by hand.
BEADS = {
    "chemin-de-fer": ((("P", "P", "B", "B", "P", "T", "P", "P", "B", "B", "T"),), (("B", "T", "B", "P"),)),
    "baccarat-banque": (
        (
            ("right", "B", "right", "right", "right", "right", "right", "right", "right", "B"),
            ("T", "B", "left", "left", "left", "left", "B", "B", "left", "left", "B"),
        ),
        (("B", "T", "right"), ("left", "T", "B")),
        (("right",), ("B",)),
    ),
}


@pytest.mark.parametrize("name", evenings.NAMES)
def test_a_croupier_deals_an_evening_as_the_documents_tell_it(tmp_path: Path, look: Callable, name: str):
    """Promised: a worked evening in the documents; a lawful coup takes at most 2 keys (mean 1.5), in banque 4 (2.5)."""
    evening = evenings.read(name)

    def board(part: int, croupier: Croupier) -> None:
        plates = croupier.board.locator("svg.road.bead")
        expect(plates).to_have_count(len(BEADS[name][part]), timeout=DEADLINE_MS)
        for plate, beads in zip(plates.all(), BEADS[name][part], strict=True):
            expect(plate.locator("> use")).to_have_count(len(beads), timeout=DEADLINE_MS)
            assert tuple(use.get_attribute("href").rpartition("-")[2] for use in plate.locator("> use").all()) == beads

    told = played(tmp_path, evening, look, board)
    coups = [coup for part in evening.parts for coup in part.coups]
    moments = [seen for part in told for seen in part]
    keys = [evenings.keys_of(seen)[0] for coup, seen in zip(coups, moments, strict=True) if not coup.irregular]
    assert max(keys) <= MOST_KEYS[name]
    assert sum(keys) / len(keys) <= MEAN_KEYS[name]
    page = evenings.document(evening, told)
    if folder := os.environ.get("TIRAGE_EVENINGS"):
        evenings.write(Path(folder), evening, page)
    assert (evenings.FOLDER / f"{name}.md").read_text(encoding="utf-8") == page, "stale: run make pictures"


def held(croupier: Croupier, key: str) -> None:
    with croupier.page.expect_response("**/commands") as answer:
        croupier.page.keyboard.down(key)
    croupier.page.keyboard.up(key)
    assert answer.value.status == 200, answer.value.text()


def test_a_result_of_two_sides_is_one_key_for_each_and_a_hold(tmp_path: Path, look: Callable):
    """Promised: each fault at most four keys; R-000-44: the sides are independent of each other."""
    with seated(tmp_path, "banque_foster", look) as croupier:
        croupier.play("2S 3C 2H 2D AH 2C 3S 4C QH :T")
        expect(croupier.page.locator("[data-part=result]")).to_contain_text("LEFT wins", timeout=DEADLINE_MS)
        page, result = croupier.page, croupier.page.locator("[data-part=result]")
        for key in ("c", "b", "t"):
            page.keyboard.press(key)
        held(croupier, "Enter")
        for word in ("RIGHT loses", "LEFT ties"):
            expect(result).to_contain_text(word, timeout=DEADLINE_MS)
        for key in ("h", "1", "t", "l"):
            page.keyboard.press(key)
            page.wait_for_selector("#earlier[open] .hand-row")
        expect(page.locator("#earlier .outcome")).to_contain_text("RIGHT ties", timeout=DEADLINE_MS)
        held(croupier, "Enter")
        for word in ("RIGHT ties", "LEFT wins"):
            expect(result).to_contain_text(word, timeout=DEADLINE_MS)


def test_an_earlier_hand_that_waits_for_a_taker_is_closed_by_two_keys(tmp_path: Path, look: Callable):
    """Promised: a card is asked for before or after it comes, also once the next hand has begun."""
    with seated(tmp_path, "chemin_tableau", look) as croupier:
        croupier.play("7H 5H KS KC 3D :T")
        expect(croupier.page.locator(".prompt .say")).to_have_text("Who took card 5?", timeout=DEADLINE_MS)
        croupier.shoe.say(CardDrawn(None, None, Card.parse("9H")))
        expect(croupier.page.locator(".wrong.earlier")).to_have_count(1, timeout=DEADLINE_MS)
        croupier.page.keyboard.press("u")
        croupier.press("2")
        expect(croupier.page.locator("[data-part=result]")).to_contain_text("BANKER wins", timeout=DEADLINE_MS)


def test_a_touch_does_not_keep_the_key_that_closes(tmp_path: Path, look: Callable):
    """A button that was touched must not take the next Enter for itself."""
    with seated(tmp_path, "chemin_tableau", look) as croupier:
        croupier.play("2H 3H 2S 4S 9C")
        with croupier.page.expect_response("**/commands"):
            croupier.page.click("#act-takes-punter")
        croupier.press("Enter")
        expect(croupier.page.locator("[data-part=result]")).to_contain_text("BANKER wins", timeout=DEADLINE_MS)
