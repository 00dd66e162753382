"""Recover the open segment after any stop: keep all that is whole, cut a torn tail, lose and hide nothing.

The segment is read, and written anew as a whole file that takes the old one's place: after a failed fdatasync the
kernel's copy of a file says nothing about the disk (faults.md B 36), and a stop during recovery leaves the old file.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from controller.journal.disk import replace
from controller.journal.errors import JournalDamage, TornTail
from controller.journal.raw import Kept, whole_raw
from controller.journal.reader import read_lines
from controller.journal.record import SEGMENT_CLOSED, Record
from controller.journal.segment import Segment


@dataclass(frozen=True, slots=True)
class Found:
    """A segment as it was found: its whole records, and both its files."""

    segment: Segment
    records: tuple[Record, ...]
    journal: Kept
    raw: Kept

    @property
    def is_closed(self) -> bool:
        return self.records[-1].kind == SEGMENT_CLOSED


def examine(segment: Segment) -> Found:
    """Read the open segment and find where it is torn.

    Raises JournalDamage for damage that no torn write explains (nothing is written to a closed segment),
    JournalTooNew, OSError.
    """
    records, journal = _whole_records(segment.journal)
    needed = max((record.raw.end for record in records if record.raw), default=0)
    found = Found(segment, records, journal, whole_raw(segment.raw, needed))
    if found.is_closed and (found.journal.torn or found.raw.torn):
        raise JournalDamage(segment.journal, len(records) + 1, "bytes were added after segment_closed")
    return found


def _whole_records(path: Path) -> tuple[tuple[Record, ...], Kept]:
    content = path.read_bytes()
    records: list[Record] = []
    try:
        for record in read_lines(io.BytesIO(content), path, None):
            records.append(record)  # noqa: PERF402 - one by one, so that those before a torn tail are kept
    except TornTail as tail:
        if tail.offset == 0:
            raise JournalDamage(path, 1, tail.reason) from tail
        return tuple(records), Kept(content[: tail.offset], content[tail.offset :])
    return tuple(records), Kept(content, b"")


def put_aside(found: Found) -> dict[str, Any]:
    """Keep torn bytes in side files and return what `torn_tail_cut` says about them.

    A tail that is there already (after a stop during recovery) is not kept twice. Raises OSError.
    """
    files = {found.segment.journal: found.journal, found.segment.raw: found.raw}
    names = {path: path.with_name(path.name.removesuffix(".jsonl")) for path in files}
    return {
        path.suffix[1:]: {
            "offset": len(kept.whole),
            "bytes": len(kept.torn),
            "file": _keep(names[path], kept.torn),
        }
        for path, kept in files.items()
        if kept.torn
    }


def _keep(stem: Path, torn: bytes) -> str:
    for number in count(1):
        side = stem.with_name(f"{stem.name}.torn-{number}")
        if not side.exists():
            replace(side, torn)
            return side.name
        if side.read_bytes() == torn:
            return side.name
    raise AssertionError
