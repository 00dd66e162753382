"""The games as frozen tables. The engine reads these and holds no game's name."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from controller.core.cards import Seat


class Verdict(Enum):
    """What a seat must do about a third card."""

    DRAW = "D"
    STAND = "S"
    OPTION = "O"


NO_THIRD = 10  # the column of a rule that applies while the seat before has drawn nothing


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat's decision about its third card.

    ``rows[total]`` holds one letter a column: the third card's value 0..9 of the seat ``after``, then "-" for none.
    A rule that looks at its own total only has one column. ``rule`` and ``rule_after`` name the source
    for a decision without and with a card before it.
    """

    seat: Seat
    rows: tuple[str, ...]
    rule: str
    after: Seat | None = None
    rule_after: str = ""

    def verdict(self, total: int, third: int | None) -> Verdict:
        """Return what the table says for this total (0..9) and the value of the third card before it.

        >>> PUNTO_BANCO.turn(Seat.BANKER).verdict(3, 8)
        <Verdict.STAND: 'S'>
        """
        row = self.rows[total]
        column = 0 if self.after is None else NO_THIRD if third is None else third
        return Verdict(row[column])

    def source(self, third: int | None) -> str:
        """Return the id of the rule that this decision follows."""
        return self.rule if self.after is None or third is None else self.rule_after


@dataclass(frozen=True, slots=True)
class Sources:
    """Rule ids (rules.md) for what is common to every hand of a game."""

    order: str
    natural: str
    most_cards: str
    result: str
    pair: str


@dataclass(frozen=True, slots=True, eq=False)  # one object a game: it is looked up with every card
class Game:
    """One game: who is dealt what, in which order, who may draw and when a hand ends.

    ``deal`` is the order of the cards before any decision, ``turns`` the order of the decisions,
    ``natural`` the lowest two-card total that ends the hand.
    """

    name: str
    deal: tuple[Seat, ...]
    turns: tuple[Turn, ...]
    natural: int
    most_cards: int
    sources: Sources

    seats: tuple[Seat, ...] = field(init=False)  # in dealing order
    initial: int = field(init=False)  # cards of each seat before any decision
    most_out: int = field(init=False)  # cards of one hand

    def __post_init__(self) -> None:
        seats = tuple(dict.fromkeys(self.deal))
        object.__setattr__(self, "seats", seats)
        object.__setattr__(self, "initial", len(self.deal) // len(seats))
        object.__setattr__(self, "most_out", self.most_cards * len(seats))

    def turn(self, seat: Seat) -> Turn:
        """Return the decision of this seat."""
        return next(turn for turn in self.turns if turn.seat is seat)


PUNTO_BANCO = Game(
    name="punto-banco",
    deal=(Seat.PLAYER, Seat.BANKER, Seat.PLAYER, Seat.BANKER),
    turns=(
        Turn(Seat.PLAYER, rows=("D", "D", "D", "D", "D", "D", "S", "S", "S", "S"), rule="R-PB-03"),
        Turn(
            Seat.BANKER,
            after=Seat.PLAYER,
            rule="R-PB-04",
            rule_after="R-PB-05",
            rows=(
                # 0123456789-     the Player's third card
                "DDDDDDDDDDD",
                "DDDDDDDDDDD",
                "DDDDDDDDDDD",
                "DDDDDDDDSDD",
                "SSDDDDDDSSD",
                "SSSSDDDDSSD",
                "SSSSSSDDSSS",
                "SSSSSSSSSSS",
                "SSSSSSSSSSS",
                "SSSSSSSSSSS",
            ),
        ),
    ),
    natural=8,
    most_cards=3,
    sources=Sources(order="R-PB-01", natural="R-PB-02", most_cards="R-PB-11", result="R-PB-10", pair="R-PB-12"),
)

GAMES = {game.name: game for game in (PUNTO_BANCO,)}
