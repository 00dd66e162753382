"""The shoe of the demonstration: endless, at a table's pace, with a dealer who errs now and then."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from controller.core.profile import House
from controller.core.signals import Signal
from controller.simulate.dealer import DEMO_RATES
from controller.simulate.dealing import Table, shoes
from controller.simulate.hand import Mode
from controller.simulate.pace import TRUE_PACE, paced
from drivers.emulators.script import Step


def demo_steps(seed: int, mode: Mode | str, house: House | None = None, pace: float = TRUE_PACE) -> Iterator[Step]:
    """Yield steps without end: shoe after shoe, each from burn group to cut card and last hand.

    Only slips that the shoe's own procedure settles happen, since nobody attends a demonstration.
    """
    table = Table(house=house or House(), mode=Mode(mode), rates=DEMO_RATES)
    chance = Random(f"{seed}/pace")  # noqa: S311 - nothing is kept secret by it
    return paced(_signals(table, seed), pace, chance)


def _signals(table: Table, seed: int) -> Iterator[Signal]:
    for shoe in shoes(table, seed):
        yield from shoe.opening()
        for played in shoe.hands():
            yield from played.signals
