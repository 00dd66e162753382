"""systemd's watchdog, fed by the tables themselves: a daemon that hangs is ended and started again (faults.md B 31)."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from typing import Any, Protocol

FED_PER_LIMIT = 3  # as often within systemd's limit, so that one late turn is no hang
Say = Callable[[str], None]


class Turning(Protocol):
    """What a table must tell: why nothing can be recorded, if so, and when it has taken all that waits."""

    cannot_record: str | None

    def turned(self) -> Coroutine[Any, Any, None]:
        """Return once everything that waits now was taken."""


def notifier(environment: Mapping[str, str]) -> Say:
    """Return what tells systemd how the service fares; it is silent where no systemd listens."""
    address = environment.get("NOTIFY_SOCKET", "")

    def say(what: str) -> None:
        # systemd that does not listen any more learns no less from silence
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.connect("\0" + address[1:] if address[0] == "@" else address)
            line.sendall(what.encode())

    return say if address else lambda _: None


def limit_s(environment: Mapping[str, str]) -> float | None:
    """Return after how many silent seconds systemd ends the service; None where it does not."""
    microseconds = int(environment.get("WATCHDOG_USEC", "0"))
    return microseconds / 1e6 if microseconds else None


@contextlib.contextmanager
def watched(tables: Sequence[Turning], environment: Mapping[str, str] = os.environ) -> Iterator[None]:
    """Tell systemd that the daemon is ready, that it works as long as this lasts, and that it stops."""
    say, limit = notifier(environment), limit_s(environment)
    feeding = asyncio.create_task(feed(say, tables, limit), name="watchdog") if limit else None
    say("READY=1")
    try:
        yield
    finally:
        say("STOPPING=1")
        if feeding is not None:
            feeding.cancel()


async def feed(say: Say, tables: Sequence[Turning], limit_s: float) -> None:
    """Tell systemd that the daemon works as long as every table does its work; runs until cancelled.

    A table that cannot record hangs no more than its disk: it says so on the pages, and a restart would mend nothing.
    """
    pause_s = limit_s / FED_PER_LIMIT
    while True:
        if all(await asyncio.gather(*(works(table, pause_s) for table in tables))):
            say("WATCHDOG=1")
        await asyncio.sleep(pause_s)


async def works(table: Turning, wait_s: float) -> bool:
    """Whether a table takes what waits for it, or knows why it cannot."""
    try:
        await asyncio.wait_for(table.turned(), wait_s)
    except TimeoutError:
        return table.cannot_record is not None
    return True
