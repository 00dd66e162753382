"""A remedy is chosen: the hand is put right in the same machine, and goes on or ends there."""

from __future__ import annotations

from dataclasses import replace

from controller.core.banking import close_reopened, reopen_stakes
from controller.core.closing import check_result, close_if_due, close_unsettled, finish, void
from controller.core.facts import Audience, FactName
from controller.core.hand import Hand, Laid
from controller.core.inputs import Apply, Command, Sanction
from controller.core.judgement import Finding
from controller.core.machine import Trigger
from controller.core.offers import choices
from controller.core.remedies.bets import EXPOSES, bets_first, reopens
from controller.core.remedies.effects import CAUSES, FACE_UNKNOWN, Ruled
from controller.core.remedies.situations import Remedy
from controller.core.remedies.triggers import OPENED, lacking
from controller.core.rulings import Effect, meant, not_the_deciders, rules
from controller.core.shoe import Stage
from controller.core.stock import too_few
from controller.core.table import Carry, Table

NEEDS = "needs-"  # before the name of what a situation lacks


@rules(Apply)
def ruling_apply(table: Table, act: Apply, asked: Command) -> Effect | str:
    """Apply one of the house's remedies to the open hand, or to one that waits to be settled."""
    hand = meant(table, asked.hand)
    if hand is None and not too_few(table):
        return "moved-on"
    refused = _not_the_houses(table, act) or not_the_deciders(table, act.irregularity)
    if hand is None:
        return refused or _before_a_hand(table, act)
    if refused or table.asks_whose():
        return refused or "answer-first"
    return _ruled(table, hand, act)


def _ruled(table: Table, hand: Hand, act: Apply) -> Effect | str:
    """Hold the remedy against the cards and what its situation needs; a preview may lack a face that the act has."""
    ruled = CAUSES[act.remedy](table.game, hand, act)
    if isinstance(ruled, str) and ruled != FACE_UNKNOWN:
        return ruled
    lacks = lacking(table.game, hand, table.house.situations[act.irregularity], act)
    if lacks is not None:
        return f"{NEEDS}{lacks.value}"
    if bets_first(table, hand, act):
        return lambda: _open_bets(table, hand, act)
    if isinstance(ruled, str):
        return ruled
    if ruled.carried and hand is not table.hand:
        return "bad-layout"
    return lambda: _apply(table, hand, act, ruled)


def _before_a_hand(table: Table, act: Apply) -> Effect | str:
    """With too few cards for a hand none is begun: before card 1 the shoe ends (IR-13, R-000-06, R-003-18)."""
    if act.remedy is not Remedy.END_SHOE:
        return "moved-on"
    if table.shoe.stage is Stage.FINISHED:
        return "nothing-to-do"

    def effect() -> None:
        _tell(table, None, act)
        table.shoe.end()

    return effect


def _not_the_houses(table: Table, act: Apply) -> str:
    """Why the house has not this remedy for this irregularity, or not this sanction (D12); empty where it has."""
    situation = table.house.situations.get(act.irregularity)
    if situation is None:
        return "unknown-irregularity"
    of_this_house = act.remedy in {*table.house.allowed(situation), *choices(table.house, situation)}
    of_this_house &= act.sanction in {Sanction.NONE, *table.house.sanctions}
    return "" if of_this_house else "not-of-this-house"


def _open_bets(table: Table, hand: Hand, act: Apply) -> None:
    rule = reopens(table, hand, act)
    _tell(table, hand, act, rule)
    reopen_stakes(table, hand, rule)
    table.rewrite(replace(hand, said=hand.said | {OPENED}))


def _tell(table: Table, hand: Hand | None, act: Apply, rule: str = "", out: tuple[Laid, ...] = ()) -> None:
    table.tell(
        FactName.REMEDY_APPLIED,
        hand,
        audience=Audience.PUBLIC,
        irregularity=act.irregularity,
        remedy=act.remedy,
        seat=act.seat,
        sanction=act.sanction,
        bets_open=bool(rule),
        out=tuple(str(laid.card) if laid.exposed and laid.card else None for laid in out),
        by=table.item.by,
    )


def _apply(table: Table, hand: Hand, act: Apply, ruled: Ruled) -> None:
    rule = reopens(table, hand, act)
    _tell(table, hand, act, rule, ruled.out)
    if ruled.shoe_ends:
        table.shoe.end()
    if ruled.void:
        void(table, hand, by=table.item.by)
        if table.hand is None:
            table.catch_up()
        return
    if rule:
        reopen_stakes(table, hand, rule)
    elif act.remedy in EXPOSES:
        close_reopened(table, hand)  # nobody bets on cards that are shown
    settled = _settled(table, hand, act, ruled)
    table.rewrite(_kept_in_mind(table, hand, act, ruled))
    _take_out(table, ruled)
    _go_on(table, hand, settled)


def _settled(table: Table, hand: Hand, act: Apply, ruled: Ruled) -> frozenset[str]:
    """Return the holds that this remedy lifts: those its situation is about, and those whose proof is gone.

    What is still wrong stays, and so does what the shoe has to end and the question who took a card.
    """
    kinds = set(table.house.situations[act.irregularity].kinds)
    was = {(one.kind, one.seat) for one in hand.judged(table.game).irregularities}
    still = {(one.kind, one.seat) for one in ruled.hand.judged(table.game).irregularities}
    gone = was - still
    lifted = set()
    for hold in hand.holds:
        stays = not ruled.stands and (hold.kind, hold.seat) in still
        of_this = hold.kind in kinds and not stays
        if (of_this or (hold.kind, hold.seat) in gone) and hold.kind not in {*table.errors, "taker-unknown"}:
            lifted.add(hold.id)
    return frozenset(lifted)


def _kept_in_mind(table: Table, hand: Hand, act: Apply, ruled: Ruled) -> Hand:
    """Note what the cards proved before they were put right: that it happened stays a fact."""
    game = table.game
    now = ruled.hand
    proved = now.judged(game).findings
    known = {(one.irregularity.kind, one.irregularity.seat) for one in (*proved, *now.noted)}
    before = tuple(
        one for one in hand.judged(game).findings if (one.irregularity.kind, one.irregularity.seat) not in known
    )
    kinds = table.house.situations[act.irregularity].kinds
    was = hand.judged(game).irregularities  # what the ruling itself makes of the cards that lie there stands too
    stands = tuple(
        one for one in proved if ruled.stands and (one.irregularity.kind in kinds or one.irregularity not in was)
    )
    said = {(one.irregularity.kind, one.irregularity.seat) for one in stands}
    for found in stands:
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


def _go_on(table: Table, hand: Hand, settled: frozenset[str]) -> None:
    """Lift what was settled, hold what is still wrong, and let the machine go on."""
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
