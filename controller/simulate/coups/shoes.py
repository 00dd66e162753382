"""Whole shoes of coups: seeded, dealt until too few cards are left, with the keys to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from random import Random

from controller.core.games import Game
from controller.core.inputs import Command, NewShoe
from controller.core.signals import CardDrawn
from controller.simulate.coups.coup import Coup, Event
from controller.simulate.coups.truth import Truth, truth_of
from controller.simulate.coups.wrongs import BURNS, Rates, Wrong
from controller.simulate.pile import Pile, shuffled

USUAL_DECKS = 6  # R-002-01, R-004-01
ON_FIRST_CARDS = frozenset((Wrong.FACED_CARD, Wrong.CARD_UNREAD))  # not while the coup before is still to be closed


@dataclass(frozen=True, slots=True)
class Evening:
    """What is simulated: a game, its decks, and what goes wrong."""

    game: Game
    decks: int = USUAL_DECKS
    rates: Rates = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Played:
    """One coup: cards and commands in the order of time, and the truth."""

    events: tuple[CardDrawn | Command, ...]
    truth: Truth


class Shoe:
    """One seeded shoe; ``pile`` knows where every card is. The cards depend on seed and number only."""

    def __init__(self, evening: Evening, seed: int, number: int = 1) -> None:
        self.evening = evening
        self.number = number
        # Chance here makes a table that can be dealt again; nothing is kept secret by it.
        self.pile: Pile = shuffled(evening.decks, 0, Random(f"{seed}/{number}/cards"))  # noqa: S311
        self._chance = Random(f"{seed}/{number}/people")  # noqa: S311
        self._keys = 0

    def coups(self, most: int | None = None) -> Iterator[Played]:
        """Deal coups, at most so many, while a card more is left than one can take (R-000-06, R-003-17)."""
        late: Coup | None = None
        number = 0
        while self._may_begin() and number != most:
            number += 1
            coup = Coup(self.evening.game, number, self.pile, self._wrongs(late), self._chance)
            coup.deal()
            events = list(coup.events)
            if late is not None:
                late.close_late(events)
            last = number == most or not self._may_begin()
            late = coup if not last and coup.forgets_to_close() else None
            if late is None:
                events += coup.close()
            yield Played(tuple(map(self._told, events)), truth_of(coup, self.number))
        self.pile.put_away()

    def _may_begin(self) -> bool:
        return len(self.pile.cards) > self.evening.game.most_out

    def _wrongs(self, late: Coup | None) -> frozenset[Wrong]:
        """Draw the next slips, each by itself; one that takes a card more needs a shoe that has it."""
        rates = self.evening.rates
        wrongs = frozenset(wrong for wrong in Wrong if self._chance.random() < rates.get(wrong, 0.0))
        spare = len(self.pile.cards) - self.evening.game.most_out
        return wrongs - (BURNS if spare < len(BURNS) else frozenset()) - (ON_FIRST_CARDS if late else frozenset())

    def _told(self, event: Event) -> CardDrawn | Command:
        if isinstance(event, CardDrawn):
            return event
        self._keys += 1
        return Command(f"key-{self.number}-{self._keys}", event.act, f"{self.number}-{event.coup}")


def shoes(evening: Evening, seed: int) -> Iterator[Shoe]:
    """Yield shoe after shoe, without end."""
    return (Shoe(evening, seed, number) for number in count(1))


def next_shoe(number: int) -> Command:
    """The key that begins the record of this shoe: the wire tells nothing of it."""
    return Command(f"shoe-{number}", NewShoe())
