"""Files that only the daemon's own user reads, whoever makes them."""

from __future__ import annotations

import os
from pathlib import Path

MODE = 0o600
ROOT = 0


def private(path: Path) -> int:
    """Open a file to read and to append, made if it is not there, and return its descriptor.

    What root makes on the command line belongs to the owner of the folder: the daemon must be able to use it.
    Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, MODE)
    os.fchmod(fd, MODE)
    if os.geteuid() == ROOT:
        owner = path.parent.stat()
        os.fchown(fd, owner.st_uid, owner.st_gid)
    return fd
