"""What really happened in a coup, as an audit line with labels, the felt and the number of keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from controller.core.cards import Card, Seat
from controller.core.facts import HandLine, Irregularity
from controller.core.judge import judge
from controller.core.judgement import Finding
from controller.core.words import hand_dict, plain
from controller.simulate.coups.coup import Coup
from controller.simulate.coups.wrongs import Wrong

Faces = tuple[tuple[Seat, tuple[Card, ...]], ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """The truth of one coup.

    ``line`` is what a reader of the wire and of the keys can prove, ``felt`` the faces where they really lie,
    ``labels`` what went wrong, ``keys`` how often the croupier pressed one.
    """

    shoe: int
    hand: int
    line: HandLine
    felt: Faces
    labels: tuple[Wrong, ...]
    keys: int

    def as_line(self) -> dict[str, Any]:
        """Return an audit line of this coup, with ``labels``, ``keys`` and ``felt`` besides."""
        felt = {seat.value: [plain(card) for card in cards] for seat, cards in self.felt}
        head = {"shoe": str(self.shoe), "hand": self.hand}
        said = {"labels": [wrong.value for wrong in self.labels], "keys": self.keys, "felt": felt}
        return head | hand_dict(self.line) | said


def truth_of(coup: Coup, shoe: int) -> Truth:
    """Return what really happened in a coup that was dealt."""
    seats = coup.game.seats
    recorded = list(coup.recorded)
    seen = {seat: tuple(one.seen for said, one in recorded if said is seat) for seat in seats}
    judged = judge(coup.game, tuple((said, one.seen.points if one.seen else None) for said, one in recorded))
    unread = [
        Finding(place, Irregularity("unread-card", said))
        for place, (said, one) in enumerate(recorded)
        if not one.legible
    ]
    found = sorted((*judged.findings, *unread), key=lambda finding: finding.place)
    line = HandLine(
        cards=tuple(seen.items()),
        result=judged.result,
        recorded=None,
        irregularities=(*(finding.irregularity for finding in found), *judged.owed),
    )
    felt = tuple((seat, tuple(one.card for one in coup.laid if one.lies_on is seat)) for seat in seats)
    return Truth(shoe, coup.number, line, felt, tuple(coup.labels), coup.keys)
