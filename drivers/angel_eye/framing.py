"""Bytes of the Angel Eye line into frames, bad frames and noise (no I/O)."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import NamedTuple

ENQ = 0x05
ETX = 0x03

# Parsing goes by these lengths: data bytes may have bit 7 clear, so an 03 among them ends nothing.
DATA_BYTES = {
    "S": 0, "P": 0, "D": 2, "I": 2, "d": 2, "i": 2, "R": 2, "G": 1, "C": 0, "E": 1, "e": 1, "L": 1, "M": 6,
}  # fmt: skip
AROUND_DATA_BYTES = 6  # ENQ, sequence, type, ETX, two digits of BCC
UNKNOWN_DATA_BYTES = 16  # the longest frame of an unknown type that is looked for
NOISE_RUN_BYTES = 1024  # a longer run of noise is reported in parts of this size

_LENGTH_BY_TYPE = {ord(letter): size + AROUND_DATA_BYTES for letter, size in DATA_BYTES.items()}
_DIGITS = frozenset(b"0123456789")
_TYPES = frozenset(range(0x21, 0x7F))


class Frame(NamedTuple):
    """A frame with its ETX in place and its BCC right; ``offset`` counts from the first byte ever fed."""

    offset: int
    raw: bytes

    @property
    def seq(self) -> int:
        """The sequence digit, 0..9."""
        return self.raw[1] - 0x30

    @property
    def letter(self) -> str:
        """The type as one character."""
        return chr(self.raw[2])

    @property
    def data(self) -> bytes:
        """The data bytes as they came."""
        return self.raw[3:-3]


class BadFrame(NamedTuple):
    """What was skipped of a frame of known type and full length that does not check."""

    offset: int
    raw: bytes


class Noise(NamedTuple):
    """A run of bytes that begins no frame."""

    offset: int
    raw: bytes


Piece = Frame | BadFrame | Noise


def bcc(body: bytes) -> bytes:
    """Return the check of ``body`` (sequence through ETX): its XOR as two upper-case hex digits."""
    total = 0
    for byte in body:
        total ^= byte
    return b"%02X" % total


@lru_cache(maxsize=8192)  # a shoe says a few thousand different frames, each at least three times
def checks(raw: bytes) -> bool:
    """Tell whether ``raw``, of the right length, has its ETX in place and its BCC right."""
    return raw[-3] == ETX and raw[-2:] == bcc(raw[1:-2])


class _Verdict(Enum):
    WAIT = "more bytes are needed"
    FRAME = "a frame"
    BAD = "a frame that does not check"
    NONE = "no frame begins here"
    OVERLONG = "no end within the bound"


def _judge(buffer: bytes, start: int) -> tuple[_Verdict, int]:
    """Say what the ENQ at ``start`` begins, and how many bytes it has."""
    have = len(buffer) - start
    if have > 1 and buffer[start + 1] not in _DIGITS:
        return _Verdict.NONE, 1
    if have < 3:
        return _Verdict.WAIT, 0
    length = _LENGTH_BY_TYPE.get(buffer[start + 2])
    if length is None:
        return _judge_unknown(buffer, start)
    if have < length:
        return _Verdict.WAIT, 0
    return (_Verdict.FRAME if checks(buffer[start : start + length]) else _Verdict.BAD), length


def _judge_unknown(buffer: bytes, start: int) -> tuple[_Verdict, int]:
    """Look for the end of a frame of unknown type; it never reaches over an ENQ, so it cannot swallow a good frame."""
    if buffer[start + 2] not in _TYPES:
        return _Verdict.NONE, 1
    for etx in range(start + 3, start + 4 + UNKNOWN_DATA_BYTES):
        if ENQ in buffer[etx : etx + 3]:
            return _Verdict.NONE, 1
        if len(buffer) < etx + 3:
            return _Verdict.WAIT, 0
        if checks(buffer[start : etx + 3]):
            return _Verdict.FRAME, etx + 3 - start
    return _Verdict.OVERLONG, 1


class Framing:
    """Cuts a stream into pieces; what comes out does not depend on how the bytes were chunked.

    Holds less than one frame of unread bytes and at most NOISE_RUN_BYTES of noise.
    """

    def __init__(self) -> None:
        self.overlong = 0
        self._bytes = b""
        self._next = 0  # index in _bytes of the next byte to judge
        self._origin = 0  # absolute offset of _bytes[0]
        self._noise = bytearray()
        self._noise_at = 0
        self._bad = bytearray()
        self._bad_at = 0
        self._bad_end = 0  # where the full length of the bad frame ends

    @property
    def held_bytes(self) -> int:
        """Bytes kept until more arrive."""
        return len(self._bytes) + len(self._noise) + len(self._bad)

    def feed(self, data: bytes) -> list[Piece]:
        """Take the next bytes and return the pieces that are now certain."""
        out: list[Piece] = []
        self._bytes += data
        self._scan(out)
        self._origin += self._next
        self._bytes = self._bytes[self._next :]
        self._next = 0
        return out

    def flush(self) -> list[Piece]:
        """No more bytes are coming: what is left begins no frame."""
        out: list[Piece] = []
        while self._next < len(self._bytes):
            self._skip(1, out)
            self._scan(out)
        self._end_damage(out)
        self._origin += self._next
        self._bytes, self._next = b"", 0
        return out

    @property
    def _at(self) -> int:
        return self._origin + self._next

    def _scan(self, out: list[Piece]) -> None:
        while self._next < len(self._bytes):
            start = self._bytes.find(ENQ, self._next)
            if start != self._next:
                self._skip((start if start >= 0 else len(self._bytes)) - self._next, out)
                continue
            verdict, length = _judge(self._bytes, start)
            if verdict is _Verdict.WAIT:
                return
            self._take(verdict, length, out)

    def _take(self, verdict: _Verdict, length: int, out: list[Piece]) -> None:
        match verdict:
            case _Verdict.FRAME:
                self._end_damage(out)
                out.append(Frame(self._at, self._pull(length)))
            case _Verdict.BAD:
                self._end_damage(out)
                self._bad_at, self._bad_end = self._at, self._at + length
                self._skip(1, out)  # only the ENQ: the next frame may begin inside the bad one
            case _:
                self.overlong += verdict is _Verdict.OVERLONG
                self._skip(1, out)

    def _pull(self, count: int) -> bytes:
        start = self._next
        self._next += count
        return self._bytes[start : self._next]

    def _skip(self, count: int, out: list[Piece]) -> None:
        """Give the next ``count`` bytes to the bad frame that they lie in, the rest to noise."""
        inside = max(0, min(count, self._bad_end - self._at))
        self._bad += self._pull(inside)
        if self._at >= self._bad_end:
            self._end_bad(out)
        if count > inside:
            self._add_noise(count - inside, out)

    def _add_noise(self, count: int, out: list[Piece]) -> None:
        if not self._noise:
            self._noise_at = self._at
        self._noise += self._pull(count)
        while len(self._noise) >= NOISE_RUN_BYTES:
            out.append(Noise(self._noise_at, bytes(self._noise[:NOISE_RUN_BYTES])))
            del self._noise[:NOISE_RUN_BYTES]
            self._noise_at += NOISE_RUN_BYTES

    def _end_bad(self, out: list[Piece]) -> None:
        if self._bad:
            out.append(BadFrame(self._bad_at, bytes(self._bad)))
            self._bad.clear()
        self._bad_end = 0

    def _end_damage(self, out: list[Piece]) -> None:
        self._end_bad(out)
        if self._noise:
            out.append(Noise(self._noise_at, bytes(self._noise)))
            self._noise.clear()
