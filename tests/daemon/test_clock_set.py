"""A wall clock that is set under a daemon at work (faults.md A 48, B 43)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.daemon.daemon import Stream, facts, records, table, until
from tests.daemon.dealing import script

SHIM = Path(__file__).with_name("wall.c")
OPENING = 11  # signals of the shoe with seed 5 before its first hand
STEPS = 'tirage_clock_steps_total{table="b1"}'


class Wall:
    """The wall clock of the processes run ``under`` it."""

    def __init__(self, folder: Path, compiler: str) -> None:
        self._offset = folder / "offset"
        library = folder / "wall.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-Werror", "-o", library, SHIM, "-ldl"], check=True)
        self.set(0)
        self.under = ["env", f"LD_PRELOAD={library}", f"WALL_OFFSET={self._offset}"]

    def set(self, seconds: int) -> None:
        new = self._offset.with_suffix(".new")
        new.write_text(str(seconds))
        new.rename(self._offset)


@pytest.fixture
def wall(tmp_path: Path, tool) -> Wall:
    return Wall(tmp_path, tool("cc"))


@pytest.mark.parametrize(
    "by_s", [3_600, -3_600, -1_700_000_000], ids=["an hour on", "an hour back", "to the seventies"]
)
def test_a48_b43_a_clock_that_is_set_is_recorded_told_and_marks_the_times_after_it(
    tmp_path: Path, wall: Wall, by_s: int
):
    """faults.md A 48, B 43: within moments, with no word of the shoe; the hand in play goes on."""
    signals = script(5, "hidden", shoes=1, hands=2)
    with table(tmp_path, under=wall.under) as (daemon, shoe, stream):
        pit = Stream(daemon, "pit")
        shoe.say(*signals[: OPENING + 2])
        stream.shows("prompt", "PLAYER: card 2")
        assert daemon.metrics()[STEPS] == 0
        wall.set(by_s)
        pit.until(lambda parts: "CLOCK NOT TRUSTED" in str(parts))
        assert daemon.metrics()[STEPS] == 1
        assert "PLAYER: card 2" in stream.parts["prompt"]
        shoe.say(*signals[OPENING + 2 :])
        until(lambda: len(facts(tmp_path, "HandCompleted")) == 1)
        assert daemon.end()[0] == 0
    lines = records(tmp_path)
    [set_at] = [place for place, line in enumerate(lines) if line["kind"] == "clock_stepped"]
    assert abs(lines[set_at]["data"]["by_ms"] - by_s * 1_000) < 1_000
    told = [fact for line in lines if line["kind"] == "facts" for fact in line["data"]["facts"]]
    marked = [fact.get("clock") for fact in told if fact["fact"] == "CardDrawn"]
    assert marked == [None] * 2 + ["doubtful"] * (len(marked) - 2)
    assert len(marked) > 3
