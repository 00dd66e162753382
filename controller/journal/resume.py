"""What a table needs to come back to the exact point.

The state of a table spans its shoe. To rebuild it: begin with the last shoe segment (of a folder without one, with
the first segment), give its `carry` to the table, and apply the inputs of it and of all segments after it. What
outlives a shoe, such as open incidents, is in the `carry` that the caller of `Journal.roll` put there.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.journal.errors import JournalDamage
from controller.journal.raw import RAW_HEADER
from controller.journal.reader import Judged, judged, read_segment
from controller.journal.record import SEGMENT_CLOSED, Record
from controller.journal.segment import Opening, Segment, SegmentKind, opening_of, segments


@dataclass(frozen=True, slots=True)
class Resumed:
    """Where to begin and what to apply.

    ``opening`` is the first segment's, ``inputs`` come in order with the facts recorded then. ``raw_seen`` is the
    offset in the open segment's raw file behind the last byte that an input names: bytes after it were kept, but the
    stop came before they were decoded into inputs.
    """

    opening: Opening
    inputs: tuple[Judged, ...]
    open_segment: Segment
    raw_seen: int

    @property
    def carry(self) -> dict[str, Any]:
        return self.opening.carry


def resume(folder: Path) -> Resumed | None:
    """Read what the open state of a table needs; None if the folder has no journal.

    Open the journal first: that repairs a torn tail. Raises JournalDamage, JournalTooNew, OSError.
    """
    needed = needed_segments(segments(folder)) if folder.is_dir() else []
    if not needed:
        return None
    records: list[Record] = []
    for segment in needed:
        records.extend(_continued(segment, records))
    last = needed[-1]
    named = (record.raw.end for record in records if record.raw and record.path == last.journal)
    return Resumed(opening_of(records[0]), tuple(judged(records)), last, max(named, default=len(RAW_HEADER)))


def needed_segments(there: list[Segment]) -> list[Segment]:
    """Return the last shoe segment and all after it, or all if there is no shoe yet."""
    shoes = [place for place, segment in enumerate(there) if segment.kind is SegmentKind.SHOE]
    return there[shoes[-1] if shoes else 0 :]


def _continued(segment: Segment, before: list[Record]) -> list[Record]:
    if not before:
        return list(read_segment(segment.journal))
    if before[-1].kind != SEGMENT_CLOSED:
        raise JournalDamage(before[-1].path, before[-1].i, f"not closed, but {segment.name} follows")
    return list(read_segment(segment.journal, before[-1].hash))
