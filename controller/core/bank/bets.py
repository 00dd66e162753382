"""The bets of a table where the house pays, as data: when each wins, what it pays, and where that is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from controller.core.cards import Card
from controller.core.signals import Call

PUSH = 0  # a clause that pays 0 to 1 gives the stake back


class Pair(Enum):
    """What a side's first two cards are to each other (R-PB-12); faces may be known in part."""

    NONE = "none"
    RANK = "rank"  # one rank, two suits
    PERFECT = "perfect"  # one rank and one suit
    SUITS_UNKNOWN = "suits-unknown"  # one rank
    UNKNOWN = "unknown"

    @classmethod
    def of(cls, first: Card, second: Card) -> Pair:
        """Return the pair that two cards are, as far as their faces are known.

        >>> Pair.of(Card.parse("TS"), Card.parse("JS"))
        <Pair.NONE: 'none'>
        """
        if first.points != second.points:
            return cls.NONE
        if first.rank is None or second.rank is None:
            # One value is one rank from ace to nine; ten, jack, queen and king share the value 0.
            return cls.SUITS_UNKNOWN if first.points else cls.UNKNOWN
        if first.rank is not second.rank:
            return cls.NONE
        if first.suit is None or second.suit is None:
            return cls.SUITS_UNKNOWN
        return cls.PERFECT if first.suit is second.suit else cls.RANK


@dataclass(frozen=True, slots=True)
class Final:
    """How a coup of two hands ended: the result as settled, points 0..9, cards 2..3 and pair of each side."""

    result: Call
    player_points: int
    banker_points: int
    player_count: int
    banker_count: int
    player_pair: Pair = Pair.UNKNOWN
    banker_pair: Pair = Pair.UNKNOWN

    @classmethod
    def of(cls, result: Call, player: tuple[Card, ...], banker: tuple[Card, ...]) -> Final:
        """Return the end of a coup by the cards that count, in the order in which they were laid."""
        return cls(
            result,
            sum(card.points for card in player) % 10,
            sum(card.points for card in banker) % 10,
            len(player),
            len(banker),
            Pair.of(*player[:2]),
            Pair.of(*banker[:2]),
        )


Answer = bool | None  # None: the faces that are known do not say
Predicate = Callable[[Final], Answer]
ANY_PAIR: dict[Pair, Answer] = {Pair.NONE: False, Pair.UNKNOWN: None}  # every other kind is one
PERFECT_PAIR: dict[Pair, Answer] = {Pair.PERFECT: True, Pair.SUITS_UNKNOWN: None, Pair.UNKNOWN: None}


def dragon_7(end: Final) -> bool:
    """Banker wins with a 7 of three cards (rules.md C.3)."""
    return end.result is Call.BANKER and end.banker_points == 7 and end.banker_count == 3


def panda_8(end: Final) -> bool:
    """Player wins with an 8 of three cards (rules.md C.3)."""
    return end.result is Call.PLAYER and end.player_points == 8 and end.player_count == 3


def super_6(end: Final) -> bool:
    """Banker wins with a 6 (rules.md C.3)."""
    return end.result is Call.BANKER and end.banker_points == 6


def player_pair(end: Final) -> Answer:
    """Player's first two cards are of one rank (R-PB-12)."""
    return ANY_PAIR.get(end.player_pair, True)


def banker_pair(end: Final) -> Answer:
    """Banker's first two cards are of one rank (R-PB-12)."""
    return ANY_PAIR.get(end.banker_pair, True)


def either_pair(end: Final) -> Answer:
    """One side at least has a pair."""
    return _either(player_pair(end), banker_pair(end))


def perfect_pair(end: Final) -> Answer:
    """One side at least has a pair of one suit."""
    return _either(PERFECT_PAIR.get(end.player_pair, False), PERFECT_PAIR.get(end.banker_pair, False))


def _either(one: Answer, other: Answer) -> Answer:
    if one or other:
        return True
    return None if one is None or other is None else False


PREDICATES: dict[str, Predicate] = {
    "player": lambda end: end.result is Call.PLAYER,
    "banker": lambda end: end.result is Call.BANKER,
    "tie": lambda end: end.result is Call.TIE,
    "dragon-7": dragon_7,
    "panda-8": panda_8,
    "super-6": super_6,
    "player-pair": player_pair,
    "banker-pair": banker_pair,
    "either-pair": either_pair,
    "perfect-pair": perfect_pair,
}


@dataclass(frozen=True, slots=True)
class Clause:
    """A bet is paid ``pays`` for each ``per`` staked when ``when`` (a name in PREDICATES) holds; 0 is a push.

    Raises ValueError for a name that is none, or pays that cannot be.
    """

    when: str
    pays: int
    per: int = 1

    def __post_init__(self) -> None:
        if self.when not in PREDICATES:
            raise ValueError(f"expected one of {', '.join(PREDICATES)}, got {self.when!r}")
        if self.pays < 0 or self.per < 1:
            raise ValueError(f"expected pays such as 8 to 1, got {self.pays} to {self.per}")


@dataclass(frozen=True, slots=True)
class Bet:
    """One bet of the layout: the first clause that holds decides, and none is a loss."""

    name: str
    clauses: tuple[Clause, ...]
    source: str

    def clause(self, end: Final) -> Clause | None:
        """Return the clause that pays, or None for a loss.

        Raises ValueError where the known faces do not decide it.
        """
        for clause in self.clauses:
            match PREDICATES[clause.when](end):
                case True:
                    return clause
                case None:
                    raise ValueError(f"{self.name}: the faces that are known do not decide {clause.when}")
        return None


TIE_PUSHES = Clause("tie", PUSH)
PLAYER = Bet("player", (TIE_PUSHES, Clause("player", 1)), "R-PB-07")
BANKER = Bet("banker", (TIE_PUSHES, Clause("banker", 19, 20)), "R-PB-07")
BANKER_HALF_ON_6 = Bet("banker", (TIE_PUSHES, Clause("super-6", 1, 2), Clause("banker", 1)), "C.3 commission-free")
BANKER_EZ = Bet("banker", (TIE_PUSHES, Clause("dragon-7", PUSH), Clause("banker", 1)), "C.3 EZ (NY 5324.21)")
TIE = Bet("tie", (Clause("tie", 8),), "R-PB-07")
DRAGON_7 = Bet("dragon-7", (Clause("dragon-7", 40),), "C.3 (PA 627a.1); pays of the house")
PANDA_8 = Bet("panda-8", (Clause("panda-8", 25),), "C.3 (PA 627a.1); pays of the house")
SUPER_6 = Bet("super-6", (Clause("super-6", 12),), "C.3; pays of the house")
PLAYER_PAIR = Bet("player-pair", (Clause("player-pair", 11),), "R-PB-12, C.3")
BANKER_PAIR = Bet("banker-pair", (Clause("banker-pair", 11),), "R-PB-12, C.3")
EITHER_PAIR = Bet("either-pair", (Clause("either-pair", 5),), "R-PB-12, C.3")
PERFECT_PAIR_BET = Bet("perfect-pair", (Clause("perfect-pair", 25),), "R-PB-12, C.3")

COMMISSION = (PLAYER, BANKER, TIE)
COMMISSION_FREE = (PLAYER, BANKER_HALF_ON_6, TIE, SUPER_6)
EZ = (PLAYER, BANKER_EZ, TIE, DRAGON_7, PANDA_8)
PAIRS = (PLAYER_PAIR, BANKER_PAIR, EITHER_PAIR, PERFECT_PAIR_BET)
