"""The access log: who did or was refused what, from where, when. JSON lines, each with the hash of the one before."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from controller.accounts.clock import Clock
from controller.accounts.errors import CannotLog
from controller.accounts.files import private
from controller.core.words import iso
from controller.journal.disk import sync_folder, write_all

FILE_NAME = "access.jsonl"
GENESIS = "0" * 64
LONGEST_TEXT = 200  # characters of a value that came from outside
LONGEST_LINE = 65_536


@dataclass(frozen=True, slots=True)
class Entry:
    """What is told: ``who`` is `staff:1042`, `display:board 1`, `os:0` or `nobody`; ``where`` an address or `terminal`.

    Names are never told: a number outlives the name it stood for.
    """

    who: str
    what: str
    where: str
    more: tuple[tuple[str, str | int], ...] = ()


@dataclass(frozen=True, slots=True)
class Flaw:
    """Where the log is not what was written: the line's number from 1, and what is wrong with it."""

    line: int
    what: str


class AccessLog:
    """The file, for one process; several may append, each line under a lock of the file. Raises CannotLog."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.path = folder / FILE_NAME
        self._clock = clock
        self._lock = Lock()
        try:
            self._fd = private(self.path)
            sync_folder(folder)
        except OSError as error:
            raise CannotLog(f"cannot open {self.path}: {error.strerror or error}") from error
        self._size, self._number, self._prev = -1, 0, GENESIS

    def tell(self, entry: Entry) -> None:
        """Write a line and return when it is durable.

        Raises CannotLog.
        """
        with self._lock:
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX)
                try:
                    self._catch_up()
                    self._write(entry)
                finally:
                    fcntl.flock(self._fd, fcntl.LOCK_UN)
            except OSError as error:
                self._size = -1  # what the file now holds is not known
                raise CannotLog(f"cannot write {self.path}: {error.strerror or error}") from error

    def close(self) -> None:
        os.close(self._fd)

    def _catch_up(self) -> None:
        """Go on behind the last whole line, whoever wrote it; a torn end is cut, and that is told."""
        size = os.fstat(self._fd).st_size
        if size == self._size:
            return
        start = max(0, size - LONGEST_LINE)
        tail = os.pread(self._fd, size - start, start)
        whole = tail.rfind(b"\n") + 1
        torn = len(tail) - whole
        if torn:
            os.ftruncate(self._fd, size - torn)
        lines = tail[:whole].splitlines()
        self._size = size - torn
        self._prev = _hash(lines[-1]) if lines else GENESIS
        self._number = _number(lines[-1]) if lines else 0
        if torn:
            self._write(Entry("recorder", "log-repaired", "terminal", (("bytes-cut", torn),)))

    def _write(self, entry: Entry) -> None:
        line = json.dumps(
            {
                "i": self._number + 1,
                "prev": self._prev,
                "utc": iso(self._clock.utc_ns()),
                "who": _short(entry.who),
                "what": entry.what,
                "where": _short(entry.where),
                **{name: _short(value) for name, value in entry.more},
            },
            separators=(",", ":"),  # ASCII only, so no character of a value can end the line or move the cursor
        ).encode()
        write_all(self._fd, line + b"\n")
        os.fdatasync(self._fd)
        self._size += len(line) + 1
        self._number += 1
        self._prev = _hash(line)


def read(path: Path) -> Iterator[dict[str, Any] | Flaw]:
    """Yield each line of a log, and a flaw where the chain does not hold."""
    prev, number = GENESIS, 0
    with path.open("rb") as file:
        for place, line in enumerate(file, start=1):
            content = line.removesuffix(b"\n")
            try:
                told = json.loads(content)
                flaw = _flaw(told, prev, number, whole=line.endswith(b"\n"))
            except (ValueError, AttributeError):
                told, flaw = {}, "cannot be read"
            if flaw:
                yield Flaw(place, flaw)
            else:
                yield told
            prev, number = _hash(content), told.get("i", number + 1) if isinstance(told, dict) else number + 1


def _flaw(told: dict[str, Any], prev: str, number: int, *, whole: bool) -> str:
    if not whole:
        return "is cut off"
    if told.get("i") != number + 1:
        return f"has number {told.get('i')} where {number + 1} was due"
    return "" if told.get("prev") == prev else "does not follow the line before it"


def _hash(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def _number(line: bytes) -> int:
    try:
        return int(json.loads(line)["i"])
    except (ValueError, TypeError, KeyError):
        return 0  # somebody wrote into the file: reading it shows where


def _short(value: str | int) -> str | int:
    return value[:LONGEST_TEXT] if isinstance(value, str) else value
