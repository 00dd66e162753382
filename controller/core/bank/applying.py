"""The table of acts: where each is known, when it may be done, and what does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controller.core.bank import closing, keeping, paying, settling, staking
from controller.core.bank.acts import (
    BankAct,
    CallBanco,
    CloseStakes,
    DeclineBank,
    LeavePlace,
    NobodyTakes,
    Outcome,
    PassBank,
    Penalise,
    Readmit,
    Refusal,
    Refused,
    ReopenStakes,
    SetCover,
    SetStake,
    SettleBets,
    SettleSides,
    ShowBank,
    Sit,
    TakeBank,
    WithdrawBanco,
)
from controller.core.bank.order import first_banked
from controller.core.bank.state import NOBODY, Bank, Stage
from controller.core.bank.terms import Holds, Money, Terms


@dataclass(frozen=True, slots=True)
class Row:
    """One act: the tables that know it, the stages in which it may be done, and the rule that says so."""

    do: Callable[[Terms, Bank, Any], Outcome]
    holds: tuple[Holds, ...]
    stages: tuple[Stage, ...] = tuple(Stage)
    rule: str = ""
    moneys: tuple[Money, ...] = (Money.BANK, Money.FULL)


PASSES, BANKER, ALL = (Holds.PASSES,), (Holds.PASSES, Holds.STAYS), tuple(Holds)
WAIT, OPEN, CLOSED = (Stage.AWAITING,), (Stage.OPEN,), (Stage.CLOSED,)
MADE = (Stage.OPEN, Stage.REOPENED)
FULL = (Money.FULL,)
ROWS: dict[type, Row] = {
    ShowBank: Row(keeping.show_bank, BANKER, WAIT + OPEN, "R-002-07"),
    DeclineBank: Row(keeping.decline_bank, PASSES, WAIT),
    PassBank: Row(keeping.pass_bank, BANKER, OPEN, "R-FRC-08"),
    TakeBank: Row(keeping.take_bank, PASSES, (Stage.PASSING,), "R-003-12"),
    NobodyTakes: Row(keeping.nobody_takes, PASSES, (Stage.PASSING,), "R-003-13"),
    SetStake: Row(staking.set_stake, ALL, MADE, "R-000-07", FULL),
    SetCover: Row(staking.set_cover, BANKER, MADE, "R-000-07", (Money.BANK,)),
    CallBanco: Row(staking.call_banco, BANKER, OPEN, "R-FRC-08"),
    WithdrawBanco: Row(staking.withdraw_banco, BANKER, MADE, "R-000-07"),
    CloseStakes: Row(closing.close_stakes, ALL, MADE, "R-000-07"),
    ReopenStakes: Row(closing.reopen_stakes, ALL, CLOSED),
    SettleSides: Row(settling.settle_sides, BANKER, CLOSED),
    SettleBets: Row(paying.settle_bets, (Holds.HOUSE,), CLOSED),
    Sit: Row(keeping.sit, ALL),
    LeavePlace: Row(keeping.leave_place, ALL),
    Penalise: Row(keeping.penalise, ALL),
    Readmit: Row(keeping.readmit, ALL),
}
STAGE_FORBIDS = {
    Stage.AWAITING: Refusal.BANK_OWED,
    Stage.OPEN: Refusal.STAKES_OPEN,
    Stage.REOPENED: Refusal.STAKES_OPEN,
    Stage.CLOSED: Refusal.STAKES_CLOSED,
    Stage.PASSING: Refusal.BANK_PASSING,
}
ACT_NEEDS = {  # where the stage's own word would not say what is missing
    TakeBank: Refusal.BANK_NOT_PASSING,
    NobodyTakes: Refusal.BANK_NOT_PASSING,
    DeclineBank: Refusal.BANK_SHOWN,
}


def opened(terms: Terms, places: tuple[int, ...] = ()) -> Bank | None:
    """Return the bank of a table that opens with these places occupied, all of them by default; None with money off.

    Raises ValueError for a place that the table has not.
    """
    if terms.money is Money.OFF:
        return None
    order = tuple(sorted(set(places))) or tuple(range(1, terms.places + 1))
    if order[0] < 1 or order[-1] > terms.places:
        raise ValueError(f"places are 1 to {terms.places}, not {', '.join(map(str, order))}")
    stage = Stage.OPEN if terms.holds is Holds.HOUSE else Stage.AWAITING
    return first_banked(terms, Bank(stage, order, banker=NOBODY))


def apply(terms: Terms, bank: Bank, act: BankAct) -> Outcome:
    """Return what comes of an act: the bank after it and the money it moved, or why it was refused."""
    row = ROWS[type(act)]
    if terms.holds not in row.holds or terms.money not in row.moneys:
        return Refused(Refusal.NOT_KEPT)
    if bank.stage not in row.stages:
        return Refused(ACT_NEEDS.get(type(act), STAGE_FORBIDS[bank.stage]), row.rule)
    return row.do(terms, bank, act)
