"""Hands, shoes and incidents that the journal tells of, without a face that players have not seen."""

from __future__ import annotations

from controller.api.records import DealtSeat, Found, HandRecord, Hands, ShoeRecord, Verdict
from controller.api.shaping import spot
from controller.core.cards import Seat
from controller.core.facts import Audience, Irregularity
from controller.core.hand import Laid
from controller.core.incidents import KINDS
from controller.core.showing import spot_view
from controller.core.views import IncidentView
from controller.core.watching import incident_view
from controller.core.words import iso
from controller.recall.hand import NoSuchHand
from controller.recall.report import report
from controller.recall.story import Story
from controller.recall.tracks import Track
from controller.recall.tracks import Verdict as Told

MOST_HANDS = 200


def one_hand(story: Story, number: int) -> HandRecord:
    """Return a hand. Raises NoSuchHand."""
    track = story.hands.get(number)
    if track is None:
        raise NoSuchHand(f"shoe {story.number} has no hand {number}")
    return hand_of(story, track)


def hands_after(story: Story, table: str, after: int, most: int) -> Hands:
    """Return the hands after a number, in order."""
    hands = story.hands
    numbers = sorted(number for number in hands if number > after)
    shown = numbers[:most]
    return Hands(
        table=table,
        shoe=story.number,
        hands=tuple(hand_of(story, hands[number]) for number in shown),
        next_after=shown[-1] if len(numbers) > most else None,
    )


def hand_of(story: Story, track: Track) -> HandRecord:
    """Return a hand as players saw it, with its results and who gave them."""
    hand, last = track.hand, track.verdicts[-1] if track.verdicts else None
    judged = hand.judged(story.state.game)
    seats = story.state.game.seats
    return HandRecord(
        shoe=story.number,
        hand=hand.number,
        hand_ref=hand.ref,
        sort=hand.sort.value,
        source=hand.source.value,
        open=not track.closed,
        seats=tuple(seat_of(hand.laid, seat, points) for seat, points in zip(seats, judged.totals, strict=True)),
        loose=tuple(spot(spot_view(one)) for one in hand.laid if one.seat is None),
        result=last.line.result.value if last and last.line.result else None,
        recorded=last.line.recorded if last else None,
        void=bool(last and last.void),
        irregularities=tuple(map(found, filter(is_open, last.line.irregularities))) if last else (),
        verdicts=tuple(map(verdict, track.verdicts)),
        opened=iso(track.opened.utc_ns),
        closed=iso(track.verdicts[0].at.utc_ns) if track.verdicts else None,
    )


def seat_of(laid: tuple[Laid, ...], seat: Seat, points: int | None) -> DealtSeat:
    """Return the cards of a seat."""
    mine = tuple(spot(spot_view(one)) for one in laid if one.seat is seat)
    return DealtSeat(seat=seat.value, spots=mine, points=points)


def is_open(irregularity: Irregularity) -> bool:
    """Whether more people than surveillance may know of it."""
    return KINDS[irregularity.kind].audience is not Audience.SURVEILLANCE


def found(irregularity: Irregularity) -> Found:
    """Return something that is wrong with a hand."""
    return Found(
        kind=irregularity.kind,
        seat=irregularity.seat.value if irregularity.seat else None,
        rule=irregularity.rule,
        disposal=irregularity.disposal.value if irregularity.disposal else None,
    )


def verdict(told: Told) -> Verdict:
    """Return a result as it was closed or corrected."""
    return Verdict(
        result=told.outcome,
        void=told.void,
        at=iso(told.at.utc_ns),
        by=told.by.removeprefix("staff:"),
        reason=told.reason,
    )


def shoe_of(story: Story, table: str) -> ShoeRecord:
    """Return the figures of a shoe."""
    told = report(story)
    same = {name: getattr(told, name) for name in ShoeRecord.model_fields if name not in {"table", "hands"}}
    return ShoeRecord(table=table, hands=len(told.hands), **same)


def incidents_of(story: Story, table: str) -> tuple[IncidentView, ...]:
    """Return all incidents of a shoe."""
    return tuple(incident_view(table, incident) for incident in story.incidents.values())
