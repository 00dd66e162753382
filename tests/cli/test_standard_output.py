"""Standard output that is full, closed, or read no further (design, section 6: 1 is an irregularity, no failure)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TIRAGE = [sys.executable, "-m", "controller"]
COMMANDS = {
    "audit": ["audit", "tests/golden/two-shoes.hex"],
    "roads": ["roads", "PBT"],
    "simulate": ["simulate", "--hands", "1"],
    "simulate bytes": ["simulate", "--hands", "1", "--format", "raw"],
    "decode": ["decode", "tests/golden/two-shoes.hex"],
    "replay": ["replay", "tests/golden/two-shoes.hex"],
    "check-config": ["check-config", "deploy/tirage.toml"],
    "version": ["version"],
    "help": ["--help"],
    "help of a command": ["audit", "--help"],
}
FULL = Path("/dev/full")


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_a_full_disk_is_one_sentence_and_exit_5(words: list[str], repository: Path):
    with FULL.open("wb") as full:
        done = subprocess.run([*TIRAGE, *words], stdout=full, stderr=subprocess.PIPE, cwd=repository, check=False)
    assert done.returncode == 5
    assert done.stderr.count(b"\n") == 1
    assert b"standard output cannot be written: No space left on device" in done.stderr


def test_a_closed_output_is_one_sentence_and_exit_5(repository: Path):
    """As a shell does by `>&-`; a file that is opened later may have its number."""
    words = ["sh", "-c", '"$@" >&-', "sh", *TIRAGE, "audit", "tests/golden/two-shoes.hex"]
    done = subprocess.run(words, capture_output=True, cwd=repository, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (5, 1)
    assert b"it is closed" in done.stderr


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_reader_that_has_gone_ends_it_as_a_shell_knows_it(words: list[str], repository: Path):
    """128 and SIGPIPE, without a word."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run([*TIRAGE, *words], stdout=pipe, stderr=subprocess.PIPE, cwd=repository, check=False)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_a_file_that_no_longer_grows_is_told_too(tmp_path: Path):
    table = tmp_path / "hands.csv"
    table.write_text("player,banker\n2H 4D,3S 4C\n")
    done = subprocess.run([*TIRAGE, "audit", "--csv", FULL, table], capture_output=True, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (5, 1)


def test_an_output_without_a_buffer_is_written_as_it_was(repository: Path):
    """python -u, as containers run it."""
    told = [subprocess.run([sys.executable, *u, "-m", "controller", "roads", "PBT"], capture_output=True, check=True,
                           cwd=repository).stdout for u in ([], ["-u"])]  # fmt: skip
    assert told[0] == told[1] != b""
