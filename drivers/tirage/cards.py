"""The card number in the shoe, against the numbers of the cards heard (no I/O)."""

from __future__ import annotations

from collections import deque
from enum import Enum

from drivers.tirage.messages import CardBurnt, CardDrawn, CardUnread, Message, ShoeLoaded

LAST_CARDS = 8


class Verdict(Enum):
    """How a card number fits what came before."""

    NEXT = "next"
    AGAIN = "again"  # the card of this number, with this face, was heard
    AHEAD = "ahead"
    BACK = "back"


class Count:
    """The number of cards that have left this shoe, as far as heard; None after a shoe counted anew."""

    def __init__(self, card: int | None) -> None:
        self.card = card
        self._last: deque[tuple[int, Message]] = deque(maxlen=LAST_CARDS)

    def judge(self, message: Message, number: int) -> Verdict:
        """Say how an event with this card number follows, and go on from it."""
        known, face = self.card, self._face(message)
        if face is not None and known is not None and number <= known and (number, face) in self._last:
            return Verdict.AGAIN
        self.card = number
        if isinstance(message, ShoeLoaded):
            self._last.clear()
        if face is not None:
            self._last.append((number, face))
        expected = self._expected(message, known, face)
        if expected is None or number == expected:
            return Verdict.NEXT
        return Verdict.AHEAD if number > expected else Verdict.BACK

    @staticmethod
    def _expected(message: Message, known: int | None, face: Message | None) -> int | None:
        if isinstance(message, ShoeLoaded):
            return 0
        return None if known is None else known + (face is not None)

    @staticmethod
    def _face(message: Message) -> Message | None:
        """Return the message without its event number if it is about a card that left the shoe."""
        if isinstance(message, CardDrawn | CardUnread | CardBurnt):
            return message._replace(event=0)
        return None
