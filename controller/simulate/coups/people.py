"""How sensible people play: by the rule where one binds them, else by what wins more often."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from random import Random

from controller.core.cards import Seat
from controller.core.games import NO_THIRD, Flow, Game, Turn, Verdict

VALUES = (0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)  # of the thirteen ranks, each as likely as another
DRAWS_AT_FIVE = 0.5
FIVE = 5
FIRST_TOTALS = tuple((one + two) % 10 for one, two in product(VALUES, repeat=2))


@dataclass(slots=True)
class Lying:
    """What lies on the felt, by value: the point of each seat's first cards, and the third cards taken so far."""

    game: Game
    firsts: dict[Seat, int] = field(default_factory=dict)
    thirds: dict[Seat, int] = field(default_factory=dict)

    def verdict(self, turn: Turn) -> Verdict:
        """What the table asks of a seat, its two first cards being there."""
        enders = self.game.seats if self.game.flow is Flow.ALL_AT_ONCE else (self.game.bank,)
        if any(self.firsts[seat] >= self.game.natural for seat in enders):
            return Verdict.STAND
        third = next((self.thirds[seat] for seat in turn.after if seat in self.thirds), None)
        return turn.verdict(self.firsts[turn.seat], third)

    def is_open(self, side: Seat) -> bool:
        """Whether the banker's draw can still change what this side wins: its natural is not beaten any more."""
        return self.firsts[side] < self.game.natural


def draws(lying: Lying, turn: Turn, chance: Random) -> bool:
    """Whether a sensible person takes a card here."""
    match lying.verdict(turn):
        case Verdict.DRAW:
            return True
        case Verdict.STAND:
            return False
        case _ if turn.seat is lying.game.bank:
            return best_reply(lying)
        case _:
            return five_rule(lying.firsts[turn.seat], chance)


def five_rule(point: int, chance: Random) -> bool:
    """Draw under five, stand over it, at five as it comes (R-002-22..26, R-004-21)."""
    return chance.random() < DRAWS_AT_FIVE if point == FIVE else point < FIVE


def best_reply(lying: Lying) -> bool:
    """Whether drawing gains the bank more than standing, both sides being staked alike."""
    own = lying.firsts[lying.game.bank]
    sides = [side for side in lying.game.sides if lying.is_open(side)]
    return sum(gain(own, lying.thirds.get(side, NO_THIRD)) for side in sides) > 0


@cache
def gain(own: int, third: int) -> float:
    """What drawing gains a banker of this point against one side, in stakes; ``third`` is its card, 10 for none.

    Endless packs, and a side that keeps the rule and draws at five half of the time (rules.md A.4).

    >>> gain(3, 8) < 0 < gain(6, 6), gain(7, 10) < 0
    (True, True)
    """
    took = third != NO_THIRD
    points = {total: weight for total in range(8) if (weight := _weight(total, FIRST_TOTALS.count(total), took=took))}
    held = {(total + (third if took else 0)) % 10: weight for total, weight in points.items()}
    drawn = sum(_stakes((own + card) % 10, held) for card in VALUES) / len(VALUES)
    return drawn - _stakes(own, held)


def _weight(total: int, ways: int, *, took: bool) -> float:
    drew = DRAWS_AT_FIVE if total == FIVE else float(total < FIVE)
    return ways * (drew if took else 1 - drew)


def _stakes(own: int, held: Mapping[int, float]) -> float:
    return sum(weight * ((own > other) - (own < other)) for other, weight in held.items()) / sum(held.values())
