"""Cards, and the seats they are laid on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cache
from typing import cast


class Suit(Enum):
    """The four suits, by the letter used on every output."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


class Rank(IntEnum):
    """Ranks, ace low."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def letter(self) -> str:
        """The one character that stands for this rank.

        >>> Rank.TEN.letter
        'T'
        """
        return "?A23456789TJQK"[self]


class Seat(Enum):
    """Who a card is laid for. A game uses two or three of these."""

    PLAYER = "player"
    BANKER = "banker"
    PUNTER = "punter"
    RIGHT = "right"
    LEFT = "left"

    __hash__ = object.__hash__  # Enum's own hashes the name in Python code: too slow for every card


RANK_BY_TEXT = {rank.letter: rank for rank in Rank} | {"10": Rank.TEN}
SUIT_BY_TEXT = {suit.value: suit for suit in Suit}


@dataclass(frozen=True, slots=True)
class Card:
    """A face as far as it is known: rank and suit, rank only, or the value only.

    ``points`` is 0..9 (rules.md 1.1). ``rank`` and ``suit`` are None where the source does not say.

    >>> str(Card.parse("10s")), Card.parse("kh").points
    ('TS', 0)
    """

    points: int
    rank: Rank | None = None
    suit: Suit | None = None

    def __str__(self) -> str:
        if self.rank is None:
            return str(self.points)
        return self.rank.letter + (self.suit.value if self.suit else "?")

    @staticmethod
    @cache
    def of(rank: Rank, suit: Suit | None) -> Card:
        """Return the card of this rank and suit."""
        return Card(int(rank) if rank < Rank.TEN else 0, rank, suit)

    @staticmethod
    @cache
    def of_value(points: int) -> Card:
        """Return a card of which only the value 0..9 is known."""
        if not 0 <= points <= 9:
            raise ValueError(f"a card's value is 0 to 9, not {points}")
        return Card(points)

    @staticmethod
    @cache
    def parse(text: str) -> Card:
        """Read `AS`, `10s`, `K?`, or a bare value `0`..`10` (10 counts 0).

        Raises ValueError with what was expected and what came.
        """
        token = text.strip().upper()
        if token.isascii() and token.isdigit() and int(token) <= 10:
            return Card.of_value(int(token) % 10)
        rank = RANK_BY_TEXT.get(token[:-1])
        suit = SUIT_BY_TEXT.get(token[-1:])
        if token == "T":
            return Card.of_value(0)
        if rank is None or (suit is None and token[-1:] != "?"):
            raise ValueError(f"expected a card such as AS, 10h, K? or a value 0-9, got {text!r}")
        return Card.of(rank, suit)


# A face that is there and that nobody may know: on a copy that tells no secret. No point and no pair follows from it.
NOT_SHOWN = Card(cast(int, None))
DECK = tuple(Card.of(rank, suit) for suit in Suit for rank in Rank)
