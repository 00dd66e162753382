"""What the pages that are made have in common: who cites what, a row of a table, and writing or checking the page."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "controller" / "sentences" / "en.toml"
MOST_TESTS, MOST_PLACES = 3, 3  # of one row in a table
Places = dict[str, list[str]]  # by id, the tests or the files that cite it


def tests_by_id(cited: Callable[[ast.FunctionDef], Iterable[str]]) -> Places:
    """Return the tests that cite each id, as ``tests/file.py::name``."""
    found: Places = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for test in _tests(path):
            for ident in dict.fromkeys(cited(test)):
                found.setdefault(ident, []).append(f"{path.relative_to(ROOT)}::{test.name}")
    return found


def _tests(path: Path) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node


def files_by_id(cited: Callable[[str], Iterable[str]], *folders: str) -> Places:
    """Return the modules below some folders whose text cites each id."""
    found: Places = {}
    for path in sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py")):
        for ident in dict.fromkeys(cited(path.read_text(encoding="utf-8"))):
            found.setdefault(ident, []).append(str(path.relative_to(ROOT)))
    return found


def sentences() -> dict[str, str]:
    """Return the English sentences by section and id."""
    catalogue = tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))
    return {f"{section}.{ident}": text for section, of in catalogue.items() for ident, text in of.items()}


def row(*cells: str) -> str:
    """Return a row of a table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def code(names: Iterable[str]) -> str:
    """Return the first few places as lines of a cell."""
    return "<br>".join(f"`{name}`" for name in list(names)[:MOST_PLACES])


def proof(tests: list[str]) -> str:
    """Return the first few tests as lines of a cell, and how many there are beside."""
    shown = [f"`{name.removeprefix('tests/')}`" for name in tests[:MOST_TESTS]]
    more = [f"and {len(tests) - MOST_TESTS} more"] if len(tests) > MOST_TESTS else []
    return "<br>".join([*shown, *more])


def keep(page: Path, made: str, arguments: list[str], wrong: Iterable[str] = ()) -> int:
    """Write a page, or with ``--check`` say that it is stale; where its sources are wrong say how, and make nothing."""
    if told := list(wrong):
        print(*told, sep="\n", file=sys.stderr)
        return 1
    if "--check" not in arguments:
        page.write_text(made, encoding="utf-8")
    elif not page.is_file() or page.read_text(encoding="utf-8") != made:
        print(f"docs/{page.name} is stale: run make documents", file=sys.stderr)
        return 1
    return 0
