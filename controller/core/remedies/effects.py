"""What each remedy does to a hand: the cards that stay, the ones that go, and what binds its seats from there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from controller.core.cards import NOT_SHOWN, Seat
from controller.core.games import Game
from controller.core.hand import Hand, Laid
from controller.core.inputs import Apply, Sort
from controller.core.judgement import Next
from controller.core.remedies.situations import Remedy


@dataclass(frozen=True, slots=True)
class Ruled:
    """What a remedy comes to.

    ``out`` are the cards for the basket, ``carried`` the one that opens the next hand, ``sort`` that hand's kind.
    ``stands`` says that what is wrong with the hand is let stand, ``shoe_ends`` that no hand follows.
    """

    hand: Hand
    out: tuple[Laid, ...] = ()
    carried: Laid | None = None
    sort: Sort | None = None
    stands: bool = False
    void: bool = False
    shoe_ends: bool = False


FACE_UNKNOWN = "face-unknown"
BOUND = "bound"  # as a hand keeps that the holder of a seat chose to play

Cause = Callable[[Game, Hand, Apply], Ruled | str]  # or why it does not fit the hand


def _named(hand: Hand, act: Apply) -> tuple[Laid, ...] | None:
    """The cards that the act names by their places; None where one of them is not there."""
    if not act.places or any(not 0 <= place < len(hand.laid) for place in act.places):
        return None
    return tuple(hand.laid[place] for place in act.places)


def without(hand: Hand, out: tuple[Laid, ...]) -> Hand:
    """Return the hand without these cards; who drew what is asked anew."""
    return replace(hand, laid=tuple(laid for laid in hand.laid if laid not in out), out=(*hand.out, *out))


def in_dealing_order(game: Game, hand: Hand) -> Hand:
    """Return the hand with each card on the spot that its place in the shoe gives it (rules.md 1.5 MOVE)."""
    laid: tuple[Laid, ...] = ()
    for place, card in enumerate(hand.laid):
        seat = game.deal[place] if place < len(game.deal) else _drawer(game, hand, laid)
        laid = (*laid, _at(card, seat, sum(one.seat is seat for one in laid) + 1))
    moved = replace(hand, laid=laid)
    return moved.taking(game, tuple(one.seat for one in moved.thirds(game))) if game.asks_taker else moved


def _drawer(game: Game, hand: Hand, laid: tuple[Laid, ...]) -> Seat | None:
    """The seat that the drawing table has next, where no person decides that."""
    return None if game.asks_taker else replace(hand, laid=laid).judged(game).step.seat


def _at(card: Laid, seat: Seat | None, index: int) -> Laid:
    if card.spot == (seat, index):
        return card
    return replace(card, seat=seat, index=index, wire=card.wire or card.spot, inferred=False)


def correct(game: Game, hand: Hand, act: Apply) -> Ruled | str:
    """Let the hand go on as its cards lie."""
    return Ruled(hand, stands=True)


def void(game: Game, hand: Hand, act: Apply) -> Ruled | str:
    """Close it without a result."""
    return Ruled(hand, void=True)


def end_shoe(game: Game, hand: Hand, act: Apply) -> Ruled | str:
    """Close it without a result and deal no further hand."""
    return Ruled(hand, void=True, shoe_ends=True)


def burn(game: Game, hand: Hand, act: Apply) -> Ruled | str:
    """Put the cards to the basket; in the deal the next one serves instead (IR-02, PBI-09)."""
    out = _named(hand, act)
    if out is None:
        return "bad-layout"
    in_the_deal = any(hand.laid.index(laid) < len(game.deal) for laid in out)
    left = without(hand, out)
    if in_the_deal:  # the next card fills the deal, whoever was to take it
        left = in_dealing_order(game, replace(left, taker=None))
    return Ruled(left, out=out)


def carry(game: Game, hand: Hand, act: Apply) -> Ruled | str:
    """Keep the last card for the next hand; a hidden one stays hidden."""
    named = _named(hand, act)
    if named is None or len(named) != 1 or named[0] is not hand.laid[-1]:
        return "bad-layout"
    return Ruled(replace(without(hand, named), out=hand.out), carried=named[0])


def free_hand(game: Game, hand: Hand, act: Apply) -> Ruled | str:
    """Keep the last card for a next hand that is played without bets."""
    ruled = carry(game, hand, act)
    return ruled if isinstance(ruled, str) else replace(ruled, sort=Sort.FREE)


def to_banker(game: Game, hand: Hand, act: Apply) -> Ruled | str:
    """Make the card the banker's third; only where he may have one (R-000-11, R-000-48, rules.md C.5 PBI-01)."""
    named = _named(hand, act)
    bank = game.bank
    if named is None or len(named) != 1 or hand.at((bank, game.initial + 1)):
        return "bad-layout"
    if named[0] not in hand.laid[hand.dealt_out(game) :]:
        return "bad-layout"  # a card of the deal is nobody's third
    moved = _at(named[0], bank, game.initial + 1)
    now = replace(hand, laid=tuple(moved if laid is named[0] else laid for laid in hand.laid))
    if not game.asks_taker and not _owed(game, hand, named[0]):
        return "not-owed"
    return Ruled(now)


def _owed(game: Game, hand: Hand, card: Laid) -> bool:
    """Whether the banker must draw once this card is not where it lies."""
    step = replace(hand, laid=tuple(laid for laid in hand.laid if laid is not card)).judged(game).step
    return step.next is Next.CARD and step.seat is game.bank


def move(game: Game, hand: Hand, act: Apply) -> Ruled | str:
    """Put every card where the order of the shoe has it."""
    return Ruled(in_dealing_order(game, hand))


def play(game: Game, hand: Hand, act: Apply) -> Ruled | str:
    """The holder plays the hand as it lies (R-000-14)."""
    if refused := _has_chosen(game, hand, act):
        return refused
    return Ruled(replace(hand, said=hand.said | {(BOUND, act.seat)}), stands=True)


def _has_chosen(game: Game, hand: Hand, act: Apply) -> str:
    """Why the holder has no choice here: no side is named, or it chose already (R-000-15); empty where he has."""
    if act.seat not in game.sides:
        return "bad-seat"
    chose = act.seat in hand.terms.refused or (BOUND, act.seat) in hand.said
    return "choice-binds" if chose else ""


def refuse(game: Game, hand: Hand, act: Apply) -> Ruled | str:
    """The holder gives up the hand, and with him his side (R-000-14..16)."""
    if refused_choice := _has_chosen(game, hand, act):
        return refused_choice
    assert act.seat is not None
    refused = hand.terms.refused | {act.seat}
    if refused >= set(game.sides):
        return Ruled(hand, void=True)
    return Ruled(replace(hand, terms=replace(hand.terms, refused=refused)), stands=True)


def pick(game: Game, hand: Hand, act: Apply) -> Ruled | str:
    """Keep all but the card named, which goes to the basket unseen (R-000-16, R-000-17, R-000-47)."""
    named = _named(hand, act)
    if named is None or len(named) != 1:
        return "bad-layout"
    seat = named[0].seat
    left = without(hand, named)
    if seat is None or seat not in game.seats or sum(laid.seat is seat for laid in left.laid) < game.initial:
        return "bad-layout"
    return Ruled(_renumbered(_ordered(game, hand, left), seat), out=named)


def _ordered(game: Game, hand: Hand, left: Hand) -> Hand:
    """Return what is left of the hand; a card that went out of the deal leaves the others in no order to judge."""
    kept = len(game.deal)
    if [laid.place for laid in left.laid[:kept]] == [laid.place for laid in hand.laid[:kept]]:
        return left
    return replace(left, terms=replace(left.terms, ordered=True))


def _renumbered(hand: Hand, seat: Seat) -> Hand:
    """Return the hand with the cards of a seat counted from 1 again."""
    count = 0
    laid = []
    for card in hand.laid:
        count += card.seat is seat
        laid.append(_at(card, seat, count) if card.seat is seat else card)
    return replace(hand, laid=tuple(laid))


def min_point(game: Game, hand: Hand, act: Apply) -> Ruled | str:
    """Expose the banker's cards and take the one whose loss leaves him least, of equals the last (R-000-19)."""
    own = [laid for laid in hand.laid if laid.seat is game.bank]
    if len(own) != game.initial + 1:
        return "bad-layout"
    if any(laid.card in (None, NOT_SHOWN) for laid in own):
        return FACE_UNKNOWN
    lost = min(reversed(own), key=lambda one: _points_without(own, one))
    shown = replace(hand, laid=tuple(laid.faced(laid.card) if laid in own else laid for laid in hand.laid))
    gone = next(laid for laid in shown.laid if laid.place == lost.place)
    left = _ordered(game, shown, without(shown, (gone,)))
    return Ruled(_renumbered(left, game.bank), out=(gone,))


def _points_without(own: list[Laid], lost: Laid) -> int:
    return sum(laid.card.points for laid in own if laid is not lost and laid.card) % 10


def one_card(game: Game, hand: Hand, act: Apply) -> Ruled | str:
    """The banker's first two go to the basket; his third is his whole point and he does not draw (R-000-21..23)."""
    own = tuple(laid for laid in hand.laid if laid.seat is game.bank)
    if len(own) < game.initial:
        return "bad-layout"
    out = own[: game.initial]
    terms = replace(hand.terms, final=hand.terms.final | {game.bank})
    return Ruled(_renumbered(replace(without(hand, out), terms=terms), game.bank), out=out, stands=True)


def zero_hand(game: Game, hand: Hand, act: Apply) -> Ruled | str:
    """The banker's single card goes to the basket; he plays on as if he held two tens (R-000-24, R-000-25)."""
    own = tuple(laid for laid in hand.laid if laid.seat is game.bank)
    if len(own) != 1:
        return "bad-layout"
    terms = replace(hand.terms, tens=hand.terms.tens | {game.bank})
    return Ruled(replace(without(hand, own), terms=terms), out=own, stands=True)


def bar(game: Game, hand: Hand, act: Apply) -> Ruled | str:
    """One who announced a natural falsely may not draw, unless his point was nothing (R-000-32).

    All three hands lie open from here: he had to show his, and the others are exposed with it (R-000-26, R-000-27).
    """
    if act.seat not in game.sides:
        return "bad-seat"
    if len(hand.laid) < hand.dealt_out(game):
        return "deal-first"  # who has not all his cards has not looked (R-000-05)
    shown = hand.exposed()
    if shown.judged(game).totals[game.seats.index(act.seat)] == 0:
        return Ruled(shown)
    return Ruled(replace(shown, terms=replace(hand.terms, barred=hand.terms.barred | {act.seat})))


def draw_now(game: Game, hand: Hand, act: Apply) -> Ruled | str:
    """Draw the card that is owed, while nothing was drawn after it (PBI-05)."""
    owes = any(found.kind.endswith("-missed-draw") for found in hand.judged(game).owed)
    return Ruled(replace(hand, called=None, ended=False)) if owes else "not-owed"


CAUSES: dict[Remedy, Cause] = {
    Remedy.CORRECT: correct,
    Remedy.VOID: void,
    Remedy.BURN: burn,
    Remedy.NEXT: carry,
    Remedy.FREE_HAND: free_hand,
    Remedy.TO_BANKER: to_banker,
    Remedy.MOVE: move,
    Remedy.PLAY: play,
    Remedy.REFUSE: refuse,
    Remedy.PICK: pick,
    Remedy.MIN_POINT: min_point,
    Remedy.ONE_CARD: one_card,
    Remedy.ZERO_HAND: zero_hand,
    Remedy.BAR: bar,
    Remedy.DRAW_NOW: draw_now,
    Remedy.END_SHOE: end_shoe,
    Remedy.SUPERVISOR: correct,
}
