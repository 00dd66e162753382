"""One hand as a dealer lays it and a shoe reports it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from random import Random

from controller.core.cards import Card, Seat
from controller.core.games import Game, Turn, Verdict
from controller.core.signals import (
    Call,
    CardCarried,
    CardDrawn,
    CardShown,
    CutCardOut,
    ErrorCleared,
    ErrorRaised,
    Fault,
    OffGameCardDrawn,
    OffGameCardShown,
    OffGameMode,
    PoweredUp,
    ResultCalled,
    Signal,
)
from controller.simulate.dealer import Slip
from controller.simulate.felt import Felt, Laid
from controller.simulate.pile import Pile


class Mode(StrEnum):
    """Whether the shoe tells a face when the card is drawn, or when the hand is complete."""

    OPEN = "open"
    HIDDEN = "hidden"


CODES = {Fault.CANNOT_READ: 1, Fault.OVERDRAW: 2, Fault.WRONG_BUTTON: 3, Fault.DRAW_TIMEOUT: 7}
TIMEOUT_IN_OVERDRAW_RATE = 0.3  # the field log shows error 7 inside one of three overdraws
CALLS = (Call.PLAYER, Call.BANKER, Call.TIE)


class Hand:
    """Deals one hand from a pile; ``signals``, ``felt``, ``labels`` and ``called`` then say what came of it.

    ``slips`` are what the dealer is about to do wrong; those for which the hand gives no occasion do not happen.
    """

    def __init__(self, game: Game, mode: Mode, pile: Pile, slips: frozenset[Slip], chance: Random) -> None:
        self.game = game
        self.felt = Felt(game)
        self.signals: list[Signal] = []
        self.labels: list[Slip] = []
        self.misplaced: tuple[Laid, Seat] | None = None  # a card, and the seat it really lies on
        self.called: ResultCalled | None = None
        self._mode = mode
        self._pile = pile
        self._chance = chance
        self._slips = slips
        self._places = {slip: chance.randrange(1, len(game.deal)) for slip in Slip}

    def deal(self) -> None:
        """Lay the cards, then call the result, unless the power fails."""
        for seat in self._order():
            if self._strikes(Slip.POWER_UP):
                self.signals.append(PoweredUp())
                self._pile.abandoned += self.felt.cards
                return
            if self._strikes(Slip.WRONG_BUTTON):
                self._press_wrong_button()
            self._lay(seat)
        self._overdraw()
        self._show()
        self._misplace()
        self._call()
        self._pile.dealt += self.felt.cards

    def cut_card(self) -> None:
        """Take the cut card out if it lies in front."""
        if self._pile.cut_is_next:
            self._pile.cut_out = True
            self.signals.append(CutCardOut())

    def _order(self) -> Iterator[Seat]:
        yield from self.game.deal
        yield from (turn.seat for turn in self.game.turns if self._lays(turn))

    def _lays(self, turn: Turn) -> bool:
        """Whether the dealer lays a third card: as the table says, or the other way round."""
        verdict = self.felt.verdict(turn)
        if verdict is Verdict.OPTION:
            return self._chance.random() < 0.5
        owed = verdict is Verdict.DRAW
        if self._happens(Slip(f"{turn.seat.value}-{'missed' if owed else 'false'}-draw")):
            return not owed
        if owed and self._happens(Slip.EARLY_STAND_BY):
            self._press_wrong_button()
        return owed

    def _happens(self, slip: Slip) -> bool:
        if slip not in self._slips or slip in self.labels:
            return False
        self.labels.append(slip)
        return True

    def _strikes(self, slip: Slip) -> bool:
        """Whether a slip that has its place in the hand falls on the next card."""
        return self._places[slip] == len(self.felt.laid) and self._happens(slip)

    def _lay(self, seat: Seat) -> None:
        index = len(self.felt.held(seat)) + 1
        if (carried := self._pile.carried) is not None:
            self._pile.carried = None
            self.felt.laid.append(Laid(seat, index, carried))
            self.signals.append(CardCarried(seat, index, carried if self._mode is Mode.OPEN else None))
        elif self._strikes(Slip.CARD_RESLID):
            self._raise(Fault.CANNOT_READ)
            self._lay_drawn(Laid(seat, index, self._draw()))
            self._clear(Fault.CANNOT_READ)
        else:
            legible = not self._strikes(Slip.CARD_UNREAD)
            self._lay_drawn(Laid(seat, index, self._draw(), legible))

    def _lay_drawn(self, laid: Laid) -> None:
        self.felt.laid.append(laid)
        told = self._mode is Mode.OPEN
        drawn = CardDrawn(laid.seat, laid.index, laid.seen if told else None, unread=told and not laid.legible)
        self.signals.append(drawn)

    def _draw(self) -> Card:
        self.cut_card()
        return self._pile.draw()

    def _raise(self, fault: Fault) -> None:
        # The field log has bit 6 clear in the first error of a hand and set in one raised while it is open.
        self.signals.append(ErrorRaised(fault, CODES[fault], fault is Fault.DRAW_TIMEOUT))

    def _clear(self, fault: Fault) -> None:
        self.signals.append(ErrorCleared(fault, CODES[fault]))

    def _press_wrong_button(self) -> None:
        self._raise(Fault.WRONG_BUTTON)
        self._clear(Fault.WRONG_BUTTON)

    def _overdraw(self) -> None:
        """Draw a surplus card after the last one; it is taken out or kept for the next hand."""
        for slip in (Slip.OVERDRAW_WITHDRAWN, Slip.OVERDRAW_CARRIED):
            if self._happens(slip):
                surplus = self._draw()
                self._raise(Fault.OVERDRAW)
                self._settle(slip, surplus)
                self._clear(Fault.OVERDRAW)
                return

    def _settle(self, slip: Slip, surplus: Card) -> None:
        # The field log gives this mode in both of its procedures, and the face only with the next frame.
        off_game = OffGameCardDrawn(OffGameMode.SETTING, 0, None)
        if slip is Slip.OVERDRAW_CARRIED:
            self._pile.carried = surplus
            self.signals.append(off_game)
            return
        if self._chance.random() < TIMEOUT_IN_OVERDRAW_RATE:
            self._raise(Fault.DRAW_TIMEOUT)
        self._pile.withdrawn.append(surplus)
        self.signals += [off_game, OffGameCardShown(surplus)]

    def _show(self) -> None:
        if self._mode is Mode.HIDDEN:
            self.signals += [CardShown(laid.seat, laid.index, laid.seen) for laid in self.felt.laid]

    def _misplace(self) -> None:
        """Find a third card to lie on another seat than the shoe counted it for; the wire shows nothing of it."""
        thirds = [laid for seat in self.game.seats for laid in self.felt.thirds(seat)]
        if thirds and self._happens(Slip.WRONG_SPOT):
            laid = self._chance.choice(thirds)
            others = [seat for seat in self.game.seats if seat is not laid.seat]
            self.misplaced = (laid, self._chance.choice(others))

    def _call(self) -> None:
        self.called = self.felt.result()
        if self._happens(Slip.WRONG_RESULT):
            wrong = [call for call in CALLS if call is not self.called.call]
            self.called = ResultCalled(self._chance.choice(wrong), self.called.pairs)
        self.signals.append(self.called)
