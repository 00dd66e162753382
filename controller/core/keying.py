"""What a person tells of the cards: a face keyed, cards turned, whose the next cards are."""

from __future__ import annotations

from dataclasses import replace

from controller.core.closing import close, close_if_due, end, expose, set_aside
from controller.core.expecting import strange_seat
from controller.core.facts import Audience, FactName
from controller.core.hand import Hand, Laid
from controller.core.inputs import Command, KeyCard, NewHand, RestOfHand, Turned
from controller.core.judgement import Next
from controller.core.laying import lay, lay_turned, lay_whole_deal, show
from controller.core.rulings import Effect, meant, rules
from controller.core.skipped import keyed_place
from controller.core.slides import NOT_READ_HOLDS
from controller.core.table import Table

# Holds under which a card may lie on the felt that nobody heard of.
MAY_LOSE_CARDS = frozenset({"link-gap", "copy-conflict", "unknown-frame", "count-back", "link-lost", "restarted"})


@rules(KeyCard)
def ruling_key_card(table: Table, act: KeyCard, asked: Command) -> Effect | str:
    """Key the face of a card that the shoe could not read, or that is in doubt while the hand is held."""
    hand = meant(table, asked.hand)
    if hand is None:
        return "moved-on"
    if refused := strange_seat(table.game, (act.seat,)):
        return refused
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
    table.lift(hand, frozenset(hold.id for hold in hand.holds if hold.id in settled or hold.kind in NOT_READ_HOLDS))
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
        table.lift(hand, frozenset(hold.id for hold in hand.holds if hold.kind in NOT_READ_HOLDS))
        table.gap = max(0, table.gap - 1)  # a card that was lost on the way, or one that comes late
        place = keyed_place(table, act.card)
        lay(table, Laid(act.seat, act.index, place, act.card, exposed=True, keyed=True))

    return effect


@rules(RestOfHand)
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


@rules(NewHand)
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


@rules(Turned)
def ruling_turned(table: Table, act: Turned, asked: Command) -> Effect | str:
    """The cards were turned on the felt: their faces are public from here."""
    hand = meant(table, asked.hand)
    if hand is None or hand is not table.hand:
        return "moved-on"
    if hand.ended or not (table.game.asks_taker or any(laid.card and not laid.exposed for laid in hand.laid)):
        return "nothing-to-do"
    if table.asks_whose():
        return "answer-first"
    if len(hand.laid) < hand.dealt_out(table.game):
        return "deal-first"  # nobody looks before all have their cards (R-000-05, R-002-14, R-004-07)

    def effect() -> None:
        table.tell(FactName.HAND_TURNED, hand, audience=Audience.PUBLIC, by=table.item.by)
        if table.game.asks_taker:
            end(table, hand)
            lay_whole_deal(table)
            return
        _turn(table, hand)

    return effect


def _turn(table: Table, hand: Hand) -> None:
    """Turn the deal; what came face down behind it goes where the rules have it, now that all see the faces."""
    behind = hand.unplaced(table.game)
    if behind:
        table.rewrite(replace(hand, laid=tuple(laid for laid in hand.laid if laid not in behind)))
    table.moving = behind
    expose(table, table.current(hand))
    close_if_due(table)
    while table.moving:
        laid, *later = table.moving
        table.moving = tuple(later)
        lay_turned(table, laid)
