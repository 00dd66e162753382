"""The money of a table: its bank follows the hands. The first card closes the stakes, the result settles them."""

from __future__ import annotations

from typing import get_args

from controller.core.bank import (
    BankAct,
    BankCommand,
    CloseStakes,
    Done,
    Ended,
    Final,
    Refused,
    ReopenStakes,
    Result,
    SettleBets,
    SettleSides,
    Stage,
    apply,
)
from controller.core.facts import Audience, FactName
from controller.core.hand import Hand, Source
from controller.core.inputs import Command, Sort
from controller.core.rulings import Effect, rules
from controller.core.signals import Call
from controller.core.table import Table

VOID = "void"


def ruling_bank(table: Table, act: BankAct, asked: Command) -> Effect | str:
    """Do what a person asks of the bank, or say which rule forbids it."""
    if table.bank is None:
        return "bank-not-kept"
    outcome = apply(table.house.money, table.bank, act)
    if isinstance(outcome, Refused):
        return outcome.why.value
    return lambda: _post(table, outcome, act)


for _act in get_args(BankCommand):
    rules(_act)(ruling_bank)


def close_stakes(table: Table, hand: Hand) -> None:
    """The first card is out: no bet may be made or changed (R-000-07)."""
    if table.bank is None or hand.sort is not Sort.NORMAL or table.bank.stage is Stage.CLOSED:
        return
    outcome = apply(table.house.money, table.bank, CloseStakes())
    if isinstance(outcome, Refused):
        table.raise_("bank-not-ready", hand, rule=outcome.rule, detail=outcome.why.value)
        return
    _post(table, outcome, CloseStakes())


def reopen_stakes(table: Table, rule: str) -> None:
    """Let bets be amended where the texts and the house do (R-000-13, R-000-18)."""
    if table.bank is None or not rule:
        return
    outcome = apply(table.house.money, table.bank, ReopenStakes(rule))
    if isinstance(outcome, Done):
        _post(table, outcome, ReopenStakes(rule))


def settle(table: Table, hand: Hand, outcome: Call | None) -> None:
    """Pay and take by the result; without one every stake goes back."""
    if table.bank is None or hand.sort is not Sort.NORMAL:
        return
    close_stakes(table, hand)
    act = _settlement(table, hand, outcome)
    if act is None or table.bank.stage is not Stage.CLOSED:
        table.report("bank-unsettled", hand)
        return
    settled = apply(table.house.money, table.bank, act)
    if isinstance(settled, Refused):
        table.report("bank-unsettled", hand, rule=settled.rule, detail=settled.why.value)
        return
    _post(table, settled, act)


def _settlement(table: Table, hand: Hand, outcome: Call | None) -> BankAct | None:
    """The act that settles this hand; None where nobody knows its cards and its bets ask for them."""
    game = table.game
    if table.house.money.sides:
        winners = outcome.winners if outcome else (VOID,) * len(game.sides)
        kinds = {game.bank.value: Result.BANKER, "tie": Result.TIE, VOID: Result.REFUSED if outcome else Result.VOID}
        pairs = zip(game.sides, winners, strict=True)
        return SettleSides(tuple(Ended(side, kinds.get(winner, Result.PLAYER)) for side, winner in pairs))
    seats = [tuple(card for card in hand.cards_of(seat) if card) for seat in game.seats]
    if hand.source is Source.BLIND or any(len(cards) < game.initial for cards in seats):
        return None
    return SettleBets(Final.of(outcome or Call.FORCED_END, *seats))


def _post(table: Table, outcome: Done, act: BankAct) -> None:
    table.bank = outcome.bank
    bank = outcome.bank
    table.tell(
        FactName.BANK_MOVED,
        table.hand,
        audience=Audience.PIT,
        act=type(act).__name__,
        stage=bank.stage,
        banker=bank.banker,
        sum=bank.sum,
        covered=bank.covered,
        entries=outcome.entries,
        by=table.item.by,
    )
