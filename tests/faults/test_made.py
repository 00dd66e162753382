"""docs/faults.md is fresh, a fault that nothing proves is told, and what the code cites is said somewhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults import table
from tests.made import ROOT, sentences

ROWS = {"A": 52, "B": 56}
SECTION = r"T?\d+(?:\.\d)?"
CITED = re.compile(rf"\b(wire-formats|trust|design|hardware-tests)\.md (?:sections? )?((?:{SECTION}(?:, | and )?)+)")
TEXTS = ("*.py", "*.toml", "*.html", "*.js", "*.css", "*.c", "*.h", "*.service", "*.rules", "*.yml")


def test_the_page_of_faults_is_as_its_sources_have_it():
    """Promised: generated and checked fresh."""
    assert table.main(["--check"]) == 0, "run make documents"


def test_every_row_of_both_lists_is_there_and_has_a_test_or_a_reason():
    """Promised: all of faults.md; the last line of its first list has no number, its faults are IR-01 to IR-16."""
    rows = table.read()[1]
    assert list(rows) == [f"{letter} {number}" for letter, last in ROWS.items() for number in range(1, last + 1)]
    assert table.problems(rows, table.tests_by_id(), table.places_by_id(), sentences()) == []


def test_a_fault_without_a_proof_a_stranger_and_a_place_that_is_gone_are_told():
    """The check can fail."""
    rows = {"A 1": {"where": ["gone.py"], "sees": ["hold.gone"]}, "A 2": {}, "A 3": {"where": ["docs"], "reason": "so"}}
    tests = {"A 2": ["a test"], **{f"A {number}": ["all in one"] for number in range(53, 60)}}
    wrong = table.problems(rows, tests, {"B 57": ["a module"]}, sentences())
    assert wrong == [
        "A 1 has neither a test nor a reason",
        "A 2 lives nowhere in the code",
        "A 1 names gone.py, which is not there",
        "A 1 has people read hold.gone, which the catalogue has not",
        "all in one cites 7 rows, so it is nobody's proof",
        *(f"A {number} is cited and is no row" for number in range(53, 60)),
        "B 57 is cited and is no row",
    ]


def test_what_is_wrong_is_told_and_no_page_is_written(tmp_path: Path, monkeypatch, capsys):
    """The command can fail."""
    (tmp_path / "faults.toml").write_text('[[part]]\ntitle = "A"\n[part.rows]\n"A 1" = {fault = "", does = ""}\n')
    monkeypatch.setattr(table, "DATA", tmp_path / "faults.toml")
    monkeypatch.setattr(table, "DOCUMENT", tmp_path / "faults.md")
    assert table.main([]) == 1
    assert "B 7 is cited and is no row" in capsys.readouterr().err
    assert not (tmp_path / "faults.md").exists()


def test_a_page_that_was_touched_is_stale(tmp_path: Path, monkeypatch, capsys):
    """The check can fail."""
    monkeypatch.setattr(table, "DOCUMENT", tmp_path / "faults.md")
    assert table.main([]) == table.main(["--check"]) == 0
    (tmp_path / "faults.md").write_text("something else")
    assert table.main(["--check"]) == 1
    assert "is stale" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ('def test_a24_a26_to_a28_a_deal(): "rules.md C.1."', ["A 24", "A 26", "A 27", "A 28"]),
        ("def test_b04_b19_a_shoe(): pass", ["B 4", "B 19"]),
        ("def test_rows_1_2_and_6_a_shoe(): pass", ["B 1", "B 2", "B 6"]),
        ("def test_rows_of_another_game(): pass", []),
        ("def test_a_shoe_of_b_1(): pass", []),
        ('def test_x(): "trust.md T5, faults.md A 6, 7 and B 13, 14: told."', ["A 6", "A 7", "B 13", "B 14"]),
        ('def test_x(): "faults.md A 24-26, A 4 to 5; (B 21)."', ["A 24", "A 25", "A 26", "A 4", "A 5", "B 21"]),
        ('def test_x(): "B 21: 200 frames a second."', ["B 21"]),
        ('def test_x(): "A suit letter, then A 2-9 10 or T; 7 A 5 loses the ace."', []),
    ],
)
def test_a_citation_is_read_as_it_is_meant(source: str, rows: list[str]):
    """By name, in a docstring, several at once; the ace of a hand is none."""
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert table.cited_by(function) == rows


def cited() -> Iterator[tuple[str, str]]:
    """Each section of a text that the project has not, and a file that cites it."""
    folders = [ROOT / name for name in ("controller", "drivers", "deploy", "firmware-protocol", "tests")]
    for path in (path for folder in folders for kind in TEXTS for path in folder.rglob(kind)):
        for text, sections in CITED.findall(path.read_text(encoding="utf-8")):
            yield from ((f"{text}.md {section}", str(path)) for section in re.findall(SECTION, sections))


def test_every_section_that_is_cited_is_said_in_the_design_notes():
    """Who clones the project has not these texts."""
    notes = (ROOT / "docs" / "design-notes.md").read_text(encoding="utf-8").split("## What is cited")[1]
    rows = re.findall(r"^\| `([\w-]+\.md)` ([^|]*) \|", notes, re.MULTILINE)
    said = {f"{text} {section}" for text, cell in rows for section in cell.split(", ")}
    assert len(said) > 30
    assert {section: where for section, where in cited() if section not in said} == {}
