"""Why a person corrects a past hand, or begins a shoe though no cut card showed (faults.md A 44, 45)."""

from __future__ import annotations

from unicodedata import category

from controller.core.inputs import Accept, Command, Correct, NewShoe, Relay, Void
from controller.core.table import Record, Table

CORRECTION, NEW_SHOE = "correct", "new_shoe"
MOST_CHARS = 200
SEEN = "LNPS"  # letters, numbers, punctuation and symbols; not marks, separators, controls and formats
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # fillers of Hangul and braille's empty cell, letters by name
CORRECTING = Correct | Void | Relay


def reason_of(asked: Command) -> str:
    """Return what the person gave as the reason; empty for an act that has none."""
    return asked.act.reason if isinstance(asked.act, CORRECTING | NewShoe) else ""


def is_readable(text: str) -> bool:
    r"""Whether a text shows anything to who reads it.

    >>> is_readable("7"), is_readable(" \u200b\u3164")
    (True, False)
    """
    return any(category(letter)[0] in SEEN and letter not in BLANK for letter in text)


def lacks_reason(table: Table, asked: Command, record: Record | None) -> bool:
    """Whether the house asks for a reason that is not there; ``record`` is the closed hand that is meant."""
    needed, act = table.house.reason_needed, asked.act
    if is_readable(reason_of(asked)):
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
