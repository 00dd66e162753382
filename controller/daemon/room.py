"""How much room the disk of the record has, and from where on that is too little (faults.md B 33)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from controller.core.inputs import Room

LOW_PERCENT = 20
SCARCE_PERCENT = 5
CLEAR_PERCENT = 2  # above its limit a state ends: what is free goes to and fro as logs are rotated
# On a large disk a small part is years of records: more than so much free is never low, and never scarce.
NEVER_LOW_BYTES = 20 * 1024**3
NEVER_SCARCE_BYTES = 2 * 1024**3


@dataclass(frozen=True, slots=True)
class Free:
    """What is free to this process: bytes, and the hundredths of bytes or inodes, whichever are fewer."""

    size: int
    percent: float

    @classmethod
    def at(cls, folder: Path) -> Free:
        """Look at the disk of a folder. Raises OSError."""
        disk = os.statvfs(folder)
        shares = (
            _percent(disk.f_bavail, disk.f_blocks - disk.f_bfree),
            _percent(disk.f_favail, disk.f_files - disk.f_ffree),
        )
        return cls(disk.f_bavail * disk.f_frsize, min(shares))


def _percent(free: int, used: int) -> float:
    """Return the free part as `df` does; a file system that counts nothing of a kind has room."""
    return 100.0 if free + used <= 0 else 100.0 * free / (free + used)


def room(free: Free, before: Room) -> Room:
    """Return which room there is; a state that was entered ends a little above its limit.

    >>> room(Free(10**6, 19.0), Room.AMPLE), room(Free(10**6, 21.0), Room.LOW), room(Free(10**6, 22.0), Room.LOW)
    (<Room.LOW: 'low'>, <Room.LOW: 'low'>, <Room.AMPLE: 'ample'>)
    """
    if _under(free, SCARCE_PERCENT, NEVER_SCARCE_BYTES, held=before is Room.SCARCE):
        return Room.SCARCE
    low = _under(free, LOW_PERCENT, NEVER_LOW_BYTES, held=before is not Room.AMPLE)
    return Room.LOW if low else Room.AMPLE


def _under(free: Free, percent: int, never: int, *, held: bool) -> bool:
    return free.size < never and free.percent < percent + (CLEAR_PERCENT if held else 0)
