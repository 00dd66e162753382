"""faults.md B, rows 22 to 26: what a table makes of a shoe's words, from the bytes on the wire to hold and page."""

from __future__ import annotations

import pytest

from controller.accounts.roles import DUAL
from controller.core.cards import Card
from controller.core.facts import Audience
from controller.core.inputs import CloseShoe, CloseTable, KeyCard, NewShoe
from controller.core.profile import NewShoes
from controller.core.signals import BurnCardDrawn, CardDrawn, CutCardOut, ErrorRaised, Fault, Identifies, Signal
from drivers.angel_eye import Session
from drivers.emulators import Shoe
from tests.faults.felt import BANKER_WINS, B, Felt, drawn, kinds, result
from tests.protocol.line import Line
from tests.protocol.test_fault_rows import DOOR, TILT


class Dealt(Felt):
    """A table that hears an Angel Eye shoe in open mode through its bytes."""

    def __init__(self, **choices: object) -> None:
        super().__init__(identifies=Identifies.AT_DRAW, **choices)
        self.shoe, self.session = Shoe(), Session("open")

    def wire(self, *signals: Signal) -> None:
        for signal in signals:
            for copy in self.shoe.says(signal):
                self.say(*(one.signal for one in self.session.feed(copy)))

    def deal(self, cards: str, call: str = "") -> None:
        self.wire(*drawn(cards), *([result(call)] if call else []))


def test_row_22_a_card_that_was_not_read_waits_for_a_person_who_keys_it_and_is_named():
    """B 22: HOLD; entry marked as manual, by two persons where the house asks for them."""
    felt = Dealt()
    felt.wire(*drawn("P1:2S"), CardDrawn(B, 1, None, unread=True), *drawn("P2:4C B2:5D"), result("banker"))
    assert (felt.view.phase, felt.holds, felt.results) == ("suspended", ["unread-card:1:banker"], [])
    assert felt.view.seats[1].spots[0].card is None
    felt.ask(KeyCard(B, 1, Card.parse("3H")), by="staff:7+8 key_card")
    assert felt.results == ["banker"]
    assert [fact["by"] for fact in felt.told("CardKeyed")] == ["staff:7+8 key_card"]
    assert kinds(felt.line()) == [("unread-card", "banker", None)]
    assert "key_card" in DUAL


def test_row_23_a_copy_too_many_stops_the_table_and_only_surveillance_has_the_places():
    """B 23: HOLD + surveillance alarm; counts per rank and suit kept."""
    felt = Dealt(decks=1)
    felt.deal(BANKER_WINS, "banker")
    felt.deal("P1:2S")
    assert (felt.view.phase, felt.incidents) == ("suspended", ["alarm"])
    assert dict(felt.eye.alarms[0].sentence.blanks) == {"detail": "2S at 1 5"}
    assert dict(felt.eye.composition)[Card.parse("2S")] == 2
    assert not [fact for fact in felt.below(Audience.SURVEILLANCE) if "2S at" in repr(fact)]


def test_row_23_a_foreign_code_stops_the_table_until_the_shoe_ends_it():
    """B 23, A 17: foreign back code."""
    felt = Dealt()
    felt.wire(*drawn("P1:2S"), ErrorRaised(Fault.CARD_CODE, 6, error_mode=True))
    assert (felt.view.phase, felt.holds) == ("suspended", ["card-code:1"])
    assert felt.incidents == ["card-code"]


@pytest.mark.parametrize(
    ("before", "kind"),
    [
        (lambda felt: felt.deal(BANKER_WINS), "player-false-draw"),  # over, its result not called
        (lambda felt: (felt.deal(BANKER_WINS, "banker"), felt.ask(CloseShoe())), "late-hand"),
        (lambda felt: (felt.deal(BANKER_WINS, "banker"), felt.ask(CloseTable())), "table-closed"),
    ],
    ids=["after the end", "after the shoe", "at a closed table"],
)
def test_row_24_a_card_where_none_may_come_is_recorded_and_never_in_silence(before, kind: str):
    """B 24: irregularity record; never silently a hand."""
    felt = Dealt()
    before(felt)
    assert felt.incidents == []
    felt.deal("P3:KD" if kind == "player-false-draw" else "P1:KD")
    assert kind in felt.incidents
    assert felt.out == 5, "the card is counted all the same"


def test_row_25_a_third_card_that_was_not_drawn_is_named_with_its_rule_on_the_page():
    """B 25: the hand is not closed; the prompt names the rule before, the hold after."""
    felt = Dealt()
    felt.deal("P1:2S B1:3H P2:3C B2:4D")
    assert (felt.view.prompt.id, felt.view.prompt.rule) == ("prompt.draws", "R-PB-03")
    felt.wire(result("banker"))
    assert (felt.view.phase, felt.results) == ("suspended", [])
    assert [(hold.id, hold.sentence.rule) for hold in felt.view.holds] == [("player-missed-draw:player", "R-PB-03")]
    assert felt.incidents == ["player-missed-draw"]


def test_row_26_a_cut_card_within_a_hand_is_recorded_and_the_hand_ends_by_the_rule_of_the_house():
    """B 26: one more hand may follow here; then the shoe is finished, and a new one waits for a supervisor."""
    felt = Dealt(hands_after_cut=1, new_shoe=NewShoes.CONFIRM)
    felt.wire(*drawn("P1:2S B1:3H"), CutCardOut())
    felt.deal("P2:4C B2:5D", "banker")
    assert (felt.results, felt.view.stage, len(felt.told("CutCardSeen"))) == (["banker"], "last-hand", 1)
    felt.deal(BANKER_WINS, "banker")
    assert felt.view.stage == "finished"
    felt.wire(BurnCardDrawn(sets_count=True, left=2, card=Card.parse("2C")))
    assert (felt.view.proposed, felt.view.phase) == (True, "suspended")
    felt.ask(NewShoe(), "")
    assert (felt.view.proposed, felt.holds) == (False, [])


@pytest.mark.parametrize(
    ("event", "kind", "holds", "phase"),
    [(DOOR, "door-open", ["door-open:1"], "suspended"), (TILT, "shoe-moved", [], "dealing")],
)
def test_row_26_an_open_door_holds_the_hand_until_it_is_shut_and_a_tilt_is_recorded(
    event: int, kind: str, holds: list[str], phase: str
):
    """B 26: lid or door open, tilt; from the frames of the open protocol."""
    line, felt = Line().connect(), Felt(identifies=Identifies.AT_DRAW)
    felt.say(*line.feed(line.shoe.draw("8S")), *line.feed(line.shoe.happen(event, b"\x01")))
    assert (felt.view.phase, felt.holds, felt.incidents) == (phase, holds, [kind])
    felt.say(*line.feed(line.shoe.happen(event, b"\x00")))
    assert (felt.holds, felt.incidents) == ([], [kind])
