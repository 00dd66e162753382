"""Bets of a table without money: an operator says when they are closed, and a card before that is an early draw."""

from __future__ import annotations

from controller.core.facts import Audience, FactName
from controller.core.hand import Hand
from controller.core.inputs import CloseBets, Command, Sort
from controller.core.profile import BetsClosed
from controller.core.rulings import Effect, rules
from controller.core.table import Table

LEFT_INCOMPLETE = "incomplete-hand"  # the shoe went on without the rest of it


@rules(CloseBets)
def ruling_close_bets(table: Table, act: CloseBets, asked: Command) -> Effect | str:
    """Take the operator's word that no bet on the next hand is taken any more."""
    if table.house.bets_closed is not BetsClosed.OPERATOR or table.bets_closed:
        return "nothing-to-do"
    if _dealt(table):
        return "hand-open"
    return lambda: _close(table)


def _dealt(table: Table) -> bool:
    """Whether a hand is being dealt; one that waits for its result or for a person keeps nobody from betting."""
    hand = table.hand
    if hand is None or hand.called is not None or hand.ended:
        return False
    return all(hold.kind != LEFT_INCOMPLETE for hold in hand.holds)


def _close(table: Table) -> None:
    table.bets_closed = True
    table.tell(FactName.BETS_CLOSED, None, audience=Audience.PUBLIC, by=table.item.by)


def open_for_bets(table: Table) -> bool:
    """Whether the operator still has to close the bets on the next hand; a hand without bets asks for none."""
    untold = table.house.bets_closed is BetsClosed.OPERATOR and not table.bets_closed
    return untold and not _dealt(table) and table.next_sort is Sort.NORMAL


def watch_bets(table: Table, hand: Hand) -> None:
    """A hand opens: its first card came too early where nobody closed the bets before (faults.md A 25, PBI-11)."""
    if table.house.bets_closed is not BetsClosed.OPERATOR:
        return
    closed, table.bets_closed = table.bets_closed, False
    if not closed and hand.sort is Sort.NORMAL:
        table.raise_("early-draw", hand)
