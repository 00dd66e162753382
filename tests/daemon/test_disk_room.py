"""A disk that fills up under a daemon at work (faults.md B 33)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.sources.journal import replay
from tests.daemon.daemon import Stream, records, table, until
from tests.daemon.dealing import script
from tests.daemon.small_disk import fill, mounted
from tests.journal.samples import oracle_lines

SIZE_KB = 4096
OPENING = 11  # signals of the shoe with seed 5 before its first hand
FREE = 'tirage_disk_free_ratio{table="b1"}'


@pytest.fixture
def small_disk(tmp_path: Path, tool) -> Iterator[Path]:
    """A disk of its own for the data folder."""
    with mounted(tmp_path / "data", tool, SIZE_KB) as disk:
        yield disk


def test_b33_a_disk_that_fills_up_is_told_in_time_and_the_hand_in_play_is_recorded_to_its_end(
    tmp_path: Path, small_disk: Path
):
    """faults.md B 33: warn at 20 %, no further hand at 5 %, a reserve for the end of the open one."""
    signals = script(5, "hidden", shoes=1, hands=2)
    reserve = small_disk / "b1" / "journal.reserve"
    with table(tmp_path) as (daemon, shoe, stream):
        pit = Stream(daemon, "pit")
        until(lambda: daemon.metrics()[FREE] > 0.9 and reserve.exists())
        shoe.say(*signals[: OPENING + 2])
        stream.shows("prompt", "PLAYER: card 2")
        filler = fill(small_disk, leave=SIZE_KB * 1024 * 15 // 100)
        pit.until(lambda parts: "under 20 % is free" in str(parts))
        assert daemon.metrics()[FREE] < 0.2
        fill(small_disk)
        pit.until(lambda parts: "no further hand may begin" in str(parts))
        rest = signals[OPENING + 2 :]
        while "Disk nearly full: no further hand" not in stream.parts["prompt"]:
            before = stream.parts["felt"], stream.parts["prompt"]
            shoe.say(rest.pop(0))
            stream.until(lambda parts, before=before: (parts["felt"], parts["prompt"]) != before)
        assert ("NOT RECORDING" in stream.parts["status"], reserve.exists()) == (False, False)
        filler.unlink()
        stream.until(lambda parts: "Disk nearly full" not in parts["prompt"])
        until(reserve.exists)
        assert daemon.end()[0] == 0
    lines = oracle_lines(tmp_path / "data" / "b1")
    rooms = [line["data"]["room"] for line in lines if line["kind"] == "disk_room"]
    assert rooms == ["low", "scarce", "ample"]
    told = [fact for line in records(tmp_path) if line["kind"] == "facts" for fact in line["data"]["facts"]]
    assert [fact["fact"] for fact in told].count("HandCompleted") == 1
    assert [one for replayed in replay(tmp_path / "data" / "b1") for one in replayed.differences] == []
