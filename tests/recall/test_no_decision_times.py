"""How long somebody thought tells what he held: where people decide, times are for surveillance (R-002-30)."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from controller.core.facts import Audience
from controller.core.games import GAMES
from controller.core.inputs import Takes, Turned
from controller.core.profile import Burn, Closes, Deal, House
from controller.pit.recall_view import ended
from controller.recall.hand import recall
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
