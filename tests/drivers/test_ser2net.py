"""The serial server that Debian brings, before a pseudo-terminal: raw TCP and RFC 2217 (hardware-tests.md 1.4)."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from drivers.angel_eye import Session
from drivers.emulators import Pty
from drivers.ports import PortBytes, PortLost, PortOpened, link_to
from tests.daemon.daemon import free_port
from tests.drivers.terminals import DEADLINE_S, Reader, kinds
from tests.drivers.wire import thrice

EVERY = bytes(range(256))
KINDS = {"socket": "tcp", "rfc2217": "telnet(rfc2217),tcp"}
BANNER = "line of table b1\\r\\n"


@contextmanager
def ser2net(program: str, kind: str, number: int, pty: Path, folder: Path, *, banner: str = "") -> Iterator[int]:
    """Serve a terminal at a port; gives the process's number once it listens."""
    config = folder / "ser2net.yaml"
    config.write_text(
        "%YAML 1.1\n---\n"
        "connection: &shoe\n"
        f"  accepter: {KINDS[kind]},127.0.0.1,{number}\n"
        f"  connector: serialdev,{pty},9600n81,local\n"
        "  options:\n    chardelay: false\n    max-connections: 1\n" + (f'    banner: "{banner}"\n' if banner else "")
    )
    command = [program, "-n", "-u", "-c", str(config)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _listening(process, number)
            yield process.pid
        finally:
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGCONT)
            process.kill()


def _listening(process: subprocess.Popen[bytes], number: int) -> None:
    """Wait until somebody listens at the port; asked of the kernel, as a connection would be the one client."""
    wanted, until = f"0100007F:{number:04X} 00000000:0000 0A", time.monotonic() + DEADLINE_S
    while wanted not in Path("/proc/net/tcp").read_text(encoding="ascii"):
        assert process.poll() is None, "ser2net ended"
        assert time.monotonic() < until, "ser2net does not listen"


@pytest.fixture
def program(tool) -> str:
    return tool("ser2net")


def played(
    program: str, kind: str, folder: Path, play: Callable[[Reader, Pty, int], Awaitable[None]], *, banner: str = ""
) -> list:
    """Read a port of ser2net while a test plays; return the events."""

    async def table(number: int, pty: Pty, process: int) -> list:
        reader = Reader(link_to(f"{kind}://127.0.0.1:{number}", 9600))
        try:
            await play(reader, pty, process)
        finally:
            await reader.close()
        return reader.events

    number = free_port()
    with Pty(folder / "shoe") as pty, ser2net(program, kind, number, pty.path, folder, banner=banner) as process:
        return asyncio.run(table(number, pty, process))


async def opened(reader: Reader) -> None:
    await reader.until(lambda events: events)
    assert isinstance(reader.events[0], PortOpened), reader.events


@pytest.mark.parametrize("kind", KINDS)
def test_every_byte_comes_through(program: str, tmp_path: Path, kind: str):
    """hardware-tests.md 1.4: 0xff, 0x00, 0x11 and 0x13 survive both ways of serving."""

    async def play(reader: Reader, pty: Pty, _: int) -> None:
        await opened(reader)
        for _round in range(4):
            await pty.write(EVERY)
        await reader.until(lambda _: len(reader.data) >= 4 * 256)
        assert reader.data == EVERY * 4

    played(program, kind, tmp_path, play)


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_that_is_killed_is_one_loss(program: str, tmp_path: Path, kind: str):
    """hardware-tests.md 1.4: gateway killed; faults.md B 6: once."""

    async def play(reader: Reader, _: Pty, process: int) -> None:
        await opened(reader)
        os.kill(process, signal.SIGKILL)
        await reader.until(lambda events: len(kinds(events)) > 2)

    told = [event for event in played(program, kind, tmp_path, play) if not isinstance(event, PortBytes)]
    assert [type(event) for event in told[:3]] == [PortOpened, PortLost, PortLost]
    assert "lost" in told[1].reason or "closed the connection" in told[1].reason
    assert "refuse" in told[2].reason or "does not serve this port" in told[2].reason


@pytest.mark.parametrize("kind", KINDS)
def test_a_shoe_that_is_pulled_behind_the_server_is_a_loss(program: str, tmp_path: Path, kind: str):
    """hardware-tests.md 1.4: the terminal behind the gateway is gone."""

    async def play(reader: Reader, pty: Pty, _: int) -> None:
        await opened(reader)
        await pty.write(b"SA\r\n")
        await reader.until(lambda _: reader.data)
        pty.unplug()
        await reader.until(lambda events: "PortLost" in kinds(events))

    played(program, kind, tmp_path, play)


def test_a_second_client_is_told_that_the_port_is_in_use_and_hears_no_card(program: str, tmp_path: Path):
    """hardware-tests.md 1.4: ser2net says so in the stream of bytes, where a shoe would speak."""

    async def play(reader: Reader, pty: Pty, _: int) -> None:
        await opened(reader)
        second = Reader(link_to(reader.events[0].identity, 9600))
        try:
            (first_word, *_) = await second.until(lambda events: events)
            assert isinstance(first_word, PortLost)
            assert "in use by another client" in first_word.reason
            await pty.write(b"SA\r\n")
            await reader.until(lambda _: reader.data == b"SA\r\n")
            assert second.data == b""
        finally:
            await second.close()

    played(program, "socket", tmp_path, play)


def test_a_banner_costs_no_event(program: str, tmp_path: Path):
    """wire-formats.md 1.1: noise before a frame; the server greets each client in the stream."""

    async def play(reader: Reader, pty: Pty, _: int) -> None:
        await reader.until(lambda _: b"\r\n" in reader.data)
        await pty.write(thrice("0 S"))
        await reader.until(lambda _: thrice("0 S") in reader.data)

    events = played(program, "socket", tmp_path, play, banner=BANNER)
    data = b"".join(event.data for event in events if isinstance(event, PortBytes))
    assert data.startswith(b"line of table b1\r\n")
    session = Session()
    heard = [*session.feed(data), *session.flush()]
    assert session.counts.events == 1, heard


def test_row_9_a_frozen_server_looks_like_silence(program: str, tmp_path: Path):
    """hardware-tests.md 1.4, faults.md B 9: no error for ever, so the table's silence tells; what waited then comes."""

    async def play(reader: Reader, pty: Pty, process: int) -> None:
        await opened(reader)
        os.kill(process, signal.SIGSTOP)
        await pty.write(b"SA\r\n")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await reader.until(lambda events: len(events) > 1)
        os.kill(process, signal.SIGCONT)
        await reader.until(lambda _: reader.data == b"SA\r\n")

    assert kinds(played(program, "socket", tmp_path, play)) == ["PortOpened"]


def test_a_server_without_rfc_2217_is_told_in_a_sentence(program: str, tmp_path: Path):
    """A raw port named as rfc2217://."""
    number = free_port()

    async def table() -> list:
        reader = Reader(link_to(f"rfc2217://127.0.0.1:{number}", 9600))
        await reader.until(lambda events: events)
        await reader.close()
        return reader.events

    with Pty(tmp_path / "shoe") as pty, ser2net(program, "socket", number, pty.path, tmp_path):
        (lost, *_) = asyncio.run(table())
    assert "does not speak RFC 2217" in lost.reason
