"""A pseudo-terminal at a stable path that can be unplugged and plugged in again."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import select
import termios
import time
import tty
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

POLL_S = 0.002  # a terminal that nobody reads is always "ready", so readiness cannot be waited for
FLUSH_GRACE_S = 0.1  # a serial reader throws away old input right after it opens
DRAIN_BYTES = 4096
PACKET_MODE_ON = (1).to_bytes(4, "little")


class Pty:
    """The shoe's end of a pseudo-terminal; the reader's end stands at ``path`` while it is plugged in.

    What the reader writes is read and thrown away. The path is a symbolic link, as udev would make it.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._master: int | None = None

    def __enter__(self) -> Self:
        self.plug()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.unplug()

    @property
    def plugged(self) -> bool:
        """Whether the terminal is there."""
        return self._master is not None

    def plug(self) -> None:
        """Make the terminal appear; does nothing if it is there."""
        if self._master is not None:
            return
        self._master, far = os.openpty()
        tty.setraw(far)
        device = os.ttyname(far)
        os.close(far)  # so that a hang-up tells whether somebody reads
        os.set_blocking(self._master, False)
        fcntl.ioctl(self._master, termios.TIOCPKT, PACKET_MODE_ON)
        self._link(device)

    def unplug(self) -> None:
        """Make the terminal disappear: the reader gets a hang-up; does nothing if it is gone."""
        if self._master is None:
            return
        self.path.unlink(missing_ok=True)
        os.close(self._master)
        self._master = None

    def has_reader(self) -> bool:
        """Tell whether somebody has the reader's end open."""
        if self._master is None:
            return False
        poll = select.poll()
        poll.register(self._master, 0)
        return not poll.poll(0)

    async def wait_for_reader(self, timeout_s: float) -> bool:
        """Wait until somebody has opened the reader's end and thrown away old input; False after ``timeout_s``."""
        if not await _until(self.has_reader, timeout_s):
            return False
        await _until(self._drain, FLUSH_GRACE_S)
        return True

    async def write(self, data: bytes) -> None:
        """Send bytes, waiting while the terminal is full; lost without a word while it is unplugged."""
        rest = memoryview(data)
        while rest and self._master is not None:
            self._drain()
            with contextlib.suppress(BlockingIOError):
                rest = rest[os.write(self._master, rest) :]
            if rest:
                await asyncio.sleep(POLL_S)

    def _drain(self) -> bool:
        """Throw away what the reader wrote; tell whether the reader flushed its input meanwhile."""
        flushed = False
        with contextlib.suppress(OSError):  # nothing there, or nobody at the other end
            while self._master is not None and (packet := os.read(self._master, DRAIN_BYTES)):
                flushed |= bool(packet[0] & termios.TIOCPKT_FLUSHREAD)
        return flushed

    def _link(self, device: str) -> None:
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        beside.unlink(missing_ok=True)
        beside.symlink_to(device)
        beside.replace(self.path)


async def _until(condition: Callable[[], bool], timeout_s: float) -> bool:
    """Ask again and again: the kernel has no event for what is waited for here."""
    deadline = time.monotonic() + timeout_s
    while not (met := condition()) and time.monotonic() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(POLL_S)
    return met
