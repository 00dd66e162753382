"""What a game is: a frozen table of who is dealt what, who may draw, and when a hand ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from controller.core.cards import Seat


class Verdict(Enum):
    """What a seat must do about a third card."""

    DRAW = "D"
    STAND = "S"
    OPTION = "O"


class Flow(Enum):
    """What a natural ends (rules.md B.6 D1)."""

    ALL_AT_ONCE = "all_at_once"  # the whole hand, for both sides
    SEQUENTIAL = "sequential"  # the banker's the whole hand, a player's only the draw of his own side


class Looks(Enum):
    """Who looks at the first cards first (rules.md B.6 D3)."""

    TOGETHER = "together"
    BANKER_FIRST = "banker_first"


class Thirds(Enum):
    """Who decides where a card drawn after the deal lies."""

    BY_RULE = "by_rule"  # the drawing table alone
    BY_REQUEST = "by_request"  # each seat asks or refuses in its turn
    TRAVELLING = "travelling"  # one card is detached and offered; who refuses passes it on (R-000-34..36)


NO_THIRD = 10  # the column of a rule that applies while the seats before have drawn nothing


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat's decision about its third card.

    ``rows[total]`` holds one letter a column: the value 0..9 of the first third card among the seats ``after``, then
    "-" for none. A rule that looks at its own total only has one column. ``rule`` and ``rule_after`` name
    the source for a decision without and with a card before it, ``told`` that of a verdict which has its own.
    """

    seat: Seat
    rows: tuple[str, ...]
    rule: str
    after: tuple[Seat, ...] = ()
    rule_after: str = ""
    told: tuple[tuple[Verdict, str], ...] = ()

    def verdict(self, total: int, third: int | None) -> Verdict:
        """Return what the table says for this total (0..9) and the value of the third card before it.

        >>> from controller.core.games import PUNTO_BANCO
        >>> PUNTO_BANCO.turn(Seat.BANKER).verdict(3, 8)
        <Verdict.STAND: 'S'>
        """
        row = self.rows[total]
        column = 0 if not self.after else NO_THIRD if third is None else third
        return Verdict(row[column])

    def source(self, third: int | None, verdict: Verdict | None = None) -> str:
        """Return the id of the rule that this decision follows."""
        for said, rule in self.told:
            if said is verdict:
                return rule
        return self.rule if not self.after or third is None else self.rule_after

    @property
    def rules(self) -> frozenset[str]:
        """Every rule that this decision may cite."""
        return frozenset({self.rule, self.rule_after, *(rule for _, rule in self.told)} - {""})


@dataclass(frozen=True, slots=True)
class Sources:
    """Rule ids (rules.md) for what is common to every hand of a game."""

    order: str
    natural: str
    most_cards: str
    result: str
    pair: str
    turns: str = ""  # the order of the decisions, where it is a rule of its own
    own_natural: str = ""  # a natural that ends only its own draw
    barred: str = ""  # a seat that may not draw for what it announced
    final: str = ""  # a hand of one card that is final


@dataclass(frozen=True, slots=True, eq=False)  # one object a game: it is looked up with every card
class Game:
    """One game: who is dealt what, in which order, who may draw and when a hand ends.

    ``deal`` is the order of the cards before any decision, ``turns`` the order of the decisions,
    ``natural`` the lowest two-card total that ends the hand. The last seat of the deal is the bank; every other
    seat is a side that plays against it alone. ``outranks`` says that a natural beats any point made with a drawn
    card (D2), ``banker_natural_wins`` that the banker's beats even a better one (D13).
    """

    name: str
    deal: tuple[Seat, ...]
    turns: tuple[Turn, ...]
    natural: int
    most_cards: int
    sources: Sources
    thirds: Thirds = Thirds.BY_RULE
    flow: Flow = Flow.ALL_AT_ONCE
    looks: Looks = Looks.TOGETHER
    outranks: bool = False
    banker_natural_wins: bool = False
    choices: tuple[tuple[str, str], ...] = ()  # the switches that made it, by name, as a journal keeps them

    seats: tuple[Seat, ...] = field(init=False)  # in dealing order
    sides: tuple[Seat, ...] = field(init=False)  # all but the bank
    bank: Seat = field(init=False)
    initial: int = field(init=False)  # cards of each seat before any decision
    most_out: int = field(init=False)  # cards of one hand

    def __post_init__(self) -> None:
        seats = tuple(dict.fromkeys(self.deal))
        object.__setattr__(self, "seats", seats)
        object.__setattr__(self, "sides", seats[:-1])
        object.__setattr__(self, "bank", seats[-1])
        object.__setattr__(self, "initial", len(self.deal) // len(seats))
        object.__setattr__(self, "most_out", self.most_cards * len(seats))

    def turn(self, seat: Seat) -> Turn:
        """Return the decision of this seat."""
        return next(turn for turn in self.turns if turn.seat is seat)

    @property
    def asks_taker(self) -> bool:
        """Whether people decide who takes a card, so that a shoe which names no seat leaves it open."""
        return self.thirds is not Thirds.BY_RULE

    @property
    def rules(self) -> frozenset[str]:
        """Every rule that judging this game may cite."""
        common = {getattr(self.sources, name) for name in Sources.__slots__}
        return frozenset(common - {""}).union(*(turn.rules for turn in self.turns))
