"""What an act of the bank means: the coup, its banker and who plays for the punters, as the person saw them."""

from __future__ import annotations

from controller.core.bank import Bank, Holds, speaker
from controller.core.bank.acts import BankAct
from controller.core.bank.correcting import OF_PEOPLE
from controller.core.inputs import Sort
from controller.core.table import Table


def speaks(table: Table, bank: Bank) -> int:
    """Return the place that plays for the punters of a bank that passes, 0 where nobody does."""
    terms = table.house.money
    return speaker(terms, bank) if terms.holds is Holds.PASSES else 0


def coup_of(table: Table) -> str:
    """Return the reference of the hand that stakes are for: closed for it, else the open one, else the next to come."""
    hand = table.hand
    played = hand.ref if hand is not None and hand.sort is Sort.NORMAL else ""
    return table.staked or played or f"{table.shoe.number}-{table.shoe.openings + 1}"


def bank_ref(table: Table, bank: Bank) -> str:
    """Return the reference of the bank as it stands, `SHOE-OPENING:BANKER:SPEAKER` by their places."""
    return f"{coup_of(table)}:{bank.banker}:{speaks(table, bank)}"


def moved_on(table: Table, bank: Bank, act: BankAct, ref: str) -> bool:
    """Whether the act means another coup, or the bank of somebody else; one without a reference means what stands now.

    An act that names whom it concerns, and no money, means the same whoever holds the bank. The open hand may be named
    even where its stakes are not what lies there: then its own rule says what is too late.
    """
    if not ref or type(act) in OF_PEOPLE:
        return False
    coups = (coup_of(table), table.hand.ref if table.hand else "")
    return ref not in (*coups, bank_ref(table, bank))
