"""What a judgement is made of: the cards given, what was ruled, the next step, findings and results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.core.cards import Seat
from controller.core.facts import Irregularity
from controller.core.signals import Call

Points = int | None  # the value 0..9 of a card, None while it is hidden or unread
Dealt = tuple[Seat | None, Points]  # the seat is None for a card that belongs to no seat

REFUSED = "void"  # the side gave up the hand


@dataclass(frozen=True, slots=True)
class Terms:
    """What was ruled for seats of one hand, where it was dealt or announced wrongly (rules.md B.4).

    ``final`` seats have one card that is their whole point (IR-08), ``tens`` hold nothing and count as two tens
    (IR-09), ``barred`` may not draw (IR-10), ``refused`` sides gave up the hand (IR-05, IR-06). ``ordered`` says that
    a card of the deal was taken out, so that the order of the ones left proves nothing (IR-06, IR-07).
    """

    final: frozenset[Seat] = frozenset()
    tens: frozenset[Seat] = frozenset()
    barred: frozenset[Seat] = frozenset()
    refused: frozenset[Seat] = frozenset()
    ordered: bool = False

    def __bool__(self) -> bool:
        return bool(self.final or self.tens or self.barred or self.refused or self.ordered)

    def first_cards(self, seat: Seat, usual: int) -> int:
        """Return how many first cards this seat must have."""
        return 0 if seat in self.tens else 1 if seat in self.final else usual

    def may_draw(self, seat: Seat) -> bool:
        """Whether nothing that was ruled keeps this seat from a third card."""
        return seat not in self.final | self.barred | self.refused


NO_TERMS = Terms()


class Next(Enum):
    """What the hand waits for."""

    CARD = "card"  # one more card, for the seat named
    CHOICE = "choice"  # the seat named may draw or stand
    FACES = "faces"  # nothing can be said before the cards are turned
    TAKER = "taker"  # a card lies out and nobody said who took it
    OVER = "over"  # no more cards


@dataclass(frozen=True, slots=True)
class Step:
    """The next step of a hand, with the seat it concerns and the rule that says so."""

    next: Next
    seat: Seat | None = None
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """An irregularity and the place, from 0 in drawing order, of the card that proves it."""

    place: int
    irregularity: Irregularity


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the cards prove so far.

    ``result`` compares all cards as dealt, ``counted`` only those that count by the rules; None while unknown.
    ``totals`` follow the game's seats, None where a card of the seat is not known. ``owed`` is what closing
    the hand now would add to ``findings``.
    """

    step: Step
    findings: tuple[Finding, ...]
    owed: tuple[Irregularity, ...]
    totals: tuple[Points, ...]
    result: Call | None
    counted: Call | None

    @property
    def irregularities(self) -> tuple[Irregularity, ...]:
        """The findings without their places."""
        return tuple(finding.irregularity for finding in self.findings)
