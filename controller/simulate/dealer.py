"""What a dealer does wrong, as a table of named slips with a chance each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from random import Random

from controller.core.signals import Names


class Slip(StrEnum):
    """One thing that goes wrong in a hand; what the wire shows of it stands in ``SHOWS``."""

    OVERDRAW_WITHDRAWN = "overdraw-withdrawn"
    OVERDRAW_CARRIED = "overdraw-carried"
    WRONG_SPOT = "wrong-spot"
    WRONG_BUTTON = "wrong-button"
    EARLY_STAND_BY = "early-stand-by"
    CARD_RESLID = "card-re-slid"
    CARD_UNREAD = "card-unread"
    WRONG_RESULT = "wrong-result"
    POWER_UP = "power-up"
    PLAYER_FALSE_DRAW = "player-false-draw"
    PLAYER_MISSED_DRAW = "player-missed-draw"
    BANKER_FALSE_DRAW = "banker-false-draw"
    BANKER_MISSED_DRAW = "banker-missed-draw"


SHOWS = {
    Slip.OVERDRAW_WITHDRAWN: "error 2, the surplus card is taken out",
    Slip.OVERDRAW_CARRIED: "error 2, the surplus card opens the next hand",
    Slip.WRONG_SPOT: "a lawful frame: this shoe names the spot by its own reading of the rules",
    Slip.WRONG_BUTTON: "error 3, cleared",
    Slip.EARLY_STAND_BY: "error 3 while a card is owed, cleared, and the card",
    Slip.CARD_RESLID: "error 1, the card, cleared",
    Slip.CARD_UNREAD: "a card without a face",
    Slip.WRONG_RESULT: "a result that the cards do not give",
    Slip.POWER_UP: "a power-up in mid-hand; the cards are put aside and a new hand begins",
    Slip.PLAYER_FALSE_DRAW: "a card on Player, who stands",
    Slip.PLAYER_MISSED_DRAW: "no card on Player, who must draw",
    Slip.BANKER_FALSE_DRAW: "a card on Banker, who stands",
    Slip.BANKER_MISSED_DRAW: "no card on Banker, who must draw",
}

SEEN_BY_SENSOR = frozenset(
    (Slip.PLAYER_FALSE_DRAW, Slip.PLAYER_MISSED_DRAW, Slip.BANKER_FALSE_DRAW, Slip.BANKER_MISSED_DRAW)
)
SEEN_BY_RULE = frozenset((Slip.WRONG_SPOT,))

Rates = Mapping[Slip, float]

# Only what the shoe's own procedure settles: nobody attends a demonstration.
DEMO_RATES: Rates = {
    Slip.OVERDRAW_WITHDRAWN: 0.04,
    Slip.OVERDRAW_CARRIED: 0.03,
    Slip.WRONG_BUTTON: 0.04,
    Slip.CARD_RESLID: 0.04,
}


def possible(names_seat: Names) -> frozenset[Slip]:
    """Return the slips that a source which knows seats in this way can show."""
    unseen = SEEN_BY_RULE if names_seat is Names.BY_SENSOR else SEEN_BY_SENSOR
    return frozenset(Slip) - unseen


def rates_of(words: Iterable[str], names_seat: Names) -> Rates:
    """Read `0.02` (every possible slip) and `name=0.05`, the later word winning.

    Rates are chances 0..1 for each hand in which the slip can happen. Raises ValueError with what may be said.
    """
    rates: dict[Slip, float] = {}
    for word in words:
        name, equals, number = word.rpartition("=")
        slips = [_slip(name, names_seat)] if equals else sorted(possible(names_seat))
        rates |= dict.fromkeys(slips, rate_of(number))
    return rates


def rate_of(text: str) -> float:
    """Read a chance 0..1; raises ValueError with what came."""
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0 <= rate <= 1:
        raise ValueError(f"a rate is a number from 0 to 1, not {text!r}")
    return rate


def _slip(name: str, names_seat: Names) -> Slip:
    allowed = possible(names_seat)
    if name not in frozenset(Slip):
        raise ValueError(f"no error is called {name!r}; there are: {', '.join(sorted(allowed))}")
    if (slip := Slip(name)) not in allowed:
        raise ValueError(f"{name} cannot be seen where the shoe names seats {names_seat.value}")
    return slip


class Dealer:
    """Decides, hand by hand, what will go wrong."""

    def __init__(self, rates: Rates, chance: Random) -> None:
        self._rates = rates
        self._chance = chance

    def slips(self) -> frozenset[Slip]:
        """Return the slips of the next hand; each is drawn by itself, so a hand may hold several."""
        return frozenset(slip for slip in Slip if self._chance.random() < self._rates.get(slip, 0.0))
