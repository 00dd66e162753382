"""An evening of each old game: a croupier deals from a line shoe and presses keys, nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.core.cards import Card
from controller.core.signals import CardDrawn
from tests.browser.old_games import DEADLINE_MS, Coup, Croupier, evening, seated

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

CHEMIN = (
    Coup("both stand on six", "2H 3H 4S 3S :T", "TIE", prompts=((4, "PUNTER: card or none? Then BANKER"),)),
    Coup("natural nine", "9H 3D KS 4S :Enter", "PUNTER wins", picture_at=(4,)),
    Coup(
        "punter draws alone",
        "2H 3H 2S 3S 9C :1 :T",
        "BANKER wins",
        prompts=((5, "Who took card 5?"), (6, "BANKER: card or none? Then turn")),
        picture_at=(5, 6),
    ),
    Coup("punter named before", "5H 3H QS KS :1 4C 4D :T", "PUNTER wins", prompts=((5, "Card for PUNTER"),)),
    Coup("six cards name themselves", "2H 3H KS 2S 6C 3D :T", "TIE", prompts=((6, "Turn the cards: hand over"),)),
    Coup("banker draws alone", "6H 2H KS KC 7D :2 :T", "BANKER wins"),
    Coup("asked after the turn", "7H 5H KS KC 3D :T :2", "BANKER wins", prompts=((6, "Who took card 5?"),)),
    Coup(
        "false draw",
        "6H 7H AS KC 2D :1 :T :@A",
        "PUNTER wins",
        wrong="PUNTER drew and had to stand",
        prompts=((7, "Wait for supervisor"),),
        picture_at=(7,),
    ),
    Coup(
        "close forgotten",
        "7H 7D KS JC 4H :0 4D AS 3C :T",
        "BANKER wins",
        prompts=((6, "BANKER: card 1"),),
        picture_at=(5,),
    ),
    Coup("punter at five stands", "5H KH QS 7S :T", "BANKER wins"),
    Coup("punter at five draws", "5D KH JS 7S 4D :1 :T", "PUNTER wins"),
    Coup("tie of zero", "KH QD 4C 3H 6D 7C :T", "TIE"),
)

BANQUE = (
    Coup(
        "right takes, left and banker stand",
        "2H 3H 2D 2C 3D 4H 4D :1 :T",
        "RIGHT wins, LEFT ties",
        prompts=((6, "Offer a card: RIGHT, then LEFT"), (7, "Who took card 7?")),
        picture_at=(6, 7),
    ),
    Coup("nine cards name themselves", "2S 3C 2H 2D AH 2C 3S 4C QH :T", "RIGHT wins, LEFT wins"),
    Coup("banker's natural", "2S 3H 8H 4S 4H JH :T", "RIGHT loses, LEFT loses", picture_at=(6,)),
    Coup("right's natural", "9H 3D 2H TH 4D TD :Enter", "RIGHT wins, LEFT wins"),
    Coup("both refuse, banker must take", "5H 6H 2D KH KD KC 3C :3 :T", "RIGHT ties, LEFT wins"),
    Coup(
        "banker should have taken",
        "5D 6D 2C QD QC 4C :T :@A",
        "RIGHT loses, LEFT ties",
        wrong="BANKER had to draw and did not",
        picture_at=(7,),
    ),
    Coup(
        "left and banker",
        "5C 2S 2H JD 2D 2C 4S :2 JC :T",
        "RIGHT wins, LEFT wins",
        prompts=((8, "BANKER: card or none? Then turn"),),
    ),
    Coup("right and left", "2S 3S 3H 2H AD 4H 3D 4D :1 :2 :T", "RIGHT ties, LEFT wins"),
    Coup(
        "asked after the turn",
        "4C 6C 3C KS KH 2D 4S :T :1",
        "RIGHT wins, LEFT wins",
        prompts=((8, "Who took card 7?"),),
    ),
    Coup("close forgotten", "9D 3S 2C QS 4H QH 2S :0 3H 9C 2H 4D QD :T", "RIGHT loses, LEFT loses"),
    Coup("named before the card", "2D 6S 3D 2C JS 2S :1 5S :T", "RIGHT wins, LEFT wins"),
    Coup("banker draws to nothing", "6H 6D 6C TC TS TH 4C :3 :T", "RIGHT wins, LEFT wins"),
)
# The keys of a lawful coup; a wrong one has one more for the supervisor who lets it stand.
MOST_KEYS = {"chemin_tableau": 2, "banque_foster": 4}
MEAN_KEYS = {"chemin_tableau": 1.5, "banque_foster": 2.5}


def counted(croupier: Croupier, coups: tuple[Coup, ...], profile: str) -> None:
    keys = evening(croupier, coups)
    lawful = [keys[coup.name] for coup in coups if not coup.wrong and ":0" not in coup.plays]
    assert max(lawful) <= MOST_KEYS[profile]
    assert sum(lawful) / len(lawful) <= MEAN_KEYS[profile]


def test_a_croupier_deals_an_evening_of_chemin_de_fer(tmp_path: Path, look: Callable):
    """Promised: at most two keys a lawful coup, none but a close where four or six cards are out."""
    with seated(tmp_path, "chemin_tableau", look) as croupier:
        counted(croupier, CHEMIN, "chemin_tableau")
        beads = croupier.board.locator("svg.road.bead > use")
        expect(beads).to_have_count(len(CHEMIN) + 1, timeout=DEADLINE_MS)  # the forgotten close made two of one
        assert [use.get_attribute("href") for use in beads.all()][:3] == ["#bead-T", "#bead-P", "#bead-B"]


def test_a_croupier_deals_an_evening_of_banque(tmp_path: Path, look: Callable):
    """Promised: at most four keys a lawful coup; each side has its own result and its own beads."""
    with seated(tmp_path, "banque_foster", look) as croupier:
        counted(croupier, BANQUE, "banque_foster")
        plates = croupier.board.locator("svg.road.bead")
        expect(plates).to_have_count(2, timeout=DEADLINE_MS)
        right, left = ([use.get_attribute("href") for use in plate.locator("> use").all()] for plate in plates.all())
        assert len(right) == len(left) == len(BANQUE) + 1
        assert (right[0], left[0]) == ("#bead-right", "#bead-T")


def held(croupier: Croupier, key: str) -> None:
    with croupier.page.expect_response("**/commands") as answer:
        croupier.page.keyboard.down(key)
    croupier.page.keyboard.up(key)
    assert answer.value.status == 200, answer.value.text()


def test_a_result_of_two_sides_is_one_key_for_each_and_a_hold(tmp_path: Path, look: Callable):
    """Promised: each fault at most four keys; R-000-44: the sides are independent of each other."""
    with seated(tmp_path, "banque_foster", look) as croupier:
        croupier.deal(BANQUE[1])
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
        croupier.deal(Coup("turned unasked", "7H 5H KS KC 3D :T", prompts=((6, "Who took card 5?"),)))
        croupier.shoe.say(CardDrawn(None, None, Card.parse("9H")))
        expect(croupier.page.locator(".wrong.earlier")).to_have_count(1, timeout=DEADLINE_MS)
        croupier.page.keyboard.press("u")
        croupier.press("2")
        expect(croupier.page.locator("[data-part=result]")).to_contain_text("BANKER wins", timeout=DEADLINE_MS)


def test_a_touch_does_not_keep_the_key_that_closes(tmp_path: Path, look: Callable):
    """A button that was touched must not take the next Enter for itself."""
    with seated(tmp_path, "chemin_tableau", look) as croupier:
        croupier.deal(Coup("four", "2H 3H 2S 4S 9C"))
        with croupier.page.expect_response("**/commands"):
            croupier.page.click("#act-takes-punter")
        croupier.press("Enter")
        expect(croupier.page.locator("[data-part=result]")).to_contain_text("BANKER wins", timeout=DEADLINE_MS)
