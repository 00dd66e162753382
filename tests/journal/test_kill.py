from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest

from tests.journal.samples import open_sample, oracle_lines, write_sample
from tests.journal.witness import Witness, finish, kill_after, start

SEED = 2026


def kill_at_random_moments(folder: Path, times: int) -> None:
    chance, witness = random.Random(SEED), Witness(folder)
    for run in range(times):
        process = start(folder, f"r{run}")
        witness.hear(kill_after(process, chance.randint(1, 60), chance.random() * 0.003))
        witness.check()
    assert len(witness.inputs) > times


def test_no_acknowledged_append_is_lost_or_doubled_by_kill_9(tmp_path: Path):
    """trust.md T2, faults.md B 30: twenty seeded moments, from the opening to the middle of a write."""
    kill_at_random_moments(tmp_path / "journal", 20)


@pytest.mark.long
def test_no_acknowledged_append_is_lost_or_doubled_by_200_kills(tmp_path: Path):
    """trust.md T2."""
    kill_at_random_moments(tmp_path / "journal", 200)


def torn_sample(folder: Path) -> None:
    """A journal as a power cut leaves it: the last line of the open segment and of its raw file are torn."""
    write_sample(folder)
    raw = folder / "000003-idle.raw"
    raw.write_bytes(raw.read_bytes() + b"2026-09-21T14:13:20.1")
    journal = folder / "000003-idle.jsonl"
    journal.write_bytes(journal.read_bytes() + b'{"i":3,"prev":"77')


@pytest.mark.parametrize("call", ["rename", "fsync", "write", "openat"])
def test_a_kill_at_any_step_of_the_recovery_leaves_a_recovery_to_be_done(tmp_path: Path, tool, call: str):
    """trust.md T2: SIGKILL during recovery itself, before each system call of it."""
    strace, torn, folder = tool("strace"), tmp_path / "torn", tmp_path / "journal"
    torn_sample(torn)
    whole = len(oracle_whole(torn))
    for step in steps(strace, torn, folder, call):
        fresh(torn, folder)
        inject = f"inject={call}:signal=KILL:when={step}"
        said = finish(start(folder, "dead", "1", under=[strace, "-qq", "-o", "/dev/null", "-e", inject]))
        assert "opened" not in said
        Witness(folder).check()
        lines = oracle_lines(folder)
        cuts = [line["data"] for line in lines if line["kind"] == "torn_tail_cut"]
        assert 1 <= len(cuts) <= 2
        assert len(lines) == whole + len(cuts)
        assert {"jsonl", "raw"} == {kind for cut in cuts for kind in cut}
        assert [path.read_bytes() for path in folder.glob("*idle.torn-*")] == [b'{"i":3,"prev":"77']
        assert [path.read_bytes() for path in folder.glob("*idle.raw.torn-*")] == [b"2026-09-21T14:13:20.1"]


def oracle_whole(folder: Path) -> list[bytes]:
    return [
        line
        for path in folder.glob("*.jsonl")
        for line in path.read_bytes().splitlines(keepends=True)
        if line[-1:] == b"\n"
    ]


def fresh(torn: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(torn, folder)


def steps(strace: str, torn: Path, folder: Path, call: str) -> list[int]:
    """The numbers of a system call that a recovery makes, after those that start Python."""
    fresh(torn, folder)
    trace = folder.parent / "trace"
    trace_calls = [strace, "-qq", "-y", "-o", str(trace), "-e", f"trace={call},writev"]
    finish(start(folder, "alive", "1", under=trace_calls))
    calls = trace.read_text().splitlines()
    opened = next(place for place, line in enumerate(calls) if line.startswith("writev") and '"opened"' in line)
    numbered = enumerate((line for line in calls[:opened] if line.startswith(f"{call}(")), 1)
    found = [number for number, line in numbered if re.search(re.escape(str(folder)), line)]
    assert found, f"the recovery makes no {call}"
    return found


def test_a_recovery_that_is_done_changes_nothing_when_done_again(tmp_path: Path):
    """faults.md B 38: the torn tail is recorded once."""
    torn_sample(tmp_path)
    open_sample(tmp_path).close()
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    open_sample(tmp_path).close()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files
