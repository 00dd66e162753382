"""What `tirage export` reads: hands, facts and incidents of journals, shoe after shoe, while the daemon runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from controller.core.words import utc_ns
from controller.journal.errors import JournalDamage, JournalError
from controller.journal.reader import Judged, judged
from controller.journal.record import Record, dumps
from controller.journal.segment import NAME, Segment, SegmentKind, opening_of, segments
from controller.recall.ledger import FACT_HEAD, Ledger, Plain
from controller.recall.places import up_to_now

SHOES_KEPT = 2  # a hand left open, or an incident, is closed in the next shoe at the latest


class NothingThere(LookupError):
    """There is no journal at a path; the text is a sentence."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for; None for all. Times are UTC nanoseconds, the end excluded."""

    what: str
    table: str | None = None
    shoe: int | None = None
    begin: int | None = None
    end: int | None = None

    def holds(self, shoe: str, at: str | None) -> bool:
        """Whether a row of this shoe and time is asked for; one without a time is, unless times are."""
        if self.shoe is not None and int(shoe) != self.shoe:
            return False
        if self.begin is None and self.end is None:
            return True
        if at is None:
            return False
        ns = utc_ns(at)
        return (self.begin is None or ns >= self.begin) and (self.end is None or ns < self.end)


def journals(path: Path) -> list[list[Segment]]:
    """Return the segments of each table: of a segment's file, of a table's folder, or of a data folder.

    Raises NothingThere, JournalDamage, OSError.
    """
    if path.is_file():
        found = NAME.fullmatch(path.name)
        if found is None:
            raise NothingThere(f"{path} is no segment: expected a name such as 000042-shoe.jsonl")
        return [[Segment(path.parent, int(found["number"]), SegmentKind(found["kind"]))]]
    if not path.is_dir():
        raise NothingThere(f"{path} is not there: name a data folder, a table's folder or a segment")
    tables = [segments(folder) for folder in (path, *sorted(path.iterdir())) if folder.is_dir()]
    there = [table for table in tables if table]
    if not there:
        raise NothingThere(f"{path} holds no journal")
    return there


def rows(path: Path, wanted: Wanted) -> Iterator[Plain]:
    """Yield what is asked for, in the order of the journal: a damaged segment up to its damage, all others whole.

    Raises JournalError that names every damage, after all rows; NothingThere, JournalTooNew, OSError.
    """
    flaws: list[JournalDamage] = []
    for table in journals(path):
        records = _whole(table, flaws)
        first = next(records, None)
        if first is None:
            flaws = flaws or [JournalDamage(table[0].journal, 1, "the segment is empty")]
            continue
        name = opening_of(first).settings.table
        if wanted.table in (None, name):
            yield from _of_table(name, chain([first], records), wanted)
    if flaws:
        raise JournalError("; ".join(map(str, flaws)))


def _whole(table: Sequence[Segment], flaws: list[JournalDamage]) -> Iterator[Record]:
    """Yield the verified records of a table; where a segment is damaged, add it to the flaws and begin the next one."""
    open_one, left = segments(table[-1].folder)[-1], list(table)
    while left:
        try:
            yield from up_to_now(left, open_one)
        except JournalDamage as damage:
            flaws.append(damage)
            left = left[[segment.journal for segment in left].index(damage.path) + 1 :]
        else:
            return


def _of_table(name: str, records: Iterator[Record], wanted: Wanted) -> Iterator[Plain]:
    ledger, newest = Ledger(name), 0
    for item, facts in _facts(records):
        for fact in facts:
            if wanted.what == "facts":
                if wanted.holds(fact["shoe"], fact["at"]):
                    yield {"table": name, **fact, "by": fact.get("by", item.item.by)}
                continue
            ledger.take(fact)
            if int(fact["shoe"]) > newest:
                newest = int(fact["shoe"])
                yield from _asked(ledger.settled(newest - SHOES_KEPT + 1), wanted)
    if wanted.what != "facts":
        yield from _asked(ledger.rest(), wanted)


def _asked(found: Iterator[tuple[str, Plain]], wanted: Wanted) -> Iterator[Plain]:
    for what, row in found:
        at = row["opened"] if what == "hands" else row["at"]
        if what == wanted.what and wanted.holds(row["shoe"], at):
            yield row


def _facts(records: Iterable[Record]) -> Iterator[tuple[Judged, tuple[Plain, ...]]]:
    """Yield each input with the facts recorded then; the last one may have none yet, and is left for later."""
    return ((item, item.facts) for item in judged(records) if item.facts is not None)


def fact_cells(row: Plain) -> list[Any]:
    """Return a fact as table, time, shoe, hand, name, by, and the rest as JSON."""
    rest = {name: value for name, value in row.items() if name not in FACT_HEAD and name != "table"}
    return [row["table"], row["at"] or "", row["shoe"], row["hand"] or "", row["fact"], row["by"], dumps(rest)]
