"""How long a dealer takes: seconds before each signal at true pace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import TypeVar

from controller.core.signals import (
    BurnCardDrawn,
    CardCarried,
    CardDrawn,
    CardShown,
    CutCardOut,
    ErrorCleared,
    ErrorRaised,
    OffGameCardDrawn,
    OffGameCardShown,
    PoweredUp,
    ResultCalled,
    Signal,
    StoodBy,
)
from controller.simulate.script import KeyStep
from drivers.emulators.script import Step

Timed = TypeVar("Timed", Step, Step | KeyStep)
Span = tuple[float, float]

AT_ONCE = 0.0
TRUE_PACE = 1.0
BETTING_S: Span = (6.0, 10.0)  # from the last hand to the first card of the next
OTHERWISE_S: Span = (0.5, 1.0)
WAITS_S: dict[type, Span] = {
    PoweredUp: (2.0, 4.0),
    BurnCardDrawn: (0.8, 1.5),
    CardDrawn: (1.5, 3.0),
    CardCarried: (0.5, 1.0),
    CardShown: (0.1, 0.3),
    OffGameCardDrawn: (0.5, 1.5),
    OffGameCardShown: (1.0, 2.0),
    ErrorRaised: (0.3, 0.8),
    ErrorCleared: (2.0, 4.0),
    CutCardOut: (1.0, 2.0),
    ResultCalled: (1.5, 3.0),
    StoodBy: (1.0, 2.0),
}
BETWEEN_HANDS = (StoodBy, ResultCalled, BurnCardDrawn, PoweredUp)
OPENS = (CardDrawn, CardCarried)


def rescaled(steps: Iterable[Timed], pace: float) -> Iterator[Timed]:
    """Stretch or shorten every wait by a factor."""
    return (replace(step, wait_s=round(step.wait_s * pace, 3)) for step in steps)


def paced(signals: Iterable[Signal], pace: float, chance: Random) -> Iterator[Step]:
    """Put a wait before each signal: ``pace`` 1 is a real table, 0.1 ten times as fast, 0 no waits at all."""
    before: Signal | None = None
    for signal in signals:
        opens = isinstance(signal, OPENS) and isinstance(before, BETWEEN_HANDS)
        span = BETTING_S if opens else WAITS_S.get(type(signal), OTHERWISE_S)
        yield Step(signal, round(pace * chance.uniform(*span), 3))
        before = signal
