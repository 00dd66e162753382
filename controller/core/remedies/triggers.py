"""Whether a situation can be there: what its source needs, held against what everybody at the table may know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from controller.core.games import Game
from controller.core.hand import Hand
from controller.core.inputs import Apply
from controller.core.remedies.situations import FALSE_DRAWS, MISSED_DRAWS, Need, Situation

Check = Callable[[Game, Hand, Situation, Apply], bool]
DRAWN_FALSELY = {*FALSE_DRAWS, "player-false-draw"}
BY_FACES = {*DRAWN_FALSELY, *MISSED_DRAWS, "player-missed-draw"}  # what open faces prove or rule out
OPENED = ("bets-opened", None)  # as a hand keeps that its bets were opened before its cards are shown (R-000-18)
TOO_MANY = {*DRAWN_FALSELY, "extra-card"}


def lacking(game: Game, hand: Hand, situation: Situation, act: Apply) -> Need | None:
    """Return the first thing that the situation needs and that is known not to be so.

    Hidden faces and secret holds say nothing here: an answer must not tell what players do not know.
    """
    act = replace(act, places=tuple(place for place in act.places if 0 <= place < len(hand.laid)))
    return next((need for need in situation.needs if not CHECKS[need](game, hand, situation, act)), None)


def seen(hand: Hand) -> bool:
    """Whether a face of this deal is public; a kept card that was seen before it is none of its own."""
    return any(laid.exposed and laid.card is not None and not laid.carried for laid in hand.laid)


def dealt(game: Game, hand: Hand) -> Hand:
    """Return the hand without what was drawn after the deal: a taken card lies face up and shows no hand (R-000-39)."""
    return replace(hand, laid=hand.laid[: hand.dealt_out(game)])


def over(hand: Hand) -> bool:
    """Whether somebody ended the hand: by turning it or by calling a result."""
    return hand.ended or hand.called is not None


def _unseen(game: Game, hand: Hand, situation: Situation, act: Apply) -> bool:
    return not seen(hand)


def _going_on(game: Game, hand: Hand, situation: Situation, act: Apply) -> bool:
    return not over(hand)


def _all_open(hand: Hand) -> bool:
    return all(laid.exposed for laid in hand.laid)


def _proved(game: Game, hand: Hand, situation: Situation, act: Apply) -> bool:
    judged = hand.judged(game)
    owed = judged.owed if over(hand) else ()
    known = {hold.kind for hold in hand.holds} | {one.kind for one in (*judged.irregularities, *owed)}
    return bool(known & set(situation.kinds))


def _possible(game: Game, hand: Hand, situation: Situation, act: Apply) -> bool:
    if _proved(game, hand, situation, act):
        return True
    ruled_out = _all_open(hand) and bool(situation.kinds) and BY_FACES.issuperset(situation.kinds)
    return not over(hand) and not ruled_out


def _dealing(game: Game, hand: Hand, situation: Situation, act: Apply) -> bool:
    return len(hand.laid) <= hand.dealt_out(game) or _proved(game, hand, situation, act)


def _dealt(game: Game, hand: Hand, situation: Situation, act: Apply) -> bool:
    """Whether the hand meant holds only dealt cards: what was drawn lies face up before its owner (R-000-39, A5)."""
    seats = {act.seat, *(hand.laid[place].seat for place in act.places)}
    drawn = (laid for laid in hand.thirds(game) if laid.seat in seats and laid.exposed)
    return next(drawn, None) is None or _proved(game, hand, situation, act)


def _faced(game: Game, hand: Hand, situation: Situation, act: Apply) -> bool:
    """A faced card is found when it appears: what was taken, or turned with its hand, was none."""
    return all(not hand.laid[place].exposed or _last_untaken(game, hand, place) for place in act.places)


def _loose(game: Game, hand: Hand, situation: Situation, act: Apply) -> bool:
    return all(_last_untaken(game, hand, place) for place in act.places)


def _last_untaken(game: Game, hand: Hand, place: int) -> bool:
    """Whether this card came last and no person has named the seat that took it."""
    laid = hand.laid[place]
    told = game.asks_taker and place >= hand.dealt_out(game) and laid.seat is not None and not laid.inferred
    return laid is hand.laid[-1] and not told


def _surplus(game: Game, hand: Hand, situation: Situation, act: Apply) -> bool:
    """Open faces tell from which card on there are too many; hidden ones only that it came after the deal."""
    first = hand.dealt_out(game)
    if _all_open(hand):
        proofs = (one.place for one in hand.judged(game).findings if one.irregularity.kind in TOO_MANY)
        first = max(first, min(proofs, default=len(hand.laid)))
    return all(place >= first for place in act.places)


def _second_drawn(game: Game, hand: Hand, situation: Situation, act: Apply) -> bool:
    named = [hand.laid[place] for place in act.places]
    held = [laid.seat for laid in hand.laid]
    return all(held.count(one.seat) > game.most_cards and one.index > game.initial for one in named)


CHECKS: dict[Need, Check] = {
    Need.UNSEEN: _unseen,
    Need.GOING_ON: _going_on,
    Need.POSSIBLE: _possible,
    Need.PROVED: _proved,
    Need.DEALING: _dealing,
    Need.DEALT: _dealt,
    Need.FACED: _faced,
    Need.LOOSE: _loose,
    Need.SURPLUS: _surplus,
    Need.SECOND_DRAWN: _second_drawn,
}
