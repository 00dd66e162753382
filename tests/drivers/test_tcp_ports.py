"""Serial servers on the network: raw TCP and RFC 2217 (hardware-tests.md 1.4; wire-formats.md sections 1 and 4)."""

from __future__ import annotations

import asyncio
import signal
import socket
import time
from collections.abc import Awaitable, Callable, Iterator

import pytest

from drivers.angel_eye import Session
from drivers.emulators import Pty
from drivers.ports import PortBytes, PortLost, PortOpened, link_to
from tests.drivers.serial_servers import RAW, RFC2217, serving
from tests.drivers.terminals import DEADLINE_S, Reader, kinds
from tests.drivers.wire import thrice

EVERY = bytes(range(256))  # RFC 2217 doubles 0xff, terminals translate 0x0d
BUSY = b"Port's device already in use\n\r"


@pytest.fixture
def server() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


def url(listening: socket.socket) -> str:
    return "socket://{}:{}".format(*listening.getsockname())


async def accepted(listening: socket.socket) -> socket.socket:
    async with asyncio.timeout(DEADLINE_S):
        client, _ = await asyncio.get_running_loop().sock_accept(listening)
    return client


async def no_more(reader: Reader, events: int) -> None:
    """Wait half a second in which nothing further may happen."""
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await reader.until(lambda told: len(told) > events)


def at_a_table(listening: socket.socket, play: Callable[[Reader], Awaitable[None]]) -> list:
    """Read the server's port while a test plays; return the events."""

    async def table() -> list:
        reader = Reader(link_to(url(listening), 4800))
        try:
            await play(reader)
        finally:
            await reader.close()
        return reader.events

    return asyncio.run(table())


def test_bytes_come_through_a_raw_port_as_they_are(server):
    """hardware-tests.md 1.4: binary bytes survive."""

    async def play(reader: Reader) -> None:
        with await accepted(server) as client:
            client.sendall(EVERY * 40)
            await reader.until(lambda _: len(reader.data) >= 256 * 40)
            assert reader.data == EVERY * 40

    assert at_a_table(server, play)[0] == PortOpened(url(server))


@pytest.fixture
def six() -> Iterator[int]:
    """A raw server at this machine's IPv6 address that greets its client; its port."""
    try:
        listening = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError as error:
        pytest.skip(f"this machine has no IPv6: {error}")
    with listening:
        yield listening.getsockname()[1]


@pytest.mark.parametrize("kind", ["socket", "rfc2217"])
def test_a_server_with_an_ipv6_address_is_written_in_brackets(six: int, kind: str):
    """RFC 3986 3.2.2: without brackets the port number could be the address's last group."""
    where = f"{kind}://[::1]:{six}"

    async def play() -> list:
        reader = Reader(link_to(where, 4800))
        await reader.until(lambda events: events)
        await reader.close()
        return reader.events

    event = asyncio.run(play())[0]
    if kind == "socket":
        assert event == PortOpened(where)
    else:  # the raw server answers no question of RFC 2217, so it was reached
        assert (
            event.reason == f"{where} cannot be opened: the server does not speak RFC 2217 here, or hangs: "
            "switch it off and on, else try socket:// instead"
        )


def test_nothing_is_ever_sent_to_the_server(server):
    """wire-formats.md section 4: read-only; another system may own the line."""

    async def play(reader: Reader) -> None:
        with await accepted(server) as client:
            client.sendall(thrice("0 S"))
            await reader.until(lambda _: reader.data)
            reader.link.close()
            client.setblocking(True)
            client.settimeout(DEADLINE_S)
            assert client.recv(100) == b""

    at_a_table(server, play)


def test_a_server_that_goes_away_is_one_loss_and_is_opened_again(server):
    """hardware-tests.md 1.4: gateway killed; faults.md B 1, 6."""

    async def play(reader: Reader) -> None:
        with await accepted(server) as client:
            client.sendall(b"one")
            await reader.until(lambda _: reader.data == b"one")
        with await accepted(server) as client:
            client.sendall(b"two")
            await reader.until(lambda _: reader.data == b"onetwo")

    assert kinds(at_a_table(server, play))[:3] == ["PortOpened", "PortLost", "PortOpened"]


def test_a_server_that_is_not_there_is_told_once_in_a_sentence(server):
    """faults.md A 6: device server refuses (max connection); back-off and one alert, not one a try."""
    where = url(server)
    server.close()

    async def play() -> list:
        reader = Reader(link_to(where, 4800))
        await reader.until(lambda events: events)
        await no_more(reader, 1)  # in the time of several tries
        await reader.close()
        return reader.events

    (lost,) = asyncio.run(play())
    assert lost == PortLost(f"{where} refuses: the server does not serve this port, or it has its one client")


def test_an_unknown_host_is_told_in_a_sentence():
    """A name that was misspelt."""

    async def play() -> list:
        reader = Reader(link_to("socket://no-such-host.invalid:4001", 4800))
        await reader.until(lambda events: events)
        await reader.close()
        return reader.events

    (lost,) = asyncio.run(play())
    assert "unknown host name" in lost.reason


@pytest.mark.parametrize("said", [BUSY, b""], ids=["says so", "just closes"])
def test_a_server_that_has_its_one_client_is_told_as_busy_and_never_as_open(server, said):
    """hardware-tests.md 1.4: the second client gets the text in the data stream, then the end."""

    async def play(reader: Reader) -> None:
        with await accepted(server) as client:
            client.sendall(said)
        await reader.until(lambda events: events)

    (lost, *_) = at_a_table(server, play)
    assert isinstance(lost, PortLost)
    assert "client" in lost.reason
    assert "one" in lost.reason


def test_a_busy_text_that_comes_late_is_no_bytes_of_the_shoe(server):
    """hardware-tests.md 1.4: into the data stream, then closes."""

    async def play(reader: Reader) -> None:
        with await accepted(server) as client:
            await reader.until(lambda events: events)
            client.sendall(BUSY)
            await reader.until(lambda events: len(events) > 1)

    opened, lost, *_ = at_a_table(server, play)
    assert isinstance(opened, PortOpened)
    assert "in use by another client" in lost.reason


def test_a_banner_before_the_frames_costs_no_event(server):
    """hardware-tests.md 1.4: the decoder must resynchronise over ASCII banners."""
    banner = b"ser2net port tcp,4001 device /dev/ttyS0, 4800n81 [,local=false] (Debian GNU/Linux)\r\n"

    async def play(reader: Reader) -> None:
        with await accepted(server) as client:
            client.sendall(banner + thrice("0 S", "1 D 81 b8"))
            await reader.until(lambda _: reader.data.endswith(b"4F"))

    data = b"".join(event.data for event in at_a_table(server, play) if isinstance(event, PortBytes))
    session = Session("open")
    session.feed(data)
    session.flush()
    assert (session.counts.events, session.counts.noise_bytes, session.counts.gaps) == (2, len(banner), 0)


def test_a_frozen_server_looks_like_silence_and_goes_on_where_it_stopped():
    """hardware-tests.md 1.4: SIGSTOP gives b"" for ever and no exception; the silence timer must tell."""

    async def play(gateway) -> list:
        reader = Reader(link_to(f"socket://127.0.0.1:{gateway.port}", 4800))
        gateway.send(b"before")
        await reader.until(lambda _: reader.data == b"before")
        gateway.process.send_signal(signal.SIGSTOP)
        gateway.send(b"after")
        await no_more(reader, 2)
        assert (kinds(reader.events), reader.data) == (["PortOpened"], b"before")
        gateway.process.send_signal(signal.SIGCONT)
        await reader.until(lambda _: reader.data == b"beforeafter")
        await reader.close()
        return reader.events

    with serving(RAW) as gateway:
        assert kinds(asyncio.run(play(gateway))) == ["PortOpened"]


def test_the_kernel_asks_whether_the_server_is_still_there(server):
    """hardware-tests.md 1.4: TCP keepalive, for a server that lost its power and says nothing of it."""

    async def play(reader: Reader) -> None:
        with await accepted(server):
            await reader.until(lambda events: events)
            with socket.fromfd(reader.link._port.fileno(), 2, 1) as ours:
                assert ours.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
                idle, every, times = (
                    ours.getsockopt(socket.IPPROTO_TCP, option)
                    for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
                )
                assert idle + every * times <= 15

    at_a_table(server, play)


def test_a_link_that_is_closed_while_it_connects_ends_at_once():
    """Stopping the daemon must not wait for a server that does not answer."""

    async def play() -> float:
        with socket.socket() as full:
            full.bind(("127.0.0.1", 0))
            full.listen(0)
            fillers = [socket.socket() for _ in range(4)]  # beyond the backlog nobody answers
            for filler in fillers:
                filler.setblocking(False)
                filler.connect_ex(full.getsockname())
            reader = Reader(link_to(url(full), 4800))
            await asyncio.sleep(0)
            began = time.monotonic()
            task = reader.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            for filler in fillers:
                filler.close()
            return time.monotonic() - began

    assert asyncio.run(play()) < 1


# RFC 2217.


def test_an_rfc_2217_port_is_read_and_its_speed_set(tmp_path):
    """hardware-tests.md 1.4: the same bytes, 0xff among them; the speed is this side's."""

    async def play(gateway, pty: Pty) -> None:
        reader = Reader(link_to(f"rfc2217://127.0.0.1:{gateway.port}", 9600))
        await reader.until(lambda events: events)
        assert reader.events == [PortOpened(f"rfc2217://127.0.0.1:{gateway.port}")]
        await pty.write(EVERY)
        await reader.until(lambda _: len(reader.data) >= 256)
        assert reader.data == EVERY
        gateway.process.kill()
        await reader.until(lambda events: "PortLost" in kinds(events))
        await reader.close()

    with Pty(tmp_path / "shoe") as pty, serving(RFC2217, pty.path) as gateway:
        asyncio.run(play(gateway, pty))
        assert "baud 9600\n" in iter(gateway.line, "")


def test_a_server_that_speaks_no_rfc_2217_is_told_in_a_sentence():
    """A raw port named as rfc2217://."""

    async def play(gateway) -> list:
        reader = Reader(link_to(f"rfc2217://127.0.0.1:{gateway.port}", 9600))
        await reader.until(lambda events: events)
        await reader.close()
        return reader.events

    with serving(RAW) as gateway:
        (lost, *_) = asyncio.run(play(gateway))
    assert "does not speak RFC 2217" in lost.reason
