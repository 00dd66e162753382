"""Chemin de fer: two hands, a punter who may choose at five, a banker whose table is the house's (rules.md part A)."""

from __future__ import annotations

from enum import Enum
from functools import cache

from controller.core.cards import Seat
from controller.core.games.punto_banco import BANKER_ROWS
from controller.core.games.tables import Game, Sources, Thirds, Turn, Verdict

CHEMIN = "chemin-de-fer"
Cell = tuple[int, int]  # the banker's two-card point, and the column: the punter's third card, or 10 for none


class BankerTable(Enum):
    """What binds the banker."""

    FREE = "free"  # nothing (R-002-27)
    TABLEAU = "tableau"  # the tableau de tirage, with its optional cells


OPTIONAL_CELLS: tuple[Cell, ...] = ((3, 9), (5, 4))  # rules.md A.4, marked there as not found in any text
MORE_OPTIONAL_CELLS: tuple[Cell, ...] = ((4, 1), (6, 10))  # the other two where the best reply changes (A.4)

CHEMIN_USUAL = {"banker_table": BankerTable.TABLEAU, "optional_cells": OPTIONAL_CELLS}


def cells_of(text: str) -> tuple[Cell, ...]:
    """Read cells such as `3,9 6,-`. Raises ValueError.

    >>> cells_of("3,9 6,-")
    ((3, 9), (6, 10))
    """
    pairs = [cell.split(",") for cell in text.split()]
    cells = tuple((int(point), 10 if column == "-" else int(column)) for point, column in pairs)
    if any(not (0 <= point <= 7 and 0 <= column <= 10) for point, column in cells):
        raise ValueError(text)
    return cells


def cells_text(cells: tuple[Cell, ...]) -> str:
    """Return cells as `cells_of` reads them."""
    return " ".join(f"{point},{'-' if column == 10 else column}" for point, column in cells)


PUNTER = Turn(
    Seat.PUNTER,
    rows=("D", "D", "D", "D", "D", "O", "S", "S", "S", "S"),
    rule="R-002-22",
    told=((Verdict.STAND, "R-002-23"), (Verdict.OPTION, "R-002-26")),
)
NATURAL_ROWS = ("S" * 11,) * 2


def banker_rows(table: BankerTable, optional: tuple[Cell, ...]) -> tuple[str, ...]:
    """Return the banker's rows: everything free, or the tableau with these cells optional.

    >>> banker_rows(BankerTable.TABLEAU, ((3, 9), (5, 4)))[3]
    'DDDDDDDDSOD'
    """
    if table is BankerTable.FREE:
        return ("O" * 11,) * 8 + NATURAL_ROWS
    return tuple(
        "".join("O" if (point, column) in optional else letter for column, letter in enumerate(row))
        for point, row in enumerate(BANKER_ROWS)
    )


@cache
def chemin_de_fer(table: BankerTable = BankerTable.TABLEAU, optional: tuple[Cell, ...] = OPTIONAL_CELLS) -> Game:
    """Return chemin de fer under these switches; the same switches give the same object."""
    return Game(
        name=CHEMIN,
        deal=(Seat.PUNTER, Seat.BANKER, Seat.PUNTER, Seat.BANKER),
        turns=(
            PUNTER,
            Turn(
                Seat.BANKER,
                after=(Seat.PUNTER,),
                rows=banker_rows(table, optional),
                rule="R-002-27",
                rule_after="R-002-27",
                told=((Verdict.DRAW, "FD-B1"), (Verdict.STAND, "FD-B2")),
            ),
        ),
        natural=8,
        most_cards=3,
        thirds=Thirds.BY_REQUEST,
        sources=Sources(
            order="R-002-12",
            natural="R-002-15",
            most_cards="R-002-21",
            result="R-002-16",
            pair="R-PB-12",
            turns="FD-B3",
        ),
        choices=(
            ("banker_table", table.value),
            ("optional_cells", cells_text(optional)),
        ),
    )
