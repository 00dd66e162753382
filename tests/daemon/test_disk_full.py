"""A disk that is full: nothing is judged that is not recorded, the pages say so, and it goes on by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.core.signals import Signal
from controller.sources.journal import replay
from tests.daemon.daemon import Dealt, Stream, records, table, until
from tests.daemon.dealing import script
from tests.daemon.small_disk import fill, mounted
from tests.daemon.told import nothing_is_doubled_and_every_gap_is_told
from tests.journal.samples import oracle_lines

SIZE_KB = 256
OPENING = 11  # signals of the shoe with seed 5 before its first hand


@pytest.fixture
def small_disk(tmp_path: Path, tool) -> Iterator[Path]:
    """A disk of its own for the data folder."""
    with mounted(tmp_path / "data", tool, SIZE_KB) as disk:
        yield disk


def deal_until_it_is_full(shoe: Dealt, stream: Stream, signals: list[Signal]) -> list[Signal]:
    """Deal card after card until the page says that nothing is recorded; return what is left to deal."""
    while "NOT RECORDING" not in stream.parts["status"]:
        before = stream.parts["felt"], stream.parts["status"]
        shoe.say(signals.pop(0))
        stream.until(lambda parts, before=before: (parts["felt"], parts["status"]) != before)
    return signals


def test_a_full_disk_is_shown_nothing_is_judged_unrecorded_and_it_goes_on_by_itself(tmp_path: Path, small_disk: Path):
    """faults.md A 48, B 33 and 36: stop publishing and say so; when there is room again, record what came meanwhile."""
    signals = script(5, "hidden", shoes=1, hands=6)
    with table(tmp_path) as (daemon, shoe, stream):
        shoe.say(*signals[: OPENING + 2])
        stream.shows("prompt", "PLAYER: card 2")
        filler = fill(small_disk)
        left = deal_until_it_is_full(shoe, stream, signals[OPENING + 2 :])
        assert "NOT RECORDING: deal by procedure" in stream.parts["prompt"]
        assert daemon.metrics()['tirage_recording{table="b1"}'] == 0
        felt = stream.parts["felt"]
        shoe.say(*left[:2])
        pit = Stream(daemon, "pit")
        pit.shows("tiles", "NOT RECORDING")
        Stream(daemon).until(lambda parts: parts.get("felt") == felt)
        filler.unlink()
        stream.until(lambda parts: "NOT RECORDING" not in parts["status"])
        stream.until(lambda parts: " LIVE" in parts["status"] and "NOT LIVE" not in parts["status"])
        stream.shows("trouble", "The recorder was started again during this hand")
        shoe.say(*left[2:])
        until(lambda: heard(tmp_path) >= len(signals))
        assert daemon.end()[0] == 0
    assert_whole(tmp_path, signals)


def heard(folder: Path) -> int:
    return sum(record["by"] == "shoe" for record in records(folder))


def assert_whole(folder: Path, signals: list[Signal]) -> None:
    journal = folder / "data" / "b1"
    oracle_lines(journal)
    assert nothing_is_doubled_and_every_gap_is_told(journal, signals) == len(signals)
    assert [one for replayed in replay(journal) for one in replayed.differences] == []
    assert [record["kind"] for record in records(folder)].count("started") >= 2


def test_a_daemon_told_to_end_on_a_full_disk_ends(tmp_path: Path, small_disk: Path):
    """What could not be written is no reason to stay; the next start repairs what it left."""
    signals = script(5, "hidden", shoes=1, hands=6)
    with table(tmp_path) as (daemon, shoe, stream):
        shoe.say(*signals[: OPENING + 2])
        stream.shows("prompt", "PLAYER: card 2")
        fill(small_disk)
        deal_until_it_is_full(shoe, stream, signals[OPENING + 2 :])
        code, seconds = daemon.end()
        assert (code in {0, 5}, seconds < 1.0) == (True, True)
        assert "Traceback" not in daemon.process.stderr.read()


@pytest.mark.parametrize("sync", [9, 10, 13, 16, 21])
def test_an_error_of_the_disk_is_repaired_and_doubles_nothing(tmp_path: Path, tool, sync: int):
    """faults.md B 36: after a failed fdatasync nothing is trusted; what was written all the same is not heard twice."""
    signals, shoe_says = script(5, "hidden", shoes=1, hands=1), 3
    strace = [tool("strace"), "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync"]
    inject = ["-e", f"inject=fdatasync:error=EIO:when={sync}"]
    with table(tmp_path, under=[*strace, *inject]) as (daemon, shoe, _):
        for start in range(0, len(signals), shoe_says):  # several messages in one read
            some = signals[start : start + shoe_says]
            so_far = start + len(some)
            shoe.write(b"".join(copy for signal in some for copy in shoe.emulator.says(signal)))
            until(lambda so_far=so_far: heard(tmp_path) >= so_far)
        assert daemon.end()[0] == 0
        assert "(EIO)" in daemon.process.stderr.read()
    assert_whole(tmp_path, signals)
