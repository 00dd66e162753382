"""One open stream: a snapshot of each table first, then facts, each with the id from which it can be taken up again."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from heapq import merge
from typing import Protocol

from controller.api.feed import Channel, Feed, Kept

BEAT_S = 1.0  # a program knows by it that the stream is alive
BATCH_BYTES = 8_192  # of facts in one message, so that a client that does not read keeps little of the server's memory


class Source(Protocol):
    """Where snapshots come from: the tables as they are, or as they were for a feed with a delay."""

    def whole(self, table: str, ripe: float) -> tuple[int, str] | None:
        """Return the number that a table's state contains and the state as JSON; None while there is none to tell."""
        ...


@dataclass(eq=False)
class FeedReader:
    """A stream over some tables. ``come_to`` is the number of the last fact that it has; None asks for snapshots.

    A fact with a number up to ``solid`` has no id: a snapshot of another table was newer, so nobody could go on there.
    """

    feed: Feed
    channel: Channel
    tables: tuple[str, ...]
    source: Source
    alive: Callable[[], bool] = lambda: True
    delay_s: float = 0.0
    come_to: int | None = None
    closed: bool = False
    solid: int = 0
    _beat_at: float = 0.0
    _seen: dict[str, int] = field(default_factory=dict)
    _woken: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """Look again at what there is."""
        self._woken.set()

    def close(self) -> None:
        """End the stream after what it is sending now."""
        self.closed = True
        self.wake()

    async def messages(self) -> AsyncIterator[bytes]:
        """Yield events until the stream is closed."""
        while not self.closed and not self.feed.closed:
            if not self.alive():
                yield b": the session is over\n\n"
                return
            self._woken.clear()
            if self._behind():
                async for message in self._snapshots():
                    yield self._sent(message)
            if (due := self._due()) is not None:
                yield self._sent(due)
            elif now() >= self._beat_at:
                yield self._sent(self._beat())
            else:
                await self._wait()

    def _sent(self, message: bytes) -> bytes:
        """Put off the next beat. Only what is sent does, else beats would tell of facts that are not for the reader."""
        self._beat_at = now() + BEAT_S
        return message

    def _ripe(self) -> float:
        return now() - self.delay_s

    def _behind(self) -> bool:
        """Whether facts are gone that the reader does not have."""
        come_to = self.come_to
        return come_to is None or any(
            self.channel.lost.get(table, 0) > max(come_to, self._seen.get(table, 0)) for table in self.tables
        )

    async def _snapshots(self) -> AsyncIterator[bytes]:
        """Yield each table as it is when its turn comes; nothing while one of them cannot be told yet."""
        self.come_to = None
        ripe = self._ripe()
        if any(self.source.whole(table, ripe) is None for table in self.tables):
            return
        seen: dict[str, int] = {}
        for place, table in enumerate(self.tables, 1):
            found = self.source.whole(table, self._ripe())
            if found is None:  # it was there a moment ago, and boards only grow older
                return
            number, state = found
            seen[table] = number
            last = place == len(self.tables)
            if last:
                self._seen, self.come_to, self.solid = seen, min(seen.values()), max(seen.values())
            data = f'{{"table":{json.dumps(table)},"place":{place},"of":{len(self.tables)},"state":{state}}}'
            whole = last and self.come_to == self.solid
            yield event("snapshot", data, self._ident(number) if whole else "")

    def _due(self) -> bytes | None:
        """Return the next facts as one message, at most BATCH_BYTES and a fact; None where there are none."""
        if self.come_to is None:
            return None
        ripe, found, size = self._ripe(), [], 0
        for kept in self._waiting(self.come_to, ripe):
            self.come_to = kept.number
            if kept.number <= self._seen.get(kept.table, 0):
                continue
            message = event("fact", kept.data(self.channel.audience), self._ident(kept.number))
            found.append(message)
            size += len(message)
            if size >= BATCH_BYTES:
                return b"".join(found)
        self.come_to = max(self.come_to, self.solid)  # nothing older is left
        return b"".join(found) or None

    def _waiting(self, number: int, ripe: float) -> Iterable[Kept]:
        rings = (self.channel.since(table, number, ripe) for table in self.tables)
        return merge(*rings, key=lambda kept: kept.number)

    def _ident(self, number: int) -> str:
        return self.channel.ident(number) if self.come_to is not None and number >= self.solid else ""

    def _beat(self) -> bytes:
        return event("beat", "{}", self._ident(self.come_to) if self.come_to is not None else "")

    async def _wait(self) -> None:
        """Wait for a fact, for one to become ripe, or for the next beat."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(min(self._beat_at, self._ripe_at())):
                await self._woken.wait()

    def _ripe_at(self) -> float:
        if not self.delay_s or self.come_to is None:
            return self._beat_at
        told = self.channel.next_at(self.tables, self.come_to)
        return self._beat_at if told is None else told + self.delay_s


def now() -> float:
    """Return the loop's time in seconds."""
    return asyncio.get_running_loop().time()


def event(kind: str, data: str, ident: str) -> bytes:
    """Return a server-sent event.

    >>> event("beat", "{}", "0ab1.pit.7").decode().splitlines()
    ['event: beat', 'id: 0ab1.pit.7', 'data: {}', '']
    """
    named = f"id: {ident}\n" if ident else ""
    return f"event: {kind}\n{named}data: {data}\n\n".encode()
