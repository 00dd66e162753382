"""What keeps a hand table from being read: bytes that are no UTF-8, a cut, the cards of another game."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from controller.audit.columns import Columns
from controller.audit.lines import AuditError, Line
from controller.core.games import GAMES, Game

SPOILT = re.compile("[\udc80-\udcff]")  # what `surrogateescape` makes of a byte that is no UTF-8
NO_UTF8 = (
    "line {row}, column {column}: expected text in UTF-8, got the byte 0x{byte:02x}; save the file as UTF-8 "
    "(CSV UTF-8), or convert it: iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW"
)
NO_ROW = "no row can be read; {why}"
CUT = (
    "row {row}: the table ends inside this row, without a line end, after {got} of {most} cells: "
    "was the file cut? Get it again, or end the row"
)
STRANGER = "the cards lie in the column {seat}, which is {game}, and not in those of {asked}: add --game {game}"
NO_WORD = "results in words that are not known, held against nothing: {words}; add --results WORD=SIDE"
UNKNOWN = "unknown"
WORDS_TOLD = 5
Strangers = Mapping[int, tuple[str, str]]


def check_bytes(row: int, text: str, cells: Sequence[str], at: Columns) -> None:
    """Raise AuditError for a byte that is no UTF-8 in a cell that is wanted; others may hold what they like."""
    found = SPOILT.search(text)
    if found and any(SPOILT.search(cells[place]) for place in at.wanted if place < len(cells)):
        raise AuditError(NO_UTF8.format(row=row, column=found.start() + 1, byte=ord(found[0]) - 0xDC00))


def strangers_in(header: Sequence[str], game: Game) -> Strangers:
    """Return the columns of cards that belong to another game: by place, the seat and the game."""
    others = {seat.value: other.name for other in GAMES.values() for seat in other.seats if seat not in game.seats}
    names = [name.strip().casefold() for name in header]
    return {place: (name, others[name]) for place, name in enumerate(names) if name in others}


def looks_cut(line: Line | None, cells: int, columns: int, at: Columns) -> bool:
    """Whether a last row that has no line end was cut: cells are missing, or the last one is no whole one."""
    if line is None or cells < columns:
        return True
    last = columns - 1
    if last in at.seats:
        few = line.cards[at.seats.index(last)].count('"') < 2 * 2  # fewer than two cards
        return few and "incomplete-hand" in line.outcome.kinds
    return last == at.result and f'"recorded":"{UNKNOWN}"' in line.outcome.json
