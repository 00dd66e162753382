"""The judge: the cards of each seat in drawing order in; the next step, irregularities and result out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from controller.core.cards import Seat
from controller.core.facts import Irregularity
from controller.core.games import Flow, Game, Turn, Verdict
from controller.core.judgement import NO_TERMS, REFUSED, Dealt, Finding, Judgement, Next, Points, Step, Terms
from controller.core.signals import Call


class _Fold:
    """The cards of one hand, taken in drawing order."""

    def __init__(self, game: Game, terms: Terms = NO_TERMS) -> None:
        self.game = game
        self.terms = terms
        self.cards: dict[Seat, list[Points]] = {seat: [] for seat in game.seats}
        self.firsts: dict[Seat, Points] = dict.fromkeys(terms.tens, 0)  # of the first cards, once they are all there
        self.findings: list[Finding] = []
        self.said: set[tuple[str, Seat | None]] = set()
        self.place = -1
        self.last: Seat | None = None  # the seat of the card before

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
        if self.terms:
            self.take_on_terms(seat, held)
        elif self.place < len(self.game.deal):
            if seat is not self.game.deal[self.place]:
                self.say("wrong-order", seat, sources.order)
        elif len(held) >= self.game.most_cards:
            self.say("extra-card", seat, sources.most_cards)
        elif len(held) >= self.game.initial:
            self.third(self.game.turn(seat))
        held.append(points)
        self.last = seat
        if len(held) == self.needs(seat) and seat not in self.firsts:
            self.firsts[seat] = total(held)

    def take_on_terms(self, seat: Seat, held: list[Points]) -> None:
        """Judge a card of a hand that was put right: the order of its first cards is settled."""
        if len(held) < self.needs(seat):
            return
        if len(held) > self.needs(seat):
            self.say("extra-card", seat, self.game.sources.most_cards)
        else:
            self.third(self.game.turn(seat))

    def needs(self, seat: Seat) -> int:
        return self.terms.first_cards(seat, self.game.initial) if self.terms else self.game.initial

    def third(self, turn: Turn) -> None:
        """Judge a card drawn after the deal, before it is laid down."""
        turns = self.game.turns
        at = turns.index(turn)
        if self.passed(turn):
            self.say("wrong-order", turn.seat, self.game.sources.turns or self.game.sources.order)
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
        return len(self.cards[seat]) > self.needs(seat)

    def is_natural(self, seat: Seat) -> bool:
        """Whether this seat's two first cards are known to be one (rules.md 1.2: two cards, so never on terms)."""
        points = self.firsts.get(seat)
        if points is None or points < self.game.natural:
            return False
        return not self.terms or (self.needs(seat) == self.game.initial and seat not in self.terms.refused)

    def natural(self) -> bool | None:
        """True if one ends the whole hand, False if none does, None while a face or a card is missing (D1)."""
        enders = self.game.seats if self.game.flow is Flow.ALL_AT_ONCE else (self.game.bank,)
        if any(self.is_natural(seat) for seat in enders):
            return True
        return False if all(self.firsts.get(seat) is not None for seat in enders) else None

    def third_of(self, seats: tuple[Seat, ...]) -> tuple[bool, Points]:
        """Whether one of these seats has drawn, and the value of the first such card."""
        for seat in seats:
            if self.has_third(seat):
                return True, self.cards[seat][self.needs(seat)]
        return False, None

    def verdict(self, turn: Turn) -> Verdict | None:
        """What the table says for a seat's first cards; None while a face it needs is not known."""
        own = self.firsts.get(turn.seat)
        drawn, third = self.third_of(turn.after)
        if self.terms and not self.terms.may_draw(turn.seat):
            return Verdict.STAND
        if own is None or self.natural() is None or (drawn and third is None):
            return None
        return turn.verdict(own, third)

    def source(self, turn: Turn) -> str:
        sources = self.game.sources
        if turn.seat in self.terms.final:
            return sources.final
        if turn.seat in self.terms.barred:
            return sources.barred
        if sources.own_natural and self.is_natural(turn.seat):
            return sources.own_natural
        return turn.source(self.third_of(turn.after)[1], self.verdict(turn))

    def step(self) -> Step:
        owed = self.owes_first()
        if owed is not None:
            return Step(Next.CARD, owed, self.game.sources.order)
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

    def owes_first(self) -> Seat | None:
        """The seat whose first card comes next: one that lacks it, whoever got the others.

        While nobody has all of his, those with the fewest come first. After that the deal goes around from the last
        card's seat, as where a player had his second before the banker his first (IR-09, R-000-24).
        """
        lacking = [seat for seat in self.game.deal if len(self.cards[seat]) < self.needs(seat)]
        if self.terms or not lacking:
            return next(iter(lacking), None)
        if len(set(lacking)) == len(self.game.seats):
            return min(lacking, key=lambda seat: len(self.cards[seat]))
        around = list(dict.fromkeys(self.game.deal))
        after = around.index(self.last) + 1 if self.last else 0
        return next(seat for seat in (*around[after:], *around) if seat in lacking)

    def end(self) -> Step:
        if any(None in held for held in self.cards.values()):
            return Step(Next.FACES)
        last = self.game.turns[-1]
        return Step(Next.OVER, last.seat, "" if self.has_third(last.seat) else self.source(last))

    def owed(self) -> tuple[Irregularity, ...]:
        if any(len(held) < self.needs(seat) for seat, held in self.cards.items()):
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
        lawful = _Fold(self.game, self.terms)
        lawful.cards = {seat: held[: self.needs(seat)] for seat, held in self.cards.items()}
        lawful.firsts = self.firsts
        if natural:
            return lawful.cards
        for turn in self.game.turns:
            verdict = lawful.verdict(turn)
            if verdict is None:
                return None
            if verdict is not Verdict.STAND:
                needs = self.needs(turn.seat)
                lawful.cards[turn.seat] += self.cards[turn.seat][needs : needs + 1]
        return lawful.cards

    def winner(self, cards: dict[Seat, list[Points]] | None) -> Call | None:
        """The winner of each side (R-PB-10).

        None where a seat lacks its first cards, a face is not known, or every side refused the coup: nobody played it.
        """
        if cards is None or any(len(held) < self.needs(seat) for seat, held in cards.items()):
            return None
        if self.terms.refused.issuperset(self.game.sides):
            return None
        ranks = {seat: self.rank(seat, held) for seat, held in cards.items()}
        bank = ranks[self.game.bank]
        names = [self.won(side, ranks[side], bank) for side in self.game.sides]
        return None if None in names else CALL_OF["/".join(name for name in names if name)]

    def rank(self, seat: Seat, held: list[Points]) -> tuple[bool, int] | None:
        """What is compared: a natural first where the game says so (R-004-16), then the point."""
        points = total(held)
        natural = self.game.outranks and self.is_natural(seat) and len(held) == self.game.initial
        return None if points is None else (natural, points)

    def won(self, side: Seat, own: tuple[bool, int] | None, bank: tuple[bool, int] | None) -> str | None:
        if side in self.terms.refused:
            return REFUSED
        if self.game.banker_natural_wins and self.is_natural(self.game.bank):
            return self.game.bank.value
        if own is None or bank is None:
            return None
        return "tie" if own == bank else side.value if own > bank else self.game.bank.value


CALL_OF = {call.value: call for call in Call}


def total(cards: Sequence[Points]) -> Points:
    """Return the point of these cards, None if one is not known (rules.md 1.1)."""
    points = 0
    for card in cards:
        if card is None:
            return None
        points += card
    return points % 10


@lru_cache(maxsize=1 << 16)
def judge(game: Game, dealt: tuple[Dealt, ...], terms: Terms = NO_TERMS) -> Judgement:
    """Return what these cards, in drawing order, prove.

    >>> from controller.core.games import PUNTO_BANCO
    >>> P, B = Seat.PLAYER, Seat.BANKER
    >>> judge(PUNTO_BANCO, ((P, 2), (B, 3), (P, 3), (B, 3))).step
    Step(next=<Next.CARD: 'card'>, seat=<Seat.PLAYER: 'player'>, rule='R-PB-03')
    """
    fold = _Fold(game, terms)
    for seat, points in dealt:
        fold.take(seat, points)
    return Judgement(
        step=fold.step(),
        findings=tuple(fold.findings),
        owed=fold.owed(),
        totals=tuple(total(held) if held else 0 if seat in terms.tens else None for seat, held in fold.cards.items()),
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
