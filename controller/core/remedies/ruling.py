"""A remedy is chosen: the hand is put right in the same machine, and goes on or ends there."""

from __future__ import annotations

from dataclasses import replace

from controller.core.banking import reopen_stakes
from controller.core.closing import check_result, close_if_due, close_unsettled, finish, void
from controller.core.facts import Audience, FactName
from controller.core.hand import Hand
from controller.core.inputs import Apply, Command, Post, Sanction
from controller.core.judgement import Finding
from controller.core.machine import Trigger
from controller.core.offers import choices
from controller.core.remedies.effects import CAUSES, Ruled
from controller.core.rulings import Effect, meant, rules
from controller.core.table import Carry, Table


@rules(Apply)
def ruling_apply(table: Table, act: Apply, asked: Command) -> Effect | str:
    """Apply one of the house's remedies to the open hand, or to one that waits to be settled."""
    hand = meant(table, asked.hand)
    if hand is None:
        return "moved-on"
    refused = _not_the_houses(table, act) or _not_the_deciders(table, act)
    if refused or table.asks_whose():
        return refused or "answer-first"
    ruled = CAUSES[act.remedy](table.game, hand, act)
    if isinstance(ruled, str):
        return ruled
    if ruled.carried and hand is not table.hand:
        return "bad-layout"
    return lambda: _apply(table, hand, act, ruled)


def _not_the_houses(table: Table, act: Apply) -> str:
    """Why the house has not this remedy for this irregularity, or not this sanction (D12); empty where it has."""
    situation = table.house.situations.get(act.irregularity)
    if situation is None:
        return "unknown-irregularity"
    of_this_house = act.remedy in {*table.house.allowed(situation), *choices(table.house, situation)}
    of_this_house &= act.sanction in {Sanction.NONE, *table.house.sanctions}
    return "" if of_this_house else "not-of-this-house"


def _not_the_deciders(table: Table, act: Apply) -> str:
    """Why the person may not decide: who deals does not rule where a supervisor is to; with accounts roles say more."""
    day = table.day
    dealer_alone = table.item.by == f"staff:{day.dealer}" and day.dealer != day.supervisor
    supervisors = table.house.decider(act.irregularity) is Post.SUPERVISOR
    return "supervisor-decides" if supervisors and dealer_alone else ""


def _apply(table: Table, hand: Hand, act: Apply, ruled: Ruled) -> None:
    amends = table.house.situations[act.irregularity].amends
    table.tell(
        FactName.REMEDY_APPLIED,
        hand,
        audience=Audience.PUBLIC,
        irregularity=act.irregularity,
        remedy=act.remedy,
        seat=act.seat,
        sanction=act.sanction,
        bets_open=bool(amends),
        out=tuple(str(laid.card) if laid.exposed and laid.card else None for laid in ruled.out),
        by=table.item.by,
    )
    if ruled.shoe_ends:
        table.shoe.end()
    if ruled.void:
        void(table, hand, by=table.item.by)
        if table.hand is None:
            table.catch_up()
        return
    reopen_stakes(table, amends)
    table.rewrite(_kept_in_mind(table, hand, ruled))
    _take_out(table, ruled)
    _go_on(table, hand)


def _kept_in_mind(table: Table, hand: Hand, ruled: Ruled) -> Hand:
    """Note what the cards proved before they were put right: that it happened stays a fact."""
    game = table.game
    now = ruled.hand
    proved = now.judged(game).findings
    known = {(one.irregularity.kind, one.irregularity.seat) for one in (*proved, *now.noted)}
    before = tuple(
        one for one in hand.judged(game).findings if (one.irregularity.kind, one.irregularity.seat) not in known
    )
    said = {(one.irregularity.kind, one.irregularity.seat) for one in proved} if ruled.stands else set()
    for found in proved if ruled.stands else ():
        _admit(table, hand, found)
    return replace(now, noted=(*now.noted, *before), said=now.said | said)


def _admit(table: Table, hand: Hand, found: Finding) -> None:
    """Tell of what is let stand, where it was not told before."""
    one = found.irregularity
    if (one.kind, one.seat) not in hand.said:
        table.tell(FactName.IRREGULARITY_FOUND, hand, kind=one.kind, seat=one.seat, rule=one.rule)
        table.report(one.kind, hand, one.seat, one.rule or "")


def _take_out(table: Table, ruled: Ruled) -> None:
    table.shoe.off_game += len(ruled.out)
    if ruled.carried is not None:
        table.carries(*table.carried, Carry(ruled.carried.place, ruled.carried.card, ruled.carried.exposed))
    if ruled.sort is not None:
        table.next_sort = ruled.sort


def _go_on(table: Table, hand: Hand) -> None:
    """Lift what was settled, hold what is still wrong, and let the machine go on."""
    now = table.current(hand)
    # What the shoe itself has still to end stays, and so does the question who took a card.
    settled = frozenset(hold.id for hold in now.holds if hold.kind not in {*table.errors, "taker-unknown"})
    table.lift(hand, settled)
    for found in table.current(hand).judged(table.game).irregularities:
        table.raise_(found.kind, hand, seat=found.seat, rule=found.rule or "")
    if table.current(hand).called is not None:
        check_result(table, table.current(hand))
    if hand.ref in table.unsettled:
        close_unsettled(table, hand)
        return
    table.move(Trigger.SHOW)
    if table.current(hand).ended:
        finish(table, hand)
        return
    close_if_due(table)
