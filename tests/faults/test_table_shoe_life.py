"""faults.md A 38-44: burn, composition, cut card and end of a shoe."""

from __future__ import annotations

import pytest

from controller.core.cards import Card
from controller.core.facts import Audience
from controller.core.inputs import CloseShoe, NewShoe
from controller.core.profile import Burn, Deal
from controller.core.signals import (
    BurnCardDrawn,
    CardDrawn,
    CutCardOut,
    Identifies,
    OffGameCardDrawn,
    OffGameMode,
    Pairs,
)
from tests.faults.felt import BANKER_WINS, PLAYER_WINS, B, Felt, P, kinds


@pytest.mark.parametrize(
    ("burn", "first", "asked"), [(Burn.FACE_10, "KD", 10), (Burn.FACE_0, "KD", 0), (Burn.FACE_10, "2C", 2)]
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


@pytest.mark.parametrize(
    ("after", "when", "stages"),
    [
        (0, "in mid-hand", ["cut-card-out", "finished"]),
        (1, "in mid-hand", ["cut-card-out", "last-hand", "last-hand", "finished"]),
        (0, "between hands", ["finished"]),
        (1, "between hands", ["last-hand", "last-hand", "finished"]),
    ],
)
def test_a41_after_the_cut_card_as_many_hands_as_the_house_allows(after, when, stages):
    felt = Felt(hands_after_cut=after)
    felt.hand(PLAYER_WINS, "player")
    seen = []
    if when == "in mid-hand":
        felt.draw("P1:2S B1:3H")
        felt.say(CutCardOut())
        seen.append(felt.view.stage)
        felt.draw("P2:4C B2:5D")
        felt.call("banker")
    else:
        felt.say(CutCardOut())
    seen.append(felt.view.stage)
    for _ in range(after):
        felt.draw(BANKER_WINS)
        seen.append(felt.view.stage)
        felt.call("banker")
        seen.append(felt.view.stage)
    assert seen == stages
    assert felt.view.prompt.id == "prompt.shoe-finished"
    assert felt.holds == []


def test_a41_a_hand_after_the_last_is_flagged_and_waits():
    felt = Felt(hands_after_cut=0)
    felt.say(CutCardOut())
    felt.draw("P1:2S")
    assert felt.holds == ["late-hand"]
    felt.draw("B1:3H P2:4C B2:5D")
    felt.call("banker")
    felt.accept()
    felt.draw("P1:2S")
    assert (felt.results, felt.holds) == (["banker"], ["late-hand"])


def used(felt: Felt, count: int) -> Felt:
    """Bring cards out of the shoe, outside any hand."""
    felt.say(*(OffGameCardDrawn(OffGameMode.SETTING, 0, None) for _ in range(count)))
    return felt


@pytest.mark.parametrize(("left", "kind"), [(14, None), (13, "no-cut-card"), (6, "no-cut-card"), (5, "few-cards")])
def test_a41_a42_few_cards_and_a_missing_cut_card_are_told_as_a_hand_begins(left, kind):
    felt = used(Felt(decks=1), 52 - left)
    felt.draw("P1:2S")
    assert [said for said in felt.incidents if said != "off-game-card"] == ([kind] if kind else [])


def test_a43_at_the_end_cards_and_stub_must_make_the_shoe():
    felt = Felt(decks=1)
    felt.hand(BANKER_WINS, "banker")
    felt.ask(CloseShoe(stub=48), "")
    closed = felt.told("ShoeClosed")[0]
    assert (closed["cards_out"], closed["known"], closed["unknown"], closed["difference"]) == (4, 4, 0, 0)
    assert felt.incidents == []


def test_a43_a_difference_is_reported():
    felt = Felt(decks=1)
    felt.hand(BANKER_WINS, "banker")
    felt.ask(CloseShoe(stub=47), "")
    assert (felt.told("ShoeClosed")[0]["difference"], felt.incidents) == (1, ["shoe-count"])


def test_a43_a_stub_that_nobody_counted_makes_no_difference():
    felt = Felt(decks=1)
    felt.hand(BANKER_WINS, "banker")
    felt.ask(CloseShoe(), "")
    assert (felt.told("ShoeClosed")[0]["difference"], felt.incidents) == (None, [])
    assert felt.view.prompt.id == "prompt.shoe-finished"
    assert felt.ask(CloseShoe(), "")[0]["why"] == "nothing-to-do"


def test_a43_a_shoe_is_not_closed_over_an_open_hand():
    felt = Felt()
    felt.draw("P1:2S")
    assert felt.ask(CloseShoe(), "")[0]["why"] == "not-now"
    assert felt.ask(NewShoe(), "")[0]["why"] == "not-now"


def test_a44_cards_of_a_closed_shoe_are_a_late_hand():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.ask(CloseShoe(), "")
    felt.draw("P1:2S")
    assert felt.holds == ["late-hand"]


def test_a44_a_result_that_comes_after_the_shoe_was_changed_is_quarantined():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.ask(NewShoe(), "")
    felt.call("player")
    assert (felt.view.shoe, felt.results, felt.incidents) == (2, [], ["error-anomaly"])


def test_a44_a_new_shoe_counts_from_nothing_and_is_opened_once():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.ask(NewShoe(), "")
    assert (felt.view.shoe, felt.out, felt.results, felt.view.stage) == (2, 0, [], "loaded")
    assert felt.ask(NewShoe(), "")[0]["why"] == "nothing-to-do"
    felt.burn("2C", 2)
    assert felt.view.shoe == 2
    felt.hand(PLAYER_WINS, "player")
    assert [fact["hand"] for fact in felt.told("HandCompleted")] == [1, 1]


def test_a44_a_burn_group_over_a_complete_hand_leaves_it_to_a_person():
    felt = Felt()
    felt.draw(BANKER_WINS)
    felt.burn("2C", 2)
    assert [earlier.hand_ref for earlier in felt.view.unsettled] == ["1-1"]
    felt.accept("1-1")
    assert (felt.line()["shoe"], felt.results, felt.view.unsettled) == ("1", [], ())


def test_a08_a43_cards_without_a_face_are_counted_as_unknown():
    felt = Felt(decks=1, identifies=Identifies.AT_DRAW)
    felt.draw("P1:2S")
    felt.say(CardDrawn(B, 1, None, unread=True), CardDrawn(P, 2, Card.parse("K?")))
    assert (felt.out, felt.eye.unknown, felt.eye.left) == (3, 2, 49)
