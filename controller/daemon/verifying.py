"""Old segments read again while the daemon works, slowly: bits that rot are found before somebody needs them (B 39)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterator
from hashlib import sha256
from pathlib import Path

import structlog

from controller.journal.errors import JournalDamage
from controller.journal.reader import read_segment
from controller.journal.record import SEGMENT_CLOSED, Record
from controller.journal.segment import Segment, segments

LINES_AT_ONCE = 100  # a few milliseconds
BYTES_AT_ONCE = 1 << 20
PAUSE_S = 0.05  # between two steps, for the tables
AGAIN_S = 24 * 3_600.0
log = structlog.get_logger()
Step = JournalDamage | None  # a flaw, or no more than that it is time for a pause


async def verify_old(folder: Path, tell: Callable[[JournalDamage], None]) -> None:
    """Read all closed segments of a table again and again, once a day, and tell each flaw."""
    while True:
        steps = flaws(folder)
        going_on = True
        while going_on:
            going_on = await asyncio.to_thread(_step, steps, tell)
            await asyncio.sleep(PAUSE_S)
        await asyncio.sleep(AGAIN_S)


def _step(steps: Iterator[Step], tell: Callable[[JournalDamage], None]) -> bool:
    """Go on to the next pause; False at the end."""
    for flaw in steps:
        if flaw is None:
            return True
        log.error("record damaged", reason=str(flaw))
        tell(flaw)
    return False


def flaws(folder: Path) -> Iterator[Step]:
    """Yield what is wrong with the closed segments of a folder, and None wherever a pause does no harm."""
    prev: str | None = None
    for segment in segments(folder)[:-1]:
        closed: Record | None = None
        try:
            closed = yield from _read(segment, prev)
            yield from _raw_flaws(segment, closed)
        except JournalDamage as damage:
            yield damage
        except OSError as error:  # archived meanwhile, or a sector that cannot be read
            if segment.journal.exists():
                yield JournalDamage(segment.journal, 1, f"cannot be read: {error.strerror or error}")
        prev = closed.hash if closed else None


def _read(segment: Segment, prev: str | None) -> Generator[Step, None, Record]:
    """Read a segment and return its last line. Raises JournalDamage, OSError."""
    last: Record | None = None
    for record in read_segment(segment.journal, prev):
        last = record
        if record.i % LINES_AT_ONCE == 0:
            yield None
    if last is None or last.kind != SEGMENT_CLOSED:
        raise JournalDamage(segment.journal, last.i if last else 1, "not closed, but another segment follows")
    return last


def _raw_flaws(segment: Segment, closed: Record) -> Iterator[Step]:
    """Hold the raw file against its hash in the last line of its segment."""
    named = closed.data.get("raw")
    if not isinstance(named, dict):
        return
    hashed = sha256()
    with segment.raw.open("rb") as raw:
        while part := raw.read(BYTES_AT_ONCE):
            hashed.update(part)
            yield None
    if hashed.hexdigest() != named.get("sha256"):
        yield JournalDamage(segment.raw, 1, "its bytes are not those that segment_closed names")
