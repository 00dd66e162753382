"""Serial devices: opened alone, lost as one thing, opened again (faults.md B 1-12; wire-formats.md 4)."""

import asyncio
import errno
import grp
import os
import pwd
import subprocess
import sys
import termios
import time
from itertools import pairwise
from pathlib import Path

import pytest

from drivers.emulators import Pty
from drivers.ports import Link, PortBytes, PortLost, PortLostError, PortOpened, serial_link
from drivers.ports.serial_port import SerialPort, _why_closed
from tests.drivers.terminals import DEADLINE_S, LOCKING_HOLDER, PLAIN_HOLDER, Reader, held_by, kinds

USER = pwd.getpwuid(os.geteuid()).pw_name
BOTH_ENDS = "import os, sys; ends = os.openpty(); print(os.ttyname(ends[1]), flush=True); sys.stdin.read()"


@pytest.fixture
def pty(tmp_path):
    with Pty(tmp_path / "shoe") as pty:
        yield pty


def open_terminals() -> set[str]:
    names = {os.path.realpath(fd) for fd in Path("/proc/self/fd").iterdir()}
    return {name for name in names if name.startswith("/dev/pts/")}


def refusal(path) -> str:
    with pytest.raises(PortLostError) as caught:
        SerialPort(str(path), 4800)
    return caught.value.reason


def test_bytes_come_as_they_are_sent_in_both_ends_of_the_range(pty):
    """hardware-tests.md 1.4: binary bytes survive, nothing is echoed or translated."""

    async def table():
        reader = Reader(serial_link(str(pty.path), 4800))
        await reader.until(lambda events: events)
        every = bytes(range(256))
        await pty.write(every)
        await reader.until(lambda _: len(reader.data) >= 256)
        await reader.close()
        assert reader.data == every
        assert reader.events[0] == PortOpened(str(pty.path))

    asyncio.run(table())


def test_a_missing_device_is_told_in_a_sentence(tmp_path):
    """faults.md A 6."""
    path = tmp_path / "none"
    assert refusal(path) == f"{path} is not there: check the cable, and that the adapter has power"


@pytest.mark.parametrize(
    "make", [lambda path: path.write_bytes(b""), lambda path: path.mkdir()], ids=["file", "folder"]
)
def test_a_path_that_is_no_serial_device_is_told_in_a_sentence(tmp_path, make):
    """A wrong line in the configuration."""
    path = tmp_path / "wrong"
    make(path)
    assert refusal(path) == f"{path} is not a serial device: name one such as /dev/serial/by-id/..."


@pytest.mark.parametrize("program", [PLAIN_HOLDER, LOCKING_HOLDER], ids=["without a lock", "with a lock"])
def test_a_device_that_another_program_holds_is_refused_and_the_program_named(pty, program):
    """faults.md B 7: a second program on the port; never share."""
    with held_by(program, pty.path) as pid:
        name = Path(f"/proc/{pid}/comm").read_text().strip()
        assert refusal(pty.path) == (
            f"{pty.path} is held by {name} (process {pid}): stop it, the port cannot be shared"
        )


def test_the_far_end_of_a_pseudo_terminal_is_no_second_reader(tmp_path):
    """Programs that make pseudo-terminals often keep both ends open."""
    with subprocess.Popen([sys.executable, "-c", BOTH_ENDS], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            SerialPort(process.stdout.readline().decode().strip(), 4800).close()
        finally:
            process.kill()


def test_a_second_table_on_the_same_device_is_refused(pty):
    """faults.md A 9, B 7: exclusive."""
    port = SerialPort(str(pty.path), 4800)
    assert "no two tables may share a port" in refusal(pty.path)
    port.close()
    SerialPort(str(pty.path), 4800).close()


def test_the_lines_of_the_port_are_left_alone_on_close(pty):
    """faults.md B 8: -HUPCL."""
    fd = os.open(pty.path, os.O_RDWR | os.O_NOCTTY)
    settings = termios.tcgetattr(fd)
    settings[2] |= termios.HUPCL
    termios.tcsetattr(fd, termios.TCSANOW, settings)
    os.close(fd)
    port = SerialPort(str(pty.path), 4800)
    assert not termios.tcgetattr(port.fileno())[2] & termios.HUPCL
    port.close()


@pytest.mark.parametrize(
    ("mode", "group", "remedy"),
    [
        (0o660, 20, f"add user {USER} to group {grp.getgrgid(20).gr_name} and start again"),
        (0o640, 20, f"give user {USER} read and write access to it"),
        (0o660, 0, f"give user {USER} read and write access to it"),
    ],
)
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a device to another group")
def test_a_device_without_permission_names_the_user_and_what_helps(pty, mode, group, remedy):
    """faults.md B 55. Root may read everything, so the error itself is handed over."""
    pty.path.chmod(mode)
    os.chown(pty.path, 0, group)
    reason = _why_closed(str(pty.path), PermissionError(errno.EACCES, "Permission denied"))
    assert reason == f"no permission to read {pty.path}: {remedy}"


def test_a_refused_device_leaves_no_file_open(pty):
    """faults.md B 6: close at once."""
    before = open_terminals()
    with held_by(PLAIN_HOLDER, pty.path):
        refusal(pty.path)
        assert open_terminals() == before


def test_what_stood_in_the_port_before_it_was_opened_is_thrown_away(pty):
    """faults.md B 11: stale bytes from before."""

    async def table():
        await pty.write(b"stale")
        reader = Reader(serial_link(str(pty.path), 4800))
        await reader.until(lambda events: events)
        await pty.write(b"fresh")
        await reader.until(lambda _: len(reader.data) >= 5)
        await reader.close()
        assert reader.data == b"fresh"

    asyncio.run(table())


def test_an_unplugged_device_is_lost_once_and_opened_again_by_its_path(pty):
    """faults.md B 1, 2, 6: whatever exception it is, it is one loss; it comes back under another number."""

    async def table():
        reader = Reader(serial_link(str(pty.path), 4800))
        await reader.until(lambda events: events)
        first = pty.path.readlink()
        pty.unplug()
        await reader.until(lambda events: kinds(events)[1:])
        taken = os.openpty()  # takes the number that became free, as another device would
        pty.plug()
        assert pty.path.readlink() != first
        await reader.until(lambda events: kinds(events).count("PortOpened") == 2)
        await pty.write(b"again")
        await reader.until(lambda _: reader.data == b"again")
        await reader.close()
        lost = [event.reason for event in reader.events if isinstance(event, PortLost)]
        assert lost[0] == f"{pty.path} hung up: the adapter was unplugged or the far end closed"
        assert set(lost[1:]) <= {f"{pty.path} is not there: check the cable, and that the adapter has power"}
        assert len(lost) <= 2
        for fd in taken:
            os.close(fd)

    asyncio.run(table())


class Failing:
    """A port that fails in ways a table may see, one after the other, and notes when it was tried."""

    def __init__(self, *reasons: str) -> None:
        self.reasons = list(reasons)
        self.tried_at: list[float] = []

    def __call__(self):
        self.tried_at.append(time.monotonic())
        raise PortLostError(self.reasons.pop(0) if len(self.reasons) > 1 else self.reasons[0])


def test_a_device_that_cannot_be_opened_is_told_once_for_each_reason():
    """faults.md A 6, B 37: no flood of messages."""

    async def table():
        tries = Failing("gone", "gone", "gone", "busy", "busy", "gone", "gone")
        reader = Reader(Link(tries, first_wait_s=0.001, longest_wait_s=0.002))
        async with asyncio.timeout(DEADLINE_S):
            await reader.until(lambda events: len(events) >= 3)
        await reader.close()
        assert reader.events == [PortLost("gone"), PortLost("busy"), PortLost("gone")]

    asyncio.run(table())


def test_the_wait_before_opening_again_doubles_up_to_its_limit():
    """faults.md B 6: back-off 0.1 -> 2 s; here a hundredth of it."""

    async def table():
        tries = Failing(*(str(number) for number in range(9)))
        reader = Reader(Link(tries, first_wait_s=0.01, longest_wait_s=0.08))
        await reader.until(lambda events: len(events) >= 7)
        await reader.close()
        waits = [after - before for before, after in pairwise(tries.tried_at)]
        assert all(wait >= least for wait, least in zip(waits, [0.01, 0.02, 0.04, 0.08, 0.08, 0.08], strict=False))
        assert waits[0] < 0.08  # it begins below the limit

    asyncio.run(table())


def test_a_device_that_opens_and_fails_at_once_is_not_tried_without_a_pause(tmp_path):
    """faults.md B 6: no exception loop."""

    async def table():
        opened_at = []

        def open_and_hang_up():
            opened_at.append(time.monotonic())
            pty = Pty(tmp_path / "shoe")
            pty.plug()
            port = SerialPort(str(pty.path), 4800)
            pty.unplug()
            return port

        reader = Reader(Link(open_and_hang_up, first_wait_s=0.01, longest_wait_s=0.04))
        await reader.until(lambda events: kinds(events).count("PortLost") == 4)
        await reader.close()
        waits = [after - before for before, after in pairwise(opened_at)]
        assert all(wait >= least for wait, least in zip(waits, [0.01, 0.02, 0.04], strict=False))

    asyncio.run(table())


def test_the_wait_starts_over_once_bytes_have_come(pty):
    """faults.md B 1: a short loss costs a short wait."""

    async def table():
        tried_at = []

        def open_at_the_sixth_try():
            tried_at.append(time.monotonic())
            if len(tried_at) < 6:
                raise PortLostError("gone")
            return SerialPort(str(pty.path), 4800)

        reader = Reader(Link(open_at_the_sixth_try, first_wait_s=0.02, longest_wait_s=10))
        await reader.until(lambda events: "PortOpened" in kinds(events))
        await pty.write(b"x")
        await reader.until(lambda _: reader.data)
        lost_at = time.monotonic()
        pty.unplug()
        await reader.until(lambda events: kinds(events).count("PortLost") == 3)
        await reader.close()
        assert 0.02 <= tried_at[6] - lost_at < 0.3  # without starting over it would be 0.64

    asyncio.run(table())


@pytest.mark.parametrize("how", ["close", "cancel"])
def test_a_link_lets_go_of_its_device_within_a_tenth_of_a_second(pty, how):
    """The daemon ends within a second; the device is free for the next one."""

    async def table():
        reader = Reader(serial_link(str(pty.path), 4800))
        await reader.until(lambda events: events)
        assert pty.has_reader()
        started = time.monotonic()
        if how == "close":
            await reader.close()
        else:
            with pytest.raises(asyncio.CancelledError):
                await reader.cancel()
        assert not pty.has_reader()
        assert time.monotonic() - started < 0.1
        SerialPort(str(pty.path), 4800).close()

    asyncio.run(table())


def test_a_link_that_waits_to_open_again_closes_at_once(tmp_path):
    """The daemon ends within a second."""

    async def table():
        reader = Reader(Link(Failing("gone"), first_wait_s=60, longest_wait_s=60))
        await reader.until(lambda events: events)
        started = time.monotonic()
        await reader.close()
        assert time.monotonic() - started < 0.1

    asyncio.run(table())


def test_a_link_closed_while_its_event_is_being_handled_ends(pty):
    """No reader is left behind, whoever closes it."""

    async def table():
        seen = []
        async with asyncio.timeout(DEADLINE_S), serial_link(str(pty.path), 4800) as link:
            async for event in link.events():
                seen.append(event)
                if isinstance(event, PortOpened):
                    await pty.write(b"x")
                if isinstance(event, PortBytes):
                    link.close()
        assert kinds(seen) == ["PortOpened"]
        assert not pty.has_reader()

    asyncio.run(table())


def test_a_reader_that_is_slow_loses_nothing(pty):
    """faults.md B 10, 32: events queue in the kernel, none is lost."""

    async def table():
        link = serial_link(str(pty.path), 4800)
        sent = bytes(range(256)) * 200
        got = bytearray()
        async with asyncio.timeout(DEADLINE_S), link:
            writing = None
            async for event in link.events():
                if isinstance(event, PortOpened):
                    writing = asyncio.create_task(pty.write(sent))
                if isinstance(event, PortBytes):
                    got += event.data
                    await asyncio.sleep(0)
                if len(got) >= len(sent):
                    link.close()
            await writing
        assert bytes(got) == sent

    asyncio.run(table())
