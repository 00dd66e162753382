"""A link that opens its port, reads it, writes to it, and opens it again when it is lost."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager
from functools import partial
from types import TracebackType
from typing import Self

from drivers.ports.events import Port, PortBytes, PortEvent, PortLost, PortLostError, PortOpened
from drivers.ports.hotplug import watching
from drivers.ports.serial_port import SerialPort

FIRST_WAIT_S = 0.1
LONGEST_WAIT_S = 2.0
SEND_TIMEOUT_S = 1.0  # longer than any line takes for what one frame holds

# Given what to call when a device was plugged in: calls it as long as the context is open.
Watch = Callable[[Callable[[], None]], AbstractContextManager[None]]


class Link:
    """A port kept open: ``async for event in link.events()``, until ``close``.

    The wait before opening again doubles from ``first_wait_s`` to ``longest_wait_s`` and starts over once bytes
    have come or ``watch`` tells that a device was plugged in, which also ends it. A port that cannot be opened is told
    once for each reason, not at each try.
    """

    def __init__(
        self,
        open_port: Callable[[], Port | Awaitable[Port]],
        *,
        watch: Watch = lambda _: contextlib.nullcontext(),
        first_wait_s: float = FIRST_WAIT_S,
        longest_wait_s: float = LONGEST_WAIT_S,
    ) -> None:
        self._open_port = open_port
        self._watch = watch
        self._first_wait_s = first_wait_s
        self._longest_wait_s = longest_wait_s
        self._wait_s = first_wait_s
        self._port: Port | None = None
        self._closed = asyncio.Event()
        self._stirred = asyncio.Event()  # closed, or something was plugged in since the last try
        self._wake: asyncio.Future[None] | None = None
        self._room: asyncio.Future[None] | None = None  # while bytes wait until the port takes more
        self._sending = asyncio.Lock()
        self._why_cut: str | None = None
        self._told: str | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the events and let go of the device at once; to be called in the loop's thread."""
        self._closed.set()
        self._stirred.set()
        self._release()

    async def events(self) -> AsyncIterator[PortEvent]:
        """Yield what happens at the port; ends after ``close``. One reader at a time."""
        try:
            with self._watch(self._plugged):
                while not self._closed.is_set():
                    for event in await self._try_open():
                        yield event
                    while (port := self._port) is not None:
                        if (news := await self._next(port)) is not None:
                            yield news
                    if self._why_cut is not None:
                        reason, self._why_cut = self._why_cut, None
                        yield PortLost(reason)
                    await self._pause()
        finally:
            self._release()

    async def send(self, data: bytes) -> bool:
        """Send bytes to the device; False if it is not open, is only listened to, or takes them no more.

        The last is told by the events, as the one loss of this opening.
        """
        async with self._sending:
            port = self._port
            if port is None or not port.sends:
                return False
            try:
                async with asyncio.timeout(SEND_TIMEOUT_S):
                    return await self._sent(port, data)
            except TimeoutError:
                reason = f"{port.identity} takes no bytes: unplug the shoe and plug it in"
            except PortLostError as error:
                reason = error.reason
            if self._port is port:
                self._end(reason)
            return False

    def cut(self, reason: str) -> None:
        """End this opening as lost, and open again after the longest wait; to be called in the loop's thread."""
        if self._port is not None:
            self._wait_s = self._longest_wait_s
            self._end(reason)

    def _end(self, reason: str) -> None:
        self._why_cut = reason
        self._release()

    async def _sent(self, port: Port, data: bytes) -> bool:
        while data := data[port.write(data) :]:
            await self._takes_more(port)
            if self._port is not port:
                return False
        return True

    async def _takes_more(self, port: Port) -> None:
        loop = asyncio.get_running_loop()
        room = self._room = loop.create_future()
        loop.add_writer(port.fileno(), _resolve, room)
        try:
            await room
        finally:
            if self._port is port:
                loop.remove_writer(port.fileno())

    def _plugged(self) -> None:
        self._wait_s = self._first_wait_s
        self._stirred.set()

    async def _try_open(self) -> list[PortEvent]:
        self._stirred.clear()
        try:
            opening = self._open_port()
            port = await opening if inspect.isawaitable(opening) else opening
        except PortLostError as error:
            new = error.reason != self._told
            self._told = error.reason
            return [PortLost(error.reason)] if new else []
        if self._closed.is_set():
            port.close()
            return []
        self._port, self._told = port, None
        return [PortOpened(port.identity)]

    async def _next(self, port: Port) -> PortEvent | None:
        """Return the next bytes or the loss; None when closed or woken for nothing."""
        await self._readable(port)
        if self._port is not port:
            return None
        try:
            data = port.read()
        except PortLostError as error:
            self._release()
            return PortLost(error.reason)
        self._wait_s = self._first_wait_s
        return PortBytes(data) if data else None

    async def _readable(self, port: Port) -> None:
        loop = asyncio.get_running_loop()
        wake = self._wake = loop.create_future()
        loop.add_reader(port.fileno(), _resolve, wake)
        try:
            await wake
        finally:
            if self._port is port:  # else it is closed, and its number may be another file's by now
                loop.remove_reader(port.fileno())

    async def _pause(self) -> None:
        if self._closed.is_set():
            return
        wait_s, self._wait_s = self._wait_s, min(2 * self._wait_s, self._longest_wait_s)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stirred.wait(), wait_s)

    def _release(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            loop = asyncio.get_running_loop()
            loop.remove_reader(port.fileno())
            loop.remove_writer(port.fileno())
            port.close()
        for waiting in (self._wake, self._room):
            if waiting is not None:
                _resolve(waiting)


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def serial_link(path: str, baud: int) -> Link:
    """Return a link to the serial device at ``path``, opened when its events are asked for."""
    return Link(lambda: SerialPort(path, baud), watch=partial(watching, "tty"))
