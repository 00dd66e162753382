"""Banque's seats and the banker's surplus card, from the texts (rules.md B.1). Imports nothing from the project."""

from __future__ import annotations

from collections.abc import Sequence


def surplus(values: Sequence[int]) -> int:
    """Return the place, from 0, of the banker's card that goes to the basket: IR-07, MINPOINT.

    Its loss leaves the smallest point; of equal ones the last dealt goes.
    """
    left = [(sum(values) - value) % 10 for value in values]
    return max(place for place, point in enumerate(left) if point == min(left))


def next_holder(holder: int, side: str | None, occupied: Sequence[int] = (1, 2, 3, 4, 5)) -> int:
    """Return who holds this side's cards in the next coup, by his place from the banker: R-000-52..55, A11, A12.

    ``side`` is who won there; None where the side refused the coup: only a loss moves the cards.
    """
    if side != "banker":
        return holder
    beyond = [seat for seat in occupied if seat > holder]
    return min(beyond or occupied)
