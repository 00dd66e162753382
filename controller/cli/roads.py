"""`tirage roads`: the roads of finished shoes, as text or as JSON lines."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from controller.cli.params import why_unread
from controller.core.roads import ROWS, Answer, Cell, LeadingTie, Roads, roads_of

USAGE, UNREADABLE = 2, 3  # exit codes, design.md section 6
WORDS = {"PLAYER": "P", "BANKER": "B", "TIE": "T"}
NAMES = {
    "bead": "Bead plate",
    "big": "Big road",
    "big_eye": "Big eye boy",
    "small": "Small road",
    "cockroach": "Cockroach pig",
}
RESULT_COLOURS = {"B": "red", "P": "blue", "T": "green"}
DERIVED_COLOURS = {"R": "red", "B": "blue"}
COLOURS = {name: RESULT_COLOURS if name in ("bead", "big") else DERIVED_COLOURS for name in NAMES}
EMPTY = "."


@dataclass(frozen=True, slots=True)
class Line:
    """One shoe as it was written: ``row`` from 1, and either its letters or what is wrong with it."""

    row: int
    letters: str = ""
    error: str = ""


def read_letters(row: int, text: str) -> Line:
    """Read results as letters in either case; spaces and commas between them are let through."""
    letters = text.upper().translate(str.maketrans("", "", " \t\r\n,"))
    wrong = next((letter for letter in letters if letter not in "PBT"), None)
    return Line(row, letters) if wrong is None else Line(row, error=f"a result is P, B or T, not {wrong!r}")


def read_object(row: int, shoe: Any) -> Line:
    """Read one JSON shoe: an object with `results`, a text of letters or a list of letters or words."""
    match shoe:
        case {"results": str(results)}:
            return read_letters(row, results)
        case {"results": list(results)}:
            return read_letters(row, ",".join(WORDS.get(str(result).upper(), str(result)) for result in results))
        case _:
            return Line(row, error="expected an object with `results`")


def read_json(text: str) -> list[Line]:
    """Read one JSON object, a list of them, or an object a line."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return [read_json_line(row, line) for row, line in numbered(text)]
    return [read_object(row, shoe) for row, shoe in enumerate(found if isinstance(found, list) else [found], 1)]


def read_json_line(row: int, line: str) -> Line:
    """Read one line that should hold one JSON object."""
    try:
        return read_object(row, json.loads(line))
    except (ValueError, RecursionError) as broken:
        return Line(row, error=f"not JSON: {broken}")


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """The lines that hold something, with their numbers from 1."""
    return ((row, line) for row, line in enumerate(text.splitlines(), 1) if line.strip())


def read_text(text: str) -> list[Line]:
    """Read a file's text: JSON by its first character, else one shoe a line."""
    if text.lstrip().startswith(("{", "[")):
        return read_json(text)
    return [read_letters(row, line) for row, line in numbered(text)]


def read(source: str) -> list[Line]:
    """Read `-`, an existing file, or the letters themselves.

    Raises click.UsageError for letters that are none and for none at all, OSError or UnicodeDecodeError for a file
    that cannot be read.
    """
    if source == "-":
        return read_text(sys.stdin.buffer.read().decode())
    if os.path.isfile(source):  # noqa: PTH113  Path.is_file() raises on letters longer than a file name may be
        return read_text(Path(source).read_text(encoding="utf-8"))
    line = read_letters(1, source)
    if not (line.letters or line.error):
        raise click.UsageError("there are no results: give letters P, B and T, a FILE, or - for standard input")
    if line.error:
        raise click.UsageError(f"{source!r} is no file, and as results it does not read: {line.error}")
    return [line]


def answer_json(answer: Answer) -> dict[str, Cell | None]:
    """An answer by the names of the derived roads."""
    return asdict(answer)


def as_json(roads: Roads) -> dict[str, Any]:
    """The object that integrators read (design.md section 6); `waiting` counts ties that have no cell yet."""
    return {
        **{name: getattr(roads, name) for name in NAMES},
        "ties": roads.ties,
        "ask": {"B": answer_json(roads.ask.banker), "P": answer_json(roads.ask.player)},
        "waiting": roads.waiting,
    }


def grid_text(name: str, cells: Sequence[Cell], beside: dict[tuple[int, int], str]) -> Iterator[str]:
    """Draw a road, six rows, a cell two characters wide: the mark, then what stands ``beside`` it."""
    width = max((cell.column for cell in cells), default=-1) + 1
    paper = {cell[:2]: click.style(cell.mark, fg=COLOURS[name][cell.mark], bold=True) for cell in cells}
    yield NAMES[name] if width else f"{NAMES[name]}: empty"
    for row in range(ROWS if width else 0):
        spots = ((column, row) for column in range(width))
        yield "  " + "".join(paper.get(spot, EMPTY) + beside.get(spot, " ") for spot in spots).rstrip()


def as_text(number: int, roads: Roads) -> Iterator[str]:
    """Draw all roads of a shoe; on the big road a digit beside a cell counts its ties, + is ten or more."""
    counts = {letter: sum(cell.mark == letter for cell in roads.bead) for letter in "PBT"}
    yield f"Shoe {number}: {len(roads.bead)} hands, Player {counts['P']}, Banker {counts['B']}, Tie {counts['T']}"
    ties = {tie[:2]: str(tie.number) if tie.number < 10 else "+" for tie in roads.ties}
    for name in NAMES:
        yield from grid_text(name, getattr(roads, name), ties if name == "big" else {})
    if roads.waiting:
        yield f"Ties that wait for the first Player or Banker: {roads.waiting}"
    for word, answer in (("Banker", roads.ask.banker), ("Player", roads.ask.player)):
        marks = ((NAMES[name], cell.mark if cell else "-") for name, cell in answer_json(answer).items())
        yield f"If {word} comes next: " + ", ".join(f"{road} {mark}" for road, mark in marks)
    yield "Derived roads: R regular (red), B irregular (blue)."


@click.command(
    epilog="Example: tirage roads TBBPPPB --json",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.argument("source", metavar="RESULTS|FILE")
@click.option("--json", "as_lines", is_flag=True, help="One JSON object a shoe, one a line.")
@click.option(
    "--leading-tie",
    type=click.Choice([choice.value for choice in LeadingTie]),
    default=LeadingTie.FIRST_CELL.value,
    show_default=True,
    help="Ties before the first result: wait for the first cell, or take a column of their own.",
)
@click.pass_context
def roads(context: click.Context, source: str, as_lines: bool, leading_tie: str) -> None:
    """Draw bead plate, big road and derived roads of finished shoes.

    RESULTS are letters P, B and T in the order they were dealt. FILE holds one shoe a line, or JSON with `results`;
    - is standard input. Exit 3 if a line of it does not read; the other shoes are drawn all the same.
    """
    try:
        lines = read(source)
    except (OSError, UnicodeDecodeError) as failed:
        click.echo(f"tirage roads: {source}: {why_unread(failed)}", err=True)
        context.exit(UNREADABLE)
    if not lines:
        click.echo(f"tirage roads: {source} holds no shoe: expected one a line, or JSON with `results`", err=True)
        context.exit(UNREADABLE)
    show = show_json if as_lines else show_text
    for number, line in enumerate(lines, 1):
        if line.error:
            click.echo(f"row {line.row}: {line.error}", err=True)
        show(number, line, LeadingTie(leading_tie))
    context.exit(UNREADABLE if any(line.error for line in lines) else 0)


def show_json(_number: int, line: Line, leading_tie: LeadingTie) -> None:
    """Print one object for each line, also for one that does not read, so that objects and lines stay in step."""
    if line.error:
        click.echo(json.dumps({"row": line.row, "error": line.error}))
        return
    click.echo(json.dumps(as_json(roads_of(line.letters, leading_tie)), separators=(",", ":")))


def show_text(number: int, line: Line, leading_tie: LeadingTie) -> None:
    """Print the grids of one shoe; nothing for a line that does not read."""
    if not line.error:
        click.echo("\n".join([*as_text(number, roads_of(line.letters, leading_tie)), ""]))
