"""What the tests of `audit` share: the command as a process, with its lines read back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-c", "from controller.cli.audit import audit; audit(prog_name='tirage audit')"]


@dataclass(frozen=True)
class Audited:
    """A finished `tirage audit`: exit code, what it said, and the lines of `--json`."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def hands(self) -> list[dict]:
        return [line for line in self.lines if "hand" in line]

    @property
    def notes(self) -> list[dict]:
        return [line for line in self.lines if "row" in line]

    @property
    def summary(self) -> dict:
        return self.lines[-1]["summary"]

    @property
    def wrong(self) -> list[list[tuple]]:
        """Kind, seat and rule of each irregularity, a list a hand."""
        return [[(one["kind"], one["seat"], one["rule"]) for one in hand["irregularities"]] for hand in self.hands]


@pytest.fixture
def audit(repository: Path, tmp_path: Path):
    """Return a function that runs `tirage audit` on a table given as text, or on files named."""

    def run(*arguments: str, table: str | bytes | None = None, stdin: bytes = b"") -> Audited:
        words = list(map(str, arguments))
        if table is not None:
            path = tmp_path / "hands.csv"
            path.write_bytes(table if isinstance(table, bytes) else table.encode())
            words.append(str(path))
        environment = os.environ | {"PYTHONPATH": str(repository)}
        done = subprocess.run([*COMMAND, *words], input=stdin, capture_output=True, env=environment, check=False)
        return Audited(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def judged(audit):
    """Return a function that gives the irregularities of one hand, written as two cells and a recorded result."""

    def run(player: str, banker: str, result: str = "") -> list[tuple]:
        return audit("--json", table=f"player,banker,result\n{player},{banker},{result}\n").wrong[0]

    return run
