"""A hand whose close was pressed too early: its cards lie face down still, and the next card is its own."""

from __future__ import annotations

from dataclasses import replace

from controller.core.cards import Seat
from controller.core.closing import take_back
from controller.core.facts import FactName
from controller.core.games import Game
from controller.core.hand import Hand, Laid
from controller.core.laying import lay_drawn_again
from controller.core.machine import Trigger
from controller.core.remedies.triggers import over
from controller.core.table import Table
from controller.core.takers import placings

DECIDED_AS = "IR-15"  # who decides on a draw that was missed says too that it was not
BY_ITS_PLACE = frozenset({"late-hand", "few-cards"})  # what holds a hand only because it was opened


def may_take(table: Table, hand: Hand, seat: Seat) -> bool:
    """Whether a hand that was ended, and is not closed, may go on with a card for this seat.

    Cards that opened the next hand since are its own then: as many as fit, face down, and nothing was done about them.
    """
    if not hand.ended or hand.called is not None or hand.waiting(table.game):
        return False
    since = _drawn_since(table, hand)
    told = tuple(laid.seat for laid in hand.thirds(table.game))
    later = (None,) * max(0, len(since or ()) - 1)
    return since is not None and bool(placings(table.game, (*told, seat, *later)))


def _drawn_since(table: Table, hand: Hand) -> tuple[Laid, ...] | None:
    """The cards that came after the hand was ended and opened the next one; None where they are that hand's."""
    if table.hand is None or table.hand.is_of(hand):
        return () if table.hand is not None else None
    begun = table.hand
    next_one = begun.shoe == hand.shoe and begun.opening == hand.opening + 1
    ruled = over(begun) or begun.out or begun.terms or {hold.kind for hold in begun.holds} - BY_ITS_PLACE
    touched = any(laid.exposed or laid.carried or laid.keyed for laid in begun.laid)
    return begun.laid if next_one and not ruled and not touched else None


def go_on(table: Table, hand: Hand, seat: Seat) -> None:
    """Turn the cards back that the key alone had turned, and give the next card to the seat named."""
    since = _drawn_since(table, hand)
    if table.hand is not None and since:
        table.moving = since
        take_back(table, table.hand, hand)
    before = table.current(hand)
    after = face_down_again(before)
    gone = _proved(before, table.game) - {(one.kind, one.seat) for one in after.judged(table.game).irregularities}
    after = replace(
        after,
        noted=tuple(one for one in after.noted if (one.irregularity.kind, one.irregularity.seat) not in gone),
        said=after.said - gone,
        taker=seat,
    )
    table.rewrite(after)
    table.tell(FactName.HAND_RELAID, after, by=table.item.by, goes_on=seat)
    table.lift(after, frozenset(hold.id for hold in after.holds if (hold.kind, hold.seat) in gone))
    table.move(Trigger.LIFT)
    while table.moving:
        laid, *later = table.moving
        table.moving = tuple(later)
        lay_drawn_again(table, laid)


def _proved(hand: Hand, game: Game) -> frozenset[tuple[str, Seat | None]]:
    judged = hand.judged(game)
    return frozenset((one.kind, one.seat) for one in (*judged.irregularities, *judged.owed))


def face_down_again(hand: Hand) -> Hand:
    """Return an ended hand as it lay before: what only the key had turned is hidden, a keyed face lies open."""
    laid = tuple(replace(one, exposed=False) if one.place in hand.shown and not one.keyed else one for one in hand.laid)
    return replace(hand, laid=laid, ended=False, turned=hand.turned and not hand.shown, shown=frozenset())
