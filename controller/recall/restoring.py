"""A backup put back where nothing is yet; every byte by its hash, every chain anew."""

from __future__ import annotations

import os
import tarfile
import tempfile
import zlib
from collections import deque
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO

from controller.journal.disk import sync_folder
from controller.journal.reader import read_folder
from controller.recall.manifest import MANIFEST, MODES, BadBackup, Held, Manifest, NotEmpty, read_manifest

CHUNK_BYTES = 1 << 20
MANIFEST_BYTES = 1 << 28


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
