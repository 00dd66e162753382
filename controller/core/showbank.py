"""From a table's bank to what everybody around the table may know of it."""

from __future__ import annotations

from typing import get_args

from controller.core.bank import BankAct, Holds, spots
from controller.core.bank.acts import BankCommand, CallBanco, Penalise, Readmit, SetStake, WithdrawBanco
from controller.core.bank.applying import ROWS
from controller.core.bank.state import Bank, Stage
from controller.core.banking import BETS
from controller.core.bankref import bank_ref, speaks
from controller.core.stock import ended
from controller.core.table import Table
from controller.core.views import BankView, StakeView
from controller.core.words import kind_of


def bank_view(table: Table) -> BankView | None:
    """Return the bank as it stands; None where the table keeps none."""
    bank, terms = table.bank, table.house.money
    if bank is None:
        return None
    return BankView(
        stage=(Stage.CLOSED if ended(table) and bank.stage is Stage.OPEN else bank.stage).value,
        banked=terms.holds is not Holds.HOUSE,
        banker=bank.banker,
        sum=bank.sum,
        covered=bank.covered,
        holders=tuple((holder.side, holder.place) for holder in bank.holders),
        claim=(bank.claim.kind.value, bank.claim.place) if bank.claim else None,
        speaker=speaks(table, bank),
        riding=sum(stake.riding for stake in bank.stakes),
        passed_at=bank.passed_at,
        stakes=tuple(StakeView(stake.who, stake.on, stake.amount) for stake in bank.stakes),
        acts=tuple(kind_of(act) for act in get_args(BankCommand) if _known(table, bank, act)),
        spots=spots(terms),
        claims=tuple(claim.value for claim in terms.claims),
        penalties=tuple(penalty.value for penalty in terms.sanctions),
        ref=bank_ref(table, bank),
    )


def _known(table: Table, bank: Bank, act: type[BankAct]) -> bool:
    """Whether the table knows the act and may do it in this stage (bank/applying.py has the table)."""
    row, terms = ROWS[act], table.house.money
    if act in BETS and ended(table):
        return False
    needs = {
        CallBanco: bool(terms.claims),
        WithdrawBanco: bank.claim is not None,
        SetStake: bool(spots(terms)),
        Penalise: bool(terms.sanctions),
        Readmit: bool(bank.barred),
    }
    at_this_table = terms.holds in row.holds and terms.money in row.moneys
    return at_this_table and bank.stage in row.stages and needs.get(act, True)
