"""Who else has a device open."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

PTY_MAJORS = range(136, 144)  # Linux: UNIX98 pseudo-terminals
PTY_MASTERS = frozenset({"/dev/ptmx", "/dev/pts/ptmx"})


def holders(device: str) -> list[str]:
    """Return `name (process 123)` for each other process that has ``device`` open and that we may look into."""
    try:
        number = Path(device).stat().st_rdev
    except OSError:
        return []
    found = (pid for pid in _processes() if pid != os.getpid() and _holds(pid, device, number))
    return [f"{_name(pid)} (process {pid})" for pid in found]


def is_pseudo_terminal(device: str) -> bool:
    """Tell whether the device is the far side of a pseudo-terminal."""
    return os.major(Path(device).stat().st_rdev) in PTY_MAJORS


def _processes() -> Iterator[int]:
    return (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())


def _holds(pid: int, device: str, number: int) -> bool:
    targets = list(_open_files(pid))
    if os.major(number) in PTY_MAJORS and PTY_MASTERS.intersection(targets):
        return False  # it made the pseudo-terminal: it is the far end of the line, not a second reader
    return os.path.realpath(device) in targets


def _open_files(pid: int) -> Iterator[str]:
    folder = f"/proc/{pid}/fd"
    try:
        names = os.listdir(folder)  # noqa: PTH208 - thousands of entries: half the time of Path
    except OSError:
        return  # gone meanwhile, or another user's
    for name in names:
        with contextlib.suppress(OSError):
            yield os.readlink(f"{folder}/{name}")  # noqa: PTH115


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return "a program"
