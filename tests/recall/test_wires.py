"""Raw bytes are read again by the driver that the journal names, and told in the language of the page."""

from __future__ import annotations

import json
from itertools import count

import pytest

from controller.catalogue import load
from controller.core.facts import Audience
from controller.core.profile import Burn, Closes, Deal, House
from controller.pit.recall_view import last_frames, sayer
from controller.recall.frames import FrameLine
from controller.recall.hand import recall
from controller.recall.link import quality
from controller.recall.story import tell
from controller.recall.wire import Wire, wire_of
from drivers.shoes import Chosen
from tests.recall.dealing import deal

HOUSE = House(deal=Deal.FACE_UP, burn=Burn.NONE, closes=Closes.CONTROLLER, cut_card_by=0)
# A house's own codes: four digits a card, counted from 0001 in the order of the suits.
CARDS = [f"{rank}{suit}" for suit in "SHDC" for rank in "A23456789TJQK"]
CODES = {f"{number:04}": card for number, card in zip(count(1), CARDS, strict=False)}
CODE_OF = {card: code for code, card in CODES.items()}
HAND = ("9S", "2C", "KD", "4H")


async def line_hand(dealing) -> None:
    for card in HAND:
        await dealing.read(f"{CODE_OF[card]}\r\n".encode(), dealing.now())
    await dealing.read(b"\xff\xfe\r\n", dealing.now())
    for heard in dealing.recorder.session.flush():
        await dealing.recorder.hear(heard)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    chosen = Chosen(codes=CODES)
    return deal(tmp_path_factory.mktemp("line") / "b1", line_hand, mode="open", house=HOUSE, chosen=chosen)


@pytest.fixture(scope="module")
def shoe(folder):
    return tell(folder, 1)


def said(frame: FrameLine, language: str = "en") -> str:
    return ", ".join(sayer(load(language=language))(word) for word in frame.words)


def test_a_line_shoes_hand_shows_each_line_beside_its_meaning(shoe):
    """wire-formats.md section 2: one card a text line, by the codes of the house's own decks."""
    frames = [frame for moment in recall(shoe, 1, Audience.SURVEILLANCE).moments for frame in moment.frames]
    assert [bytes.fromhex(frame.hex).decode() for frame in frames][:4] == [CODE_OF[card] for card in HAND]
    assert [said(frame) for frame in frames][:4] == [f"{CODE_OF[card]}, Card drawn, {card}" for card in HAND]


def test_the_list_of_the_line_and_its_quality_are_of_the_same_driver(shoe):
    newest, before, *_ = last_frames(shoe)
    assert (newest.status, newest.copies, said(newest)) == ("noise", 0, "Damaged bytes, noise")
    assert said(before) == f"{CODE_OF['4H']}, Card drawn, 4H"
    assert quality(shoe).counts.events == 4


def test_meanings_are_said_in_the_language_asked_for(shoe):
    assert said(last_frames(shoe)[1], "zh-Hans").endswith("4H")
    assert "Card" not in said(last_frames(shoe)[1], "zh-Hans")


def test_every_segment_names_the_driver_with_its_codes(folder):
    openings = [json.loads(path.read_text().splitlines()[0])["data"] for path in sorted(folder.glob("*.jsonl"))]
    assert len(openings) == 2
    assert all(opening["driver"] == {"name": "line", "mode": "auto", "codes": CODES} for opening in openings)


def test_a_journal_of_before_drivers_were_named_is_read_as_angel_eye(journal):
    shoe = tell(journal, 1)
    assert shoe.wire == Wire("angel-eye", "hidden")
    assert quality(shoe).counts.events > 20


def test_a_driver_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="no driver 'pigeon'"):
        wire_of({"name": "pigeon"}, Wire())
