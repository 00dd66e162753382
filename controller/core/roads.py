"""Roads: bead plate, big road, the three derived roads, and what each would show next (rules.md part D)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from controller.core.signals import Call

ROWS = 6
PLAYER, BANKER, TIE = "P", "B", "T"
VOID = "V"  # on the bead plate alone, where a house has void hands marked
RED, BLUE = "R", "B"  # regular and irregular, not Banker and Player (R-RD-06)

BIG_EYE, SMALL, COCKROACH = 1, 2, 3  # how many columns back each derived road compares (R-RD-05)

LETTERS: dict[Call | str, str] = {
    Call.PLAYER: PLAYER,
    Call.PUNTER: PLAYER,
    Call.BANKER: BANKER,
    Call.TIE: TIE,
    Call.FORCED_END: "",  # a hand without a result adds nothing to any road
} | {letter: letter for letter in (PLAYER, BANKER, TIE)}


class LeadingTie(Enum):
    """What becomes of ties before the first Player or Banker; houses differ."""

    FIRST_CELL = "first-cell"  # they wait and attach to the first cell (R-RD-02)
    OWN_COLUMN = "own-column"  # they are one cell, and count as a finished column of depth 1


class Cell(NamedTuple):
    """A mark in a grid: column and row from zero, the column unbounded."""

    column: int
    row: int
    mark: str


class TieMark(NamedTuple):
    """How many ties stand on a cell of the big road."""

    column: int
    row: int
    number: int  # `count` is taken: every tuple has one


@dataclass(frozen=True, slots=True)
class Answer:
    """The cells that one more result would add to the derived roads, None where it would add none."""

    big_eye: Cell | None
    small: Cell | None
    cockroach: Cell | None


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask-the-road: what a Banker and what a Player would add (R-RD-07)."""

    banker: Answer
    player: Answer


@dataclass(frozen=True, slots=True)
class Roads:
    """All roads of one shoe, each in time order.

    ``ties`` holds every tie of the shoe on the cell it is drawn on, in the order of the first tie there.
    ``waiting`` counts the ties that have no cell yet: more than 0 only while a shoe has had nothing but ties.
    """

    bead: tuple[Cell, ...]
    big: tuple[Cell, ...]
    big_eye: tuple[Cell, ...]
    small: tuple[Cell, ...]
    cockroach: tuple[Cell, ...]
    ties: tuple[TieMark, ...]
    ask: Ask
    waiting: int = 0


@dataclass(slots=True)
class Grid:
    """A road while it is laid: six rows, a column a streak, tails to the right (R-RD-03, R-RD-04)."""

    cells: list[Cell] = field(default_factory=list)
    taken: set[tuple[int, int]] = field(default_factory=set)
    free: int = 0  # the first column right of all cells in the top row
    turned: bool = False

    def spot(self, mark: str) -> Cell:
        """Return the cell that this mark would take; changes nothing."""
        if not self.cells or self.cells[-1].mark != mark:
            return Cell(self.free, 0, mark)
        column, row, _ = self.cells[-1]
        below = row + 1
        if self.turned or below == ROWS or (column, below) in self.taken:
            # Never taken: a tail that covered it would have begun further left and cover this cell too.
            return Cell(column + 1, row, mark)
        return Cell(column, below, mark)

    def lay(self, mark: str) -> Cell:
        """Put the mark on its cell and return that."""
        cell = self.spot(mark)
        streak_goes_on = bool(self.cells) and self.cells[-1].mark == mark
        self.turned = streak_goes_on and cell.row == self.cells[-1].row
        if cell.row == 0:
            self.free = cell.column + 1
        self.taken.add(cell[:2])
        self.cells.append(cell)
        return cell


def colour(depths: Sequence[int], back: int) -> str | None:
    """Return what the newest entry of the big road adds to the road that looks ``back`` columns back (R-RD-05).

    ``depths`` are the lengths of the streaks so far, the newest last; tails do not matter. None where there is
    nothing to compare with.

    >>> colour([2, 3, 1], BIG_EYE), colour([2, 3], BIG_EYE), colour([2, 1], BIG_EYE)
    ('B', 'B', None)
    """
    column, row = len(depths) - 1, depths[-1] - 1
    if row == 0:
        if column < back + 1:
            return None
        return RED if depths[column - 1] == depths[column - 1 - back] else BLUE
    if column < back:
        return None
    return BLUE if row == depths[column - back] else RED


@dataclass(slots=True)
class Board:
    """The big road, its logical columns and the derived roads, while a shoe is played."""

    big: Grid = field(default_factory=Grid)
    depths: list[int] = field(default_factory=list)
    derived: dict[int, Grid] = field(default_factory=lambda: {back: Grid() for back in (BIG_EYE, SMALL, COCKROACH)})
    ties: dict[tuple[int, int], int] = field(default_factory=dict)

    def columns_after(self, mark: str) -> Iterator[int]:
        """The lengths of the streaks there would be once this mark is added."""
        same = bool(self.big.cells) and self.big.cells[-1].mark == mark
        yield from self.depths[:-1] if same else self.depths
        yield self.depths[-1] + 1 if same else 1

    def add(self, mark: str) -> None:
        """Add a Player or a Banker to every road; leading ties that have their own column come as one T."""
        if self.big.cells and self.big.cells[-1].mark == mark:
            self.depths[-1] += 1
        else:
            self.depths.append(1)
        self.big.lay(mark)
        for back, grid in self.derived.items():
            if found := colour(self.depths, back):
                grid.lay(found)

    def tie(self, number: int) -> None:
        """Mark ties on the cell that was placed last (R-RD-02)."""
        spot = self.big.cells[-1][:2]
        self.ties[spot] = self.ties.get(spot, 0) + number

    def answer(self, mark: str) -> Answer:
        """Say what the derived roads would add if this result came next."""
        depths = tuple(self.columns_after(mark))
        found = {back: colour(depths, back) for back in self.derived}
        cells = {back: self.derived[back].spot(text) if text else None for back, text in found.items()}
        return Answer(cells[BIG_EYE], cells[SMALL], cells[COCKROACH])


def letters_of(results: Iterable[Call | str]) -> str:
    """Return results as letters P, B and T; a forced end leaves none.

    Raises ValueError at anything else.

    >>> letters_of([Call.TIE, Call.FORCED_END, "B"])
    'TB'
    """
    try:
        return "".join(LETTERS[result] for result in results)
    except KeyError as unknown:
        raise ValueError(f"a result is P, B or T, not {unknown.args[0]!r}") from None


def roads_of(results: Iterable[Call | str], leading_tie: LeadingTie = LeadingTie.FIRST_CELL) -> Roads:
    """Return every road of one shoe from its results in time order, as calls or as letters P, B, T.

    Time and memory are linear in the number of results. Raises ValueError at an unknown letter.

    >>> roads_of("TBBP").ties, [cell.mark for cell in roads_of("BBPPB").big_eye]
    ((TieMark(column=0, row=0, number=1),), ['R', 'R'])
    """
    letters = letters_of(results)
    later = letters.lstrip(TIE)
    leading = len(letters) - len(later)
    board = Board()
    if leading and leading_tie is LeadingTie.OWN_COLUMN:
        board.add(TIE)
    elif later:
        board.add(later[0])
        later = later[1:]
    if leading and board.big.cells:
        board.tie(leading)
    for letter in later:
        if letter == TIE:
            board.tie(1)
        else:
            board.add(letter)
    return Roads(
        bead=bead_plate(letters),
        big=tuple(board.big.cells),
        big_eye=tuple(board.derived[BIG_EYE].cells),
        small=tuple(board.derived[SMALL].cells),
        cockroach=tuple(board.derived[COCKROACH].cells),
        ties=tuple(TieMark(*spot, number) for spot, number in board.ties.items()),
        ask=Ask(banker=board.answer(BANKER), player=board.answer(PLAYER)),
        waiting=0 if board.big.cells else leading,
    )


def bead_plate(letters: Iterable[str]) -> tuple[Cell, ...]:
    """Return the bead plate of the hands in time order, a void one that is marked among them (R-RD-01)."""
    return tuple(Cell(*divmod(place, ROWS), letter) for place, letter in enumerate(letters))
