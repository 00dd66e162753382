"""What judging a hand costs where people decide, in punto banco hands; all in one run, nothing remembered."""

from __future__ import annotations

import random
import time

import pytest

from controller.core.games import GAMES
from controller.core.judge import judge
from controller.core.judgement import Dealt

AIM = 2.0  # times a punto banco hand
HANDS = 1_000
REPEATS = 15
VALUES = (0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
OLD = [name for name in GAMES if name != "punto-banco"]


def lawful(name: str) -> list[tuple[Dealt, ...]]:
    """Seeded hands of a game, each card where the judge asks for one; a free seat draws every other time."""
    chance, game = random.Random(7), GAMES[name]
    hands = []
    for _ in range(HANDS):
        laid: tuple[Dealt, ...] = tuple((seat, chance.choice(VALUES)) for seat in game.deal)
        while (seat := judge(game, laid).step.seat) is not None and judge(game, laid).step.next.value in (
            "card",
            "choice",
        ):
            if judge(game, laid).step.next.value == "choice" and chance.random() < 0.5:
                break
            laid = (*laid, (seat, chance.choice(VALUES)))
        hands.append(laid)
    return hands


@pytest.mark.bench
def test_judging_a_hand_of_the_old_games_costs_at_most_twice_one_of_punto_banco():
    """Each game in turn in each round, so that all meet the same machine; the quickest round of each counts."""
    hands = {name: lawful(name) for name in GAMES}
    best = dict.fromkeys(GAMES, float("inf"))
    for _ in range(REPEATS):
        for name, game in GAMES.items():
            start = time.process_time()
            for laid in hands[name]:
                judge.__wrapped__(game, laid)
            best[name] = min(best[name], (time.process_time() - start) / HANDS)
    print()
    for name, seconds in best.items():
        cards = sum(map(len, hands[name])) / HANDS
        ratio = seconds / best["punto-banco"]
        print(f"judge {name:26} {seconds * 1e6:6.1f} us a hand of {cards:.1f} cards, {ratio:.2f} x punto banco")
    assert max(best[name] for name in OLD) <= AIM * best["punto-banco"]
