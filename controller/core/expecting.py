"""What a person may say at a table of this game, and why he is refused who says what belongs to another one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product

from controller.core.cards import Seat
from controller.core.games import Game
from controller.core.judgement import REFUSED
from controller.core.signals import Call

TIE = Call.TIE.value


@cache
def results_of(game: Game) -> frozenset[Call]:
    """Return the results that a hand of this game can have: one winner for each side.

    >>> from controller.core.games import PUNTO_BANCO
    >>> sorted(call.value for call in results_of(PUNTO_BANCO))
    ['banker', 'player', 'tie']
    """
    refusable = (REFUSED,) * (len(game.sides) > 1)  # alone against the bank nobody binds a side (R-000-15)
    ways = product(*((side.value, game.bank.value, TIE, *refusable) for side in game.sides))
    return frozenset(Call("/".join(way)) for way in ways if set(way) != {REFUSED})


def strange_result(game: Game, results: Iterable[Call]) -> str:
    """Return why these results are refused, with the ones expected; empty where all are of this game."""
    return "" if results_of(game) >= set(results) else _expects("result-of", game)


def strange_seat(game: Game, seats: Iterable[Seat | None]) -> str:
    """Return why these seats are refused, with the ones expected; empty where all are of this game."""
    return "" if set(game.seats) >= set(seats) else _expects("seats-of", game)


def _expects(what: str, game: Game) -> str:
    """The sentence for this game: games with the same sides share one."""
    return "-".join([what, *(side.value for side in game.sides)])
