"""Named byte faults, struck by a seeded chance or at a given step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from random import Random


class FaultKind(StrEnum):
    """What can happen to the bytes of a step on their way."""

    BIT_FLIP = "bit-flip"  # one bit of one copy
    LOST_COPY = "lost-copy"  # one of the copies is missing
    LOST_FRAME = "lost-frame"  # all copies are missing, the number is used up
    NOISE = "noise"  # a few foreign bytes before the frame
    SILENCE = "silence"  # a long pause before the frame
    POWER_UP = "power-up"  # the shoe starts anew before the frame, its numbers too
    UNPLUG = "unplug"  # the terminal goes and comes back; the frame is lost
    LOST_BYTE = "lost-byte"  # one byte of one copy is missing
    DOUBLED = "doubled"  # all that is sent for the step comes twice


@dataclass(frozen=True, slots=True)
class ByteFault:
    """A fault that strikes with ``chance`` (0..1) at every step, and surely at ``step`` (counted from 1)."""

    kind: FaultKind
    chance: float = 0.0
    step: int | None = None

    @staticmethod
    def parse(text: str) -> ByteFault:
        """Read `KIND:CHANCE` or `KIND@STEP`; raises ValueError with what was expected.

        >>> ByteFault.parse("noise@12").step, ByteFault.parse("bit-flip:0.01").chance
        (12, 0.01)
        """
        name, colon, chance = text.partition(":")
        name, at, step = name.partition("@")
        try:
            fault = ByteFault(FaultKind(name), float(chance) if colon else 0.0, int(step) if at else None)
        except ValueError as error:
            raise ValueError(f"expected {_EXPECTED}, got {text!r}") from error
        if not (colon or at) or not 0 <= fault.chance <= 1 or (at and int(step) < 1):
            raise ValueError(f"expected {_EXPECTED}, got {text!r}")
        return fault


_EXPECTED = f"one of {', '.join(FaultKind)}, then :CHANCE from 0 to 1 or @STEP from 1"


def strikes(faults: Iterable[ByteFault], step: int, chance: Random) -> set[FaultKind]:
    """Return what strikes at ``step``; draws once for each fault, so that one fault does not shift another."""
    drawn = [(fault, chance.random()) for fault in faults]
    return {fault.kind for fault, draw in drawn if fault.step == step or draw < fault.chance}


def lose_a_byte(frame: bytes, chance: Random) -> bytes:
    """Return the frame without one of its bytes."""
    at = chance.randrange(len(frame))
    return frame[:at] + frame[at + 1 :]


def flip_a_bit(frame: bytes, chance: Random) -> bytes:
    """Return the frame with one bit changed."""
    bit = chance.randrange(len(frame) * 8)
    flipped = bytearray(frame)
    flipped[bit // 8] ^= 1 << bit % 8
    return bytes(flipped)
