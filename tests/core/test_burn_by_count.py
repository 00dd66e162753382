"""The burn at a shoe that tells cards only: counted, not told (rules.md C.4, PBI-19)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from controller.core.cards import Card
from controller.core.engine import Table
from controller.core.facts import Fact, FactName
from controller.core.games import GAMES
from controller.core.inputs import Command, Input, NewShoe
from controller.core.profile import Burn, BurnTold, Closes, Deal, House
from controller.core.signals import CardDrawn, Identifies
from controller.core.snapshot import restore, taken

HOUSE = House(deal=Deal.FACE_UP, closes=Closes.CONTROLLER, cut_card_by=0, burn_told=BurnTold.COUNT)
NATURAL = "9S 4H KD 2C"
BURNT = ["7C", "7D", "2H", "8S", "QC", "5D", "5H", "JS", "3C", "6D"]


class Felt:
    """A table at a shoe that sends one card after the other."""

    def __init__(self, house: House = HOUSE) -> None:
        self.table = Table(house, identifies=Identifies.AT_DRAW)
        self.facts: list[Fact] = []

    def cards(self, text: str) -> None:
        for word in text.split():
            card = None if word == "??" else Card.parse(word)
            self.facts += self.table.apply(Input(CardDrawn(None, None, card, unread=card is None)))

    def told(self, name: FactName) -> list[dict]:
        return [dict(fact.data) for fact in self.facts if fact.name is name]


@pytest.mark.parametrize(
    ("burn", "first", "asked"),
    [
        (Burn.FACE_10, "3S", 3),
        (Burn.FACE_10, "KS", 10),
        (Burn.FACE_10, "AS", 1),
        (Burn.FACE_0, "3S", 3),
        (Burn.DECKS, "3S", 8),
        (Burn.FIXED_2, "KS", 2),
    ],
)
def test_the_first_card_of_a_shoe_is_the_burn_card_and_as_many_follow_it(burn: Burn, first: str, asked: int):
    """rules.md C.4: the exposed card and N more leave the shoe, A = 1, pictures = 10."""
    felt = Felt(replace(HOUSE, burn=burn))
    felt.cards(" ".join([first, *BURNT[:asked]]))
    burnt = felt.told(FactName.BURN_CARD_SEEN)
    assert [(one["sets_count"], one["left"]) for one in burnt] == [
        (True, 0),
        *((False, left) for left in range(asked - 1, -1, -1)),
    ]
    assert felt.table.hand is None
    felt.cards(NATURAL)
    assert len(felt.told(FactName.HAND_COMPLETED)) == 1
    assert felt.table.shoe.left == 416 - (1 + asked + 4)
    assert felt.told(FactName.INCIDENT_OPENED) == []


def test_a_fixed_number_is_burnt_though_the_first_card_was_not_read():
    """faults.md A 38: whatever the first card is."""
    felt = Felt(replace(HOUSE, burn=Burn.FIXED_2))
    felt.cards("?? 7C 7D " + NATURAL)
    assert (len(felt.told(FactName.HAND_COMPLETED)), felt.told(FactName.INCIDENT_OPENED)) == (1, [])


def test_a_picture_asks_for_nothing_where_the_house_takes_its_value():
    """faults.md A 38: face-0."""
    felt = Felt(replace(HOUSE, burn=Burn.FACE_0))
    felt.cards("KS " + NATURAL)
    assert len(felt.told(FactName.HAND_COMPLETED)) == 1


def test_the_next_shoe_is_burnt_again_and_no_hand_before_it_is():
    """A new shoe is a person's word here."""
    felt = Felt()
    felt.cards("AS 2C " + NATURAL + " " + NATURAL)
    assert (len(felt.told(FactName.HAND_COMPLETED)), len(felt.told(FactName.BURN_CARD_SEEN))) == (2, 2)
    felt.facts += felt.table.apply(Input(Command("n", NewShoe()), by="staff:1"))
    felt.cards("2S 9C 9D " + NATURAL)
    assert (len(felt.told(FactName.HAND_COMPLETED)), len(felt.told(FactName.BURN_CARD_SEEN))) == (3, 5)


def test_a_stop_in_the_middle_of_the_burn_loses_no_count():
    """Design, section 1: what a snapshot brings back goes on where it was."""
    felt, again = Felt(), Felt()
    felt.cards("3S 7C")
    restore(again.table, json.loads(json.dumps(taken(felt.table))))
    again.cards("7D 7H " + NATURAL)
    assert [one["left"] for one in again.told(FactName.BURN_CARD_SEEN)] == [1, 0]
    assert len(again.told(FactName.HAND_COMPLETED)) == 1


def test_a_burn_card_that_was_not_read_is_noted():
    """PBI-19: nobody knows how many it asks for."""
    felt = Felt()
    felt.cards("??")
    assert [one["kind"] for one in felt.told(FactName.INCIDENT_OPENED)] == ["burn-count"]
    felt.cards("7C")
    assert felt.table.hand is not None


@pytest.mark.parametrize(
    "house",
    [
        replace(HOUSE, burn=Burn.NONE),
        replace(HOUSE, burn_told=BurnTold.SHOE),
        House(game=GAMES["chemin_tableau"], burn=Burn.NONE, closes=Closes.CONTROLLER),
    ],
    ids=["no-burn", "the-shoe-tells", "chemin-de-fer"],
)
def test_nothing_is_burnt_where_the_house_does_not_or_the_shoe_tells_it(house: House):
    """rules.md C.4: chemin de fer and banque state no burn."""
    felt = Felt(house)
    felt.cards("3S")
    assert felt.table.hand is not None
    assert felt.told(FactName.BURN_CARD_SEEN) == []
