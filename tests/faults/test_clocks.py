"""Clocks that jump, and days that are not the calendar's (faults.md A 48, B 43, 44)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time
from pathlib import Path
from time import tzset
from zoneinfo import ZoneInfo

import pytest

from controller.core.engine import Table
from controller.core.inputs import Input, Moment
from controller.core.profile import Deal, House
from controller.core.words import fact_dict
from controller.daemon.floor import Calendar
from controller.journal.reader import differences, judged, read_folder
from tests.faults.felt import BANKER_WINS, TIE_OF_SIX, drawn, result
from tests.journal.samples import open_sample, oracle_lines

NS_PER_S = 1_000_000_000
NOON_NS = 1_790_000_000 * NS_PER_S
HOUSE = House(deal=Deal.FACE_UP)
# Seconds by the wall at each input while the monotonic clock goes on by one.
WALLS = {
    "steady": lambda number: number,
    "an hour back": lambda number: number - (3_600 if number > 3 else 0),
    "an hour on": lambda number: number + (3_600 if number > 3 else 0),
    "a second back each time": lambda number: -number,
    "woke in 1970": lambda number: number - (NOON_NS // NS_PER_S if number > 3 else 0),
}


def played(folder: Path, wall) -> list[dict]:
    """Record two hands as the daemon does, by such a clock, and return the facts as they were told."""
    table, told = Table(HOUSE), []
    with open_sample(folder) as journal:
        signals = [*drawn(BANKER_WINS), result("banker"), *drawn(TIE_OF_SIX), result("tie")]
        for number, signal in enumerate(signals):
            item = Input(signal, Moment(NOON_NS + wall(number) * NS_PER_S, number * NS_PER_S))
            index = journal.append_input(item)
            facts = table.apply(item)
            journal.append_facts(facts, index)
            told += map(fact_dict, facts)
    return told


def timeless(facts: list[dict]) -> list[dict]:
    return [{name: value for name, value in fact.items() if name != "at"} for fact in facts]


@pytest.mark.parametrize("wall", WALLS.values(), ids=WALLS)
def test_a48_b43_a_clock_on_the_wall_that_jumps_changes_neither_order_nor_verdict(tmp_path: Path, wall):
    """faults.md A 48, B 43: the order is that of the lines; the record verifies and replays."""
    assert timeless(played(tmp_path / "jumps", wall)) == timeless(played(tmp_path / "steady", WALLS["steady"]))
    stored = list(judged(read_folder(tmp_path / "jumps")))
    monotonic = [one.item.at.mono_ns for one in stored]
    assert monotonic == sorted(monotonic)
    again = Table(HOUSE)
    assert [differences(one, again.apply(one.item)) for one in stored] == [[]] * len(stored)
    assert {line["boot"] for line in oracle_lines(tmp_path / "jumps")} == {boot()}


def boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


@pytest.mark.parametrize(
    ("zone", "at", "day"),
    [
        # Paris, 2026-10-25: at 03:00 summer time the clock goes back to 02:00; the day begins at 06:00 all the same
        ("Europe/Paris", datetime(2026, 10, 25, 4, 59, tzinfo=UTC), "2026-10-24"),
        ("Europe/Paris", datetime(2026, 10, 25, 5, 0, tzinfo=UTC), "2026-10-25"),
        ("Europe/Paris", datetime(2026, 10, 24, 4, 0, tzinfo=UTC), "2026-10-24"),
        # Paris, 2026-03-29: 02:00 becomes 03:00
        ("Europe/Paris", datetime(2026, 3, 29, 3, 59, tzinfo=UTC), "2026-03-28"),
        ("Europe/Paris", datetime(2026, 3, 29, 4, 0, tzinfo=UTC), "2026-03-29"),
        ("Asia/Macau", datetime(2026, 11, 29, 21, 59, tzinfo=UTC), "2026-11-29"),
        ("Asia/Macau", datetime(2026, 11, 29, 22, 0, tzinfo=UTC), "2026-11-30"),
    ],
)
def test_b44_the_gaming_day_begins_by_the_clock_on_the_wall_whenever_that_is_changed(zone: str, at: datetime, day: str):
    """faults.md B 44: from a named zone; worked out by the law of each zone."""
    assert Calendar(ZoneInfo(zone), time(6)).day(at) == day


@pytest.fixture
def in_macau(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The zone of this process is another than UTC."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Macau")
        tzset()
        yield
    tzset()


@pytest.mark.usefixtures("in_macau")
def test_b44_what_is_recorded_is_utc(tmp_path: Path):
    """faults.md B 44: whatever the zone of the process."""
    played(tmp_path, WALLS["steady"])
    cards = [line for line in oracle_lines(tmp_path) if line["kind"] == "card_drawn"]
    assert cards[0]["utc"] == "2026-09-21T14:13:20.000000000Z"
