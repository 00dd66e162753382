"""The maintenance window: while a person keeps it open, settings of the shoe may change (faults.md A 22)."""

from __future__ import annotations

from controller.core.facts import FactName
from controller.core.inputs import BeginMaintenance, Command, EndMaintenance
from controller.core.profile import Maintenance
from controller.core.rulings import Effect, rules
from controller.core.table import Table


@rules(BeginMaintenance)
def ruling_begin(table: Table, act: BeginMaintenance, asked: Command) -> Effect | str:
    """Open the window between two hands."""
    if table.house.maintenance is not Maintenance.WINDOW or table.maintained:
        return "nothing-to-do"
    if table.hand is not None:
        return "hand-open"
    return lambda: _keep(table, table.item.by)


@rules(EndMaintenance)
def ruling_end(table: Table, act: EndMaintenance, asked: Command) -> Effect | str:
    """Close it."""
    return (lambda: _keep(table, "")) if table.maintained else "nothing-to-do"


def _keep(table: Table, opener: str) -> None:
    table.maintained = opener
    table.tell(FactName.MAINTENANCE_CHANGED, None, open=bool(opener), by=table.item.by)


def end_with_a_hand(table: Table) -> None:
    """A hand opens: nobody maintains the shoe any more."""
    if table.maintained:
        _keep(table, "")


def offered(table: Table) -> tuple[str, ...]:
    """Return the act of the window that would be taken now."""
    if table.house.maintenance is not Maintenance.WINDOW:
        return ()
    return ("end_maintenance",) if table.maintained else ("begin_maintenance",)
