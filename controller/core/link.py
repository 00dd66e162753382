"""What the link and the recorder tell: opened, lost, damaged bytes, silence, a restart."""

from __future__ import annotations

from dataclasses import replace

from controller.core.errors import again
from controller.core.facts import Audience, FactName
from controller.core.hand import Source
from controller.core.incidents import CARDS, Level
from controller.core.inputs import Elapsed, Started, Timer
from controller.core.shoelife import propose_shoe
from controller.core.signals import BytesDamaged, Damage, LinkLost, LinkOpened, LinkProved, LinkResumed, WhyLost
from controller.core.skipped import count_lost
from controller.core.table import Link, LinkLevel, Table, handles

NS_PER_S = 1_000_000_000
NO_FRAMES = "no-frames"
LEVELS = {None: None, False: LinkLevel.UNAUTHENTICATED, True: LinkLevel.AUTHENTIC}
HEALED = frozenset({"link-lost", "restarted"})  # holds that end once it is proved that nothing was missed
# Nobody has to release these: the shoe's own proof, or another configuration, lets it in.
TURNED_AWAY = frozenset({WhyLost.PINNED, WhyLost.OTHER_SHOE, WhyLost.TOO_LOW, WhyLost.NO_KEY, WhyLost.READS_AHEAD,
                         WhyLost.NO_RESULTS, WhyLost.NO_BURN, WhyLost.NO_CUT_CARD})  # fmt: skip
HOLDS = {
    Damage.GAP: "link-gap",
    Damage.COPIES: "copy-conflict",
    Damage.UNKNOWN_FRAME: "unknown-frame",
    Damage.BACKWARDS: "count-back",
}


@handles(LinkOpened)
def link_opened(table: Table, opened: LinkOpened) -> None:
    """The link is open; the shoe's first word makes it live, or its proof where it gives one."""
    table.link, table.link_reason, table.link_why = Link.SYNCING, "", None
    table.link_level = LEVELS[opened.authenticated]
    if opened.authenticated and opened.identity not in table.proved:
        table.proved = (*table.proved, opened.identity)
    table.tell(FactName.LINK_CHANGED, table.hand, link=table.link, detail=opened.identity)
    _see_another(table, opened)


def _see_another(table: Table, opened: LinkOpened) -> None:
    """A shoe that names itself comes after one whose record is closed: a new shoe, though it loaded unheard (B 4)."""
    if opened.authenticated is None:
        return
    if table.shoe.closed and table.hand is None and table.device not in ("", opened.identity):
        propose_shoe(table)
    table.device = opened.identity


@handles(LinkLost)
def link_lost(table: Table, lost: LinkLost) -> None:
    """The port is gone: cards may be dealt that nobody hears of, so an open hand is unproved (faults.md A 6)."""
    was, table.link = table.link, Link.NOT_LIVE
    table.link_level, table.link_why = None, lost.why
    if lost.held and not any("shoe-refused" in incident.kinds for incident in table.incidents.values()):
        table.report("shoe-refused", None, detail=lost.reason)
    _tell_turned_away(table, lost)
    if (was, table.link_reason) == (Link.NOT_LIVE, lost.reason):
        return
    table.link_reason = lost.reason
    table.tell(FactName.LINK_CHANGED, table.hand, link=table.link, detail=lost.reason)
    if table.hand is not None:
        again(table, table.hand, "link-lost")
        table.raise_("link-lost", table.hand)
    elif was in (Link.LIVE, Link.SYNCING):
        table.raise_("link-down", None, detail=lost.reason)


def _tell_turned_away(table: Table, lost: LinkLost) -> None:
    """Keep that a device was turned away for who it is, also once it is gone; one incident until somebody saw it."""
    known = (item for incident in table.incidents.values() for item in incident.items)
    if lost.why in TURNED_AWAY and not any((i.kind, i.detail) == ("shoe-turned-away", lost.reason) for i in known):
        table.report("shoe-turned-away", None, detail=lost.reason)


@handles(LinkProved)
def link_proved(table: Table, proved: LinkProved) -> None:
    """The shoe has told all."""
    table.link, table.link_reason = Link.LIVE, ""
    table.tell(FactName.LINK_CHANGED, table.hand, link=table.link, detail="")


@handles(LinkResumed)
def link_resumed(table: Table, resumed: LinkResumed) -> None:
    """Nothing was missed while the link was away: a hand held for that alone goes on (faults.md B 1, 27)."""
    for hand in (table.hand, *table.unsettled.values()):
        if hand is not None:
            table.lift(hand, frozenset(hold.id for hold in table.current(hand).holds if hold.kind in HEALED))


@handles(BytesDamaged)
def bytes_damaged(table: Table, damaged: BytesDamaged) -> None:
    """Bytes that made no event; where one may have been lost with them the hand is unproved (faults.md A 2-5, 8).

    Behind cards that wait for a person's answer a loss is told and holds at once, and is counted where it came.
    """
    if not table.catching_up:
        _tell(table, damaged)
    if not damaged.lost:
        return
    kind = HOLDS.get(damaged.damage, "link-gap")
    waits = bool(table.deferred) and table.deferring()
    if not waits:
        _count(table, damaged, kind)
    if damaged.damage is Damage.GAP and _told_by_people(table):
        return
    if not table.catching_up:
        again(table, table.hand, kind)
    if table.hand is not None or not table.catching_up:
        # The bytes may hold a face: they stay with surveillance.
        table.raise_(kind, table.hand, detail=f"{damaged.cards}{CARDS}" if damaged.cards else "")


def _tell(table: Table, damaged: BytesDamaged) -> None:
    table.tell(
        FactName.LINK_FAULT,
        table.hand,
        audience=Audience.SURVEILLANCE,
        kind=damaged.damage,
        bytes=damaged.size,
        detail=damaged.detail,
    )


def _count(table: Table, damaged: BytesDamaged, kind: str) -> None:
    count_lost(table, damaged)
    if damaged.damage is not Damage.UNKNOWN_FRAME or damaged.cards:
        table.gap += damaged.lost if damaged.cards is None else damaged.cards
        table.gap_kind = kind


def _told_by_people(table: Table) -> bool:
    """Whether the hands that nobody heard of were entered by a person; a card of a later one shows by its spot."""
    return table.hand is None and bool(table.records) and table.results[-1].hand.source is not Source.SHOE


@handles(Elapsed)
def elapsed(table: Table, ran_out: Elapsed) -> None:
    """A timer ran out (faults.md A 7, 32; B 15)."""
    match ran_out.timer:
        case Timer.SILENCE if table.link in (Link.LIVE, Link.SYNCING):
            if table.link_reason != NO_FRAMES:
                table.link_reason = "silent"
                table.tell(FactName.LINK_CHANGED, table.hand, link=table.link, detail="silent")
            _report_silence(table, ran_out)
        case Timer.NO_FRAMES if table.link in (Link.LIVE, Link.SYNCING):
            table.link, table.link_reason = Link.SYNCING, NO_FRAMES
            table.tell(FactName.LINK_CHANGED, table.hand, link=table.link, detail=NO_FRAMES)
            table.raise_(NO_FRAMES, None)
        case Timer.BAD_LINE:
            table.raise_("bad-line", None)
        case Timer.ESCALATION:
            escalate(table)
        case Timer.NO_RESULT if table.hand is not None:
            table.raise_("no-result", table.hand)
        case _:
            pass


def _report_silence(table: Table, ran_out: Elapsed) -> None:
    """Open an incident, or count once more in the one that nobody has seen yet."""
    if not (ran_out.joins and table.report_again("silence")):
        table.raise_("silence", None)


@handles(Started)
def started(table: Table, start: Started) -> None:
    """The recorder started again: what happened meanwhile is not known, so an open hand is unproved."""
    table.link, table.link_reason, table.link_why, table.link_level = Link.CLOSED, "", None, None
    if table.hand is not None:
        again(table, table.hand, "restarted")
        table.raise_("restarted", table.hand)
    elif table.shoe.openings and not table.shoe.closed:
        table.report("recorder-restarted", None)


def escalate(table: Table) -> None:
    """Raise the voice over alerts that nobody has acknowledged in time."""
    due_ns = (table.now.utc_ns or 0) - table.house.escalate_s * NS_PER_S
    for incident in list(table.incidents.values()):
        if incident.level is Level.ALERT and not incident.escalated and (incident.at.utc_ns or 0) <= due_ns:
            table.incidents[incident.id] = replace(incident, escalated=True)
            table.tell(FactName.INCIDENT_ESCALATED, None, id=incident.id, kind=incident.kind, of=incident.hand)
