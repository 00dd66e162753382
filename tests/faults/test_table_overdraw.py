"""faults.md A 13, 14 and 29; the three sequences are those of wire-formats.md 1.1."""

from __future__ import annotations

import pytest

from controller.core.cards import Card
from controller.core.facts import Audience
from controller.core.inputs import CloseShoe
from controller.core.profile import Deal
from controller.core.signals import (
    CutCardOut,
    ErrorCleared,
    ErrorRaised,
    Fault,
    Identifies,
    OffGameCardDrawn,
    OffGameCardShown,
    OffGameMode,
    PoweredUp,
)
from tests.faults.felt import BANKER_WINS, PLAYER_WINS, Felt, kinds

E2 = ErrorRaised(Fault.OVERDRAW, 2, error_mode=False)
E7 = ErrorRaised(Fault.DRAW_TIMEOUT, 7, error_mode=True)
END_2 = ErrorCleared(Fault.OVERDRAW, 2)
OUT = OffGameCardDrawn(OffGameMode.UNKNOWN, 0, None)
FIVE = "P1:9C B1:7H P2:5S B2:KD P3:3C"  # Player 4 draws to 7; Banker 7 stands
FIVE_SPOTS = "P1 B1 P2 B2 P3"


def taken(face: str) -> OffGameCardShown:
    return OffGameCardShown(Card.parse(face))


@pytest.fixture
def hidden() -> Felt:
    return Felt(deal=Deal.FACE_DOWN, identifies=Identifies.AT_REVEAL)


def disposals(felt: Felt) -> list[str]:
    return [fact["disposal"] for fact in felt.told("OverdrawSettled")]


def test_a13_an_overdraw_that_is_taken_out_is_settled_by_the_shoe_alone(hidden):
    """D x5, E2, E7, d, i, e2, I x5, G."""
    hidden.draw(FIVE_SPOTS)
    hidden.say(E2, E7)
    assert set(hidden.holds) == {"overdraw", next(hold for hold in hidden.holds if hold.startswith("draw-timeout"))}
    assert not any(hold.waits_for_person for hold in hidden.view.holds)
    hidden.say(OUT, taken("7S"))
    assert hidden.view.phase == "suspended"
    hidden.say(END_2)
    assert (hidden.holds, disposals(hidden)) == ([], ["withdrawn"])
    hidden.show(FIVE)
    hidden.call("tie")
    assert hidden.results == ["tie"]
    assert hidden.line()["irregularities"] == [
        {"kind": "overdraw", "seat": None, "rule": None, "disposal": "withdrawn"},
    ]
    assert (hidden.out, hidden.eye.unknown) == (6, 0)
    assert hidden.incidents == ["overdraw", "draw-timeout"]


def test_a13_the_extra_card_changes_no_seat_and_no_result(hidden):
    hidden.draw("P1 B1 P2 B2")
    hidden.say(E2, OUT, taken("6C"), END_2)
    hidden.show(BANKER_WINS)
    hidden.call("banker")
    assert (hidden.line()["player"], hidden.line()["banker"]) == (["2S", "4C"], ["3H", "5D"])
    assert not hidden.view.carried_pending


def test_a14_an_overdraw_without_i_is_kept_and_opens_the_next_hand_counted_once(hidden):
    """D x4, E2, d, e2 with no i, I x4, G, then R for Player 1."""
    hidden.draw("P1 B1 P2 B2")
    hidden.say(E2, OUT, END_2)
    assert disposals(hidden) == ["carried"]
    hidden.show(BANKER_WINS)
    hidden.call("banker")
    assert hidden.view.carried_pending
    assert hidden.out == 5
    hidden.carry("P1")
    assert not hidden.view.carried_pending
    assert hidden.out == 5
    assert hidden.view.seats[0].spots[0].carried
    hidden.draw("B1 P2 B2")
    hidden.show(PLAYER_WINS)
    hidden.call("player")
    assert hidden.results == ["banker", "player"]
    assert (hidden.out, hidden.eye.unknown) == (8, 0)
    assert kinds(hidden.line()) == []


def test_a14_a_carried_card_is_not_told_to_the_pit_before_it_is_turned():
    felt = Felt(deal=Deal.FACE_DOWN)
    felt.draw(BANKER_WINS)
    felt.say(E2, OffGameCardDrawn(OffGameMode.ERROR, 0, Card.parse("9S")), END_2)
    felt.call("banker")
    felt.carry("P1:9S")
    assert [fact for fact in felt.below(Audience.SURVEILLANCE) if "Card(points=9" in repr(fact.data)] == []
    assert felt.view.seats[0].spots[0].card is None
    assert dict(felt.eye.composition)[Card.parse("9S")] == 1


def test_a14_a_kept_card_that_does_not_open_the_next_hand_is_said_once_and_stays_counted(hidden):
    hidden.draw("P1 B1 P2 B2")
    hidden.say(E2, OUT, END_2)
    hidden.show(BANKER_WINS)
    hidden.call("banker")
    hidden.draw("P1 B1")
    assert hidden.incidents.count("carry-unused") == 1
    assert hidden.out == 7
    assert not hidden.view.carried_pending


def test_a14_a_kept_card_is_closed_out_when_the_shoe_ends(hidden):
    hidden.draw("P1 B1 P2 B2")
    hidden.say(E2, OUT, END_2)
    hidden.show(BANKER_WINS)
    hidden.call("banker")
    hidden.say(CutCardOut(), PoweredUp())
    assert (hidden.view.shoe, hidden.view.carried_pending, hidden.out) == (2, False, 0)
    assert "carry-unused" in hidden.incidents
    assert hidden.told("ShoeClosed")[0]["cards_out"] == 5


def test_a14_a_carried_card_that_no_overdraw_left_is_counted_and_told(hidden):
    hidden.carry("P1")
    assert (hidden.out, hidden.incidents) == (1, ["error-anomaly"])


def test_a14_a_carried_card_for_a_filled_spot_waits_as_any_second_card():
    """faults.md A 37: keep the first, hold the second."""
    felt = Felt()
    felt.draw("P1:2S B1:3H")
    felt.carry("B1:9S")
    assert felt.holds == ["wrong-slot:1:banker"]
    assert [spot.card for spot in felt.view.seats[1].spots] == [Card.parse("3H")]
    assert felt.out == 3


@pytest.mark.parametrize("end", ["show", "call", "stand by"])
def test_a13_an_overdraw_that_nobody_ended_is_ended_by_the_next_word_and_unknown(hidden, end):
    """The next I, G, P or S ends every open code."""
    hidden.draw("P1 B1 P2 B2")
    hidden.say(E2, OUT)
    ends = {"show": lambda: hidden.show("P1:2S"), "call": lambda: hidden.call("banker"), "stand by": hidden.stand_by}
    ends[end]()
    assert disposals(hidden) == ["unknown"]
    assert "overdraw" not in hidden.holds


def test_a13_a_power_up_ends_an_open_overdraw(hidden):
    hidden.draw("P1 B1 P2 B2")
    hidden.say(E2, OUT, PoweredUp())
    assert (disposals(hidden), hidden.holds) == (["unknown"], ["powered-up"])


def test_a13_an_overdraw_ended_without_a_card_has_no_known_end(hidden):
    hidden.draw("P1 B1 P2 B2")
    hidden.say(E2, END_2)
    assert disposals(hidden) == ["unknown"]
    assert not hidden.view.carried_pending


def test_a13_a_face_taken_out_whose_d_was_lost_is_counted(hidden):
    hidden.draw("P1 B1 P2 B2")
    hidden.say(E2, taken("7S"), END_2)
    assert (hidden.out, disposals(hidden)) == (5, ["withdrawn"])


def test_a13_a_hand_that_a_person_closes_during_an_overdraw_says_that_its_end_is_unknown():
    felt = Felt()
    felt.draw("P1:2S B1:3H P2:4C B2:5D")
    felt.say(E2)
    felt.stand_by()
    felt.draw("P1:2S")
    felt.accept("1-1")
    assert felt.line()["irregularities"][0]["disposal"] == "unknown"


def test_a13_an_overdraw_between_hands_holds_the_table_and_its_end_frees_it():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.say(E2)
    assert felt.view.phase == "suspended"
    felt.say(OUT, taken("7S"), END_2)
    assert (felt.view.phase, felt.out) == ("waiting", 5)


def test_a13_an_overdraw_open_when_a_new_shoe_begins_stays_with_the_old_one():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.say(E2, OUT)
    felt.burn("2C", 2)
    felt.say(END_2)
    assert (disposals(felt), felt.out, felt.holds) == (["unknown"], 3, [])
    assert felt.told("ShoeClosed")[0]["cards_out"] == 5


def test_a13_two_overdraws_in_a_hand_are_one_irregularity_with_the_last_end(hidden):
    hidden.draw("P1 B1 P2 B2")
    hidden.say(E2, OUT, taken("7S"), END_2)
    hidden.say(E2)
    assert hidden.holds == ["overdraw"]
    hidden.say(OUT, taken("8S"), END_2)
    assert (hidden.holds, disposals(hidden), hidden.out) == ([], ["withdrawn", "withdrawn"], 6)
    hidden.show(BANKER_WINS)
    hidden.call("banker")
    assert kinds(hidden.line()) == [("overdraw", None, None)]


def test_a29_a_fourth_card_to_a_seat_is_an_overdraw_though_the_shoe_is_silent():
    felt = Felt()
    felt.draw("P1:2D B1:AH P2:3C B2:2D P3:4S P4:5C")
    assert felt.holds[0] == "extra-card:player"
    assert felt.view.holds[0].sentence.rule == "R-PB-11"


def test_a29_a_seventh_card_is_an_overdraw():
    felt = Felt()
    felt.draw("P1:2D B1:AH P2:3C B2:2D P3:4S B3:5C B4:KS")
    assert felt.holds == ["extra-card:banker"]
    felt.call("player")
    felt.accept()
    assert kinds(felt.line()) == [("extra-card", "banker", "R-PB-11")]


def test_a29_a_further_card_after_an_accepted_one_holds_the_hand_again():
    felt = Felt()
    felt.draw("P1:2D B1:AH P2:3C B2:2D P3:4S B3:5C B4:KS")
    felt.accept()
    assert felt.view.phase == "complete"
    felt.draw("B5:QS")
    assert felt.holds == ["extra-card:banker"]
    felt.call("player")
    felt.accept()
    assert kinds(felt.line()) == [("extra-card", "banker", "R-PB-11")]


def test_a13_a43_a_card_taken_out_is_counted_off_game_and_a_kept_one_is_not(hidden):
    hidden.draw("P1 B1 P2 B2")
    hidden.say(E2, OUT, taken("6C"), END_2, E2, OUT, END_2)
    hidden.show(BANKER_WINS)
    hidden.call("banker")
    hidden.ask(CloseShoe(), "")
    closed = hidden.told("ShoeClosed")[0]
    assert (closed["off_game"], closed["cards_out"], closed["known"], closed["unknown"]) == (1, 6, 5, 1)
