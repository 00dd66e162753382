"""A device that says more than a shoe can is cut off, whatever its protocol (faults.md B 21)."""

from __future__ import annotations

from itertools import cycle, islice
from pathlib import Path

import pytest

from controller.core.signals import LockTurned, PoweredUp, StoodBy
from controller.daemon.limiting import BURST_EVENTS, Limit
from drivers.rate import EVENTS_PER_SECOND
from tests.daemon.daemon import facts, records, table, until
from tests.daemon.dealing import script

NS_PER_S = 1_000_000_000
A_READ_EVENTS = 4096 // (3 * 6)  # of the shortest Angel Eye frames, which come three times
TOLD_S = 5.0  # on a machine with other work; the events before the cut are written down one by one


def heard(folder: Path) -> int:
    return sum(record["by"] == "shoe" for record in records(folder))


def test_row_21_a_babbling_device_is_cut_off_in_a_sentence_and_read_again_when_it_is_calm(tmp_path: Path):
    """faults.md B 21: what it said by then is bounded, what waits of it is not heard, and nobody has to restart."""
    with table(tmp_path) as (daemon, shoe, stream):
        shoe.say(*islice(cycle([LockTurned(locked=True), LockTurned(locked=False)]), 3_000))
        assert stream.shows("prompt", "says more than a shoe can") < TOLD_S
        # Where the flood goes on beyond the burst, what came since counts anew.
        assert heard(tmp_path) <= BURST_EVENTS + EVENTS_PER_SECOND + A_READ_EVENTS
        stream.shows("status", "CONNECTING")
        shoe.say(PoweredUp(), StoodBy())
        stream.until(lambda parts: "NOT LIVE" not in parts["status"] and "LIVE" in parts["status"])
        daemon.end()


def test_a_shoe_that_catches_up_after_an_opening_is_not_cut_off(tmp_path: Path):
    """faults.md B 10: what waited in a serial server comes in one burst, in order, and is heard to its end."""
    said = script(5, "hidden", shoes=1, hands=12)
    with table(tmp_path) as (daemon, shoe, stream):
        shoe.say(*said)
        until(lambda: heard(tmp_path) == len(said))
        stream.shows("result", "Hand 12")
        daemon.end()
    assert [fact["link"] for fact in facts(tmp_path, "LinkChanged")] == ["syncing", "live"]


@pytest.mark.parametrize(
    ("after_s", "events", "cut"),
    [(0.5, BURST_EVENTS, False), (0.5, BURST_EVENTS + 1, True), (1.0, 200, False), (1.0, 201, True)],
)
def test_the_limit_is_two_hundred_a_second_once_the_line_has_settled(after_s: float, events: int, cut):
    """faults.md B 21."""
    limit = Limit()
    limit.opened(NS_PER_S)
    assert limit.exceeded(events, NS_PER_S + int(after_s * NS_PER_S)) is cut


def test_a_limit_counts_the_time_at_which_bytes_came_not_the_time_at_which_they_were_written_down():
    """faults.md B 32: a disk that was stuck is no babbling shoe."""
    limit = Limit()
    limit.opened(0)
    assert not any(limit.exceeded(10, second * NS_PER_S // 10) for second in range(10, 200))
