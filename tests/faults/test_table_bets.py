"""faults.md A 25: a table at which an operator's key closes the bets, and cards that were drawn before it."""

from __future__ import annotations

import json

import pytest

from controller.core.engine import Table
from controller.core.inputs import Apply, CloseBets, MarkHand, NewShoe, Sort
from controller.core.offers import fitting
from controller.core.profile import BetsClosed, Deal
from controller.core.remedies.situations import Remedy
from controller.core.snapshot import restore, taken
from tests.faults.felt import BANKER_WINS, Felt, kinds, names


@pytest.fixture
def felt() -> Felt:
    return Felt(bets_closed=BetsClosed.OPERATOR)


def close(felt: Felt) -> dict:
    return felt.ask(CloseBets(), "")[0]


def test_a25_a_card_after_the_operators_key_is_no_fault(felt: Felt):
    assert (felt.view.prompt.id, "close_bets" in felt.view.acts) == ("prompt.close-bets", True)
    told = felt.ask(CloseBets(), "", by="staff:7")
    assert names(told) == ["CommandAccepted", "BetsClosed"]
    assert told[1]["by"] == "staff:7"
    assert (felt.view.prompt.id, "close_bets" in felt.view.acts) == ("prompt.waiting", False)
    felt.hand(BANKER_WINS, "banker")
    assert (felt.results, felt.incidents) == (["banker"], [])


def test_a25_a_card_before_it_is_an_early_draw_that_holds_the_hand(felt: Felt):
    felt.draw("P1:2S")
    assert (felt.holds, felt.incidents, felt.view.phase) == (["early-draw"], ["early-draw"], "suspended")
    assert fitting(felt.table.house, felt.table.hand) == ("PBI-11",)


def test_a25_the_coup_is_given_where_the_house_lets_the_card_stand(felt: Felt):
    """rules.md PBI-11: the coup must be given; what was drawn early stays on the hand's line."""
    felt.draw("P1:2S")
    assert felt.ask(Apply("PBI-11", Remedy.CORRECT, (0,)))[0]["fact"] == "CommandAccepted"
    felt.draw("B1:3H P2:4C B2:5D")
    felt.call("banker")
    assert (felt.results, felt.holds) == (["banker"], [])
    assert kinds(felt.line()) == [("early-draw", None, None)]


def test_a25_the_card_is_burnt_where_the_house_does_that_and_is_out_of_the_shoe(felt: Felt):
    """rules.md PBI-11: no card goes back into the shoe."""
    felt.draw("P1:2S")
    assert felt.ask(Apply("PBI-11", Remedy.BURN, (0,)))[0]["fact"] == "CommandAccepted"
    assert (felt.table.hand.laid, felt.out, felt.holds) == ((), 1, [])
    felt.draw("P1:2S B1:3H P2:4C B2:5D")
    felt.call("banker")
    assert (felt.results, felt.out) == (["banker"], 5)


def test_a25_bets_are_closed_anew_for_each_hand(felt: Felt):
    close(felt)
    felt.hand(BANKER_WINS, "banker")
    assert felt.view.prompt.id == "prompt.close-bets"
    felt.draw("P1:2S")
    assert felt.holds == ["early-draw"]


def test_a25_while_a_hand_is_dealt_nobody_bets_on_the_next_and_once_it_is_called_they_may(felt: Felt):
    close(felt)
    felt.draw(BANKER_WINS)
    assert close(felt)["why"] == "hand-open"
    felt.call("player")  # the cards say otherwise: the hand waits for a person
    assert close(felt)["fact"] == "CommandAccepted"
    assert close(felt)["why"] == "nothing-to-do"


def test_a25_a_hand_that_the_shoe_left_incomplete_keeps_nobody_from_betting_on_the_next(felt: Felt):
    close(felt)
    felt.draw("P1:2S B1:3H P2:4C B2:5D")
    felt.stand_by()  # no result was called: the hand waits for a person
    assert felt.holds == ["incomplete-hand"]
    assert close(felt)["fact"] == "CommandAccepted"
    felt.draw("P1:2S")
    assert "early-draw" not in felt.holds


def test_a25_a_hand_without_bets_asks_for_no_key(felt: Felt):
    """faults.md A 46: free and demonstration hands carry no bets."""
    felt.ask(MarkHand(Sort.DEMONSTRATION), "")
    assert felt.view.prompt.id == "prompt.waiting"
    felt.draw("P1:2S")
    assert felt.holds == []


def test_a25_bets_that_were_closed_on_a_shoe_that_went_are_open_on_the_next(felt: Felt):
    close(felt)
    felt.hand(BANKER_WINS, "banker")
    close(felt)
    felt.ask(NewShoe(), "")
    assert felt.view.prompt.id == "prompt.close-bets"


def test_a25_a_stop_between_key_and_card_forgets_no_key(felt: Felt):
    """Design, section 1: what a snapshot brings back goes on where it was."""
    close(felt)
    again = Table(felt.table.house)
    restore(again, json.loads(json.dumps(taken(felt.table))))
    felt.table = again
    felt.draw("P1:2S")
    assert felt.holds == []


def test_a25_a_table_that_keeps_the_default_knows_no_key_and_no_early_draw():
    felt = Felt(deal=Deal.FACE_DOWN)
    assert "close_bets" not in felt.view.acts
    assert close(felt)["why"] == "nothing-to-do"
    felt.draw("P1:2S")
    assert felt.holds == []
