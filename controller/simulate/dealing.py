"""Whole shoes: burn group, hands until the last-hand rule ends them, and where every card went."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from controller.core.profile import House
from controller.core.shoe import asked
from controller.core.signals import BurnCardDrawn, Names, PoweredUp, Signal, StoodBy
from controller.simulate.dealer import Dealer, Rates, Slip
from controller.simulate.hand import Hand, Mode
from controller.simulate.pile import Pile, shuffled
from controller.simulate.truth import Truth, truth_of

STAND_BY_RATE = 0.8  # the field log has a stand-by after ten of twelve results
BEHIND_CUT_CARDS = 16  # rules.md C.4, eight decks with one hand after the cut card


@dataclass(frozen=True, slots=True)
class Table:
    """What is simulated: a house's choices, how its shoe speaks, and what its dealer does wrong."""

    house: House = field(default_factory=House)
    mode: Mode = Mode.HIDDEN
    names_seat: Names = Names.BY_ITS_RULE
    rates: Rates = field(default_factory=dict)
    behind_cut: int = BEHIND_CUT_CARDS


@dataclass(frozen=True, slots=True)
class Played:
    """One hand as the shoe reported it, and the truth."""

    signals: tuple[Signal, ...]
    truth: Truth


class Shoe:
    """One seeded shoe: take ``opening`` once, then ``hands``; ``pile`` then knows where every card is.

    The cards depend on seed and number only, so dealers who err differently find the same shoe.
    """

    def __init__(self, table: Table, seed: int, number: int = 1) -> None:
        self.table = table
        self.number = number
        # Chance here makes a table that can be dealt again; nothing is kept secret by it.
        self.pile: Pile = shuffled(table.house.decks, table.behind_cut, Random(f"{seed}/{number}/cards"))  # noqa: S311
        self._chance = Random(f"{seed}/{number}/dealer")  # noqa: S311
        self._dealer = Dealer(table.rates, self._chance)
        self._after_cut = 0

    def opening(self) -> tuple[Signal, ...]:
        """Return what the shoe says before the first hand: power-up, then the burn group."""
        first = self.pile.cards[-1]
        count = asked(self.table.house, first)
        if count is None:
            return (PoweredUp(),)
        taken = [self.pile.draw() for _ in range(count + 1)]
        self.pile.burnt += taken
        burns = [
            BurnCardDrawn(sets_count=False, left=count - place, card=taken[place]) for place in range(1, count + 1)
        ]
        return (PoweredUp(), BurnCardDrawn(sets_count=True, left=0, card=first), *burns)

    def hands(self, most: int | None = None) -> Iterator[Played]:
        """Deal hands, at most so many numbered ones, until the shoe ends."""
        number = 0
        while self._may_begin() and (most is None or number < most):
            hand = self._next_hand()
            number += hand.called is not None
            truth = truth_of(hand, self.number, number if hand.called else None)
            yield Played(tuple(hand.signals), truth)
        self.pile.put_away()

    def _may_begin(self) -> bool:
        enough = len(self.pile.cards) > self.table.house.game.most_out  # one more than a hand needs, for an overdraw
        return enough and (not self.pile.cut_out or self._after_cut < self.table.house.hands_after_cut)

    def _next_hand(self) -> Hand:
        self._after_cut += self.pile.cut_out
        hand = Hand(self.table.house.game, self.table.mode, self.pile, self._slips(), self._chance)
        hand.deal()
        if hand.called is None:
            return hand
        hand.cut_card()
        if self._chance.random() < STAND_BY_RATE:
            hand.signals.append(StoodBy())
        return hand

    def _slips(self) -> frozenset[Slip]:
        """The next slips; a card is carried only where a next hand may take it."""
        slips = self._dealer.slips()
        last = self.pile.cut_out and self._after_cut >= self.table.house.hands_after_cut
        return slips - {Slip.OVERDRAW_CARRIED} if last else slips


def shoes(table: Table, seed: int, first: int = 1) -> Iterator[Shoe]:
    """Yield shoe after shoe, without end."""
    number = first
    while True:
        yield Shoe(table, seed, number)
        number += 1
