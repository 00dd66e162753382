"""faults.md A 12, 15-22: what the shoe reports of itself, but for overdraws."""

from __future__ import annotations

import pytest

from controller.core.cards import Card
from controller.core.facts import Audience
from controller.core.inputs import KeyCard
from controller.core.profile import Deal
from controller.core.signals import (
    CardDrawn,
    ErrorCleared,
    ErrorRaised,
    Fault,
    Identifies,
    LockTurned,
    OffGameCardDrawn,
    OffGameCardShown,
    OffGameMode,
    PresetChanged,
)
from tests.faults.felt import BANKER_WINS, B, Felt, P, kinds

HOLDING = {
    Fault.CANNOT_READ: "cannot-read",
    Fault.REVERSE_AT_EXIT: "reverse-run",
    Fault.REVERSE_MIDWAY: "reverse-run",
    Fault.CARD_CODE: "card-code",
    Fault.DRAW_TIMEOUT: "draw-timeout",
    Fault.DOOR_OPEN: "door-open",
    Fault.UNKNOWN: "unknown-error",
}


def raised(fault: Fault, code: int = 1) -> ErrorRaised:
    return ErrorRaised(fault, code, error_mode=True)


@pytest.mark.parametrize(("fault", "kind"), HOLDING.items())
def test_a12_a16_a17_a18_an_error_holds_the_hand_until_the_shoe_ends_it(fault, kind):
    felt = Felt()
    felt.draw("P1:2S B1:3H")
    felt.say(raised(fault))
    assert felt.view.phase == "suspended"
    assert felt.incidents == [kind]
    felt.say(ErrorCleared(fault, 1))
    assert (felt.holds, felt.view.phase, felt.incidents) == ([], "dealing", [kind])
    felt.draw("P2:4C B2:5D")
    felt.call("banker")
    assert (felt.results, kinds(felt.line())) == (["banker"], [])


@pytest.mark.parametrize("fault", HOLDING)
def test_a19_a_result_ends_every_open_error(fault):
    """wire-formats.md 1.1: E7 never got an e of its own."""
    felt = Felt()
    felt.draw(BANKER_WINS)
    felt.say(raised(fault))
    felt.call("banker")
    assert (felt.holds, felt.results) == ([], ["banker"])


def test_a12_a_card_that_cannot_be_read_is_keyed_and_marked_as_manual():
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.draw("P1:2S")
    felt.say(raised(Fault.CANNOT_READ), CardDrawn(B, 1, None, unread=True))
    assert felt.view.seats[1].spots[0].side.value == "unread"
    felt.say(ErrorCleared(Fault.CANNOT_READ, 1))
    assert felt.holds == ["unread-card:1:banker"]
    felt.ask(KeyCard(B, 1, Card.parse("3H")), by="staff:7")
    assert felt.holds == []
    assert felt.view.seats[1].spots[0].keyed
    assert felt.told("CardKeyed")[0]["by"] == "staff:7"
    felt.draw("P2:4C B2:5D")
    felt.call("banker")
    assert kinds(felt.line()) == [("unread-card", "banker", None)]


def test_a12_the_dealer_is_told_of_what_the_dealer_can_end():
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(raised(Fault.CANNOT_READ))
    assert felt.view.prompt.id == "hold.cannot-read"
    felt.say(raised(Fault.CARD_CODE, 6))
    assert felt.view.prompt.id == "prompt.wait-supervisor"


def test_a12_a_card_that_is_read_at_the_second_slide_is_an_ordinary_card():
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.draw("P1:2S")
    felt.say(raised(Fault.CANNOT_READ))
    felt.draw("B1:3H")
    felt.say(ErrorCleared(Fault.CANNOT_READ, 1))
    felt.draw("P2:4C B2:5D")
    felt.call("banker")
    assert (felt.results, felt.out) == (["banker"], 4)


def test_a15_a_wrong_button_is_a_note_and_changes_nothing():
    felt = Felt()
    felt.draw("P1:2S")
    before = felt.view.prompt
    felt.say(raised(Fault.WRONG_BUTTON, 3))
    assert (felt.holds, felt.incidents, felt.pit.incidents[0].level) == ([], ["wrong-button"], "notice")
    assert felt.view.prompt == before


@pytest.mark.parametrize("fault", [Fault.REVERSE_AT_EXIT, Fault.REVERSE_MIDWAY, Fault.CARD_CODE])
def test_a16_a17_a_card_pushed_back_or_foreign_is_an_alert_and_no_second_draw(fault):
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(raised(fault))
    assert felt.pit.incidents[0].level == "alert"
    assert felt.out == 1


def test_a19_the_end_of_an_error_that_was_not_open_is_an_anomaly():
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(ErrorCleared(Fault.CANNOT_READ, 1))
    assert (felt.incidents, felt.holds) == (["error-anomaly"], [])


def test_a19_an_error_raised_twice_is_an_anomaly_and_one_end_ends_it():
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(raised(Fault.CANNOT_READ), raised(Fault.CANNOT_READ))
    assert "error-anomaly" in felt.incidents
    felt.say(ErrorCleared(Fault.CANNOT_READ, 1))
    assert felt.holds == []


def test_a19_an_error_between_hands_holds_the_table_until_it_ends():
    felt = Felt()
    felt.say(raised(Fault.CARD_CODE, 6))
    assert felt.view.phase == "suspended"
    felt.say(ErrorCleared(Fault.CARD_CODE, 6))
    assert felt.view.phase == "waiting"


def test_a20_the_key_is_told():
    felt = Felt()
    felt.say(LockTurned(locked=True), LockTurned(locked=False))
    assert [fact["locked"] for fact in felt.told("LockTurned")] == [True, False]


@pytest.mark.parametrize("mode", [OffGameMode.LOCK, OffGameMode.UNKNOWN])
def test_a20_a_card_while_locked_leaves_the_shoe_and_no_hand(mode):
    felt = Felt()
    felt.draw("P1:2S")
    felt.say(LockTurned(locked=True), OffGameCardDrawn(mode, 0, Card.parse("KD")))
    assert felt.incidents == ["card-while-locked"]
    assert (felt.out, felt.holds) == (2, [])
    assert dict(felt.eye.composition)[Card.parse("KD")] == 1
    assert [len(seat.spots) for seat in felt.view.seats] == [1, 0]


@pytest.mark.parametrize("mode", [OffGameMode.ERROR, OffGameMode.SETTING])
def test_a21_a_card_in_error_or_setting_mode_is_counted_out_and_the_hand_untouched(mode):
    felt = Felt()
    felt.draw("P1:2S B1:3H")
    felt.say(OffGameCardDrawn(mode, 0, Card.parse("KD")), OffGameCardDrawn(mode, 0, Card.parse("QD")))
    assert felt.incidents == ["off-game-card", "off-game-card"]
    felt.draw("P2:4C B2:5D")
    felt.call("banker")
    assert (felt.results, kinds(felt.line()), felt.out) == (["banker"], [], 6)


def test_a21_a_hidden_card_outside_the_game_may_get_its_face_later():
    felt = Felt(identifies=Identifies.AT_REVEAL)
    felt.say(OffGameCardDrawn(OffGameMode.SETTING, 0, None), OffGameCardShown(Card.parse("KD")))
    assert (felt.out, felt.eye.unknown, dict(felt.eye.composition)[Card.parse("KD")]) == (1, 0, 1)
    felt = Felt(identifies=Identifies.AT_REVEAL)
    felt.say(OffGameCardShown(Card.parse("KD")))
    assert (felt.out, felt.incidents) == (0, ["error-anomaly"])


def test_a21_the_face_of_an_off_game_card_is_for_surveillance_where_cards_lie_face_down():
    felt = Felt(deal=Deal.FACE_DOWN)
    felt.draw("P1:2S")
    felt.say(OffGameCardDrawn(OffGameMode.SETTING, 0, Card.parse("KD")))
    assert [fact for fact in felt.below(Audience.SURVEILLANCE) if "KD" in str(fact.data)] == []


def test_a22_a_changed_preset_is_an_alert_each_time():
    felt = Felt()
    felt.say(PresetChanged("01", "0009"), PresetChanged("01", "0008"))
    assert felt.incidents == ["preset-changed", "preset-changed"]
    assert [fact["value"] for fact in felt.told("PresetChanged")] == ["0009", "0008"]
    felt.draw("P1:2S")
    felt.say(PresetChanged("01", "0009"), PresetChanged("01", "0009"))
    assert felt.incidents.count("preset-changed") == 4
    assert felt.holds == []


def test_a49_a_value_is_not_enough_to_key_a_card():
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.say(CardDrawn(P, 1, None, unread=True))
    assert felt.ask(KeyCard(P, 1, Card.of_value(3)))[0]["why"] == "bad-card"
    assert felt.ask(KeyCard(P, 1, Card.parse("3?")))[0]["why"] == "bad-card"
    assert felt.holds == ["unread-card:1:player"]
