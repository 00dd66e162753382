"""Room kept on the disk for the end of the hand in play: a file that is given up once nothing else goes in."""

from __future__ import annotations

import errno
import os
from pathlib import Path

RESERVE_NAME = "journal.reserve"
RESERVE_BYTES = 16 * 1024 * 1024  # hundreds of hands
PART_OF_FREE = 64  # of a small disk the reserve takes so small a part
FILE_MODE = 0o640
FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


class Reserve:
    """The reserve of one folder (faults.md B 33)."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / RESERVE_NAME

    @property
    def is_kept(self) -> bool:
        """Whether it is there."""
        return self.path.exists()

    def keep(self, free_bytes: int) -> None:
        """Set room aside, of so much that is free; what cannot be had now is left for later."""
        size = min(RESERVE_BYTES, free_bytes // PART_OF_FREE)
        if self.is_kept or size <= 0:
            return
        try:
            fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
        except OSError:
            return
        try:
            os.posix_fallocate(fd, 0, size)
        except OSError:
            self.give_up()
        finally:
            os.close(fd)

    def give_up(self) -> bool:
        """Let the room go; False where there is none left to give."""
        try:
            self.path.unlink()
        except OSError:
            return False
        return True

    def makes_room(self, error: OSError) -> bool:
        """Whether what failed for want of room may now be tried again."""
        return error.errno in FULL and self.give_up()
