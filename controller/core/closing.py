"""How a hand is judged, exposed, closed, voided, abandoned or set aside."""

from __future__ import annotations

from dataclasses import replace

from controller.core.banking import close_stakes, settle
from controller.core.cards import Seat
from controller.core.errors import end_errors
from controller.core.expecting import strange_result
from controller.core.facts import Audience, FactName
from controller.core.hand import Hand, Laid, Source, pairs_of
from controller.core.machine import Phase, Trigger
from controller.core.profile import Closes
from controller.core.signals import Call
from controller.core.table import Record, Table, called_pairs
from controller.core.watch import release_alarms, watch_face


def judge_cards(table: Table, hand: Hand) -> None:
    """Raise what the public faces prove."""
    for finding in table.current(hand).judged(table.game).findings:
        found = finding.irregularity
        table.raise_(found.kind, hand, seat=found.seat, rule=found.rule or "")


def expose(table: Table, hand: Hand, *, but: tuple[Laid, ...] = ()) -> None:
    """Turn every known face, as a result or the key `turned` does, except of the cards ``but``."""
    exposed = hand.exposed(but=but)
    if exposed is hand:
        return
    table.rewrite(exposed)
    for before, after in zip(hand.laid, exposed.laid, strict=True):
        if after.exposed and not before.exposed:
            watch_face(table, hand, after.card)
    judge_cards(table, hand)
    table.move(Trigger.SHOW)


def check_result(table: Table, hand: Hand) -> None:
    """Hold the called result against the cards (faults.md A 28, 30, 31)."""
    game, called = table.game, hand.called
    assert called is not None
    judgement = hand.judged(game)
    for owed in judgement.owed:
        table.raise_(owed.kind, hand, seat=owed.seat, rule=owed.rule or "")
    for laid in hand.laid:
        if laid.card is None:
            unread(table, hand, laid)
    if judgement.result is not None and called.call not in (judgement.result, judgement.counted):
        table.raise_("result-mismatch", hand, rule=game.sources.result)
    announced = called_pairs(called.pairs)
    for seat, pair in pairs_of(hand, game).items():
        if announced is not None and pair is not None and announced.get(seat, pair) != pair:
            table.raise_("pair-mismatch", hand, seat=seat, rule=game.sources.pair)


def unread(table: Table, hand: Hand, laid: Laid) -> None:
    """Hold a hand for a card whose face is not known."""
    places = [card.place for card in table.current(hand).laid]
    table.raise_("unread-card", hand, seat=laid.seat, key=str(laid.index), place=places.index(laid.place))


def close_if_due(table: Table) -> None:
    """Close the open hand once nothing holds it and its result is there."""
    hand = table.hand
    if hand is None or hand.holds or table.holds:
        return
    if hand.called is not None and table.phase is Phase.COMPLETE:
        close(table, hand, hand.called.call)
    elif table.phase is Phase.COMPLETE and (hand.ended or _judged_result(table, hand)):
        close(table, hand, None)


def _judged_result(table: Table, hand: Hand) -> bool:
    """Whether the house closes by the judged result and there is one: a natural shown alone leaves others face down."""
    return table.house.closes is Closes.CONTROLLER and hand.judged(table.game).result is not None


def end(table: Table, hand: Hand) -> None:
    """Take a person's word that the hand is over: what it still lacks is told, and it closes once nothing holds it."""
    close_stakes(table, hand)
    down = frozenset(laid.place for laid in hand.laid if not laid.exposed)
    table.rewrite(replace(table.current(hand), ended=True, taker=None, shown=down))
    finish(table, hand)


def _expose_own(table: Table, hand: Hand) -> None:
    """Turn the cards of a hand that is over: one that may have opened the next hand stays face down until it is named.

    What order and count gave the last card is shown last, as only the others tell whether it was drawn by the rules.
    """
    game, now = table.game, table.current(hand)
    by_order = tuple(laid for laid in now.laid[-1:] if laid.inferred)
    expose(table, now, but=(*now.loose(game), *by_order))
    now = table.current(hand)
    expose(table, now, but=now.loose(game))


def finish(table: Table, hand: Hand) -> None:
    """Go on with a hand that is over, as far as is known who took its cards."""
    _expose_own(table, hand)
    hand = table.current(hand)
    if hand.waiting(table.game):
        table.ask(hand, "taker-unknown")
    for owed in hand.judged(table.game).owed:
        table.raise_(owed.kind, hand, seat=owed.seat, rule=owed.rule or "")
    for laid in hand.laid:
        if laid.card is None:
            unread(table, hand, laid)
    if hand.ref in table.unsettled:
        close_unsettled(table, hand)
        return
    table.move(Trigger.CALL)
    close_if_due(table)


def close_unsettled(table: Table, hand: Hand) -> None:
    """Close an earlier hand that nothing holds any more."""
    hand = table.unsettled[hand.ref]
    if not hand.holds:
        close(table, hand.exposed(), hand.called.call if hand.called else None)


def close(table: Table, hand: Hand, recorded: Call | None, *, corrected_by: str = "") -> None:
    """Close a hand with the result recorded, or by its cards where none was that this game can have."""
    if recorded is not None and strange_result(table.game, (recorded,)):
        recorded = None
    line = hand.line(table.game, recorded)
    outcome = recorded or line.result
    stood = settle(table, hand, outcome)
    _leave(table, hand, Record(hand, outcome, table.now, corrected_by=corrected_by, stood=stood))
    table.tell(FactName.HAND_COMPLETED, hand, audience=Audience.PUBLIC, line=line)
    _after(table, hand)


def void(table: Table, hand: Hand, *, by: str) -> None:
    """Close a hand without a result: it keeps its number, its cards stay counted out, hidden faces stay hidden."""
    stood = settle(table, hand, None)
    _leave(table, hand, Record(hand, None, table.now, void=True, stood=stood))
    table.tell(FactName.HAND_VOIDED, hand, audience=Audience.PUBLIC, by=by, line=hand.stopped(table.game))
    _after(table, hand)


def abandon(table: Table, hand: Hand) -> None:
    """Drop a hand that never got its first cards: it takes no number."""
    settle(table, hand, None)
    _leave(table, hand, None)
    table.tell(FactName.HAND_ABANDONED, hand, audience=Audience.PUBLIC, line=hand.stopped(table.game))
    _after(table, hand)


def take_back(table: Table, begun: Hand, hand: Hand) -> None:
    """Drop a hand whose cards are the one's before it, which is open again; stakes on it wait for the next."""
    table.staked = "" if table.staked == begun.ref else table.staked
    table.next_sort = begun.sort
    table.shoe.unbegin_hand()
    _leave(table, begun, None)
    table.tell(
        FactName.HAND_ABANDONED, begun, audience=Audience.PUBLIC, line=replace(begun, laid=()).stopped(table.game)
    )
    table.hand = table.unsettled.pop(hand.ref)
    table.move(Trigger.HOLD)


def _leave(table: Table, hand: Hand, record: Record | None) -> None:
    """Take a hand off the table and keep its record."""
    unsettled = table.unsettled.pop(hand.ref, None)
    if unsettled is None:
        table.hand = None
        table.counts_anew = False
        if hand.source is Source.SHOE:  # hands that people enter are of those that nobody heard
            table.leave_missed()
    if record is None or hand.shoe != table.shoe.number:
        return
    table.records[hand.number] = record
    table.closed_at = [*table.closed_at[-99:], *([table.now.utc_ns] if table.now.utc_ns is not None else [])]
    if unsettled is None:
        table.shoe.numbered = max(table.shoe.numbered, hand.number)


def _after(table: Table, hand: Hand) -> None:
    if table.hand is None and hand.shoe == table.shoe.number:
        table.shoe.end_hand()
        table.move(Trigger.CLOSE)
    release_alarms(table)


def set_aside(table: Table, hand: Hand) -> None:
    """Leave an unfinished hand to a person while the next one is dealt (faults.md A 35)."""
    end_errors(table)
    hand = table.current(hand)
    over = hand.called is not None or hand.ended
    if not over and hand.incomplete(table.game):
        table.report("abandoned-hand", hand)
        abandon(table, hand)
        return
    if not over:
        table.raise_("incomplete-hand", hand)
    elif not hand.holds:  # only the table was held: the hand itself is sound
        close(table, hand, hand.called.call if hand.called else None)
        return
    hand = table.current(hand)
    table.hand = None
    table.counts_anew = False
    table.leave_missed()
    table.shoe.numbered = max(table.shoe.numbered, hand.number)
    table.unsettled[hand.ref] = hand
    table.shoe.end_hand()
    table.move(Trigger.CLOSE)


def seat_points(table: Table, hand: Hand, seat: Seat) -> int | None:
    """Return the point of a seat, None while a face is not public."""
    return hand.judged(table.game).totals[table.game.seats.index(seat)]
