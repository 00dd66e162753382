"""How long somebody thought tells what he held: where people decide, times are for surveillance (R-002-30)."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from controller.core.facts import Audience
from controller.core.games import GAMES
from controller.core.inputs import Takes, Turned
from controller.core.profile import Burn, Closes, Deal, House
from controller.core.words import iso
from controller.pit.recall_view import ended
from controller.recall.hand import recall
from controller.recall.report import report
from controller.recall.story import tell
from drivers.shoes import Chosen
from tests.pit.conftest import Pit
from tests.pit.sample import floor_of
from tests.recall.dealing import deal
from tests.recall.serving import Recalled

HOUSE = House(
    game=GAMES["chemin_tableau"],
    decks=6,
    deal=Deal.FACE_DOWN,
    burn=Burn.NONE,
    closes=Closes.CONTROLLER,
    cut_card_by=0,
)
DEALT = ("H2", "H3", "S2", "S3", "C9")
CLOCK = re.compile(r"\d\d:\d\d:\d\d\.\d{3}")


async def coup(dealing) -> None:
    for code in DEALT:
        await dealing.read(f"{code}\r\n".encode(), dealing.now())
    for act in (Takes(GAMES["chemin_tableau"].seats[0]), Turned()):
        await dealing.ask(act, dealing.table.hand.ref)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return deal(tmp_path_factory.mktemp("chemin") / "b1", coup, mode="open", house=HOUSE, chosen=Chosen())


@pytest.fixture
def pages(folder) -> Iterator[Pit]:
    yield from Recalled.running(floor_of("chemin"), {"1": folder})


def test_the_pit_reads_what_happened_and_not_when(folder):
    """Promised: no decision times on any page but surveillance's."""
    shoe = tell(folder, 1)
    pit, eye = (recall(shoe, 1, audience) for audience in (Audience.PIT, Audience.SURVEILLANCE))
    assert {card.drawn for card in pit.cards} == {moment.at for moment in pit.moments} == {None}
    assert ended(shoe, pit) == pit.end, "the last card would tell how long the banker thought"
    assert None not in {card.drawn for card in eye.cards} | {moment.at for moment in eye.moments}
    assert [moment.entries for moment in pit.moments] != []


def test_the_page_of_a_hand_has_no_time_but_the_range_for_the_cameras(pages):
    """Promised: the range from the first card to the close finds the recording; nothing between is told."""
    with pages.client() as client:
        times = CLOCK.findall(client.get("/table/1/hand/1").text)
        seen = CLOCK.findall(client.get("/surveillance/1/hand/1").text)
    assert len(times) == 2
    assert len(seen) > len(DEALT)


async def unread(dealing) -> None:
    """The fifth card cannot be read, so there is an incident within the hand."""
    for code in (*DEALT[:4], "??"):
        await dealing.read(f"{code}\r\n".encode(), dealing.now())
    for act in (Takes(GAMES["chemin_tableau"].seats[0]), Turned()):
        await dealing.ask(act, dealing.table.hand.ref)


def test_nor_when_within_the_hand_an_incident_began(tmp_path):
    """R-002-30: the time of a card that could not be read is the time at which somebody took it."""
    shoe = tell(deal(tmp_path / "b1", unread, mode="open", house=HOUSE, chosen=Chosen()), 1)
    pit, eye = (recall(shoe, 1, audience) for audience in (Audience.PIT, Audience.SURVEILLANCE))
    (known,), (seen,) = pit.incidents, eye.incidents
    assert {item.at.utc_ns for item in known.items} == {None}
    assert None not in {item.at.utc_ns for item in seen.items}
    assert [row["at"] for row in report(shoe).incidents] == [None]


def test_a_report_is_dated_by_hands_and_by_the_house(tmp_path):
    """Whoever asks for the figures of the shoe that is dealt would else read when its last card was taken."""

    async def begun(dealing) -> None:
        for code in DEALT:
            await dealing.read(f"{code}\r\n".encode(), dealing.now())

    shoe = tell(deal(tmp_path / "b1", begun, mode="open", house=HOUSE, chosen=Chosen()), 1)
    told, track = report(shoe), recall(shoe, 1, Audience.SURVEILLANCE)
    assert told.ended == iso(track.begin)
    assert track.cards[-1].drawn > track.begin
