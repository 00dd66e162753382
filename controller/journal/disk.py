"""Bytes onto the disk, durably; and the lock of a folder."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.journal.errors import CannotRecord, FolderLocked

LOCK_NAME = "journal.lock"
FILE_MODE = 0o640
NEW = ".new"
MakesRoom = Callable[[OSError], bool]


@contextmanager
def recording(path: Path) -> Iterator[None]:
    """Turn any error of the system into CannotRecord."""
    try:
        yield
    except OSError as error:
        name = errno.errorcode.get(error.errno or 0, "?")
        where = error.filename or path
        raise CannotRecord(f"cannot record to {where}: {error.strerror or error} ({name})") from error


def no_more_room(_error: OSError) -> bool:
    """Have nothing to give up."""
    return False


def write_all(fd: int, data: bytes, makes_room: MakesRoom = no_more_room) -> None:
    """Write every byte; the kernel may take them in several parts (faults.md B 35).

    ``makes_room`` is asked whether a write that failed may be tried again (B 33).
    """
    left = memoryview(data)
    while left:
        try:
            taken = os.write(fd, left)
        except OSError as error:
            if not makes_room(error):
                raise
            continue
        if taken == 0:
            raise OSError(errno.EIO, "nothing was written")
        left = left[taken:]


def sync_folder(folder: Path) -> None:
    """Make names of a folder durable."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def replace(path: Path, content: bytes, makes_room: MakesRoom = no_more_room) -> None:
    """Put a whole file in place: at every moment the old one or the new one is there, never a part."""
    new = path.with_name(path.name + NEW)
    fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
    try:
        write_all(fd, content, makes_room)
        os.fsync(fd)
    finally:
        os.close(fd)
    new.rename(path)
    sync_folder(path.parent)


class Appender:
    """A file that only grows; ``on_commit`` is told the seconds that each fdatasync took."""

    def __init__(self, path: Path, on_commit: Callable[[float], None], makes_room: MakesRoom = no_more_room) -> None:
        self.path = path
        self._makes_room = makes_room
        self._on_commit = on_commit
        self._fd = os.open(path, os.O_WRONLY | os.O_APPEND)
        self.size = os.fstat(self._fd).st_size

    def append(self, data: bytes) -> int:
        """Write durably and return the offset.

        Raises OSError; the file must then not be used again, for the kernel may have dropped the bytes (B 36).
        """
        offset = self.size
        write_all(self._fd, data, self._makes_room)
        start = time.perf_counter()
        os.fdatasync(self._fd)
        self._on_commit(time.perf_counter() - start)
        self.size += len(data)
        return offset

    def close(self) -> None:
        os.close(self._fd)


def lock_folder(folder: Path) -> int:
    """Take the folder for this process and return what holds it: a file descriptor, closed to let go.

    Raises FolderLocked, OSError.
    """
    fd = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT, FILE_MODE)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        text = os.pread(fd, 32, 0).strip()
        os.close(fd)
        raise FolderLocked(folder, int(text) if text.isdigit() else None) from None
    except OSError:
        os.close(fd)
        raise
    _tell_pid(fd)
    return fd


def _tell_pid(fd: int) -> None:
    try:
        os.ftruncate(fd, 0)
        os.pwrite(fd, b"%d\n" % os.getpid(), 0)
    except OSError:
        os.close(fd)
        raise
