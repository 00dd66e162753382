"""Bytes of the line as frames and damage, counted (no I/O, no clock)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from controller.core.signals import BytesDamaged, Damage
from drivers.heard import Heard, Span, quoted
from drivers.tirage.clock import NS_PER_MS
from drivers.tirage.framing import BadFrame, Frame, Framing, Noise, Piece
from drivers.tirage.hearing import Counts

PARTIAL_FRAME_MS = 100  # the longest frame takes 11 ms at 115200 baud


def older(then_ns: int, now_ns: int, limit_ms: int) -> bool:
    """Tell whether a time has passed."""
    return now_ns - then_ns >= limit_ms * NS_PER_MS


class Incoming:
    """What comes from the shoe; what is not taken from the iterators is not counted."""

    def __init__(self, counts: Counts) -> None:
        self.bytes_came = 0  # since the port was opened
        self._counts = counts
        self._framing = Framing()
        self._byte_ns = 0

    @property
    def held_bytes(self) -> int:
        """Bytes kept until more arrive."""
        return self._framing.held_bytes

    @property
    def here(self) -> Span:
        """The place behind the last byte."""
        return Span(self._framing.offset, 0)

    def feed(self, data: bytes, now_ns: int) -> Iterator[Frame | Heard]:
        """Take the next bytes."""
        self.bytes_came += len(data)
        self._byte_ns = now_ns
        return self._counted(self._framing.feed(data))

    def pass_time(self, now_ns: int) -> Iterator[Frame | Heard]:
        """Give up a frame whose end does not come."""
        late = self._framing.waiting and older(self._byte_ns, now_ns, PARTIAL_FRAME_MS)
        return self._counted(self._framing.flush() if late else ())

    def flush(self) -> Iterator[Frame | Heard]:
        """No more bytes are coming."""
        return self._counted(self._framing.flush())

    def _counted(self, pieces: Iterable[Piece]) -> Iterator[Frame | Heard]:
        for piece in pieces:
            match piece:
                case Frame():
                    self._counts.frames += 1
                    yield piece
                case BadFrame(offset, raw):
                    self._counts.bad_checksums += 1
                    yield _damaged(Damage.CHECKSUM, offset, raw)
                case Noise(offset, raw):
                    self._counts.noise_bytes += len(raw)
                    yield _damaged(Damage.NOISE, offset, raw)


def _damaged(damage: Damage, offset: int, raw: bytes) -> Heard:
    return Heard(BytesDamaged(damage, len(raw), detail=quoted(raw)), Span(offset, len(raw)))
