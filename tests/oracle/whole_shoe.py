"""Every deal of a whole shoe, counted in integers by value classes. Imports nothing from the project.

A weight is a number of ordered deals of six cards out of 52 x decks: sixteen tens, four of each other value a deck.
``decks`` None is a shoe without end, in which each of thirteen ranks always comes equally often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import perm, prod

from tests.oracle.old_games import STOOD

VALUES = range(10)
PAIRS = tuple(combinations_with_replacement(VALUES, 2))
Six = tuple[int, int, int, int]  # first hand's point, banker's point, fifth card, sixth card


def total(decks: int) -> int:
    return perm(52 * decks, 6)


def left_after(decks: int | None, values: tuple[int, ...]) -> list[int]:
    """How many of each value are left in the shoe."""
    if decks is None:
        return [4, *[1] * 9]
    out = Counter(values)
    return [(16 if value == 0 else 4) * decks - out[value] for value in VALUES]


def ways(decks: int | None, values: tuple[int, ...]) -> int:
    """In how many ways these values come in this order."""
    return prod(left_after(decks, values[:place])[value] for place, value in enumerate(values))


@cache
def two_hands(decks: int | None) -> Counter[Six]:
    """The weight of each (player's point, banker's point, fifth card, sixth card)."""
    found: Counter[Six] = Counter()
    for one, two in product(PAIRS, repeat=2):
        four = (*one, *two)
        weight = orders(one) * orders(two) * ways(decks, four)
        for fifth in VALUES:
            five = weight * left_after(decks, four)[fifth]
            last = left_after(decks, (*four, fifth))
            for sixth in VALUES:
                found[sum(one) % 10, sum(two) % 10, fifth, sixth] += five * last[sixth]
    return found


def orders(pair: tuple[int, int]) -> int:
    return 2 if pair[0] != pair[1] else 1


def no_natural_in_three_hands(decks: int) -> int:
    """B.3: six cards to three hands, and nobody holds 8 or 9."""
    low = [pair for pair in PAIRS if sum(pair) % 10 < 8]
    number = 0
    for one, two in product(low, repeat=2):
        left = left_after(decks, (*one, *two))
        third = sum(orders((a, b)) * left[a] * (left[b] - (a == b)) for a, b in low)
        number += orders(one) * orders(two) * ways(decks, (*one, *two)) * third
    return number


def without_natural(decks: int | None) -> Iterator[tuple[Six, int]]:
    """The deals without a natural."""
    return ((six, weight) for six, weight in two_hands(decks).items() if six[0] < 8 and six[1] < 8)


def sign(player: int, banker: int) -> int:
    """1 where the banker wins, -1 where he loses."""
    return (banker > player) - (banker < player)


@cache
def gains(decks: int | None) -> dict[tuple[int, object], tuple[Fraction, Fraction]]:
    """For each cell (banker's point, third card or "-"): what drawing gains over standing, in units of the stake.

    First where the punter never draws on 5, then where he always does (A.4, totals-only play). The gain is weighed by
    how often the punter's cards lead to this cell, given the banker's point.
    """
    weighed: Counter[tuple[int, object, bool]] = Counter()
    points: Counter[int] = Counter()
    for (player, banker, fifth, sixth), weight in two_hands(decks).items():
        points[banker] += weight
        if max(player, banker) > 7:
            continue
        for draws_five in (False, True):
            draws = player < 5 or (player == 5 and draws_five)
            after = (player + fifth) % 10 if draws else player
            own = sixth if draws else fifth
            gain = sign(after, (banker + own) % 10) - sign(after, banker)
            weighed[banker, fifth if draws else STOOD, draws_five] += weight * gain
    return {
        (banker, third): (
            Fraction(weighed[banker, third, False], points[banker]),
            Fraction(weighed[banker, third, True], points[banker]),
        )
        for banker in range(8)
        for third in (*VALUES, STOOD)
    }
