"""Pieces for tests at real pseudo-terminals."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from drivers.ports import Link, PortBytes, PortEvent

DEADLINE_S = 10.0

PLAIN_HOLDER = (
    "import os, sys; os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY); print('open', flush=True); sys.stdin.read()"
)
LOCKING_HOLDER = (
    "import sys, serial; port = serial.Serial(sys.argv[1], exclusive=True); print('open', flush=True); sys.stdin.read()"
)


@contextmanager
def held_by(program: str, path: Path) -> Iterator[int]:
    """Let another process hold the device; gives its number."""
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"open\n"
            yield process.pid
        finally:
            process.kill()


class Reader:
    """Collects the events of a link in the background, and lets a test wait for what it expects."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.events: list[PortEvent] = []
        self._news = asyncio.Event()
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for event in self.link.events():
            self.events.append(event)
            self._news.set()

    async def until(self, condition: Callable[[list[PortEvent]], object]) -> list[PortEvent]:
        """Wait until the events so far meet the condition."""
        async with asyncio.timeout(DEADLINE_S):
            while not condition(self.events):
                self._news.clear()
                await self._news.wait()
        return self.events

    async def close(self) -> None:
        """Close the link and wait for its end."""
        self.link.close()
        async with asyncio.timeout(DEADLINE_S):
            await self._task

    def cancel(self) -> asyncio.Task[None]:
        """Cancel the reading task and return it."""
        self._task.cancel()
        return self._task

    @property
    def data(self) -> bytes:
        """All bytes so far."""
        return b"".join(event.data for event in self.events if isinstance(event, PortBytes))


def kinds(events: list[PortEvent]) -> list[str]:
    """Return the names of the events, bytes left out."""
    return [type(event).__name__ for event in events if not isinstance(event, PortBytes)]
