"""A data folder in one file, taken while the daemon runs; every byte by its hash."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from controller.core.inputs import Moment
from controller.core.words import iso
from controller.journal.errors import JournalDamage
from controller.journal.raw import RAW_HEADER
from controller.journal.record import Record
from controller.journal.reserve import RESERVE_NAME
from controller.journal.segment import Segment, segments
from controller.recall.export import NothingThere
from controller.recall.manifest import MANIFEST, MODES, Held, Manifest, NotEmpty, TableHeld
from controller.recall.places import up_to_now

# What belongs to a running process, or is half of something: nothing of it is needed on another host.
LEFT_OUT = (".lock", ".new", "-wal", "-shm", "-journal", RESERVE_NAME)
DATABASE = ".sqlite"
LINES = ".jsonl"


def backup(data: Path, out: Path, *, software: str, now: Moment) -> Manifest:
    """Write a data folder into a file; a journal that is being written is taken up to its last whole line.

    Raises NotEmpty, NothingThere, JournalDamage, JournalTooNew, OSError.
    """
    if out.exists():
        raise NotEmpty(f"{out} is there already: choose another name")
    if not data.is_dir():
        raise NothingThere(f"{data} is not there: name the data folder of the configuration")
    manifest = Manifest(software, iso(now.utc_ns))
    fd, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.")
    new = Path(name)
    try:
        with os.fdopen(fd, "wb") as file:
            with tarfile.open(fileobj=file, mode="w:gz") as archive:
                _fill(archive, data, manifest)
            file.flush()
            os.fsync(file.fileno())
        new.rename(out)
    finally:
        new.unlink(missing_ok=True)
    return manifest


def _fill(archive: tarfile.TarFile, data: Path, manifest: Manifest) -> None:
    folders = [folder for folder in sorted(data.iterdir()) if folder.is_dir() and segments(folder)]
    if not folders:
        raise NothingThere(f"{data} holds no journal")
    taken: set[Path] = set()
    for folder in folders:
        taken |= set(_add_table(archive, folder, manifest))
    for path in _others(data, taken):
        name = path.relative_to(data).as_posix()
        if path.suffix == DATABASE:
            _add_bytes(archive, name, _database(path), path, manifest)
        elif path.suffix == LINES:
            _add_bytes(archive, name, whole_lines(path.read_bytes()), path, manifest)
        else:
            _add_file(archive, name, path, path.stat().st_size, manifest)
    text = json.dumps(asdict(manifest), indent=1).encode()
    archive.addfile(_info(MANIFEST, len(text)), io.BytesIO(text))


def _add_table(archive: tarfile.TarFile, folder: Path, manifest: Manifest) -> Iterator[Path]:
    """Add the segments of a table: the closed ones as they are, the open one up to what is whole."""
    there = segments(folder)
    *closed, last = there
    for segment in closed:
        for path in (segment.journal, segment.raw):
            _add_file(archive, f"{folder.name}/{path.name}", path, path.stat().st_size, manifest)
    content, record, named = _whole(last)
    _add_bytes(archive, f"{folder.name}/{last.journal.name}", content, last.journal, manifest)
    _add_file(archive, f"{folder.name}/{last.raw.name}", last.raw, named, manifest)
    manifest.tables.append(TableHeld(folder.name, last.name, record.i, record.hash))
    yield from (path for segment in there for path in (segment.journal, segment.raw))


def _whole(segment: Segment) -> tuple[bytes, Record, int]:
    """Return the whole lines of the open segment, the last record, and how many raw bytes its records name.

    The journal is read before the raw file: bytes are durable before a record names them.
    """
    content = whole_lines(segment.journal.read_bytes())
    named, last, size = len(RAW_HEADER), None, 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Segment(Path(folder), segment.number, segment.kind)
        copy.journal.write_bytes(content)
        try:
            for last in up_to_now([copy], copy):
                named = max(named, last.raw.end if last.raw else 0)
                size = last.i
        except JournalDamage as damage:  # of the copy, which is gone when its path is read
            raise JournalDamage(segment.journal, damage.line_number, damage.reason) from damage
    if last is None:
        raise JournalDamage(segment.journal, 1, "the segment is empty")
    lines = content.splitlines(keepends=True)
    if size < len(lines):
        raise JournalDamage(segment.journal, size + 1, "damaged, and not by a stop: whole lines follow")
    return content, last, named


def whole_lines(content: bytes) -> bytes:
    r"""Return bytes up to the last line end.

    >>> whole_lines(b"a\nb")
    b'a\n'
    """
    return content[: content.rfind(b"\n") + 1]


def _others(data: Path, taken: set[Path]) -> Iterator[Path]:
    """Yield all other files: what was cut off torn tails, accounts, the access log."""
    for path in sorted(data.rglob("*")):
        named = path.name.endswith(LEFT_OUT)
        later = path.suffix in {LINES, ".raw"} and path.parent in {known.parent for known in taken}
        if path.is_file() and not path.is_symlink() and path not in taken and not named and not later:
            yield path


def _database(path: Path) -> bytes:
    """Return an SQLite file as one moment has it."""
    try:
        with (
            closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(":memory:")) as copy,
        ):
            source.backup(copy)
            return copy.serialize()
    except sqlite3.Error as error:
        raise NothingThere(f"{path} cannot be read as SQLite: {error}") from error


def _info(name: str, size: int, mode: int = 0o600) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size, info.mode = size, mode & MODES
    return info


def _add_bytes(archive: tarfile.TarFile, name: str, content: bytes, of: Path, manifest: Manifest) -> None:
    archive.addfile(_info(name, len(content), of.stat().st_mode), io.BytesIO(content))
    manifest.files.append(Held(name, len(content), sha256(content).hexdigest()))


def _add_file(archive: tarfile.TarFile, name: str, path: Path, size: int, manifest: Manifest) -> None:
    with path.open("rb") as file:
        hashed = Hashed(file)
        archive.addfile(_info(name, size, path.stat().st_mode), hashed)
    manifest.files.append(Held(name, size, hashed.hash.hexdigest()))


class Hashed(io.RawIOBase):
    """A file that is hashed as it is read."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file
        self.hash = sha256()

    def read(self, size: int = -1, /) -> bytes:
        """Read and hash."""
        part = self._file.read(size)
        self.hash.update(part)
        return part
