"""The places that a shoe names at a seat: each once, and none before the one below it."""

from __future__ import annotations

import pytest

from controller.core.signals import BytesDamaged, Damage, ShoeLoaded
from tests.faults.felt import SIX_CARDS, Felt

SKIPPED = {
    "P1:8S B1:2H P3:5D B3:7H": 2,
    "P1:8S B1:2H P2:KD B3:7H": 1,
    "P2:8S B1:2H B2:7H": 1,
}


@pytest.mark.parametrize(("dealt", "lost"), SKIPPED.items())
def test_a_place_that_is_skipped_is_a_card_that_may_be_lost(dealt, lost):
    """SPEC.md 0x82: a place is 1 to 3 at the spot; faults.md A 4: hold, and ask for the faces."""
    felt = Felt()
    felt.say(ShoeLoaded(8))
    felt.draw(dealt)
    felt.call("banker")
    assert "link-gap" in felt.incidents
    assert (felt.view.phase, felt.results) == ("suspended", [])
    assert [laid.card for laid in felt.table.hand.laid].count(None) == lost
    assert felt.table.shoe.left == 8 * 52 - len(dealt.split()) - lost


@pytest.mark.parametrize("dealt", ["P1:8S B1:2H P2:5D P2:7H", "P1:8S B1:2H B1:5D P2:KH B2:5S"])
def test_a_second_card_for_one_place_holds_the_hand(dealt):
    """faults.md A 37: the first stays where it lies, the second waits for a person."""
    felt = Felt()
    felt.draw(dealt)
    felt.call("player")
    assert felt.incidents[0] == "wrong-slot"
    assert (felt.view.phase, felt.results) == ("suspended", [])


def test_the_first_place_again_is_the_next_hand_and_the_open_one_is_told_as_abandoned():
    """faults.md A 35: the open hand was never ended; it has no result."""
    felt = Felt()
    felt.draw("P1:8S B1:2H P1:5D")
    assert (felt.incidents, felt.results) == (["abandoned-hand"], [])


def test_a_card_that_the_link_missed_is_counted_once():
    """faults.md A 4: the gap and the place that it skips are one loss."""
    felt = Felt()
    felt.draw("P1:2D B1:AH")
    felt.say(BytesDamaged(Damage.GAP, 1, lost=1))
    felt.draw("B2:2D")
    assert felt.incidents == ["link-gap"]
    assert [laid.card for laid in felt.table.hand.laid].count(None) == 1


def test_six_cards_in_their_places_are_no_loss():
    """rules.md C.1."""
    felt = Felt()
    felt.draw(SIX_CARDS)
    felt.call("player")
    assert (felt.incidents, felt.results) == ([], ["player"])
