"""The judge's answers as a lookup table: each case is judged once, whatever the number of hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class Ending:
    """How a hand was closed: ``terms`` is what was ruled for its seats.

    What a hand lacked is no fault of anybody's where it was ``stopped``, closed without a result; it has none either
    where it ``asks``: nobody said who took a card. Of ``face_down`` seats nobody turned a card that is not known.
    What was void and had been ``turned`` before was not stopped: what it lacked then was a fault.
    """

    stopped: bool = False
    terms: Terms = NO_TERMS
    asks: bool = False
    turned: bool = False
    face_down: frozenset[Seat] = frozenset()


USUAL = Ending()


class Outcomes(dict[tuple[Code | str | None, ...], Outcome]):
    """Outcomes by the code of each seat and the recorded result, filled as they are asked for."""

    def __init__(self, game: Game, ending: Ending = USUAL) -> None:
        super().__init__()
        self._game = game
        self._ending = ending

    def __missing__(self, key: tuple[Code | str | None, ...]) -> Outcome:
        codes, recorded = cast(tuple[Code, ...], key[:-1]), cast(str | None, key[-1])
        laid: dict[Seat, Sequence[Points]] = dict(zip(self._game.seats, map(points_of, codes), strict=True))
        ending = self._ending
        terms = terms_of(self._game, recorded, ending.terms)
        dealt = on_terms(self._game, laid, terms) if terms else in_order(self._game, laid)
        if ending.asks:  # a card that nobody turned is nobody's
            dealt = tuple(one for one in dealt if one[1] is not None or one[0] not in ending.face_down)
        judgement = judge(self._game, dealt, terms)
        if ending.asks:
            judgement = replace(judgement, owed=(), result=None, counted=None)
        if len(self) >= MOST_KEPT:
            self.clear()
        return self.setdefault(key, self._outcome(judgement, unread_in(dealt, self._ending.face_down), recorded))

    def _outcome(self, judgement: Judgement, unread: list[Finding], recorded: str | None) -> Outcome:
        placed = sorted([*judgement.findings, *unread], key=attrgetter("place")) if unread else judgement.findings
        found = [one.irregularity for one in placed] + ([] if self._ending.stopped else list(judgement.owed))
        if mismatched(judgement, recorded):
            found.append(Irregularity("result-mismatch", None, self._game.sources.result))
        lines: tuple[Plain, ...] = tuple(irregularity_dict(one) for one in found if one.kind != NEEDS_ORDER)
        return Outcome.of(judgement.result.value if judgement.result else None, recorded, lines)


def terms_of(game: Game, recorded: str | None, ruled: Terms = NO_TERMS) -> Terms:
    """Return what was ruled, and what a recorded result adds: a side that is void refused the coup (IR-05, IR-06)."""
    words = recorded.split("/") if recorded else []
    refused = {side for side, word in zip(game.sides, words, strict=False) if word == REFUSED}
    return replace(ruled, refused=ruled.refused | refused) if refused else ruled


def on_terms(game: Game, laid: dict[Seat, Sequence[Points]], terms: Terms) -> tuple[Dealt, ...]:
    """Put the cards of each seat in drawing order where one has fewer first cards than usual (IR-08, IR-09)."""
    left = {seat: list(held) for seat, held in laid.items()}
    firsts = [seat for place, seat in enumerate(game.deal) if _has_first(game, terms, seat, place)]
    order = (*firsts, *(turn.seat for turn in game.turns))
    placed = [(seat, left[seat].pop(0)) for seat in order if left[seat]]
    return (*placed, *((seat, points) for seat in game.seats for points in left[seat]))


def _has_first(game: Game, terms: Terms, seat: Seat, place: int) -> bool:
    return game.deal[: place + 1].count(seat) <= terms.first_cards(seat, game.initial)


def unread_in(dealt: Sequence[Dealt], face_down: frozenset[Seat] = frozenset()) -> list[Finding]:
    """Return what is said of cards that were not read, once a seat."""
    first = {seat: place for place, (seat, points) in reversed([*enumerate(dealt)]) if points is None}
    return [Finding(place, Irregularity("unread-card", seat)) for seat, place in first.items() if seat not in face_down]


def mismatched(judgement: Judgement, recorded: str | None) -> bool:
    """Whether a recorded result is neither that of all cards nor that of the cards that count."""
    if recorded is None or recorded == "unknown" or judgement.result is None:
        return False
    return recorded not in {call.value for call in (judgement.result, judgement.counted) if call}
