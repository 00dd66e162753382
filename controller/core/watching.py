"""From a table to what the pit and surveillance may know of it."""

from __future__ import annotations

from controller.core.cards import DECK
from controller.core.facts import Audience
from controller.core.incidents import BY_HAND, CARDS, CLOCK_STEPPED, KINDS, Incident, Item
from controller.core.table import Table
from controller.core.views import DutyView, IncidentView, PitView, PublicView, Sentence, SurveillanceView
from controller.core.words import iso

AGAIN = frozenset({"silence", CLOCK_STEPPED})  # kinds that are counted in the open incident
HOUR_NS = 3_600 * 1_000_000_000
QUICKEST_HAND_NS = 1_000_000_000  # hands closed faster than this were told late, all at once: they have no pace


def pit_view(table: Table, public: PublicView) -> PitView:
    """Return a tile of the pit page."""
    incidents = tuple(incident_view(public.table, incident) for incident in table.incidents.values())
    day = table.day
    duty = DutyView(day.day, day.limits, day.dealer, day.supervisor, table.shoe.serial)
    return PitView(public, hands_per_hour(table), incidents, duty)


def incident_view(ident: str, incident: Incident) -> IncidentView:
    """Return an incident for the pit."""
    gravest = sorted(incident.items, key=lambda item: KINDS[item.kind].level is not incident.level)
    first, *more = (sentence for item in gravest for sentence in (said(item), *owes(item)))
    return IncidentView(
        id=incident.id,
        table=ident,
        shoe=incident.shoe,
        hand=incident.hand,
        level=incident.level.value,
        sentence=first,
        since_utc_ns=incident.at.utc_ns,
        more=tuple(more),
        escalated=incident.escalated,
        acknowledged_by=incident.acknowledged_by,
        note=incident.note,
        reviewed_by=incident.reviewed_by,
    )


def said(item: Item) -> Sentence:
    """Return what happened; the pit learns of an alarm, not of what it says."""
    if KINDS[item.kind].audience is Audience.SURVEILLANCE:
        return Sentence("incident.alarm")
    if item.detail.endswith(CARDS):
        return Sentence("incident.cards-lost", (("n", item.detail.removesuffix(CARDS)),), item.rule)
    if item.kind in AGAIN and item.detail.isdigit():
        time = (iso(item.at.utc_ns) or "")[11:19]
        return Sentence(f"incident.{item.kind}-again", (("n", item.detail), ("time", time)))
    return Sentence(f"incident.{item.kind}", (), item.rule)


def owes(item: Item) -> tuple[Sentence, ...]:
    """Return who gives and who gets what, where an item tells that people must settle it between themselves."""
    if item.kind != BY_HAND:
        return ()
    return tuple(_owes(*part.rsplit(" ", 1)) for part in item.detail.split(", "))


def _owes(name: str, amount: str) -> Sentence:
    does = "gives" if amount.startswith("-") else "gets"
    sum_ = ("amount", amount.removeprefix("-"))
    kind, _, place = name.partition(":")
    if place:
        return Sentence(f"owed.{kind}-{does}", (("n", place), sum_))
    return Sentence(f"owed.{does}", (("account", name), sum_))


def hands_per_hour(table: Table) -> int | None:
    """Return the pace over the hands of the last hour before the latest one; None where no pace can be told."""
    if len(table.closed_at) < 2:
        return None
    recent = [at for at in table.closed_at if table.closed_at[-1] - at < HOUR_NS]
    hands, took = len(recent) - 1, recent[-1] - recent[0]
    if not hands or took < hands * QUICKEST_HAND_NS:
        return None
    return round(hands * HOUR_NS / took)


def surveillance_view(table: Table, pit: PitView) -> SurveillanceView:
    """Return what only surveillance sees."""
    hand = table.hand
    faces = (
        tuple((seat, tuple(laid.card for laid in hand.laid if laid.seat is seat)) for seat in table.game.seats)
        if hand
        else ()
    )
    return SurveillanceView(
        pit=pit,
        faces=faces,
        composition=tuple((card, table.shoe.counts[card]) for card in DECK),
        unknown=table.shoe.unknown,
        unheard=table.shoe.unheard,
        doubtful=table.shoe.doubtful,
        out=len(table.shoe.faces),
        left=table.shoe.left,
        alarms=tuple(
            IncidentView(
                id=f"alarm-{number}",
                table=pit.public.table,
                shoe=table.shoe.number,
                hand=alarm.hand.number if alarm.hand else None,
                level="alert",
                sentence=Sentence(f"incident.{alarm.kind}", (("detail", alarm.detail),)),
                since_utc_ns=alarm.at.utc_ns,
            )
            for number, alarm in enumerate(table.alarms, 1)
        ),
        unnamed=tuple(laid.card for laid in hand.laid if laid.seat is None) if hand else (),
        acknowledged=tuple(incident_view(pit.public.table, incident) for incident in table.acknowledged.values()),
    )
