"""The bank's question: which acts the stage knows, their keys, and what each must be told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from controller.core.views import BankView, PublicView
from controller.pit.acts import SANCTIONS, SEATS


@dataclass(frozen=True, slots=True)
class BankKey:
    """An act of the bank by its kind, its key in the question, and the fields that it asks for, in order."""

    kind: str
    key: str
    asks: tuple[str, ...] = ()


BANK_ACTS = (
    BankKey("show_bank", "S", ("amount",)),
    BankKey("set_cover", "C", ("on", "amount")),
    BankKey("set_stake", "K", ("who", "on", "amount")),
    BankKey("call_banco", "B", ("place", "claim")),
    BankKey("withdraw_banco", "W"),
    BankKey("close_stakes", "X"),
    BankKey("pass_bank", "P"),
    BankKey("take_bank", "T", ("place", "amount")),
    BankKey("nobody_takes", "N"),
    BankKey("decline_bank", "D"),
    BankKey("sit", "I", ("place",)),
    BankKey("leave_place", "L", ("place",)),
    BankKey("penalise", "Z", ("place", "penalty", "rule")),
    BankKey("readmit", "R", ("place",)),
)
MOST_AMOUNT = 10**12  # minor units
FIELDS = ("on", "claim", "penalty")  # chosen by a letter; the others are keyed
# The letter that a hand looks for: of seats, of what a player calls, of sanctions as the question of remedies has them.
OWN = (
    SEATS
    | SANCTIONS
    | {
        "banco": "B",
        "suivi": "S",
        "with-table": "H",
        "tie": "T",
        "a-cheval": "A",
        "dragon-7": "D",
        "super-6": "S",
        "either-pair": "E",
    }
)
LETTERS = "ACDEFGHIJKMNOQSTUVWXYZ"


def bank(view: PublicView) -> dict[str, Any]:
    """What the page shows of the bank; nothing where none is kept."""
    return {"bank": view.bank}


def bank_acts(view: PublicView) -> dict[str, Any]:
    """What the question offers now."""
    return {"bank": view.bank, "acts": known(view.bank), "choices": choices(view.bank)}


def known(view: BankView | None) -> list[BankKey]:
    """Return the acts of this stage in the order of the table."""
    return [act for act in BANK_ACTS if view is not None and act.kind in view.acts]


def choices(view: BankView | None) -> dict[str, list[tuple[str, str]]]:
    """Return for each field that is chosen its values with their keys; the usual one first."""
    if view is None:
        return {}
    return dict(zip(FIELDS, map(keyed, (view.spots, view.claims, view.penalties)), strict=True))


def keyed(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return each name with a letter of its own.

    >>> keyed(("right", "left", "a-cheval", "panda-8"))
    [('right', 'R'), ('left', 'L'), ('a-cheval', 'A'), ('panda-8', 'C')]
    """
    named = tuple(names)
    taken = {OWN[name] for name in named if name in OWN}
    free = (letter for letter in LETTERS if letter not in taken)
    return [(name, OWN.get(name) or next(free)) for name in named]
