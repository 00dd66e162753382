"""The judge's answers as a lookup table: each case is judged once, whatever the number of hands."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import cast

from controller.audit.cells import MOST_KEPT, Code, points_of
from controller.audit.lines import Outcome, Plain
from controller.core.cards import Seat
from controller.core.facts import Irregularity
from controller.core.games import Game
from controller.core.judge import in_order, judge
from controller.core.judgement import NO_TERMS, REFUSED, Dealt, Finding, Judgement, Points, Terms
from controller.core.words import irregularity_dict

# A hand table gives the cards of each seat and no order between them, so no order can be wrong.
NEEDS_ORDER = "wrong-order"


class Outcomes(dict[tuple[Code | str | None, ...], Outcome]):
    """Outcomes by the code of each seat and the recorded result, filled as they are asked for.

    What a hand lacked is no fault of anybody's where it was ``stopped``: closed without a result.
    """

    def __init__(self, game: Game, *, stopped: bool = False) -> None:
        super().__init__()
        self._game = game
        self._stopped = stopped

    def __missing__(self, key: tuple[Code | str | None, ...]) -> Outcome:
        codes, recorded = cast(tuple[Code, ...], key[:-1]), cast(str | None, key[-1])
        laid: dict[Seat, Sequence[Points]] = dict(zip(self._game.seats, map(points_of, codes), strict=True))
        dealt = in_order(self._game, laid)
        judgement = judge(self._game, dealt, terms_of(self._game, recorded))
        if len(self) >= MOST_KEPT:
            self.clear()
        return self.setdefault(key, self._outcome(judgement, unread_in(dealt), recorded))

    def _outcome(self, judgement: Judgement, unread: list[Finding], recorded: str | None) -> Outcome:
        placed = sorted([*judgement.findings, *unread], key=attrgetter("place")) if unread else judgement.findings
        found = [one.irregularity for one in placed] + ([] if self._stopped else list(judgement.owed))
        if mismatched(judgement, recorded):
            found.append(Irregularity("result-mismatch", None, self._game.sources.result))
        lines: tuple[Plain, ...] = tuple(irregularity_dict(one) for one in found if one.kind != NEEDS_ORDER)
        return Outcome.of(judgement.result.value if judgement.result else None, recorded, lines)


def terms_of(game: Game, recorded: str | None) -> Terms:
    """Return what a recorded result says of the sides: one that is void refused the coup (IR-05, IR-06)."""
    words = recorded.split("/") if recorded else []
    refused = {side for side, word in zip(game.sides, words, strict=False) if word == REFUSED}
    return Terms(refused=frozenset(refused)) if refused else NO_TERMS


def unread_in(dealt: Sequence[Dealt]) -> list[Finding]:
    """Return what is said of cards that were not read, once a seat."""
    first = {seat: place for place, (seat, points) in reversed([*enumerate(dealt)]) if points is None}
    return [Finding(place, Irregularity("unread-card", seat)) for seat, place in first.items()]


def mismatched(judgement: Judgement, recorded: str | None) -> bool:
    """Whether a recorded result is neither that of all cards nor that of the cards that count."""
    if recorded is None or recorded == "unknown" or judgement.result is None:
        return False
    return recorded not in {call.value for call in (judgement.result, judgement.counted) if call}
