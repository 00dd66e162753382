"""faults.md A 12, A 18: a second slide that the house forbids, and a card too soon after a half-drawn one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.core.cards import Card
from controller.core.engine import Table
from controller.core.inputs import Input, KeyCard, Moment
from controller.core.previewing import hand_views
from controller.core.profile import SecondSlide
from controller.core.signals import CardDrawn, ErrorCleared, ErrorRaised, Fault, Identifies
from controller.core.snapshot import restore, taken
from tests.faults.felt import B, Felt, drawn

NS_PER_MS = 1_000_000
FAULT, CLEAR = ErrorRaised(Fault.CANNOT_READ, 1, error_mode=False), ErrorCleared(Fault.CANNOT_READ, 1)


@pytest.fixture
def strict() -> Felt:
    felt = Felt(second_slide=SecondSlide.FORBIDDEN, identifies=Identifies.AT_DRAW)
    felt.draw("P1:2S")
    return felt


def test_a12_where_a_second_slide_is_forbidden_the_shoe_alone_ends_nothing(strict: Felt):
    strict.say(FAULT)
    assert strict.view.holds[0].sentence.id == "hold.no-second-slide"
    assert strict.view.prompt.id == "prompt.wait-supervisor"
    strict.say(CLEAR)
    assert (len(strict.holds), strict.view.phase) == (1, "suspended")


def test_a12_the_face_that_a_person_keys_ends_it(strict: Felt):
    strict.say(FAULT, CardDrawn(B, 1, None, unread=True), CLEAR)
    assert hand_views(strict.table)[0].fits == ("PBI-12",)
    strict.ask(KeyCard(B, 1, Card.parse("3H")), by="staff:7")
    assert (strict.holds, strict.view.seats[1].spots[0].keyed) == ([], True)
    strict.draw("P2:4C B2:5D")
    strict.call("banker")
    assert (strict.results, "second-slide" in strict.incidents) == (["banker"], False)


def test_a12_a_card_that_is_slid_again_all_the_same_is_told_and_waits_for_a_person(strict: Felt):
    strict.say(FAULT)
    strict.draw("B1:3H")
    strict.say(CLEAR)
    assert {"no-second-slide", "second-slide"} <= {
        kind for one in strict.table.incidents.values() for kind in one.kinds
    }
    assert strict.view.phase == "suspended"
    strict.accept()
    strict.draw("P2:4C B2:5D")
    strict.call("banker")
    assert strict.results == ["banker"]


class Timed(Felt):
    """A table of which each input says at what millisecond it came."""

    def at(self, ms: int | None, signal: Any) -> None:
        self.put(Input(signal, Moment(mono_ns=None if ms is None else ms * NS_PER_MS)))


def half_drawn(felt: Timed, ms: int | None = 1_000) -> None:
    """A card stays half drawn, is drawn at last, and is read at this time."""
    felt.at(100, drawn("P1:2S")[0])
    felt.at(500, ErrorRaised(Fault.DRAW_TIMEOUT, 7, error_mode=False))
    felt.at(900, ErrorCleared(Fault.DRAW_TIMEOUT, 7))
    felt.at(ms, drawn("B1:3H")[0])


@pytest.mark.parametrize(("ms", "held"), [(1_000, True), (1_299, True), (1_300, False), (None, False), (10, False)])
def test_a18_a_card_that_is_read_too_soon_after_a_half_drawn_one_holds_the_hand(ms: int | None, held):
    felt = Timed(early_read_ms=300)
    half_drawn(felt)
    felt.at(ms, drawn("P2:4C")[0])
    assert felt.holds == (["two-cards:player"] if held else [])
    felt.at(1_310, drawn("B2:5D")[0])  # only the next read is looked at
    assert len(felt.holds) == held


def test_a18_two_cards_pulled_at_once_are_what_the_house_rules_on():
    """rules.md PBI-08."""
    felt = Timed(early_read_ms=300)
    half_drawn(felt)
    felt.at(1_050, drawn("P2:4C")[0])
    assert hand_views(felt.table)[0].fits == ("PBI-08",)
    felt.accept()
    assert felt.holds == []


def test_a18_a_stop_between_the_two_reads_forgets_nothing():
    """Design, section 1: what a snapshot brings back goes on where it was."""
    felt = Timed(early_read_ms=300)
    half_drawn(felt)
    again = Table(felt.table.house)
    restore(again, json.loads(json.dumps(taken(felt.table))))
    felt.table = again
    felt.at(1_050, drawn("P2:4C")[0])
    assert felt.holds == ["two-cards:player"]


def test_a18_a_house_that_says_no_time_is_told_of_none():
    felt = Timed()
    half_drawn(felt)
    felt.at(1_000, drawn("P2:4C")[0])
    assert felt.holds == []
