"""Roads cut to the board: the last columns, one kept free."""

from __future__ import annotations

from controller.core.cards import Seat
from controller.core.games import GAMES
from controller.core.roads import Cell, TieMark, roads_of
from controller.core.showing import board
from controller.core.signals import Call, Pairs
from controller.core.views import ResultView
from controller.pit import roadmap


def test_a_road_that_fits_stays_where_it_is():
    cells = (Cell(0, 0, "B"), Cell(1, 0, "P"))
    assert roadmap.window(cells, 4).cells == cells


def test_a_long_road_shows_its_end_and_a_free_column():
    """Requirement: roads scroll to the right end by themselves."""
    cells = tuple(Cell(column, 0, "BP"[column % 2]) for column in range(10))
    shown = roadmap.window(cells, 4).cells
    assert [cell.column for cell in shown] == [0, 1, 2]
    assert [cell.mark for cell in shown] == ["P", "B", "P"]


def test_ties_move_with_their_cells():
    cells = tuple(Cell(column, 0, "B") for column in range(10))
    assert roadmap.window(cells, 4, ties=(TieMark(8, 0, 2), TieMark(1, 0, 1))).ties == (TieMark(1, 0, 2),)


def test_an_empty_road_is_an_empty_window():
    assert roadmap.window((), 4).cells == ()


def test_each_bead_has_the_pairs_of_its_own_hand():
    """R-RD-01; a void hand has no bead and must not shift the pairs."""
    results = (
        ResultView(1, Call.BANKER, pairs=Pairs.BANKER),
        ResultView(2, None),
        ResultView(3, Call.FORCED_END),
        ResultView(4, Call.TIE, pairs=Pairs.PLAYER),
    )
    roads = roads_of([Call.BANKER, Call.TIE])
    assert roadmap.board(roads, results).bead.pairs == (Pairs.BANKER, Pairs.PLAYER)


def test_a_marked_void_hand_has_a_bead_and_a_free_one_has_none_and_each_pair_stays_on_its_own():
    """faults.md A 33; R-RD-01."""
    results = (
        ResultView(1, Call.BANKER, pairs=Pairs.BANKER),
        ResultView(2, None, marked=True),
        ResultView(3, Call.PLAYER, pairs=Pairs.BOTH, sort="free"),
        ResultView(4, Call.TIE, pairs=Pairs.PLAYER),
    )
    shown = roadmap.board(board(results), results).bead
    assert [cell.mark for cell in shown.cells] == ["B", "V", "T"]
    assert shown.pairs == (Pairs.BANKER, None, Pairs.PLAYER)


def test_a_marked_void_hand_of_banque_stands_on_the_plate_of_each_side():
    """faults.md A 33."""
    results = (ResultView(1, Call.RIGHT_TIE), ResultView(2, None, marked=True), ResultView(3, None))
    plates = roadmap.plates(GAMES["foster"], results)
    assert [[cell.mark for cell in plate.cells] for _, plate in plates] == [["right", "V"], ["T", "V"]]


def test_pairs_that_do_not_fit_the_beads_are_left_out():
    roads = roads_of([Call.BANKER, Call.TIE])
    assert roadmap.board(roads, (ResultView(1, Call.BANKER, pairs=Pairs.BOTH),)).bead.pairs == (None, None)


def test_each_side_of_banque_has_a_plate_of_its_own_and_a_refused_hand_no_bead():
    """R-000-44: the sides are independent; rules.md D: a void hand adds nothing to any road."""
    results = tuple(ResultView(at, call) for at, call in enumerate((Call.RIGHT_TIE, Call.VOID_LEFT, None), 1))
    (right, one), (left, other) = roadmap.plates(GAMES["foster"], results)
    assert (right, left) == (Seat.RIGHT, Seat.LEFT)
    assert [cell.mark for cell in one.cells] == ["right"]
    assert [cell.mark for cell in other.cells] == ["T", "left"]
