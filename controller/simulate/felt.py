"""The cards of one hand as they lie on the felt, and what they say."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.core.cards import Card, Seat
from controller.core.games import Game, Turn, Verdict
from controller.core.judge import judge, total
from controller.core.judgement import Dealt, Judgement
from controller.core.signals import Call, Pairs, ResultCalled

PAIRS = {
    (False, False): Pairs.NONE,
    (True, False): Pairs.PLAYER,
    (False, True): Pairs.BANKER,
    (True, True): Pairs.BOTH,
}
WITH_SIX = 6


@dataclass(frozen=True, slots=True)
class Laid:
    """A card on the felt; ``legible`` says whether the shoe could read it."""

    seat: Seat
    index: int
    card: Card
    legible: bool = True

    @property
    def seen(self) -> Card | None:
        """The face as the shoe knows it."""
        return self.card if self.legible else None


@dataclass(slots=True)
class Felt:
    """The cards of a hand in drawing order."""

    game: Game
    laid: list[Laid] = field(default_factory=list)

    @property
    def cards(self) -> list[Card]:
        """The faces in drawing order."""
        return [laid.card for laid in self.laid]

    def held(self, seat: Seat) -> list[Laid]:
        """The cards of a seat."""
        return [laid for laid in self.laid if laid.seat is seat]

    def thirds(self, seat: Seat) -> list[Laid]:
        """The cards of a seat beyond the deal."""
        return self.held(seat)[self.game.initial :]

    def judged(self) -> Judgement:
        """What the cards say, whether the shoe could read them or not."""
        return judge(self.game, tuple((laid.seat, laid.card.points) for laid in self.laid))

    def judged_as_seen(self) -> Judgement:
        """What a reader of the wire can prove."""
        seen: tuple[Dealt, ...] = tuple((laid.seat, laid.seen.points if laid.seen else None) for laid in self.laid)
        return judge(self.game, seen)

    def verdict(self, turn: Turn) -> Verdict:
        """What the table asks of a seat once every seat has its first cards."""
        if any(self._first_total(seat) >= self.game.natural for seat in self.game.seats):
            return Verdict.STAND
        before = self.thirds(turn.after[0]) if turn.after else []
        return turn.verdict(self._first_total(turn.seat), before[0].card.points if before else None)

    def result(self) -> ResultCalled:
        """What a shoe calls for these cards."""
        judged = self.judged()
        if judged.result is None:
            raise AssertionError("a finished hand has a result")
        with_six = judged.result is Call.BANKER and judged.totals[-1] == WITH_SIX
        return ResultCalled(judged.result, self._pairs(), with_six)

    def _first_total(self, seat: Seat) -> int:
        points = total([laid.card.points for laid in self.held(seat)[: self.game.initial]])
        if points is None:  # the pile knows every face
            raise AssertionError(f"{seat} holds a card without points")
        return points

    def _pairs(self) -> Pairs:
        first, second = (self._is_pair(seat) for seat in self.game.seats)
        return PAIRS[first, second]

    def _is_pair(self, seat: Seat) -> bool:
        firsts = self.held(seat)[: self.game.initial]
        return len({laid.card.rank for laid in firsts}) == 1
