"""faults.md A 24-28: the deal itself goes wrong. Hands are worked out by rules.md C.1."""

from __future__ import annotations

import pytest

from controller.core.profile import Deal
from controller.core.signals import Identifies
from tests.faults.felt import Felt, kinds

# What is dealt, the holds after the last card, the irregularities of the line, the result called.
IRREGULAR = {
    "a24_banker_first": (
        "B1:3H P1:2S P2:4C B2:5D",
        [("wrong-order", "banker", "R-PB-01"), ("wrong-order", "player", "R-PB-01")],
        "banker",
    ),
    "a26_player_draws_after_a_player_natural": (
        "P1:9S B1:2H P2:KC B2:4D P3:3C",
        [("player-false-draw", "player", "R-PB-02")],
        "player",
    ),
    "a26_banker_draws_after_a_player_natural": (
        "P1:9S B1:2H P2:KC B2:4D B3:3C",
        [("banker-false-draw", "banker", "R-PB-02")],
        "tie",
    ),
    "a27_player_draws_on_six": (
        "P1:2C B1:AH P2:4H B2:6D P3:KC",
        [("player-false-draw", "player", "R-PB-03")],
        "banker",
    ),
    "a27_player_draws_on_seven": (
        "P1:3C B1:KH P2:4H B2:6D P3:2C",
        [("player-false-draw", "player", "R-PB-03")],
        "player",
    ),
    "a27_player_on_five_stands_and_banker_draws": (
        "P1:2D B1:AH P2:3C B2:2D B3:4S",
        [("player-missed-draw", "player", "R-PB-03")],
        "banker",
    ),
    "a28_banker_seven_draws": (
        "P1:9C B1:7H P2:5S B2:KD P3:3C B3:2D",
        [("banker-false-draw", "banker", "R-PB-05")],
        "banker",
    ),
    "a28_banker_three_draws_on_an_eight": (
        "P1:KC B1:3H P2:AS B2:KD P3:8C B3:6D",
        [("banker-false-draw", "banker", "R-PB-05")],
        "tie",
    ),
    "a28_banker_six_draws_though_player_stood": (
        "P1:2C B1:KH P2:4H B2:6D B3:AD",
        [("banker-false-draw", "banker", "R-PB-04")],
        "banker",
    ),
    "two_faults_in_one_hand": (
        "P1:2C B1:KH P2:4H B2:7D P3:KC B3:AD",
        [("player-false-draw", "player", "R-PB-03"), ("banker-false-draw", "banker", "R-PB-05")],
        "banker",
    ),
    "two_faults_and_a_wrong_result": (
        "P1:2C B1:KH P2:4H B2:7D P3:KC B3:AD",
        [
            ("player-false-draw", "player", "R-PB-03"),
            ("banker-false-draw", "banker", "R-PB-05"),
            ("result-mismatch", None, "R-PB-10"),
        ],
        "player",
    ),
}


@pytest.mark.parametrize(("dealt", "wrong", "called"), IRREGULAR.values(), ids=IRREGULAR.keys())
def test_a24_a26_to_a28_an_irregular_deal_is_named_with_its_rule_and_waits_for_a_person(dealt, wrong, called):
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.stand_by()
    felt.draw(dealt)
    assert felt.view.phase == "suspended"
    assert felt.view.prompt.id == "prompt.wait-supervisor"
    felt.call(called)
    assert felt.results == []
    assert [(hold.sentence.id, hold.waits_for_person) for hold in felt.view.holds] == [
        (f"hold.{kind}", True) for kind, *_ in wrong
    ]
    felt.accept()
    assert (felt.results, kinds(felt.line())) == ([called], wrong)


@pytest.mark.parametrize(
    ("dealt", "kind", "rule"),
    [
        ("P1:9C B1:7H P2:5S B2:KD", "player-missed-draw", "R-PB-03"),
        ("P1:2C B1:KH P2:4H B2:5D", "banker-missed-draw", "R-PB-04"),
        ("P1:2D B1:AH P2:3C B2:2D P3:4S", "banker-missed-draw", "R-PB-05"),
    ],
)
def test_a27_a28_a_result_called_before_an_owed_card_is_a_missed_draw(dealt, kind, rule):
    felt = Felt()
    felt.draw(dealt)
    assert felt.holds == []
    before = felt.table.hand.judged(felt.table.game)
    felt.call(before.result.value)
    assert felt.view.phase == "suspended"
    assert (felt.view.holds[0].sentence.id, felt.view.holds[0].sentence.rule) == (f"hold.{kind}", rule)
    felt.accept()
    assert [found[0] for found in kinds(felt.line())] == [kind]


def test_a27_a_card_owed_may_still_come_after_the_early_result():
    """rules.md C.5 PBI-05: restore at once. The late card is laid; the person then lets the hand stand."""
    felt = Felt()
    felt.draw("P1:9C B1:7H P2:5S B2:KD")
    felt.call("banker")
    felt.draw("P3:3C")
    felt.accept()
    assert (felt.line()["player"], felt.line()["result"]) == (["9C", "5S", "3C"], "tie")


@pytest.mark.parametrize("total", [("P1:2C", "P2:4H"), ("P1:3C", "P2:4H")])
def test_a27_a_placing_sensor_says_where_the_card_really_lies(total):
    """The Player stands on 6 or 7 and the Banker owes a card; laid on Player it is a false draw, not Banker's card."""
    first, second = total
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.draw(f"{first} B1:KH {second} B2:5D P3:9C")
    assert felt.holds == ["player-false-draw:player"]
    assert [str(spot.card) for spot in felt.view.seats[0].spots][-1] == "9C"
    assert len(felt.view.seats[1].spots) == 2


def test_a27_a_shoe_that_names_spots_by_its_own_rules_makes_the_same_error_lawful():
    """wire-formats.md 1.1: the shoe says Banker 3 for a card laid on Player; nothing on the wire is wrong."""
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.draw("P1:2C B1:KH P2:4H B2:5D B3:9C")
    assert (felt.holds, felt.view.phase) == ([], "complete")


def test_a26_the_result_that_counts_is_that_of_the_first_four_and_either_may_be_called():
    """design.md section 6: no mismatch if the call equals the cards as dealt or the cards that count."""
    for called in ("player", "tie"):
        felt = Felt()
        felt.draw("P1:9S B1:2H P2:KC B2:4D B3:3C")
        felt.call(called)
        felt.accept()
        assert felt.line()["result"] == "tie"
        assert [found[0] for found in kinds(felt.line())] == ["banker-false-draw"]


def test_a26_in_hidden_mode_a_false_draw_is_found_at_the_faces():
    """The cards as the shoe counted them may still break a rule; nothing is said before I."""
    felt = Felt(deal=Deal.FACE_DOWN, identifies=Identifies.AT_REVEAL)
    felt.draw("P1 B1 P2 B2 P3")
    assert felt.holds == []
    felt.show("P1:9S B1:2H P2:KC")
    assert felt.holds == ["player-false-draw:player"]


def test_a27_an_accepted_false_draw_is_not_raised_again_by_the_next_card():
    felt = Felt()
    felt.draw("P1:2C B1:KH P2:4H B2:5D P3:6C")
    felt.accept()
    assert felt.view.prompt.rule == "R-PB-05"  # Banker 5 draws on a 6
    felt.draw("B3:KD")
    assert felt.holds == []
    felt.call("banker")
    assert (felt.results, kinds(felt.line())) == (["banker"], [("player-false-draw", "player", "R-PB-03")])


def test_a36_the_same_face_twice_running_and_in_the_same_spot_is_lawful():
    felt = Felt()
    felt.hand("P1:2S B1:2S P2:4C B2:6D", "banker")
    felt.hand("P1:2S B1:2S P2:4C B2:6D", "banker")
    assert (felt.results, felt.incidents, felt.out) == (["banker", "banker"], [], 8)


def test_a27_an_accepted_missed_draw_asks_for_no_card_any_more():
    """The hand stands as the cards lie: a card now would be one too many."""
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.draw("P1:2D B1:AH P2:3C B2:2D B3:4S")
    felt.accept()
    assert (felt.view.phase, felt.view.prompt.id) == ("complete", "prompt.press-result")
    felt.draw("P3:9S")
    assert felt.holds == ["wrong-order:player"]
