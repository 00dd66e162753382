"""The daemon ends when it is told to: at once, cleanly, whoever hangs on it."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.daemon.daemon import Daemon, Stream, config_of, facts, records, run, table
from tests.daemon.dealing import script
from tests.journal.samples import oracle_lines

END_S = 1.0
STREAMS, NOT_READING = 50, 20
TOPICS = ("pit", "table/b1", "board/b1", "surveillance/b1")


def ends_well(daemon: Daemon, folder: Path, number: signal.Signals = signal.SIGTERM) -> None:
    code, seconds = daemon.end(number)
    assert (code, "Traceback" in daemon.process.stderr.read()) == (0, False)
    assert seconds < END_S
    oracle_lines(folder / "data" / "b1")  # each line is whole and in the chain
    assert list(folder.glob("data/b1/*torn*")) == []
    assert all(path.read_bytes().endswith(b"\n") for path in folder.glob("data/b1/0*"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_within_a_second(tmp_path: Path, number: signal.Signals):
    """Promised: in mid-hand; the facts judged last are in the journal."""
    with table(tmp_path) as (daemon, shoe, stream):
        shoe.say(*script(5, "hidden", shoes=1, hands=1)[:13])
        stream.shows("prompt", "PLAYER: card 2")
        ends_well(daemon, tmp_path, number)
    assert len(facts(tmp_path, "CardDrawn")) == 2
    assert records(tmp_path)[-1]["kind"] == "facts"


def test_it_ends_within_a_second_with_50_streams_of_which_20_do_not_read(tmp_path: Path):
    """trust.md T12, faults.md B 46: a client that reads nothing holds nobody up."""
    with table(tmp_path) as (daemon, shoe, stream):
        streams = [Stream(daemon, TOPICS[number % len(TOPICS)]) for number in range(STREAMS - 1)]
        for one in (*streams[NOT_READING:], stream):
            one.until(lambda parts: parts)
        shoe.say(*script(5, "hidden", shoes=1, hands=1))
        stream.shows("result", "Hand 1")
        ends_well(daemon, tmp_path)


def test_it_ends_within_a_second_while_its_shoe_is_missing(tmp_path: Path):
    """faults.md B 6: waiting for a port is no reason to stay."""
    with run("--config", config_of(tmp_path)) as daemon:
        stream = Stream(daemon)
        stream.shows("status", "NOT LIVE")
        ends_well(daemon, tmp_path)


def test_what_it_ended_with_is_where_it_begins(tmp_path: Path):
    """trust.md T3: a clean stop in mid-hand brings back the same cards, unproved."""
    with table(tmp_path) as (daemon, shoe, stream):
        shoe.say(*script(5, "hidden", shoes=1, hands=1)[:13])
        stream.shows("prompt", "PLAYER: card 2")
        felt = stream.parts["felt"]
        daemon.end()
        with run("--config", tmp_path / "tirage.toml") as again:
            back = Stream(again)
            back.until(lambda parts: parts)
            assert back.parts["felt"] == felt
            assert "started again" in back.parts["trouble"]
            ends_well(again, tmp_path)
