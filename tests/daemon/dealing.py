"""What the tests of the daemon deal: scripts of a few short shoes, and the reads that a port would make of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from random import Random

from controller.core.inputs import Moment
from controller.core.signals import Signal
from controller.simulate.dealer import Slip
from controller.simulate.dealing import Shoe, Table
from controller.simulate.hand import Mode
from drivers.emulators import Shoe as Emulator

NS_PER_S = 1_000_000_000
UTC_NS = 1_790_000_000 * NS_PER_S
SLIPS = {Slip.OVERDRAW_WITHDRAWN: 0.1, Slip.OVERDRAW_CARRIED: 0.1, Slip.WRONG_BUTTON: 0.1}


def endless(seed: int, mode: str, hands: int) -> Iterator[Signal]:
    """Yield what shoe after shoe says, each with so many hands."""
    table = Table(mode=Mode(mode), rates=SLIPS)
    for number in count(1):
        shoe = Shoe(table, seed, number)
        yield from shoe.opening()
        for played in shoe.hands(hands):
            yield from played.signals


def script(seed: int, mode: str, *, shoes: int, hands: int) -> list[Signal]:
    """Return what so many shoes say."""
    table = Table(mode=Mode(mode), rates=SLIPS)
    said: list[Signal] = []
    for number in range(1, shoes + 1):
        shoe = Shoe(table, seed, number)
        said += shoe.opening()
        for played in shoe.hands(hands):
            said += played.signals
    return said


@dataclass(frozen=True)
class Read:
    """Bytes of one read, when it came, and how many things the shoe has said in full behind it.

    ``rests`` says that the line falls silent after it, with no frame cut in two.
    """

    data: bytes
    at: Moment
    said: int
    rests: bool


def reads_of(signals: list[Signal], seed: int) -> list[Read]:
    """Cut the bytes of a script into reads: frames of one to three copies, cut anywhere, with and without pauses."""
    chance, shoe, mono = Random(seed), Emulator(), NS_PER_S
    reads: list[Read] = []
    burst = bytearray()
    for number, signal in enumerate(signals, 1):
        burst += b"".join(shoe.says(signal)[: chance.choice((1, 2, 3, 3))])
        if chance.random() < 0.3 and number < len(signals):
            continue  # the next frame follows at once
        for part in parts(bytes(burst), chance):
            mono += 2_000_000
            reads.append(Read(part, Moment(UTC_NS + mono, mono), number, rests=False))
        last = reads.pop()
        reads.append(Read(last.data, last.at, number, rests=True))
        mono += chance.choice((20_000_000, 400_000_000))
        burst.clear()
    return reads


def parts(data: bytes, chance: Random) -> Iterator[bytes]:
    """Cut bytes into one to four parts."""
    cuts = sorted(chance.sample(range(1, len(data)), chance.randint(0, 3)))
    for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
        yield data[start:end]


def first(number: int, signals: Iterator[Signal]) -> list[Signal]:
    """Return the first signals."""
    return list(islice(signals, number))
