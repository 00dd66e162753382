"""A disk of its own for a data folder, so small that it can be filled."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


@contextmanager
def mounted(folder: Path, tool: Callable[[str], str], size_kb: int) -> Iterator[Path]:
    """Mount a disk of so many kilobytes at a new folder; the test is skipped where nobody may."""
    mount, umount = tool("mount"), tool("umount")
    folder.mkdir()
    command = [mount, "-t", "tmpfs", "-o", f"size={size_kb}k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("a small disk can only be made by root, where mounting is allowed")
    try:
        yield folder
    finally:
        subprocess.run([umount, "--lazy", str(folder)], check=True)


def fill(disk: Path, *, leave: int = 0) -> Path:
    """Write until so many bytes of the disk are left, or nothing more goes in."""
    filler = disk / "filler"
    with filler.open("ab", buffering=0) as file, suppress(OSError):
        while not leave or os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize > leave:
            file.write(bytes(1024))
    return filler
