"""faults.md A 45-49 and what every command must keep to: named hand, named person, once, nothing by mistake."""

from __future__ import annotations

import pytest

from controller.core.cards import Card
from controller.core.inputs import Accept, Acknowledge, Correct, Input, KeyCard, Moment, NewShoe, Turned, Void
from controller.core.profile import Deal
from controller.core.signals import Call, CardDrawn, ErrorRaised, Fault, Identifies
from tests.faults.felt import BANKER_WINS, PLAYER_WINS, TIE_OF_SIX, B, Felt, P, drawn, kinds, names, result

HOUR_NS = 3_600_000_000_000


@pytest.fixture
def three() -> Felt:
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.hand(PLAYER_WINS, "player")
    felt.hand(TIE_OF_SIX, "tie")
    return felt


def bead(felt: Felt) -> str:
    return "".join(cell.mark for cell in felt.view.roads.bead)


def test_a45_a_correction_of_a_past_hand_supersedes_it_and_roads_and_counts_follow(three):
    facts = three.ask(Correct(Call.PLAYER), "1-1", by="staff:7")
    assert names(facts) == ["CommandAccepted", "HandCorrected"]
    assert (facts[1]["was"], facts[1]["recorded"], facts[1]["by"], facts[1]["hand"]) == (
        "banker",
        "player",
        "staff:7",
        1,
    )
    assert (three.results, bead(three)) == (["player", "player", "tie"], "PPT")
    assert [result.corrected for result in three.view.results] == [True, False, False]
    assert (three.view.counts.player, three.view.counts.banker) == (2, 0)
    assert [fact["recorded"] for fact in three.told("HandCompleted")] == ["banker", "player", "tie"]


def test_a45_a_correction_may_itself_be_corrected(three):
    three.ask(Correct(Call.PLAYER), "1-1")
    three.ask(Correct(Call.TIE), "1-1")
    assert (three.results[0], [fact["was"] for fact in three.told("HandCorrected")]) == ("tie", ["banker", "player"])


def test_a45_a_correction_to_what_is_recorded_changes_nothing(three):
    assert three.ask(Correct(Call.BANKER), "1-1")[0]["why"] == "nothing-to-do"
    assert not three.view.results[0].corrected


def test_a45_a_forced_end_is_no_result_that_a_person_can_record(three):
    assert names(three.ask(Correct(Call.FORCED_END), "1-1")) == ["CommandRejected"]
    three.draw("P1:2S")
    three.say(ErrorRaised(Fault.CARD_CODE, 6, error_mode=True))
    assert names(three.ask(Correct(Call.FORCED_END))) == ["CommandRejected"]


def test_a45_a_past_hand_may_be_corrected_while_the_next_is_dealt(three):
    three.draw("P1:2S B1:3H")
    three.ask(Correct(Call.PLAYER), "1-1")
    assert (three.results, three.view.phase, three.view.hand) == (["player", "player", "tie"], "dealing", 4)


def test_a45_a_corrected_result_leaves_the_cards_as_they_were_dealt(three):
    line = three.ask(Correct(Call.PLAYER), "1-1")[1]
    assert (line["player"], line["banker"], line["result"]) == (["2S", "4C"], ["3H", "5D"], "banker")


def test_a45_hands_of_the_shoe_before_have_moved_on(three):
    three.ask(NewShoe(), "")
    assert three.ask(Correct(Call.PLAYER), "1-1")[0]["why"] == "moved-on"


def test_a46_a_void_hand_keeps_its_number_and_leaves_roads_and_counts(three):
    three.ask(Void(), "1-2")
    assert (three.results, bead(three)) == (["banker", None, "tie"], "BT")
    assert three.view.counts.player == 0
    assert three.view.counts.natural == 1  # hand 1; the natural of the void hand counts no more
    three.hand(PLAYER_WINS, "player")
    assert three.view.results[-1].number == 4


def test_a46_a_void_hand_may_be_given_its_result_again(three):
    three.ask(Void(), "1-2")
    assert three.ask(Void(), "1-2")[0]["why"] == "moved-on"
    three.ask(Correct(Call.PLAYER), "1-2")
    assert bead(three) == "BPT"


def test_a46_an_open_hand_is_voided_and_its_cards_stay_counted_out():
    felt = Felt()
    felt.draw("P1:2S B1:3H P2:4C")
    facts = felt.ask(Void())
    assert names(facts) == ["CommandAccepted", "HandVoided"]
    assert (felt.view.phase, felt.out, felt.results) == ("waiting", 3, [None])


def test_a46_voiding_a_hand_dealt_face_down_turns_no_card():
    """Faces leave surveillance at I, G or the key turned, and at nothing else."""
    felt = Felt(deal=Deal.FACE_DOWN)
    felt.draw("P1:2S B1:3H P2:4C")
    line = felt.ask(Void())[1]
    assert (line["player"], line["banker"]) == ([None, None], [None])
    assert {spot.side.value for seat in felt.view.seats for spot in seat.spots} == {"back"}


def test_a46_a_void_hand_lacks_nothing_but_keeps_what_its_cards_prove():
    """Player still owed a card when the hand was stopped: that is no missed draw."""
    felt = Felt()
    felt.draw("P1:2D B1:AH P2:3C B2:2D")
    assert kinds(felt.ask(Void())[1]) == []
    felt.draw("P1:2C B1:KH P2:4H B2:5D P3:6C")
    assert kinds(felt.ask(Void())[1]) == [("player-false-draw", "player", "R-PB-03")]


def test_a49_the_card_that_is_owed_may_be_keyed_where_the_shoe_says_nothing():
    felt = Felt()
    felt.draw("P1:2S B1:3H P2:4C")
    felt.say(ErrorRaised(Fault.CANNOT_READ, 1, error_mode=True))
    felt.ask(KeyCard(B, 2, Card.parse("5D")))
    assert (felt.holds, felt.view.phase, felt.out) == ([], "complete", 4)
    felt.call("banker")
    assert felt.results == ["banker"]


@pytest.mark.parametrize(("seat", "index"), [(P, 2), (B, 2), (P, 4), (B, 7)])
def test_a49_a_card_is_keyed_only_where_one_lies_or_is_owed(seat, index):
    felt = Felt()
    felt.draw("P1:2S")
    assert felt.ask(KeyCard(seat, index, Card.parse("5D")))[0]["why"] == "bad-card"
    assert felt.out == 1


def test_a49_a_face_that_nobody_doubts_is_not_keyed_over():
    felt = Felt()
    felt.draw("P1:2S")
    assert felt.ask(KeyCard(P, 1, Card.parse("5D")))[0]["why"] == "not-now"
    assert str(felt.view.seats[0].spots[0].card) == "2S"


def test_a49_a_face_keyed_over_a_misread_one_is_judged_anew():
    """A natural that was a misread: with the right face Player owes a card."""
    felt = Felt()
    felt.draw("P1:9S B1:2H P2:KC B2:4D")
    felt.say(ErrorRaised(Fault.CARD_CODE, 6, error_mode=True))
    felt.ask(KeyCard(P, 1, Card.parse("3S")))
    felt.accept()
    assert (felt.view.phase, felt.view.prompt.id) == ("drawing", "prompt.draws")


def test_a49_a_misread_keyed_while_only_its_own_doubt_holds_asks_for_the_card_owed():
    felt = Felt()
    felt.draw("P1:9S B1:2H P2:KC B2:4D")
    felt.show("P1:3S")
    felt.ask(KeyCard(P, 1, Card.parse("3S")))
    assert (felt.holds, felt.view.phase) == ([], "drawing")


def test_turned_cards_are_public_and_so_is_each_card_after():
    felt = Felt(deal=Deal.FACE_DOWN)
    felt.draw("P1:2D B1:AH P2:3C B2:2D")
    assert felt.view.prompt.id == "prompt.cards-out"
    assert felt.ask(Turned())[1]["fact"] == "HandTurned"
    assert (felt.view.prompt.id, felt.view.seats[0].points) == ("prompt.draws", 5)
    felt.draw("P3:4S")
    assert felt.view.seats[0].points == 9
    assert felt.ask(Turned())[0]["why"] == "nothing-to-do"


def test_turning_a_false_draw_shows_it():
    felt = Felt(deal=Deal.FACE_DOWN)
    felt.draw("P1:9S B1:2H P2:KC B2:4D P3:3C")
    assert felt.holds == []
    felt.ask(Turned())
    assert felt.holds == ["player-false-draw:player"]


def test_in_hidden_mode_there_is_nothing_that_turning_would_show():
    felt = Felt(deal=Deal.FACE_DOWN, identifies=Identifies.AT_REVEAL)
    felt.draw("P1 B1 P2 B2")
    assert felt.ask(Turned())[0]["why"] == "nothing-to-do"


def test_an_incident_stays_until_it_is_acknowledged_by_a_named_person():
    felt = Felt()
    felt.say(ErrorRaised(Fault.WRONG_BUTTON, 3, error_mode=False))
    incident = felt.pit.incidents[0].id
    felt.hand(BANKER_WINS, "banker")
    assert felt.incidents == ["wrong-button"]
    facts = felt.ask(Acknowledge(incident, "spoke to the dealer"), "", by="staff:7")
    assert (facts[1]["by"], facts[1]["note"]) == ("staff:7", "spoke to the dealer")
    assert felt.incidents == []
    assert felt.ask(Acknowledge(incident), "")[0]["why"] == "unknown-incident"


def test_acknowledging_lifts_no_hold():
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(ErrorRaised(Fault.CARD_CODE, 6, error_mode=True))
    felt.ask(Acknowledge(felt.pit.incidents[0].id), "")
    assert (felt.incidents, felt.view.phase) == ([], "suspended")


def test_a_command_that_comes_twice_counts_once(three):
    three.draw("P1:2S")
    three.say(ErrorRaised(Fault.CARD_CODE, 6, error_mode=True))
    three.ask(Void(), ident="same")
    assert three.ask(Void(), ident="same") == []
    assert len(three.told("HandVoided")) == 1
    assert three.ask(Void(), "1-1", ident="same") == []
    assert three.results == ["banker", "player", "tie", None]


@pytest.mark.parametrize(
    "act", [Void(), Correct(Call.TIE), Accept(("link-gap",)), KeyCard(P, 1, Card.parse("2S")), Turned()]
)
def test_a_command_for_a_hand_that_is_no_longer_the_one_meant_changes_nothing(act):
    felt = Felt()
    felt.draw("P1:2S")
    assert [fact["why"] for fact in felt.ask(act, "1-2")] == ["moved-on"]
    assert (felt.out, felt.view.phase) == (1, "dealing")


@pytest.mark.parametrize("act", [Accept(()), Correct(Call.TIE)])
def test_a_sound_hand_has_nothing_to_accept_or_correct(act):
    felt = Felt()
    felt.draw("P1:2S")
    assert felt.ask(act)[0]["why"] == "nothing-to-do"


def test_a_card_unread_stays_on_the_line_when_a_person_lets_it_stand():
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.draw("P1:2S B1:3H P2:4C")
    felt.say(CardDrawn(B, 2, None, unread=True))
    felt.call("banker")
    felt.accept()
    assert (felt.line()["banker"], felt.line()["result"], felt.line()["recorded"]) == (["3H", None], None, "banker")
    assert kinds(felt.line()) == [("unread-card", "banker", None)]


def test_a47_the_pace_is_that_of_the_last_hour():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    assert felt.pit.hands_per_hour is None
    felt.hand(BANKER_WINS, "banker")  # five inputs, a second each, after the first
    assert felt.pit.hands_per_hour == 720


@pytest.mark.parametrize(("apart_ns", "pace"), [(0, None), (1, None), (999_999_999, None), (1_000_000_000, 3600)])
def test_a47_hands_that_were_told_in_one_burst_have_no_pace(apart_ns: int, pace: int | None):
    """faults.md A 47: what the page says must be so; nobody deals a hand within a second."""
    felt = Felt()
    for at in (0, apart_ns):
        for signal in (*drawn(BANKER_WINS), result("banker")):
            felt.put(Input(signal, Moment(HOUR_NS + at, at)))
    assert (felt.results, felt.pit.hands_per_hour) == (["banker", "banker"], pace)


def test_a47_a_clock_that_was_set_back_between_two_hands_gives_no_pace():
    """faults.md A 47, B 43."""
    felt = Felt()
    for utc_ns in (2 * HOUR_NS, HOUR_NS):
        for signal in (*drawn(BANKER_WINS), result("banker")):
            felt.put(Input(signal, Moment(utc_ns, utc_ns)))
    assert felt.pit.hands_per_hour is None
