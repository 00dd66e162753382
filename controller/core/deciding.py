"""What is open to people where they decide, by public knowledge alone: who may take a card, and what comes next."""

from __future__ import annotations

from controller.core.cards import Seat
from controller.core.games import Game, Looks, Thirds
from controller.core.hand import Hand
from controller.core.table import Table
from controller.core.takers import placings
from controller.core.unturning import may_take
from controller.core.views import Sentence


def takers(table: Table, hand: Hand) -> tuple[Seat, ...]:
    """Return the seats that may be named as the one that takes the next card, or took the first that nobody named.

    In a hand that was ended and waits for a person: the seats by which its close was a slip of the key.
    """
    game = table.game
    if not game.asks_taker or len(hand.laid) < hand.dealt_out(game):
        return ()
    told = tuple(laid.seat for laid in hand.thirds(game))
    waiting = hand.waiting(game)
    if takes_back(table, hand):
        return tuple(turn.seat for turn in game.turns if may_take(table, hand, turn.seat))
    at = hand.thirds(game).index(waiting[0]) if waiting else len(told)
    return tuple(turn.seat for turn in game.turns if placings(game, (*told[:at], turn.seat, *told[at + 1 :])))


def takes_back(table: Table, hand: Hand) -> bool:
    """Whether a taker can be named only as it takes the key back that closed the hand."""
    return not hand.waiting(table.game) and (hand.ended or hand is not table.hand)


def taker_of(game: Game, hand: Hand) -> int:
    """Return the place, from 0 in drawing order, of the card whose taker would be named now."""
    waiting = hand.waiting(game)
    return hand.laid.index(waiting[0]) if waiting else len(hand.laid)


def openers(table: Table) -> tuple[int, ...]:
    """Return the places of the cards that may have opened the next hand after a forgotten close, the last one first."""
    hand = table.hand
    if hand is None or not table.game.asks_taker or hand.called is not None or table.asks_whose():
        return ()
    return tuple(range(len(hand.laid) - 1, hand.dealt_out(table.game) - 1, -1))


def may_close(table: Table) -> bool:
    """Whether a person may turn the cards and so end the hand, whatever lies face down."""
    hand = table.hand
    if hand is None or not table.game.asks_taker:
        return False
    return not hand.ended and len(hand.laid) >= hand.dealt_out(table.game)


def question(table: Table, hand: Hand) -> Sentence:
    """Return what the croupier asks next while faces are hidden: the seats that have not spoken, then the turn."""
    turns = [turn.seat for turn in table.game.turns]
    taken = [seat for seat in turns if any(laid.seat is seat for laid in hand.thirds(table.game))]
    after = turns[turns.index(taken[-1]) + 1 :] if taken else turns
    left = [seat for seat in after if hand.terms.may_draw(seat)]  # who gave up, or is barred, is not asked
    match left:
        case _ if hand.taker is not None:
            return _of("prompt.card-for", hand.taker)
        case []:
            return Sentence("prompt.turn-close")
        case [last]:
            return _of("prompt.card-or-turn", last)
        case _ if taken:
            return _of("prompt.card-or-none", *left)
        case _:
            return _first(table.game, left)


def _first(game: Game, left: list[Seat]) -> Sentence:
    """Return how the decisions begin: who looks first, and whether a card is offered or asked for (D3, D4)."""
    if game.thirds is Thirds.TRAVELLING:
        return _of("prompt.offer", *left, rule=game.sources.turns)
    if game.looks is Looks.BANKER_FIRST:
        return _of("prompt.looks-first", left[0], game.bank, rule=game.sources.natural)
    return _of("prompt.card-or-none", *left, rule=game.sources.turns)


def _of(ident: str, seat: Seat, *then: Seat, rule: str = "") -> Sentence:
    later = (("then", then[0].value),) if then else ()
    return Sentence(ident, (("seat", seat.value), *later), rule)
