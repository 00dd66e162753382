"""A wall clock that is set: recorded, told, and every fact after it is marked until somebody has looked (B 43, 45)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.core.engine import Table
from controller.core.inputs import Acknowledge, ClockStepped, Input, Moment
from controller.core.profile import Deal, House
from controller.core.signals import Identifies
from controller.daemon.host import Host
from controller.daemon.queued import now
from controller.daemon.recorder import Recorder
from controller.daemon.steps import SLEW_PPM, Steps
from controller.journal.reader import differences, judged, read_folder
from controller.journal.writer import Journal
from controller.settings import settings_dict
from controller.version import VERSION
from drivers.angel_eye.session import Session
from drivers.live import one_way
from tests.faults.felt import BANKER_WINS, Felt, drawn
from tests.journal.samples import oracle_lines

NS_PER_S = 1_000_000_000
NOON_NS = 1_790_000_000 * NS_PER_S
HOUR_S = 3_600
HOUSE = House(deal=Deal.FACE_UP)


def at(wall_s: float, mono_s: float) -> Moment:
    return Moment(NOON_NS + round(wall_s * NS_PER_S), round(mono_s * NS_PER_S))


def stepped(felt: Felt, by_s: float) -> list[str]:
    return [fact.name.value for fact in felt.put(Input(ClockStepped(round(by_s * 1000)), felt.now, "recorder"))]


def seen(steps: Steps, readings: list[Moment]) -> list[int]:
    """What a clock tells of these readings, each step taken up at once."""
    found = []
    for reading in readings:
        if (by_ms := steps.see(reading)) is not None:
            found.append(by_ms)
            steps.take(reading)
    return found


@pytest.mark.parametrize(
    ("by_s", "told"),
    [(HOUR_S, [3_600_000]), (-HOUR_S, [-3_600_000]), (1.1, [1_100]), (-1.1, [-1_100]), (0.9, []), (-0.9, [])],
)
def test_b43_a_step_of_more_than_a_second_is_seen_once_and_by_its_size(by_s: float, told: list[int]):
    """faults.md B 43, trust.md T16: every step above one second, forward and back."""
    assert seen(Steps(), [at(n + (by_s if n > 3 else 0), n) for n in range(10)]) == told


def test_b43_a_clock_that_wakes_in_1970_is_seen():
    """faults.md B 43: a machine without a clock of its own."""
    assert seen(Steps(), [at(0, 0), Moment(5 * NS_PER_S, NS_PER_S)]) == [-(NOON_NS // 1_000_000) + 4_000]


def test_b43_a_clock_that_is_slewed_as_fast_as_it_can_be_is_no_step_however_long():
    """faults.md B 43: discipline is no tampering; 1,800 ms in an hour."""
    slewed = [at(n * (1 + SLEW_PPM / 1_000_000), n) for n in range(0, 10 * HOUR_S, HOUR_S)]
    assert seen(Steps(), slewed) == []


def test_b45_a_clock_that_is_set_back_in_small_steps_is_seen_when_they_make_a_second():
    """faults.md B 45: an insider's many small steps are one."""
    [by_ms] = seen(Steps(), [at(n - 0.1 * n, n) for n in range(13)])
    assert -1_200 < by_ms < -1_000


def test_b43_what_was_stamped_before_the_step_and_waited_is_no_second_step():
    """faults.md B 43: bytes wait in the queue with the time at which they came."""
    assert seen(Steps(), [at(0, 0), at(HOUR_S + 2, 2), at(1, 1), at(HOUR_S + 3, 3)]) == [3_600_000]


@pytest.mark.parametrize(
    ("last", "now", "rebooted", "told"),
    [
        (at(0, 100), at(50, 150), False, []),
        (at(0, 100), at(50 + HOUR_S, 150), False, [3_600_000]),
        (at(0, 100), at(50 - HOUR_S, 150), False, [-3_600_000]),
        (at(0, 100), at(HOUR_S, 5), True, []),  # how long it was off nobody knows
        (at(0, 100), at(-HOUR_S, 5), True, [-3_600_000]),
        (at(0, 100), at(-0.5, 5), True, []),
        (Moment(), at(0, 5), False, []),
    ],
)
def test_b43_b45_what_was_set_while_nobody_recorded_is_seen_at_the_next_start(last, now, rebooted, told):
    """faults.md B 43, 45: by the last line; after a start of the machine, a time before that line."""
    assert seen(Steps.since(last, now, rebooted=rebooted), [now]) == told


def test_b43_each_fact_after_a_step_says_that_its_time_is_doubtful_until_somebody_has_looked():
    """faults.md B 43: a record of the step, and a mark on the times after it."""
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    assert stepped(felt, -HOUR_S) == ["IncidentOpened", "ClockStepped"]
    assert felt.told("ClockStepped")[0]["by_ms"] == -3_600_000
    felt.hand(BANKER_WINS, "banker")
    [incident] = felt.pit.incidents
    felt.ask(Acknowledge(incident.id))
    felt.hand(BANKER_WINS, "banker")
    assert [line.get("clock") for line in felt.told("HandCompleted")] == [None, "doubtful", None]


def test_b43_further_steps_are_counted_in_the_incident_that_nobody_has_seen_yet():
    """faults.md B 43: a clock that runs wild floods no list; each step is a fact all the same."""
    felt = Felt()
    for by_s in (5, -5, 7):
        stepped(felt, by_s)
    assert felt.incidents == ["clock-stepped", "clock-stepped-again"]
    assert dict(felt.pit.incidents[0].more[0].blanks)["n"] == "3"
    assert [fact["by_ms"] for fact in felt.told("ClockStepped")] == [5_000, -5_000, 7_000]


def test_b43_a_step_holds_nothing_and_pit_and_surveillance_read_that_the_clock_is_not_trusted():
    """faults.md B 43: order and verdicts do not hang on the wall clock."""
    felt = Felt()
    felt.draw("P1:9S B1:4H")
    stepped(felt, HOUR_S)
    assert (felt.holds, felt.view.phase) == ([], "dealing")
    assert [one.sentence.id for one in felt.pit.incidents] == ["incident.clock-stepped"]
    assert felt.eye.pit.incidents == felt.pit.incidents


def recorder(folder: Path) -> Recorder:
    """A table of the daemon with a real journal and a real shoe's session."""
    settings = settings_dict(HOUSE, Identifies.EITHER)
    return Recorder(folder, "b1", HOUSE, Identifies.EITHER, settings, one_way(lambda: Session("open")), lambda _: None)


async def dealt(folder: Path, readings: list[Moment]) -> None:
    """Record a card at each of these moments, as the daemon does."""
    table = recorder(folder)
    await table.open()
    host = Host(table)
    host.opened()
    for signal, moment in zip(drawn(BANKER_WINS), readings, strict=False):
        await host.see_clock(moment)
        await table.take(Input(signal, moment))
    await table.close()


def kinds(folder: Path) -> list[str]:
    return [one["kind"] for one in oracle_lines(folder) if one["kind"] in {"started", "card_drawn", "clock_stepped"}]


def test_b43_b45_the_step_stands_in_the_record_before_what_came_after_it_and_replays(tmp_path: Path):
    """faults.md B 43, 45: a line of its own in the chain, so that a reader needs no sum of two columns."""
    real = now()
    assert real.utc_ns is not None
    assert real.mono_ns is not None
    wall, mono = real.utc_ns, real.mono_ns
    moments = [Moment(wall + (n + (HOUR_S if n > 1 else 0)) * NS_PER_S, mono + n * NS_PER_S) for n in range(4)]
    asyncio.run(dealt(tmp_path / "b1", moments))
    cards = ["card_drawn"]
    assert kinds(tmp_path / "b1") == ["started", *cards * 2, "clock_stepped", *cards * 2]
    stored, again = list(judged(read_folder(tmp_path / "b1"))), Table(HOUSE)
    assert [differences(one, again.apply(one.item)) for one in stored] == [[]] * len(stored)
    assert [one.item.what for one in stored if isinstance(one.item.what, ClockStepped)] == [ClockStepped(3_600_000)]


def test_b45_a_clock_set_back_between_two_runs_is_recorded_as_the_second_begins(tmp_path: Path):
    """faults.md B 45: to date a record otherwise does not help: the line before is later."""

    def ahead() -> Moment:
        real = now()
        return Moment((real.utc_ns or 0) + HOUR_S * NS_PER_S, real.mono_ns)

    settings = settings_dict(HOUSE, Identifies.EITHER)
    Journal.open(tmp_path / "b1", table="b1", software=VERSION, profile=settings, clock=ahead).close()
    asyncio.run(dealt(tmp_path / "b1", [now()]))
    [by_ms] = [line["data"]["by_ms"] for line in oracle_lines(tmp_path / "b1") if line["kind"] == "clock_stepped"]
    assert abs(by_ms + HOUR_S * 1_000) < 1_000
