"""A key of a shoe is in no output, wherever a person put it by mistake (trust.md 3.2)."""

from __future__ import annotations

import secrets
import subprocess
import sys
from pathlib import Path

import pytest

TABLE = """\
data = "data"
[[tables]]
id = "a"
name = "A"
[tables.shoe]
driver = "tirage"
port = "/dev/shoe"
level = "authentic"
device = "0102030405060708"
"""
COMMANDS = (
    ("check-config", "file.toml"),
    ("check-config", "--json", "file.toml"),
    ("profiles", "check", "file.toml"),
    ("run", "--config", "file.toml"),
    ("decode", "--config", "file.toml", "--table", "a", "capture.hex"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("where", ["keys read as a configuration", "the key instead of its file"])
def test_a_key_is_never_repeated(tmp_path: Path, repository: Path, command, where: str):
    """trust.md 3.2: what is wrong is told by line; what may be a key only by its length."""
    key = secrets.token_hex(32)
    line = f'"0102030405060708" = "{key}"\n'
    text = line * 2 if where.startswith("keys") else f'{TABLE}keys = "{key}"\n'
    (tmp_path / "file.toml").write_text(text)
    (tmp_path / "capture.hex").write_text("00\n")
    told = subprocess.run(
        [sys.executable, "-m", "controller", *command],
        capture_output=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(repository)},
        text=True,
        check=False,
    )
    assert told.returncode not in (0, 1)
    assert key not in told.stdout + told.stderr
    if command[0] == "check-config":
        assert "64 hex digits" in told.stdout + told.stderr
