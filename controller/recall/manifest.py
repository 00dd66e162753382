"""What a backup says that it holds: its files with their hashes, and the last line of each journal."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

FORMAT = 1
MANIFEST = "manifest.json"
MODES = 0o660  # of a backup's files, whatever it says: nothing is for everybody, nothing is a program


class BadBackup(Exception):
    """A backup that cannot be used; the text is a sentence."""


class NotEmpty(Exception):
    """Something is where a backup should go; the text is a sentence."""


@dataclass(frozen=True, slots=True)
class Held:
    """A file of a backup: its name in the data folder, its bytes and their SHA-256."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class TableHeld:
    """A table of a backup: its last line, whose hash stands for everything before it."""

    folder: str
    segment: str
    line: int
    hash: str


@dataclass(slots=True)
class Manifest:
    """What a backup holds."""

    software: str
    made: str | None
    format: int = FORMAT
    tables: list[TableHeld] = field(default_factory=list)
    files: list[Held] = field(default_factory=list)


def read_manifest(source: Path, text: bytes) -> Manifest:
    """Read what a backup says that it holds. Raises BadBackup."""
    try:
        said = json.loads(text)
        if said["format"] > FORMAT:
            raise BadBackup(f"{source} has backup format {said['format']}, this version reads up to format {FORMAT}")
        tables = [TableHeld(**table) for table in said["tables"]]
        files = [Held(**file) for file in said["files"]]
        return Manifest(said["software"], said["made"], said["format"], tables, files)
    except (ValueError, KeyError, TypeError) as error:
        raise BadBackup(f"{source} has no whole {MANIFEST}: it was cut off or is no backup") from error
