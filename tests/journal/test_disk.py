from __future__ import annotations

import contextlib
import errno
import os
import random
import re
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from controller.core.inputs import Input
from controller.core.signals import LinkOpened
from controller.journal.errors import CannotRecord
from controller.journal.reader import read_folder
from controller.journal.writer import Journal
from tests.journal.samples import moment, open_sample
from tests.journal.witness import Witness, finish, start

SEED = 33
# All that a recording of nine inputs with one roll makes; a point too many would fail its test.
CALLS = {"write": 24, "fdatasync": 20, "fsync": 9, "rename": 4}
POINTS = [(call, step) for call, last in CALLS.items() for step in range(1, last + 1)]


@pytest.fixture
def small_disk(tmp_path: Path, tool) -> Iterator[Path]:
    """A file system of 64 kB."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount the small file system of this test")
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        [tool("mount"), "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"mount is not allowed here: {mounted.stderr.decode().strip()}")
    yield folder
    subprocess.run([tool("umount"), "--lazy", folder], check=True)


def remount(folder: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{option}", folder], check=True)


def fill(journal: Journal, taken: list[str]) -> None:
    """Record until there is an error; ``taken`` gets what was acknowledged."""
    for number in count():
        span = journal.append_raw(b"%d" % number, moment(number))
        journal.append_input(Input(LinkOpened(str(number)), moment(number)), span)
        taken.append(str(number))


def test_a_full_disk_stops_the_recorder_and_what_it_had_acknowledged_is_there_after_it(small_disk: Path):
    """faults.md B 33, 35: full, said once with its cause, never half a line unmarked."""
    folder, taken = small_disk / "journal", []
    journal = open_sample(folder)
    with pytest.raises(CannotRecord, match="ENOSPC") as first:
        fill(journal, taken)
    for again in (lambda: journal.append_input(Input(LinkOpened("more"))), lambda: journal.append_raw(b"x", moment(1))):
        with pytest.raises(CannotRecord) as refusal:
            again()
        assert refusal.value.reason == first.value.reason
    journal.close()
    remount(small_disk, "size=512k")
    open_sample(folder).close()
    stored = [record.data["identity"] for record in read_folder(folder) if record.kind == "link_opened"]
    assert stored[: len(taken)] == taken
    assert stored[len(taken) :] in ([], [str(len(taken))])  # written, but the error came before it was acknowledged
    assert len(taken) > 50


def test_a_recovery_on_a_full_disk_is_refused_and_succeeds_with_room(small_disk: Path):
    """faults.md B 33: a repair that finds no room destroys nothing."""
    folder = small_disk / "journal"
    with open_sample(folder) as journal:
        for number in range(60):
            journal.append_input(Input(LinkOpened(str(number)), moment(number)))
    content = (folder / "000001-idle.jsonl").read_bytes()
    (folder / "000001-idle.jsonl").write_bytes(content + b"torn")
    ballast = small_disk / "ballast"
    with ballast.open("wb") as full, contextlib.suppress(OSError):
        while os.write(full.fileno(), bytes(4096)):
            pass
    with pytest.raises(CannotRecord, match="ENOSPC"):
        open_sample(folder)
    assert (folder / "000001-idle.jsonl").read_bytes() == content + b"torn"
    ballast.unlink()
    open_sample(folder).close()
    assert len([record for record in read_folder(folder) if record.kind == "link_opened"]) == 60


def test_a_read_only_disk_is_refused_with_its_cause(small_disk: Path):
    """faults.md B 37."""
    remount(small_disk, "ro")
    with pytest.raises(CannotRecord, match="EROFS"):
        open_sample(small_disk / "journal")


def test_a_folder_that_cannot_be_made_is_refused_with_its_cause(tmp_path: Path):
    """faults.md B 55: a clear reason."""
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CannotRecord, match="Not a directory"):
        open_sample(tmp_path / "file" / "journal")


@pytest.mark.parametrize("size", random.Random(SEED).sample(range(600, 3000), 5))
def test_a_limit_on_file_sizes_stops_the_recorder_and_loses_nothing(tmp_path: Path, tool, size: int):
    """faults.md B 34, 35: EFBIG after a short write."""
    witness = Witness(tmp_path / "journal")
    said = finish(start(witness.folder, "big", under=[tool("prlimit"), f"--fsize={size}"]))
    assert said[-1].startswith("refused cannot record to ")
    assert "(EFBIG)" in said[-1]
    witness.hear(said)
    witness.check()


def record_with_error(strace: str, folder: Path, call: str, step: int, error: str) -> None:
    witness = Witness(folder)
    inject = f"inject={call}:error={error}:when={step}"
    said = finish(start(folder, "ill", "9", under=[strace, "-qq", "-o", "/dev/null", "-e", inject]))
    assert said[-1].startswith("refused cannot record to "), said
    assert f"({error})" in said[-1]
    witness.hear(said)
    witness.check()


def test_an_error_of_any_system_call_stops_the_recorder_and_loses_nothing(tmp_path: Path, tool):
    """trust.md T2, faults.md B 36: EIO and ENOSPC, a seeded sample of all points."""
    strace, chance = tool("strace"), random.Random(SEED)
    for number, (call, step) in enumerate(chance.sample(POINTS, 10)):
        record_with_error(strace, tmp_path / str(number), call, step, chance.choice(["EIO", "ENOSPC"]))


@pytest.mark.long
@pytest.mark.parametrize("error", ["EIO", "ENOSPC", "EDQUOT", "EROFS"])
def test_each_error_of_each_system_call_stops_the_recorder_and_loses_nothing(tmp_path: Path, tool, error: str):
    """trust.md T2: EIO and ENOSPC at every write and fdatasync."""
    for call, step in POINTS:
        record_with_error(tool("strace"), tmp_path / f"{call}-{step}", call, step, error)


def test_bytes_are_durable_before_their_input_is_written_and_each_before_it_is_acknowledged(tmp_path: Path, tool):
    """trust.md T4: the order on the wire to the disk, as the kernel saw it."""
    trace, folder = tmp_path / "trace", tmp_path / "journal"
    strace = [tool("strace"), "-qq", "-y", "-o", str(trace), "-e", "trace=write,fdatasync,writev"]
    said = finish(start(folder, "order", "3", under=strace))
    assert len([line for line in said if line.startswith("input")]) == 3
    assert steps_after_opening(trace.read_text()) == [
        *["write raw", "fdatasync raw", "say raw", "write jsonl", "fdatasync jsonl", "say input"] * 3,
        *["write jsonl", "fdatasync jsonl"],  # the facts of the last input, at the close
    ]


def steps_after_opening(trace: str) -> list[str]:
    calls = trace[trace.index('"opened"') :].splitlines()[1:]
    return [step for call in calls if (step := named(call))]


def named(call: str) -> str:
    if said := re.match(r'writev\(1.*iov_base="(\w+)', call):
        return f"say {said[1]}"
    if written := re.match(r"(write|fdatasync)\(\d+<[^>]*\.(raw|jsonl)>", call):
        return f"{written[1]} {written[2]}"
    return ""


def test_the_error_names_the_cause_once(tmp_path: Path):
    """faults.md B 37: the first cause is kept, later errors do not hide it."""
    journal = open_sample(tmp_path)
    journal._log.close()
    with pytest.raises(CannotRecord, match="EBADF") as first:
        journal.append_input(Input(LinkOpened("x"), moment(1)))
    assert isinstance(first.value.__cause__, OSError)
    assert first.value.__cause__.errno == errno.EBADF
    with pytest.raises(CannotRecord, match="EBADF"):
        journal.append_raw(b"x", moment(2))
