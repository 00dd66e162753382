"""A run of copies: the frames that the shoe sends for one event."""

from __future__ import annotations

from controller.core.signals import Damage
from drivers.angel_eye.framing import AROUND_DATA_BYTES, Frame

COPIES_SENT = 3
VERSIONS_KEPT = 4  # of one run; a line that shows more is beyond repair, and memory stays bounded
POWER_UP = "S"

Versions = dict[bytes, Frame]  # the first copy of each version, by its bytes


class Run:
    """Frames of one number, as they came: how many of each version, and which of them was said.

    A run of numbered frames has no end but the next number. The power-up frame always has number 0, so three
    copies fill its run and foreign bytes end it.
    """

    def __init__(self, frame: Frame) -> None:
        self.seq = frame.seq
        self.starts = frame.letter == POWER_UP
        self.first: Versions = {frame.raw: frame}
        self.copies: dict[bytes, int] = {frame.raw: 1}
        self.said: bytes | None = None
        self.reported: set[bytes] = set()
        self.in_sequence = False  # whether its number was compared with the one before
        self._room = COPIES_SENT - 1

    @classmethod
    def of(cls, first: Frame, copies: int) -> Run:
        """Return a run of which ``copies`` equal copies are in."""
        run = cls(first)
        run.copies[first.raw] = copies
        return run

    @property
    def unreported(self) -> Versions:
        """Versions that are neither said nor reported as odd."""
        return {raw: first for raw, first in self.first.items() if raw != self.said and raw not in self.reported}

    def admits(self, frame: Frame) -> bool:
        """Tell whether the frame is a copy of this run, be it an equal one or not."""
        same = frame.seq == self.seq and (frame.letter == POWER_UP) == self.starts
        return same and (self.seq > 0 or self._room > 0)

    def cut_by(self, stray: Run, frame: Frame) -> bool:
        """Tell whether ``frame`` goes on with this run's event after the lone frame of ``stray``."""
        alone = sum(stray.copies.values()) == 1 and not stray.starts
        return alone and self.seq > 0 and frame.raw == self.said

    def add(self, frame: Frame) -> int:
        """Count a copy and return how many of its version came."""
        self._room -= 1
        if frame.raw not in self.first and len(self.first) >= VERSIONS_KEPT:
            self._forget_one()
        self.first.setdefault(frame.raw, frame)
        self.copies[frame.raw] = self.copies.get(frame.raw, 0) + 1
        return self.copies[frame.raw]

    def keep_only(self, raw: bytes) -> None:
        """Forget every version but this one: the others were told as odd copies."""
        if len(self.first) == 1:
            return
        self.first = {raw: self.first[raw]}
        self.copies = {raw: self.copies[raw]}

    def meet(self, damage: Damage, size: int) -> None:
        """Take note of damaged bytes behind the last copy.

        A bad frame of the right length is taken for a damaged copy of a power-up; any other bytes end its run.
        """
        copy = damage is Damage.CHECKSUM and size == AROUND_DATA_BYTES
        self._room = self._room - 1 if copy else 0

    def _forget_one(self) -> None:
        oldest = next(raw for raw in self.first if raw != self.said)
        del self.first[oldest], self.copies[oldest]
        self.reported.discard(oldest)
