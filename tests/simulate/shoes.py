"""Simulated shoes for the tests."""

from __future__ import annotations

from controller.core.profile import House
from controller.core.signals import Names
from controller.simulate.dealer import Slip
from controller.simulate.dealing import Played, Shoe, Table
from controller.simulate.hand import Mode

SURE = 1.0


def table(*slips: Slip, mode: Mode = Mode.OPEN, rate: float = SURE, sensor: bool = False, **house: int) -> Table:
    names = Names.BY_SENSOR if sensor else Names.BY_ITS_RULE
    return Table(House(**house), mode, names, dict.fromkeys(slips, rate))


def played(table: Table, seed: int = 1) -> list[Played]:
    shoe = Shoe(table, seed)
    shoe.opening()
    return list(shoe.hands())
