"""Games in which people decide: who takes a card, and a hand whose close was forgotten."""

from __future__ import annotations

from dataclasses import replace

from controller.core.cards import Seat
from controller.core.closing import end, finish, judge_cards, set_aside
from controller.core.deciding import taker_of
from controller.core.expecting import strange_seat
from controller.core.facts import Audience, FactName
from controller.core.games import Game
from controller.core.hand import Hand, Laid
from controller.core.inputs import Command, OpenedNext, Takes
from controller.core.laying import lay_again
from controller.core.machine import Trigger
from controller.core.rulings import Effect, meant, not_the_deciders, rules
from controller.core.table import Table
from controller.core.takers import placings
from controller.core.unturning import DECIDED_AS, go_on, may_take
from controller.core.watch import watch_face

ASKED_ANEW = frozenset({"extra-card", "taker-unknown"})  # of a hand whose last cards turn out to be the next one's


@rules(Takes)
def ruling_takes(table: Table, act: Takes, asked: Command) -> Effect | str:
    """Take a person's word for who takes a card, before it comes or after."""
    hand = meant(table, asked.hand)
    if hand is None:
        return "moved-on"
    game = table.game
    if refused := strange_seat(game, (act.seat,)) or _not_taken(table, hand):
        return refused
    if act.place not in (None, asks := taker_of(game, hand)):
        return "taker-told" if 0 <= act.place < asks else "moved-on"
    told = tuple(laid.seat for laid in hand.thirds(game))
    waiting = hand.waiting(game)
    if waiting:
        seats = (*told[: (at := hand.thirds(game).index(waiting[0]))], act.seat, *told[at + 1 :])
        return (lambda: _took(table, hand, seats)) if placings(game, seats) else "bad-taker"
    return _goes_on_with(table, hand, act) if hand.ended else _next_taker(table, hand, act.seat)


def _not_taken(table: Table, hand: Hand) -> str:
    """Why nobody can take a card of this hand now, or asks for it."""
    if not table.game.asks_taker or hand.called is not None:
        return "nothing-to-do"
    if table.asks_whose() and hand is table.hand:
        return "answer-first"
    return "deal-first" if len(hand.laid) < hand.dealt_out(table.game) else ""


def _next_taker(table: Table, hand: Hand, seat: Seat) -> Effect | str:
    told = tuple(laid.seat for laid in hand.thirds(table.game))
    if hand is not table.hand:
        return "bad-taker"
    if placings(table.game, (*told, seat)):
        return lambda: _will_take(table, hand, seat)
    laid = next((one for one in hand.thirds(table.game) if one.inferred and one.seat is seat), None)
    return (lambda: _says_so_too(table, hand, laid)) if laid else "bad-taker"


def _says_so_too(table: Table, hand: Hand, laid: Laid) -> None:
    """Take the word for a card that order and count had given this seat: it lies face up as any that was named."""
    now = replace(laid, inferred=False)
    table.rewrite(hand.with_face(laid, now))
    _turn(table, now)
    judge_cards(table, hand)
    table.move(Trigger.SHOW)


def _goes_on_with(table: Table, hand: Hand, act: Takes) -> Effect | str:
    """The key that closes was a slip: the next card is this hand's. Nobody says that by half a word."""
    if act.place is None or not may_take(table, hand, act.seat):
        return "bad-taker"

    def effect() -> None:
        _tell_taker(table, hand, act.seat)
        go_on(table, hand, act.seat)

    return not_the_deciders(table, DECIDED_AS) or effect


def _will_take(table: Table, hand: Hand, seat: Seat) -> None:
    table.rewrite(replace(hand, taker=seat))
    _tell_taker(table, hand, seat)


def _tell_taker(table: Table, hand: Hand, seat: Seat) -> None:
    table.tell(FactName.CARD_TAKEN, hand, audience=Audience.PUBLIC, seat=seat, card=None, by=table.item.by)


def _took(table: Table, hand: Hand, seats: tuple[Seat | None, ...]) -> None:
    """Give the card to its seat: it lies face up before its owner from here (R-000-39)."""
    game = table.game
    now = _named(table.current(hand), game).taking(game, seats)
    table.rewrite(now)
    for before, after in zip(hand.laid, now.laid, strict=True):
        if (before.seat, before.inferred) != (after.seat, after.inferred) and not after.inferred:
            _turn(table, after)
    judge_cards(table, hand)
    if hand.ref not in table.unsettled:
        table.move(Trigger.SHOW)
    if not table.current(hand).ended or table.current(hand).waiting(game):
        return
    asking = frozenset(hold.id for hold in table.current(hand).holds if hold.kind == "taker-unknown")
    table.lift(hand, asking)
    finish(table, hand)


def _named(hand: Hand, game: Game) -> Hand:
    """Return the hand with the card that is asked for no longer one that order alone gave its seat."""
    first = hand.waiting(game)[0]
    return hand.with_face(first, replace(first, inferred=False)) if first.inferred else hand


def _turn(table: Table, laid: Laid) -> None:
    hand = next(one for one in (table.hand, *table.unsettled.values()) if one and laid in one.laid)
    face = laid.faced(laid.card) if laid.card else laid
    table.rewrite(hand.with_face(laid, face))
    table.tell(FactName.CARD_TAKEN, hand, audience=Audience.PUBLIC, seat=laid.seat, card=laid.card, by=table.item.by)
    watch_face(table, hand, face.card)


@rules(OpenedNext)
def ruling_opened_next(table: Table, act: OpenedNext, asked: Command) -> Effect | str:
    """End the open hand before the card named, and open the next one with it."""
    hand = table.hand
    if hand is None or hand.ref != asked.hand:
        return "moved-on"
    if table.asks_whose():
        return "answer-first"
    if hand.called is not None:
        return "nothing-to-do"  # its close was not forgotten
    if not hand.dealt_out(table.game) <= act.place < len(hand.laid):
        return "bad-layout"
    return lambda: _open_next(table, hand, act.place)


def _open_next(table: Table, hand: Hand, place: int) -> None:
    kept = tuple(replace(laid, seat=None, inferred=False) if laid.inferred else laid for laid in hand.laid[:place])
    rest = frozenset(name for name in hand.said if name[0] != "extra-card")
    old = replace(hand, laid=kept, said=rest)
    if table.game.asks_taker:
        old = old.taking(table.game, tuple(laid.seat for laid in old.thirds(table.game)))
    table.rewrite(old)
    table.tell(FactName.HAND_RELAID, hand, by=table.item.by, opened_next=place)
    table.lift(hand, frozenset(hold.id for hold in hand.holds if hold.kind in ASKED_ANEW))
    table.tell(FactName.HAND_TURNED, hand, audience=Audience.PUBLIC, by=table.item.by)
    table.moving = hand.laid[place:]
    end(table, hand)
    if table.hand is not None:
        set_aside(table, table.hand)
    while table.moving:
        laid, *later = table.moving
        table.moving = tuple(later)
        lay_again(table, laid)
