"""The table's day and its alerts at a real daemon."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from controller.core.cards import Card, Seat
from controller.core.signals import CardDrawn, PoweredUp
from tests.daemon.daemon import Daemon, Stream, facts, run, table
from tests.daemon.test_commands import cards, ok

SOON = '[tables.rules]\nburn = "none"\nescalate_s = 1\n'
NATURAL = "9S 4H KD 2C"
EXTRA = CardDrawn(Seat.PLAYER, 3, Card.parse("5H"))  # Player had to stand


def told_escalated(daemon: Daemon) -> None:
    """Wait until the pit shows it."""
    with closing(Stream(daemon, "pit")) as pit:
        pit.shows("incidents", "Escalated")


def test_an_alert_that_nobody_acknowledges_escalates_once_and_in_time(tmp_path: Path):
    """Promised: unacknowledged ones escalate; one timer a table."""
    with table(tmp_path, mode="open", deal="face_up", more=SOON) as (daemon, shoe, stream):
        shoe.say(PoweredUp(), *cards(NATURAL), EXTRA)
        stream.shows("trouble", "PLAYER drew and had to stand")
        told_escalated(daemon)
        assert daemon.give({"kind": "void"}, "1-1") == (200, ok())
        daemon.end()
    [escalated] = facts(tmp_path, "IncidentEscalated")
    [opened] = facts(tmp_path, "IncidentOpened")
    assert escalated["id"] == opened["id"]
    assert escalated["at"] > opened["at"]


def test_an_alert_from_before_a_stop_escalates_after_it(tmp_path: Path):
    """The timer is set again when the journal is read."""
    waits = SOON.replace("escalate_s = 1", "escalate_s = 3")
    with table(tmp_path, mode="open", deal="face_up", more=waits) as (daemon, shoe, stream):
        shoe.say(PoweredUp(), *cards(NATURAL), EXTRA)
        stream.shows("trouble", "PLAYER drew and had to stand")
        daemon.kill()
        with run("--config", tmp_path / "tirage.toml") as again:
            told_escalated(again)
            again.end()
    assert len(facts(tmp_path, "IncidentEscalated")) == 1


def test_the_house_dates_an_opening_that_leaves_the_day_to_it(tmp_path: Path):
    """Promised: gaming day with the house's zone; the page knows no calendar."""
    with table(tmp_path, mode="open", deal="face_up", more=SOON) as (daemon, _, _):
        assert daemon.give({"kind": "open_table", "day": "", "limits": "100-10000"}) == (200, ok())
        daemon.end()
    [opened] = facts(tmp_path, "TableOpened")
    assert len(opened["day"]) == len("2026-11-30")
    assert opened["limits"] == "100-10000"
