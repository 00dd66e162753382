"""What really happened in a simulated shoe, as audit lines with labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from controller.core.cards import Card, Seat
from controller.core.facts import Disposal, HandLine, Irregularity
from controller.core.judgement import Finding
from controller.core.words import hand_dict, plain
from controller.simulate.dealer import Slip
from controller.simulate.felt import Laid
from controller.simulate.hand import Hand

DISPOSALS = {Slip.OVERDRAW_WITHDRAWN: Disposal.WITHDRAWN, Slip.OVERDRAW_CARRIED: Disposal.CARRIED}

Faces = tuple[tuple[Seat, tuple[Card, ...]], ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """The truth of one hand.

    ``line`` is what a reader of the wire can prove, ``felt`` the faces where they really lie, ``labels`` the slips.
    ``hand`` is None for a hand that was abandoned: it takes no number.
    """

    shoe: int
    hand: int | None
    line: HandLine
    felt: Faces
    labels: tuple[Slip, ...]

    def as_line(self) -> dict[str, Any]:
        """Return an audit line of this hand, with ``labels`` and ``felt`` besides."""
        felt = {seat.value: [plain(card) for card in cards] for seat, cards in self.felt}
        head = {"shoe": str(self.shoe), "hand": self.hand}
        return head | hand_dict(self.line) | {"labels": [slip.value for slip in self.labels], "felt": felt}


def truth_of(hand: Hand, shoe: int, number: int | None) -> Truth:
    """Return what really happened in a hand that was dealt."""
    judged = hand.felt.judged_as_seen()
    line = HandLine(
        cards=tuple((seat, tuple(laid.seen for laid in hand.felt.held(seat))) for seat in hand.game.seats),
        result=judged.result,
        recorded=hand.called.call.value if hand.called else None,
        irregularities=irregularities(hand) if hand.called else (Irregularity("abandoned-hand"),),
    )
    felt = tuple((seat, tuple(laid.card for laid in _lying(hand, seat))) for seat in hand.game.seats)
    return Truth(shoe, number, line, felt, tuple(hand.labels))


def irregularities(hand: Hand) -> tuple[Irregularity, ...]:
    """Return what an auditor of the wire must find, in the order of the card that proves it."""
    judged = hand.felt.judged_as_seen()
    unread = [
        Finding(place, Irregularity("unread-card", laid.seat))
        for place, laid in enumerate(hand.felt.laid)
        if not laid.legible
    ]
    found = sorted((*judged.findings, *unread), key=lambda finding: finding.place)
    overdraws = [Irregularity("overdraw", None, None, DISPOSALS[slip]) for slip in hand.labels if slip in DISPOSALS]
    sources = hand.game.sources
    mismatch = Irregularity("result-mismatch", None, sources.result)
    disputed = hand.called and judged.result and hand.called.call not in (judged.result, judged.counted)
    return (
        *(finding.irregularity for finding in found),
        *overdraws,
        *judged.owed,
        *([mismatch] if disputed else []),
    )


def _lying(hand: Hand, seat: Seat) -> list[Laid]:
    """The cards that really lie on a seat."""
    if hand.misplaced is None:
        return hand.felt.held(seat)
    laid, really = hand.misplaced
    held = [other for other in hand.felt.held(seat) if other is not laid]
    return [*held, laid] if seat is really else held
