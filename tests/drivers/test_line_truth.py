"""Link truth at a table: what comes from a port is a shoe, or the page says in time that it is not (faults.md B)."""

from __future__ import annotations

import asyncio
import os
import re
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from controller.cli.replay import replay
from controller.core.cards import Card, Seat
from controller.core.inputs import Timer
from controller.core.signals import CardDrawn, LinkLost, LockTurned, PoweredUp, StoodBy, WhyLost
from controller.daemon.hearing import Hearing
from drivers.angel_eye import Counts
from drivers.emulators import Pty
from drivers.ports import PortBytes, link_to
from tests.daemon.daemon import Daemon, Dealt, Stream, config_of, facts, run
from tests.drivers.serial_servers import RAW, serving
from tests.drivers.terminals import Reader

TOLD_S = 2.0
MEMORY_KB = 24_000  # what two megabytes of noise may cost, with pages and journal at work
CARDS = ("CardDrawn", "CardShown", "BurnCardSeen", "OffGameCardSeen")
RIGHT = {"angel-eye": b"\x051S\x0361" * 3, "line": b"SA\r\n"}


@contextmanager
def table(folder: Path, driver: str, more: str = "", *, port: str = "") -> Iterator[tuple[Daemon, Dealt, Stream]]:
    """A daemon with a table at this driver, its shoe plugged in and read, and the dealer's page."""
    rules = "[tables.rules]\n" + ('closes = "controller"\nburn = "none"\n' if driver == "line" else "") + more
    path = config_of(folder, mode="auto", deal="face_up", more=rules)
    text = path.read_text().replace('"angel-eye"', f'"{driver}"')
    path.write_text(text.replace(str(folder / "shoe"), port) if port else text)
    with ExitStack() as stack:
        shoe = Dealt(folder / "shoe")
        stack.callback(shoe.pty.unplug)
        shoe.pty.plug()
        daemon = stack.enter_context(run("--config", path))
        if not port:
            shoe.plug()
        yield daemon, shoe, Stream(daemon)


def garbage(alphabet: bytes, size: int, seed: int = 3) -> bytes:
    return bytes(Random(seed).choices(alphabet, k=size))


def resident_kb(daemon: Daemon) -> int:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{daemon.process.pid}/status").read_text())
    assert found
    return int(found[1])


def is_live(parts: dict[str, str]) -> bool:
    status = parts.get("status", "")
    return status.endswith(" LIVE") and "NOT LIVE" not in status


NOISES = {
    "15 wrong baud": garbage(bytes(range(0x60, 0x100)), 60),
    "15 floating line": b"\x00" * 40,
    "20 fuzz": garbage(bytes(range(256)), 4_000),
    "21 babble": garbage(bytes(range(256)), 200_000),
}


@pytest.mark.parametrize("driver", ["angel-eye", "line"])
def test_rows_15_20_21_bytes_that_are_no_shoe_are_told_within_two_seconds(tmp_path: Path, driver: str):
    """faults.md B 15, 20, 21: no valid frame in 2 s; bounded memory, no exception, no card, a clear sentence."""
    with table(tmp_path, driver) as (daemon, shoe, stream):
        for name, noise in NOISES.items():
            shoe.write(noise)
            took = stream.until(lambda parts: "Check the speed (baud)" in parts.get("prompt", ""))
            assert took < TOLD_S, name
            assert "NOT LIVE" in stream.parts["status"]
            shoe.pty.unplug()
            stream.until(lambda parts: "Check its cable" in parts.get("prompt", ""))
            shoe.plug()
            stream.until(lambda parts: "Connecting to the shoe" in parts.get("prompt", ""))
        assert facts(tmp_path, *CARDS) == []
        shoe.write(RIGHT[driver])
        stream.until(is_live)
        shoe.write(NOISES["20 fuzz"])  # from a shoe that was understood before
        assert stream.shows("prompt", "Check the speed (baud)") < TOLD_S
        code, _ = daemon.end()
        assert code == 0
    told = [fact for fact in facts(tmp_path, "LinkChanged") if fact["detail"] == "no-frames"]
    assert len(told) == len(NOISES) + 1


def test_row_13_bursts_of_noise_are_no_loss_of_a_shoe_that_was_understood():
    """faults.md B 13: counted; it takes more than a moment's noise, and many moments are not one."""
    counts, hearing = Counts(), Hearing()
    hearing.opened(counts)
    counts.frames += 1
    assert hearing.framed(7, counts, 0.0)
    for second in range(10, 100, 10):
        assert not hearing.framed(100, counts, float(second))
        assert not hearing.overdue(second + 1.5)
        hearing.passed()  # the timer ran out
    assert not hearing.framed(256, counts, 100.0)
    assert (hearing.overdue(101.0), hearing.overdue(101.5)) == (False, True)


def test_row_13_more_than_one_bad_frame_in_a_hundred_is_an_alert_before_the_line_fails(tmp_path: Path):
    """faults.md B 13: dropped, counted, told in the pit once; two spoilt copies among few are no trend."""
    spoilt = b"\x051S\x0362"
    with table(tmp_path, "angel-eye") as (daemon, shoe, stream):
        pit = Stream(daemon, "pit")
        shoe.write(RIGHT["angel-eye"] + 2 * spoilt + b"\x052P\x0361" * 3)
        stream.until(is_live)
        assert "damaged" not in " ".join(pit.parts.values())
        shoe.write(2 * spoilt + b"\x053P\x0360" * 3)
        pit.until(
            lambda parts: "More than one message in a hundred from the shoe is damaged" in parts.get("incidents", "")
        )
        assert "NOT LIVE" not in stream.parts["status"]
        daemon.end()
    assert [fact["kind"] for fact in facts(tmp_path, "IncidentOpened")] == ["bad-line"]
    assert [fact["bytes"] for fact in facts(tmp_path, "LinkFault")] == [6] * 4
    assert facts(tmp_path, *CARDS) == []


def test_row_14_a_line_that_spoils_every_second_frame_is_not_live_until_a_good_minute_has_passed():
    """faults.md B 14: refuse LIVE above a threshold; a shoe that can prove what it says tells that itself."""
    hearing, counts, told = Hearing(), Counts(), []
    hearing.opened(counts)
    for second in range(100):
        counts.frames += 1
        counts.bad_checksums += second < 20
        hearing.framed(6, counts, float(second))
        told += [(second, one) for one in hearing.weigh(counts, second * 10**9, "shoe")]
    assert [(second, type(one).__name__) for second, one in told] == [(2, "Timer"), (9, "LinkLost"), (70, "LinkOpened")]
    assert told[1][1] == LinkLost(
        "the line is not fit for a table: 50% of the frames of a minute were bad", WhyLost.UNFIT
    )
    counts.frames, counts.bad_checksums = counts.frames + 1, counts.bad_checksums + 60
    assert list(hearing.weigh(counts, 101 * 10**9, None)) == [Timer.BAD_LINE]


def test_row_14_an_unfit_line_shows_as_such_and_holds_the_hand(tmp_path: Path):
    """faults.md B 14: the page prompts no more, and says what to mend."""
    spoilt = b"\x051S\x0362"
    with table(tmp_path, "angel-eye") as (daemon, shoe, stream):
        shoe.say(PoweredUp(), CardDrawn(Seat.PLAYER, 1, Card.parse("2S")))
        stream.until(is_live)
        shoe.write(10 * spoilt)
        shoe.say(CardDrawn(Seat.BANKER, 1, Card.parse("3H")))
        stream.shows("status", "NOT LIVE")
        assert "deal by procedure" in stream.parts["prompt"]
        stream.shows("felt", "BANKER Points 3")
        daemon.end()
    assert [fact["link"] for fact in facts(tmp_path, "LinkChanged")] == ["syncing", "live", "not-live"]


def test_a_table_reads_its_shoe_through_a_serial_server(tmp_path: Path):
    """wire-formats.md section 1: often reached through a serial device server."""
    with serving(RAW) as gateway, table(tmp_path, "line", port=f"socket://127.0.0.1:{gateway.port}") as (_, _, stream):
        stream.shows("prompt", "Connecting to the shoe")
        gateway.send(b"S9\r\nH2\r\nCK\r\nD4\r\n")
        stream.shows("result", "PLAYER")
        gateway.process.kill()
        stream.shows("status", "NOT LIVE")


def test_row_21_a_flood_of_good_frames_is_cut_off_and_holds_the_open_hand(tmp_path: Path):
    """faults.md B 21: rate limit 200 a second, then cut the link, HOLD; a sentence says why."""
    with table(tmp_path, "angel-eye") as (daemon, shoe, stream):
        shoe.say(PoweredUp(), CardDrawn(Seat.PLAYER, 1, Card.parse("2S")))
        stream.until(is_live)
        stream.until(
            lambda parts: "says more than a shoe can" in parts["prompt"] or shoe.say(*[LockTurned(locked=True)] * 100)
        )
        assert "NOT LIVE" in stream.parts["status"]
        stream.shows("trouble", "The shoe was not connected during this hand")
        daemon.end()
    assert "link-lost" in [fact["kind"] for fact in facts(tmp_path, "IncidentOpened", "IncidentAdded")]


def test_row_21_a_babbling_device_costs_bounded_memory(tmp_path: Path):
    """faults.md B 21: two megabytes of noise, and as much memory as before but for a small part."""
    with table(tmp_path, "angel-eye") as (daemon, shoe, stream):
        shoe.write(garbage(bytes(range(256)), 100_000))
        stream.shows("prompt", "Check the speed")
        before = resident_kb(daemon)
        for seed in range(20):
            shoe.write(garbage(bytes(range(256)), 100_000, seed))
        # Cut off meanwhile, and what it says before it is let in again is not heard: it says it again and again.
        stream.until(lambda parts: is_live(parts) or shoe.write(RIGHT["angel-eye"]))
        assert resident_kb(daemon) - before < MEMORY_KB


def test_row_15_the_journal_of_it_replays_without_a_difference(tmp_path: Path):
    """Design, section 1: a timer that runs out is an input, so replay gives the same facts."""
    with table(tmp_path, "angel-eye") as (daemon, shoe, stream):
        shoe.write(NOISES["15 wrong baud"])
        stream.shows("prompt", "Check the speed")
        daemon.end()
    result = CliRunner().invoke(replay, [str(tmp_path / "data" / "b1"), "--json"])
    assert result.exit_code == 0, result.stdout
    assert '"no-frames"' in result.stdout


def test_row_9_noise_is_no_sign_of_life(tmp_path: Path):
    """faults.md B 9: freshness is reset by new frames only; a link that is up and says nothing new is told."""
    with table(tmp_path, "angel-eye", "silence_s = 1\n") as (daemon, shoe, stream):
        shoe.say(PoweredUp(), StoodBy())
        stream.until(is_live)
        ended = threading.Event()

        def dribble() -> None:
            while not ended.wait(0.1):
                shoe.write(b"\x00")

        dribbling = threading.Thread(target=dribble)
        dribbling.start()
        try:
            pit = Stream(daemon, "pit")
            pit.until(lambda parts: any("Nothing was heard from the shoe" in text for text in parts.values()))
        finally:
            ended.set()
            dribbling.join()
        daemon.end()
    assert [fact["detail"] for fact in facts(tmp_path, "LinkChanged")][-1] == "silent"


@pytest.mark.parametrize("driver", ["angel-eye", "line"])
def test_row_1_a_shoe_that_drops_out_for_a_moment_is_read_again(tmp_path: Path, driver: str):
    """faults.md B 1, 2, 6: one loss, opened again by its name though its number is another, and live by its word."""
    with table(tmp_path, driver) as (daemon, shoe, stream):
        shoe.write(RIGHT[driver])
        stream.until(is_live)
        before = shoe.pty.path.readlink()
        decoy = os.openpty()
        shoe.pty.unplug()
        stream.shows("status", "NOT LIVE")
        more = [os.openpty(), decoy]  # takes the number that became free
        shoe.plug()
        assert shoe.pty.path.readlink() != before
        shoe.write({"angel-eye": b"\x052S\x0362" * 3, "line": b"S9\r\n"}[driver])
        assert stream.until(is_live) < TOLD_S
        for end in [end for ends in more for end in ends]:
            os.close(end)
        daemon.end()
    assert [fact["link"] for fact in facts(tmp_path, "LinkChanged")] == [
        "syncing",
        "live",
        "not-live",
        "syncing",
        "live",
    ]


@pytest.mark.parametrize("driver", ["angel-eye", "line"])
def test_row_11_bytes_from_before_the_opening_are_dropped(tmp_path: Path, driver: str):
    """faults.md B 11: stale bytes; a card that was dealt before the port was open is not dealt now."""

    async def play() -> bytes:
        with Pty(tmp_path / "shoe") as pty:
            await pty.write(RIGHT[driver])
            reader = Reader(link_to(str(pty.path), 4800))
            await reader.until(lambda events: events)
            await pty.wait_for_reader(5)
            await pty.write(b"fresh")
            await reader.until(lambda events: isinstance(events[-1], PortBytes))
            await reader.close()
            return reader.data

    assert asyncio.run(play()) == b"fresh"


def test_row_12_a_half_frame_at_the_opening_costs_no_whole_one(tmp_path: Path):
    """faults.md B 12: resync, counted; the copies of the same frame make the event."""
    with table(tmp_path, "angel-eye") as (daemon, shoe, stream):
        shoe.write(RIGHT["angel-eye"][3:])
        stream.until(is_live)
        daemon.end()
    assert len(facts(tmp_path, "PoweredUp")) == 1
    assert [fact["kind"] for fact in facts(tmp_path, "LinkFault")] == ["noise"]
