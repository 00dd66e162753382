"""Hand tables: a row a hand, the cards of each seat in a cell."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from controller.audit.cells import Cell, Cells, flag, result_words
from controller.audit.columns import ABSENT, find_columns, present_in, seats_of
from controller.audit.lines import AuditError, Line, Outcome, Plain, RowNote, Tally
from controller.audit.shoes import ShoesSeen
from controller.audit.tables import Outcomes
from controller.audit.texts import SAYS_OTHERWISE
from controller.core.games import PUNTO_BANCO, Game

DEFAULT_DECKS = 8
FIRST_ROW = 2  # as a spreadsheet counts: the header is row 1
SEPARATORS = ",;\t"
QUOTE = '"'
MOST_TOLD = 200  # characters of what is said of a row
OPEN_QUOTE = "expected a row on one line, got a quote that is not closed in it; close it or take it out"
TOO_LONG = "expected cells of at most {most:,} characters, got a longer one; is a separator or a quote missing?"
TOO_MANY = "expected at most {most} cells, as the header has, got {got}; put a cell that holds a separator in quotes"
NO_COLUMN = "--results is not used: no column is known as the result; name it with --columns result=NAME; {present}"
PBI_15 = "PBI-15"
CODE, JSON = attrgetter("code"), attrgetter("json")


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read hand tables.

    ``columns`` maps our names to the table's, ``results`` adds words for results. ``decks`` None counts copies
    against eight decks where a column names the shoe; a number counts in any case, 0 never.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=dict)
    decks: int | None = None
    game: Game = PUNTO_BANCO


class HandTable:
    """Judges the rows of one table, and counts in ``tally``."""

    def __init__(self, header: Sequence[str], separator: str, reading: Reading, tally: Tally) -> None:
        self._at = at = find_columns(header, reading.columns, reading.game)
        self._seats = seats_of(reading.game)
        self._separator = separator
        self._columns = len(header)
        self._tally = tally
        self._game = reading.game
        default = DEFAULT_DECKS if at.shoe != ABSENT else 0
        self._decks = default if reading.decks is None else reading.decks
        self._cells = Cells()
        self._first, self._second, *self._more_seats = at.seats
        self._words = result_words(reading.game, dict(reading.results))
        self._outcomes = Outcomes(reading.game)
        self._stopped = Outcomes(reading.game, stopped=True)
        self._voids = at.void != ABSENT
        self._shoes = ShoesSeen()
        self._recorded = max(*at.totals, *at.pairs) != ABSENT
        self._width = at.last + 1
        self._notes: list[RowNote] = []
        self._more: dict[str, Outcome] = {}
        self.knows_results = at.result != ABSENT

    def read(self, rows: Iterable[str]) -> Iterator[Line | RowNote]:
        """Yield a line a hand, and a note for a row that is not as its cards say or cannot be read.

        A row is one line of text, so that a stray quote spoils its own row and no other.
        """
        judged, notes, separator = self._row, self._notes, self._separator
        for number, row in enumerate(rows, FIRST_ROW):
            text = row.rstrip("\r\n")
            if not text:
                continue
            cells = self._quoted(number, text) if QUOTE in text else text.split(separator)
            line = judged(number, cells) if cells else None
            if notes:
                yield from notes
                notes.clear()
            if line is not None:
                yield line

    def _quoted(self, number: int, text: str) -> list[str]:
        """Return the cells of a row with quotes; none, and a note, where they do not make a row."""
        try:
            # Only a quote that is still open takes the line end into its cell.
            cells = next(csv.reader([f"{text}\n"], delimiter=self._separator))
        except csv.Error:
            cells, wrong = [], TOO_LONG.format(most=csv.field_size_limit())
        else:
            wrong = OPEN_QUOTE
            if not cells[-1].endswith("\n"):
                return cells
        self._note(number, wrong)
        place = self._at.shoe
        self._shoes[cells[place] if ABSENT < place < len(cells) - 1 else ""].place += 1
        return []

    def _row(self, number: int, cells: list[str]) -> Line | None:
        at = self._at
        if len(cells) < self._width:
            cells.extend([""] * (self._width - len(cells)))
        cells.append("")
        if not (cells[self._first].strip() or "".join([cells[place] for place in at.seats]).strip()):
            self._tally.skipped += 1
            return None
        shoe = self._shoes[cells[at.shoe]]
        shoe.place += 1
        try:
            if len(cells) > self._columns + 1 and any(map(str.strip, cells[self._columns :])):
                raise ValueError(number)  # noqa: TRY301
            numbered = whole(cells[at.hand])
            hand = shoe.place if numbered is None else numbered
            one, two = self._cells[cells[self._first]], self._cells[cells[self._second]]
            more = [self._cells[cells[place]] for place in self._more_seats] if self._more_seats else None
        except ValueError:
            self._note(number, self._why(cells))
            return None
        # Two seats are written out: this is done for every row.
        word = self._words[cells[at.result]]
        held = (one, two, *more) if more else (one, two)
        laid = (one.json, two.json, *map(JSON, more)) if more else (one.json, two.json)
        outcomes = self._stopped if self._voids and flag(cells[at.void]) else self._outcomes
        outcome = outcomes[(*map(CODE, held), word) if more else (one.code, two.code, word)]
        again = hand in shoe.hands
        if again:
            self._tally.repeated += 1
        else:
            shoe.hands.add(hand)
        if self._recorded:
            outcome = self._compared(number, cells, held, outcome)
        if self._decks and not again and (over := shoe.over(self._seats, held, self._decks)):
            outcome = self._with(outcome, [{"kind": "impossible-card", "seat": seat, "rule": PBI_15} for seat in over])
        return Line(shoe.json, hand, laid, outcome, self._seats)

    def _note(self, number: int, error: str) -> None:
        self._tally.unreadable += 1
        self._notes.append(RowNote(number, error if len(error) <= MOST_TOLD else f"{error[:MOST_TOLD]}..."))

    def _why(self, cells: list[str]) -> str:
        if any(map(str.strip, cells[self._columns :])):
            return TOO_MANY.format(most=self._columns, got=len(cells) - 1)
        for column, place in zip(self._seats, self._at.seats, strict=True):
            try:
                self._cells[cells[place]]
            except ValueError as error:
                return f"{column}: {error}"
        return f"hand: expected a whole number from 0, got {cells[self._at.hand]!r}"

    def _compared(self, number: int, cells: list[str], held: tuple[Cell, ...], outcome: Outcome) -> Outcome:
        """Hold the totals and pairs of a row against its cards."""
        found: list[Plain] = []
        at = self._at
        for seat, cell, total, paired in zip(self._seats, held, at.totals, at.pairs, strict=True):
            said = cells[total].strip()
            if said and cell.total is not None and said != str(cell.total):
                self._note(number, SAYS_OTHERWISE.format(column=f"{seat}_total", said=repr(said), made=cell.total))
            pair = flag(cells[paired])
            if pair is not None and cell.pair is not None and pair is not cell.pair:
                found.append({"kind": "pair-mismatch", "seat": seat, "rule": self._game.sources.pair})
        return self._with(outcome, found)

    def _with(self, outcome: Outcome, found: list[Plain]) -> Outcome:
        """Return the outcome with what was found, one object for all that are equal."""
        if not found:
            return outcome
        more = outcome.with_more(found)
        return self._more.setdefault(more.json, more)


def header_of(first: str, separator: str) -> list[str]:
    """Return the names of the columns. Raises AuditError."""
    try:
        return next(csv.reader([first.removeprefix("\ufeff")], delimiter=separator))
    except csv.Error:
        most = csv.field_size_limit()
        raise AuditError(f"row 1: {TOO_LONG.format(most=most)} Is this a hand table?") from None


def whole(text: str) -> int | None:
    """Return a hand's number, None for an empty cell. Raises ValueError for anything but digits."""
    said = text.strip()
    if not said:
        return None
    if not (said.isascii() and said.isdigit()):
        raise ValueError(text)
    return int(said)


def read_table(lines: Iterable[str], reading: Reading, tally: Tally) -> Iterator[Line | RowNote]:
    """Yield what a table's text says, header first; cells are parted by commas, semicolons or tabs.

    Raises AuditError: code 2 for columns that are not there, 3 for a text that is no table.
    """
    text = iter(lines)
    first = next(text, "")
    if not first.strip():
        raise AuditError("the hand table is empty: expected a first line with the names of its columns")
    separator = max(SEPARATORS, key=first.count)
    header = header_of(first, separator)
    table = HandTable(header, separator, reading, tally)
    if reading.results and not table.knows_results:
        tally.remarks.append(NO_COLUMN.format(present=present_in(header)))
    yield from table.read(text)
