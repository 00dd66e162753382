"""What an audit says of a hand, of a row that it cannot use, and of everything at the end."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from controller.audit.texts import KINDS

Plain = dict[str, Any]
SEATS = ("player", "banker")
SIDES = ("player", "banker", "tie")
EXIT_USAGE = 2
EXIT_UNREADABLE = 3
EXIT_INTEGRITY = 4
EXIT_IRREGULAR = 1
TAIL = ("result", "recorded", "irregularities")


class AuditError(Exception):
    """An input that cannot be read on; ``code`` is the exit code that it asks for."""

    def __init__(self, sentence: str, code: int = EXIT_UNREADABLE) -> None:
        super().__init__(sentence)
        self.code = code


def compact(value: Any) -> str:
    """Return JSON without blanks.

    >>> compact({"hand": 7})
    '{"hand":7}'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The end of an audit line, one object for all hands that end alike: ``json`` is its text."""

    result: str | None
    kinds: tuple[str, ...]
    json: str

    @staticmethod
    def of(result: str | None, recorded: str | None, irregularities: tuple[Plain, ...]) -> Outcome:
        """Return the outcome of these values; an irregularity has the keys of design.md section 6."""
        tail = dict(zip(TAIL, (result, recorded, list(irregularities)), strict=True))
        return Outcome(result, tuple(found["kind"] for found in irregularities), compact(tail)[1:-1])

    def with_more(self, irregularities: list[Plain]) -> Outcome:
        """Return this outcome with further irregularities at its end."""
        tail = json.loads(f"{{{self.json}}}")
        return Outcome.of(tail["result"], tail["recorded"], (*tail["irregularities"], *irregularities))


class Line(NamedTuple):
    """One judged hand; ``shoe`` and the ``cards`` of each of the ``seats`` are JSON, ready to be written."""

    shoe: str
    hand: int
    cards: tuple[str, ...]
    outcome: Outcome
    seats: tuple[str, ...] = SEATS

    @property
    def json(self) -> str:
        """The line as `audit --json` writes it."""
        if self.seats != SEATS:
            return _shape(self.seats) % (self.shoe, self.hand, *self.cards, self.outcome.json)
        return (
            f'{{"shoe":{self.shoe},"hand":{self.hand},"player":{self.cards[0]},'
            f'"banker":{self.cards[1]},{self.outcome.json}}}'
        )

    @property
    def plain(self) -> Plain:
        """The line as a dictionary."""
        line: Plain = json.loads(self.json)
        return line


@cache
def _shape(seats: tuple[str, ...]) -> str:
    """Return what the JSON values of a line are put into; seats hold no percent sign."""
    return '{"shoe":%s,"hand":%d,' + "".join(f'"{seat}":%s,' for seat in seats) + "%s}"


class RowNote(NamedTuple):
    """A row that was left out, or that says what its cards deny; ``row`` counts from 1, the header."""

    row: int
    error: str

    @property
    def json(self) -> str:
        """The note as `audit --json` writes it."""
        return compact({"row": self.row, "error": self.error})


class LineReader:
    """Takes audit lines as dictionaries, from captures and journals; equal ends are kept once."""

    def __init__(self, seats: tuple[str, ...] = SEATS) -> None:
        self._seats = seats
        self._outcomes: dict[str, Outcome] = {}

    def read(self, line: Mapping[str, Any]) -> Line:
        """Return the line; all keys of design.md section 6 must be there."""
        outcome = Outcome.of(line["result"], line["recorded"], tuple(line["irregularities"]))
        outcome = self._outcomes.setdefault(outcome.json, outcome)
        cards = tuple(compact(line[seat]) for seat in self._seats)
        return Line(compact(str(line["shoe"])), line["hand"], cards, outcome, self._seats)


@dataclass(slots=True)
class Tally:
    """What the summary counts, and remarks on a whole input.

    ``repeated`` rows are judged too, ``skipped`` ones are not. ``named`` are the results that are counted even where
    none came. ``dropped`` are abandoned hands with an irregularity: they have no line, and are no hands of the summary.
    ``misfits`` are places where a shoe's messages do not fit each other.
    """

    named: tuple[str, ...] = SIDES
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    skipped: int = 0
    repeated: int = 0
    unreadable: int = 0
    dropped: int = 0
    misfits: int = 0
    remarks: list[str] = field(default_factory=list)

    @property
    def dirty(self) -> int:
        """How many rows were not as a clean table has them."""
        return self.skipped + self.repeated + self.unreadable

    @property
    def irregular_hands(self) -> int:
        """How many hands have at least one irregularity."""
        return sum(count for outcome, count in self.outcomes.items() if outcome.kinds)

    @property
    def by_kind(self) -> dict[str, int]:
        """Irregularities by kind, in the order of the catalogue; kinds that did not occur are left out."""
        found: Counter[str] = Counter()
        for outcome, count in self.outcomes.items():
            for kind in outcome.kinds:
                found[kind] += count
        known = [kind for kind in KINDS if kind in found]
        return {kind: found[kind] for kind in (*known, *sorted(found.keys() - set(KINDS)))}

    @property
    def results(self) -> dict[str, int]:
        """Hands by result; a hand without one is in none."""
        found = dict.fromkeys(self.named, 0)
        for outcome, count in self.outcomes.items():
            if outcome.result is not None:
                found[outcome.result] = found.get(outcome.result, 0) + count
        return found

    def summary(self) -> Plain:
        """Return the last line of an audit."""
        return {
            "summary": {
                "hands": self.outcomes.total(),
                "irregular_hands": self.irregular_hands,
                "by_kind": self.by_kind,
                "results": self.results,
                "skipped": self.skipped,
                "repeated": self.repeated,
                "unreadable": self.unreadable,
            }
        }
