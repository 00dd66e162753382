"""`tirage roads` as integrators call it (design, section 6)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.roads import roads

KEYS = ["bead", "big", "big_eye", "small", "cockroach", "ties", "ask", "waiting"]


def tirage_roads(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(roads, list(arguments), input=stdin)


def objects(result: Result) -> list[dict]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_no_results_at_all_are_usage():
    """Design, section 6: 2 is usage."""
    assert tirage_roads("").exit_code == 2


@pytest.mark.parametrize("text", ["", "\n \n", "[]"])
def test_a_file_without_a_shoe_cannot_be_read(tmp_path: Path, text: str):
    """Design, section 6: 3 is unreadable."""
    file = tmp_path / "empty.txt"
    file.write_text(text)
    for done in (tirage_roads(str(file)), tirage_roads("-", stdin=text)):
        assert (done.exit_code, done.stdout) == (3, "")
        assert "holds no shoe" in done.stderr


def test_text_in_another_encoding_is_told_by_its_line(tmp_path: Path):
    file = tmp_path / "shoes.txt"
    file.write_bytes(b"PB\nB\xe9\n")
    done = tirage_roads(str(file))
    assert done.exit_code == 3
    assert "line 2: expected text in UTF-8, got the byte 0xe9; save the file as UTF-8" in done.stderr


def test_letters_give_one_object_with_every_key():
    """Design, section 6 `roads`."""
    result = tirage_roads("TTBBTPPPBT", "--json")
    (shoe,) = objects(result)
    assert result.exit_code == 0
    assert list(shoe) == KEYS
    assert shoe["big"][:3] == [[0, 0, "B"], [0, 1, "B"], [1, 0, "P"]]
    assert shoe["ties"] == [[0, 0, 2], [0, 1, 1], [2, 0, 1]]
    assert shoe["ask"]["B"]["cockroach"] is None
    assert shoe["ask"]["P"] == {"big_eye": [1, 2, "B"], "small": [0, 0, "B"], "cockroach": None}


def test_a_leading_tie_may_have_its_own_column():
    """Design, section 6: --leading-tie own-column."""
    (shoe,) = objects(tirage_roads("TTB", "--json", "--leading-tie", "own-column"))
    assert shoe["big"] == [[0, 0, "T"], [1, 0, "B"]]


def test_a_file_holds_one_shoe_a_line(tmp_path: Path):
    """Design, section 6: one object a shoe; letters in either case, blank lines are none."""
    file = tmp_path / "shoes.txt"
    file.write_text("PB\n\nb, b, t\n")
    shoes = objects(tirage_roads(str(file), "--json"))
    assert ["".join(cell[2] for cell in shoe["bead"]) for shoe in shoes] == ["PB", "BBT"]


@pytest.mark.parametrize(
    "text",
    [
        '[{"results": "PB"}, {"results": ["banker", "B", "tie"]}]',
        '{"results": "PB"}\n{"results": "BBT"}\n',
    ],
)
def test_json_with_results_is_read_as_a_list_or_a_line_each(tmp_path: Path, text: str):
    """Design, section 6: JSON with `results`."""
    file = tmp_path / "shoes.json"
    file.write_text(text)
    shoes = objects(tirage_roads(str(file), "--json"))
    assert ["".join(cell[2] for cell in shoe["bead"]) for shoe in shoes] == ["PB", "BBT"]


def test_a_dash_is_standard_input():
    """Design, section 6: `-` is stdin."""
    assert len(objects(tirage_roads("-", "--json", stdin="PB\nBP\n"))) == 2


@pytest.mark.parametrize("letters", ["BXP", "missing-file.txt", "PB" * 2_000 + "Q"])
def test_bad_letters_are_a_usage_error_that_names_them(letters: str):
    """Design, section 6: exit 2 for usage, also where the letters are longer than a file name may be."""
    result = tirage_roads(letters)
    assert result.exit_code == 2
    assert "a result is P, B or T, not" in result.stderr


@pytest.mark.parametrize("text", ["PB\nBXP\nTP\n", '[{"results":"PB"},{"hands":1},{"results":"TP"}]'])
def test_a_line_that_does_not_read_is_named_and_the_others_are_drawn(text: str):
    """Design, section 6: exit 3 for unreadable input."""
    result = tirage_roads("-", "--json", stdin=text)
    first, broken, last = objects(result)
    assert result.exit_code == 3
    assert (broken["row"], "row 2: " in result.stderr) == (2, True)
    assert [list(first), list(last)] == [KEYS, KEYS]


@pytest.mark.parametrize("content", [b"\xff\xfe\x00B", b'{"results": "PB"'])
def test_a_file_that_cannot_be_read_ends_with_3(tmp_path: Path, content: bytes):
    """Design, section 6: exit 3 for input that is unreadable or cut."""
    file = tmp_path / "shoes"
    file.write_bytes(content)
    result = tirage_roads(str(file))
    assert (result.exit_code, bool(result.stderr)) == (3, True)
    assert result.stdout == ""


def test_the_text_draws_six_rows_with_the_ties_beside_their_cell():
    """Design, section 6: readable text without --json."""
    lines = tirage_roads("TTBBTPPPBT").stdout.splitlines()
    assert lines[0] == "Shoe 1: 10 hands, Player 3, Banker 3, Tie 4"
    start = lines.index("Big road")
    assert lines[start + 1 : start + 7] == ["  B2P B1", "  B1P .", "  . P .", "  . . .", "  . . .", "  . . ."]
    assert "Small road: empty" in lines


def test_the_fields_shoes_come_out_of_the_command(captures: Path):
    """captures/roads.json: its README wants them by `tirage roads`."""
    path = captures / "roads.json"
    shoes = objects(tirage_roads(str(path), "--json", "--leading-tie", "own-column"))
    grids = [shoe["grids"] for shoe in json.loads(path.read_text())]
    names = (("big", "big"), ("big_eye", "bigeye"), ("small", "small"), ("cockroach", "cockroach"))
    ours = [sorted(shoe[name]) for shoe in shoes for name, _ in names]
    assert ours == [sorted(grid[name]) for grid in grids for _, name in names]
    assert len(ours) == 16


def test_json_too_deep_to_be_a_shoe_is_an_unreadable_row():
    """Design, section 6: 3 is unreadable, whatever the bytes."""
    done = tirage_roads("-", "--json", stdin="[" * 100_000)
    assert (done.exit_code, objects(done)[0]["row"]) == (3, 1)
