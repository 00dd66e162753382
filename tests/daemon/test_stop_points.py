"""Every moment between two writes of the journal, as a kill or a power cut leaves the folder, and what comes back."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from controller.core.engine import Table
from controller.core.inputs import Accept, Command, Input
from controller.core.profile import House
from controller.core.prompts import prompt
from controller.core.signals import Identifies, Signal
from controller.core.snapshot import taken
from controller.daemon.recorder import Recorder
from controller.journal.reader import inputs, read_folder
from controller.settings import settings_dict
from controller.sources.journal import replay
from drivers.angel_eye import Session
from drivers.live import one_way
from tests.daemon.dealing import Read, reads_of, script
from tests.journal.samples import oracle_lines

SEEDS = {"hidden": 5, "open": 6}
READS_AFTER = 12


def recorder_of(folder: Path, mode: str, on_commit=lambda _: None) -> Recorder:
    house, identifies = House(), {"open": Identifies.AT_DRAW, "hidden": Identifies.AT_REVEAL}[mode]
    settings = settings_dict(house, identifies)
    return Recorder(folder, "b1", house, identifies, settings, one_way(lambda: Session(mode)), on_commit)


@dataclass
class Camera:
    """Keeps a copy of the folder after each write, and how many reads had been given to the recorder."""

    folder: Path
    album: Path
    given: int = 0
    images: list[tuple[Path, int]] = field(default_factory=list)

    def take(self, _seconds: float) -> None:
        image = self.album / f"{len(self.images):05d}"
        shutil.copytree(self.folder, image)
        self.images.append((image, self.given))


async def give(recorder: Recorder, read: Read, *, timer: bool) -> None:
    """Do what a station does with a read, and with the silence before it where its timer ran out in time."""
    if timer and recorder.is_silent(read.at):
        for heard in recorder.session.flush():
            await recorder.hear(heard)
    await recorder.keep(read.data, read.at)
    for heard in recorder.decode():
        await recorder.hear(heard)


async def record(folder: Path, album: Path, mode: str, reads: list[Read]) -> list[tuple[Path, int]]:
    camera, chance = Camera(folder, album), Random(1)
    recorder = recorder_of(folder, mode, camera.take)
    await recorder.open()
    for read in reads:
        camera.given += 1
        await give(recorder, read, timer=chance.random() < 0.5)
    for heard in recorder.session.flush():
        await recorder.hear(heard)
    await recorder.close()
    return camera.images


def sizes(image: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in sorted(image.glob("0*"))}


def step_back(image: Path, before: dict[str, int], part: float) -> bool:
    """Take the last write of an image back, all but a part of it; False where it was a whole new file."""
    grown = [(name, size) for name, size in sizes(image).items() if name in before and size > before[name]]
    new = [name for name in sizes(image) if name not in before]
    if new:  # a segment was opened: the write that followed is the growth of its raw file
        grown = [(name, (image / name).stat().st_size) for name in new if name.endswith(".raw")]
        before = {name: len(b"# tirage raw 1\n") for name, _ in grown}
    if not grown:
        return False
    name, size = grown[-1]
    with (image / name).open("r+b") as file:
        file.truncate(before[name] + int((size - before[name]) * part))
    return True


def shoe_said(folder: Path) -> list[Signal]:
    return [item.what for _, item, _ in inputs(read_folder(folder)) if item.by == "shoe"]


def by_itself(folder: Path, mode: str) -> Table:
    """The table that all inputs of a journal give, without a stop and without anything carried over."""
    table = Table(House(), identifies=recorder_of(folder, mode).table.identifies)
    for _, item, _ in inputs(read_folder(folder)):
        table.apply(item)
    return table


def never_stopped(signals: list[Signal], table: Table) -> Table:
    for signal in signals:
        table.apply(Input(signal))
    return table


async def come_back(image: Path, mode: str, left: list[Read], signals: list[Signal], least: int) -> None:
    """Start on an image, check that all is as it was, deal on, and check that nothing was lost or doubled."""
    recorder = recorder_of(image, mode)
    await recorder.open()
    said = shoe_said(image)
    assert said == signals[: len(said)]
    assert len(said) >= least
    assert taken(recorder.table) == taken(by_itself(image, mode))
    await as_before(recorder, never_stopped(said, Table(House(), identifies=recorder.table.identifies)))
    for read in left:
        await give(recorder, read, timer=False)
    for heard in recorder.session.flush():
        await recorder.hear(heard)
    await recorder.close()
    assert shoe_said(image) == signals[: left[-1].said if left else None]
    oracle_lines(image)
    assert shoe_segments_without_a_shoe(image) == []
    assert [one for replayed in replay(image) for one in replayed.differences] == []


def shoe_segments_without_a_shoe(image: Path) -> list[str]:
    return [path.name for path in image.glob("*-shoe.jsonl") if b'"by":"shoe"' not in path.read_bytes()]


async def as_before(recorder: Recorder, plain: Table) -> None:
    """The hand says that it is unproved, and once a supervisor has accepted it nothing is otherwise than it was."""
    table = recorder.table
    assert felt(table) == felt(plain)
    if table.hand is not None:
        assert kinds(table) == kinds(plain) | {"restarted"}
    if kinds(table) == {"restarted"}:
        ids = tuple(hold.id for hold in table.hand.holds)
        await recorder.take(Input(Command("k", Accept(ids), table.hand.ref), by="staff:1042"))
    if kinds(table) <= {"restarted"}:
        assert (prompt(recorder.table), felt(recorder.table)) == (prompt(plain), felt(plain))


def kinds(table: Table) -> set[str]:
    return {hold.kind for hold in (*(table.hand.holds if table.hand else ()), *table.holds)}


def felt(table: Table) -> list[tuple]:
    return [(laid.seat, laid.index, laid.card, laid.exposed) for laid in table.hand.laid] if table.hand else []


def until_it_rests(reads: list[Read]) -> list[Read]:
    """As many reads as end with a silent line."""
    end = next((place for place, read in enumerate(reads, 1) if place >= READS_AFTER and read.rests), len(reads))
    return reads[:end]


def come_back_from(tmp_path: Path, mode: str, seed: int, chosen: Callable[[int, int], bool], hands: int = 2) -> None:
    """Start on chosen images; ``chosen`` is told an image's number and how many writes ago a segment was opened."""
    signals = script(seed, mode, shoes=2, hands=hands)
    reads = reads_of(signals, seed)
    folder, album = tmp_path / f"b1-{seed}", tmp_path / f"album-{seed}"
    images = asyncio.run(record(folder, album, mode, reads))
    assert shoe_said(folder) == signals
    assert len(list(folder.glob("*-shoe.jsonl"))) == 2
    before, since = sizes(images[0][0]), 0
    for number, (image, given) in enumerate(images):
        now = sizes(image)
        since = since + 1 if set(now) == set(before) else 0
        for part in (None, 0.0, 0.5) if chosen(number, since) else ():
            with copied(image, tmp_path / "copy") as copy:
                if part is None or step_back(copy, before, part):
                    left = until_it_rests(reads[kept(copy, reads, given) :])
                    least = len(shoe_said(copy)) if part is None else 0
                    asyncio.run(come_back(copy, mode, left, signals, least))
        before = now


@contextmanager
def copied(image: Path, copy: Path) -> Iterator[Path]:
    shutil.copytree(image, copy)
    yield copy
    shutil.rmtree(copy)


def kept(image: Path, reads: list[Read], given: int) -> int:
    """How many reads an image holds: the one given last may not have got so far."""
    if not given:
        return 0
    last = f" {reads[given - 1].at.mono_ns} {reads[given - 1].data.hex()}\n".encode()
    raws = sorted(image.glob("*.raw"))[-2:]
    return given if any(line.endswith(last) for path in raws for line in lines_of(path)[-1:]) else given - 1


def lines_of(path: Path) -> list[bytes]:
    return [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


@pytest.mark.parametrize("mode", ["hidden", "open"])
def test_a_stop_between_any_two_writes_loses_doubles_and_hides_nothing(tmp_path: Path, mode: str):
    """trust.md T2 and T3, faults.md B 29, 30, 38: each write done, not done and half done."""
    come_back_from(tmp_path, mode, SEEDS[mode], lambda number, _: number % 9 == 0)


@pytest.mark.parametrize("mode", ["hidden", "open"])
def test_a_stop_while_a_shoe_begins_loses_doubles_and_hides_nothing(tmp_path: Path, mode: str):
    """trust.md 2.2: the read in which a shoe begins stands in two segments, wherever its bytes were cut."""
    for seed in range(5):
        come_back_from(tmp_path, mode, seed, lambda _, since: since < 5, hands=1)


@pytest.mark.long
@pytest.mark.parametrize("mode", ["hidden", "open"])
def test_a_stop_at_each_single_write_loses_doubles_and_hides_nothing(tmp_path: Path, mode: str):
    """trust.md T2 and T3."""
    for seed in range(3):
        come_back_from(tmp_path, mode, seed, lambda *_: True)
