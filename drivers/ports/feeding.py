"""A port that a thread fills: for what cannot be waited for by a file descriptor."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future

from drivers.ports.events import PortLostError

READ_BYTES = 4096

# Given a way to ask whether to stop: opens the source, yields None once it is open, then what it reads (b"" for
# nothing yet). Raises PortLostError; a source that just ends is lost.
Reads = Generator[bytes | None, None, None]
Source = Callable[[Callable[[], bool]], Reads]


class FedPort:
    """An open port whose bytes a thread hands over through a pair of sockets, as many as fit: a full pair waits."""

    def __init__(self, identity: str, near: socket.socket, stop: threading.Event, reasons: list[str]) -> None:
        self.identity = identity
        self._near = near
        self._stop = stop
        self._reasons = reasons

    def fileno(self) -> int:
        """The descriptor to wait for."""
        return self._near.fileno()

    def read(self) -> bytes:
        """Return what is there, b"" if nothing is; raises PortLostError."""
        try:
            data = self._near.recv(READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise PortLostError(f"{self.identity} was lost: {error}") from error
        if not data:
            raise PortLostError(self._reasons[-1] if self._reasons else f"{self.identity} ended")
        return data

    def close(self) -> None:
        """Let go of the source; its thread ends at its next look."""
        self._stop.set()
        self._near.close()


async def fed_port(identity: str, source: Source) -> FedPort:
    """Open a source in a thread of its own and return its port. Raises PortLostError."""
    near, far = socket.socketpair()
    near.setblocking(False)
    stop, reasons = threading.Event(), list[str]()
    opened: Future[None] = Future()
    threading.Thread(
        target=_feed, args=(source, far, stop, reasons, opened), name=f"port-{identity}", daemon=True
    ).start()
    port = FedPort(identity, near, stop, reasons)
    try:
        await asyncio.wrap_future(opened)
    except BaseException:
        port.close()
        raise
    return port


def _feed(source: Source, far: socket.socket, stop: threading.Event, reasons: list[str], opened: Future[None]) -> None:
    with far, contextlib.closing(source(stop.is_set)) as reads:
        try:
            for data in reads:
                if data is None:
                    _resolve(opened)
                elif data:
                    far.sendall(data)
                if stop.is_set():
                    return
        except PortLostError as error:
            reasons.append(error.reason)
            _fail(opened, error)
        except OSError:
            return  # the port was closed meanwhile
        finally:
            _fail(opened, PortLostError("closed while it was opened"))


def _resolve(opened: Future[None]) -> None:
    if opened.set_running_or_notify_cancel():
        opened.set_result(None)


def _fail(opened: Future[None], error: PortLostError) -> None:
    with contextlib.suppress(Exception):  # it was opened, or nobody waits any more
        if not opened.done():
            opened.set_exception(error)
