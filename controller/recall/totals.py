"""The points of seats as rows have their cards."""

from __future__ import annotations

from collections.abc import Iterable

POINTS = {letter: value for value, letter in enumerate("0A23456789")} | {"1": 1} | dict.fromkeys("TJQK", 0)


def total(cards: Iterable[str | None]) -> int | None:
    """Return the point of a seat as written; None where a face is not known or there are no cards.

    >>> total(["9S", "5S", "3D"]), total(["KH", None])
    (7, None)
    """
    values = [POINTS.get(card[0]) if card else None for card in cards]
    known = [value for value in values if value is not None]
    return sum(known) % 10 if values and len(known) == len(values) else None
