"""Live push: the hub renders each page once a change and sends the same bytes to all who look at it."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from time import monotonic_ns
from typing import Protocol, TypeVar

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

BEAT_S = 0.5  # the page says NOT LIVE by itself after three beats that did not come
STALLED_S = 5.0  # trust.md T12: a client that takes nothing for so long is dropped
RETRY_MS = 500  # how long a browser waits before it comes back by itself
SEND_BUFFER_BYTES = 65_536  # in the kernel; its own choice can grow to megabytes a client
WRITE_LIMIT_BYTES = 32_768  # in the process, above one message
NS_PER_MS = 1_000_000

Parts = Mapping[str, str]
Heard = Callable[[str], int | None]  # of a table: monotonic nanoseconds of its shoe's last byte, None before the first


class Snapshot:
    """The mark in a mailbox that says: send everything, several changes were missed."""


SNAPSHOT = Snapshot()


@dataclass(eq=False)
class Topic:
    """A page as many clients see it: its parts, and the number of its last change.

    ``render`` gives all parts; it is asked only when something changed and somebody looks.
    """

    name: str
    tables: frozenset[str]
    render: Callable[[], Parts]
    boot: str
    build: str
    heard: Heard
    seq: int = 0
    stale: bool = True
    parts: dict[str, str] = field(default_factory=dict)
    readers: set[Reader] = field(default_factory=set)
    _whole: str = ""

    def refresh(self) -> bytes | None:
        """Render what changed and return it as a message, None if nothing did."""
        self.stale = False
        now = self.render()
        changed = {name: html for name, html in now.items() if self.parts.get(name) != html}
        if not changed:
            return None
        self.parts.update(changed)
        self.seq += 1
        self._whole = ""
        return self.message("parts", json.dumps(changed))

    @property
    def whole(self) -> bytes:
        """All parts as a message; they are encoded once a change."""
        if not self._whole:
            self._whole = json.dumps(self.parts)
        return self.message("snapshot", self._whole)

    def message(self, event: str, parts: str = "{}") -> bytes:
        """Return an event with these parts as JSON; every one carries the number of the last change that it contains.

        It also says when each shoe was heard last and what time that clock has now: pages count on from there.
        """
        head = json.dumps({"boot": self.boot, "build": self.build, "seq": self.seq, "heard": self._heard()})
        return f'event: {event}\nid: {self.boot}-{self.seq}\ndata: {head[:-1]}, "parts": {parts}}}\n\n'.encode()

    def _heard(self) -> dict[str, object]:
        stamps = ((table, self.heard(table)) for table in sorted(self.tables))
        at = {table: stamp // NS_PER_MS for table, stamp in stamps if stamp is not None}
        return {"now": monotonic_ns() // NS_PER_MS, "at": at}


@dataclass(eq=False)
class Reader:
    """One open stream. Its mailbox holds one message: when a second comes, both become one snapshot."""

    topic: Topic
    pending: bytes | Snapshot | None = SNAPSHOT
    closed: bool = False
    _woken: asyncio.Event = field(default_factory=asyncio.Event)

    def offer(self, message: bytes) -> None:
        """Take a change; never blocks and never holds more than one."""
        self.pending = message if self.pending is None else SNAPSHOT
        self._woken.set()

    def close(self) -> None:
        """End the stream after what it is sending now."""
        self.closed = True
        self._woken.set()

    async def messages(self) -> AsyncIterator[bytes]:
        """Yield a snapshot, then each change, and a beat whenever nothing else came for BEAT_S."""
        while not self.closed:
            yield self._take()
            try:
                async with asyncio.timeout(BEAT_S):
                    await self._woken.wait()
            except TimeoutError:
                continue
            self._woken.clear()

    def _take(self) -> bytes:
        pending, self.pending = self.pending, None
        match pending:
            case None:
                return self.topic.message("beat")
            case Snapshot():
                return self.topic.whole
            case message:
                return message


class Hub:
    """All topics. `publish` is called after each judged input, from the loop's own thread."""

    def __init__(self, build: str = "") -> None:
        self.boot = secrets.token_hex(4)
        self.build = build
        self.topics: dict[str, Topic] = {}
        self.closed = False
        self.ends: list[Callable[[], None]] = []  # what else ends with it
        self._due: asyncio.Handle | None = None

    def add(self, name: str, tables: frozenset[str], render: Callable[[], Parts], heard: Heard) -> Topic:
        """Make a topic that changes when one of these tables does."""
        topic = self.topics[name] = Topic(name, tables, render, self.boot, self.build, heard)
        return topic

    @property
    def clients(self) -> int:
        """How many streams are open."""
        return sum(len(topic.readers) for topic in self.topics.values())

    def publish(self, table: str) -> None:
        """Say that a table changed. Inputs judged in one turn of the loop are shown together."""
        for topic in self.topics.values():
            topic.stale = topic.stale or table in topic.tables
        if self._due is None and not self.closed:
            self._due = asyncio.get_running_loop().call_soon(self._flush)

    def current(self, name: str) -> Parts:
        """Return a topic's parts as they are now, for the page itself."""
        topic = self.topics[name]
        self._refresh(topic)
        return topic.parts

    def join(self, name: str) -> Reader:
        """Open a stream; it begins with a snapshot."""
        topic = self.topics[name]
        self._refresh(topic)
        reader = Reader(topic)
        if self.closed:
            reader.close()
        topic.readers.add(reader)
        return reader

    def leave(self, reader: Reader) -> None:
        """Forget a stream."""
        reader.topic.readers.discard(reader)

    def close(self) -> None:
        """End all streams, and those that would still be opened."""
        self.closed = True
        for end in self.ends:
            end()
        for topic in self.topics.values():
            for reader in topic.readers:
                reader.close()

    def _flush(self) -> None:
        self._due = None
        for topic in self.topics.values():
            if topic.readers:
                self._refresh(topic)

    def _refresh(self, topic: Topic) -> None:
        if not topic.stale:
            return
        try:
            message = topic.refresh()
        except BaseException:
            # Beats over an old page would call it live: without streams every page says NOT LIVE.
            topic.stale = True
            for reader in topic.readers:
                reader.close()
            raise
        if message is not None:
            for reader in topic.readers:
                reader.offer(message)


class Reads(Protocol):
    """What is sent to one client."""

    def messages(self) -> AsyncIterator[bytes]: ...

    def close(self) -> None: ...


ReaderT = TypeVar("ReaderT", bound=Reads)
LeaverT_contra = TypeVar("LeaverT_contra", bound=Reads, contravariant=True)


class Leaves(Protocol[LeaverT_contra]):
    """Whoever keeps the readers."""

    def leave(self, reader: LeaverT_contra, /) -> None: ...


class EventStream(Response):
    """A stream of server-sent events to one reader.

    Not sse-starlette: it hooks the process's signals, polls for its own shutdown, and lets go of a stalled client by
    a polite close, which waits for the very bytes that the client does not read. Only an abort frees them.
    """

    media_type = "text/event-stream"

    def __init__(self, hub: Leaves[ReaderT], reader: ReaderT) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self.reader: Reads = reader
        self._leave = partial(hub.leave, reader)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the client is gone, stalls, or the hub closes."""
        transport: asyncio.Transport | None = scope.get("state", {}).get("transport")
        bound(transport)
        watch = asyncio.create_task(self._watch(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await self._chunk(send, f"retry: {RETRY_MS}\n\n".encode())
            async for message in self.reader.messages():
                await self._chunk(send, message)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except TimeoutError:
            if transport is not None:
                transport.abort()
                await asyncio.wait({watch}, timeout=BEAT_S)  # until the server has noticed
        finally:
            self._leave()
            watch.cancel()

    async def _chunk(self, send: Send, body: bytes) -> None:
        async with asyncio.timeout(STALLED_S):
            await send({"type": "http.response.body", "body": body, "more_body": True})

    async def _watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.reader.close()


def bound(transport: asyncio.Transport | None) -> None:
    """Limit what one client can make the kernel and the process keep for it."""
    if transport is None:
        return
    transport.set_write_buffer_limits(high=WRITE_LIMIT_BYTES)
    line: socket.socket = transport.get_extra_info("socket")
    line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
