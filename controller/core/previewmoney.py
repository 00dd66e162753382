"""The money that a command would move, read from what came of it on the copy on which it was tried."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from controller.core.bank import Entry, Holds
from controller.core.bank.ledger import Entries
from controller.core.cards import NOT_SHOWN
from controller.core.facts import Fact, FactName
from controller.core.laid import Laid
from controller.core.rulings import closed, meant
from controller.core.table import Table

UNSETTLED = "bank-unsettled"  # the kind of the incident


class How(Enum):
    """Who moves it, or why it cannot be said."""

    MOVED = "moved"  # the table keeps it so
    OWED = "owed"  # people settle it between themselves (faults.md A 45)
    UNSETTLED = "unsettled"  # stakes go back as told, and a supervisor settles the coup by hand
    HIDDEN = "hidden"  # by faces that players have not seen


@dataclass(frozen=True, slots=True)
class MoneyView:
    """What would go from one account to another, in minor units, each pair of accounts once."""

    how: How
    entries: Entries = ()


def money_view(table: Table, copy: Table, facts: Iterable[Fact], ref: str) -> MoneyView | None:
    """Return the money of what came of a command about this hand on the copy; None where no money is kept."""
    if copy.bank is None:
        return None
    told = tuple(facts)
    entries = summed(tuple(entry for fact in told for entry in _entries(fact)))
    if any(fact.name is FactName.BANK_OWED for fact in told):
        return MoneyView(How.OWED, entries)
    if _by_faces(copy, ref):  # the cards of an open hand are shown as it closes, those of a closed one are not
        hand = meant(table, ref)
        known = hand is not None and all(laid.card for laid in hand.laid if not laid.unread)
        return MoneyView(How.HIDDEN) if known else MoneyView(How.UNSETTLED, entries)
    unsettled = any(dict(fact.data).get("kind") == UNSETTLED for fact in told)
    return MoneyView(How.UNSETTLED if unsettled else How.MOVED, entries)


def _known(laid: Laid) -> bool:
    return laid.unread or laid.card not in (None, NOT_SHOWN)


def summed(entries: Entries) -> Entries:
    """Return the movements with each pair of accounts once, by the reason that came first."""
    sums: dict[tuple[str, str], Entry] = {}
    for one in entries:
        before = sums.get((one.source, one.target))
        sums[one.source, one.target] = replace(before, amount=before.amount + one.amount) if before else one
    return tuple(sums.values())


def _entries(fact: Fact) -> Entries:
    of_money = fact.name in {FactName.BANK_MOVED, FactName.BANK_OWED}
    return tuple(dict(fact.data)["entries"]) if of_money else ()


def _by_faces(copy: Table, ref: str) -> bool:
    """Whether the hand was closed, and faces that the copy does not know say who is paid."""
    record = closed(copy, ref)
    if record is None or record.void or all(map(_known, record.hand.laid)):
        return False
    return record.outcome is None or copy.house.money.holds is Holds.HOUSE
