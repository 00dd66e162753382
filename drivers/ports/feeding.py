"""A port that threads serve: for what cannot be waited for by a file descriptor."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future
from dataclasses import dataclass

from drivers.ports.events import PortLostError

READ_BYTES = 4096

Write = Callable[[bytes], None]


@dataclass(frozen=True, slots=True)
class Opened:
    """A source is open. ``write`` sends all it is given within a bounded time; None where nothing can be sent.

    It is called in another thread than the one that reads, and raises PortLostError.
    """

    write: Write | None = None


# Given a way to ask whether to stop: opens the source, yields Opened once it is open, then what it reads (b"" for
# nothing yet). Raises PortLostError; a source that just ends is lost.
Reads = Generator[bytes | Opened, None, None]
Source = Callable[[Callable[[], bool]], Reads]


class FedPort:
    """An open port whose bytes threads hand over through a pair of sockets, as many as fit: a full pair waits."""

    def __init__(self, identity: str, near: socket.socket, feed: _Feed) -> None:
        self.identity = identity
        self._near = near
        self._feed = feed

    @property
    def sends(self) -> bool:
        """Whether the source takes bytes."""
        return self._feed.write is not None

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
            raise PortLostError(self._feed.reason or f"{self.identity} ended")
        return data

    def write(self, data: bytes) -> int:
        """Give bytes to the thread that sends, without waiting, and return how many it took; raises PortLostError."""
        if not self.sends:
            raise PortLostError(f"{self.identity} is only listened to")
        try:
            return self._near.send(data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise PortLostError(self._feed.reason or f"{self.identity} ended") from error

    def close(self) -> None:
        """Let go of the source; its threads end at their next look."""
        self._feed.stop.set()
        self._near.close()


async def fed_port(identity: str, source: Source) -> FedPort:
    """Open a source in a thread of its own and return its port. Raises PortLostError."""
    near, far = socket.socketpair()
    near.setblocking(False)
    feed = _Feed(identity, far)
    threading.Thread(target=feed.run, args=(source,), name=f"port-{identity}", daemon=True).start()
    port = FedPort(identity, near, feed)
    try:
        await asyncio.wrap_future(feed.opened)
    except BaseException:
        port.close()
        raise
    return port


class _Feed:
    """The threads of an open source: one reads it, one more sends to it where it takes bytes."""

    def __init__(self, identity: str, far: socket.socket) -> None:
        self.identity = identity
        self.opened: Future[None] = Future()
        self.stop = threading.Event()
        self.write: Write | None = None
        self.reason: str | None = None  # why it was lost: the first that one of the threads found
        self._far = far
        self._gate = threading.Lock()  # what is being written to is not let go of meanwhile

    def run(self, source: Source) -> None:
        """Read the source to its end."""
        reads = source(self.stop.is_set)
        try:
            self._read(reads)
        except PortLostError as error:
            self._lost(error)
        except OSError:
            return  # the port was closed meanwhile
        finally:
            self._fail(PortLostError("closed while it was opened"))
            with contextlib.suppress(OSError):
                self._far.shutdown(socket.SHUT_RDWR)  # ends the thread that sends, and tells the port
            with self._gate:
                reads.close()
            self._far.close()

    def _read(self, reads: Reads) -> None:
        for data in reads:
            if isinstance(data, Opened):
                self._begin(data)
            elif data:
                self._far.sendall(data)
            if self.stop.is_set():
                return

    def _begin(self, opened: Opened) -> None:
        self.write = opened.write
        if self.write is not None:
            threading.Thread(target=self._send, args=(self.write,), name=f"to-{self.identity}", daemon=True).start()
        if self.opened.set_running_or_notify_cancel():
            self.opened.set_result(None)

    def _send(self, write: Write) -> None:
        with contextlib.suppress(OSError):  # the port was closed meanwhile
            while data := self._far.recv(READ_BYTES):
                with self._gate:
                    if self.stop.is_set() or self.reason is not None:
                        return
                    try:
                        write(data)
                    except PortLostError as error:
                        self._lost(error)
                        self._far.shutdown(socket.SHUT_RDWR)

    def _lost(self, error: PortLostError) -> None:
        if self.reason is None:
            self.reason = error.reason
        self._fail(error)

    def _fail(self, error: PortLostError) -> None:
        with contextlib.suppress(Exception):  # it was opened, or nobody waits any more
            if not self.opened.done():
                self.opened.set_exception(error)
