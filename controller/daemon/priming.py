"""A shoe's session after a restart: led through the raw bytes kept, so that nothing is lost, doubled or skipped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from controller.journal.raw import read_raw_lines
from controller.journal.reader import inputs, read_segment
from controller.journal.record import Span
from controller.journal.segment import Segment, segments
from drivers.angel_eye import Heard, Session
from drivers.ports.rawline import RawLine

COPIES_WAIT_S = 0.25  # a frame's copies follow each other at once: after this silence no more are coming
NS_PER_S = 1_000_000_000

Unjudged = tuple[Heard, RawLine, Span]


def prime(session: Session, folder: Path) -> list[Unjudged]:
    """Feed a fresh session what the last two segments kept; return what no input was made of yet.

    The session then stands where it stood: the next frame's number still proves whether one is missing.
    A read in which a shoe began stands in both raw files, as the last line of one and the first of the other.
    """
    *before, last = segments(folder)[-2:]
    lines = list(read_raw_lines(last.raw))
    judged = spans(last)
    shared = 0
    if before:
        old = list(read_raw_lines(before[0].raw))
        if old and lines and old[-1][0] == lines[0][0]:
            shared = spans(before[0]).count(old[-1][1])
            old.pop()
        follow(session, old, lines[0][0] if lines else None)
    return list(unjudged(session, lines, judged, shared))


def follow(session: Session, lines: list[tuple[RawLine, Span]], after: RawLine | None) -> None:
    """Feed lines of which all was judged."""
    for place, (line, _) in enumerate(lines):
        session.feed(line.data)
        following = lines[place + 1][0] if place + 1 < len(lines) else after
        if following is None or fell_silent(line, following):
            session.flush()


def unjudged(
    session: Session, lines: list[tuple[RawLine, Span]], judged: list[Span], shared: int
) -> Iterator[Unjudged]:
    """Yield what the lines say beyond the inputs made of them; ``shared`` were made of the first in the old segment."""
    seen_to = judged[-1].offset if judged else -1
    for place, (line, span) in enumerate(lines):
        made = judged.count(span) + (shared if place == 0 else 0)
        heard = session.feed(line.data)
        following = lines[place + 1][0] if place + 1 < len(lines) else None
        if made > len(heard) or (following is not None and fell_silent(line, following)):
            heard += session.flush()
        if span.offset >= seen_to:
            yield from ((one, line, span) for one in heard[made:])


def spans(segment: Segment) -> list[Span]:
    """Return the raw places that the inputs of a segment name, in order."""
    return [raw for _, _, raw in inputs(read_segment(segment.journal)) if raw is not None]


def fell_silent(line: RawLine, following: RawLine) -> bool:
    """Whether the session was flushed between two reads."""
    return abs(following.mono_ns - line.mono_ns) > COPIES_WAIT_S * NS_PER_S
