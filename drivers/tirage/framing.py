"""Bytes of the tirage line into frames, bad frames and noise, and frames into bytes (no I/O)."""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple
from zlib import crc32

from drivers.tirage.messages import (
    CRC_BYTES,
    FLAG_OPTIONAL,
    FLAG_TAGGED,
    HEADER_BYTES,
    MAX_PAYLOAD_BYTES,
    START,
    TAG_BYTES,
    VERSION,
)

MAX_FRAME_BYTES = HEADER_BYTES + MAX_PAYLOAD_BYTES + TAG_BYTES + CRC_BYTES
MIN_FRAME_BYTES = HEADER_BYTES + CRC_BYTES
NOISE_RUN_BYTES = 1024  # a longer run of noise is reported in parts of this size

_HEADER = Struct("<BBBBHIHI")
_CRC = Struct("<I")
_START = bytes([START])


class Frame(NamedTuple):
    """A frame whose CRC is right; ``offset`` counts from the first byte ever fed."""

    offset: int
    raw: bytes
    version: int
    flags: int
    type: int
    session: int
    counter: int
    card: int
    ms: int

    @property
    def payload(self) -> bytes:
        """The payload as it came."""
        return self.raw[HEADER_BYTES : HEADER_BYTES + self.raw[1]]

    @property
    def tag(self) -> bytes:
        """The tag, b"" where there is none."""
        return self.raw[HEADER_BYTES + self.raw[1] : -CRC_BYTES]

    @property
    def signed(self) -> bytes:
        """What the tag vouches for: all from the length to the end of the payload."""
        return self.raw[1 : HEADER_BYTES + self.raw[1]]

    @property
    def optional(self) -> bool:
        """Whether a receiver that does not know the type may go on without it."""
        return bool(self.flags & FLAG_OPTIONAL)


class BadFrame(NamedTuple):
    """What was skipped of a frame of full length whose CRC is wrong."""

    offset: int
    raw: bytes


class Noise(NamedTuple):
    """A run of bytes that begins no frame."""

    offset: int
    raw: bytes


Piece = Frame | BadFrame | Noise


def signed_part(type_: int, flags: int, session: int, counter: int, card: int, ms: int, payload: bytes) -> bytes:
    """Return all of a frame that a tag vouches for."""
    head = _HEADER.pack(START, len(payload), VERSION << 4 | flags, type_, session, counter, card, ms)
    return head[1:] + payload


def sealed(signed: bytes, tag: bytes = b"") -> bytes:
    """Return the whole frame around its signed part."""
    body = signed + tag
    return _START + body + _CRC.pack(crc32(body))


class Framing:
    """Cuts a stream into pieces; what comes out does not depend on how the bytes were chunked.

    Holds less than one frame of unread bytes and at most NOISE_RUN_BYTES of noise. A frame with a wrong CRC costs its
    start byte only: what lies inside its span is looked at again.
    """

    def __init__(self) -> None:
        self._bytes = b""
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

    @property
    def offset(self) -> int:
        """How many bytes were ever fed."""
        return self._origin + len(self._bytes)

    @property
    def waiting(self) -> bool:
        """Whether what may be the beginning of a frame waits for its end."""
        return bool(self._bytes)

    def feed(self, data: bytes) -> list[Piece]:
        """Take the next bytes and return the pieces that are now certain."""
        out: list[Piece] = []
        data = self._bytes + data
        used = self._scan(data, out)
        self._bytes = data[used:]
        self._origin += used
        return out

    def flush(self) -> list[Piece]:
        """No more bytes are coming: what is left begins no frame."""
        out: list[Piece] = []
        while self._bytes:
            self._skip(self._bytes[:1], self._origin, out)
            self._bytes, self._origin = self._bytes[1:], self._origin + 1
            out += self.feed(b"")
        self._end_damage(out)
        return out

    def _scan(self, data: bytes, out: list[Piece]) -> int:
        """Read whole frames off ``data`` and return how far; the rest may begin one."""
        at, size = 0, len(data)
        while at < size:
            if data[at] != START:
                at = self._skip_to_start(data, at, out)
                continue
            if size - at < 3:
                break
            length, kind = data[at + 1], data[at + 2]
            if length > MAX_PAYLOAD_BYTES:
                at = self._skip(data[at : at + 1], self._origin + at, out) + at
                continue
            end = at + MIN_FRAME_BYTES + length + (TAG_BYTES if kind & FLAG_TAGGED else 0)
            if end > size:
                break
            at = self._judge(data[at:end], at, out)
        return at

    def _judge(self, raw: bytes, at: int, out: list[Piece]) -> int:
        if crc32(raw[1:-CRC_BYTES]) != _CRC.unpack_from(raw, len(raw) - CRC_BYTES)[0]:
            self._begin_bad(self._origin + at, len(raw), out)
            return at + self._skip(raw[:1], self._origin + at, out)
        if self._noise or self._bad:
            self._end_damage(out)
        _, _, kind, type_, session, counter, card, ms = _HEADER.unpack_from(raw)
        out.append(Frame(self._origin + at, raw, kind >> 4, kind & 15, type_, session, counter, card, ms))
        return at + len(raw)

    def _skip_to_start(self, data: bytes, at: int, out: list[Piece]) -> int:
        start = data.find(START, at)
        end = len(data) if start < 0 else start
        self._skip(data[at:end], self._origin + at, out)
        return end

    def _begin_bad(self, offset: int, length: int, out: list[Piece]) -> None:
        if offset >= self._bad_end:
            self._end_damage(out)
            self._bad_at, self._bad_end = offset, offset + length

    def _skip(self, raw: bytes, offset: int, out: list[Piece]) -> int:
        """Put bytes that begin no frame to the bad frame they lie in, the others to the noise."""
        inside = max(0, min(len(raw), self._bad_end - offset))
        self._bad += raw[:inside]
        if offset + inside >= self._bad_end and self._bad:
            self._end_damage(out)
        for start in range(inside, len(raw), NOISE_RUN_BYTES):
            self._add_noise(raw[start : start + NOISE_RUN_BYTES], offset + start, out)
        return len(raw)

    def _add_noise(self, raw: bytes, offset: int, out: list[Piece]) -> None:
        if not self._noise:
            self._noise_at = offset
        self._noise += raw
        while len(self._noise) >= NOISE_RUN_BYTES:
            out.append(Noise(self._noise_at, bytes(self._noise[:NOISE_RUN_BYTES])))
            del self._noise[:NOISE_RUN_BYTES]
            self._noise_at += NOISE_RUN_BYTES

    def _end_damage(self, out: list[Piece]) -> None:
        if self._bad:
            out.append(BadFrame(self._bad_at, bytes(self._bad)))
            self._bad.clear()
        if self._noise:
            out.append(Noise(self._noise_at, bytes(self._noise)))
            self._noise.clear()
        self._bad_end = 0
