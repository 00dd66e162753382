"""Movements of money: every one is an entry, and what is posted never changes the sum of all accounts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

PUNTERS = 0  # the punters together, where single stakes are not kept
BANKER = -1  # the banker of a bank that stays; he has no seat among the places
BANK = "bank"  # the sum the banker shows
STAKES = "stakes"  # what lies on the table
RAKE = "rake"  # the house's part of the banker's wins
HOUSE = "house"  # pays and takes where there is no banker


class Why(Enum):
    """Why money moved."""

    SHOWN = "bank-shown"
    RETIRED = "bank-returned"
    MADE_GOOD = "bank-made-good"  # an unlimited bank was short, the banker paid from his own
    STAKED = "staked"
    WITHDRAWN = "stake-withdrawn"
    CUT_BACK = "stake-cut-back"
    RETURNED = "stake-returned"
    LOST = "stake-lost"
    WON = "stake-won"
    RAKED = "rake"
    PAID = "bet-paid"
    TAKEN = "bet-taken"
    CORRECTED = "coup-corrected"  # a later word on a coup that was settled


@dataclass(frozen=True, slots=True)
class Entry:
    """``amount`` minor units, more than none, from one account to another."""

    source: str
    target: str
    amount: int
    why: Why


@dataclass(frozen=True, slots=True)
class Account:
    """What has come to an account less what has gone from it: a player's is what he has won since he sat down."""

    name: str
    amount: int


Entries = tuple[Entry, ...]
Accounts = tuple[Account, ...]


def account(who: int) -> str:
    """Return the account of a place, of somebody who stands, of the punters together or of the banker.

    >>> account(3), account(PUNTERS)
    ('place:3', 'punters')
    """
    return {PUNTERS: "punters", BANKER: "banker"}.get(who, f"place:{who}")


def moved(source: str, target: str, amount: int, why: Why) -> Entries:
    """Return the movement, or none where there is nothing to move."""
    return (Entry(source, target, amount, why),) if amount else ()


def balance(accounts: Accounts, name: str) -> int:
    """Return what an account holds, 0 where nothing ever moved."""
    return next((one.amount for one in accounts if one.name == name), 0)


def posted(accounts: Accounts, entries: Entries) -> Accounts:
    """Return the accounts after these movements, by name."""
    sums = {one.name: one.amount for one in accounts}
    for entry in entries:
        assert entry.amount > 0, entry
        sums[entry.source] = sums.get(entry.source, 0) - entry.amount
        sums[entry.target] = sums.get(entry.target, 0) + entry.amount
    return tuple(Account(name, sums[name]) for name in sorted(sums))
