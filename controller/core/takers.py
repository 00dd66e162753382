"""Who took the cards drawn after the deal, as far as order and count tell."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from controller.core.cards import Seat
from controller.core.games import Game

Told = tuple[Seat | None, ...]  # a seat for each card drawn after the deal, in order; None where nobody said


@cache
def placings(game: Game, told: Told) -> tuple[tuple[Seat, ...], ...]:
    """Return every way in which these cards can lie: one a seat, in the order of the turns, as far as told.

    >>> from controller.core.games import GAMES
    >>> [[seat.value for seat in way] for way in placings(GAMES["foster"], (Seat.LEFT, None))]
    [['left', 'banker']]
    """
    seats = (turn.seat for turn in game.turns)
    ways = combinations(seats, len(told))
    return tuple(way for way in ways if all(said in (None, seat) for said, seat in zip(told, way, strict=True)))


def asked(game: Game, told: Told) -> tuple[int, ...]:
    """Return the places of the cards for which somebody must say who took them.

    A card that no seat can have taken any more is not asked for: it belongs to nobody, or to the next hand.

    >>> from controller.core.games import GAMES
    >>> asked(GAMES["chemin_free"], (None,)), asked(GAMES["chemin_free"], (None, None, None))
    ((0,), ())
    """
    if None not in told:
        return ()
    most = next(size for size in range(len(told), -1, -1) if placings(game, told[:size]))
    if len(placings(game, told[:most])) == 1:
        return ()
    return tuple(place for place in range(most) if told[place] is None)
