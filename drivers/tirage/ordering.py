"""Numbered events in their order, each once; what is missing, what came back different (no I/O)."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from drivers.tirage.messages import FIRST_EVENT_TYPE, FIRST_PRIVATE_TYPE, WINDOW_FRAMES

TAIL_EVENTS = 8  # as many are compared after a reconnection
_MARK = re.compile(
    r"(?P<device>[0-9a-f]{16}) (?P<boots>\d{1,10}) (?P<event>\d{1,10}) (?P<card>\d{1,5})"
    r"(?: (?P<said>(?:[0-9a-f]{2})+))?"
)


class Event(NamedTuple):
    """An event as it came; ``card`` is the card number in the shoe after it."""

    number: int
    type: int
    payload: bytes
    card: int
    ms: int
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Memory:
    """What must outlive a loss of the link, and of the host, to tell the same shoe from another state of it."""

    device: bytes
    boots: int
    event: int
    card: int
    tail: tuple[tuple[int, int, bytes], ...] = ()  # number, type and payload of the last events

    @classmethod
    def of(cls, marks: Iterable[str]) -> Memory | None:
        """Return what marks tell, oldest first; None without one. A mark that is none is left out."""
        memory: Memory | None = None
        for one in marks:
            if (found := _MARK.fullmatch(one)) is not None:
                memory = _after(memory, found)
        return memory

    @property
    def first_wanted(self) -> int:
        """The event to ask from after a reconnection: some that were heard come again, to be compared."""
        return min((number for number, _, _ in self.tail), default=self.event + 1)


def mark(device: bytes, boots: int, event: int, card: int, said: Event | None = None) -> str:
    """Return the note of where a shoe stands, by which a Memory is made again.

    >>> mark(bytes(8), 3, 7, 5, Event(7, 0x82, bytes(2), 5, 0, 0, 0))
    '0000000000000000 3 7 5 820000'
    """
    tail = f" {said.type:02x}{said.payload.hex()}" if said else ""
    return f"{device.hex()} {boots} {event} {card}{tail}"


def _after(before: Memory | None, found: re.Match[str]) -> Memory:
    device, event = bytes.fromhex(found["device"]), int(found["event"])
    tail = before.tail if before is not None and before.device == device else ()
    kept = tuple(entry for entry in tail if entry[0] <= event)
    if found["said"]:
        said = bytes.fromhex(found["said"])
        kept = (*(entry for entry in kept if entry[0] < event), (event, said[0], said[1:]))
    return Memory(device, int(found["boots"]), event, int(found["card"]), kept[-TAIL_EVENTS:])


class Missing(NamedTuple):
    """Events that the shoe cannot give any more."""

    first: int
    last: int

    @property
    def size(self) -> int:
        """How many."""
        return self.last - self.first + 1


class Restarted(NamedTuple):
    """The shoe's own count went back, or events with numbers already heard are others now."""

    stood_at: int
    had_heard: int
    compared: int
    differing: int


class Resumed(NamedTuple):
    """The shoe stands where it was heard last, or has gone on from there."""


Ordered = Event | Missing | Restarted | Resumed


def is_event(type_: int) -> bool:
    """Tell whether a type is numbered."""
    return FIRST_EVENT_TYPE <= type_ < FIRST_PRIVATE_TYPE


class Ordering:
    """Gives events in order, each once, and holds at most a window of those that came too early."""

    def __init__(self, last: int, tail: tuple[tuple[int, int, bytes], ...] = ()) -> None:
        self.last = last
        self.latest = last  # the newest number that the shoe has named
        self.repeated = 0
        self._early: dict[int, Event] = {}
        self._tail = deque(tail, maxlen=TAIL_EVENTS)
        self._again: list[Event] | None = None  # while events already heard are being compared
        self._stood_at = 0

    @property
    def tail(self) -> tuple[tuple[int, int, bytes], ...]:
        """Number, type and payload of the last events."""
        return tuple(self._tail)

    @property
    def missing(self) -> bool:
        """Whether something that the shoe has named has not come."""
        return self.latest > self.last or self._again is not None

    @property
    def full(self) -> bool:
        """Whether no more events can wait for one that is missing."""
        return len(self._early) >= WINDOW_FRAMES

    @property
    def wanted(self) -> int:
        """The number to ask from."""
        return self.last + 1

    def compare(self, stood_at: int) -> None:
        """Expect what was heard before to come again; the shoe says that its last event is ``stood_at``."""
        self._again = []
        self._stood_at = stood_at

    def named(self, number: int) -> bool:
        """Take the number of the shoe's last event; False if it is lower than what was heard, and that is news."""
        self.latest = max(self.latest, number)
        return number >= self.last or self._again is not None

    def hear(self, event: Event) -> list[Ordered]:
        """Take an event and return what is now in order."""
        if self._again is not None:
            return self._hear_again(event, self._again)
        self.latest = max(self.latest, event.number)
        if event.number <= self.last or event.number in self._early:
            self.repeated += 1
            return []
        if len(self._early) < WINDOW_FRAMES or event.number == self.wanted:
            self._early[event.number] = event
        return self._drain()

    def resending(self, first: int, last: int) -> list[Ordered]:
        """The shoe is about to send ``first`` to ``last``: what was asked before is gone."""
        self.latest = max(self.latest, last)
        comparing = self._again is not None and first <= min(self._stood_at, self.last)
        return [] if comparing else self.give_up(first)

    def give_up(self, before: int) -> list[Ordered]:
        """Nobody has the events from the wanted one to the one before ``before``."""
        out: list[Ordered] = self._settle()
        while self.wanted < before:
            end = min([number for number in self._early if number < before], default=before)
            out.append(Missing(self.wanted, end - 1))
            self.last = end - 1
            out += self._drain()
        self.latest = max(self.latest, self.last)
        return out

    def _drain(self) -> list[Ordered]:
        out: list[Ordered] = []
        while (event := self._early.pop(self.wanted, None)) is not None:
            self.last = event.number
            self._tail.append((event.number, event.type, event.payload))
            out.append(event)
        return out

    def _hear_again(self, event: Event, again: list[Event]) -> list[Ordered]:
        expected = event.number <= self.last
        if expected and len(again) < WINDOW_FRAMES:
            again.append(event)
        if event.number < min(self._stood_at, self.last):
            return []
        return self._settle() + ([] if expected else self.hear(event))

    def _settle(self) -> list[Ordered]:
        """Judge what came again: the same events as before, or a shoe that counts anew."""
        if self._again is None:
            return []
        again, self._again = self._again, None
        heard = {number: (type_, payload) for number, type_, payload in self._tail}
        compared = [event for event in again if event.number in heard]
        other = [event for event in compared if heard[event.number] != (event.type, event.payload)]
        self.repeated += len(compared) - len(other)
        if not other and self._stood_at >= self.last:
            return [Resumed()]
        restarted = Restarted(self._stood_at, self.last, len(compared), len(other))
        fresh = [event for event in again if other and event.number >= other[0].number]
        self.last = min([self._stood_at, *(event.number - 1 for event in other)])
        self.latest = self._stood_at
        self._tail = deque((entry for entry in self._tail if entry[0] <= self.last), maxlen=TAIL_EVENTS)
        self._early.clear()
        return [restarted, *(item for event in fresh for item in self.hear(event))]
