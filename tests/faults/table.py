"""Make docs/faults.md: every fault, what a table does about it, its place in the code, its tests and what people see.

python -m tests.faults.table [--check]
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

from tests import made
from tests.made import ROOT, Places, sentences

DATA, DOCUMENT = ROOT / "docs" / "faults.toml", ROOT / "docs" / "faults.md"
MOST_ROWS = 6  # that one test may cite
HEAD = """# What goes wrong, and what tirage does

Made by `python -m tests.faults.table` from [faults.toml](faults.toml), the tests and the catalogue of sentences. Do not
write here: a test fails when this page is stale, when a row has neither test nor reason, or when a place, a test or a
sentence that it names is not there.

Comments and docstrings cite a row as "faults.md A 12" or "B 7"; "B 13, 14" and "A 24-31" are several. A test is one of
a row's when its name or its docstring cites the row; the table names three at most.
"""

NAMED = re.compile(r"test_((?:(?:to_)?[ab]\d{1,2}_)+)")
NAMED_ROW = re.compile(r"test_rows?_((?:\d{1,2}_(?:and_)?)+)")
NUMBERS = r"\d{1,2}\b(?:(?:, | and |-| to )\d{1,2}\b)*"
WRITTEN = re.compile(rf"(?:^|faults\.md |\band |[(#,;:.] ?)([AB])(?:,? rows?)? ({NUMBERS})")  # no ace in "7 A 5"
STEP = re.compile(r"(-|to)?[ _]*([ab])?(\d+)")
Rows = dict[str, dict[str, Any]]


def ids_in_name(name: str) -> Iterator[str]:
    """Yield the rows that a test is named by.

    >>> list(ids_in_name("test_a24_to_a26_b04_a_deal"))
    ['A 24', 'A 25', 'A 26', 'B 4']
    >>> list(ids_in_name("test_rows_1_2_and_6_a_shoe"))
    ['B 1', 'B 2', 'B 6']
    """
    if named := NAMED.match(name) or NAMED_ROW.match(name):
        yield from _steps("B", named[1])


def ids_in_text(text: str) -> Iterator[str]:
    """Yield the rows that a text cites, ranges too.

    >>> list(ids_in_text("see faults.md A 6, 7 and B 13-15; (B 4)"))
    ['A 6', 'A 7', 'B 13', 'B 14', 'B 15', 'B 4']
    """
    for letter, numbers in WRITTEN.findall(text):
        yield from _steps(letter, numbers)


def _steps(letter: str, numbers: str) -> Iterator[str]:
    last = 0
    for upto, named, digits in STEP.findall(numbers):
        letter, number = named.upper() or letter, int(digits)
        yield from (f"{letter} {one}" for one in range(last + 1 if upto else number, number + 1))
        last = number


def cited_by(test: ast.FunctionDef) -> list[str]:
    """Return the rows in a test's name and in its docstring."""
    return [*ids_in_name(test.name), *ids_in_text(ast.get_docstring(test) or "")]


def tests_by_id() -> Places:
    """Return the tests that cite each row, those that are named by it first."""
    found = made.tests_by_id(cited_by)
    return {row: [*_named(row, tests), *_told(row, tests)] for row, tests in found.items()}


def _named(row: str, tests: list[str]) -> list[str]:
    return [test for test in tests if row in ids_in_name(test.rpartition("::")[2])]


def _told(row: str, tests: list[str]) -> list[str]:
    return [test for test in tests if test not in _named(row, tests)]


def places_by_id() -> Places:
    """Return the modules that cite each row."""
    return made.files_by_id(ids_in_text, "controller", "drivers")


def read() -> tuple[dict[str, Any], Rows]:
    """Return the data file, and its rows by id."""
    data = tomllib.loads(DATA.read_text(encoding="utf-8"))
    return data, {ident: row for part in data["part"] for ident, row in part["rows"].items()}


def places(ident: str, row: dict[str, Any], cited: Places) -> list[str]:
    """Return where a row lives: where the data says, then where it is cited."""
    return list(dict.fromkeys([*row.get("where", ()), *cited.get(ident, ())]))


def problems(rows: Rows, tests: Places, cited: Places, said: dict[str, str]) -> list[str]:
    """Return what is wrong with the table, one sentence each."""
    unproved = [ident for ident, row in rows.items() if not tests.get(ident) and "reason" not in row]
    found = [f"{ident} has neither a test nor a reason" for ident in unproved]
    found += [f"{ident} lives nowhere in the code" for ident, row in rows.items() if not places(ident, row, cited)]
    for ident, row in rows.items():
        gone = [name for name in row.get("where", ()) if not (ROOT / name).exists()]
        found += [f"{ident} names {name}, which is not there" for name in gone]
        unsaid = [one for one in row.get("sees", ()) if one not in said]
        found += [f"{ident} has people read {one}, which the catalogue has not" for one in unsaid]
    cites = Counter(chain.from_iterable(tests.values()))
    found += [f"{test} cites {many} rows, so it is nobody's proof" for test, many in cites.items() if many > MOST_ROWS]
    strange = [*(tests.keys() - rows.keys()), *(cited.keys() - rows.keys())]
    return found + [f"{ident} is cited and is no row" for ident in sorted(strange)]


def document(data: dict[str, Any], tests: Places, cited: Places, said: dict[str, str]) -> str:
    """Return docs/faults.md as it should be."""
    lines = [HEAD, f"{_counted([row for part in data['part'] for row in part['rows'].values()])}.", ""]
    for part in data["part"]:
        lines += [f"## {part['title']}", ""]
        lines += ["| Row | What goes wrong | What tirage does | Where it lives | Tests | What people see |"]
        lines += ["|---|---|---|---|---|---|"]
        lines += [_row(ident, row, tests, cited, said) for ident, row in part["rows"].items()]
        lines.append("")
    return "\n".join(lines)


def _counted(rows: list[dict[str, Any]]) -> str:
    reasons, lacks = (sum(key in row for row in rows) for key in ("reason", "lacks"))
    told = f"{len(rows)} rows: {len(rows) - reasons} with a test, {reasons} with a reason"
    return f"{told}; in {lacks} something is not done"


def _row(ident: str, row: dict[str, Any], tests: Places, cited: Places, said: dict[str, str]) -> str:
    proof = "<br>".join(filter(None, (row.get("reason", ""), made.proof(tests.get(ident, [])))))
    texts = "<br>".join(said[one] for one in row.get("sees", ()))
    does = "<br>".join([row["does"], *([f"Not done: {row['lacks']}"] if "lacks" in row else [])])
    return made.row(ident, row["fault"], does, made.code(places(ident, row, cited)), proof, texts)


def main(arguments: list[str]) -> int:
    """Write the table, or say what is wrong with it."""
    data, rows = read()
    found = tests_by_id(), places_by_id(), sentences()
    wrong = problems(rows, *found)
    return made.keep(DOCUMENT, "" if wrong else document(data, *found), arguments, wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
