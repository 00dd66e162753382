"""The driver of a table as its journal names it, and back: raw bytes are read again as they were read then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.core.signals import Identifies
from drivers.heard import Session
from drivers.shoes import DRIVERS, Chosen

MODES = {Identifies.AT_DRAW: "open", Identifies.AT_REVEAL: "hidden", Identifies.EITHER: "auto"}


@dataclass(frozen=True, slots=True)
class Wire:
    """A driver by its name, and what was chosen for it; hashable, so steps of one wire can be told together."""

    name: str = "angel-eye"
    mode: str = "auto"
    codes: tuple[tuple[str, str], ...] = ()

    def session(self) -> Session:
        """Return a fresh session of this driver."""
        return DRIVERS[self.name].session(Chosen(self.mode, dict(self.codes) or None))


def driver_dict(name: str, chosen: Chosen) -> dict[str, Any]:
    """Return a driver as plain JSON values, for the journal.

    >>> driver_dict("angel-eye", Chosen("hidden"))
    {'name': 'angel-eye', 'mode': 'hidden'}
    """
    return {"name": name, "mode": chosen.mode} | ({"codes": dict(chosen.codes)} if chosen.codes else {})


def wire_of(driver: Mapping[str, Any], otherwise: Wire) -> Wire:
    """Return what ``driver_dict`` wrote; ``otherwise`` for a journal of before drivers were named.

    Raises ValueError for a driver that this version does not have.
    """
    if not driver:
        return otherwise
    name = str(driver.get("name"))
    if name not in DRIVERS:
        raise ValueError(f"this version has no driver {name!r} to read the raw bytes with")
    codes = tuple((str(code), str(card)) for code, card in dict(driver.get("codes", {})).items())
    return Wire(name, str(driver.get("mode", "auto")), codes)
