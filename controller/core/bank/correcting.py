"""A coup that was settled by a result which did not stand: its money moved again, or told to those who must."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from controller.core.bank.acts import (
    BankAct,
    Done,
    Ended,
    LeavePlace,
    Penalise,
    Readmit,
    Refused,
    Result,
    SettleBets,
    SettleSides,
    Sit,
)
from controller.core.bank.applying import apply
from controller.core.bank.bets import Final
from controller.core.bank.ledger import BANK, STAKES, Entries, Entry, Why, account
from controller.core.bank.state import Bank
from controller.core.bank.terms import Holds, Terms
from controller.core.signals import Call

OF_PEOPLE = frozenset({Sit, LeavePlace, Penalise, Readmit})  # acts that name whom they concern and no money

Sums = Mapping[str, int]  # by the name of an account


def null(terms: Terms) -> BankAct:
    """Return the end of a coup that is null for everybody: every stake goes back."""
    if terms.holds is Holds.HOUSE:
        return SettleBets(Final(Call.FORCED_END, 0, 0, 0, 0))
    return SettleSides(tuple(Ended(side, Result.VOID) for side in terms.sides))


def settled(terms: Terms, stood: Bank, end: BankAct | None) -> tuple[Done, Refused | None]:
    """Return the bank after a coup whose stakes lie closed, and why that end could not settle it.

    An end that nobody can say, or that the known faces do not decide, gives every stake back: people settle it.
    """
    outcome = apply(terms, stood, end) if end else None
    if isinstance(outcome, Done):
        return outcome, None
    back = apply(terms, stood, null(terms))
    assert isinstance(back, Done), back
    return back, outcome


def resettled(
    terms: Terms, bank: Bank, stood: Bank, was: BankAct | None, now: BankAct | None, since: tuple[BankAct, ...]
) -> Done | None:
    """Return the bank with a coup settled by another end; None where that is too late.

    ``stood`` is the bank as its stakes lay closed, ``since`` what was done about money after it was settled: that is
    done again. It is too late once stakes were closed for a later coup, or where something of ``since`` could not be,
    or would be another banker's doing.
    """
    wrong, right = settled(terms, stood, was)[0].bank, settled(terms, stood, now)[0].bank
    for act in since:
        alike = (wrong.banker, wrong.stage) == (right.banker, right.stage)
        both = apply(terms, wrong, act), apply(terms, right, act)
        if any(isinstance(one, Refused) for one in both) or not (alike or type(act) in OF_PEOPLE):
            return None
        wrong, right = (cast(Done, one).bank for one in both)
    return Done(right, _between(_sums(bank), _sums(right))) if wrong == bank else None


def owed(terms: Terms, stood: Bank, was: BankAct | None, now: BankAct | None) -> Entries:
    """Return what people owe each other where a coup had another end than the one by which it was settled.

    A bank is its banker's and a riding stake its player's: they name people, the house and its rake alone.
    """
    wrong, right = settled(terms, stood, was)[0].bank, settled(terms, stood, now)[0].bank
    return _between(_worth(wrong), _worth(right))


def _sums(bank: Bank) -> Sums:
    return {one.name: one.amount for one in bank.accounts}


def _worth(bank: Bank) -> Sums:
    """What everybody has, with what stands in the bank and on the table counted as its owners'."""
    sums = {name: amount for name, amount in _sums(bank).items() if name not in {BANK, STAKES}}
    for name, amount in (
        (account(bank.banker), bank.sum),
        *((account(stake.who), stake.amount) for stake in bank.stakes),
    ):
        sums[name] = sums.get(name, 0) + amount
    return sums


def _between(before: Sums, after: Sums) -> Entries:
    """Return the fewest movements that make these sums of those, by the names of the accounts."""
    moves = {name: after.get(name, 0) - before.get(name, 0) for name in sorted({*before, *after})}
    gives = [(name, -more) for name, more in moves.items() if more < 0]
    gets = [(name, more) for name, more in moves.items() if more > 0]
    entries: Entries = ()
    while gives and gets:
        (source, has), (target, due) = gives.pop(), gets.pop()
        part = min(has, due)
        entries += (Entry(source, target, part, Why.CORRECTED),)
        gives += [(source, has - part)] * (has > part)
        gets += [(target, due - part)] * (due > part)
    assert not gives + gets, "no money comes or goes"
    return entries
