"""Listening at a port for a while: how far up what comes from it can be understood."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic, monotonic_ns

from controller.core.signals import (
    BurnCardDrawn,
    CardCarried,
    CardDrawn,
    CardShown,
    LinkLost,
    LinkOpened,
    LinkProved,
    LinkResumed,
    OffGameCardDrawn,
    OffGameCardShown,
)
from drivers.heard import Heard, Session
from drivers.live import Live
from drivers.ports import Link, PortBytes, PortEvent, PortLost, PortOpened, link_to
from drivers.shoes import DRIVERS, Chosen

CARDS = (BurnCardDrawn, CardCarried, CardDrawn, CardShown, OffGameCardDrawn, OffGameCardShown)
LINK = (LinkOpened, LinkResumed, LinkProved, LinkLost)
COPIES_WAIT_S = 0.25  # after this silence no further copy of a frame is coming
KINDS_KEPT = 500  # of what was heard, oldest first


@dataclass(frozen=True, slots=True)
class Patient:
    """What to listen to: a port as a configuration writes it, the driver's name, the speed, what the house chose."""

    port: str
    driver: str
    baud: int
    chosen: Chosen = field(default_factory=Chosen)


@dataclass(slots=True)
class Found:
    """What came of listening. ``loss`` is the last reason for a port that was not open or did not stay so."""

    patient: Patient
    session: Live
    others: dict[str, Session]
    opened: bool = False
    loss: str = ""
    reads: int = 0
    size: int = 0
    cards: int = 0
    unread: int = 0
    seconds: float = 0.0
    kinds: list[str] = field(default_factory=list)

    @property
    def spoken(self) -> tuple[str, ...]:
        """The names of other drivers that found frames in the same bytes."""
        return tuple(name for name, session in self.others.items() if session.counts.frames)


def fresh(patient: Patient) -> Found:
    """Return a finding before anything was heard."""
    others = {name: driver.session(Chosen()) for name, driver in DRIVERS.items() if name != patient.driver}
    return Found(patient, DRIVERS[patient.driver].live(patient.chosen)(()), others)


async def climb(patient: Patient, seconds: float) -> Found:
    """Listen until a card is heard, the port cannot be opened or the time is up.

    Nothing is sent but what a protocol needs that asks the shoe who it is.
    """
    found, began = fresh(patient), monotonic()
    link = link_to(patient.port, patient.baud)
    news: asyncio.Queue[PortEvent] = asyncio.Queue()

    async def listen() -> None:
        async for event in link.events():
            await news.put(event)

    listening = asyncio.create_task(listen())
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await _hear(found, news, link)
    finally:
        link.close()
        listening.cancel()
        await asyncio.wait({listening})
    _flush(found)
    found.seconds = monotonic() - began
    return found


async def _hear(found: Found, news: asyncio.Queue[PortEvent], link: Link) -> None:
    while not found.cards:
        if data := found.session.outgoing():
            await link.send(data)
        try:
            event = await asyncio.wait_for(news.get(), found.session.tick_s or COPIES_WAIT_S)
        except TimeoutError:
            _flush(found)
            _take(found, found.session.tick(monotonic_ns()))
            continue
        match event:
            case PortOpened(identity):
                found.opened = True
                _take(found, found.session.opened(identity, monotonic_ns()))
            case PortLost(reason):
                found.loss = reason
                if not found.size:
                    return
            case PortBytes(data):
                found.reads += 1
                found.size += len(data)
                for other in found.others.values():
                    other.feed(data)
                _take(found, found.session.feed(data, monotonic_ns()))


def _flush(found: Found) -> None:
    for other in found.others.values():
        other.flush()
    _take(found, found.session.flush())


def _take(found: Found, heard: Sequence[Heard]) -> None:
    for signal in (one.signal for one in heard if not isinstance(one.signal, LINK)):
        if len(found.kinds) < KINDS_KEPT:
            found.kinds.append(type(signal).__name__)
        unread = isinstance(signal, CardDrawn) and signal.unread
        found.unread += unread
        found.cards += isinstance(signal, CARDS) and not unread
