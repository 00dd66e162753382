"""An Angel Eye shoe that plays a script in its real bytes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from controller.core.signals import BytesDamaged, Damage, LinkLost, LinkOpened, PoweredUp, Signal
from drivers.angel_eye.encoder import DataBit7, encode, next_seq
from drivers.angel_eye.folding import COPIES_SENT
from drivers.emulators.faults import ByteFault, FaultKind, flip_a_bit, lose_a_byte, strikes
from drivers.emulators.pty import Pty
from drivers.emulators.script import Step

NOISE_BYTES = 6  # at most, by chance
SILENCE_S = 10.0
UNPLUGGED_S = 1.0
READER_WAIT_S = 5.0  # how long a plugged-in shoe waits for a reader before it speaks


@dataclass(frozen=True, slots=True)
class Send:
    """Put bytes on the line: a copy of a frame, or noise."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Wait:
    """Stay silent for so many seconds at true pace."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Unplug:
    """Let the terminal disappear."""


@dataclass(frozen=True, slots=True)
class Plug:
    """Let the terminal appear."""


Action = Send | Wait | Unplug | Plug


class Shoe:
    """The sequence number of a shoe, and the copies it sends."""

    def __init__(self, bit7: DataBit7 = DataBit7.SET) -> None:
        self._seq = 0
        self._bit7 = bit7

    def says(self, signal: Signal) -> list[bytes]:
        """Return the copies of the next frame; raises UnsayableError for what this shoe has no frame for."""
        self._seq = 0 if isinstance(signal, PoweredUp) else next_seq(self._seq)
        return [encode(signal, self._seq, self._bit7)] * COPIES_SENT


def actions(
    script: Iterable[Step], faults: Iterable[ByteFault] = (), seed: int = 0, shoe: Shoe | None = None
) -> Iterator[Action]:
    """Yield what the shoe does, the same for the same seed; without a terminal or a clock.

    A ``shoe`` handed in goes on with its number; else it is a new one.
    """
    shoe, faults = shoe or Shoe(), tuple(faults)
    chance = Random(seed)  # noqa: S311 - a seeded fault is to be had again
    for number, step in enumerate(script, start=1):
        if step.wait_s:
            yield Wait(step.wait_s)
        yield from _step(shoe, step.signal, strikes(faults, number, chance), chance)


def _step(shoe: Shoe, signal: Signal, struck: set[FaultKind], chance: Random) -> Iterator[Action]:
    if FaultKind.SILENCE in struck:
        yield Wait(SILENCE_S)
    if FaultKind.POWER_UP in struck:
        yield from map(Send, shoe.says(PoweredUp()))
    if FaultKind.NOISE in struck:
        yield Send(chance.randbytes(chance.randint(1, NOISE_BYTES)))
    match signal:
        case LinkLost():
            yield Unplug()
        case LinkOpened():
            yield Plug()
        case BytesDamaged(Damage.NOISE, size):
            yield Send(chance.randbytes(size))
        case _:
            yield from _frame(shoe.says(signal), struck, chance)


def _frame(copies: list[bytes], struck: set[FaultKind], chance: Random) -> Iterator[Action]:
    if FaultKind.UNPLUG in struck:
        yield from (Unplug(), Wait(UNPLUGGED_S), Plug())
        return
    if FaultKind.LOST_FRAME in struck or not copies:
        return
    if FaultKind.LOST_COPY in struck:
        copies.pop(chance.randrange(len(copies)))
    if FaultKind.BIT_FLIP in struck:
        copy = chance.randrange(len(copies))
        copies[copy] = flip_a_bit(copies[copy], chance)
    if FaultKind.LOST_BYTE in struck:
        copy = chance.randrange(len(copies))
        copies[copy] = lose_a_byte(copies[copy], chance)
    yield from map(Send, copies * (2 if FaultKind.DOUBLED in struck else 1))


async def play(
    script: Iterable[Step],
    pty: Pty,
    *,
    pace: float = 1.0,
    faults: Iterable[ByteFault] = (),
    seed: int = 0,
    shoe: Shoe | None = None,
    reader_wait_s: float = READER_WAIT_S,
) -> None:
    """Play a script on a pseudo-terminal and leave it plugged in or not, as the script ends.

    ``pace`` multiplies every wait: 1 is true pace, 0 is at once. At the start and after each plugging in the shoe
    waits up to ``reader_wait_s`` for a reader; what is said without one is mostly lost, as at a table. Two scripts
    played with the same ``shoe`` have running numbers.
    """
    pty.plug()
    await pty.wait_for_reader(reader_wait_s)
    for action in actions(script, faults, seed, shoe):
        match action:
            case Send(data):
                await pty.write(data)
            case Wait(seconds):
                await asyncio.sleep(seconds * pace)
            case Unplug():
                pty.unplug()
            case Plug():
                pty.plug()
                await pty.wait_for_reader(reader_wait_s)
