"""Where audit lines come from: hand tables here, captures and journals by replay."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.audit.columns import seats_of
from controller.audit.formats import HEAD_BYTES, format_of, is_utf_16
from controller.audit.handtable import Reading, read_table
from controller.audit.lines import AuditError, Line, LineReader, RowNote, Tally

if TYPE_CHECKING:
    from controller.sources.setting import Setting

Advance = Callable[[int], object]  # told how many bytes of an input have been read
ROWS_A_STEP = 5_000
NOT_CHECKED_DECKS = 1_000  # more copies than any shoe holds: no card is impossible


@dataclass(frozen=True, slots=True)
class Played:
    """What only captures ask for: how holds are closed, the file of the croupier's keys, and the table if it is known.

    Without a table the game's usual shoe and house hold.
    """

    unattended: str
    keys_path: str | None = None
    setting: Setting | None = None


def audit_file(
    path: str, named: str | None, reading: Reading, asked: Played, tally: Tally, advance: Advance
) -> Iterator[Line | RowNote]:
    """Yield the lines of one input, "-" for stdin, and count them in ``tally``.

    Raises AuditError with the exit code for an input that cannot be read (on).
    """
    kind = format_of(path, named)
    if kind == "csv":
        lines: Iterator[Line | RowNote] = table_lines(path, reading, tally, advance)
    else:
        lines = replay_lines(path, kind, reading, asked, tally)
    outcomes = tally.outcomes
    for line in lines:
        if isinstance(line, Line):
            outcomes[line.outcome] += 1
        yield line


def table_lines(path: str, reading: Reading, tally: Tally, advance: Advance) -> Iterator[Line | RowNote]:
    """Yield the lines of a hand table."""
    try:
        with opened(path) as binary:
            check_text(binary.peek(HEAD_BYTES)[:HEAD_BYTES])
            # A byte that is no UTF-8 is told with its place, once a cell with one is wanted.
            text = io.TextIOWrapper(binary, encoding="utf-8-sig", errors="surrogateescape", newline="")
            for count, line in enumerate(read_table(text, reading, tally)):
                if count % ROWS_A_STEP == 0:
                    advance(place_in(binary))
                yield line
    except OSError as error:
        raise AuditError(f"{path}: {error.strerror}") from error
    except AuditError as error:
        raise AuditError(f"{path}: {error}", error.code) from error


def check_text(head: bytes) -> None:
    """Raise AuditError for a table that begins with what is no text in an encoding of single bytes."""
    if is_utf_16(head) or b"\0" in head:
        came = "text in UTF-16" if is_utf_16(head) else "bytes of value 0"
        raise AuditError(f"expected a hand table in UTF-8, got {came}; save as UTF-8 (CSV UTF-8)")


def opened(path: str) -> AbstractContextManager[Any]:
    """Return a binary stream that is closed at the end, but for stdin."""
    return nullcontext(sys.stdin.buffer) if path == "-" else closing(Path(path).open("rb"))


def place_in(binary: Any) -> int:
    """How many bytes have been read, 0 where the stream cannot say."""
    return int(binary.tell()) if binary.seekable() else 0


def replay_lines(path: str, kind: str, reading: Reading, played: Played, tally: Tally) -> Iterator[Line]:
    """Yield the lines of a capture, a script or a journal, as the table judges them in replay."""
    from controller.audit.captures import Asked, hand_lines
    from controller.audit.standing import Standing
    from controller.sources.setting import usual

    standing = Standing()
    reader = LineReader(seats_of(reading.game))
    decks = NOT_CHECKED_DECKS if reading.decks == 0 else reading.decks
    asked = Asked(played.setting or usual(reading.game, decks), played.unattended, played.keys_path)
    try:
        for line in hand_lines(path, kind, asked, standing):
            yield reader.read(line)
    finally:
        tally.dropped += standing.dropped
        tally.misfits += standing.misfits.count
        if standing.misfits.sentence:
            tally.remarks.append(standing.misfits.sentence)
