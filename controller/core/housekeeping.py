"""What a person does around the hands: incidents seen, shoes closed and opened, the table's day and who is on duty."""

from __future__ import annotations

import re
from dataclasses import replace

from controller.core.bank import Refusal, Stage
from controller.core.facts import FactName
from controller.core.hand import Hand
from controller.core.inputs import (
    Acknowledge,
    CloseShoe,
    CloseTable,
    Command,
    MarkHand,
    NewShoe,
    OnDuty,
    OpenTable,
    Post,
    Review,
    Sort,
)
from controller.core.rulings import Effect, meant, rules
from controller.core.shoelife import close_shoe, confirm_shoe, name_shoe, next_shoe
from controller.core.table import Table

GAMING_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@rules(Acknowledge)
def ruling_acknowledge(table: Table, act: Acknowledge, asked: Command) -> Effect | str:
    """Take an incident off the list of open ones; the journal keeps it."""
    incident = table.incidents.get(act.incident)
    if incident is None:
        return "unknown-incident"

    def effect() -> None:
        del table.incidents[act.incident]
        by = table.item.by
        table.acknowledged[incident.id] = replace(
            incident, acknowledged_by=by, acknowledged_at=table.now, note=act.note
        )
        table.tell(
            FactName.INCIDENT_ACKNOWLEDGED,
            None,
            id=incident.id,
            kind=incident.kind,
            of=incident.hand,
            by=by,
            note=act.note,
        )

    return effect


@rules(Review)
def ruling_review(table: Table, act: Review, asked: Command) -> Effect | str:
    """Mark an acknowledged incident as gone through."""
    incident = table.acknowledged.get(act.incident)
    if incident is None:
        return "unknown-incident"
    if incident.reviewed_by:
        return "nothing-to-do"

    def effect() -> None:
        table.acknowledged[incident.id] = replace(incident, reviewed_by=table.item.by)
        table.tell(FactName.INCIDENT_REVIEWED, None, id=incident.id, by=table.item.by)

    return effect


@rules(CloseShoe)
def ruling_close_shoe(table: Table, act: CloseShoe, asked: Command) -> Effect | str:
    """Finish the shoe, with the stub if it was counted."""
    if table.hand is not None:
        return "hand-open"
    if table.shoe.closed:
        return "nothing-to-do"
    if act.stub is not None and not 0 <= act.stub <= table.shoe.size:
        return "bad-stub"
    return lambda: close_shoe(table, stub=act.stub)


@rules(NewShoe)
def ruling_new_shoe(table: Table, act: NewShoe, asked: Command) -> Effect | str:
    """Confirm the shoe that the wire proposes, or begin the next shoe's record."""
    if table.previous is not None:
        return lambda: confirm_shoe(table, serial=act.serial)
    if table.hand is not None:
        return "hand-open"
    if not table.shoe.faces and not table.shoe.openings:
        return (lambda: name_shoe(table, act.serial)) if act.serial else "nothing-to-do"

    def effect() -> None:
        next_shoe(table)
        name_shoe(table, act.serial)

    return effect


@rules(MarkHand)
def ruling_mark_hand(table: Table, act: MarkHand, asked: Command) -> Effect | str:
    """Say of which sort the open hand is, or without one the next."""
    hand = meant(table, asked.hand)
    if hand is not table.hand:
        return "moved-on"
    if act.sort is (table.next_sort if hand is None else hand.sort):
        return "nothing-to-do"
    if hand is not None and _moves_stakes(table, hand, act.sort):
        return Refusal.STAKES_CLOSED.value

    def effect() -> None:
        if hand is None:
            table.next_sort = act.sort
        else:
            table.rewrite(replace(hand, sort=act.sort))
        table.tell(FactName.HAND_MARKED, hand, sort=act.sort, by=table.item.by)

    return effect


def _moves_stakes(table: Table, hand: Hand, sort: Sort) -> bool:
    """Whether this marking would give closed stakes back, or lay some on a hand begun without (R-000-07, IR-01).

    A hand that is not played for money carries no bets, so what it is worth is settled with its first card.
    """
    bank = table.bank
    if bank is None or (hand.sort is Sort.NORMAL) is (sort is Sort.NORMAL):
        return False
    if table.staked != hand.ref:
        return sort is Sort.NORMAL
    return bank.stage is not Stage.CLOSED or bank.claim is not None or any(stake.amount for stake in bank.stakes)


@rules(OpenTable)
def ruling_open_table(table: Table, act: OpenTable, asked: Command) -> Effect | str:
    """Open the table for a gaming day."""
    if not GAMING_DAY.fullmatch(act.day):
        return "bad-day"
    if table.day.open and table.day.day == act.day and table.day.limits == act.limits:
        return "nothing-to-do"

    def effect() -> None:
        table.day = replace(table.day, open=True, day=act.day, limits=act.limits)
        table.tell(FactName.TABLE_OPENED, None, day=act.day, limits=act.limits, by=table.item.by)

    return effect


@rules(CloseTable)
def ruling_close_table(table: Table, act: CloseTable, asked: Command) -> Effect | str:
    """Close the table; a card dealt after that is an incident."""
    if table.hand is not None or table.unsettled:
        return "hand-open"
    if not table.day.open:
        return "nothing-to-do"

    def effect() -> None:
        table.day = replace(table.day, open=False, dealer="", supervisor="")
        table.tell(FactName.TABLE_CLOSED, None, day=table.day.day, by=table.item.by)

    return effect


@rules(OnDuty)
def ruling_on_duty(table: Table, act: OnDuty, asked: Command) -> Effect | str:
    """Put a person on a post, or take one off."""
    before: str = getattr(table.day, act.post.value)
    if before == act.staff:
        return "nothing-to-do"

    def effect() -> None:
        dealer = act.staff if act.post is Post.DEALER else table.day.dealer
        supervisor = act.staff if act.post is Post.SUPERVISOR else table.day.supervisor
        table.day = replace(table.day, dealer=dealer, supervisor=supervisor)
        table.tell(FactName.DUTY_CHANGED, table.hand, post=act.post, staff=act.staff, before=before, by=table.item.by)

    return effect
