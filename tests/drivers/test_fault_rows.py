"""faults.md B, rows 1 to 28: each is a test named by its row; here are those that are the port's at a serial device.

The wire's rows are in tests/protocol/test_fault_rows.py, the table's in test_line_truth.py, USB's in test_usb_ports.py.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
from pathlib import Path
from random import Random

import pytest

from controller.core.signals import BytesDamaged, CardDrawn, Damage
from drivers.emulators import Pty
from drivers.line import Session
from drivers.ports import PortBytes, PortLost, PortOpened, serial_link
from tests.drivers.beds import DATA, ENVIRONMENT, reader
from tests.drivers.terminals import DEADLINE_S, PLAIN_HOLDER, Reader, held_by, kinds

ROWS = range(1, 29)
PLUGGINGS = 50
USABLE_S = 2.0
NAMED = re.compile(r"^(?:async )?def test_rows?_((?:\d+_(?:and_)?)+)", re.MULTILINE)
TESTS = DATA.parents[1]


def rows_of(source: str) -> set[int]:
    """The rows in the names of the tests of a file."""
    return {int(row) for name in NAMED.findall(source) for row in re.findall(r"\d+", name)}


def test_the_names_of_tests_are_read_as_they_are_meant():
    assert rows_of("def test_row_7_a():\ndef test_rows_1_2_and_6_b():\nasync def test_row_12_c():") == {1, 2, 6, 7, 12}


@pytest.mark.parametrize("row", ROWS)
def test_every_row_has_a_test_that_is_named_by_it(row: int):
    """A ratchet at none missing."""
    files = TESTS.rglob("test_*.py")
    assert [path.name for path in files if row in rows_of(path.read_text(encoding="utf-8"))]


def at_a_terminal(path: Path, play) -> list:
    """Read a pseudo-terminal while a test plays; return the events."""

    async def table() -> list:
        terminal = Reader(serial_link(str(path), 4800))
        try:
            await play(terminal)
        finally:
            await terminal.close()
        return terminal.events

    return asyncio.run(table())


def test_rows_1_and_6_fifty_pullings_at_random_bytes_are_fifty_losses(tmp_path: Path):
    """B 1, 6: each is one loss whatever the error was, usable within two seconds, and no byte comes twice."""
    chance, pty, sent = Random(5), Pty(tmp_path / "shoe"), []

    async def play(terminal: Reader) -> None:
        loop = asyncio.get_running_loop()
        for number in range(1, PLUGGINGS + 1):
            pty.plug()
            plugged = loop.time()
            await terminal.until(lambda told, n=number: kinds(told).count("PortOpened") == n)
            assert loop.time() - plugged < USABLE_S
            sent.append(chance.randbytes(chance.randrange(1, 40)))
            await pty.write(sent[-1])
            await terminal.until(lambda _: len(terminal.data) >= sum(map(len, sent)))
            pty.unplug()
            await terminal.until(lambda told, n=number: len(pulled(told)) == n)

    events = at_a_terminal(pty.path, play)
    assert b"".join(event.data for event in events if isinstance(event, PortBytes)) == b"".join(sent)
    assert len(pulled(events)) == PLUGGINGS


def pulled(events: list) -> list[PortLost]:
    """The losses of an open port: what says that it is still away is none."""
    return [event for event in events if isinstance(event, PortLost) and "is not there" not in event.reason]


def test_row_2_the_name_decides_and_not_the_number_behind_it(tmp_path: Path):
    """B 2: the device that came back under another number is the same; one that took its old number is not."""
    shoe, other = Pty(tmp_path / "shoe"), Pty(tmp_path / "other")

    async def play(terminal: Reader) -> None:
        shoe.plug()
        await terminal.until(lambda told: "PortOpened" in kinds(told))
        shoe.unplug()
        other.plug()  # the kernel gives it the number that the shoe had
        await terminal.until(pulled)
        shoe.plug()
        await terminal.until(lambda told: kinds(told).count("PortOpened") == 2)
        await other.write(b"of another")
        await shoe.write(b"of the shoe")
        await terminal.until(lambda _: len(terminal.data) >= len(b"of the shoe"))
        assert terminal.data == b"of the shoe"
        shoe.unplug()
        other.unplug()

    at_a_terminal(shoe.path, play)


def test_row_7_who_holds_the_port_is_named_and_it_is_taken_once_free(tmp_path: Path):
    """B 7: never shared, with a program that takes no lock either."""

    async def play(terminal: Reader) -> None:
        with held_by(PLAIN_HOLDER, tmp_path / "shoe") as process:
            (lost, *_) = await terminal.until(lambda told: told)
            assert f"(process {process})" in lost.reason
        await terminal.until(lambda told: "PortOpened" in kinds(told))

    with Pty(tmp_path / "shoe") as pty:
        assert isinstance(at_a_terminal(pty.path, play)[-1], PortOpened)


def test_row_8_opening_a_port_never_raises_the_lines_that_reset_a_device(tmp_path: Path, tool):
    """B 8: DTR low before the port is read, HUPCL off. A terminal has no such lines, so the calls tell."""
    calls = tmp_path / "calls"
    command = [tool("strace"), "-f", "-e", "trace=ioctl", "-o", str(calls), *reader(str(tmp_path / "shoe"), 4800)]
    with (
        Pty(tmp_path / "shoe"),
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT) as process,
    ):
        assert process.stdout is not None
        assert b"opened" in process.stdout.readline()
        process.communicate(timeout=DEADLINE_S)
    told = calls.read_text()
    assert "TIOCMBIC, [TIOCM_DTR]" in told
    assert "TIOCMBIS" not in told
    assert "HUPCL" not in re.findall(r"TCSETS.*", told)[-1]


def test_row_10_a_burst_after_a_stall_comes_whole_and_in_order(tmp_path: Path):
    """B 10: what the kernel kept while nobody read."""
    burst = Random(6).randbytes(3_000)

    async def play(terminal: Reader) -> None:
        await terminal.until(lambda told: told)
        await pty.write(burst)  # nothing runs here until it is all there
        await terminal.until(lambda _: len(terminal.data) >= len(burst))
        assert terminal.data == burst

    with Pty(tmp_path / "shoe") as pty:
        at_a_terminal(pty.path, play)


def test_row_12_a_cut_within_a_frame_gives_what_came_and_nothing_else(tmp_path: Path):
    """B 12: half a frame stays half; what comes after the cut does not make it whole."""

    async def play(terminal: Reader) -> None:
        await terminal.until(lambda told: told)
        await pty.write(b"H1")
        await terminal.until(lambda _: terminal.data == b"H1")
        pty.unplug()
        await terminal.until(pulled)
        pty.plug()
        await terminal.until(lambda told: kinds(told).count("PortOpened") == 2)
        await pty.write(b"0\r\n")
        await terminal.until(lambda _: terminal.data.endswith(b"\n"))

    with Pty(tmp_path / "shoe") as pty:
        events = at_a_terminal(pty.path, play)
    between = [type(event).__name__ for event in events]
    assert "PortLost" in between[between.index("PortBytes") :]
    session, heard = Session(), []
    for event in events:  # as the table hears them
        heard += session.feed(event.data) if isinstance(event, PortBytes) else session.flush()
    told = [one.signal for one in heard]
    assert [one for one in told if isinstance(one, BytesDamaged)] == [BytesDamaged(Damage.NOISE, 2, 1, "48 31")]
    assert [one for one in told if isinstance(one, CardDrawn)] == [CardDrawn(None, None, None, unread=True)]
