"""The keys of tirage shoes: a file that nobody but the daemon's own user may read, one line a device."""

from __future__ import annotations

import stat
import tomllib
from pathlib import Path
from typing import Any

from controller.toml.problems import ConfigError, masked
from controller.toml.reading import text_at

KEY_BYTES, DEVICE_BYTES = 32, 8
OTHERS = stat.S_IRWXG | stat.S_IRWXO
LINE = '"0102030405060708" = "64 hex digits" (`openssl rand -hex 32` makes a key)'


class KeysError(Exception):
    """A file of keys that cannot be used: what came and the fix. Its text never holds a key."""

    def __init__(self, came: str, fix: str) -> None:
        self.came, self.fix = masked(came), masked(fix)
        super().__init__(f"{self.came}; {self.fix}")


def read_keys(path: str | Path) -> dict[bytes, bytes]:
    """Return 32 bytes for each device of 8 bytes. Raises KeysError."""
    file = Path(path)
    try:
        mode = file.stat().st_mode
        text = text_at(file)
    except OSError as error:
        came = (error.strerror or str(error)).lower()
        raise KeysError(f"{file}: {came}", "name a file that is there and readable") from None
    except ConfigError as error:
        problem = error.problems[0]
        raise KeysError(f"{file}: {problem.came}", problem.fix) from None
    if mode & OTHERS:
        raise KeysError(f"{file}, which others may read too (mode {stat.S_IMODE(mode):04o})", f"run chmod 600 {file}")
    try:
        written = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise KeysError(f"{file}, which is no TOML", f"write lines such as {LINE}") from None
    if not written:
        raise KeysError(f"{file} without a key", f"write lines such as {LINE}")
    return dict(_pair(file, device, key) for device, key in written.items())


def _pair(file: Path, device: str, key: Any) -> tuple[bytes, bytes]:
    who, secret = _bytes(device, DEVICE_BYTES), _bytes(key, KEY_BYTES)
    if who is None:
        raise KeysError(f"{file} with a device that is not 16 hex digits", f"write lines such as {LINE}")
    if secret is None or not any(secret):
        raise KeysError(f"{file} with no key for device {who.hex()}", f"write lines such as {LINE}")
    return who, secret


def _bytes(text: Any, size: int) -> bytes | None:
    try:
        value = bytes.fromhex(text)
    except (ValueError, TypeError):
        return None
    return value if len(value) == size else None
