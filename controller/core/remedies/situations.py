"""What can go wrong with a deal, and the remedies that the sources know for it (rules.md B.4 and C.5)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.core.cards import Seat


class Remedy(Enum):
    """What a house may do about an irregularity (rules.md 1.5)."""

    CORRECT = "correct"  # put right by hand or let stand; the bets stand
    VOID = "void"  # no hand: all bets go back
    BURN = "burn"  # the card goes to the basket
    NEXT = "next"  # the card opens the next hand
    FREE_HAND = "free_hand"  # the card opens a next hand that is played without bets
    TO_BANKER = "to_banker"  # the card becomes the banker's third
    MOVE = "move"  # the cards go where dealing order has them
    PLAY = "play"  # the holder plays on; that binds his side
    REFUSE = "refuse"  # the holder gives up the hand; that binds his side
    PICK = "pick"  # the holder keeps what he likes, the card named goes to the basket unseen
    MIN_POINT = "min_point"  # the banker's cards are exposed and the one is taken whose loss leaves him least
    ONE_CARD = "one_card"  # the banker's first two go to the basket, one card is his whole point
    ZERO_HAND = "zero_hand"  # the banker's single card goes to the basket, he plays on as with two tens
    BAR = "bar"  # the seat may not draw
    DRAW_NOW = "draw_now"  # the card that is owed is drawn now
    END_SHOE = "end_shoe"  # no further hand from this shoe
    SUPERVISOR = "supervisor"  # the source is silent: nothing is proposed


class Need(Enum):
    """What must be so on the felt for a situation to be there, as far as anybody can know it (`triggers.py`)."""

    UNSEEN = "unseen"  # no card of the hand was seen
    GOING_ON = "going-on"  # the hand is not over
    POSSIBLE = "possible"  # what is known does not speak against it
    PROVED = "proved"  # the table itself knows it
    DEALING = "dealing"  # no card beyond the first ones is out, or the table itself knows it
    FACED = "faced"  # the cards named lie hidden, or came last and nobody took them
    LOOSE = "loose"  # the card named came last and nobody took it
    SURPLUS = "surplus"  # the cards named came after the deal and are not known to be owed
    DEALT = "dealt"  # the hand has no card that was drawn, which lies face up, or the table knows of a misdeal
    SECOND_DRAWN = "second-drawn"  # the card named was drawn by a seat that drew two


@dataclass(frozen=True, slots=True)
class Situation:
    """One irregularity: its id in rules.md, the incidents that point to it, and what its source lets a house do.

    ``kinds`` is empty where only people can see it; a remedy lifts no other holds. ``amends`` is the
    rule by which bets may be changed or withdrawn (rules.md 1.5 AMEND), empty where none may. ``remedies`` are in the
    source's own order of preference. ``needs`` is its trigger, empty where no shoe can tell. ``seats`` are those
    without which a game cannot have it, empty where every game of its kind can.
    """

    id: str
    kinds: tuple[str, ...]
    remedies: tuple[Remedy, ...]
    needs: tuple[Need, ...] = ()
    amends: str = ""
    seats: tuple[Seat, ...] = ()


R, N = Remedy, Need
FALSE_DRAWS = ("punter-false-draw", "right-false-draw", "left-false-draw", "banker-false-draw")
MISSED_DRAWS = ("punter-missed-draw", "right-missed-draw", "left-missed-draw", "banker-missed-draw")
MISDEALS = ("wrong-order", "extra-card", "wrong-slot")

# Where people decide who draws (rules.md B.4); chemin de fer borrows what its own texts leave out.
OLD_GAMES = (
    Situation("IR-02", (), (R.BURN,), (N.GOING_ON, N.FACED)),
    Situation("IR-03", (), (R.TO_BANKER,), (N.GOING_ON, N.LOOSE)),
    Situation("IR-04", MISDEALS, (R.MOVE, R.CORRECT), (N.GOING_ON, N.UNSEEN), amends="R-000-13"),
    Situation("IR-05", MISDEALS, (R.PLAY, R.REFUSE)),  # seen too late, whatever was turned by then (R-000-14)
    Situation("IR-06", MISDEALS, (R.REFUSE, R.PICK), (N.POSSIBLE, N.DEALT)),  # on the deal: A5
    Situation("IR-07", MISDEALS, (R.MIN_POINT,), (N.POSSIBLE,), amends="R-000-18"),
    Situation("IR-08", MISDEALS, (R.ONE_CARD,), (N.PROVED,)),
    Situation("IR-08b", MISDEALS, (R.MIN_POINT,), (N.PROVED,), amends="R-000-18"),
    Situation("IR-09", MISDEALS, (R.ZERO_HAND,), (N.PROVED,)),
    Situation("IR-10", (), (R.BAR,), (N.GOING_ON,)),
    Situation("IR-11", ("extra-card",), (R.PICK,), (N.PROVED, N.SECOND_DRAWN)),
    Situation("IR-12", ("extra-card",), (R.TO_BANKER,), (N.PROVED, N.SECOND_DRAWN), seats=(Seat.LEFT,)),
    Situation("IR-13", ("few-cards",), (R.END_SHOE,), (N.GOING_ON,)),
    Situation("IR-14", ("extra-card",), (R.PICK, R.TO_BANKER), (N.PROVED, N.SECOND_DRAWN)),
    Situation("IR-15", (*FALSE_DRAWS, *MISSED_DRAWS), (R.CORRECT,), (N.POSSIBLE,)),
)

OF_PEOPLE = {situation.id: situation for situation in OLD_GAMES}

# Punto banco (rules.md C.5): every remedy that one of the columns names; a profile says which are its own.
PUNTO_BANCO = (
    Situation(
        "PBI-01", ("player-false-draw",), (R.TO_BANKER, R.BURN, R.NEXT, R.FREE_HAND, R.VOID), (N.POSSIBLE, N.SURPLUS)
    ),
    Situation(
        "PBI-02",
        ("player-false-draw", "banker-false-draw"),
        (R.BURN, R.NEXT, R.FREE_HAND, R.VOID),
        (N.POSSIBLE, N.SURPLUS),
    ),
    Situation("PBI-03", ("banker-false-draw",), (R.BURN, R.NEXT, R.FREE_HAND, R.VOID), (N.POSSIBLE, N.SURPLUS)),
    Situation("PBI-04", ("player-missed-draw",), (R.MOVE, R.VOID), (N.POSSIBLE,)),
    Situation("PBI-05", ("player-missed-draw", "banker-missed-draw"), (R.DRAW_NOW, R.VOID), (N.POSSIBLE,)),
    Situation("PBI-06", ("wrong-order", "wrong-slot"), (R.MOVE, R.CORRECT), (N.DEALING,)),
    Situation("PBI-07", (), (R.CORRECT,)),
    Situation("PBI-08", ("extra-card", "overdraw", "two-cards"), (R.BURN, R.NEXT, R.VOID), (N.POSSIBLE, N.SURPLUS)),
    Situation("PBI-09", (), (R.BURN,), (N.FACED,)),
    Situation("PBI-10", ("few-cards",), (R.VOID, R.END_SHOE), (N.GOING_ON,)),
    Situation("PBI-11", ("early-draw",), (R.CORRECT, R.BURN), (N.DEALING,)),
    Situation("PBI-12", ("unread-card", "cannot-read", "no-second-slide"), (R.CORRECT, R.VOID)),
    Situation("PBI-13", (), (R.CORRECT,)),
    Situation("PBI-14", ("unknown-error", "card-code"), (R.VOID, R.CORRECT)),
    Situation("PBI-15", ("impossible-card",), (R.SUPERVISOR,)),
    Situation("PBI-17", (), (R.CORRECT, R.VOID)),
    Situation("PBI-18", (), (R.CORRECT,)),
    Situation("PBI-20", ("late-hand",), (R.VOID, R.CORRECT)),
)
OF_THE_TABLE = {situation.id: situation for situation in PUNTO_BANCO}
SITUATIONS = OF_PEOPLE | OF_THE_TABLE
