"""A link whose shoe can be asked again: what it proves lets a hand go on, what it cannot prove holds (faults.md B)."""

from __future__ import annotations

import pytest

from controller.core.inputs import Acknowledge
from controller.core.signals import (
    BytesDamaged,
    CutCardOut,
    Damage,
    ErrorCleared,
    ErrorRaised,
    Fault,
    LinkLost,
    LinkOpened,
    LinkProved,
    LinkResumed,
    ShoeLoaded,
    WhyLost,
)
from controller.core.snapshot import restore, taken
from controller.core.table import Table
from tests.faults.felt import BANKER_WINS, PLAYER_WINS, Felt

OPENED = LinkOpened("tirage 0102030405060708", authenticated=True)


def linked() -> Felt:
    felt = Felt()
    felt.say(OPENED, LinkProved())
    return felt


def test_b01_a_hand_goes_on_without_a_person_once_the_shoe_has_proved_that_nothing_was_missed():
    felt = linked()
    felt.draw("P1:2S B1:3H")
    felt.say(LinkLost("unplugged"))
    assert (felt.view.link, felt.view.phase) == ("not-live", "suspended")
    felt.say(OPENED, LinkResumed())
    assert (felt.holds, felt.view.link) == ([], "syncing")
    felt.draw("P2:4C B2:5D")
    assert felt.view.link == "syncing"
    felt.call("banker")
    felt.say(LinkProved())
    assert (felt.results, felt.view.link) == (["banker"], "live")


def test_b01_a_gap_after_a_loss_waits_for_a_person():
    felt = linked()
    felt.draw("P1:2S B1:3H")
    felt.say(LinkLost("unplugged"), OPENED, LinkResumed(), BytesDamaged(Damage.GAP, 1, lost=1), LinkProved())
    assert [hold.kind for hold in felt.table.hand.holds] == ["link-gap"]
    assert felt.view.link == "live"


def test_b05_a_shoe_that_counts_anew_proves_nothing_and_the_hand_stays_held():
    felt = linked()
    felt.draw("P1:2S B1:3H")
    felt.say(LinkLost("unplugged"), OPENED, BytesDamaged(Damage.BACKWARDS, 2, lost=2), LinkProved())
    assert {hold.kind for hold in felt.table.hand.holds} == {"link-lost", "count-back"}


@pytest.mark.parametrize(("authenticated", "level"), [(None, ""), (False, "unauthenticated"), (True, "authentic")])
def test_what_a_shoe_proves_is_shown_with_the_link(authenticated, level):
    """trust.md 3.2: L0 is shown as UNAUTHENTICATED."""
    felt = Felt()
    felt.say(LinkOpened("x", authenticated))
    assert felt.view.link_level == level
    felt.say(LinkLost("gone"))
    assert felt.view.link_level == ""


@pytest.mark.parametrize("why", WhyLost, ids=lambda why: why.value)
def test_why_a_shoe_is_not_heard_is_told_in_its_own_sentence(why):
    """faults.md B 4, 9, 14, 15, 19, 21."""
    felt = Felt()
    felt.say(LinkLost("for the technician", why))
    assert felt.view.link_sentence.id == f"link.{why.value}"


def test_b21_a_shoe_that_is_held_is_one_incident_until_it_is_acknowledged():
    felt = linked()
    felt.say(LinkLost("it babbles", WhyLost.FLOOD, held=True), LinkLost("it babbles", WhyLost.FLOOD, held=True))
    kinds = [incident.kind for incident in felt.table.incidents.values()]
    assert kinds == ["shoe-refused", "link-down"]
    felt.ask(Acknowledge(next(iter(felt.table.incidents))))
    assert [incident.kind for incident in felt.table.incidents.values()] == ["link-down"]


@pytest.mark.parametrize("why", [WhyLost.PINNED, WhyLost.OTHER_SHOE])
def test_b04_b19_a_shoe_that_was_turned_away_stays_an_incident_once_it_is_gone(why):
    """trust.md 3.2: the pit and surveillance learn of it; acknowledging it lets nothing in."""
    felt = linked()
    felt.say(LinkLost("unplugged"), LinkLost("not yours", why), LinkLost("unplugged"), LinkLost("not yours", why))
    kinds = [incident.kind for incident in felt.table.incidents.values()]
    assert kinds == ["link-down", "shoe-turned-away"]
    assert felt.table.incidents["1-i2"].items[0].detail == "not yours"
    felt.say(OPENED, LinkProved())
    assert "incident.shoe-turned-away" in [incident.sentence.id for incident in felt.pit.incidents]


def test_b26_an_open_door_holds_the_hand_until_it_is_shut_and_a_moved_shoe_is_noted():
    felt = linked()
    felt.draw("P1:2S B1:3H")
    felt.say(ErrorRaised(Fault.MOVED, 0x89, error_mode=False))
    assert felt.view.phase == "dealing"
    felt.say(ErrorRaised(Fault.DOOR_OPEN, 0x88, error_mode=False))
    assert felt.view.phase == "suspended"
    felt.say(ErrorCleared(Fault.DOOR_OPEN, 0x88))
    assert (felt.view.phase, felt.incidents) == ("dealing", ["door-open", "shoe-moved"])


def test_b26_fresh_cards_open_a_new_shoe_where_hands_were_dealt_and_none_where_they_were_not():
    felt = linked()
    felt.say(ShoeLoaded(8))
    assert felt.table.shoe.number == 1
    felt.hand(BANKER_WINS, "banker")
    felt.say(CutCardOut(), ShoeLoaded(8))
    assert felt.table.shoe.number == 2
    felt.hand(PLAYER_WINS, "player")
    assert felt.results == ["player"]


def test_b26_fresh_cards_in_mid_hand_are_a_question():
    felt = linked()
    felt.draw("P1:2S B1:3H")
    felt.say(ShoeLoaded(8))
    assert [hold.kind for hold in felt.table.hand.holds] == ["powered-up"]


def test_what_is_known_of_the_link_outlives_a_segment():
    """trust.md 2.2: a shoe's journal stands on its own."""
    felt = linked()
    felt.say(LinkLost("no key", WhyLost.NO_KEY))
    again = Table(felt.table.house)
    restore(again, taken(felt.table))
    assert (again.link, again.link_why) == (felt.table.link, WhyLost.NO_KEY)
