"""A line shoe that plays a script in its real bytes: one line a card, and nothing else that a script may hold."""

from __future__ import annotations

from controller.core.cards import Card
from controller.core.signals import CardDrawn, Signal
from drivers.emulators.angel_eye import Shoe
from drivers.emulators.faults import FaultKind
from drivers.line.codes import DEFAULT_CODES

LINE_END = b"\r\n"
# What can happen on this wire: it has no copies to lose, and a shoe that starts anew says nothing.
FAULTS = frozenset(FaultKind) - {FaultKind.LOST_COPY, FaultKind.POWER_UP}
NO_CODE = b"??"  # what a deck prints that no table of codes knows
CODES: dict[Card, str] = {card: code for code, card in reversed(tuple(DEFAULT_CODES.items()))}


class LineShoe(Shoe):
    """Says cards by the default table of codes; each line comes once."""

    def says(self, signal: Signal) -> list[bytes]:
        """Return the line of a card; a card that cannot be read is a line that means none, anything else is silence."""
        match signal:
            case CardDrawn(card=None):
                return [NO_CODE + LINE_END]
            case CardDrawn(card=Card() as card):
                return [CODES[card].encode() + LINE_END]
            case _:
                return []
