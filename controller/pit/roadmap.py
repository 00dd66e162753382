"""Roads as windows on a grid: which columns fit, and what stands in each cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controller.core.cards import Seat
from controller.core.games import Game
from controller.core.judgement import REFUSED
from controller.core.roads import VOID, Cell, Roads, TieMark
from controller.core.showing import beads, on_board
from controller.core.signals import Pairs
from controller.core.views import ResultView

ROWS = 6
BEAD_COLUMNS = 11
BIG_COLUMNS = 21
DERIVED_COLUMNS = 22
PLATE_COLUMNS = 16  # of one side among several
MARKS = {"banker": "B", "tie": "T"}  # of a bead; a side that won has its own


@dataclass(frozen=True, slots=True)
class Window:
    """The last columns of a road: ``first`` is the leftmost one shown, cells are moved so that it is column 0."""

    columns: int
    cells: tuple[Cell, ...]
    ties: tuple[TieMark, ...] = ()
    pairs: tuple[Pairs | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """All roads of the board."""

    bead: Window
    big: Window
    big_eye: Window
    small: Window
    cockroach: Window


def board(roads: Roads, results: Sequence[ResultView]) -> Board:
    """Cut every road to what its place on the board holds."""
    return Board(
        bead=window(roads.bead, BEAD_COLUMNS, pairs=pairs_of(roads.bead, results)),
        big=window(roads.big, BIG_COLUMNS, ties=roads.ties),
        big_eye=window(roads.big_eye, DERIVED_COLUMNS),
        small=window(roads.small, DERIVED_COLUMNS),
        cockroach=window(roads.cockroach, DERIVED_COLUMNS),
    )


def plates(game: Game, results: Sequence[ResultView]) -> list[tuple[Seat, Window]]:
    """Return a bead plate for each side that plays against the bank apart; a hand that it refused adds nothing."""
    calls = [_winners(game, view) for view in results if on_board(view)]
    told = [winners for winners in calls if len(winners) == len(game.sides)]
    return [(side, plate([winners[at] for winners in told])) for at, side in enumerate(game.sides)]


def _winners(game: Game, view: ResultView) -> tuple[str, ...]:
    if view.marked:
        return (VOID,) * len(game.sides)
    return view.call.winners if view.call else ()


def plate(winners: Sequence[str]) -> Window:
    """Return the bead plate of one side.

    >>> plate(["right", "void", "tie"]).cells
    (Cell(column=0, row=0, mark='right'), Cell(column=0, row=1, mark='T'))
    """
    marks = [MARKS.get(won, won) for won in winners if won != REFUSED]
    return window([Cell(at // ROWS, at % ROWS, mark) for at, mark in enumerate(marks)], PLATE_COLUMNS)


def window(
    cells: Sequence[Cell],
    columns: int,
    ties: Sequence[TieMark] = (),
    pairs: Sequence[Pairs | None] = (),
) -> Window:
    """Return the last ``columns`` columns, one of them kept free for what comes next.

    >>> window([Cell(0, 0, "B"), Cell(5, 2, "P")], 4).cells
    (Cell(column=2, row=2, mark='P'),)
    """
    last = max((cell.column for cell in cells), default=0)
    first = max(0, last + 2 - columns)
    shown = [number for number, cell in enumerate(cells) if cell.column >= first]
    return Window(
        columns,
        tuple(cells[number]._replace(column=cells[number].column - first) for number in shown),
        tuple(tie._replace(column=tie.column - first) for tie in ties if tie.column >= first),
        tuple(pairs[number] if pairs else None for number in shown),
    )


def pairs_of(bead: Sequence[Cell], results: Sequence[ResultView]) -> tuple[Pairs | None, ...]:
    """Return the pairs of each bead; none at all if beads and results do not belong together."""
    marked = [result.pairs for result in beads(results)]
    return tuple(marked) if len(marked) == len(bead) else ()
