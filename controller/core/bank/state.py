"""The bank of one table as one frozen value that a snapshot can hold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from controller.core.bank.ledger import BANK, PUNTERS, STAKES, Accounts, Entries, Why, account, balance, moved, posted
from controller.core.bank.terms import Banco
from controller.core.cards import Seat
from controller.core.sanctions import Sanction

NOBODY = 0  # no place


class Stage(Enum):
    """What the bank waits for."""

    AWAITING = "awaiting"  # the banker's sum
    OPEN = "open"  # stakes, until the first card
    CLOSED = "closed"  # the result
    REOPENED = "reopened"  # stakes may be amended by a ruling
    PASSING = "passing"  # somebody to take the bank at the sum it stood at


@dataclass(frozen=True, slots=True)
class Stake:
    """What ``who`` has on ``on``: a seat's name, `a-cheval`, or a bet's name. ``riding`` of it abides the next hand."""

    who: int
    on: str
    amount: int
    riding: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """A player who covers the bank, or half of it."""

    kind: Banco
    place: int


@dataclass(frozen=True, slots=True)
class Breach:
    """A penalty written against a player, for the house to act on; ``amount`` is what it names, nothing has moved."""

    place: int
    penalty: Sanction
    rule: str
    amount: int
    coup: int


@dataclass(frozen=True, slots=True)
class Holder:
    """The place that holds the cards for a side; NOBODY where none may."""

    side: Seat
    place: int


@dataclass(frozen=True, slots=True)
class Bank:
    """The bank of a table.

    ``order`` are the occupied places: in rotation with the banker first where the bank passes, else by number.
    ``coup`` counts settled coups, ``suivi`` is the place that may go bank again, ``passed_at`` the sum at which a
    passed bank stood, ``amended`` says that a stake changed after it was reopened (IR-08 asks).
    """

    stage: Stage
    order: tuple[int, ...]
    banker: int
    holders: tuple[Holder, ...] = ()
    stakes: tuple[Stake, ...] = ()
    claim: Claim | None = None
    suivi: int = NOBODY
    passed_at: int = 0
    amended: bool = False
    barred: tuple[int, ...] = ()
    sanctions: tuple[Breach, ...] = ()
    accounts: Accounts = ()
    coup: int = 0

    @property
    def sum(self) -> int:
        """What stands in the bank."""
        return balance(self.accounts, BANK)

    @property
    def covered(self) -> int:
        """What lies against it."""
        return balance(self.accounts, STAKES)

    @property
    def rides(self) -> bool:
        """Whether stakes abide the result of this hand from an earlier one."""
        return any(stake.riding for stake in self.stakes)

    def stake(self, who: int, on: str) -> Stake:
        """Return a stake, of nothing where there is none."""
        return next((one for one in self.stakes if (one.who, one.on) == (who, on)), Stake(who, on, 0))

    def post(self, entries: Entries) -> Bank:
        """Return the bank after these movements."""
        return replace(self, accounts=posted(self.accounts, entries))


def placed(bank: Bank, stake: Stake, down: Why = Why.WITHDRAWN) -> tuple[Bank, Entries]:
    """Return the bank with this stake in place of the one before it, and what that moves.

    ``down`` is the reason where money goes back. A cover of nothing stays written: it says that nobody covered.
    """
    before = bank.stake(stake.who, stake.on)
    more, whose = stake.amount - before.amount, account(stake.who)
    entries = moved(whose, STAKES, more, Why.STAKED) if more >= 0 else moved(STAKES, whose, -more, down)
    stakes = [one for one in bank.stakes if one != before]
    at = bank.stakes.index(before) if before in bank.stakes else len(stakes)
    if stake.amount or stake.who == PUNTERS:
        stakes.insert(at, stake)
    return replace(bank, stakes=tuple(stakes)).post(entries), entries


def cleared(bank: Bank, why: Why = Why.WITHDRAWN) -> tuple[Bank, Entries]:
    """Return the bank with every stake given back."""
    entries = tuple(entry for stake in bank.stakes for entry in moved(STAKES, account(stake.who), stake.amount, why))
    return replace(bank, stakes=(), claim=None).post(entries), entries
