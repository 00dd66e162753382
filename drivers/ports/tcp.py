"""Serial servers on the network: a raw TCP port, or one that speaks RFC 2217."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import warnings
from collections.abc import Callable
from functools import partial

import serial
from serial import rfc2217

from drivers.ports.events import PortLostError
from drivers.ports.feeding import FedPort, Opened, Reads, fed_port

READ_BYTES = 4096
CONNECT_S = 5.0
GREETING_S = 0.3  # a server that refuses says so, or closes, at once
HEAD_BYTES = 256  # of what a server says first, where a refusal would stand
IN_USE = b"already in use"  # ser2net: "Port's device already in use", sent as if the shoe had said it
POLL_S = 0.2
# A server that lost its power is noticed after 5 + 3 x 2 seconds; one that is frozen is not: only silence tells.
KEEPALIVE = ((socket.TCP_KEEPIDLE, 5), (socket.TCP_KEEPINTVL, 2), (socket.TCP_KEEPCNT, 3))


def network_host(host: str) -> str:
    """Return a host as it stands before a port number: an IPv6 address in brackets.

    >>> network_host("::1"), network_host("moxa.pit")
    ('[::1]', 'moxa.pit')
    """
    return f"[{host}]" if ":" in host else host


class TcpPort:
    """A connection to a raw port of a serial server."""

    sends = True

    def __init__(self, identity: str, connection: socket.socket) -> None:
        self.identity = identity
        self._socket = connection
        self._head = b""

    def fileno(self) -> int:
        """The descriptor to wait for."""
        return self._socket.fileno()

    def read(self) -> bytes:
        """Return what is there, b"" if nothing is; raises PortLostError."""
        try:
            data = self._socket.recv(READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise PortLostError(f"{self.identity} was lost: {_text(error)}") from error
        if not data:
            raise PortLostError(f"{self.identity} closed the connection: look at the serial server")
        if len(self._head) < HEAD_BYTES:
            self._head += data[: HEAD_BYTES - len(self._head)]
            refuse_if_busy(self.identity, self._head)
        return data

    def write(self, data: bytes) -> int:
        """Give bytes to the server without waiting and return how many it took; raises PortLostError."""
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise PortLostError(f"{self.identity} was lost: {_text(error)}") from error

    def close(self) -> None:
        """Let go of the connection: most servers allow one client only."""
        self._socket.close()


async def tcp_port(host: str, port: int) -> TcpPort:
    """Connect to a raw port and return it once it has not refused. Raises PortLostError."""
    identity = f"socket://{network_host(host)}:{port}"
    connection = await _connected(identity, host, port)
    try:
        await _greeted(identity, connection)
    except BaseException:
        connection.close()
        raise
    return TcpPort(identity, connection)


async def _connected(identity: str, host: str, port: int) -> socket.socket:
    loop = asyncio.get_running_loop()
    connection: socket.socket | None = None
    try:
        async with asyncio.timeout(CONNECT_S):
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            family, kind, protocol, _, address = found[0]
            connection = socket.socket(family, kind, protocol)
            connection.setblocking(False)
            keep_alive(connection)
            await loop.sock_connect(connection, address)
    except TimeoutError:
        _close(connection)
        raise PortLostError(f"{identity} does not answer: check its power, its cable and its address") from None
    except OSError as error:
        _close(connection)
        raise PortLostError(_why_closed(identity, error)) from error
    except BaseException:
        _close(connection)
        raise
    return connection


def keep_alive(connection: socket.socket) -> None:
    """Let the kernel ask now and then whether the other end is still there."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in KEEPALIVE:
        connection.setsockopt(socket.IPPROTO_TCP, option, value)


async def _greeted(identity: str, connection: socket.socket) -> None:
    """Wait a moment for a refusal: it is told once, not as a link that opens and is lost again and again."""
    ready = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(connection.fileno(), ready.set)
    try:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ready.wait(), GREETING_S)
    finally:
        loop.remove_reader(connection.fileno())
    try:
        said = connection.recv(HEAD_BYTES, socket.MSG_PEEK)
    except BlockingIOError:
        return
    except OSError as error:
        raise PortLostError(_why_closed(identity, error)) from error
    if not said:
        raise PortLostError(f"{identity} closed the connection at once: it may allow one client only, and has one")
    refuse_if_busy(identity, said)


def refuse_if_busy(identity: str, said: bytes) -> None:
    """Raise PortLostError if these are a server's words for a port that another client has."""
    if IN_USE in said.lower():
        raise PortLostError(f"{identity} is in use by another client of the serial server: stop that, it allows one")


def _why_closed(identity: str, error: OSError) -> str:
    match error:
        case ConnectionRefusedError():
            return f"{identity} refuses: the server does not serve this port, or it has its one client"
        case socket.gaierror():
            return f"{identity} has an unknown host name: check it, or write the address"
        case _:
            return f"{identity} cannot be reached: {_text(error)}"


def _close(connection: socket.socket | None) -> None:
    if connection is not None:
        connection.close()


def _text(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)


async def rfc2217_port(host: str, port: int, baud: int) -> FedPort:
    """Connect to a port that speaks RFC 2217, which sets its speed from here. Raises PortLostError."""
    identity = f"rfc2217://{network_host(host)}:{port}"
    return await fed_port(identity, partial(_rfc2217_reads, identity, baud))


def _rfc2217_reads(identity: str, baud: int, stopped: Callable[[], bool]) -> Reads:
    try:
        line = _rfc2217_open(identity, baud)
    except (serial.SerialException, OSError, ValueError) as error:
        raise PortLostError(f"{identity} cannot be opened: {_rfc2217_reason(error)}") from error
    head = b""
    try:
        yield Opened(partial(_rfc2217_write, identity, line))
        while not stopped():
            data = line.read(max(1, min(line.in_waiting, READ_BYTES)))
            if len(head) < HEAD_BYTES:
                head += data[: HEAD_BYTES - len(head)]
                refuse_if_busy(identity, head)
            yield data
    except (serial.SerialException, OSError) as error:
        raise PortLostError(f"{identity} was lost: the serial server closed the connection") from error
    finally:
        with contextlib.suppress(serial.SerialException, OSError):
            line.close()


def _rfc2217_write(identity: str, line: rfc2217.Serial, data: bytes) -> None:
    try:
        line.write(data)
    except (serial.SerialException, OSError) as error:
        raise PortLostError(f"{identity} was lost: the serial server closed the connection") from error


class _Line(rfc2217.Serial):
    """pyserial's port, which leaves its socket open where the other end was gone before the shutdown."""

    def close(self) -> None:
        held: socket.socket | None = getattr(self, "_socket", None)
        super().close()
        _close(held)


def _rfc2217_open(identity: str, baud: int) -> rfc2217.Serial:
    line = _Line(baudrate=baud, timeout=POLL_S)
    line.port = f"{identity}?ign_set_control"  # a server without modem lines never answers what is asked of them
    line.dtr = line.rts = False  # set before opening: a device that resets on a change of these lines stays up
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # pyserial 3.5 names its thread in the old way
        line.open()
    return line


def _rfc2217_reason(error: Exception) -> str:
    text = str(error)
    if "RFC2217" in text or "RFC 2217" in text:
        return "the server does not speak RFC 2217 here, or hangs: switch it off and on, else try socket:// instead"
    if "refused" in text:
        return "the server does not serve this port, or it has its one client"
    return text
