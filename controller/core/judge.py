"""The judge: the cards of each seat in drawing order in; the next step, irregularities and result out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from controller.core.cards import Seat
from controller.core.facts import Irregularity
from controller.core.games import Game, Turn, Verdict
from controller.core.signals import Call

Points = int | None  # the value 0..9 of a card, None while it is hidden or unread
Dealt = tuple[Seat | None, Points]  # the seat is None for a card that belongs to no seat

CALL_OF_SEAT = {
    Seat.PLAYER: Call.PLAYER,
    Seat.BANKER: Call.BANKER,
}


class Next(Enum):
    """What the hand waits for."""

    CARD = "card"  # one more card, for the seat named
    CHOICE = "choice"  # the seat named may draw or stand
    FACES = "faces"  # nothing can be said before the cards are turned
    OVER = "over"  # no more cards


@dataclass(frozen=True, slots=True)
class Step:
    """The next step of a hand, with the seat it concerns and the rule that says so."""

    next: Next
    seat: Seat | None = None
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """An irregularity and the place, from 0 in drawing order, of the card that proves it."""

    place: int
    irregularity: Irregularity


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the cards prove so far.

    ``result`` compares all cards as dealt, ``counted`` only those that count by the rules; None while unknown.
    ``totals`` follow the game's seats, None where a card of the seat is not known. ``owed`` is what closing
    the hand now would add to ``findings``.
    """

    step: Step
    findings: tuple[Finding, ...]
    owed: tuple[Irregularity, ...]
    totals: tuple[Points, ...]
    result: Call | None
    counted: Call | None

    @property
    def irregularities(self) -> tuple[Irregularity, ...]:
        """The findings without their places."""
        return tuple(finding.irregularity for finding in self.findings)


class _Fold:
    """The cards of one hand, taken in drawing order."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.cards: dict[Seat, list[Points]] = {seat: [] for seat in game.seats}
        self.firsts: dict[Seat, Points] = {}  # the total of each seat's first cards, once they are all there
        self.findings: list[Finding] = []
        self.said: set[tuple[str, Seat | None]] = set()
        self.place = -1

    def say(self, kind: str, seat: Seat | None, rule: str) -> None:
        if (kind, seat) not in self.said:
            self.said.add((kind, seat))
            self.findings.append(Finding(self.place, Irregularity(kind, seat, rule)))

    def take(self, seat: Seat | None, points: Points) -> None:
        self.place += 1
        sources = self.game.sources
        if seat not in self.cards:
            self.say("extra-card", None, sources.most_cards)
            return
        held = self.cards[seat]
        if self.place < len(self.game.deal):
            if seat is not self.game.deal[self.place]:
                self.say("wrong-order", seat, sources.order)
        elif len(held) >= self.game.most_cards:
            self.say("extra-card", seat, sources.most_cards)
        elif len(held) >= self.game.initial:
            self.third(self.game.turn(seat))
        held.append(points)
        if len(held) == self.game.initial:
            self.firsts[seat] = total(held)

    def third(self, turn: Turn) -> None:
        """Judge a card drawn after the deal, before it is laid down."""
        turns = self.game.turns
        at = turns.index(turn)
        if self.passed(turn):
            self.say("wrong-order", turn.seat, self.game.sources.order)
        if self.natural() is True:
            self.say(f"{turn.seat.value}-false-draw", turn.seat, self.game.sources.natural)
            return
        for earlier in turns[:at]:
            if not self.has_third(earlier.seat) and self.verdict(earlier) is Verdict.DRAW:
                self.say(f"{earlier.seat.value}-missed-draw", earlier.seat, self.source(earlier))
        if self.verdict(turn) is Verdict.STAND:
            self.say(f"{turn.seat.value}-false-draw", turn.seat, self.source(turn))

    def passed(self, turn: Turn) -> bool:
        """Whether a later seat has drawn, so that this one's time is over."""
        turns = self.game.turns
        return any(self.has_third(later.seat) for later in turns[turns.index(turn) + 1 :])

    def has_third(self, seat: Seat) -> bool:
        return len(self.cards[seat]) > self.game.initial

    def natural(self) -> bool | None:
        """True if a seat has one, False if none has, None while a face or a card is missing."""
        totals = self.firsts.values()
        for points in totals:
            if points is not None and points >= self.game.natural:
                return True
        return None if None in totals or len(totals) < len(self.game.seats) else False

    def third_of(self, seat: Seat | None) -> tuple[bool, Points]:
        """Whether the seat has drawn, and the value of that card."""
        if seat is None or not self.has_third(seat):
            return False, None
        return True, self.cards[seat][self.game.initial]

    def verdict(self, turn: Turn) -> Verdict | None:
        """What the table says for a seat's first cards; None while a face it needs is not known."""
        own = self.firsts.get(turn.seat)
        drawn, third = self.third_of(turn.after)
        if own is None or self.natural() is None or (drawn and third is None):
            return None
        return turn.verdict(own, third)

    def source(self, turn: Turn) -> str:
        return turn.source(self.third_of(turn.after)[1])

    def step(self) -> Step:
        place = self.place + 1
        if place < len(self.game.deal):
            return Step(Next.CARD, self.game.deal[place], self.game.sources.order)
        natural = self.natural()
        if natural is True:
            return Step(Next.OVER, None, self.game.sources.natural)
        for turn in self.game.turns:
            if self.has_third(turn.seat) or self.passed(turn):
                continue
            match None if natural is None else self.verdict(turn):
                case Verdict.DRAW:
                    return Step(Next.CARD, turn.seat, self.source(turn))
                case Verdict.OPTION:
                    return Step(Next.CHOICE, turn.seat, self.source(turn))
                case None:
                    return Step(Next.FACES)
                case _:
                    pass
        return self.end()

    def end(self) -> Step:
        if any(None in held for held in self.cards.values()):
            return Step(Next.FACES)
        last = self.game.turns[-1]
        return Step(Next.OVER, last.seat, "" if self.has_third(last.seat) else self.source(last))

    def owed(self) -> tuple[Irregularity, ...]:
        if any(len(held) < self.game.initial for held in self.cards.values()):
            return (Irregularity("incomplete-hand", None, None),)
        if self.natural() is not False:
            return ()
        return tuple(
            Irregularity(f"{turn.seat.value}-missed-draw", turn.seat, self.source(turn))
            for turn in self.game.turns
            if not self.has_third(turn.seat)
            and self.verdict(turn) is Verdict.DRAW
            and (f"{turn.seat.value}-missed-draw", turn.seat) not in self.said
        )

    def counting(self) -> dict[Seat, list[Points]] | None:
        """The cards that count by the rules: a third card only where the rules ask for it."""
        natural = self.natural()
        if natural is None:
            return None
        lawful = _Fold(self.game)
        lawful.cards = {seat: held[: self.game.initial] for seat, held in self.cards.items()}
        lawful.firsts = self.firsts
        if natural:
            return lawful.cards
        for turn in self.game.turns:
            verdict = lawful.verdict(turn)
            if verdict is None:
                return None
            if verdict is not Verdict.STAND:
                lawful.cards[turn.seat] += self.cards[turn.seat][self.game.initial : self.game.initial + 1]
        return lawful.cards

    def winner(self, cards: dict[Seat, list[Points]] | None) -> Call | None:
        """The side nearer nine (R-PB-10), None where a seat lacks its first cards or a face is not known."""
        if cards is None or any(len(held) < self.game.initial for held in cards.values()):
            return None
        first, second = (total(held) for held in cards.values())
        if first is None or second is None:
            return None
        if first == second:
            return Call.TIE
        return CALL_OF_SEAT[self.game.seats[0] if first > second else self.game.seats[1]]


def total(cards: Sequence[Points]) -> Points:
    """Return the point of these cards, None if one is not known (rules.md 1.1)."""
    points = 0
    for card in cards:
        if card is None:
            return None
        points += card
    return points % 10


@lru_cache(maxsize=1 << 16)
def judge(game: Game, dealt: tuple[Dealt, ...]) -> Judgement:
    """Return what these cards, in drawing order, prove.

    >>> from controller.core.games import PUNTO_BANCO
    >>> P, B = Seat.PLAYER, Seat.BANKER
    >>> judge(PUNTO_BANCO, ((P, 2), (B, 3), (P, 3), (B, 3))).step
    Step(next=<Next.CARD: 'card'>, seat=<Seat.PLAYER: 'player'>, rule='R-PB-03')
    """
    fold = _Fold(game)
    for seat, points in dealt:
        fold.take(seat, points)
    return Judgement(
        step=fold.step(),
        findings=tuple(fold.findings),
        owed=fold.owed(),
        totals=tuple(total(held) if held else None for held in fold.cards.values()),
        result=fold.winner(fold.cards),
        counted=fold.winner(fold.counting()),
    )


def in_order(game: Game, cards: dict[Seat, Sequence[Points]]) -> tuple[Dealt, ...]:
    """Put the cards of each seat in the game's own drawing order, for sources that give no order.

    First cards follow the deal, third cards the turns; anything beyond comes last.
    """
    left = {seat: list(held) for seat, held in cards.items()}
    order = (*game.deal, *(turn.seat for turn in game.turns))
    placed = [(seat, left[seat].pop(0)) for seat in order if left[seat]]
    return (*placed, *((seat, points) for seat in game.seats for points in left[seat]))
