"""Roads, against the vectors of rules.md part D, an independent oracle and the field's own grids."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from controller.core.roads import Cell, LeadingTie, Roads, TieMark, roads_of
from controller.core.signals import Call

# Name: results, big road columns, then the derived roads' marks in time order.
VECTORS = {
    "V1": ("TTBBTPPPBT", "B2 P3 B1", "RBB", "", ""),
    "V2": ("BPBPBPBPBP", "B1 P1 B1 P1 B1 P1 B1 P1 B1 P1", "RRRRRRRR", "RRRRRRR", "RRRRRR"),
    "V3": ("BBBBBBBBPPB", "B8 P2 B1", "RB", "", ""),
    "V4": (
        "BBPBBPPPBPPBBBPTBPP",
        "B2 P1 B2 P3 B1 P2 B3 P1 B1 P2",
        "BBBRBBBBBRBBBRB",
        "RRBRBBRBBRBBBB",
        "RBBRRRRRRRBR",
    ),
    "V5": ("PPPPPPPPPBBBBBBBBPPPPPPBB", "P9 B8 P6 B2", "RRRRRRRBRRRRRBR", "RRRRRBR", "R"),
    "V6": (
        "BPPBBBPBBTTPPPPBBPBP",
        "B1 P2 B3 P1 B2 P4 B2 P1 B1 P1",
        "BBRBBBBBRBRBRBBR",
        "BRBBRBBRRBRRBB",
        "RRRRRBBBBBB",
    ),
    "V7": ("TTT", "", "", "", ""),
    "V8": ("BBBB", "B4", "", "", ""),
}
TIES = {  # rules.md part D, from zero: column, row, how many
    "V1": ((0, 0, 2), (0, 1, 1), (2, 0, 1)),
    "V4": ((7, 0, 1),),
    "V6": ((4, 1, 2),),
}
TAILS = {  # rules.md part D, from one as printed there: x, y
    "V3": [(1, y) for y in range(1, 7)] + [(2, 6), (3, 6), (2, 1), (2, 2), (3, 1)],
    "V5": [(1, y) for y in range(1, 7)]
    + [(2, 6), (3, 6), (4, 6)]
    + [(2, y) for y in range(1, 6)]
    + [(3, 5), (4, 5), (5, 5)]
    + [(3, y) for y in range(1, 5)]
    + [(4, 4), (5, 4), (4, 1), (4, 2)],
}
DERIVED = (("big_eye", 1), ("small", 2), ("cockroach", 3))
GRIDS = {"big": "big", "bigeye": "big_eye", "small": "small", "cockroach": "cockroach"}  # the vendor's names, ours


def marks(cells: tuple[Cell, ...]) -> str:
    return "".join(cell.mark for cell in cells)


def streaks(text: str) -> list[tuple[str, int]]:
    """Oracle: lengths of runs, written without the code under test."""
    found: list[tuple[str, int]] = []
    for letter in text:
        if found and found[-1][0] == letter:
            found[-1] = (letter, found[-1][1] + 1)
        else:
            found.append((letter, 1))
    return found


def oracle_derived(columns: list[tuple[str, int]], back: int) -> str:
    """Oracle: the neighbour rule with inversion, which knows no depths but asks which cells are filled.

    The newest entry of a column below its first: look ``back`` columns left; filled there alike in this row and the
    row above is red, filled above but not here is blue. A first entry is the opposite of what the column before it
    would have given had it gone on by one.
    """

    filled = {(x, y) for x, (_, depth) in enumerate(columns) for y in range(depth)}

    def goes_on(column: int, row: int) -> str:
        here, above = (column - back, row) in filled, (column - back, row - 1) in filled
        return "R" if here == above else "B"

    text = ""
    for column, (_, depth) in enumerate(columns):
        for row in range(depth):
            if row == 0 and column >= back + 1:
                would = goes_on(column - 1, columns[column - 1][1])
                text += "B" if would == "R" else "R"
            elif row > 0 and column >= back:
                text += goes_on(column, row)
    return text


def oracle_layout(text: str) -> list[tuple[int, int, str]]:
    """Oracle: lay a road on squared paper, a streak at a time, by trying each cell in turn."""
    paper: dict[tuple[int, int], str] = {}
    order: list[tuple[int, int, str]] = []
    for letter, length in streaks(text):
        x = max((x + 1 for x, y in paper if y == 0), default=0)
        y = 0
        sideways = False
        for step in range(length):
            if step:
                sideways = sideways or y == 5 or (x, y + 1) in paper
                x, y = (x + 1, y) if sideways else (x, y + 1)
            assert (x, y) not in paper
            paper[x, y] = letter
            order.append((x, y, letter))
    return order


def oracle_agrees(results: str, leading_tie: LeadingTie) -> None:
    own = leading_tie is LeadingTie.OWN_COLUMN and results.startswith("T")
    winners = ("T" if own else "") + results.replace("T", "")
    roads = roads_of(results, leading_tie)
    assert list(roads.big) == oracle_layout(winners), results
    for name, back in DERIVED:
        expected = oracle_derived(streaks(winners), back)
        assert list(getattr(roads, name)) == oracle_layout(expected), (results, name)
    assert sum(tie.number for tie in roads.ties) + roads.waiting == results.count("T"), results
    assert list(roads.bead) == [(i // 6, i % 6, letter) for i, letter in enumerate(results)]


def random_shoe(chance: random.Random) -> str:
    sticky = chance.random() * 0.9  # dragons are what break a layout, and fair coins rarely make them
    letters = [chance.choice("PBT")]
    for _ in range(chance.randint(0, 90)):
        letters.append(letters[-1] if chance.random() < sticky else chance.choices("PBT", (45, 46, 9))[0])
    return "".join(letters)


@pytest.mark.parametrize("name", VECTORS)
def test_every_vector_gives_its_columns_and_derived_marks(name: str):
    """rules.md part D, V1..V8."""
    results, columns, big_eye, small, cockroach = VECTORS[name]
    roads = roads_of(results)
    assert " ".join(f"{letter}{length}" for letter, length in streaks(marks(roads.big))) == columns
    assert (marks(roads.big_eye), marks(roads.small), marks(roads.cockroach)) == (big_eye, small, cockroach)


@pytest.mark.parametrize("name", VECTORS)
def test_ties_stand_on_the_last_placed_cell(name: str):
    """R-RD-02 on V1..V8."""
    assert roads_of(VECTORS[name][0]).ties == TIES.get(name, ())


@pytest.mark.parametrize("name", TAILS)
def test_a_tail_goes_right_and_a_new_streak_starts_at_the_first_free_top_cell(name: str):
    """R-RD-04 on V3 and V5."""
    cells = roads_of(VECTORS[name][0]).big
    assert [(cell.column + 1, cell.row + 1) for cell in cells] == TAILS[name]


def test_ties_alone_wait_and_make_no_cell():
    """R-RD-02, V7."""
    roads = roads_of("TTT")
    assert (roads.big, roads.ties, roads.waiting) == ((), (), 3)
    assert marks(roads.bead) == "TTT"


def test_leading_ties_in_their_own_column_are_one_cell_of_depth_one():
    """Design, section 6 `roads`: own-column; the derived roads compare with it as with any finished column."""
    roads = roads_of("TTTBB", LeadingTie.OWN_COLUMN)
    assert roads.big == ((0, 0, "T"), (1, 0, "B"), (1, 1, "B"))
    assert roads.ties == (TieMark(0, 0, 3),)
    assert roads.big_eye == ((0, 0, "B"),)
    assert roads.waiting == 0


@pytest.mark.parametrize("results", ["", "B", "BBTPP", "PTPTB"])
def test_the_two_conventions_differ_only_where_ties_lead(results: str):
    """R-RD-02."""
    assert roads_of(results) == roads_of(results, LeadingTie.OWN_COLUMN)


def test_a_streak_that_turns_right_in_the_top_row_pushes_the_next_one_on():
    """R-RD-04: the first free column is right of all top cells used, a tail's too."""
    # Tails pile up from row 6 to row 2; the sixth long streak has nowhere to go but right along the top.
    results = "BBBBBBBBBBBBBBB" + "PPPPPPPPPPPPP" + "BBBBBBBBBBBB" + "PPPPPPPPPP" + "BBBBBBBBB" + "PPP" + "B"
    big = roads_of(results).big
    assert [cell[:2] for cell in big[-4:]] == [(5, 0), (6, 0), (7, 0), (8, 0)]


def test_a_forced_end_adds_nothing_to_any_road():
    """rules.md part D, irregular coups: a void coup adds nothing."""
    calls = [Call.BANKER, Call.FORCED_END, Call.BANKER, Call.TIE, Call.PLAYER]
    assert roads_of(calls) == roads_of("BBTP")


@pytest.mark.parametrize("bad", ["b", "X", " "])
def test_an_unknown_letter_is_refused_by_name(bad: str):
    """Design, section 6: results are the letters P, B, T."""
    with pytest.raises(ValueError, match=repr(bad)):
        roads_of("PB" + bad)


def asked(roads: Roads) -> dict[tuple[str, str], Cell | None]:
    return {
        (name, letter): getattr(answer, name)
        for letter, answer in (("B", roads.ask.banker), ("P", roads.ask.player))
        for name, _ in DERIVED
    }


@pytest.mark.parametrize("leading_tie", LeadingTie)
def test_asking_the_road_tells_what_the_next_result_then_draws(leading_tie: LeadingTie):
    """R-RD-07, on 300 seeded shoes at every length: the answer is the cell that really comes."""
    chance = random.Random(7)
    for _ in range(300):
        shoe = random_shoe(chance)
        results = shoe[: chance.randint(0, len(shoe))]
        before = roads_of(results, leading_tie)
        for (name, letter), cell in asked(before).items():
            after = getattr(roads_of(results + letter, leading_tie), name)
            assert after[len(getattr(before, name)) :] == ((cell,) if cell else ()), (results, name, letter)


def test_the_two_answers_are_always_opposite_once_both_are_defined():
    """R-RD-07."""
    chance = random.Random(11)
    compared = 0
    for _ in range(500):
        answers = asked(roads_of(random_shoe(chance)))
        for name, _ in DERIVED:
            banker, player = answers[name, "B"], answers[name, "P"]
            if banker and player:
                assert {banker.mark, player.mark} == {"R", "B"}
                compared += 1
    assert compared > 500


@pytest.mark.parametrize("leading_tie", LeadingTie)
def test_the_neighbour_rule_draws_the_same_roads(leading_tie: LeadingTie):
    """rules.md part D, equivalence: 1,000 seeded shoes."""
    chance = random.Random(1)
    for _ in range(1_000):
        oracle_agrees(random_shoe(chance), leading_tie)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("leading_tie", LeadingTie)
def test_the_neighbour_rule_draws_the_same_roads_on_twenty_thousand_shoes(leading_tie: LeadingTie):
    """rules.md part D, equivalence: 20,000 seeded shoes."""
    chance = random.Random(2)
    for _ in range(20_000):
        oracle_agrees(random_shoe(chance), leading_tie)


def test_the_fields_own_grids_come_out_cell_for_cell(captures: Path):
    """captures/roads.json: 16 grids and the ask marks; its vendor gives leading ties their own column."""
    shoes = json.loads((captures / "roads.json").read_text())
    assert len(shoes) == 4
    for shoe in shoes:
        roads = roads_of(shoe["results"], LeadingTie.OWN_COLUMN)
        for theirs, ours in GRIDS.items():
            assert set(getattr(roads, ours)) == {tuple(cell) for cell in shoe["grids"][theirs]}, (shoe["shoe"], ours)
        expected = {
            (GRIDS[road], letter): cell and (cell["column"], cell["row"], cell["mark"])
            for (road, letter), cell in ((key.split("_if_"), cell) for key, cell in shoe["ask"].items())
        }
        assert asked(roads) == expected, shoe["shoe"]


def test_the_fields_leading_tie_cannot_be_drawn_by_the_other_convention(captures: Path):
    """captures/roads.json, second shoe: it opens with a tie, so the convention shows."""
    shoe = json.loads((captures / "roads.json").read_text())[1]
    assert set(roads_of(shoe["results"]).big) != {tuple(cell) for cell in shoe["grids"]["big"]}
