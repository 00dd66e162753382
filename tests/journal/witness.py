"""Start recorders, stop them roughly, and check that nothing they acknowledged was lost or doubled."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from controller.journal.reader import read_folder
from tests.journal.samples import open_sample, oracle_lines

REPOSITORY = Path(__file__).resolve().parents[2]
DEADLINE_S = 30.0


def start(folder: Path, run: str, count: str = "", *, under: Sequence[str] = ()) -> subprocess.Popen[bytes]:
    """Start a recorder, under another program if one is named."""
    command = [*under, sys.executable, "-m", "tests.journal.recorder", str(folder), run, *([count] if count else [])]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=subprocess.PIPE)


def finish(process: subprocess.Popen[bytes]) -> list[str]:
    """Wait for the end of a recorder and return what it said."""
    output, _ = process.communicate(timeout=DEADLINE_S)
    return output.decode().splitlines()


def kill_after(process: subprocess.Popen[bytes], lines: int, delay_s: float) -> list[str]:
    """Kill a recorder at a moment after so many lines, and return all that it said."""
    output = process.stdout.fileno()
    said = b""
    while said.count(b"\n") < lines:
        assert select.select([output], [], [], DEADLINE_S)[0], "the recorder says nothing"
        part = os.read(output, 65536)
        assert part, "the recorder ended by itself"
        said += part
    select.select([], [], [], delay_s)
    process.kill()
    return (said + process.communicate(timeout=DEADLINE_S)[0]).decode().splitlines()


class Witness:
    """Remembers what was acknowledged in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.inputs: list[str] = []
        self.raws: list[list[str]] = []

    def hear(self, said: list[str]) -> None:
        words = [line.split(" ") for line in said]
        self.inputs += [rest[0] for kind, *rest in words if kind == "input"]
        self.raws += [rest for kind, *rest in words if kind == "raw"]

    def check(self) -> None:
        """Open the journal, as a restart does, and look for everything."""
        open_sample(self.folder).close()
        oracle_lines(self.folder)
        stored = Counter(record.data["identity"] for record in read_folder(self.folder) if record.kind == "link_opened")
        assert [name for name in self.inputs if stored[name] != 1] == []
        assert [name for name, times in stored.items() if times != 1] == []
        assert [raw for raw in self.raws if not self.is_kept(*raw)] == []

    def is_kept(self, name: str, offset: str, length: str, text: str) -> bool:
        line = (self.folder / name).read_bytes()[int(offset) : int(offset) + int(length)]
        return line.endswith(b" " + text.encode() + b"\n") and line.count(b"\n") == 1
