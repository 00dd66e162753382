"""What waits in a table's queue: what its port, its people and its timers say."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from time import monotonic_ns, time_ns

from controller.core.facts import FactName
from controller.core.inputs import Command, Moment, Timer
from drivers.ports.events import PortLost, PortOpened


@dataclass(slots=True)
class Asked:
    """A person's command and who waits for its answer."""

    command: Command
    by: str
    answer: asyncio.Future[FactName | str]  # a string is why it was rejected


@dataclass(frozen=True, slots=True)
class Silent:
    """The port said nothing for so long that no copy of a frame is coming."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passed, for a shoe whose protocol goes by it; None as long as it is the timer of the next one."""

    at: Moment | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """It is time to look at the machine's own disk and clock."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """Bytes of one read, and when they came."""

    data: bytes
    at: Moment


@dataclass(frozen=True, slots=True)
class Turn:
    """Who waits until everything before it was taken."""

    answer: asyncio.Future[None]


Item = PortOpened | PortLost | Arrived | Asked | Silent | Tick | Look | Timer | Turn
Alarm = Timer | Silent | Tick | Look


def now() -> Moment:
    """Return the time as inputs carry it."""
    return Moment(time_ns(), monotonic_ns())
