"""The immutable hand: its cards in drawing order, what was called, what holds it and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import cast

from controller.core.cards import NOT_SHOWN, Card, Seat
from controller.core.facts import Disposal, HandLine, Irregularity
from controller.core.games import Game
from controller.core.inputs import Sort
from controller.core.judge import judge
from controller.core.judgement import NO_TERMS, Dealt, Finding, Judgement, Next, Step, Terms
from controller.core.laid import UNREAD, Hold, Laid, Spot, beside, held_at_seat, next_index, taken
from controller.core.signals import Call, ResultCalled
from controller.core.takers import asked, placings

__all__ = ["Hand", "Hold", "Laid", "Source", "Spot", "pairs_of"]

TAIL = {"result-mismatch": 1, "pair-mismatch": 2, "impossible-card": 3}  # these come last, in this order


class Source(Enum):
    """Where a hand's cards come from."""

    SHOE = "shoe"
    MANUAL = "manual"  # a person keyed the cards
    BLIND = "blind"  # a person told the result, nobody the cards


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand. ``opening`` counts the hands begun in the shoe, ``number`` those that keep one."""

    shoe: int
    opening: int
    number: int
    laid: tuple[Laid, ...] = ()
    called: ResultCalled | None = None
    holds: tuple[Hold, ...] = ()
    noted: tuple[Finding, ...] = ()  # irregularities that the cards alone do not prove
    said: frozenset[tuple[str, Seat | None]] = frozenset()  # what was already raised, so that accepting it lasts
    turned: bool = False  # faces are public, and so is each further card
    sort: Sort = Sort.NORMAL
    source: Source = Source.SHOE
    terms: Terms = NO_TERMS  # what was ruled for its seats
    ended: bool = False  # a person turned the cards: the hand is over, whatever the rules still ask for
    taker: Seat | None = None  # who takes the next card, where it was told before the card
    out: tuple[Laid, ...] = ()  # cards that left the hand by a ruling, for the basket
    shown: frozenset[int] = frozenset()  # places in the shoe of the cards that lay face down when it was ended
    _judgement: Judgement | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def ref(self) -> str:
        """The name by which commands mean this hand."""
        return f"{self.shoe}-{self.opening}"

    def is_of(self, other: Hand) -> bool:
        """Whether this is an earlier or later value of the same hand."""
        return self.opening == other.opening and self.shoe == other.shoe

    def dealt(self, game: Game) -> tuple[Dealt, ...]:
        """The cards for the judge: a value only where the face is public, no card that nobody knows who has."""
        waiting = self.waiting(game) or self.unplaced(game)
        cards = [laid for laid in self.laid if laid not in waiting] if waiting else self.laid
        return _values(cards)

    def judged(self, game: Game) -> Judgement:
        """What the public faces prove; a hand never changes, so it is asked once."""
        if self._judgement is None:
            judgement = judge(game, self.dealt(game), self.terms)
            if self.waiting(game):
                judgement = replace(judgement, step=Step(Next.TAKER), owed=(), result=None, counted=None)
            object.__setattr__(self, "_judgement", judgement)
        return cast(Judgement, self._judgement)

    def thirds(self, game: Game) -> tuple[Laid, ...]:
        """The cards drawn after the deal, where people decide who takes them; else none."""
        return self.laid[self.dealt_out(game) :] if game.asks_taker else ()

    def dealt_out(self, game: Game) -> int:
        """How many cards the deal takes before any decision."""
        return sum(self.terms.first_cards(seat, game.initial) for seat in game.seats)

    def waiting(self, game: Game) -> tuple[Laid, ...]:
        """The cards that a seat took and nobody said which."""
        if not game.asks_taker:
            return ()
        thirds = self.thirds(game)
        return tuple(thirds[place] for place in asked(game, tuple(laid.seat for laid in thirds))) or self._doubted(game)

    def _doubted(self, game: Game) -> tuple[Laid, ...]:
        """The last card, face down in a hand that is over and wrong, where order alone gave it a seat.

        It may as well have opened the next hand, so it is nobody's until somebody names its seat.
        """
        last = self.laid[-1] if self.ended and self.laid else None
        if last is None or not last.inferred or last.exposed or last.card is None:
            return ()
        return (last,) if judge(game, _values(self.laid), self.terms).findings else ()

    def loose(self, game: Game) -> tuple[Laid, ...]:
        """The cards behind the deal that are no seat's: each is shown with the hand that it turns out to be of."""
        return (*self.waiting(game), *(laid for laid in self.thirds(game) if laid.seat is None))

    def unplaced(self, game: Game) -> tuple[Laid, ...]:
        """The cards that came face down behind the deal from a shoe that names no seat: the faces will tell whose."""
        if game.asks_taker or self.turned:
            return ()
        behind = self.laid[self.dealt_out(game) : game.most_out]
        return tuple(laid for laid in behind if laid.seat is None and not laid.exposed)

    def taking(self, game: Game, seats: tuple[Seat | None, ...]) -> Hand:
        """Return the hand with the cards drawn after the deal given to these seats, None where that stays open."""
        fit = next(size for size in range(len(seats), -1, -1) if placings(game, seats[:size]))  # the rest are too many
        ways = placings(game, seats[:fit])
        sure = (*ways[0], *seats[fit:]) if len(ways) == 1 else seats
        given = [*sure, *[None] * (len(self.thirds(game)) - len(sure))]
        at = len(self.laid) - len(given)
        faces = zip(self.laid[at:], given, seats, strict=False)
        lying = self.laid[:at]
        for one in faces:
            lying = (*lying, beside(taken(*one, game), lying))
        return _renamed(self, self._with(lying, turned=self.turned))

    def at(self, spot: Spot) -> Laid | None:
        """Return the card on a spot."""
        return next((laid for laid in self.laid if laid.spot == spot), None)

    def next_index(self, seat: Seat | None) -> int:
        """Return the index of a seat's next card: never one that is filled, wherever a person laid the others."""
        return next_index(seat, self.laid)

    def on_wire(self, spot: Spot) -> Laid | None:
        """Return the card that the shoe named so, the latest first: after a power-up it counts anew."""
        return next((laid for laid in reversed(self.laid) if (laid.wire or laid.spot) == spot), None)

    def with_card(self, laid: Laid) -> Hand:
        """Return the hand with one more card."""
        return self._with((*self.laid, laid), turned=self.turned)

    def _with(self, laid: tuple[Laid, ...], *, turned: bool) -> Hand:
        # Written out: dataclasses.replace costs four times as much, and this is done for every card.
        return Hand(
            self.shoe,
            self.opening,
            self.number,
            laid,
            self.called,
            self.holds,
            self.noted,
            self.said,
            turned,
            self.sort,
            self.source,
            self.terms,
            self.ended,
            self.taker,
            self.out,
            self.shown,
        )

    def recovering(self, laid: Laid, game: Game) -> Hand:
        """Return the hand with a card that was lost on the way: it goes where drawing order has it."""
        order = [*_spots(game), *((turn.seat, game.initial + 1) for turn in game.turns)]
        if laid.spot not in order:
            return self.with_card(laid)
        later = set(order[order.index(laid.spot) + 1 :])
        at = next((place for place, other in enumerate(self.laid) if other.spot in later), len(self.laid))
        return replace(self, laid=(*self.laid[:at], laid, *self.laid[at:]))

    def with_face(self, old: Laid, new: Laid) -> Hand:
        """Return the hand with a card known better."""
        return self._with(tuple(new if laid is old else laid for laid in self.laid), turned=self.turned)

    def exposed(self, *, but: tuple[Laid, ...] = ()) -> Hand:
        """Return the hand with every known face public, except of the cards ``but``."""
        hidden = [laid for laid in self.laid if laid.card and not laid.exposed and laid not in but]
        if self.turned and not hidden:
            return self
        faces = tuple(laid.faced(laid.card) if laid in hidden else laid for laid in self.laid) if hidden else self.laid
        return self._with(faces, turned=True)

    def holding(self, hold: Hold) -> Hand:
        """Return the hand with one more hold."""
        return replace(self, holds=(*(held for held in self.holds if held.id != hold.id), hold))

    def without(self, ids: frozenset[str]) -> Hand:
        """Return the hand with these holds lifted."""
        return replace(self, holds=tuple(hold for hold in self.holds if hold.id not in ids))

    def cards_of(self, seat: Seat) -> tuple[Card | None, ...]:
        """The public faces of a seat in drawing order."""
        public = (laid.card if laid.exposed else None for laid in self.laid if laid.seat is seat)
        return tuple(None if card is NOT_SHOWN else card for card in public)

    def incomplete(self, game: Game) -> bool:
        """Whether a seat lacks one of its first cards."""
        return any(
            sum(laid.seat is seat for laid in self.laid) < self.terms.first_cards(seat, game.initial)
            for seat in game.seats
        )

    def irregularities(self, game: Game, owed: tuple[Irregularity, ...] = ()) -> tuple[Irregularity, ...]:
        """All that is wrong, in the order of the card that proves it; each kind once a seat."""
        seats = list(game.seats)
        found = [*self.judged(game).findings, *self.noted, *(Finding(len(self.laid), late) for late in owed)]
        found.sort(
            key=lambda one: (
                TAIL.get(one.irregularity.kind, 0),
                one.place,
                seats.index(one.irregularity.seat) if one.irregularity.seat in seats else -1,
            )
        )
        once = {(one.irregularity.kind, one.irregularity.seat): one.irregularity for one in reversed(found)}
        ordered = dict.fromkeys(once[one.irregularity.kind, one.irregularity.seat] for one in found)
        return tuple(_told(one) for one in ordered)

    def line(self, game: Game, recorded: Call | None) -> HandLine:
        """Return the hand as an audit line gives it."""
        judgement = self.judged(game)
        owed = () if self.source is Source.BLIND else judgement.owed  # nobody knows what a blind hand lacked
        return HandLine(
            cards=tuple((seat, self.cards_of(seat)) for seat in game.seats),
            result=judgement.result,
            recorded=recorded.value if recorded else None,
            irregularities=self._by_record(self.irregularities(game, owed), judgement, recorded, game),
        )

    def _by_record(
        self, found: tuple[Irregularity, ...], judgement: Judgement, recorded: Call | None, game: Game
    ) -> tuple[Irregularity, ...]:
        """Let the result that stands decide on a mismatch: a correction ends one, or makes one (R-PB-10)."""
        if recorded is None or judgement.result is None:
            return found
        others = tuple(one for one in found if one.kind != "result-mismatch")
        if recorded in (judgement.result, judgement.counted):
            return others
        place = sum(TAIL.get(one.kind, 0) == 0 for one in others)
        return (*others[:place], Irregularity("result-mismatch", None, game.sources.result), *others[place:])

    def stopped(self, game: Game) -> HandLine:
        """Return the line of a hand that ended without a result: what it still lacked is no fault of anybody's."""
        return replace(self.line(game, None), irregularities=self.irregularities(game))


def _values(cards: tuple[Laid, ...] | list[Laid]) -> tuple[Dealt, ...]:
    """The seats and the public values of cards."""
    return tuple((laid.seat, laid.card.points if laid.exposed and laid.card else None) for laid in cards)


def _spots(game: Game) -> tuple[Spot, ...]:
    """The spots of the first cards in dealing order."""
    return tuple((seat, game.deal[: place + 1].count(seat)) for place, seat in enumerate(game.deal))


def _renamed(before: Hand, after: Hand) -> Hand:
    """Return the hand with what was said of a card that nobody had named said of it at its seat."""
    for old, new in zip(before.laid, after.laid, strict=True):
        name = (f"{UNREAD}:{old.index}", old.seat)
        if old.spot == new.spot or name not in after.said:
            continue
        said = (after.said - {name}) | {(f"{UNREAD}:{new.index}", new.seat)}
        holds = tuple(held_at_seat(hold, old, new) for hold in after.holds)
        after = replace(after, said=said, holds=holds)
    return after


def _told(found: Irregularity) -> Irregularity:
    """An overdraw that nothing settled has a disposal too: nobody knows it."""
    open_overdraw = found.kind == "overdraw" and found.disposal is None
    return replace(found, disposal=Disposal.UNKNOWN) if open_overdraw else found


def pairs_of(hand: Hand, game: Game) -> dict[Seat, bool | None]:
    """Say of each seat whether its first two cards are of one rank, None while unknown (R-PB-12)."""
    return {seat: _pair(hand.cards_of(seat)[: game.initial]) for seat in game.seats}


def _pair(cards: tuple[Card | None, ...]) -> bool | None:
    ranks = [card.rank for card in cards if card is not None and card.rank is not None]
    return None if len(ranks) != 2 else ranks[0] is ranks[1]
