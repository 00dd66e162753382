"""How a person closes a hand: void, correct, accept; a later word supersedes an earlier one and erases nothing."""

from __future__ import annotations

from dataclasses import replace

from controller.core.banking import settle_again
from controller.core.closing import abandon, close, close_if_due, void
from controller.core.expecting import strange_result
from controller.core.facts import Audience, FactName
from controller.core.hand import Hand, Hold
from controller.core.inputs import Accept, Command, Correct, Void
from controller.core.laying import lay_whole_deal
from controller.core.rulings import Effect, closed, ids, meant, rules
from controller.core.shoelife import confirm_shoe
from controller.core.signals import Call
from controller.core.table import Record, Table

ASKS = frozenset({"powered-up", "taker-unknown"})  # holds that ask for an answer, not for consent


@rules(Void)
def ruling_void(table: Table, act: Void, asked: Command) -> Effect | str:
    """Void an open or a closed hand."""
    hand, record = meant(table, asked.hand), closed(table, asked.hand)
    if hand is not None:
        return lambda: _void(table, hand)
    if record is None or record.void:
        return "moved-on"
    return lambda: supersede(table, replace(record, outcome=None, void=True, corrected_by=table.item.by))


def _void(table: Table, hand: Hand) -> None:
    void(table, hand, by=table.item.by)
    _went(table)


def _went(table: Table) -> None:
    """A hand was closed by a person; what waited for its question is now another hand's."""
    if table.hand is None:
        lay_whole_deal(table)
        table.catch_up()


@rules(Correct)
def ruling_correct(table: Table, act: Correct, asked: Command) -> Effect | str:
    """Say what the result is, of an open hand that waits or of a closed one."""
    hand, record = meant(table, asked.hand), closed(table, asked.hand)
    if refused := strange_result(table.game, (act.result,)):  # a hand without a result is voided
        return refused
    if hand is not None:
        if not hand.holds:
            return "nothing-to-do"
        return lambda: _correct(table, hand, act.result)
    if record is None:
        return "moved-on"
    if record.outcome is act.result:
        return "nothing-to-do"
    return lambda: supersede(table, replace(record, outcome=act.result, void=False, corrected_by=table.item.by))


def _correct(table: Table, hand: Hand, result: Call) -> None:
    close(table, hand.without(ids(hand.holds)).exposed(), result, corrected_by=table.item.by)
    _went(table)


def supersede(table: Table, record: Record) -> None:
    """Put a later word in the place of a closed hand; the earlier facts stay in the journal."""
    was = table.records[record.hand.number]
    record = settle_again(table, was, record)
    table.records[record.hand.number] = record
    hand = record.hand
    line = hand.stopped(table.game) if record.void else hand.line(table.game, record.outcome)
    by = record.corrected_by
    table.tell(
        FactName.HAND_CORRECTED,
        record.hand,
        audience=Audience.PUBLIC,
        by=by,
        was=was.outcome,
        void=record.void,
        line=line,
    )


@rules(Accept)
def ruling_accept(table: Table, act: Accept, asked: Command) -> Effect | str:
    """Let the hand, or the table where no hand is named, stand as it lies."""
    hand = meant(table, asked.hand)
    if hand is None and (table.hand is not None or (asked.hand and closed(table, asked.hand) is None)):
        return "moved-on"
    holds = (*(hand.holds if hand else ()), *(table.holds if hand is table.hand else ()))
    if not holds:
        return "nothing-to-do"
    if frozenset(act.holds) != ids(holds):
        return "holds-changed"
    if any(hold.kind in ASKS for hold in holds):
        return "not-now"
    return lambda: _accept(table, hand, holds)


def _accept(table: Table, hand: Hand | None, holds: tuple[Hold, ...]) -> None:
    kinds = {hold.kind for hold in holds}
    if hand is table.hand:
        if "new-shoe" in kinds:
            confirm_shoe(table)
        table.lift(None, ids(table.holds))
    if hand is None:
        return
    if hand.called is None and "abandoned-hand" in kinds and hand.incomplete(table.game):
        abandon(table, hand.without(ids(holds)))
    elif hand.called is not None or hand.ended or hand.ref in table.unsettled or "incomplete-hand" in kinds:
        bare = hand.without(ids(holds)).exposed()
        close(table, bare, hand.called.call if hand.called else None)
        lay_whole_deal(table)
    else:
        table.lift(hand, ids(holds))
        close_if_due(table)
