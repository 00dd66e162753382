"""Punto banco face down where the shoe names no seat: what came behind the deal is placed by the turn."""

from __future__ import annotations

import pytest

from controller.core.cards import Card, Seat
from controller.core.inputs import Turned
from controller.core.profile import Burn, Closes, Deal
from controller.core.signals import CardDrawn, Identifies
from tests.faults.felt import Felt

P, B = Seat.PLAYER, Seat.BANKER


def felt_with(faces: str) -> Felt:
    felt = Felt(deal=Deal.FACE_DOWN, identifies=Identifies.AT_DRAW, burn=Burn.NONE, closes=Closes.CONTROLLER)
    felt.say(*(CardDrawn(None, None, Card.parse(face)) for face in faces.split()))
    return felt


def lying(felt: Felt) -> dict[Seat | None, list[str]]:
    hand = felt.table.hand
    return {} if hand is None else {s: [str(one.card) for one in hand.laid if one.seat is s] for s in (P, B, None)}


@pytest.mark.parametrize(
    ("faces", "results", "left"),
    [
        ("2C 3C 2S QC", [], {P: ["2C", "2S"], B: ["3C", "QC"], None: []}),  # Player's third is owed
        ("2C 3C 2S QC 4H", [], {P: ["2C", "2S", "4H"], B: ["3C", "QC"], None: []}),  # and then the Banker's
        ("2C 3C 2S QC 4H 6H", ["banker"], {}),
        ("6C 3C KS QC 5H", ["banker"], {}),  # Player stands, Banker draws to 8 against 6
        ("9C 3C KS QC", ["player"], {}),
        ("9C 3C KS QC 5H", ["player"], {P: ["5H"], B: [], None: []}),  # the key was late: the next hand has begun
        ("9C 3C KS QC 5H 6H", ["player"], {P: ["5H"], B: ["6H"], None: []}),
    ],
)
def test_a_late_turn_leaves_the_cards_where_the_rules_have_them(faces: str, results: list[str], left: dict):
    """wire-formats.md section 2: the host does all the game logic; rules.md R-PB-01 to 05."""
    felt = felt_with(faces)
    assert (felt.results, felt.incidents, felt.table.phase.value) == ([], [], "drawing")
    felt.ask(Turned())
    assert (felt.results, felt.incidents) == (results, [])
    assert lying(felt) == left


def test_a_card_of_the_next_hand_lies_face_down_again():
    """Promised: a turn shows the hand that was turned, and no further one."""
    felt = felt_with("9C 3C KS QC 5H")
    felt.ask(Turned())
    (laid,) = felt.table.hand.laid
    assert (laid.exposed, laid.carried) == (False, True)


def test_more_cards_than_a_hand_can_have_are_told_before_the_turn():
    """faults.md A 29: a count needs no faces."""
    felt = felt_with("2C 3C 2S QC 4H 6H 7H")
    assert felt.incidents == ["extra-card"]
