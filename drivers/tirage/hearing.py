"""What a session gives out: what was heard, where it stands, what it counted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.core.signals import BytesDamaged, Damage
from drivers.tirage.ordering import Missing, Restarted


class State(Enum):
    """Where the session stands. Only LIVE is live."""

    CLOSED = "the port is not open"
    OPENING = "asking for a session"
    STARTING = "catching up"
    LIVE = "live"
    REFUSED = "refused"


@dataclass(slots=True)
class Counts:
    """Figures of a session object, over all its connections."""

    frames: int = 0
    events: int = 0
    noise_bytes: int = 0
    bad_checksums: int = 0
    stale: int = 0  # frames of another connection
    repeated: int = 0  # frames and events that had come before, or too late
    forged: int = 0  # frames with a wrong tag or none
    ignored: int = 0  # unknown and optional
    unknown: int = 0  # a payload that says nothing known
    doubled_cards: int = 0  # cards that came again under another event number
    gaps: int = 0
    missing: int = 0
    asked_again: int = 0
    own_bytes: int = 0  # frames of ours that came back
    connections: int = 0


def span_text(what: str, first: int, last: int) -> str:
    """Return `card 7` or `cards 7 to 9`."""
    return f"{what} {first}" if first == last else f"{what}s {first} to {last}"


def lost_events(missing: Missing, known: int | None, then: int) -> BytesDamaged:
    """Return the gap; ``known`` is the last card number heard, ``then`` the one after the gap."""
    detail = f"{span_text('event', missing.first, missing.last)} cannot be had any more"
    if known is not None and then >= known:  # lower: fresh cards were loaded meanwhile
        told = f"{span_text('card', known + 1, then)} unknown" if then > known else "no card among them"
        return BytesDamaged(Damage.GAP, missing.size, lost=missing.size, detail=f"{detail}: {told}", cards=then - known)
    return BytesDamaged(Damage.GAP, missing.size, lost=missing.size, detail=detail)


def restarted(what: Restarted, known: int | None, card: int) -> BytesDamaged:
    """Return the damage that a shoe does that counts anew; ``card`` is where it stands.

    How many cards left it meanwhile nobody can know.
    """
    lost = max(1, what.had_heard - what.stood_at)
    tail = "cannot be compared"
    if what.compared:
        tail = f"{what.differing} of {what.compared} differ" if what.differing else f"all {what.compared} agree"
    stands = f"it stands at event {what.stood_at}, card {card}; event {what.had_heard}, card {known} had been heard"
    return BytesDamaged(Damage.BACKWARDS, lost, lost=lost, detail=f"shoe restarted: {stands}; the last events {tail}")


def card_jumped(known: int, number: int, before: int) -> BytesDamaged:
    """Return the damage between card numbers that do not follow each other though the events do.

    ``number`` is that of the event, ``before`` the one that the shoe stood at before it.
    """
    told = f"card {number} after {known}: the shoe's count went"
    if (lost := before - known) > 0:
        return BytesDamaged(Damage.GAP, lost, lost=lost, detail=f"{told} ahead: {lost} unknown between", cards=lost)
    size = max(1, known - number)
    return BytesDamaged(Damage.BACKWARDS, size, lost=size, detail=f"{told} back: shoe restarted")


def loaded_with(number: int) -> BytesDamaged:
    """Return the gap of a shoe that was loaded and does not count from nothing: whose cards those are nobody knows."""
    detail = f"card {number} as the shoe was loaded: it does not count from 0"
    return BytesDamaged(Damage.GAP, number, lost=number, detail=detail)


def no_shoe(counts: Counts, bytes_came: int, *, listens: bool = False) -> str:
    """Return why no session comes about, as far as the bytes tell; ``listens`` where another host asks."""
    if listens and counts.frames:
        return "frames come, and are heard once the host that owns the line opens a session anew"
    if counts.own_bytes:
        return "our own bytes come back: the lines are joined, no shoe answers"
    if bytes_came and not counts.frames:
        return f"no shoe protocol: {bytes_came} bytes and no frame among them; is the speed right?"
    if bytes_came:
        return "frames come, but no answer to ours: is the line to the shoe whole?"
    return "nothing comes from the port"
