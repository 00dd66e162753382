"""The order of irregularities on a line, and each kind once a seat (design.md section 6)."""

from __future__ import annotations

import random

import pytest

from controller.core.cards import Card, Seat
from controller.core.games import PUNTO_BANCO
from controller.core.judge import in_order, judge
from controller.core.judgement import Next
from controller.core.signals import BytesDamaged, CardDrawn, Damage, ErrorCleared, ErrorRaised, Fault, Identifies, Pairs
from tests.faults.felt import BANKER_WINS, B, Felt, P, kinds
from tests.oracle import punto_banco as oracle

LAST = ["result-mismatch", "pair-mismatch", "impossible-card"]


def test_player_comes_before_banker_at_the_same_card():
    """A Banker card on two seats' breach: Player owed a card, and Banker 6 stands after none."""
    found = judge(PUNTO_BANCO, ((P, 2), (B, 2), (P, 3), (B, 4), (B, 9))).findings
    assert [(one.place, one.irregularity.kind) for one in found] == [
        (4, "player-missed-draw"),
        (4, "banker-false-draw"),
    ]


def test_mismatches_and_the_impossible_card_come_last_though_an_earlier_card_proves_them():
    felt = Felt(decks=1, identifies=Identifies.AT_DRAW)
    felt.hand(BANKER_WINS, "banker")
    felt.draw("P1:2S B1:KH P2:4H B2:7D P3:KC B3:AD")
    felt.call("player", Pairs.BOTH)
    felt.accept()
    assert [(kind, seat) for kind, seat, _ in kinds(felt.line())] == [
        ("player-false-draw", "player"),
        ("banker-false-draw", "banker"),
        ("result-mismatch", None),
        ("pair-mismatch", "player"),
        ("pair-mismatch", "banker"),
        ("impossible-card", None),
    ]


def test_what_the_link_and_the_shoe_prove_stands_at_its_card():
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.draw("P1:2S")
    felt.say(CardDrawn(B, 1, None, unread=True))
    felt.draw("P2:4C")
    felt.say(BytesDamaged(Damage.GAP, 1, lost=1))
    felt.draw("B2:5D P3:KC")
    felt.say(ErrorRaised(Fault.OVERDRAW, 2, error_mode=False), ErrorCleared(Fault.OVERDRAW, 2))
    felt.call("banker")
    felt.accept()
    assert [(kind, seat) for kind, seat, _ in kinds(felt.line())] == [
        ("unread-card", "banker"),
        ("link-gap", None),
        ("overdraw", None),
    ]


def test_each_kind_stands_once_a_seat():
    dealt = ((P, 2), (B, 1), (P, 3), (B, 2), (P, 4), (B, 5), (P, 1), (P, 1), (B, 1))
    assert [(one.kind, one.seat) for one in judge(PUNTO_BANCO, dealt).irregularities] == [
        ("extra-card", P),
        ("extra-card", B),
    ]


@pytest.mark.parametrize("seed", range(8))
def test_the_judge_names_what_the_oracle_names_in_its_order(seed):
    """Any two or three cards a seat, laid in drawing order; the oracle is flat and imports nothing."""
    rng = random.Random(seed)
    for _ in range(500):
        player, banker = ([rng.randrange(10) for _ in range(rng.choice([2, 3]))] for _ in "PB")
        judged = judge(PUNTO_BANCO, in_order(PUNTO_BANCO, {P: player, B: banker}))
        named = [(one.kind, one.seat.value, one.rule) for one in (*judged.irregularities, *judged.owed)]
        assert sorted(named) == sorted(oracle.faults(player, banker)), (player, banker)
        assert judged.result.value == oracle.winner(player, banker)
        assert judged.counted.value == oracle.winner(*oracle.counting(player, banker))
        assert (judged.step.next is Next.OVER) == (not judged.owed)


def test_a_seat_that_the_game_has_not_is_a_card_too_many_and_no_exception():
    judged = judge(PUNTO_BANCO, ((Seat.LEFT, 3), (P, 2)))
    assert judged.irregularities[0].kind == "extra-card"


def test_hidden_cards_prove_nothing():
    hidden = tuple((seat, None) for seat in (P, B, P, B, P, B))
    assert judge(PUNTO_BANCO, hidden).irregularities == ()
    assert judge(PUNTO_BANCO, hidden).step.next is Next.FACES


def test_a_natural_is_known_as_soon_as_one_seat_is_turned():
    judged = judge(PUNTO_BANCO, ((P, 9), (B, None), (P, 0), (B, None), (P, None)))
    assert [one.kind for one in judged.irregularities] == ["player-false-draw"]


def test_a_card_of_a_rank_is_no_pair_with_one_of_its_value():
    """R-PB-12: ten and jack count the same and make no pair."""
    felt = Felt()
    felt.hand("P1:TS B1:3H P2:JC B2:5D", "banker", None)
    assert (felt.view.counts.player_pair, felt.view.results[0].pairs) == (0, Pairs.NONE)
    felt.hand("P1:TS B1:4H P2:TC B2:4D", "banker", None)
    assert felt.view.results[1].pairs is Pairs.BOTH


def test_pairs_stay_unknown_where_only_values_are_known():
    felt = Felt()
    felt.say(*(CardDrawn(seat, index, Card.of_value(4)) for seat, index in ((P, 1), (B, 1), (P, 2), (B, 2))))
    felt.call("tie", Pairs.BOTH)
    assert (felt.results, felt.view.results[0].pairs) == (["tie"], None)
