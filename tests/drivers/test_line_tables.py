"""A table at a line shoe: order and close follow from the rules, since the wire tells cards alone."""

from __future__ import annotations

import pytest

from controller.core.cards import Card, Seat
from controller.core.engine import Table
from controller.core.inputs import Input, KeyCard
from controller.core.profile import Burn, Closes, Deal, House
from controller.core.signals import CardDrawn, Identifies
from controller.simulate.dealing import Shoe
from controller.simulate.dealing import Table as Simulated
from controller.simulate.hand import Mode
from drivers.line import Session
from tests.faults.felt import Felt

HOUSE = House(deal=Deal.FACE_UP, burn=Burn.NONE, closes=Closes.CONTROLLER, cut_card_by=0)


def line_of(card: Card) -> bytes:
    text = str(card)
    return f"{text[1]}{text[0]}\r\n".encode()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_whole_shoe_of_cards_alone_gives_every_hand_as_it_was_dealt(seed: int):
    """wire-formats.md section 2: the host does all the game logic; rules.md R-PB-01..10."""
    shoe = Shoe(Simulated(house=HOUSE, mode=Mode.OPEN), seed)
    hands = list(shoe.hands())
    session, table = Session(), Table(HOUSE, identifies=Identifies.AT_DRAW)
    for hand in hands:
        for card in [one.card for one in hand.signals if isinstance(one, CardDrawn)]:
            for heard in session.feed(line_of(card)):
                table.apply(Input(heard.signal))
    assert len(hands) > 60
    assert table.incidents == {}
    assert table.hand is None
    dealt = [(by_seat(hand.signals), hand.truth.as_line()["result"]) for hand in hands]
    assert [(laid(record.hand), record.outcome.value) for record in table.results] == dealt


def by_seat(signals) -> dict[Seat, list[str]]:
    drawn = [one for one in signals if isinstance(one, CardDrawn)]
    return {seat: [str(one.card) for one in drawn if one.seat is seat] for seat in (Seat.PLAYER, Seat.BANKER)}


def laid(hand) -> dict[Seat, list[str]]:
    return {seat: [str(one.card) for one in hand.laid if one.seat is seat] for seat in (Seat.PLAYER, Seat.BANKER)}


def felt_with(*codes: str, closes: Closes) -> Felt:
    felt = Felt(deal=Deal.FACE_UP, identifies=Identifies.AT_DRAW, burn=Burn.NONE, closes=closes)
    session = Session()
    for code in codes:
        felt.say(*(one.signal for one in session.feed(f"{code}\r\n".encode())))
    return felt


def test_an_extra_card_after_the_end_is_named():
    """faults.md A 29 and B 24: an irregularity, never silently a new hand, while the hand waits for its close."""
    felt = felt_with("S9", "H2", "CK", "D4", "D5", closes=Closes.SHOE)
    assert felt.incidents == ["extra-card"]
    assert [hold.id for hold in felt.view.holds] != []


def test_a_hand_that_the_controller_closes_leaves_the_next_card_to_the_next_hand():
    """wire-formats.md section 2: with the close at the last card owed, this wire cannot tell an extra card."""
    felt = felt_with("S9", "H2", "CK", "D4", "D5", closes=Closes.CONTROLLER)
    assert felt.results == ["player"]
    assert [card.seat for card in felt.table.hand.laid] == [Seat.PLAYER]


def test_a_card_that_was_not_read_holds_the_hand_until_it_is_keyed():
    """faults.md A 12 and B 22: never a default card; entry marked manual."""
    felt = felt_with("S9", "??", "CK", "D4", closes=Closes.CONTROLLER)
    assert (felt.incidents, felt.results) == (["unread-card"], [])
    felt.ask(KeyCard(Seat.BANKER, 1, Card.parse("2H")))
    assert felt.results == ["player"]


def test_a_damaged_line_in_a_hand_holds_it_as_a_card_may_be_lost():
    """faults.md A 4 and B 17: HOLD with a card unknown; nothing on this wire proves the contrary."""
    felt = felt_with("S9", "H2", "\u00ff", "CK", closes=Closes.CONTROLLER)
    assert felt.incidents == ["link-gap"]
    assert len(felt.table.hand.laid) == 3
