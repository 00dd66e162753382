"""A simulation as it was asked for: its steps, its truth, its bytes in a file or on a pseudo-terminal."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal as signals
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from controller.core.signals import Signal
from controller.simulate.dealing import Shoe, Table, shoes
from controller.simulate.pace import TRUE_PACE, paced
from controller.simulate.script import KeyStep, write_line
from drivers.emulators import ByteFault, FaultKind, Pty, Step, actions, play
from drivers.emulators import Shoe as Speaker
from drivers.emulators.angel_eye import Action, Send, Wait
from drivers.ports.rawline import HEADER, NS_PER_S, format_line

LINGER_S = 1.0  # closing a terminal throws away what its reader has not read yet

Tell = Callable[[str], object]
Ear = Callable[[bytes], object]


@dataclass(slots=True)
class Tally:
    """What a truth file ends with."""

    hands: int = 0
    abandoned: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    cards: dict[str, dict[str, int]] = field(default_factory=dict)

    def as_line(self) -> dict[str, Any]:
        """Return the last line of a truth file."""
        counts = {"hands": self.hands, "abandoned": self.abandoned}
        return {"summary": counts | {"labels": dict(sorted(self.labels.items())), "cards": self.cards}}


@dataclass(frozen=True, slots=True)
class Simulation:
    """So many seeded shoes of a table, each with at most so many hands (None: until the shoe ends)."""

    table: Table
    seed: int
    shoes: int = 1
    hands: int | None = None

    def steps(self, tell: Tell | None = None) -> Iterator[Step]:
        """Deal at true pace; ``tell`` gets the truth in JSON lines as the hands are dealt, a summary last."""
        tally = Tally()
        yield from paced(self._signals(tally, tell), TRUE_PACE, Random(f"{self.seed}/pace"))  # noqa: S311 - repeatable
        if tell:
            tell(json.dumps(tally.as_line()))

    def _signals(self, tally: Tally, tell: Tell | None) -> Iterator[Signal]:
        for shoe in islice(shoes(self.table, self.seed), self.shoes):
            yield from shoe.opening()
            yield from self._hands(shoe, tally, tell)
            tally.cards[str(shoe.number)] = shoe.pile.counts()

    def _hands(self, shoe: Shoe, tally: Tally, tell: Tell | None) -> Iterator[Signal]:
        for played in shoe.hands(self.hands):
            truth = played.truth
            tally.hands += truth.hand is not None
            tally.abandoned += truth.hand is None
            tally.labels.update(label.value for label in truth.labels)
            if tell:
                tell(json.dumps(truth.as_line()))
            yield from played.signals


def faults_of(words: Iterable[str]) -> tuple[ByteFault, ...]:
    """Read `name=rate` and `name@N`; raises ValueError with what may be said."""
    return tuple(_fault(word) for word in words)


def _fault(word: str) -> ByteFault:
    try:
        return ByteFault.parse(word.replace("=", ":", 1))
    except ValueError:
        names = ", ".join(FaultKind)
        raise ValueError(f"expected NAME=RATE, or NAME@N for the Nth signal, not {word!r}; names: {names}") from None


@dataclass(frozen=True, slots=True)
class Wire:
    """What lies between the steps and a file: byte faults and their seed, the shoe that says them, who listens.

    ``speaker`` None is an Angel Eye; ``ear`` gets the bytes that leave the shoe, before the next step is taken.
    """

    faults: tuple[ByteFault, ...] = ()
    seed: int = 0
    speaker: Speaker | None = None
    ear: Ear | None = None

    def does(self, steps: Iterable[Step]) -> Iterator[Action]:
        """Yield what the shoe sends, and how long it waits between."""
        for action in actions(steps, self.faults, self.seed, self.speaker):
            if self.ear is not None and isinstance(action, Send):
                self.ear(action.data)
            yield action


def script_lines(steps: Iterable[Step | KeyStep], _wire: Wire) -> Iterator[bytes]:
    """Yield a script, a step a line; the wire is none of its matter."""
    return (f"{write_line(step)}\n".encode() for step in steps)


def hex_lines(steps: Iterable[Step], wire: Wire) -> Iterator[bytes]:
    """Yield a capture in hex: every copy of a frame is a read, every read a line."""
    return (f"{data.hex()}\n".encode() for data in byte_lines(steps, wire))


def byte_lines(steps: Iterable[Step], wire: Wire) -> Iterator[bytes]:
    """Yield the bare bytes of the line."""
    return (action.data for action in wire.does(steps) if isinstance(action, Send))


def raw_lines(steps: Iterable[Step], wire: Wire) -> Iterator[bytes]:
    """Yield a raw file whose clock starts at zero, so that the same seed gives the same file."""
    yield f"{HEADER}\n".encode()
    now_ns = 0
    for action in wire.does(steps):
        match action:
            case Wait(seconds):
                now_ns += round(seconds * NS_PER_S)
            case Send(data):
                yield f"{format_line(data, now_ns, now_ns)}\n".encode()
            case _:
                pass


FORMATS = {"script": script_lines, "hex": hex_lines, "raw": raw_lines, "bytes": byte_lines}


@dataclass(frozen=True, slots=True)
class Performance:
    """Steps for a pseudo-terminal at ``path``: at which pace, with which faults, and whom to tell when it is there."""

    path: Path
    steps: Iterable[Step]
    pace: float = TRUE_PACE
    faults: tuple[ByteFault, ...] = ()
    seed: int = 0
    ready: Callable[[], object] = bool
    speaker: Speaker | None = None

    def run(self) -> None:
        """Play until the steps end, or until SIGINT or SIGTERM; then unplug.

        Raises OSError if there can be no terminal at the path.
        """
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(self._run())

    async def _run(self) -> None:
        playing = asyncio.create_task(self._play())
        for number in (signals.SIGINT, signals.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, playing.cancel)
        await playing

    async def _play(self) -> None:
        with Pty(self.path) as pty:
            self.ready()
            await play(self.steps, pty, pace=self.pace, faults=self.faults, seed=self.seed, shoe=self.speaker)
            if pty.has_reader():
                await asyncio.sleep(LINGER_S)
