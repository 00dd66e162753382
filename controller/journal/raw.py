"""The raw file beside a segment: a first line, then one line a read (`drivers.ports.rawline`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.core.inputs import Moment
from controller.journal.errors import JournalDamage
from controller.journal.record import Span
from drivers.ports.rawline import HEADER, RawLine, format_line, parse_line

RAW_HEADER = HEADER.encode() + b"\n"


@dataclass(frozen=True, slots=True)
class Kept:
    """A file's content, in the part that is whole and the part that is torn."""

    whole: bytes
    torn: bytes


def raw_line(data: bytes, at: Moment) -> bytes:
    """Return the line of one read.

    Raises ValueError without bytes or without both times.
    """
    if not data or at.utc_ns is None or at.mono_ns is None:
        raise ValueError("a raw line needs bytes and both times")
    return format_line(data, at.utc_ns, at.mono_ns).encode() + b"\n"


def whole_raw(path: Path, needed: int) -> Kept:
    """Cut lines that are not whole from the end of a raw file, but none before the offset ``needed``.

    Raises JournalDamage if the file is not whole up to there, or does not begin like one; OSError.
    """
    content = path.read_bytes()
    if not content.startswith(RAW_HEADER):
        raise JournalDamage(path, 1, f"is not {HEADER!r}")
    end = len(content)
    while end > len(RAW_HEADER):
        start = content.rfind(b"\n", 0, end - 1) + 1
        if _is_whole(content[start:end]):
            break
        end = start
    if end < needed:
        number = content.count(b"\n", 0, end) + 1
        raise JournalDamage(path, number, f"whole up to byte {end}, but records name bytes up to {needed}")
    return Kept(content[:end], content[end:])


def _is_whole(line: bytes) -> bool:
    try:
        parse_line(line.removesuffix(b"\n").decode("ascii"))
    except ValueError:
        return False
    return line.endswith(b"\n")


def read_raw_lines(path: Path) -> Iterator[tuple[RawLine, Span]]:
    """Yield the lines of a raw file, each with its place; its torn tail was cut when the journal was opened.

    Raises JournalDamage for a line that is not whole, OSError.
    """
    offset = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if offset and not _is_whole(line):
                raise JournalDamage(path, number, "is not a line of a raw file")
            if offset:
                yield parse_line(line[:-1].decode("ascii")), Span(offset, len(line))
            offset += len(line)
