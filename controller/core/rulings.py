"""What people ask for: each act is checked first, and changes nothing where it is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from controller.core.closing import abandon, close, close_if_due, expose, set_aside, void
from controller.core.facts import Audience, FactName
from controller.core.hand import Hand, Hold, Laid
from controller.core.inputs import (
    Accept,
    Acknowledge,
    CloseShoe,
    Command,
    Correct,
    KeyCard,
    NewHand,
    NewShoe,
    RestOfHand,
    Turned,
    Void,
)
from controller.core.judge import Next
from controller.core.laying import lay, show
from controller.core.shoelife import close_shoe, next_shoe
from controller.core.signals import Call
from controller.core.table import COMMANDS_KEPT, Record, Table, handles
from controller.core.words import kind_of

# Holds under which a card may lie on the felt that nobody heard of.
MAY_LOSE_CARDS = frozenset({"link-gap", "copy-conflict", "unknown-frame", "link-lost", "restarted"})

Effect = Callable[[], None]
Ruling = Callable[[Table, Any, Command], Effect | str]  # what it would do, or why it is refused


@handles(Command)
def command(table: Table, asked: Command) -> None:
    """Rule on a command once; the same id again changes nothing."""
    if asked.id in table.commands:
        return
    ruled = RULINGS[type(asked.act)](table, asked.act, asked)
    name = FactName.COMMAND_REJECTED if isinstance(ruled, str) else FactName.COMMAND_ACCEPTED
    table.commands[asked.id] = name
    if len(table.commands) > COMMANDS_KEPT:
        del table.commands[next(iter(table.commands))]
    hand = meant(table, asked.hand)
    act = kind_of(type(asked.act))
    if isinstance(ruled, str):
        table.tell(name, hand, id=asked.id, act=act, by=table.item.by, why=ruled)
        return
    table.tell(name, hand, id=asked.id, act=act, by=table.item.by)
    ruled()


def meant(table: Table, ref: str) -> Hand | None:
    """Return the open or unsettled hand of this reference."""
    if table.hand is not None and table.hand.ref == ref:
        return table.hand
    return table.unsettled.get(ref)


def closed(table: Table, ref: str) -> Record | None:
    """Return the closed hand of this reference, in the shoe in play."""
    return next((record for record in table.records.values() if record.hand.ref == ref), None)


def ruling_void(table: Table, act: Void, asked: Command) -> Effect | str:
    """Void an open or a closed hand."""
    hand, record = meant(table, asked.hand), closed(table, asked.hand)
    if hand is not None:
        return lambda: _void(table, hand)
    if record is None or record.void:
        return "moved-on"
    return lambda: _supersede(table, replace(record, outcome=None, void=True, corrected_by=table.item.by))


def _void(table: Table, hand: Hand) -> None:
    void(table, hand, by=table.item.by)
    _went(table)


def _went(table: Table) -> None:
    """A hand was closed by a person; what waited for its question is now another hand's."""
    if table.hand is None:
        table.catch_up()


def ruling_correct(table: Table, act: Correct, asked: Command) -> Effect | str:
    """Say what the result is, of an open hand that waits or of a closed one."""
    hand, record = meant(table, asked.hand), closed(table, asked.hand)
    if act.result is Call.FORCED_END:
        return "not-now"  # a hand without a result is voided
    if hand is not None:
        if not hand.holds:
            return "nothing-to-do"
        return lambda: _correct(table, hand, act.result)
    if record is None:
        return "moved-on"
    if record.outcome is act.result:
        return "nothing-to-do"
    return lambda: _supersede(table, replace(record, outcome=act.result, void=False, corrected_by=table.item.by))


def _correct(table: Table, hand: Hand, result: Call) -> None:
    close(table, hand.without(_ids(hand.holds)).exposed(), result, corrected_by=table.item.by)
    _went(table)


def _supersede(table: Table, record: Record) -> None:
    """Put a later word in the place of a closed hand; the earlier facts stay in the journal."""
    was = table.records[record.hand.number]
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


def ruling_accept(table: Table, act: Accept, asked: Command) -> Effect | str:
    """Let the hand, or the table where no hand is named, stand as it lies."""
    hand = meant(table, asked.hand)
    if hand is None and (table.hand is not None or (asked.hand and closed(table, asked.hand) is None)):
        return "moved-on"
    holds = (*(hand.holds if hand else ()), *(table.holds if hand is table.hand else ()))
    if not holds:
        return "nothing-to-do"
    if frozenset(act.holds) != _ids(holds):
        return "holds-changed"
    if any(hold.kind == "powered-up" for hold in holds):
        return "not-now"
    return lambda: _accept(table, hand, holds)


def _accept(table: Table, hand: Hand | None, holds: tuple[Hold, ...]) -> None:
    kinds = {hold.kind for hold in holds}
    if hand is table.hand:
        table.lift(None, _ids(table.holds))
    if hand is None:
        return
    if hand.called is None and "abandoned-hand" in kinds and hand.incomplete(table.game):
        abandon(table, hand.without(_ids(holds)))
    elif hand.called is not None or hand.ref in table.unsettled or "incomplete-hand" in kinds:
        bare = hand.without(_ids(holds)).exposed()
        close(table, bare, hand.called.call if hand.called else None)
    else:
        table.lift(hand, _ids(holds))
        close_if_due(table)


def _ids(holds: tuple[Hold, ...]) -> frozenset[str]:
    return frozenset(hold.id for hold in holds)


def ruling_key_card(table: Table, act: KeyCard, asked: Command) -> Effect | str:
    """Key the face of a card that the shoe could not read, or that is in doubt while the hand is held."""
    hand = meant(table, asked.hand)
    if hand is None:
        return "moved-on"
    if act.card.suit is None:
        return "bad-card"
    laid = hand.at((act.seat, act.index))
    if laid is None:
        return _key_next(table, hand, act)
    if laid.card is not None and not hand.holds:
        return "not-now"
    return lambda: _key(table, hand, laid, act, table.item.by)


def _key(table: Table, hand: Hand, laid: Laid, act: KeyCard, by: str) -> None:
    spot = f"{act.index}:{act.seat.value}"
    settled = {f"unread-card:{spot}", f"wrong-slot:{spot}"}
    table.lift(hand, frozenset(hold.id for hold in hand.holds if hold.id in settled or hold.kind == "cannot-read"))
    show(table, table.current(hand), laid, act.card, keyed=by)
    earlier = table.unsettled.get(hand.ref)
    if earlier is not None and earlier.called is not None and not earlier.holds:
        close(table, earlier.exposed(), earlier.called.call)


def _key_next(table: Table, hand: Hand, act: KeyCard) -> Effect | str:
    """Key the card that is owed and that the shoe never told of."""
    step = hand.judged(table.game).step
    owed = step.next is Next.CARD and step.seat is act.seat
    lost = any(hold.kind in MAY_LOSE_CARDS for hold in hand.holds) and act.seat in table.game.seats
    index = sum(laid.seat is act.seat for laid in hand.laid) + 1
    if hand is not table.hand or act.index != index or index > table.game.most_cards or not (owed or lost):
        return "bad-card"

    def effect() -> None:
        table.lift(hand, frozenset(hold.id for hold in hand.holds if hold.kind == "cannot-read"))
        table.gap = max(0, table.gap - 1)  # a card that was lost on the way, or one that comes late
        place = table.shoe.take(act.card)
        lay(table, Laid(act.seat, act.index, place, act.card, exposed=True, keyed=True))

    return effect


def ruling_rest(table: Table, act: RestOfHand, asked: Command) -> Effect | str:
    """After a power-up: the next cards belong to the open hand."""
    hand = _asked(table, asked)
    if isinstance(hand, str):
        return hand

    def effect() -> None:
        table.counts_anew = True
        table.lift(hand, _powered(hand))
        table.catch_up()

    return effect


def ruling_new_hand(table: Table, act: NewHand, asked: Command) -> Effect | str:
    """After a power-up: the open hand is over, the next cards open another."""
    hand = _asked(table, asked)
    if isinstance(hand, str):
        return hand

    def effect() -> None:
        table.lift(hand, _powered(hand))
        set_aside(table, hand)
        table.catch_up()

    return effect


def _asked(table: Table, asked: Command) -> Hand | str:
    """The open hand, if a power-up left it in question."""
    if table.hand is None or table.hand.ref != asked.hand:
        return "moved-on"
    return table.hand if table.asks_whose() else "not-now"


def _powered(hand: Hand) -> frozenset[str]:
    return frozenset(hold.id for hold in hand.holds if hold.kind == "powered-up")


def ruling_turned(table: Table, act: Turned, asked: Command) -> Effect | str:
    """The cards were turned on the felt: their faces are public from here."""
    hand = meant(table, asked.hand)
    if hand is None or hand is not table.hand:
        return "moved-on"
    if not any(laid.card and not laid.exposed for laid in hand.laid):
        return "nothing-to-do"

    def effect() -> None:
        table.tell(FactName.HAND_TURNED, hand, audience=Audience.PUBLIC, by=table.item.by)
        expose(table, hand)
        close_if_due(table)

    return effect


def ruling_acknowledge(table: Table, act: Acknowledge, asked: Command) -> Effect | str:
    """Take an incident off the list of open ones; the journal keeps it."""
    incident = table.incidents.get(act.incident)
    if incident is None:
        return "unknown-incident"

    def effect() -> None:
        del table.incidents[act.incident]
        table.tell(
            FactName.INCIDENT_ACKNOWLEDGED,
            None,
            id=incident.id,
            kind=incident.kind,
            of=incident.hand,
            by=table.item.by,
            note=act.note,
        )

    return effect


def ruling_close_shoe(table: Table, act: CloseShoe, asked: Command) -> Effect | str:
    """Finish the shoe, with the stub if it was counted."""
    if table.hand is not None:
        return "not-now"
    if table.shoe.closed:
        return "nothing-to-do"
    return lambda: close_shoe(table, stub=act.stub)


def ruling_new_shoe(table: Table, act: NewShoe, asked: Command) -> Effect | str:
    """Begin the next shoe's record."""
    if table.hand is not None:
        return "not-now"
    if not table.shoe.faces:
        return "nothing-to-do"
    return lambda: next_shoe(table)


RULINGS: dict[type, Ruling] = {
    Void: ruling_void,
    Accept: ruling_accept,
    Correct: ruling_correct,
    KeyCard: ruling_key_card,
    RestOfHand: ruling_rest,
    NewHand: ruling_new_hand,
    Turned: ruling_turned,
    Acknowledge: ruling_acknowledge,
    CloseShoe: ruling_close_shoe,
    NewShoe: ruling_new_shoe,
}
