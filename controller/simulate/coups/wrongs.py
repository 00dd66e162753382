"""What goes wrong where people decide: named slips of players, dealer and croupier, with a chance each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from controller.core.cards import Seat
from controller.core.games import Game
from controller.simulate.dealer import rate_of


class Wrong(StrEnum):
    """One thing that goes wrong in a coup; what a reader of the wire and of the keys finds stands in ``SHOWS``."""

    PUNTER_FALSE_DRAW = "punter-false-draw"
    PUNTER_MISSED_DRAW = "punter-missed-draw"
    RIGHT_FALSE_DRAW = "right-false-draw"
    RIGHT_MISSED_DRAW = "right-missed-draw"
    LEFT_FALSE_DRAW = "left-false-draw"
    LEFT_MISSED_DRAW = "left-missed-draw"
    BANKER_FALSE_DRAW = "banker-false-draw"
    BANKER_MISSED_DRAW = "banker-missed-draw"
    EXTRA_CARD = "extra-card"
    CARD_UNREAD = "card-unread"
    FACED_CARD = "faced-card"
    FORGOTTEN_CLOSE = "forgotten-close"
    WRONG_TAKER = "wrong-taker"
    WRONG_SPOT = "wrong-spot"


SHOWS = {
    Wrong.EXTRA_CARD: "a card more than the seats may hold",
    Wrong.CARD_UNREAD: "a line that is no card's code",
    Wrong.FACED_CARD: "nothing: it is burnt and the next card serves (IR-02)",
    Wrong.FORGOTTEN_CLOSE: "nothing: one key says which card opened the next coup",
    Wrong.WRONG_TAKER: "the coup as the croupier told it, right or wrong",
    Wrong.WRONG_SPOT: "nothing: this shoe names no spots",
}
BURNS = frozenset((Wrong.FACED_CARD, Wrong.EXTRA_CARD))  # each takes a card more out of the shoe

Rates = Mapping[Wrong, float]


def possible(game: Game) -> tuple[Wrong, ...]:
    """Return the slips that this game can show: draws of its seats, as far as a rule binds them, and those of any game.

    >>> from controller.core.games import GAMES
    >>> [wrong.value for wrong in possible(GAMES["chemin_free"])][:3]
    ['punter-false-draw', 'punter-missed-draw', 'banker-false-draw']
    """
    bound = {turn.seat for turn in game.turns if any("D" in row for row in turn.rows)}
    none = {f"{seat.value}-false-draw" for seat in Seat if seat not in game.seats}
    none |= {f"{seat.value}-missed-draw" for seat in Seat if seat not in bound}
    return tuple(wrong for wrong in Wrong if wrong.value not in none)


def rates_of(words: Iterable[str], game: Game) -> Rates:
    """Read `0.02` (every possible slip) and `name=0.05`, the later word winning.

    Rates are chances 0..1 for each coup in which the slip can happen. Raises ValueError with what may be said.
    """
    rates: dict[Wrong, float] = {}
    for word in words:
        name, equals, number = word.rpartition("=")
        rates |= dict.fromkeys([_wrong(name, game)] if equals else possible(game), rate_of(number))
    return rates


def _wrong(name: str, game: Game) -> Wrong:
    allowed = possible(game)
    if name not in allowed:
        raise ValueError(f"no error of {game.name} is called {name!r}; there are: {', '.join(allowed)}")
    return Wrong(name)
