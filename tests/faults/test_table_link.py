"""faults.md A 1-9 as far as a table can act on them: what the link tells."""

from __future__ import annotations

import pytest

from controller.core.cards import Card
from controller.core.inputs import Accept, BlindHands, Correct, Input, KeyCard, Started, Timer
from controller.core.profile import Deal
from controller.core.signals import (
    BytesDamaged,
    Call,
    CardDrawn,
    Damage,
    Identifies,
    LinkLost,
    LinkOpened,
    StoodBy,
)
from tests.faults.felt import BANKER_WINS, PLAYER_WINS, B, Felt, P, kinds


def hidden() -> Felt:
    return Felt(deal=Deal.FACE_DOWN, identifies=Identifies.AT_REVEAL)


@pytest.mark.parametrize("damage", [Damage.NOISE, Damage.CHECKSUM, Damage.STALE, Damage.COPIES, Damage.GAP])
def test_a03_a05_damage_that_lost_no_event_is_told_and_holds_nothing(damage):
    felt = Felt()
    felt.draw("P1:2S B1:3H")
    felt.say(BytesDamaged(damage, 6))
    assert [(fault["kind"], fault["bytes"]) for fault in felt.told("LinkFault")] == [(damage.value, 6)]
    assert felt.holds == []
    assert felt.incidents == []


def test_a02_copies_that_disagree_hold_the_hand_as_a_copy_conflict():
    felt = Felt()
    felt.draw("P1:2S B1:3H")
    felt.say(BytesDamaged(Damage.COPIES, 18, lost=1))
    assert felt.holds == ["copy-conflict"]
    assert felt.view.phase == "suspended"
    felt.draw("B2:5D")  # Player's second card was the one in doubt
    assert [spot.side.value for spot in felt.view.seats[0].spots] == ["face", "unread"]
    felt.ask(KeyCard(P, 2, Card.parse("4C")))
    felt.call("banker")
    felt.accept()
    assert felt.line()["player"] == ["2S", "4C"]
    assert kinds(felt.line()) == [("copy-conflict", None, None)]


def test_a04_a_gap_in_mid_hand_leaves_the_lost_spot_unread_and_the_next_card_on_its_own():
    """Open mode: the shoe names the spots, so the hole is known; nothing is filled in."""
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(BytesDamaged(Damage.GAP, 1, lost=1))
    felt.draw("P2:4C B2:5D")
    assert felt.holds[0] == "link-gap"
    assert felt.out == 4
    assert [spot.card for spot in felt.view.seats[1].spots] == [None, Card.parse("5D")]
    felt.ask(KeyCard(B, 1, Card.parse("3H")))
    assert felt.out == 4
    assert felt.view.seats[1].points == 8
    felt.call("banker")
    assert felt.results == []
    felt.accept()
    assert felt.line()["banker"] == ["3H", "5D"]
    assert kinds(felt.line()) == [("link-gap", None, None)]


def test_a04_a_card_keyed_before_the_next_one_comes_is_the_lost_one():
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(BytesDamaged(Damage.GAP, 2, lost=2))
    felt.ask(KeyCard(B, 1, Card.parse("3H")))
    felt.draw("B2:5D")
    assert [spot.side.value for spot in felt.view.seats[0].spots] == ["face", "unread"]
    felt.ask(KeyCard(P, 2, Card.parse("4C")))
    felt.call("banker")
    felt.accept()
    assert (felt.line()["player"], felt.line()["banker"]) == (["2S", "4C"], ["3H", "5D"])
    assert kinds(felt.line()) == [("link-gap", None, None)]
    assert felt.out == 4


def test_a04_a_third_card_lost_before_the_bankers_is_keyed_into_its_place():
    """Player 5 owes a card; its frame is lost, Banker's comes. Keyed, the hand is lawful again."""
    felt = Felt()
    felt.draw("P1:2D B1:AH P2:3C B2:2D")
    felt.say(BytesDamaged(Damage.GAP, 1, lost=1))
    felt.draw("B3:5C")
    assert "link-gap" in felt.holds
    felt.ask(KeyCard(P, 3, Card.parse("4S")))
    felt.call("player")
    felt.accept()
    assert (felt.line()["player"], felt.line()["banker"]) == (["2D", "3C", "4S"], ["AH", "2D", "5C"])
    assert kinds(felt.line()) == [("link-gap", None, None)]


def test_a04_in_hidden_mode_a_face_without_its_card_is_a_card_that_left_the_shoe():
    """The D was lost, the I came: the card is counted, laid, and the hand is unproved."""
    felt = hidden()
    felt.draw("P1 B1 P2")
    felt.say(BytesDamaged(Damage.GAP, 1, lost=1))
    felt.show("P1:2S B1:3H P2:4C B2:5D")
    felt.call("banker")
    assert felt.out == 4
    assert felt.view.phase == "suspended"
    felt.accept()
    assert felt.line()["banker"] == ["3H", "5D"]
    assert kinds(felt.line()) == [("link-gap", None, None)]


def test_a04_nine_lost_events_show_no_gap_but_a_face_without_a_card_proves_the_loss():
    """wire-formats.md 1.1: nine lost events in a row are invisible by seq alone."""
    felt = hidden()
    felt.draw("P1 B1 P2 B2")
    felt.show("P1:2D B1:AH P2:3C B2:2D P3:4S")
    assert felt.holds == ["link-gap"]
    assert felt.out == 5


def test_a04_a_gap_between_hands_holds_the_table_and_the_next_hand_starts_on_its_first_spot():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.say(BytesDamaged(Damage.GAP, 1, lost=1))
    assert felt.holds == ["link-gap"]
    assert felt.view.prompt.id == "prompt.gap"
    felt.draw(PLAYER_WINS)
    assert felt.out == 8
    felt.call("player")
    assert felt.results == ["banker"]
    felt.accept()
    assert felt.results == ["banker", "player"]
    assert kinds(felt.line()) == []
    assert (felt.holds, felt.view.phase) == ([], "waiting")


def test_a04_a_gap_between_hands_is_accepted_between_hands():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.say(BytesDamaged(Damage.GAP, 1, lost=1))
    felt.accept()
    assert (felt.holds, felt.view.phase) == ([], "waiting")


def test_a04_a_gap_between_hands_is_said_to_hold_the_table_while_hands_go_on_closing():
    """faults.md A 4: dealer and pit are told; the same words stand on the pit tile, which shows the first hold."""
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.say(BytesDamaged(Damage.GAP, 1, lost=1))
    felt.hand(PLAYER_WINS, "player")
    felt.draw("P1:9S")
    assert felt.results == ["banker", "player"]
    assert [hold.sentence.id for hold in felt.view.holds] == ["hold.gap-between-hands"]
    assert felt.view.prompt.id == "prompt.gap"
    felt.accept()
    assert felt.view.prompt.id == "prompt.card-next"


def test_a04_a_gap_in_mid_hand_waits_for_the_supervisor_as_before():
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(BytesDamaged(Damage.GAP, 1, lost=1))
    assert [hold.sentence.id for hold in felt.view.holds] == ["hold.link-gap"]
    assert felt.view.prompt.id == "prompt.wait-supervisor"


def test_a04_a_hand_whose_first_cards_were_lost_opens_with_the_hole_in_it():
    felt = Felt()
    felt.say(BytesDamaged(Damage.GAP, 2, lost=2))
    felt.draw("P2:4C B2:5D")
    assert [spot.side.value for spot in felt.view.seats[0].spots] == ["unread", "face"]
    assert felt.out == 4


def test_a04_each_further_gap_in_the_same_hand_holds_it_again_and_stands_once_on_its_line():
    felt = Felt()
    felt.draw("P1:2S B1:3H P2:4C B2:5D")
    for _ in range(2):
        felt.say(BytesDamaged(Damage.GAP, 1, lost=1))
        assert felt.holds == ["link-gap"]
        felt.accept()
    felt.call("banker")
    assert (felt.results, kinds(felt.line())) == (["banker"], [("link-gap", None, None)])


def test_a06_a_lost_link_in_mid_hand_makes_the_hand_unproved():
    felt = Felt()
    felt.say(LinkOpened("by-id/shoe"))
    felt.draw("P1:2S B1:3H")
    assert felt.view.link == "live"
    felt.say(LinkLost("unplugged"))
    assert (felt.view.link, felt.holds) == ("not-live", ["link-lost"])
    felt.say(LinkLost("unplugged"), LinkOpened("by-id/shoe"))
    felt.draw("P2:4C B2:5D")
    felt.call("banker")
    assert (felt.view.link, felt.results) == ("live", [])
    felt.accept()
    assert felt.results == ["banker"]


def test_a06_each_further_loss_in_the_same_hand_holds_it_again():
    felt = Felt()
    felt.say(LinkOpened("by-id/shoe"))
    felt.draw("P1:2S")
    felt.say(LinkLost("unplugged"), LinkOpened("by-id/shoe"))
    felt.accept()
    felt.draw("B1:3H")
    felt.say(LinkLost("unplugged"))
    assert felt.holds == ["link-lost"]


def test_a06_a_lost_link_between_hands_is_an_incident_and_holds_nothing():
    felt = Felt()
    felt.say(LinkOpened("by-id/shoe"), StoodBy(), LinkLost("unplugged"))
    assert (felt.view.link, felt.holds, felt.incidents) == ("not-live", [], ["link-down"])


def test_a07_silence_is_told_and_ends_with_the_next_word_of_the_shoe():
    felt = Felt()
    felt.say(LinkOpened("by-id/shoe"), StoodBy())
    felt.run_out(Timer.SILENCE)
    assert felt.view.link_sentence.id == "link.silent"
    assert felt.incidents == ["silence"]
    felt.stand_by()
    assert felt.view.link_sentence is None
    assert felt.incidents == ["silence"]  # it stays until a person has seen it


def test_a07_bytes_that_make_no_frame_do_not_make_a_link_live():
    felt = Felt()
    felt.say(LinkOpened("by-id/shoe"), BytesDamaged(Damage.NOISE, 40))
    assert felt.view.link == "syncing"


def test_a08_an_unknown_frame_holds_the_hand_and_lays_no_card():
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(BytesDamaged(Damage.UNKNOWN_FRAME, 8, lost=1))
    assert felt.holds == ["unknown-frame"]
    assert felt.out == 1
    felt.accept()
    felt.draw("B1:3H P2:4C B2:5D")
    felt.call("banker")
    assert felt.results == ["banker"]


def test_a08_an_impossible_rank_or_suit_is_an_unread_card_and_never_a_face():
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.draw("P1:2S")
    felt.say(CardDrawn(B, 1, None, unread=True))
    assert felt.holds == ["unread-card:1:banker"]
    assert (felt.view.seats[1].points, felt.eye.unknown) == (None, 1)


def test_holds_that_changed_since_they_were_read_are_not_accepted_unseen():
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(LinkLost("unplugged"))
    seen = tuple(felt.holds)
    felt.say(BytesDamaged(Damage.GAP, 1, lost=1))
    assert felt.ask(Accept(seen))[0]["why"] == "holds-changed"
    assert felt.view.phase == "suspended"


def test_a_hand_in_doubt_may_be_given_its_result_by_a_person():
    felt = Felt()
    felt.draw("P1:2S B1:3H")
    felt.say(LinkLost("unplugged"))
    facts = felt.ask(Correct(Call.BANKER))
    assert [fact["fact"] for fact in facts] == ["CommandAccepted", "HandCompleted"]
    assert (felt.results, felt.view.results[0].corrected) == (["banker"], True)


def test_a4_a_record_that_begins_in_mid_hand_accuses_nobody_of_a_wrong_order():
    """faults.md A 4: the cards before the first byte were not heard; they are missing, not dealt out of order."""
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.draw("P2:4H B2:KD")
    assert felt.holds == ["link-gap"]
    felt.call("player")
    felt.accept()
    assert [kind for kind, *_ in kinds(felt.line())] == ["link-gap", "unread-card", "unread-card"]
    assert felt.line()["result"] is None


def test_a48_a_recorder_started_again_between_two_hands_says_so_and_holds_nothing():
    """faults.md A 48: exactly as many events as the numbers count may have been lost meanwhile."""
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.hand("P1:9C B1:7H P2:KS B2:KD", "player")
    felt.put(Input(Started(), felt.now, "recorder"))
    assert (felt.holds, felt.incidents) == ([], ["recorder-restarted"])


def unplugged_for_two_hands() -> Felt:
    """The cable is pulled between hands, and the results of two hands are told."""
    felt = Felt()
    felt.say(LinkOpened("by-id/shoe"))
    felt.hand(BANKER_WINS, "banker")
    felt.say(LinkLost("unplugged"))
    felt.ask(BlindHands((Call.PLAYER, Call.TIE)), "")
    felt.say(LinkOpened("by-id/shoe"), BytesDamaged(Damage.GAP, 1, lost=1))
    return felt


def test_a49_messages_of_hands_that_people_told_of_hold_nothing_any_more():
    """What was missed has been said already: the next hand goes on without a key."""
    felt = unplugged_for_two_hands()
    assert [fault["kind"] for fault in felt.told("LinkFault")] == ["gap"]
    felt.hand(PLAYER_WINS, "player")
    assert (felt.holds, felt.results) == ([], ["banker", "player", "tie", "player"])


def test_a49_a_hand_that_was_begun_unheard_after_those_that_were_told_is_held():
    """The shoe's next spot proves that cards of this hand were missed too."""
    felt = unplugged_for_two_hands()
    felt.draw("P2:4C")
    assert "link-gap" in felt.holds
