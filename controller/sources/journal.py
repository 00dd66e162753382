"""A journal as inputs, each with the facts that were recorded for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from controller.core.engine import Table
from controller.core.facts import Fact
from controller.core.snapshot import restore
from controller.journal.errors import JournalDamage
from controller.journal.reader import Difference, Judged, differences, judged, read_folder, read_segment
from controller.journal.record import SETTINGS_CHANGED, Record
from controller.journal.segment import opening_of
from controller.settings import house_from_dict


@dataclass(frozen=True, slots=True)
class Replayed:
    """What one input of a journal gives today, and where that differs from what was recorded."""

    source: Judged
    facts: tuple[Fact, ...]
    differences: tuple[Difference, ...]


def records_of(path: Path) -> Iterator[Record]:
    """Yield the verified records of a folder or of one segment."""
    return read_folder(path) if path.is_dir() else read_segment(path)


def replay(path: Path) -> Iterator[Replayed]:
    """Apply the inputs of a journal to a table as its house was set, and compare fact by fact.

    Raises JournalDamage, JournalTooNew, OSError.
    """
    records = records_of(path)
    first = next(records, None)
    if first is None:
        raise JournalDamage(path, 1, "there is no journal in this folder")
    table = table_of(first)
    for item in judged(chain([first], adopting(table, records))):
        facts = table.apply(item.item)
        yield Replayed(item, facts, tuple(differences(item, facts)))


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
