"""kill -9 while a shoe is dealt on a pseudo-terminal: nothing acknowledged is lost or doubled, no gap is silent."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import select
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

import pytest

from controller.core.engine import Table
from controller.core.inputs import Started
from controller.core.profile import House
from controller.core.signals import Identifies, Signal
from controller.journal.reader import inputs, read_folder
from drivers.emulators import Pty
from drivers.emulators import Shoe as Emulator
from tests.daemon import station_child
from tests.daemon.dealing import endless
from tests.daemon.told import nothing_is_doubled_and_every_gap_is_told
from tests.journal.samples import oracle_lines

DEADLINE_S = 20.0
HANDS_A_SHOE = 2  # so that shoe changes are among the moments
# Nine events lost in a row leave no jump in the numbers, and eight none if one copy is all that comes of the next
# (wire-formats.md 1.1). So many may be on their way to the disk, one is cut by the kill, so many are dealt unread.
ON_THE_WAY = 3
LOST_AT_MOST = 2
IDENTIFIES = {"open": Identifies.AT_DRAW, "hidden": Identifies.AT_REVEAL}


class Killed:
    """A dealer with a real terminal, and the process that reads it, which is killed again and again."""

    def __init__(self, folder: Path, mode: str, seed: int) -> None:
        self.folder, self.mode, self.chance = folder / "b1", mode, Random(seed)
        self.pty = Pty(folder / "shoe")
        self.emulator = Emulator()
        self.signals = endless(seed, mode, HANDS_A_SHOE)
        self.sent: list[Signal] = []
        self.acknowledged: list[dict] = []
        self.opened: list[dict] = []
        self.seen: dict = {}
        self.said = 0  # since it was started
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload(["tests.daemon.station_child"])

    def start(self) -> None:
        self.line, far = self.context.Pipe()
        self.process = self.context.Process(
            target=station_child.work, args=(self.folder, self.pty.path, self.mode, far), daemon=True
        )
        self.process.start()
        far.close()

    def kill(self) -> None:
        self.process.kill()
        self.process.join(DEADLINE_S)
        assert self.process.exitcode == -9, "it ended by itself"
        for message in left_in(self.line):
            self.hear(message)
        self.line.close()

    def hear(self, message: dict) -> None:
        self.seen = message
        self.acknowledged += message["facts"]
        if "opened" in message:
            self.opened.append(message)

    def until(self, condition: Callable[[dict], bool]) -> dict:
        while True:
            assert self.line.poll(DEADLINE_S), "nothing is published"
            self.hear(json.loads(self.line.recv_bytes()))
            if condition(self.seen):
                return self.seen

    def up(self) -> dict:
        """Start, wait until it reads the terminal, and return what it came back with."""
        self.start()
        back = self.until(lambda message: "opened" in message)
        self.said = back["heard"]
        assert asyncio.run(self.pty.wait_for_reader(DEADLINE_S))
        return back

    def accept(self) -> dict:
        self.line.send_bytes(b"accept")
        return self.until(lambda message: "accepted" in message)

    def keep_pace(self, behind: int = ON_THE_WAY) -> None:
        """Wait until the process has judged all but a few of the things said."""
        self.said += 1
        if self.seen["heard"] < self.said - behind:
            self.until(lambda message: message["heard"] >= self.said - behind)

    def say(self, *, upto: float = 1.0, copies: int | None = None) -> bytes:
        """Deal one thing, or the first part of its bytes; return the rest."""
        signal = next(self.signals)
        self.sent.append(signal)
        data = b"".join(self.emulator.says(signal)[: copies or self.chance.choice((1, 2, 3, 3, 3))])
        cut = round(len(data) * upto)
        self.write(data[:cut])
        return data[cut:]

    def write(self, data: bytes) -> None:
        asyncio.run(self.pty.write(data))
        self.linger(0.004)

    def linger(self, most_s: float) -> None:
        select.select([], [], [], self.chance.random() * most_s)


def left_in(line: Connection) -> Iterator[dict]:
    """What a killed process had sent; the last message may be cut."""
    try:
        while line.poll():
            yield json.loads(line.recv_bytes())
    except (EOFError, OSError):
        return


def kill_again_and_again(folder: Path, mode: str, seed: int, times: int) -> Killed:
    table = Killed(folder, mode, seed)
    with table.pty:
        table.up()
        for _ in range(times):
            deal_and_kill(table)
            come_back(table)
        table.kill()
    return table


def deal_and_kill(table: Killed) -> None:
    table.say(copies=3)
    table.keep_pace(0)  # so that what is lost at two kills is told as two gaps
    for _ in range(table.chance.randint(0, 12)):
        table.say()
        table.keep_pace()
    rest = table.say(upto=table.chance.random())
    table.linger(0.01)
    table.kill()
    table.write(rest)  # the shoe goes on, read or not
    for _ in range(table.chance.randint(0, LOST_AT_MOST)):
        table.say()


def come_back(table: Killed) -> None:
    before = table.seen
    if table.chance.random() < 0.25:  # killed while it recovers, too
        table.start()
        table.linger(0.03)
        table.kill()
    back = table.up()
    if back["hand"] is not None:
        assert "restarted" in back["holds"]
    if back["hand"] == before["hand"]:
        assert is_further(back["felt"], before["felt"])
    if table.chance.random() < 0.7:
        accepted = table.accept()
        if untouched(before, accepted):
            assert accepted["prompt"] == before["prompt"]


def is_further(felt: list, before: list) -> bool:
    """Whether these are the same cards and perhaps more of them, or more of their faces."""
    known = [[*laid[:2], laid[2] or now[2]] for laid, now in zip(before, felt, strict=False)]
    return len(felt) >= len(before) and [now[:3] for now in felt[: len(before)]] == known


def untouched(before: dict, after: dict) -> bool:
    same = all(before[key] == after[key] for key in ("hand", "felt", "out"))
    return same and before["holds"] == after["holds"] == []


# What must be true of the journal in the end.


def check_all(table: Killed) -> None:
    oracle_lines(table.folder)
    nothing_is_doubled_and_every_gap_is_told(table.folder, table.sent)
    each_restart_came_back_as_the_journal_says(table)
    every_acknowledged_fact_is_replayed_once(table)


def each_restart_came_back_as_the_journal_says(table: Killed) -> None:
    """A table that never stopped, given the same inputs, stands after each start as the process said it stood."""
    plain = Table(House(), identifies=IDENTIFIES[table.mode])
    stood = []
    for _, item, _ in inputs(read_folder(table.folder)):
        plain.apply(item)
        if isinstance(item.what, Started):
            stood.append(json.loads(json.dumps(station_child.seen(plain))))
    said = [{key: message[key] for key in stood[0]} for message in table.opened]
    later = iter(stood)  # a start that was killed before it said so stands in the journal only
    assert all(one in later for one in said)


def every_acknowledged_fact_is_replayed_once(table: Killed) -> None:
    command = [sys.executable, "-m", "controller", "replay", "--json", str(table.folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode in {0, 1}, done.stderr
    assert [line for line in lines if line.keys() == {"difference"}] == []
    replayed, heard = (Counter(map(dumps, facts)) for facts in (lines, table.acknowledged))
    assert heard - replayed == Counter()


def dumps(fact: dict) -> str:
    return json.dumps(fact, sort_keys=True)


@pytest.mark.parametrize("mode", ["hidden", "open"])
def test_25_kills_lose_double_and_hide_nothing(tmp_path: Path, mode: str):
    """trust.md T2 and T3, faults.md B 29 and 30: fifty seeded moments in both modes together."""
    table = kill_again_and_again(tmp_path, mode, seed=2026, times=25)
    check_all(table)
    assert len(table.sent) > 100


@pytest.mark.long
@pytest.mark.parametrize("mode", ["hidden", "open"])
@pytest.mark.parametrize("seed", range(5))
def test_500_kills_lose_double_and_hide_nothing(tmp_path: Path, mode: str, seed: int):
    """trust.md T2 and T3: ten tables, each killed fifty times."""
    check_all(kill_again_and_again(tmp_path, mode, seed, times=50))
