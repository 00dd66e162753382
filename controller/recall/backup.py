"""A data folder in one file, taken while the daemon runs, and back again; every byte by its hash, every chain anew."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import tarfile
import tempfile
import zlib
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO

from controller.core.inputs import Moment
from controller.core.words import iso
from controller.journal.disk import sync_folder
from controller.journal.errors import JournalDamage
from controller.journal.raw import RAW_HEADER
from controller.journal.reader import read_folder
from controller.journal.record import Record
from controller.journal.segment import Segment, segments
from controller.recall.export import NothingThere
from controller.recall.places import up_to_now

FORMAT = 1
MANIFEST = "manifest.json"
CHUNK_BYTES = 1 << 20
MANIFEST_BYTES = 1 << 28
# What belongs to a running process, or is half of something: nothing of it is needed on another host.
LEFT_OUT = (".lock", ".new", "-wal", "-shm", "-journal")
DATABASE = ".sqlite"
MODES = 0o660  # of a backup's files, whatever it says: nothing is for everybody, nothing is a program
LINES = ".jsonl"


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


def restore(source: Path, data: Path) -> Manifest:
    """Put a backup into a data folder that is not there yet, or empty; nothing is there unless all of it is right.

    Raises BadBackup, NotEmpty, JournalDamage, JournalTooNew, OSError.
    """
    if data.exists() and (not data.is_dir() or any(data.iterdir())):
        raise NotEmpty(f"{data} is not empty: restore into a folder of its own")
    data.mkdir(parents=True, exist_ok=True, mode=0o750)
    with tempfile.TemporaryDirectory(dir=data, prefix=".restoring-") as name:
        new = Path(name)
        try:
            with tarfile.open(source, "r:gz") as archive:
                found, text = _unpack(archive, new)
        except (tarfile.TarError, EOFError, zlib.error) as error:
            raise BadBackup(f"{source} is no whole backup: {error}") from error
        manifest = read_manifest(source, text)
        _compare(source, manifest, found)
        _verify(source, manifest, new)
        for child in new.iterdir():
            child.rename(data / child.name)
        sync_folder(data)
    return manifest


def _unpack(archive: tarfile.TarFile, into: Path) -> tuple[dict[str, Held], bytes]:
    found: dict[str, Held] = {}
    text = b""
    for member in archive:
        parts = PurePosixPath(member.name).parts
        file = archive.extractfile(member) if member.isreg() else None
        if file is None or not parts or member.name.startswith("/") or ".." in parts or member.name in found:
            raise tarfile.TarError(f"{member.name!r} does not belong into a backup")
        if member.name == MANIFEST:
            text = file.read(MANIFEST_BYTES)
            continue
        path = into.joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o750)
        found[member.name] = Held(member.name, member.size, _copied(file, path))
        path.chmod(member.mode & MODES)
    return found, text


def _copied(file: IO[bytes], path: Path) -> str:
    hashed = sha256()
    with path.open("xb") as new:
        while part := file.read(CHUNK_BYTES):
            hashed.update(part)
            new.write(part)
        new.flush()
        os.fsync(new.fileno())
    return hashed.hexdigest()


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


def _compare(source: Path, manifest: Manifest, found: dict[str, Held]) -> None:
    said = {file.name: file for file in manifest.files}
    for name in sorted(said.keys() | found.keys()):
        if said.get(name) != found.get(name):
            raise BadBackup(f"{source}: {name} is not what {MANIFEST} says")


def _verify(source: Path, manifest: Manifest, folder: Path) -> None:
    """Go through every chain. Raises BadBackup, JournalDamage, JournalTooNew."""
    for table in manifest.tables:
        last = next(iter(deque(read_folder(folder / table.folder), maxlen=1)), None)
        if last is None or (last.i, last.hash) != (table.line, table.hash):
            raise BadBackup(f"{source}: the journal of {table.folder} does not end where {MANIFEST} says")
