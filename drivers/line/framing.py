"""Bytes into lines of text and what is none (no I/O)."""

from __future__ import annotations

from typing import NamedTuple

from drivers.heard import DETAIL_BYTES
from drivers.line.codes import LONGEST_LINE_BYTES

BLANKS = b" \t"
NOISE_RUN_BYTES = 1024  # a longer run without a line end is reported in parts of this size

_TEXT = frozenset(range(0x20, 0x7F)) | {0x09}


class Text(NamedTuple):
    """A whole line of text, not blank; ``raw`` is without its line end."""

    offset: int
    raw: bytes


class Damaged(NamedTuple):
    """Bytes that are no line of text: ``head`` is their beginning, ``size`` how many, the line end not counted.

    ``overlong`` says that there were more than a line may have, ``ended`` that this was the end of the run.
    """

    offset: int
    head: bytes
    size: int
    overlong: bool
    ended: bool


Piece = Text | Damaged


class Framing:
    """Cuts a stream into lines; what comes out does not depend on how the bytes were chunked.

    A line of bytes other than printable ASCII, or of more than LONGEST_LINE_BYTES, is damaged as a whole. Holds no more
    than the longest line.
    """

    def __init__(self) -> None:
        self._line = bytearray()  # of the line so far, no more than the longest with its CR
        self._size = 0  # bytes of the line so far
        self._reported = 0  # bytes of it that were reported
        self._at = 0  # offset of the next byte

    @property
    def held_bytes(self) -> int:
        """Bytes kept until more arrive."""
        return len(self._line)

    def feed(self, data: bytes) -> list[Piece]:
        """Take the next bytes and return the pieces that are now certain."""
        out: list[Piece] = []
        *lines, rest = data.split(b"\n")
        for line in lines:
            self._add(line, out)
            self._end(out)
            self._at += 1
        self._add(rest, out)
        return out

    def flush(self) -> list[Piece]:
        """No more bytes are coming: what is left is no whole line."""
        out: list[Piece] = []
        if bytes(self._line).strip(BLANKS + b"\r") or self._reported:
            out.append(self._damage(self._size - self._reported, ended=True))
        self._clear()
        return out

    def _add(self, data: bytes, out: list[Piece]) -> None:
        self._line += data[: LONGEST_LINE_BYTES + 1 - len(self._line)]
        self._size += len(data)
        self._at += len(data)
        while self._size - self._reported > NOISE_RUN_BYTES:
            out.append(self._damage(NOISE_RUN_BYTES, ended=False))
            self._reported += NOISE_RUN_BYTES

    def _end(self, out: list[Piece]) -> None:
        line = bytes(self._line).removesuffix(b"\r")
        if self._overlong or not _TEXT.issuperset(line):
            out.append(self._damage(self._size - self._reported, ended=True))
        elif line.strip(BLANKS):
            out.append(Text(self._at - self._size, line))
        self._clear()

    def _damage(self, size: int, *, ended: bool) -> Damaged:
        start = self._at - self._size + self._reported
        head = b"" if self._reported else bytes(self._line[:DETAIL_BYTES])
        return Damaged(start, head[:size], size, self._overlong, ended)

    @property
    def _overlong(self) -> bool:
        return self._size > len(self._line) or len(self._line.removesuffix(b"\r")) > LONGEST_LINE_BYTES

    def _clear(self) -> None:
        self._line.clear()
        self._size = self._reported = 0
