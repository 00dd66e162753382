"""A shoe's session after a restart: led through the raw bytes kept, so that nothing is lost, doubled or skipped.

Nothing but the journal may say what the session did, so its two pauses follow from what is stored: a read that comes
more than COPIES_WAIT_S after the one before begins with a flush, and any other flush (the line fell silent, the port
was lost) shows in more inputs than the read's own bytes made.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from controller.journal.raw import read_raw_lines
from controller.journal.reader import inputs, read_segment
from controller.journal.record import Span
from controller.journal.segment import Segment, segments
from drivers.heard import Heard, Session
from drivers.ports.rawline import RawLine

COPIES_WAIT_S = 0.25  # a frame's copies follow each other at once: after this silence no more are coming
NS_PER_S = 1_000_000_000
MARKS_WANTED = 32  # more than any driver compares
SEGMENTS_WITH_MARKS = 8  # a shoe that said nothing for so many is met anew
SEGMENTS_LED_THROUGH = 4  # of which one at least is a shoe's, so the number of the last frame is among them


@dataclass(frozen=True, slots=True)
class Kept:
    """A read as it is kept: its last place, and how many inputs were made of it in all its places."""

    line: RawLine
    span: Span
    segment: Segment
    made: int


def prime(session: Session, reads: list[Kept]) -> list[tuple[Heard, Kept]]:
    """Feed a fresh session what was kept; return what no input was made of yet, each with the read that tells it.

    The session then stands where it stood: the next frame's number still proves whether one is missing.
    """
    judged_to = max((place for place, read in enumerate(reads) if read.made), default=-1)
    left: list[tuple[Heard, Kept]] = []
    for place, read in enumerate(reads):
        silent = place and fell_silent(reads[place - 1].line.mono_ns, read.line.mono_ns)
        heard = [*(session.flush() if silent else ()), *session.feed(read.line.data)]
        if read.made > len(heard):
            heard += session.flush()
        if place >= judged_to:
            left += [(one, read) for one in heard[read.made :]]
    return left


def kept_reads(folder: Path) -> list[Kept]:
    """Return the reads that the last segments kept; one in which a shoe began stands in two of them, and comes once."""
    reads: dict[RawLine, Kept] = {}  # a read's times make it one of its kind
    for segment in segments(folder)[-SEGMENTS_LED_THROUGH:]:
        made = Counter(raw for _, _, raw in inputs(read_segment(segment.journal)) if raw is not None)
        for line, span in read_raw_lines(segment.raw):
            before = reads[line].made if line in reads else 0
            reads[line] = Kept(line, span, segment, before + made[span])
    return list(reads.values())


def last_read(folder: Path) -> list[Kept]:
    """Return the last read that is kept, if it is in the last segment."""
    last = segments(folder)[-1]
    reads = [Kept(line, span, last, 0) for line, span in read_raw_lines(last.raw)]
    return reads[-1:]


def marks(folder: Path) -> list[str]:
    """Return the marks of the last inputs, oldest first, by which a shoe that can be asked is asked to go on."""
    found: list[str] = []
    for segment in reversed(segments(folder)[-SEGMENTS_WITH_MARKS:]):
        here = [item.mark for _, item, _ in inputs(read_segment(segment.journal)) if item.mark]
        found = [*here[-MARKS_WANTED:], *found]
        if len(found) >= MARKS_WANTED:
            break
    return found


def fell_silent(before_ns: int, then_ns: int) -> bool:
    """Whether no copy of a frame at one monotonic time can belong to a frame at the other."""
    return abs(then_ns - before_ns) > COPIES_WAIT_S * NS_PER_S
