"""What the shoe calls at the end of a hand."""

from __future__ import annotations

from dataclasses import replace

from controller.core.closing import check_result, close_if_due, expose, void
from controller.core.errors import end_errors
from controller.core.facts import Audience, FactName
from controller.core.machine import Trigger
from controller.core.signals import Call, ResultCalled, StoodBy
from controller.core.table import Table, handles


@handles(ResultCalled)
def result_called(table: Table, called: ResultCalled) -> None:
    """The shoe announced the result."""
    if table.deferring():
        return
    end_errors(table)
    hand = table.hand
    if hand is None:
        _called_again(table, called)
        return
    if hand.called is not None and hand.called != called:
        table.raise_("result-mismatch", hand, rule=table.game.sources.result, key="again")
        return
    table.rewrite(replace(hand, called=called))
    hand = table.current(hand)
    table.tell(
        FactName.RESULT_CALLED,
        hand,
        audience=Audience.PUBLIC,
        call=called.call,
        pairs=called.pairs,
        with_six=called.with_six,
    )
    if called.call is Call.FORCED_END:
        table.raise_("forced-end", hand)
        void(table, table.current(hand).exposed(), by=table.item.by)
        return
    expose(table, hand)
    check_result(table, table.current(hand))
    table.move(Trigger.CALL)
    close_if_due(table)


@handles(StoodBy)
def stood_by(table: Table, stood: StoodBy) -> None:
    """The shoe is ready for the next hand; a hand that is still open has lost its end."""
    if table.deferring():
        return
    end_errors(table)
    table.tell(FactName.STOOD_BY, None, audience=Audience.PUBLIC)
    hand = table.hand
    if hand is None:
        table.gap = 0  # whatever was lost lay before this
    if hand is None or hand.called is not None:
        return
    table.raise_("abandoned-hand" if hand.incomplete(table.game) else "incomplete-hand", hand)


def _called_again(table: Table, called: ResultCalled) -> None:
    """A result with no hand open: a duplicate of the last one, or a dispute about it (faults.md A 34)."""
    last = table.records.get(table.shoe.numbered)
    table.tell(FactName.RESULT_CALLED, None, call=called.call, pairs=called.pairs, with_six=called.with_six)
    if last is None or (last.hand.called is None and last.outcome is None):
        table.raise_("error-anomaly", None, detail="result without a hand")
    elif called.call is not last.outcome if last.hand.called is None else called != last.hand.called:
        table.raise_(
            "result-mismatch", None, rule=table.game.sources.result, detail=f"hand {last.hand.number} called twice"
        )
