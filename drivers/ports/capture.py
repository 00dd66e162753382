"""Captures of a line: hex with one read a line, our raw file, or bare bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import BinaryIO

from drivers.ports.rawline import HEADER, parse_line

LINE_BYTES = 1 << 20  # a longer line is not a capture
CHUNK_BYTES = 1 << 16
SNIFF_BYTES = 4096
QUOTED_CHARACTERS = 40

_TEXT_OF_HEX = frozenset(b"0123456789abcdefABCDEF \t\r\n")


class Format(StrEnum):
    """How a capture is written."""

    HEX = "hex"
    RAW = "raw"
    BYTES = "bytes"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes of one read; ``offset`` counts from the first byte of the capture, times are None where unknown."""

    data: bytes
    offset: int
    utc_ns: int | None = None
    mono_ns: int | None = None


class CaptureError(ValueError):
    """A capture cannot be read: where, what was expected, what came and what to do."""

    def __init__(self, line: int, expected: str, got: str, remedy: str) -> None:
        self.line = line
        self.expected = expected
        self.got = got if len(got) <= QUOTED_CHARACTERS else got[:QUOTED_CHARACTERS] + "..."
        self.remedy = remedy
        super().__init__(f"line {line}: expected {expected}, got {self.got!r}; {remedy}")


class TornLineError(CaptureError):
    """The last line is cut in the middle; all lines before it were read."""


def sniff(head: bytes) -> Format:
    """Tell the format by the first bytes of a capture."""
    if head.startswith(HEADER.encode()):
        return Format.RAW
    first = next((line for line in head.splitlines() if line.strip() and not line.startswith(b"#")), b"")
    return Format.HEX if first and _TEXT_OF_HEX.issuperset(first) else Format.BYTES


def read_capture(stream: BinaryIO, form: Format) -> Iterator[Chunk]:
    """Yield the reads of a capture; raises CaptureError, TornLineError only after all that is whole."""
    return _READERS[form](stream)


def read_hex(stream: BinaryIO) -> Iterator[Chunk]:
    """Yield one chunk a line of hex digits; blank lines and lines that begin with # are skipped."""
    offset = 0
    for number, text in _lines(stream):
        line = text.strip()
        if not line or line.startswith("#"):
            continue
        data = _unhex(number, text, line)
        yield Chunk(data, offset)
        offset += len(data)


def read_raw(stream: BinaryIO) -> Iterator[Chunk]:
    """Yield the reads of a raw file with their times."""
    offset = 0
    lines = _lines(stream)
    _check_header(lines)
    for number, text in lines:
        if not text.endswith("\n"):
            raise TornLineError(number, "a line end", text, "the writer was cut off here: keep the rest as it is")
        try:
            line = parse_line(text[:-1])
        except ValueError as error:
            remedy = "restore the file from a copy, it was changed after it was written"
            raise CaptureError(number, str(error).removeprefix("expected "), text.strip(), remedy) from error
        yield Chunk(line.data, offset, line.utc_ns, line.mono_ns)
        offset += len(line.data)


def read_bytes(stream: BinaryIO) -> Iterator[Chunk]:
    """Yield bare bytes in chunks of no meaning."""
    offset = 0
    while data := stream.read(CHUNK_BYTES):
        yield Chunk(data, offset)
        offset += len(data)


_READERS: dict[Format, Callable[[BinaryIO], Iterator[Chunk]]] = {
    Format.HEX: read_hex,
    Format.RAW: read_raw,
    Format.BYTES: read_bytes,
}


def _lines(stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """Yield numbered lines with their line ends; bytes that are not ASCII come as escapes."""
    number = 0
    while line := stream.readline(LINE_BYTES + 1):
        number += 1
        text = line.decode("ascii", "backslashreplace")
        if len(line) > LINE_BYTES:
            raise CaptureError(number, f"a line of at most {LINE_BYTES} bytes", text, "use --format raw for binary")
        yield number, text


def _check_header(lines: Iterator[tuple[int, str]]) -> None:
    number, first = next(lines, (1, ""))
    if first == HEADER + "\n":
        return
    if HEADER.startswith(first):
        raise TornLineError(number, f"`{HEADER}`", first, "the writer was cut off before the first read")
    raise CaptureError(number, f"`{HEADER}`", first.strip(), "use --format hex for lines of hex digits")


def _unhex(number: int, text: str, line: str) -> bytes:
    expected = "pairs of hex digits, one read a line"
    digits = "".join(line.split())
    try:
        return bytes.fromhex(digits)
    except ValueError as error:
        if set(digits) <= set("0123456789abcdefABCDEF") and not text.endswith("\n"):
            raise TornLineError(
                number, expected, line, "the last byte is cut in half: the file ends too early"
            ) from None
        raise CaptureError(number, expected, line, "correct or remove the line, or use --format raw") from error
