"""faults.md A 10-11: the shoe starts again, or stands by too early."""

from __future__ import annotations

import pytest

from controller.core.cards import Card
from controller.core.inputs import Accept, Correct, NewHand, RestOfHand, Started, Void
from controller.core.profile import Deal
from controller.core.signals import (
    BurnCardDrawn,
    Call,
    CutCardOut,
    ErrorCleared,
    ErrorRaised,
    Fault,
    Identifies,
    OffGameCardDrawn,
    OffGameMode,
    PoweredUp,
    StoodBy,
)
from tests.faults.felt import BANKER_WINS, PLAYER_WINS, Felt, kinds, names

OVERDRAW_KEPT = (
    ErrorRaised(Fault.OVERDRAW, 2, error_mode=False),
    OffGameCardDrawn(OffGameMode.ERROR, 0, None),
    ErrorCleared(Fault.OVERDRAW, 2),
)


def test_a10_a_power_up_between_hands_is_a_note():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    assert names(felt.say(PoweredUp())) == ["PoweredUp"]
    assert (felt.holds, felt.incidents, felt.view.shoe) == ([], [], 1)


def test_a10_a_power_up_in_mid_hand_asks_whose_the_next_cards_are():
    felt = Felt()
    felt.draw("P1:2S B1:3H")
    felt.say(PoweredUp())
    assert felt.holds == ["powered-up"]
    assert felt.view.acts[:3] == ("rest_of_hand", "new_hand", "void")
    assert felt.ask(Accept(("powered-up",)))[0]["why"] == "not-now"
    assert felt.ask(Correct(Call.TIE), "1-9")[0]["why"] == "moved-on"


def test_a10_the_rest_of_the_old_hand_is_laid_where_the_old_hand_stopped():
    """The shoe counts anew from Player 1; the cards lie on the spots that were free."""
    felt = Felt()
    felt.draw("P1:2S B1:3H")
    felt.say(PoweredUp())
    felt.ask(RestOfHand())
    assert felt.holds == []
    felt.draw("P1:4C B1:5D")
    felt.call("banker")
    assert (felt.line()["player"], felt.line()["banker"]) == (["2S", "4C"], ["3H", "5D"])
    assert felt.results == ["banker"]
    assert felt.out == 4


def test_a10_the_rest_of_a_hand_shows_its_faces_under_the_names_that_the_shoe_gave():
    """Hidden mode: after the restart the shoe says I for its own Player 1, which lies on the felt's Player 2."""
    felt = Felt(deal=Deal.FACE_DOWN, identifies=Identifies.AT_REVEAL)
    felt.draw("P1 B1")
    felt.say(PoweredUp())
    felt.ask(RestOfHand())
    felt.draw("P1 B1")
    felt.show("P1:4C B1:5D")
    assert [spot.card for spot in felt.view.seats[0].spots] == [None, Card.parse("4C")]
    assert felt.out == 4


def test_a10_a_new_hand_abandons_the_old_one_which_takes_no_number():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.draw("P1:2S B1:3H")
    felt.say(PoweredUp())
    felt.ask(NewHand())
    assert felt.told("HandAbandoned")[0]["hand"] == 2
    felt.hand(PLAYER_WINS, "player")
    assert [view.number for view in felt.view.results] == [1, 2]
    assert felt.out == 10


@pytest.mark.parametrize(
    ("answer", "player", "opened"),
    [(RestOfHand(), ["2S", "9S", "KC"], 1), (NewHand(), ["9S", "KC"], 2), (Void(), ["9S", "KC"], 2)],
)
def test_a10_cards_that_come_before_the_answer_wait_for_it_and_none_is_lost(answer, player, opened):
    felt = Felt()
    felt.draw("P1:2S B1:3H")
    felt.say(PoweredUp())
    felt.draw("P1:9S B1:2H P2:KC B2:4D")
    assert felt.out == 2
    felt.ask(answer)
    assert felt.out == 6
    assert [str(spot.card) for spot in felt.view.seats[0].spots] == player
    assert len(felt.told("HandOpened")) == opened


def test_a10_a_correction_of_the_doubtful_hand_gives_the_waiting_cards_to_the_next():
    felt = Felt()
    felt.draw("P1:2S B1:3H P2:4C B2:5D")
    felt.say(PoweredUp())
    felt.draw("P1:9S B1:2H")
    felt.ask(Correct(Call.BANKER))
    assert (felt.results, felt.view.hand, felt.out) == (["banker"], 2, 6)


def test_a10_a_whole_hand_and_its_end_may_wait_for_the_answer():
    felt = Felt()
    felt.draw("P1:2S B1:3H")
    felt.say(PoweredUp())
    felt.hand(PLAYER_WINS, "player")
    felt.stand_by()
    felt.draw("P1:2S")
    assert felt.results == []
    felt.ask(NewHand())
    assert (felt.results, felt.view.hand, felt.out) == (["player"], 2, 7)
    assert felt.holds == []


def test_a10_an_overdraw_that_waits_keeps_its_card_for_the_hand_after():
    """E2 d e2 without i, then R: the card leaves the shoe once."""
    felt = Felt(deal=Deal.FACE_DOWN, identifies=Identifies.AT_REVEAL)
    felt.draw("P1 B1")
    felt.say(PoweredUp())
    felt.draw("P1 B1 P2 B2")
    felt.say(*OVERDRAW_KEPT)
    felt.show("P1:9S B1:2H P2:KC B2:4D")
    felt.call("player")
    felt.carry("P1")
    felt.ask(NewHand())
    assert felt.out == 2 + 4 + 1
    assert felt.view.seats[0].spots[0].carried
    assert felt.line()["irregularities"] == [
        {"kind": "overdraw", "seat": None, "rule": None, "disposal": "carried"},
    ]
    assert "carry-unused" not in felt.incidents


def test_a10_power_up_then_burn_group_is_one_new_shoe():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.say(PoweredUp())
    felt.burn("2C", 2)
    assert (felt.view.shoe, felt.out) == (2, 3)
    assert len(felt.told("ShoeOpened")) == 1


def test_a10_after_the_cut_card_power_up_and_burn_group_are_one_new_shoe_together():
    """design.md section 6: shoes go on at a burn group, or at S after C."""
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.say(CutCardOut(), PoweredUp(), PoweredUp())
    assert felt.view.shoe == 2
    felt.burn("2C", 2)
    assert (felt.view.shoe, felt.out) == (2, 3)


def test_a10_power_ups_before_the_first_hand_open_no_shoe():
    felt = Felt()
    felt.say(PoweredUp(), PoweredUp(), PoweredUp())
    felt.burn("2C", 2)
    assert (felt.view.shoe, felt.told("ShoeOpened")) == (1, [])


def test_a10_a_burn_group_in_mid_hand_ends_hand_and_shoe_and_loses_no_waiting_card():
    felt = Felt()
    felt.draw("P1:2S B1:3H")
    felt.say(PoweredUp())
    felt.draw("P1:9S B1:2H")
    felt.say(BurnCardDrawn(sets_count=True, left=2, card=Card.parse("2C")))
    assert felt.told("ShoeClosed")[0]["cards_out"] == 4
    assert (felt.view.shoe, felt.view.hand, felt.out, felt.holds) == (2, None, 1, [])


def test_a10_a_second_power_up_asks_again():
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(PoweredUp())
    felt.ask(RestOfHand())
    felt.say(PoweredUp())
    assert felt.holds == ["powered-up"]
    felt.ask(RestOfHand())
    felt.draw("P1:3H P1:4C")
    assert felt.out == 3
    assert [len(seat.spots) for seat in felt.view.seats] == [2, 1]


def test_a10_a_new_hand_after_an_answer_of_rest_takes_the_spots_as_the_shoe_names_them():
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(PoweredUp())
    felt.ask(RestOfHand())
    felt.draw("P1:3H P2:4C B1:5D")  # four cards: Player and Banker two each
    felt.say(PoweredUp())
    felt.ask(NewHand())
    felt.draw("B1:9S")
    assert [len(seat.spots) for seat in felt.view.seats] == [0, 1]
    assert felt.holds == ["wrong-order:banker"]


def test_a10_the_answer_is_refused_where_nothing_was_asked():
    felt = Felt()
    felt.draw("P1:2S")
    assert felt.ask(RestOfHand())[0]["why"] == "not-now"
    assert felt.ask(NewHand(), "1-7")[0]["why"] == "moved-on"


@pytest.mark.parametrize("text", ["P1:2S", "P1:2S B1:3H", "P1:2S B1:3H P2:4C"])
def test_a11_a_stand_by_with_one_to_three_cards_waits_for_a_person(text):
    felt = Felt()
    felt.draw(text)
    felt.stand_by()
    assert felt.holds == ["abandoned-hand"]
    felt.accept()
    assert felt.told("HandAbandoned")[0]["hand"] == 1
    felt.hand(BANKER_WINS, "banker")
    assert felt.view.results[0].number == 1
    assert felt.out == len(text.split()) + 4


def test_a11_a_stand_by_after_four_cards_without_a_result_waits_for_a_person():
    felt = Felt()
    felt.draw(BANKER_WINS)
    felt.stand_by()
    assert felt.holds == ["incomplete-hand"]
    felt.accept()
    assert (felt.results, felt.line()["recorded"]) == (["banker"], None)
    assert kinds(felt.line()) == [("incomplete-hand", None, None)]


def test_a11_a_stand_by_between_hands_is_told_and_no_more():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    assert names(felt.say(StoodBy(), StoodBy())) == ["StoodBy", "StoodBy"]
    assert felt.incidents == []


def test_a48_a_restart_in_mid_hand_leaves_the_hand_unproved():
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(Started())
    assert (felt.holds, felt.view.link) == (["restarted"], "not-live")
    felt.accept()
    assert felt.view.prompt.id == "prompt.card-next"


def test_a48_each_further_restart_in_the_same_hand_holds_it_again():
    felt = Felt()
    felt.draw("P1:2S")
    for _ in range(2):
        felt.say(Started())
        assert felt.holds == ["restarted"]
        felt.accept()


def test_a48_a_restart_between_hands_holds_nothing():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.say(Started())
    assert felt.holds == []
