"""A shoe that goes on with a hand that people voided, and a loss told behind cards that wait: no card is made of it."""

from __future__ import annotations

import pytest

from controller.core.inputs import NewHand, RestOfHand, Void
from controller.core.signals import BytesDamaged, Damage, PoweredUp
from controller.core.snapshot import restore, taken
from controller.core.table import Table
from tests.faults.felt import BANKER_WINS, PLAYER_WINS, Felt, kinds


def lost(cards: int) -> BytesDamaged:
    return BytesDamaged(Damage.GAP, 1, lost=1, cards=cards)


def sides(felt: Felt) -> list[list[str]]:
    return [[str(spot.card or spot.side.value) for spot in seat.spots] for seat in felt.view.seats]


@pytest.mark.parametrize(
    ("before", "after"),
    [("P1:2S B1:3H", "P2:4C B2:5D"), ("P1:2S", "B1:3H P2:4C B2:5D"), ("P1:2D B1:AH P2:3C B2:2D", "P3:4S B3:5C")],
)
def test_a43_a_shoe_that_goes_on_naming_the_spots_of_a_voided_hand_lost_no_card(before: str, after: str):
    """faults.md A 43, A 27; wire-formats.md 1.1: nothing was lost, each card is counted once and a person looks."""
    felt = Felt()
    felt.draw(before)
    felt.ask(Void())
    felt.draw(after)
    assert (felt.out, felt.eye.unknown) == (len((before + " " + after).split()), 0)
    assert {hold.kind for hold in felt.table.hand.holds} == {"wrong-order"}
    felt.call("banker")
    assert felt.results == [None]
    felt.draw(PLAYER_WINS)
    assert sides(felt) == [["9S", "KC"], ["2H", "4D"]]
    assert felt.table.hand.holds == ()


def test_a35_the_hand_after_a_voided_one_that_begins_at_its_first_spot_is_sound():
    """faults.md A 35, rules.md C.1: the shoe was told to begin anew."""
    felt = Felt()
    felt.draw("P1:2S B1:3H")
    felt.ask(Void())
    felt.hand(PLAYER_WINS, "player")
    assert (felt.results, kinds(felt.line()), felt.out) == ([None, "player"], [], 6)


def test_a43_each_hand_that_is_voided_in_turn_keeps_the_names_of_those_before_it():
    """faults.md A 43."""
    felt = Felt()
    for told in ("P1:2S", "B1:3H", "P2:4C"):
        felt.draw(told)
        felt.ask(Void())
    felt.draw("B2:5D")
    assert (felt.out, felt.eye.unknown) == (4, 0)


def test_a43_a_card_lost_behind_a_voided_hand_is_counted_once_on_its_own_spot():
    """faults.md A 43, B 17: one card is lost where three spots are skipped; two of them the voided hand had."""
    felt = Felt()
    felt.draw("P1:2S B1:3H")
    felt.ask(Void())
    felt.say(lost(1))
    felt.draw("B2:5D")
    assert (felt.out, felt.eye.unknown) == (4, 1)
    assert sides(felt)[0] == ["unread"]


def test_a4_a_place_skipped_in_the_hand_after_a_void_one_that_the_shoe_had_ended_may_be_lost():
    """faults.md A 4: the result ended the shoe's own hand, so its next name is one of another hand."""
    felt = Felt()
    felt.draw("P1:2D B1:AH P2:3C B2:2D")
    felt.call("banker")
    felt.ask(Void())
    felt.draw("P2:4C")
    assert (felt.out, felt.eye.unknown) == (6, 1)
    assert "link-gap:player" in felt.holds


@pytest.mark.parametrize("answer", [NewHand(), RestOfHand()])
def test_a43_a_loss_told_while_cards_wait_for_a_person_is_counted_where_it_came(answer: NewHand | RestOfHand):
    """faults.md A 43, A 10: four heard, then two lost, then the third cards: the two are not counted again."""
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(PoweredUp())
    felt.draw("P1:2D B1:AH")
    told = felt.say(lost(2))
    assert [fact["fact"] for fact in told].count("LinkFault") == 1
    felt.draw("P3:4S")
    assert "link-gap" in felt.holds
    again = felt.ask(answer)
    assert "LinkFault" not in [fact["fact"] for fact in again]
    assert (felt.out, felt.eye.unheard) == (6, 2)
    assert "link-gap" in felt.holds


def test_a43_a_loss_behind_a_hand_that_waits_for_a_person_is_not_counted_again_by_the_next_hand():
    """faults.md A 43, A 10: the waiting hand begins at its first spot; the lost cards came behind it."""
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(PoweredUp())
    felt.draw(BANKER_WINS)
    felt.call("banker")
    felt.say(lost(2))
    felt.draw("P2:4C")
    felt.ask(NewHand())
    assert (felt.out, felt.eye.unheard) == (8, 2)
    again = Table(felt.table.house)
    restore(again, taken(felt.table))
    assert len(again.shoe.faces) == 8
