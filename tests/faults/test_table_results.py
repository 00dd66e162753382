"""faults.md A 30-37: what is called at the end of a hand, and what is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.core.cards import Card
from controller.core.inputs import Correct, KeyCard, MarkHand, Sort, Timer, Void
from controller.core.profile import Closes, Deal, VoidMark
from controller.core.signals import BytesDamaged, Call, CardDrawn, Damage, Identifies, Pairs
from tests.faults.felt import BANKER_WINS, PLAYER_WINS, SIX_CARDS, TIE_OF_SIX, B, Felt, P, kinds


def test_a30_a_result_that_the_cards_refute_makes_no_board_entry():
    felt = Felt()
    felt.hand(BANKER_WINS, "player")
    assert (felt.holds, felt.results, felt.view.roads.bead) == (["result-mismatch"], [], ())
    felt.ask(Correct(Call.BANKER))
    assert (felt.results, len(felt.view.roads.bead)) == (["banker"], 1)
    assert (felt.line()["result"], felt.line()["recorded"]) == ("banker", "banker")
    assert kinds(felt.line()) == []  # design.md section 6: by the result that stands; the incident remains


@pytest.mark.parametrize(
    ("dealt", "announced", "wrong"),
    [
        ("P1:2S B1:3H P2:2C B2:5D", Pairs.NONE, ["player"]),
        ("P1:2S B1:3H P2:4C B2:5D", Pairs.BANKER, ["banker"]),
        ("P1:2S B1:3H P2:4C B2:5D", Pairs.BOTH, ["player", "banker"]),
        ("P1:TS B1:3H P2:JC B2:5D", Pairs.PLAYER, ["player"]),
    ],
)
def test_a30_pair_flags_that_the_cards_refute_hold_the_hand(dealt, announced, wrong):
    """R-PB-12: ten and jack are no pair."""
    felt = Felt()
    felt.draw(dealt)
    felt.call("banker", announced)
    assert felt.results == []
    felt.accept()
    assert kinds(felt.line()) == [("pair-mismatch", seat, "R-PB-12") for seat in wrong]


def test_a30_a_shoe_that_announces_no_pairs_disputes_none():
    felt = Felt()
    felt.hand("P1:2S B1:3H P2:2C B2:5D", "banker", None)
    assert (felt.results, felt.view.counts.player_pair) == (["banker"], 1)


def test_a30_a_face_keyed_after_the_result_is_held_against_it():
    """The call could not be checked while a card was unread; it is as soon as it can be."""
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.draw("P1:2S B1:3H P2:4C")
    felt.say(CardDrawn(B, 2, None, unread=True))
    felt.call("player")
    felt.ask(KeyCard(B, 2, Card.parse("5D")))
    assert (felt.results, felt.holds) == ([], ["result-mismatch"])


def test_a31_a_result_before_four_cards_is_kept_and_waits():
    felt = Felt()
    felt.draw("P1:2S B1:3H P2:4C")
    felt.call("banker")
    assert (felt.holds, felt.results) == (["incomplete-hand"], [])
    felt.accept()
    assert (felt.results, felt.line()["result"], felt.line()["recorded"]) == (["banker"], None, "banker")
    assert kinds(felt.line()) == [("incomplete-hand", None, None)]


def test_a31_a_result_over_cards_whose_faces_never_came_waits_for_each():
    felt = Felt(deal=Deal.FACE_DOWN, identifies=Identifies.AT_REVEAL)
    felt.draw("P1 B1 P2 B2")
    felt.show("P1:2S B1:3H P2:4C")
    felt.call("banker")
    assert felt.holds == ["unread-card:2:banker"]
    felt.ask(KeyCard(B, 2, Card.parse("5D")))
    assert felt.results == ["banker"]
    assert felt.view.results[0].points == (6, 8)


def test_a31_a_result_without_any_card_is_an_anomaly():
    felt = Felt()
    felt.call("banker")
    assert (felt.incidents, felt.results, felt.holds) == (["error-anomaly"], [], [])


def test_a31_a_face_without_any_hand_is_an_anomaly_and_opens_none():
    felt = Felt(deal=Deal.FACE_DOWN, identifies=Identifies.AT_REVEAL)
    felt.show("P1:2S")
    assert (felt.incidents, felt.view.hand, felt.out) == (["error-anomaly"], None, 0)


def test_a32_a_complete_hand_without_a_result_is_not_published_and_the_dealer_is_reminded():
    felt = Felt()
    felt.draw(BANKER_WINS)
    felt.run_out(Timer.NO_RESULT)
    assert (felt.incidents, felt.results, felt.view.phase) == (["no-result"], [], "complete")
    felt.call("banker")
    assert felt.results == ["banker"]


def test_a32_where_the_controller_judges_the_hand_closes_itself():
    felt = Felt(closes=Closes.CONTROLLER)
    felt.draw(BANKER_WINS)
    assert (felt.results, felt.line()["recorded"]) == (["banker"], None)


def test_a34_where_the_controller_judged_the_shoes_late_result_must_agree():
    felt = Felt(closes=Closes.CONTROLLER)
    felt.draw(BANKER_WINS)
    felt.call("banker")
    assert (felt.holds, felt.incidents) == ([], [])
    felt.draw(BANKER_WINS)
    felt.call("player")
    assert felt.holds == ["result-mismatch"]


def test_a33_a_forced_end_voids_the_hand_and_keeps_its_number():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.draw("P1:2S B1:3H")
    felt.call("forced-end", None)
    assert felt.told("HandVoided")[0]["hand"] == 2
    assert (felt.results, len(felt.view.roads.bead), felt.out) == (["banker", None], 1, 6)
    assert felt.incidents == ["forced-end"]
    felt.hand(PLAYER_WINS, "player")
    assert [view.number for view in felt.view.results] == [1, 2, 3]
    assert felt.view.counts.player + felt.view.counts.banker == 2


def test_a33_a_house_may_have_void_hands_marked_on_the_bead_plate_and_no_other_road_counts_them():
    """faults.md A 33: by setting; rules.md part D: a void hand adds nothing to the other roads."""
    marked, plain = Felt(void_mark=VoidMark.BEAD), Felt()
    for felt in (marked, plain):
        felt.hand(BANKER_WINS, "banker")
        felt.draw("P1:2S B1:3H")
        felt.call("forced-end", None)
        felt.hand(PLAYER_WINS, "player")
        felt.hand(TIE_OF_SIX, "tie")
    assert "".join(cell.mark for cell in marked.view.roads.bead) == "BVPT"
    assert "".join(cell.mark for cell in plain.view.roads.bead) == "BPT"
    assert replace(marked.view.roads, bead=()) == replace(plain.view.roads, bead=())
    assert marked.view.counts == plain.view.counts
    marked.ask(Correct(Call.BANKER), "1-2")  # a hand that is void no more has its result there
    assert "".join(cell.mark for cell in marked.view.roads.bead) == "BBPT"


def test_a33_a_hand_that_a_person_voids_is_marked_too_and_a_free_one_is_not():
    felt = Felt(void_mark=VoidMark.BEAD)
    felt.hand(BANKER_WINS, "banker")
    felt.ask(Void(), "1-1")
    felt.ask(MarkHand(Sort.FREE))
    felt.draw("P1:2S")
    felt.ask(Void())
    assert [cell.mark for cell in felt.view.roads.bead] == ["V"]


def test_a34_the_same_result_twice_is_a_duplicate():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.call("banker")
    assert (felt.results, felt.holds, felt.incidents) == (["banker"], [], [])


def test_a34_another_result_for_a_closed_hand_is_a_dispute():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.call("player")
    assert (felt.results, felt.holds) == (["banker"], ["result-mismatch"])
    assert felt.view.phase == "suspended"


def test_a34_another_result_for_a_held_hand_is_a_dispute_and_the_first_is_kept():
    felt = Felt()
    felt.draw(BANKER_WINS)
    felt.say(BytesDamaged(Damage.GAP, 1, lost=1))
    felt.call("banker")
    felt.call("banker")
    assert felt.holds == ["link-gap"]
    felt.call("player")
    assert felt.holds == ["link-gap", "result-mismatch:again"]
    felt.accept()
    assert felt.line()["recorded"] == "banker"


@pytest.fixture
def overtaken() -> Felt:
    """Hand 1 is closed, hand 2 complete without a result, hand 3 begun."""
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.draw(TIE_OF_SIX)
    felt.draw("P1:9S")
    return felt


def test_a35_the_next_hand_opens_and_the_one_before_waits_for_a_person(overtaken):
    view = overtaken.view
    assert [(earlier.hand, earlier.hand_ref) for earlier in view.unsettled] == [(2, "1-2")]
    assert (view.hand, view.phase, view.holds) == (3, "dealing", ())
    overtaken.draw("B1:2H P2:KC B2:4D")
    overtaken.call("player")
    assert [result.number for result in overtaken.view.results] == [1, 3]


@pytest.mark.parametrize(
    ("settle", "calls", "bead"),
    [
        (lambda felt: felt.accept("1-2"), ["banker", "tie", "player"], "BTP"),
        (lambda felt: felt.ask(Correct(Call.BANKER), "1-2"), ["banker", "banker", "player"], "BBP"),
        (lambda felt: felt.ask(Void(), "1-2"), ["banker", None, "player"], "BP"),
    ],
    ids=["accepted", "corrected", "voided"],
)
def test_a35_the_earlier_hand_is_settled_later_and_takes_its_place_by_number(overtaken, settle, calls, bead):
    overtaken.draw("B1:2H P2:KC B2:4D")
    overtaken.call("player")
    settle(overtaken)
    assert (overtaken.results, overtaken.view.unsettled) == (calls, ())
    assert "".join(cell.mark for cell in overtaken.view.roads.bead) == bead
    assert overtaken.view.counts.player == 1


def test_a35_the_earlier_hand_may_be_settled_while_the_next_is_dealt(overtaken):
    overtaken.accept("1-2")
    assert (overtaken.results, overtaken.view.phase) == (["banker", "tie"], "dealing")
    assert kinds(overtaken.line()) == [("incomplete-hand", None, None)]


def test_a35_a_disputed_hand_keeps_its_dispute_when_the_next_one_begins():
    felt = Felt()
    felt.hand(BANKER_WINS, "player")
    felt.draw("P1:9S")
    assert [hold.id for hold in felt.view.unsettled[0].holds] == ["result-mismatch"]
    felt.accept("1-1")
    assert felt.line()["recorded"] == "player"


def test_a35_a_sound_hand_that_only_the_table_held_closes_when_the_next_begins():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.say(BytesDamaged(Damage.GAP, 1, lost=1))
    felt.hand(PLAYER_WINS, "player")
    assert felt.results == ["banker"]
    felt.draw("P1:9S")
    assert (felt.results, felt.view.unsettled, felt.holds) == (["banker", "player"], (), ["link-gap"])


def test_a35_a_card_of_an_earlier_hand_is_keyed_and_the_hand_closes():
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.draw("P1:2S B1:3H P2:4C")
    felt.say(CardDrawn(B, 2, None, unread=True))
    felt.call("banker")
    felt.draw("P1:9S")
    felt.ask(KeyCard(B, 2, Card.parse("5D")), "1-1")
    assert (felt.results, felt.view.unsettled, felt.view.phase) == (["banker"], (), "dealing")
    assert dict(felt.eye.composition)[Card.parse("5D")] == 1


def test_a35_an_earlier_hand_of_the_shoe_before_is_keyed_without_touching_the_new_shoe():
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.draw("P1:2S B1:3H P2:4C")
    felt.say(CardDrawn(B, 2, None, unread=True))
    felt.call("banker")
    felt.burn("AC", 1)
    felt.ask(KeyCard(B, 2, Card.parse("5D")), "1-1")
    assert felt.line()["shoe"] == "1"
    assert (felt.out, felt.results, dict(felt.eye.composition)[Card.parse("5D")]) == (2, [], 0)


def test_a37_a_second_card_for_a_filled_spot_waits_and_the_first_stays():
    felt = Felt()
    felt.draw("P1:2S B1:3H P2:4C P2:9D")
    assert felt.holds == ["wrong-slot:2:player"]
    assert [str(spot.card) for spot in felt.view.seats[0].spots] == ["2S", "4C"]
    assert felt.out == 4
    assert felt.told("IncidentOpened")[0]["detail"] == "9D"


def test_a37_another_face_for_a_card_keeps_the_first_and_waits():
    felt = Felt(deal=Deal.FACE_DOWN)
    felt.draw(BANKER_WINS)
    felt.show("P1:2S B1:9H")
    assert felt.holds == ["wrong-slot:1:banker"]
    assert str(felt.view.seats[1].spots[0].card) == "3H"
    felt.ask(KeyCard(B, 1, Card.parse("9H")))
    assert str(felt.view.seats[1].spots[0].card) == "9H"
    assert (dict(felt.eye.composition)[Card.parse("3H")], felt.out) == (0, 4)


def test_a37_keying_one_spot_leaves_the_doubt_about_another():
    felt = Felt()
    felt.draw(SIX_CARDS)
    felt.show("P1:9S P2:9D")
    felt.ask(KeyCard(P, 1, Card.parse("9S")))
    assert "wrong-slot:2:player" in felt.holds
    assert "wrong-slot:1:player" not in felt.holds
