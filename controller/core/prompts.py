"""What the dealer is told to do next, from public knowledge only."""

from __future__ import annotations

from controller.core.betting import open_for_bets
from controller.core.cards import Seat
from controller.core.deciding import question
from controller.core.hand import Hand
from controller.core.incidents import DISK_SCARCE
from controller.core.judgement import Next, Step
from controller.core.machine import Phase
from controller.core.profile import Closes
from controller.core.shoe import Stage
from controller.core.signals import Identifies
from controller.core.stock import too_few
from controller.core.table import Table
from controller.core.views import Sentence

# Holds that the dealer ends with the shoe itself are told as they are; for the rest the dealer waits.
DEALERS_OWN = frozenset({"overdraw", "cannot-read", "draw-timeout"})
# What may have been lost between two hands holds the table, and no hand: hands go on closing meanwhile.
GAPS = frozenset({"link-gap", "copy-conflict", "unknown-frame", "count-back"})
DRAWS = {Next.CARD: "prompt.draws", Next.CHOICE: "prompt.may-draw"}


def prompt(table: Table) -> Sentence:
    """Return the one sentence that the dealer needs now."""
    hand = table.hand
    if table.phase is Phase.SUSPENDED or hand is None:
        return _held(table) if table.phase is Phase.SUSPENDED else _between(table)
    step = hand.judged(table.game).step
    match step.next:
        case Next.CARD if step.rule == table.game.sources.order:  # one of the deal, however many are out
            return _blanks("prompt.card-next", step.seat, _index(hand, step.seat), step.rule)
        case Next.CARD | Next.CHOICE:
            return _blanks(DRAWS[step.next], step.seat, None, step.rule)
        case Next.TAKER:
            return _who_took(table, hand)
        case Next.FACES:
            return question(table, hand) if table.game.asks_taker else _face_down(table, hand)
        case Next.OVER:
            return _over(table, hand, step)


def _who_took(table: Table, hand: Hand) -> Sentence:
    return Sentence("prompt.who-took", (("n", str(hand.laid.index(hand.waiting(table.game)[0]) + 1)),))


def _held(table: Table) -> Sentence:
    if table.previous is not None:
        return Sentence("prompt.new-shoe")
    holds = (*(table.hand.holds if table.hand else ()), *table.holds)
    if holds and all(hold in table.holds and hold.kind in GAPS for hold in holds):
        return Sentence("prompt.gap")
    if table.hand is not None and holds and all(hold.kind == "taker-unknown" for hold in holds):
        return _who_took(table, table.hand)
    if table.hand is None and holds and all(hold.kind == DISK_SCARCE for hold in holds):
        return Sentence("prompt.disk-scarce")
    own = all(hold.kind in DEALERS_OWN for hold in holds)
    return Sentence(f"hold.{holds[-1].kind}") if own and holds else Sentence("prompt.wait-supervisor")


def _between(table: Table) -> Sentence:
    if not table.shoe.openings and table.shoe.burn_short() > 0:
        return _blanks("prompt.burn", None, table.shoe.burn_short(), "")
    match table.shoe.stage:
        case Stage.FINISHED:
            return Sentence("prompt.shoe-finished")
        case _ if too_few(table):
            return Sentence("prompt.few-cards")
        case Stage.LAST_HAND:
            return Sentence("prompt.last-hand")
        case _ if open_for_bets(table):
            return Sentence("prompt.close-bets")
        case _:
            return Sentence("prompt.waiting")


def _face_down(table: Table, hand: Hand) -> Sentence:
    """With faces hidden only the wire speaks: how many cards are out, and for which spot the shoe counted the last."""
    out, last = len(hand.laid), hand.laid[-1]
    if table.house.closes is Closes.CONTROLLER and table.identifies is Identifies.AT_DRAW:
        return Sentence("prompt.turn-key")  # nothing else tells the faces to players
    if out == table.game.most_out:
        return _blanks("prompt.turn", last.seat, out, "")
    if out > len(table.game.deal) and last.seat is not None:
        return _blanks("prompt.lay", last.seat, out, "")
    return _blanks("prompt.cards-out", None, out, "")


def _over(table: Table, hand: Hand, step: Step) -> Sentence:
    if step.rule == table.game.sources.natural:
        return Sentence("prompt.natural", rule=step.rule)
    if step.rule and step.seat is not None:
        return _blanks("prompt.stands-over", step.seat, None, step.rule)
    if table.game.asks_taker:
        return Sentence("prompt.turn-close")
    return _blanks("prompt.press-result", None, len(hand.laid), "")


def _index(hand: Hand, seat: Seat | None) -> int:
    return sum(laid.seat is seat for laid in hand.laid) + 1


def _blanks(ident: str, seat: Seat | None, n: int | None, rule: str) -> Sentence:
    blanks = [("seat", seat.value)] if seat else []
    return Sentence(ident, (*blanks, *([("n", str(n))] if n is not None else [])), rule)
