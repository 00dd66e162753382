"""Bytes into lines of text and what is none (no I/O)."""

from __future__ import annotations

from typing import NamedTuple

from drivers.heard import DETAIL_BYTES
from drivers.line.codes import LONGEST_LINE_BYTES

BLANKS = b" \t\r"
NOISE_RUN_BYTES = 1024  # a longer run of damage is reported in parts of this size

DOUBT_BYTES = 64  # after more damage than one line a text is chance, until the line falls silent

_KEPT_BYTES = LONGEST_LINE_BYTES + 1  # the longest line and its CR
_TEXT = frozenset(range(0x20, 0x7F)) | {0x09}
_LONG_TEXT = _TEXT | {0x0D}  # of a line that is too long it is not looked at where its CR stands


class Text(NamedTuple):
    """A whole line of text, not blank; ``raw`` is without its line end."""

    offset: int
    raw: bytes


class Damaged(NamedTuple):
    """A run of bytes that are no lines of text: ``head`` is its beginning, ``size`` how many with their line ends.

    ``lines`` is how many lines ended in it, ``overlong`` how many of these were longer than a line may be.
    """

    offset: int
    head: bytes
    size: int
    lines: int
    overlong: int


Piece = Text | Damaged


class Framing:
    """Cuts a stream into lines; what comes out does not depend on how the bytes were chunked.

    A line of bytes other than printable ASCII, or of more than LONGEST_LINE_BYTES, is damaged as a whole; damaged lines
    that follow each other are one run. Within garbage of more than DOUBT_BYTES nothing is a text, since
    chance makes texts too; a line that is text and only too long is no garbage. Holds one line and the beginning of a
    run.
    """

    def __init__(self) -> None:
        self._line = bytearray()
        self._overlong = False  # the line has passed its bound: its bytes belong to the run
        self._at = 0  # offset of the next byte
        self._run_at = 0
        self._run_head = bytearray()
        self._run_size = self._run_lines = self._run_overlong = 0
        self._damage = 0  # bytes since the last text or silence
        self._damage_before = 0  # the same when this line began
        self._strange = False  # this line has passed its bound and is not all text

    @property
    def held_bytes(self) -> int:
        """Bytes kept of a line that waits for its end; of one that has passed its bound only the beginning is kept."""
        kept = self._run_head if self._overlong else self._line
        return len(kept) if self.line_waits else 0

    @property
    def line_waits(self) -> bool:
        """Whether what has begun as a line waits for its end."""
        return self._overlong or bool(self._line.strip(BLANKS))

    def feed(self, data: bytes) -> list[Piece]:
        """Take the next bytes and return the pieces that are now certain."""
        out: list[Piece] = []
        *lines, rest = data.split(b"\n")
        for line in lines:
            self._add(line, out)
            self._end(out)
        self._add(rest, out)
        return out

    def flush(self) -> list[Piece]:
        """No more bytes are coming: what is left is no whole line."""
        out: list[Piece] = []
        if self.line_waits:
            self._end_damaged(bytes(self._line), out)
        self._line.clear()
        self._end_run(out)
        self._damage = self._damage_before = 0
        self._strange = False
        return out

    def _add(self, data: bytes, out: list[Piece]) -> None:
        if not self._overlong:
            room = _KEPT_BYTES - len(self._line)
            self._line += data[:room]
            self._at += len(data[:room])
            data = data[room:]
            if not data:
                return
            self._spoil(bytes(self._line), self._at - len(self._line), out)
            self._overlong, self._strange = True, not _LONG_TEXT.issuperset(self._line)
            self._line.clear()
        self._at += len(data)
        self._strange = self._strange or not _LONG_TEXT.issuperset(data)
        self._spoil(data, self._at - len(data), out)

    def _end(self, out: list[Piece]) -> None:
        self._at += 1
        line = bytes(self._line)
        text = line.removesuffix(b"\r")
        doubtful = self._damage > DOUBT_BYTES and bool(text)
        long, strange = self._overlong or len(text) > LONGEST_LINE_BYTES, self._strange or not _TEXT.issuperset(text)
        if long or doubtful or strange:
            self._end_damaged(line + b"\n", out)
            if long and not strange:
                self._damage = self._damage_before
        elif text.strip(BLANKS):
            self._end_run(out)
            self._damage = 0
            out.append(Text(self._at - len(line) - 1, text))
        elif self._run_size:
            self._spoil(line + b"\n", self._at - len(line) - 1, out)
        self._line.clear()
        self._strange, self._damage_before = False, self._damage

    def _end_damaged(self, rest: bytes, out: list[Piece]) -> None:
        """Take the last bytes of a damaged line into the run."""
        self._spoil(rest, self._at - len(rest), out)
        self._run_lines += 1
        self._run_overlong += self._overlong or len(rest) > _KEPT_BYTES
        self._overlong = False

    def _spoil(self, data: bytes, offset: int, out: list[Piece]) -> None:
        self._damage += len(data)
        while data:
            if self._run_size == NOISE_RUN_BYTES:
                self._end_run(out)
            if not self._run_size:
                self._run_at = offset
            part = data[: NOISE_RUN_BYTES - self._run_size]
            self._run_head += part[: DETAIL_BYTES - len(self._run_head)]
            self._run_size += len(part)
            data, offset = data[len(part) :], offset + len(part)

    def _end_run(self, out: list[Piece]) -> None:
        if self._run_size:
            head = bytes(self._run_head)
            out.append(Damaged(self._run_at, head, self._run_size, self._run_lines, self._run_overlong))
        self._run_head.clear()
        self._run_size = self._run_lines = self._run_overlong = 0
