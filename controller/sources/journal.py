"""A journal as inputs, each with the facts that were recorded for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path

from controller.core.engine import Table
from controller.core.facts import Fact
from controller.core.snapshot import restore
from controller.journal.errors import JournalDamage, NoJournal
from controller.journal.reader import Difference, Judged, differences, judged, read_folder, read_segment
from controller.journal.record import SEGMENT_CLOSED, SETTINGS_CHANGED, Record
from controller.journal.segment import opening_of, segments
from controller.settings import house_from_dict


@dataclass(frozen=True, slots=True)
class Replayed:
    """What one input of a journal gives today, and where that differs from what was recorded."""

    source: Judged
    facts: tuple[Fact, ...]
    differences: tuple[Difference, ...]
    table: Table


FIRST_BYTES = b'{"i":1,'


def records_of(path: Path) -> Iterator[Record]:
    """Yield the verified records of a folder or of one segment; a closed segment's raw bytes are verified too.

    Raises NoJournal, JournalDamage, JournalTooNew, OSError.
    """
    _expect_journal(path)
    last: Record | None = None
    for record in read_folder(path) if path.is_dir() else read_segment(path):
        if record.kind == SEGMENT_CLOSED:
            _check_raw(record)
        last = record
        yield record
    if path.is_dir() and last is not None and last.kind == SEGMENT_CLOSED:
        raise JournalDamage(last.path, last.i, "the segment that it says follows is not there")


def _expect_journal(path: Path) -> None:
    if path.is_dir():
        if not segments(path):
            raise NoJournal(f"{path} holds no journal: expected segments such as 000001-idle.jsonl")
        return
    with path.open("rb") as file:
        if not file.read(len(FIRST_BYTES)).startswith(FIRST_BYTES):
            raise NoJournal(f"{path} is no journal: expected a line that begins with {FIRST_BYTES.decode()}")


def _check_raw(closed: Record) -> None:
    """Compare a closed segment's raw file with the hash that was written when it was closed."""
    raw = closed.path.with_suffix(".raw")
    said = closed.data.get("raw", {})
    try:
        found = sha256(raw.read_bytes()).hexdigest()
    except FileNotFoundError:
        raise JournalDamage(raw, 1, "the raw bytes of this segment are not there") from None
    if found != said.get("sha256"):
        raise JournalDamage(raw, 1, "the raw bytes are not those that the segment was closed with")


def replay(path: Path) -> Iterator[Replayed]:
    """Apply the inputs of a journal to a table as its house was set, and compare fact by fact.

    Raises JournalDamage, JournalTooNew, OSError.
    """
    records = records_of(path)
    first = next(records, None)
    if first is None:
        raise NoJournal(f"{path} holds no journal")
    table = table_of(first)
    for item in judged(chain([first], adopting(table, records))):
        facts = table.apply(item.item)
        yield Replayed(item, facts, tuple(differences(item, facts)), table)


def table_of(record: Record) -> Table:
    """Return a table with the settings that a segment names, as it stood when the segment was opened."""
    opening = opening_of(record)
    house, identifies = house_from_dict(dict(opening.settings.profile))
    table = Table(house, identifies=identifies)
    if opening.carry:
        restore(table, opening.carry)
    return table


def adopting(table: Table, records: Iterator[Record]) -> Iterator[Record]:
    """Pass records on; the table takes up settings that were changed between two starts."""
    for record in records:
        if record.kind == SETTINGS_CHANGED:
            table.adopt(house_from_dict(record.data["profile"])[0])
        yield record
