"""Cards that a shoe's own count proves to be lost: counted out as unknown, and never replaced by a later card."""

from __future__ import annotations

import pytest

from controller.core.cards import Card
from controller.core.inputs import BlindHands, CloseShoe, KeyCard, ManualHand, NewHand, Placed, RestOfHand, Void
from controller.core.signals import (
    BurnCardDrawn,
    BytesDamaged,
    Call,
    CardDrawn,
    Damage,
    Identifies,
    LinkLost,
    LinkOpened,
    PoweredUp,
    ShoeLoaded,
)
from controller.core.snapshot import restore, taken
from controller.core.table import Table
from tests.faults.felt import BANKER_WINS, PLAYER_WINS, B, Felt, P, drawn, kinds


def lost(cards: int | None, messages: int = 1) -> BytesDamaged:
    return BytesDamaged(Damage.GAP, messages, lost=messages, cards=cards)


def unplaced(text: str) -> list[CardDrawn]:
    """Cards of a shoe that names no seat."""
    return [CardDrawn(None, None, Card.parse(face)) for face in text.split()]


def sides(felt: Felt) -> list[list[str]]:
    return [[str(spot.card or spot.side.value) for spot in seat.spots] for seat in felt.view.seats]


def test_b17_cards_that_are_known_to_be_lost_are_counted_as_unknown_at_once():
    """faults.md B 17; trust.md promise 2: never silently wrong."""
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(lost(2))
    assert (felt.out, felt.eye.unknown, felt.eye.unheard, felt.eye.left) == (3, 2, 2, 413)
    assert felt.incidents == ["cards-lost"]
    assert felt.pit.incidents[0].sentence.blanks == (("n", "2"),)


def test_b17_lost_cards_that_the_next_spot_places_are_counted_once():
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(lost(2))
    felt.draw("B2:5D")
    assert sides(felt) == [["2S", "unread"], ["unread", "5D"]]
    assert (felt.out, felt.eye.unknown) == (4, 2)


def test_b17_a_card_after_lost_ones_does_not_take_their_place_where_the_shoe_names_no_seat():
    """The shoe's count says that two lie between; order alone gives the next one its spot."""
    felt = Felt()
    felt.say(*unplaced("2S"), lost(2), *unplaced("5D"))
    assert sides(felt) == [["2S", "unread"], ["unread", "5D"]]
    assert (felt.out, felt.eye.unknown, felt.holds) == (4, 2, ["link-gap"])


def test_b27_after_a_gap_and_a_power_up_the_rest_of_the_hand_lies_behind_the_lost_cards():
    """faults.md B 27, A 10: the shoe names the rest anew from Player 1, but two cards had left it before."""
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(lost(2, messages=3), PoweredUp())
    felt.ask(RestOfHand())
    felt.draw("P1:5D")
    assert sides(felt) == [["2S", "unread"], ["unread", "5D"]]
    felt.ask(KeyCard(B, 1, Card.parse("3H")))
    felt.ask(KeyCard(P, 2, Card.parse("4C")))
    assert (felt.out, felt.eye.unknown) == (4, 0)
    felt.call("banker")
    felt.accept()
    assert (felt.line()["player"], felt.line()["banker"]) == (["2S", "4C"], ["3H", "5D"])


def test_b27_after_a_gap_and_a_power_up_a_new_hand_begins_and_the_lost_cards_stay_counted():
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(lost(2, messages=3), PoweredUp())
    felt.ask(NewHand())
    felt.draw(PLAYER_WINS)
    assert sides(felt) == [["9S", "KC"], ["2H", "4D"]]
    assert (felt.out, felt.eye.unknown) == (7, 2)


def test_b17_cards_lost_between_two_hands_hold_the_next_one_where_the_shoe_names_no_seat():
    """Whether they were of the hand before or of this one nobody can know: it is said, and a person looks."""
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.say(lost(2))
    felt.accept()
    felt.say(*unplaced("9S 2H KC 4D"))
    assert felt.holds == ["link-gap"]
    assert (felt.out, felt.eye.unknown) == (10, 2)


def test_b17_cards_lost_between_two_hands_are_of_neither_where_the_next_one_is_named_from_its_first_spot():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.say(lost(2))
    felt.hand(PLAYER_WINS, "player")
    felt.accept()
    assert felt.results == ["banker", "player"]
    assert kinds(felt.line()) == []
    assert (felt.out, felt.eye.unknown) == (10, 2)


def test_b17_a_third_card_that_is_keyed_is_the_lost_one_and_counted_once():
    felt = Felt()
    felt.draw("P1:2D B1:AH P2:3C B2:2D")
    felt.say(lost(1))
    felt.draw("B3:5C")
    felt.ask(KeyCard(P, 3, Card.parse("4S")))
    assert (felt.out, felt.eye.unknown) == (6, 0)


def test_b17_messages_that_were_no_cards_hold_the_hand_and_count_no_card():
    felt = Felt()
    felt.draw("P1:2S B1:3H")
    felt.say(lost(0))
    assert felt.incidents == ["link-gap"]
    felt.draw("P2:4C B2:5D")
    assert (felt.out, felt.eye.unknown, felt.eye.doubtful) == (4, 0, 0)


def test_b17_where_nobody_can_know_how_many_cards_were_lost_the_messages_are_counted_as_perhaps_cards():
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(lost(None, messages=3))
    assert (felt.out, felt.eye.unknown, felt.eye.doubtful) == (1, 0, 3)
    assert felt.incidents == ["link-gap"]


def test_b20_a_card_in_a_message_that_says_nothing_known_is_counted_too():
    """faults.md B 20: the shoe's count went on with it."""
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(BytesDamaged(Damage.UNKNOWN_FRAME, 27, lost=1, cards=1))
    felt.draw("P2:4C")
    assert sides(felt) == [["2S", "4C"], ["unread"]]
    assert (felt.out, felt.eye.unknown) == (3, 1)


def test_b17_a_shoe_met_in_mid_shoe_has_cards_out_and_the_hand_it_is_met_in_takes_its_own_of_them():
    felt = Felt()
    felt.say(lost(17, messages=17))
    felt.draw("P2:4C")
    assert sides(felt) == [["unread", "4C"], ["unread"]]
    assert (felt.out, felt.eye.unknown) == (18, 17)


def test_b17_cards_that_only_the_count_told_of_make_the_next_loading_a_new_shoe():
    felt = Felt()
    felt.say(lost(17, messages=17), ShoeLoaded(decks=8))
    assert (felt.view.shoe, felt.out) == (2, 0)
    closed = felt.told("ShoeClosed")[0]
    assert (closed["cards_out"], closed["unknown"], closed["unheard"]) == (17, 17, 17)


def test_b17_a_first_burn_card_after_cards_that_only_the_count_told_of_opens_a_new_shoe():
    felt = Felt()
    felt.say(lost(17, messages=17), BurnCardDrawn(sets_count=True, left=2, card=Card.parse("2C")))
    assert (felt.view.shoe, felt.out) == (2, 1)


def test_a43_a_shoe_that_adds_up_with_the_lost_cards_closes_without_a_difference():
    """faults.md A 43: seen, burnt, off the game and not dealt make the whole."""
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.say(lost(3))
    felt.accept()
    felt.ask(CloseShoe(stub=416 - 7), "")
    assert felt.told("ShoeClosed")[0]["difference"] == 0


def test_a49_a_hand_that_people_entered_is_not_counted_twice_when_the_shoe_tells_how_many_it_lost():
    """faults.md A 49: the link was away, the hand was keyed, then the shoe's count comes."""
    felt = Felt()
    felt.say(LinkOpened("by-id/shoe"))
    felt.hand(BANKER_WINS, "banker")
    felt.say(LinkLost("unplugged"))
    cards = tuple(
        Placed(place, signal.seat, signal.index or 0, card=signal.card)
        for place, signal in enumerate(drawn(PLAYER_WINS))
    )
    felt.ask(ManualHand(cards, Call.PLAYER), "")
    felt.say(LinkOpened("by-id/shoe"), lost(5, messages=6))
    assert (felt.results, felt.out, felt.eye.unknown) == (["banker", "player"], 9, 1)


def test_a49_hands_of_which_only_results_are_known_have_their_cards_counted():
    felt = Felt()
    felt.say(LinkOpened("by-id/shoe"))
    felt.hand(BANKER_WINS, "banker")
    felt.say(LinkLost("unplugged"))
    felt.ask(BlindHands((Call.PLAYER,)), "")
    felt.say(LinkOpened("by-id/shoe"), lost(5, messages=6))
    assert (felt.holds, felt.out, felt.eye.unknown) == ([], 9, 5)


@pytest.mark.parametrize("cards", [500, 65_535])
def test_b20_a_count_beyond_the_shoe_is_told_and_takes_no_more_memory_than_a_shoe(cards: int):
    """faults.md B 20: bounded, whatever a device says."""
    felt = Felt()
    for _ in range(3):
        felt.say(lost(cards))
    assert felt.out == 416 + 3
    assert "too-many-cards" in felt.incidents


def test_b5_a_count_that_goes_back_holds_in_words_of_its_own():
    """faults.md B 5: HOLD "shoe restarted"; it is no gap in the messages."""
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(BytesDamaged(Damage.BACKWARDS, 2, lost=2))
    assert (felt.holds, felt.incidents) == (["count-back"], ["count-back"])
    assert felt.told("LinkFault")[0]["kind"] == "backwards"
    felt.draw("B1:3H P2:4C B2:5D")
    felt.call("banker")
    assert felt.results == []
    felt.accept()
    assert kinds(felt.line()) == [("count-back", None, None)]


def test_b5_a_count_that_goes_back_between_two_hands_holds_the_table():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.say(BytesDamaged(Damage.BACKWARDS, 2, lost=2))
    assert (felt.holds, felt.incidents) == (["count-back"], ["count-back"])


def test_a_table_brought_back_from_what_it_remembers_knows_its_lost_cards():
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.say(*unplaced("2S"), lost(1), lost(None))
    again = Table(felt.table.house, identifies=Identifies.AT_DRAW)
    restore(again, taken(felt.table))
    assert (again.missed, again.shoe.unheard, again.shoe.doubtful) == ((1,), 1, 1)


TO_A_HAND_THAT_BEGINS_IN_ITS_MIDDLE = {
    "void": (lambda felt: felt.ask(Void()),),
    "power-up, void": (lambda felt: felt.say(PoweredUp()), lambda felt: felt.ask(Void())),
    "power-up, new hand": (lambda felt: felt.say(PoweredUp()), lambda felt: felt.ask(NewHand())),
    "accepted": (Felt.accept,),
    "nothing": (),
}


@pytest.mark.parametrize("told", ["B2:5H", "P3:5H"])
@pytest.mark.parametrize("steps", TO_A_HAND_THAT_BEGINS_IN_ITS_MIDDLE)
def test_a43_lost_cards_are_counted_once_whosoever_they_were(steps: str, told: str):
    """faults.md A 43, B 17: two were heard, six lost, one heard; a later hand's empty spots are of those six."""
    felt = Felt()
    felt.draw("P1:2S B1:3H")
    felt.say(lost(6, messages=8))
    for step in TO_A_HAND_THAT_BEGINS_IN_ITS_MIDDLE[steps]:
        step(felt)
    felt.draw(told)
    assert (felt.out, felt.eye.unheard) == (9, 6)
    again = Table(felt.table.house)
    restore(again, taken(felt.table))
    assert again.unplaced == felt.table.unplaced
