"""Facts as they happen, for many programs at once: each audience has a channel with numbers of its own.

Numbers are not shared: a gap in the public ones would tell that surveillance has just learnt something.
A reader holds no queue, only the number that it has come to; what it has not taken leaves the ring for all alike.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from controller.core.facts import Audience, Fact, FactName
from controller.core.incidents import KINDS
from controller.core.views import PublicView
from controller.core.words import fact_dict
from controller.recall.clock import TIMED

RING_FACTS = 2_048  # a table and an audience: two to three hours of play
BOARD_CHANGES = frozenset(
    {
        FactName.HAND_COMPLETED,
        FactName.HAND_VOIDED,
        FactName.HAND_ABANDONED,
        FactName.HAND_CORRECTED,
        FactName.SHOE_OPENED,
        FactName.SHOE_PROPOSED,
        FactName.SHOE_CLOSED,
    }
)
NAMES_PEOPLE = frozenset({"by"})  # staff numbers are for the pit


@dataclass(slots=True)
class Kept:
    """A fact in a ring: its number, when it was told (loop seconds), and its event's data once that was asked for."""

    number: int
    at: float
    table: str
    fact: Fact
    _data: str = ""

    def data(self, audience: Audience) -> str:
        """Return the data of the event, for the one audience that the ring is for."""
        self._data = self._data or json.dumps({"table": self.table} | told(self.fact, audience))
        return self._data


def told(fact: Fact, audience: Audience) -> dict[str, Any]:
    """Return a fact as `replay --json` has it, without what this audience may not know."""
    data = fact_dict(fact)
    if audience is Audience.SURVEILLANCE:
        return data
    if fact.name not in TIMED:
        data["at"] = None
    if "irregularities" in data:
        known = (found for found in data["irregularities"] if _open(found["kind"]))
        data["irregularities"] = list(known)
    if audience is Audience.PUBLIC:
        return {key: value for key, value in data.items() if key not in NAMES_PEOPLE}
    return data


def _open(kind: str) -> bool:
    """Whether an irregularity may be told: the incident of some kinds is for surveillance alone."""
    return kind not in KINDS or KINDS[kind].audience is not Audience.SURVEILLANCE


class Wakes(Protocol):
    """A reader that waits for facts."""

    @property
    def channel(self) -> Channel: ...

    @property
    def tables(self) -> tuple[str, ...]: ...

    def wake(self) -> None: ...


@dataclass(eq=False)
class Channel:
    """What one audience is told. ``changed`` counts what happened at each table, for this audience or not."""

    audience: Audience
    boot: str
    number: int = 0
    rings: dict[str, deque[Kept]] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)  # the number of the last fact that left a table's ring
    changed: dict[str, int] = field(default_factory=dict)
    readers: dict[Wakes, frozenset[str]] = field(default_factory=dict)

    def take(self, table: str, facts: Iterable[Fact], now: float) -> None:
        """Keep the facts that are for this audience and wake who listens."""
        self.changed[table] = self.changed.get(table, 0) + 1
        ring, before = self.rings.setdefault(table, deque()), self.number
        for fact in facts:
            if fact.audience.value <= self.audience.value:
                self.number += 1
                ring.append(Kept(self.number, now, table, fact))
        if self.number == before:
            return
        while len(ring) > RING_FACTS:
            self.lost[table] = ring.popleft().number
        for reader, tables in self.readers.items():
            if table in tables:
                reader.wake()

    def since(self, table: str, number: int, ripe: float) -> list[Kept]:
        """Return a table's facts after a number that were told no later than ``ripe``, in order."""
        found: list[Kept] = []
        for kept in reversed(self.rings.get(table, ())):
            if kept.number <= number:
                break
            if kept.at <= ripe:
                found.append(kept)
        return found[::-1]

    def next_at(self, tables: Iterable[str], number: int) -> float | None:
        """Return when the next fact after a number was told; None where there is none."""
        waiting = (kept.at for table in tables for kept in self.rings.get(table, ()) if kept.number > number)
        return min(waiting, default=None)

    def ident(self, number: int) -> str:
        """Return the id of an event.

        >>> Channel(Audience.PIT, "0ab1").ident(7)
        '0ab1.pit.7'
        """
        return f"{self.boot}.{self.audience.name.lower()}.{number}"

    def number_of(self, ident: str) -> int | None:
        """Return the number of an id of this channel; None for anything else."""
        head, _, tail = ident.rpartition(".")
        if f"{head}." != self.ident(0)[:-1] or not (tail.isascii() and tail.isdigit() and len(tail) < 16):
            return None
        return int(tail) if int(tail) <= self.number else None


@dataclass(frozen=True, slots=True)
class Past:
    """The board as it was at a time (loop seconds), with the number of the last public fact that it contains."""

    at: float
    number: int
    view: PublicView


class Views(Protocol):
    """Where the views come from."""

    def public(self, table: str) -> PublicView: ...


class Feed:
    """All channels. `take` is called after each judged input, in the loop's own thread."""

    def __init__(self, longest_delay_s: float = 0.0) -> None:
        boot = secrets.token_hex(4)
        self.channels = {audience: Channel(audience, boot) for audience in Audience}
        self.closed = False
        self._longest_delay_s = longest_delay_s
        self._pasts: dict[str, deque[Past]] = {}
        self._views: Views | None = None

    def begin(self, views: Views) -> None:
        """Say where the views come from."""
        self._views = views

    @property
    def readers(self) -> int:
        """How many streams are open."""
        return sum(len(channel.readers) for channel in self.channels.values())

    def take(self, table: str, facts: tuple[Fact, ...]) -> None:
        """Take the facts of one input."""
        now = asyncio.get_running_loop().time()
        for channel in self.channels.values():
            channel.take(table, facts, now)
        if self._longest_delay_s and self._views is not None:
            self._remember(table, facts, now, self._views)

    def _remember(self, table: str, facts: tuple[Fact, ...], now: float, views: Views) -> None:
        pasts = self._pasts.setdefault(table, deque())
        if not pasts or any(fact.name in BOARD_CHANGES for fact in facts):
            pasts.append(Past(now, self.channels[Audience.PUBLIC].number, views.public(table)))
        while len(pasts) > 1 and pasts[1].at <= now - self._longest_delay_s:
            pasts.popleft()  # nobody needs a board that was followed by another so long ago

    def past(self, table: str, ripe: float) -> Past | None:
        """Return the latest board that was there at a time; None where nothing so old is known."""
        found = (past for past in reversed(self._pasts.get(table, ())) if past.at <= ripe)
        return next(found, None)

    def join(self, reader: Wakes) -> None:
        """Wake a reader whenever one of its tables changes."""
        reader.channel.readers[reader] = frozenset(reader.tables)

    def leave(self, reader: Wakes) -> None:
        """Forget a reader."""
        reader.channel.readers.pop(reader, None)

    def close(self) -> None:
        """End all streams, and those that would still be opened."""
        self.closed = True
        for channel in self.channels.values():
            for reader in channel.readers:
                reader.wake()
