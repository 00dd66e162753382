"""One coup as it is dealt, what the shoe tells of it, and the keys that the croupier presses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from controller.core.cards import Card, Seat
from controller.core.games import Game, Turn, Verdict
from controller.core.inputs import Act, Apply, OpenedNext, Takes, Turned
from controller.core.judge import judge
from controller.core.remedies.situations import Remedy
from controller.core.signals import CardDrawn
from controller.core.takers import asked, placings
from controller.simulate.coups.people import Lying, draws
from controller.simulate.coups.wrongs import Wrong
from controller.simulate.pile import Pile

FACED = "IR-02"


@dataclass(frozen=True, slots=True)
class Laid:
    """A card of the coup: the seat it was dealt to, and the one it really lies on; None for a card too many."""

    seat: Seat | None
    card: Card
    legible: bool = True
    lies_on: Seat | None = None

    @property
    def seen(self) -> Card | None:
        """The face as the shoe knows it."""
        return self.card if self.legible else None


@dataclass(frozen=True, slots=True)
class Pressed:
    """A key of the croupier; ``coup`` is the opening number, from 1, of the coup that it means."""

    act: Act
    coup: int


Event = CardDrawn | Pressed


class Coup:
    """Deals one coup from a pile; ``events``, ``laid`` and ``labels`` then say what came of it.

    ``wrongs`` are what is about to go wrong; those for which the coup gives no occasion do not happen. The croupier
    presses as few keys as there can be: once the cards are out he names who took one where that is open, then closes.
    """

    def __init__(self, game: Game, number: int, pile: Pile, wrongs: frozenset[Wrong], chance: Random) -> None:
        self.game = game
        self.number = number
        self.laid: list[Laid] = []
        self.events: list[Event] = []
        self.labels: list[Wrong] = []
        self.told: tuple[Seat | None, ...] = ()  # who took the third cards, as the croupier has it
        self._pile = pile
        self._wrongs = wrongs
        self._chance = chance
        self._lying = Lying(game)
        self._named_last = False  # whether a key said who took the last card
        self._faced_at = chance.randrange(len(game.deal))
        self._unread_at = chance.randrange(len(game.deal))

    def forgets_to_close(self) -> bool:
        """Whether the croupier forgets the key that ends it."""
        return self._happens(Wrong.FORGOTTEN_CLOSE)

    @property
    def keys(self) -> int:
        """How many keys it takes, the one that closes it or says later that it was over included."""
        presses = sum(isinstance(event, Pressed) for event in self.events)
        return presses + 1 + (self._doubted is not None)

    @property
    def recorded(self) -> Iterator[tuple[Seat | None, Laid]]:
        """Each card with the seat that the record has it on: this shoe names none, so dealing order and the keys."""
        return zip((*self.game.deal, *self.told), self.laid, strict=True)

    def deal(self) -> None:
        """Lay the cards, then press what the croupier presses before he closes."""
        for seat in self.game.deal:
            self._lay(seat)
        for seat in self.game.seats:
            self._lying.firsts[seat] = sum(one.card.points for one in self.laid if one.seat is seat) % 10
        for turn in self.game.turns:
            if self._takes(turn):
                self._lay(turn.seat)
                self._lying.thirds[turn.seat] = self.laid[-1].card.points
        if len(self.laid) == self.game.most_out and self._happens(Wrong.EXTRA_CARD):
            self._lay(None)
        self._misplace()
        self._pile.dealt += [one.card for one in self.laid]
        self._name_takers()

    def close(self) -> list[Event]:
        """The key that ends it, the cards are turned; and what the croupier is asked then."""
        return [self._press(Turned()), *self._owns_the_last()]

    def close_late(self, events: list[Event]) -> None:
        """Find out among the events of the next coup that this one was never closed: one key after a card or more."""
        late = self._chance.randint(1, len(self.game.deal) - 1)
        cards = [place for place, event in enumerate(events) if isinstance(event, CardDrawn)]
        at = cards[late - 1] + 1
        events[at:at] = [self._press(OpenedNext(len(self.laid))), *self._owns_the_last()]

    @property
    def _doubted(self) -> Seat | None:
        """Who took a last card that order alone placed, in a wrong coup: it may as well have opened the next one."""
        *before, (seat, last) = self.recorded
        if self._named_last or seat is None or len(before) < len(self.game.deal) or not last.legible:
            return None
        seen = tuple((said, one.seen.points if one.seen else None) for said, one in before)
        return seat if judge(self.game, (*seen, (seat, None))).findings else None

    def _owns_the_last(self) -> list[Event]:
        return [self._press(Takes(seat)) for seat in (self._doubted,) if seat]

    def _press(self, act: Act) -> Pressed:
        return Pressed(act, self.number)

    def _happens(self, wrong: Wrong) -> bool:
        if wrong not in self._wrongs or wrong in self.labels:
            return False
        self.labels.append(wrong)
        return True

    def _takes(self, turn: Turn) -> bool:
        """Whether the seat takes a card: as sensible people do, or against the rule."""
        verdict = self._lying.verdict(turn)
        takes = draws(self._lying, turn, self._chance)
        if verdict is Verdict.OPTION:
            return takes
        return takes is not self._happens(Wrong(f"{turn.seat.value}-{'missed' if takes else 'false'}-draw"))

    def _lay(self, seat: Seat | None) -> None:
        place = len(self.laid)
        if place == self._faced_at and self._happens(Wrong.FACED_CARD):
            card = self._pile.draw()
            self._pile.burnt.append(card)
            self.events += [CardDrawn(None, None, card), self._press(Apply(FACED, Remedy.BURN, (place,)))]
        card = self._pile.draw()
        legible = not (place == self._unread_at and self._happens(Wrong.CARD_UNREAD))
        self.laid.append(Laid(seat, card, legible, seat))
        self.events.append(CardDrawn(None, None, card if legible else None, unread=not legible))

    def _misplace(self) -> None:
        """Put a card on another spot than it was dealt to; the wire shows nothing of it."""
        if not self._happens(Wrong.WRONG_SPOT):
            return
        place = self._chance.randrange(len(self.laid))
        others = [seat for seat in self.game.seats if seat is not self.laid[place].seat]
        self.laid[place] = replace(self.laid[place], lies_on=self._chance.choice(others))

    def _name_takers(self) -> None:
        """Name who took a card for as long as order and count leave that open."""
        thirds = tuple(one.seat for one in self.laid[len(self.game.deal) :])
        says = self._claimed(thirds)
        told: tuple[Seat | None, ...] = (None,) * len(thirds)
        keyed = []
        while waiting := asked(self.game, told):
            at = waiting[0]
            keyed.append(at)
            told = (*told[:at], says[at], *told[at + 1 :])
            self.events += [self._press(Takes(seat)) for seat in told[at : at + 1] if seat]
        self.told = says
        self._named_last = bool(keyed) and keyed[-1] == len(thirds) - 1

    def _claimed(self, thirds: tuple[Seat | None, ...]) -> tuple[Seat | None, ...]:
        """Who the croupier says took the cards: the truth, or another of the ways in which they may lie."""
        others = [way for way in placings(self.game, (None,) * len(thirds)) if way != thirds]
        return self._chance.choice(others) if others and self._happens(Wrong.WRONG_TAKER) else thirds
