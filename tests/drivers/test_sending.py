"""Bytes to a shoe, and a link that is ended from this side (wire-formats.md sections 1.2 and 4; faults.md B 6, 21)."""

from __future__ import annotations

import asyncio
import os
import socket
import time
import tty
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from drivers.emulators import Pty
from drivers.ports import Link, PortBytes, PortLost, link_to
from drivers.ports.reopening import SEND_TIMEOUT_S
from tests.drivers.beds import DEADLINE_S, VID_PID, bed, reading
from tests.drivers.serial_servers import RFC2217, serving
from tests.drivers.terminals import Reader, kinds

EVERY = bytes(range(256))
MUCH = bytes(1_000_000)  # more than a terminal or a socket holds


class Shoe:
    """The far end of a pseudo-terminal, whose bytes a test reads."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "shoe"
        self.number, far = os.openpty()
        tty.setraw(far)
        os.set_blocking(self.number, False)
        self.path.symlink_to(os.ttyname(far))
        os.close(far)
        self.got = b""

    async def until(self, size: int) -> bytes:
        """Wait until so many bytes came to the shoe."""
        loop, came = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self.number, came.set)
        try:
            async with asyncio.timeout(DEADLINE_S):
                while len(self.got) < size:
                    await came.wait()
                    came.clear()
                    self.got += os.read(self.number, 65536)
        finally:
            loop.remove_reader(self.number)
        return self.got


@pytest.fixture
def shoe(tmp_path: Path) -> Iterator[Shoe]:
    made = Shoe(tmp_path)
    yield made
    os.close(made.number)


@contextmanager
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server


def at_table(port: str, play: Callable[[Reader], Awaitable[None]]) -> Reader:
    """Play at an open port."""

    async def table() -> Reader:
        reader = Reader(link_to(port, 9600))
        try:
            await reader.until(lambda events: "PortOpened" in kinds(events))
            await play(reader)
        finally:
            await reader.close()
        return reader

    return asyncio.run(table())


def test_bytes_sent_to_a_serial_shoe_arrive_as_they_are_beside_those_that_come(shoe):
    """hardware-tests.md 1.4: binary both ways, nothing echoed."""

    async def play(reader: Reader) -> None:
        assert await reader.link.send(EVERY)
        assert await shoe.until(256) == EVERY
        os.write(shoe.number, EVERY)
        await reader.until(lambda _: len(reader.data) >= 256)
        assert reader.data == EVERY

    at_table(str(shoe.path), play)


def test_more_than_the_line_holds_is_sent_as_the_shoe_takes_it(shoe):
    """hardware-tests.md 1.4: a short write is no lost byte."""

    async def play(reader: Reader) -> None:
        sent = asyncio.create_task(reader.link.send(EVERY * 100))
        assert await shoe.until(25_600) == EVERY * 100
        assert await sent

    at_table(str(shoe.path), play)


def test_a_shoe_that_takes_no_bytes_is_lost_within_a_moment_and_told_once(shoe):
    """wire-formats.md section 1.2: a write waits, but not for ever."""

    async def play(reader: Reader) -> None:
        began = time.monotonic()
        assert not await reader.link.send(MUCH)
        assert time.monotonic() - began < SEND_TIMEOUT_S + 1
        await reader.until(lambda events: kinds(events)[:3] == ["PortOpened", "PortLost", "PortOpened"])

    reader = at_table(str(shoe.path), play)
    lost = [event.reason for event in reader.events if isinstance(event, PortLost)]
    assert lost == [f"{shoe.path} takes no bytes: unplug the shoe and plug it in"]


def test_a_write_to_a_shoe_that_was_pulled_is_one_loss_with_the_read(tmp_path):
    """faults.md B 6: one unplugging, whoever notices it first."""
    with Pty(tmp_path / "shoe") as pty:

        async def play(reader: Reader) -> None:
            pty.unplug()
            assert not await reader.link.send(b"lock")
            await reader.until(lambda events: "PortLost" in kinds(events))
            assert not await reader.link.send(b"lock")

        reader = at_table(str(pty.path), play)
    told = [event.reason for event in reader.events if isinstance(event, PortLost) and "not there" not in event.reason]
    assert len(told) == 1


def test_bytes_go_to_a_serial_server_and_one_that_takes_none_is_lost():
    """wire-formats.md section 1: the shoe may be behind a serial device server."""
    with listening() as server:

        async def play(reader: Reader) -> None:
            loop = asyncio.get_running_loop()
            client, _ = await loop.sock_accept(server)
            with client:
                assert await reader.link.send(EVERY)
                async with asyncio.timeout(DEADLINE_S):
                    assert await loop.sock_recv(client, 512) == EVERY
                assert not await reader.link.send(MUCH * 20)
                await reader.until(lambda events: "PortLost" in kinds(events))

        reader = at_table("socket://{}:{}".format(*server.getsockname()), play)
    assert any(isinstance(event, PortLost) and "takes no bytes" in event.reason for event in reader.events)


def test_bytes_go_through_a_server_that_speaks_rfc_2217(shoe):
    """hardware-tests.md 1.4: 0xff is doubled on the way and single at the end."""
    with serving(RFC2217, shoe.path) as server:

        async def play(reader: Reader) -> None:
            assert await reader.link.send(EVERY)
            assert await shoe.until(256) == EVERY

        at_table(f"rfc2217://127.0.0.1:{server.port}", play)


def test_bytes_go_out_at_the_endpoint_that_the_descriptors_of_a_usb_shoe_name():
    """hardware-tests.md 2.1: real libusb, written in one thread while another reads."""
    with bed() as usb:
        usb.plug()
        with reading(usb, f"usb:{VID_PID}:SHOE7") as heard:
            heard.event("opened")
            heard.send(b"ask")
            usb.say(b"SA\r\n")
            heard.until(lambda one: one.data == b"SA\r\n")
            heard.send(b"more")
            deadline = time.monotonic() + DEADLINE_S
            while "out " + b"more".hex() not in usb.told():
                assert time.monotonic() < deadline
            assert usb.told()["out " + b"ask".hex()] == 1


def test_a_tap_never_sends(tmp_path):
    """wire-formats.md section 4: another system owns the line."""
    file = tmp_path / "copy"
    file.write_bytes(b"")

    async def play(reader: Reader) -> None:
        assert not await reader.link.send(b"lock")
        with file.open("ab") as more:
            more.write(b"S")
        await reader.until(lambda _: reader.data)

    assert kinds(at_table(f"tap:{file}", play).events) == ["PortOpened"]
    assert file.read_bytes() == b"S"


@pytest.mark.parametrize("waiting", [True, False], ids=["while nothing comes", "while its bytes are being handled"])
def test_a_link_that_is_cut_is_told_once_with_the_reason_and_opened_again(shoe, waiting):
    """faults.md B 21: cut the link of a device that babbles."""

    async def table() -> list:
        link = Link(link_to(str(shoe.path), 9600)._open_port, longest_wait_s=0.1)
        seen = []
        async with asyncio.timeout(DEADLINE_S):
            async for event in link.events():
                seen.append(event)
                if isinstance(event, PortBytes):
                    link.cut("it babbles")
                elif kinds(seen).count("PortOpened") == 2:
                    link.close()
                elif waiting:
                    asyncio.get_running_loop().call_soon(link.cut, "it babbles")
                else:
                    os.write(shoe.number, b"babble")
        return seen

    seen = asyncio.run(table())
    assert kinds(seen) == ["PortOpened", "PortLost", "PortOpened"]
    assert PortLost("it babbles") in seen
