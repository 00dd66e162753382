"""faults.md A 41-44: cut card, few cards, the end of a shoe and the next one."""

from __future__ import annotations

import pytest

from controller.core.cards import Card
from controller.core.inputs import CloseShoe, NewShoe
from controller.core.signals import (
    BytesDamaged,
    CardDrawn,
    CutCardOut,
    Damage,
    Identifies,
    OffGameCardDrawn,
    OffGameMode,
)
from tests.faults.felt import BANKER_WINS, PLAYER_WINS, B, Felt, P


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
    assert felt.ask(CloseShoe(), "")[0]["why"] == "hand-open"
    assert felt.ask(NewShoe(), "")[0]["why"] == "hand-open"


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


def test_a44_messages_lost_before_a_new_shoe_leave_no_hole_in_its_first_hand():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.say(BytesDamaged(Damage.GAP, 1, lost=1))
    felt.accept()
    felt.ask(NewShoe(), "")
    felt.draw("B1:3H")
    assert (felt.out, felt.holds) == (1, ["wrong-order:banker"])


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
