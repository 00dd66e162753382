"""What faces alone tell: a copy too many, and cards in factory order."""

from __future__ import annotations

from controller.core.cards import Card
from controller.core.facts import Audience, FactName
from controller.core.hand import Hand
from controller.core.table import Alarm, Table


def watch_face(table: Table, hand: Hand | None, card: Card | None, *, known: Card | None = None) -> None:
    """Look at a face for what cannot be: one copy too many, or cards in factory order.

    ``known`` is a face that is not public yet: only surveillance hears of it now.
    """
    face = card or known
    if face is not None and table.shoe.impossible(face):
        places = " ".join(str(place) for place in table.shoe.copies(face))
        _alarm(table, "impossible-card", hand, f"{face} at {places}")
    if not table.shoe.order_alarmed and table.shoe.at_its_start and table.shoe.in_factory_order():
        table.shoe.order_alarmed = True
        _alarm(table, "unshuffled", None, "")
    release_alarms(table)


def _alarm(table: Table, kind: str, hand: Hand | None, detail: str) -> None:
    if any(alarm.kind == kind and alarm.detail == detail for alarm in table.alarms):
        return
    table.alarms.append(Alarm(kind, detail, hand, table.now))
    table.tell(FactName.ALARM_RAISED, hand, audience=Audience.SURVEILLANCE, kind=kind, detail=detail)


def release_alarms(table: Table) -> None:
    """Hold the table for alarms once no known face is hidden from players any more."""
    if all(alarm.held for alarm in table.alarms):
        return
    open_hands = (*table.unsettled.values(), *([table.hand] if table.hand else []))
    cards = (*table.moving, *(laid for hand in open_hands for laid in hand.laid))
    if any(laid.card is not None and not laid.exposed for laid in cards):
        return
    if any(carry.card is not None and not carry.seen for carry in table.carried):
        return
    for alarm in table.alarms:
        if not alarm.held:
            alarm.held = True
            of = alarm.hand if alarm.hand and table.hand and alarm.hand.ref == table.hand.ref else None
            table.raise_(alarm.kind, of, detail=alarm.detail)
