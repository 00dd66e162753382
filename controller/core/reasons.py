"""Why a person corrects a past hand, or begins a shoe though no cut card showed (faults.md A 44, 45)."""

from __future__ import annotations

from controller.core.inputs import Accept, Command, Correct, NewShoe, Relay, Void
from controller.core.table import Record, Table

CORRECTION, NEW_SHOE = "correct", "new_shoe"
MOST_CHARS = 200
CORRECTING = Correct | Void | Relay


def reason_of(asked: Command) -> str:
    """Return what the person gave as the reason; empty for an act that has none."""
    return asked.act.reason if isinstance(asked.act, CORRECTING | NewShoe) else ""


def lacks_reason(table: Table, asked: Command, record: Record | None) -> bool:
    """Whether the house asks for a reason that is not there; ``record`` is the closed hand that is meant."""
    needed, act = table.house.reason_needed, asked.act
    if reason_of(asked).strip():
        return False
    if isinstance(act, CORRECTING):
        return CORRECTION in needed and record is not None
    begins = isinstance(act, NewShoe) or (isinstance(act, Accept) and table.previous is not None)
    return begins and NEW_SHOE in needed and untimely(table)


def untimely(table: Table) -> bool:
    """Whether the shoe that a new one follows was dealt from and its cut card never showed (faults.md A 44)."""
    if not table.house.cut_card_by:
        return False  # its shoe tells none
    if table.previous is not None:
        return not table.previous.cut
    return bool(table.shoe.openings) and not table.shoe.cut_seen
