"""faults.md A 38-40: burn cards and what a shoe is made of."""

from __future__ import annotations

import pytest

from controller.core.cards import Card
from controller.core.facts import Audience
from controller.core.profile import Burn, Deal
from controller.core.signals import (
    BurnCardDrawn,
    Identifies,
    Pairs,
)
from tests.faults.felt import BANKER_WINS, Felt, kinds


@pytest.mark.parametrize(
    ("burn", "first", "asked"),
    [
        (Burn.FACE_10, "KD", 10),
        (Burn.FACE_0, "KD", 0),
        (Burn.FACE_10, "2C", 2),
        (Burn.DECKS, "2C", 8),
        (Burn.FIXED_1, "2C", 1),
        (Burn.FIXED_8, "KD", 8),
    ],
)
def test_a38_the_first_card_sets_how_many_are_burnt(burn, first, asked):
    felt = Felt(burn=burn)
    felt.burn(first, asked)
    assert felt.told("BurnCardSeen")[0]["asked"] == asked
    felt.hand(BANKER_WINS, "banker")
    assert (felt.incidents, felt.out) == ([], 1 + asked + 4)


def test_a38_too_few_burns_are_told_as_the_first_hand_begins():
    felt = Felt()
    felt.burn("3C", 2)
    felt.draw("P1:2S")
    assert (felt.incidents, felt.told("IncidentOpened")[0]["detail"]) == (["burn-count"], "1 burn card(s) missing")
    felt.draw("B1:3H P2:4C B2:5D")
    felt.call("banker")
    felt.draw("P1:2S")
    assert felt.incidents == ["burn-count"]


def test_a38_too_many_burns_are_told_before_the_first_hand():
    felt = Felt()
    felt.burn("AC", 2)
    assert felt.incidents == ["burn-count"]


@pytest.mark.parametrize(
    ("burn", "burnt", "detail"),
    [
        (Burn.DECKS, 5, "1 burn card(s) missing"),
        (Burn.DECKS, 7, "more burn cards than the first asks for"),
        (Burn.FIXED_4, 3, "1 burn card(s) missing"),
        (Burn.FIXED_4, 5, "more burn cards than the first asks for"),
    ],
)
def test_a38_a_burn_by_decks_or_of_a_fixed_number_is_held_against_that_number(burn: Burn, burnt: int, detail: str):
    felt = Felt(burn=burn, decks=6)
    felt.burn("AC", burnt)
    felt.draw("P1:2S")
    assert (set(felt.incidents), felt.told("IncidentOpened")[0]["detail"]) == ({"burn-count"}, detail)


def test_a38_the_dealer_reads_how_many_are_still_to_be_burnt_whatever_the_first_card_was():
    felt = Felt(burn=Burn.FIXED_4)
    felt.say(BurnCardDrawn(sets_count=True, left=4, card=None))  # its face was not read
    assert (felt.view.prompt.id, dict(felt.view.prompt.blanks)) == ("prompt.burn", {"n": "4"})
    assert felt.view.burn_left == 4


def test_a38_a_house_that_does_not_count_burns_is_not_warned():
    felt = Felt(burn=Burn.NONE)
    felt.burn("3C", 7)
    felt.draw("P1:2S")
    assert felt.incidents == []


def test_a38_a_burnt_face_is_for_surveillance_alone_for_it_lies_face_down():
    felt = Felt()
    felt.burn("AC", 0)
    felt.say(BurnCardDrawn(sets_count=False, left=0, card=Card.parse("9S")))
    told = [fact for fact in felt.below(Audience.SURVEILLANCE) if fact.name.value == "BurnCardSeen"]
    assert len(told) == 1
    assert dict(felt.eye.composition)[Card.parse("9S")] == 1


def test_a39_one_copy_too_many_stops_the_table_and_names_the_places_to_surveillance_alone():
    felt = Felt(decks=1)
    felt.hand(BANKER_WINS, "banker")
    felt.draw("P1:2S")
    assert felt.view.phase == "suspended"
    assert felt.view.prompt.id == "prompt.wait-supervisor"
    assert dict(felt.eye.alarms[0].sentence.blanks) == {"detail": "2S at 1 5"}
    assert felt.incidents == ["alarm"]
    told = repr((felt.view, felt.pit)).lower()
    assert "impossible" not in told
    assert "2S at" not in repr(felt.pit)


def test_a39_the_hand_with_the_impossible_card_says_so_last_on_its_line():
    felt = Felt(decks=1)
    felt.hand(BANKER_WINS, "banker")
    felt.hand("P1:2S B1:3D P2:4H B2:5H", "player", Pairs.PLAYER)
    felt.accept()
    assert [found[0] for found in kinds(felt.line())] == ["result-mismatch", "pair-mismatch", "impossible-card"]


def test_a39_an_eight_deck_shoe_holds_eight_copies_and_no_ninth():
    felt = Felt(decks=8)
    for _ in range(8):
        felt.hand(BANKER_WINS, "banker")
    assert felt.incidents == []
    felt.draw("P1:2S")
    assert felt.incidents == ["alarm"]


def test_a39_face_down_the_alarm_reaches_surveillance_at_once_and_the_table_at_the_reveal():
    felt = Felt(decks=1, deal=Deal.FACE_DOWN)
    felt.hand(BANKER_WINS, "banker")
    felt.draw("P1:2S B1:KH P2:4H B2:6D")
    assert len(felt.eye.alarms) == 1
    assert (felt.holds, felt.incidents, felt.view.phase) == ([], [], "drawing")
    felt.call("tie")
    assert (felt.view.phase, felt.incidents, felt.results) == ("suspended", ["alarm"], ["banker"])
    felt.accept()
    assert felt.results == ["banker", "tie"]
    assert [found[0] for found in kinds(felt.line())] == ["impossible-card"]


def test_a39_a_burnt_card_counts_as_a_copy_too():
    felt = Felt(decks=1)
    felt.hand(BANKER_WINS, "banker")
    felt.burn("2S", 0)
    assert felt.eye.alarms == ()  # another shoe
    felt.say(BurnCardDrawn(sets_count=False, left=0, card=Card.parse("2S")))
    assert (len(felt.eye.alarms), felt.view.phase) == (1, "suspended")


def test_a39_in_hidden_mode_the_copy_too_many_is_known_at_its_face():
    felt = Felt(decks=1, deal=Deal.FACE_DOWN, identifies=Identifies.AT_REVEAL)
    for _ in range(2):
        felt.draw("P1 B1 P2 B2")
        assert felt.eye.alarms == ()
        felt.show(BANKER_WINS if not felt.results else "P1:KS B1:3D P2:4C B2:5H")
        felt.call("banker")
    assert len(felt.eye.alarms) == 1
    assert (felt.results, felt.incidents) == (["banker"], ["alarm"])


def test_a40_cards_in_factory_order_are_an_alarm_within_twenty():
    felt = Felt()
    felt.hand("P1:AS B1:2S P2:3S B2:4S P3:5S B3:6S", "banker")
    assert felt.view.phase == "suspended"
    assert felt.eye.alarms[0].sentence.id == "incident.unshuffled"
    assert "unshuffled" not in repr(felt.pit)


def test_a40_four_successors_are_chance():
    """5 of 20 cards have chance 2.5e-5; four are let pass."""
    felt = Felt()
    felt.hand("P1:AS B1:2S P2:3S B2:4S P3:5S B3:9D", "player")
    assert [alarm.sentence.id for alarm in felt.eye.alarms] == []
