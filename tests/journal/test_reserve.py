"""Room that is kept for the end of the hand in play, on a small disk of its own (faults.md B 33)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from controller.core.inputs import Input
from controller.core.signals import LinkOpened
from controller.journal.errors import CannotRecord
from controller.journal.reader import read_folder
from controller.journal.reserve import PART_OF_FREE, RESERVE_BYTES, Reserve
from controller.journal.segment import SegmentKind
from controller.journal.writer import Journal
from tests.journal.samples import moment, open_sample, oracle_lines

DISK_KB = 2048
PAGE = 4096


@pytest.fixture
def small_disk(tmp_path: Path, tool) -> Iterator[Path]:
    """A file system of 2 MB."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount the small file system of this test")
    folder = tmp_path / "disk"
    folder.mkdir()
    command = [tool("mount"), "-t", "tmpfs", "-o", f"size={DISK_KB}k", "tmpfs", folder]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("mount is not allowed here")
    yield folder
    subprocess.run([tool("umount"), "--lazy", folder], check=True)


def free(folder: Path) -> int:
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize


def fill(folder: Path) -> Path:
    """Take all room there is."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(PAGE)):
            pass
    return filler


def record(journal: Journal, taken: list[str]) -> None:
    """Record until there is an error; ``taken`` gets what was acknowledged."""
    for number in count():
        span = journal.append_raw(b"%d" % number, moment(number))
        journal.append_input(Input(LinkOpened(str(number)), moment(number)), span)
        taken.append(str(number))


def test_b33_the_reserve_is_real_room_and_a_small_part_of_a_small_disk(small_disk: Path):
    """faults.md B 33: 16 MB, written out and no hole in a file; of a small disk less."""
    before = free(small_disk)
    reserve = Reserve(small_disk)
    reserve.keep(before)
    assert before - free(small_disk) >= before // PART_OF_FREE - PAGE > 0
    reserve.keep(before)
    assert reserve.path.stat().st_size == before // PART_OF_FREE
    assert reserve.give_up()
    assert (free(small_disk), reserve.give_up()) == (before, False)
    assert RESERVE_BYTES == 16 * 2**20


def test_b33_a_reserve_that_finds_no_room_is_left_for_later(small_disk: Path):
    """faults.md B 33: half a reserve would be none."""
    filler, reserve = fill(small_disk), Reserve(small_disk)
    reserve.keep(2**20)
    assert not reserve.is_kept
    filler.unlink()
    reserve.keep(free(small_disk))
    assert reserve.is_kept


def test_b33_on_a_full_disk_the_reserve_is_given_up_and_what_was_being_written_goes_in(small_disk: Path):
    """faults.md B 33: the open hand is recorded to its end, then recording stops, and every line of it is whole."""
    taken: list[str] = []
    with open_sample(small_disk / "journal") as journal:
        journal.reserve.keep(free(small_disk))
        fill(small_disk)
        with pytest.raises(CannotRecord, match="ENOSPC"):
            record(journal, taken)
        assert not journal.reserve.is_kept
    assert len(taken) > 60  # far more than a hand says, and than what was left of the last page
    (small_disk / "filler").unlink()
    open_sample(small_disk / "journal").close()
    oracle_lines(small_disk / "journal")
    stored = [record.data["identity"] for record in read_folder(small_disk / "journal") if record.kind == "link_opened"]
    assert stored[: len(taken)] == taken


def test_b33_a_shoe_that_ends_on_a_full_disk_is_closed_with_the_room_of_the_reserve(small_disk: Path):
    """faults.md B 33: a new segment needs room of its own."""
    with open_sample(small_disk / "journal") as journal:
        journal.reserve.keep(free(small_disk))
        fill(small_disk)
        journal.roll(SegmentKind.SHOE, shoe=1)
        assert (journal.segment.number, journal.reserve.is_kept) == (2, False)


def test_b33_another_error_of_the_disk_takes_no_reserve(tmp_path: Path):
    """faults.md B 33, 36: room helps against no other fault."""
    journal = open_sample(tmp_path)
    journal.reserve.keep(2**20)
    journal._log.close()
    with pytest.raises(CannotRecord, match="EBADF"):
        journal.append_input(Input(LinkOpened("x"), moment(1)))
    assert journal.reserve.is_kept
