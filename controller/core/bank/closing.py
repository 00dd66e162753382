"""Stakes are closed by the first card, and opened again by a ruling only."""

from __future__ import annotations

from dataclasses import replace

from controller.core.bank.acts import CloseStakes, Done, Outcome, Refusal, Refused, ReopenStakes
from controller.core.bank.ledger import PUNTERS, Entries, Why
from controller.core.bank.order import ranked
from controller.core.bank.staking import covers_whole
from controller.core.bank.state import Bank, Stage, Stake, placed
from controller.core.bank.terms import Holds, Money, Terms


def close_stakes(terms: Terms, bank: Bank, act: CloseStakes) -> Outcome:
    """No stake may be made or changed from here on (R-000-07)."""
    bank, covered = _covered(terms, bank)
    bank, back = _cut_back(terms, bank)
    return Done(replace(bank, stage=Stage.CLOSED), covered + back)


def reopen_stakes(terms: Terms, bank: Bank, act: ReopenStakes) -> Outcome:
    """A ruling opens the stakes again; where cards are out for good none may (R-FRC-03, A18)."""
    if act.rule not in terms.reopens:
        return Refused(Refusal.NOT_REOPENED, "R-000-07" if terms.reopens else "R-FRC-03")
    return Done(replace(bank, stage=Stage.REOPENED))


def _covered(terms: Terms, bank: Bank) -> tuple[Bank, Entries]:
    """Return the bank covered in full where nobody said otherwise: one side, and single stakes not kept."""
    said = covers_whole(bank) or any(stake.who == PUNTERS for stake in bank.stakes)
    if said or terms.money is not Money.BANK or len(terms.sides) > 1 or bank.stage is not Stage.OPEN:
        return bank, ()
    return placed(bank, Stake(PUNTERS, terms.sides[0].value, bank.sum - bank.covered))


def _cut_back(terms: Terms, bank: Bank) -> tuple[Bank, Entries]:
    """Return the bank with what is over it given back, the furthest stake first (R-002-11)."""
    entries: Entries = ()
    if terms.holds is Holds.HOUSE or not terms.limited:
        return bank, entries
    room = bank.sum
    for stake in ranked(terms, bank):
        stands = min(stake.amount, room)
        room -= stands
        cut = replace(stake, amount=stands, riding=min(stake.riding, stands))
        bank, back = placed(bank, cut, Why.CUT_BACK)
        entries += back
    return bank, entries
