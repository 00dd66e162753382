"""Limits of the file system and of the process that are no full disk (faults.md B 34)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journal.witness import Witness, finish, start

INODES = 9  # the folder, its lock, and three segments of two files
FEW_FILES = (5, 6, 7)  # an interpreter runs with these; a recorder wants one or two more


@pytest.fixture
def few_inodes(tmp_path: Path, tool) -> Iterator[Path]:
    """A file system with much room and few inodes."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount the small file system of this test")
    folder = tmp_path / "disk"
    folder.mkdir()
    options = f"size=4m,nr_inodes={INODES}"
    mounted = subprocess.run(
        [tool("mount"), "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"mount is not allowed here: {mounted.stderr.decode().strip()}")
    yield folder
    subprocess.run([tool("umount"), "--lazy", folder], check=True)


def test_b34_a_file_system_without_inodes_stops_the_recorder_and_loses_nothing(few_inodes: Path, tool):
    """faults.md B 34: told with its cause at the segment that has no place, and recorded on once there is one."""
    witness = Witness(few_inodes / "journal")
    said = finish(start(witness.folder, "many", "60"))
    assert said[-1].startswith("refused cannot record to ")
    assert "(ENOSPC)" in said[-1]
    witness.hear(said)
    assert len(witness.inputs) > 10
    subprocess.run([tool("mount"), "-o", "remount,nr_inodes=100", few_inodes], check=True)
    witness.check()
    witness.hear(finish(start(witness.folder, "more", "9")))
    witness.check()


def test_b34_a_process_without_files_to_open_is_refused_and_loses_nothing(tmp_path: Path, tool):
    """faults.md B 34: EMFILE, told with its cause; what was there before is there after it."""
    witness, refusals = Witness(tmp_path / "journal"), []
    witness.hear(finish(start(witness.folder, "before", "9")))
    for limit in FEW_FILES:
        said = finish(start(witness.folder, f"few{limit}", "9", under=[tool("prlimit"), f"--nofile={limit}"]))
        witness.hear(said)
        refusals += [line for line in said if line.startswith("refused cannot record to ")]
        witness.check()
    assert refusals
    assert all("(EMFILE)" in line for line in refusals)
