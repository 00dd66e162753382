"""What programs get of cards that people take: who may be named, which card is meant, which lie with nobody."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from controller.core.cards import Seat
from controller.core.inputs import Takes, Turned, Void
from controller.pit.recall import Archive
from drivers.shoes import Chosen
from tests.api.serving import Api, running
from tests.recall.dealing import Dealing, deal
from tests.recall.test_no_decision_times import DEALT as CODES
from tests.recall.test_no_decision_times import HOUSE
from tests.rules.cloth import Cloth

PATH = "/api/v1/tables/1"
DEALT = "5C 9S TS 2H 7D 3C"
OTHERS = "2C 4D 6H 8S TC QD"  # the same cards lie face down, with other faces
TAKING = ("takers", "taker_of", "openers", "loose", "unsettled")
BACK = {"side": "back", "card": None, "keyed": False, "carried": False}


def told(api: Api, cloth: Cloth, path: str = PATH) -> dict:
    api.call(lambda: api.floor.views.update({"1": replace(cloth.view, table="1")}))
    with api.client() as client:
        answer: dict = client.get(path).json()
    return answer


def test_a_card_that_nobody_has_taken_lies_loose_and_is_asked_for(api: Api):
    """rules.md R-000-10, R-000-37: the seventh card was taken by the right, the left or the banker."""
    state = told(api, Cloth("foster").cards(f"{DEALT} 4H"))
    assert (state["takers"], state["taker_of"]) == (["right", "left", "banker"], 6)
    assert state["loose"] == [BACK]
    assert state["openers"] == [6]
    assert [len(seat["spots"]) for seat in state["seats"]] == [2, 2, 2]


def test_a_card_that_was_taken_lies_with_its_seat_and_the_next_one_is_asked_for(api: Api):
    """rules.md R-000-37, R-000-39: it lies face up before its owner; the left may ask for a card too."""
    state = told(api, Cloth("foster").cards(f"{DEALT} 4H").takes("R"))
    [right] = [seat for seat in state["seats"] if seat["seat"] == "right"]
    assert [spot["card"] for spot in right["spots"]] == [None, None, "4H"]
    assert (state["loose"], state["takers"], state["taker_of"]) == ([], ["left", "banker"], 7)


def test_an_earlier_hand_that_waits_says_which_of_its_cards_is_asked_for(api: Api):
    """faults.md A 35: the next hand was begun before anybody said who took the card."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D 5H 9S").close().cards("5D 5S")
    state = told(api, cloth)
    [waiting] = state["unsettled"]
    assert (waiting["takers"], waiting["taker_of"]) == (["punter", "banker"], 4)
    assert (state["takers"], state["taker_of"]) == ([], None)


@pytest.mark.parametrize("cards", [DEALT, f"{DEALT} 4H", f"{DEALT} 4H 9C"])
def test_who_may_have_taken_a_card_does_not_depend_on_a_face_that_is_down(api: Api, cards: str):
    """Promised: nothing that players can see depends on a face-down card; programs see no more."""
    other = " ".join([*OTHERS.split(), *("KS", "AH")][: len(cards.split())])
    one, two = (told(api, Cloth("foster").cards(faces)) for faces in (cards, other))
    assert {name: one[name] for name in TAKING} == {name: two[name] for name in TAKING}
    assert one == two


def test_a_game_without_takers_asks_for_none(api: Api):
    """rules.md R-PB-01: in punto banco the tableau says whose a card is."""
    with api.client() as client:
        state = client.get(PATH).json()
    assert [state[name] for name in ("takers", "taker_of", "openers", "loose")] == [[], None, [], []]


async def two_hands(dealing: Dealing) -> None:
    """The punter takes the fifth card; in the next hand nobody says who did before it is voided."""
    for code in CODES:
        await dealing.read(f"{code}\r\n".encode(), dealing.now())
    for act in (Takes(Seat.PUNTER), Turned()):
        await dealing.ask(act, dealing.table.hand.ref)
    for code in CODES:
        await dealing.read(f"{code}\r\n".encode(), dealing.now())
    await dealing.ask(Void(), dealing.table.hand.ref)


def test_hands_of_the_journal_say_who_took_a_card_and_which_lay_with_nobody(tmp_path: Path):
    """docs/interfaces.md, /api/v1: as players saw it, faces of a void hand stay down."""
    folder = deal(tmp_path / "1", two_hands, mode="open", house=HOUSE, chosen=Chosen())
    with running("chemin", archive=Archive({"1": folder})) as api, api.client() as client:
        taken, voided = client.get(f"{PATH}/hands?shoe=1").json()["hands"]
    assert [len(seat["spots"]) for seat in taken["seats"]] == [3, 2]
    assert taken["loose"] == []
    assert [len(seat["spots"]) for seat in voided["seats"]] == [2, 2]
    assert voided["loose"] == [BACK]
