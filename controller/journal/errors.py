"""What can be wrong with a journal; each error is one sentence for the person who reads it."""

from __future__ import annotations

from pathlib import Path


class JournalError(Exception):
    """Any refusal of a journal."""


class CannotRecord(JournalError):
    """Nothing more may be recorded here; ``reason`` is the first cause, and a new opening repairs what it left."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class FolderLocked(JournalError):
    """Another process records into this folder; ``pid`` is None while it has not told its number."""

    def __init__(self, folder: Path, pid: int | None) -> None:
        holder = "another process" if pid is None else f"process {pid}"
        super().__init__(f"{folder} is in use by {holder}: one recorder a folder; stop it first")
        self.folder = folder
        self.pid = pid


class WrongTable(JournalError):
    """The folder holds the journal of another table."""


class JournalTooNew(JournalError):
    """The segment was written by a newer version than this one."""

    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(
            f"{path} has journal format {found}, this version reads up to format {known}: use the version that wrote it"
        )
        self.path = path
        self.found = found


class OtherVersion(JournalError):
    """A shoe is open that another version began to judge (faults.md B 54)."""

    def __init__(self, table: str, shoe: int, found: str, known: str) -> None:
        super().__init__(
            f"table {table}: shoe {shoe} is open and version {found} began it, this is version {known}: "
            "start that version again and close the shoe first"
        )


class NoJournal(JournalError):
    """There is no journal here; the text says what was expected."""


class JournalDamage(JournalError):
    """A line is not what was written; lines count from 1."""

    def __init__(self, path: Path, line_number: int, reason: str) -> None:
        super().__init__(f"{path}, line {line_number}: {reason}")
        self.path = path
        self.line_number = line_number
        self.reason = reason


class TornTail(JournalDamage):
    """The damage reaches from ``offset`` to the end of the segment: what a power cut leaves of the last write."""

    def __init__(self, path: Path, line_number: int, reason: str, offset: int) -> None:
        super().__init__(path, line_number, f"{reason}; nothing whole follows it (cut tail)")
        self.offset = offset
