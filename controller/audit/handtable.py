"""Hand tables: a row a hand, the cards of each seat in a cell."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from operator import attrgetter

from controller.audit.cells import Cell, Cells, flag, point, result_words, whole
from controller.audit.columns import ABSENT, find_columns, present_in, seats_of
from controller.audit.endings import Endings, Rulings
from controller.audit.lines import AuditError, Line, Outcome, Plain, RowNote, Tally
from controller.audit.shoes import ShoesSeen
from controller.audit.spoilt import (
    CUT,
    NO_ROW,
    NO_WORD,
    STRANGER,
    UNKNOWN,
    WORDS_TOLD,
    check_bytes,
    looks_cut,
    strangers_in,
)
from controller.audit.tables import Outcomes
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
        self._endings = Endings(reading.game, self._outcomes)
        self._ended = max(at.void, at.ruled) != ABSENT
        self._shoes = ShoesSeen()
        self._recorded = max(*at.totals, *at.pairs) != ABSENT
        self._width = at.last + 1
        self._strangers = strangers_in(header, reading.game)
        self._notes: list[RowNote] = []
        self._why_not = ""  # why the first row could not be read
        self._more: dict[str, Outcome] = {}
        self.knows_results = at.result != ABSENT

    def read(self, rows: Iterable[str]) -> Iterator[Line | RowNote]:
        """Yield a line a hand, and a note for a row that cannot be read.

        A row is one line of text, so that a stray quote spoils its own row and no other. Raises AuditError for a byte
        that is no UTF-8 in a cell that is wanted, a row that is cut at the end, and a table of which no row is read.
        """
        judged, notes, separator, none_yet = self._row, self._notes, self._separator, True
        for number, row in enumerate(rows, FIRST_ROW):
            text = row.rstrip("\r\n")
            if not text:
                continue
            cells = self._quoted(number, text) if QUOTE in text else text.split(separator)
            if not text.isascii():
                check_bytes(number, text, cells, self._at)
            got = len(cells)
            line = judged(number, cells) if cells else None
            # Only the last row can lack its line end.
            if len(text) == len(row) and looks_cut(line, got, self._columns, self._at):
                raise AuditError(CUT.format(row=number, got=got, most=self._columns))
            if notes:
                yield from notes
                notes.clear()
            if line is not None:
                none_yet = False
                yield line
        self._remark()
        if none_yet and self._why_not:
            raise AuditError(NO_ROW.format(why=self._why_not))

    def _remark(self) -> None:
        """Warn of results in words that nobody knows: they were held against nothing."""
        strange = [text.strip() for text, read in self._words.items() if read == UNKNOWN]
        told = ", ".join(repr(text) for text in strange[:WORDS_TOLD] if text.casefold() != UNKNOWN)
        if told:
            self._tally.remarks.append(NO_WORD.format(words=told))

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
        stranger = ""
        if not cells[self._first].strip():
            stranger = self._stranger(cells) if self._strangers else ""
            if not (stranger or "".join([cells[place] for place in at.seats]).strip()):
                self._tally.skipped += 1
                return None
        shoe = self._shoes[cells[at.shoe]]
        shoe.place += 1
        try:
            if stranger or (len(cells) > self._columns + 1 and any(map(str.strip, cells[self._columns :]))):
                raise ValueError(number)  # noqa: TRY301
            numbered = whole(cells[at.hand])
            hand = shoe.place if numbered is None else numbered
            one, two = self._cells[cells[self._first]], self._cells[cells[self._second]]
            more = [self._cells[cells[place]] for place in self._more_seats] if self._more_seats else None
            outcomes = self._endings[cells[at.void], cells[at.ruled]] if self._ended else self._outcomes
            stated = self._stated(cells) if self._recorded else ()
        except ValueError:
            self._note(number, stranger or self._why(cells))
            return None
        # Two seats are written out: this is done for every row.
        word = self._words[cells[at.result]]
        held = (one, two, *more) if more else (one, two)
        laid = (one.json, two.json, *map(JSON, more)) if more else (one.json, two.json)
        outcome = outcomes[(*map(CODE, held), word) if more else (one.code, two.code, word)]
        again = hand in shoe.hands
        if again:
            self._tally.repeated += 1
        else:
            shoe.hands.add(hand)
        if stated:
            outcome = self._compared(stated, held, outcome)
        if self._decks and not again and (over := shoe.over(self._seats, held, self._decks)):
            outcome = self._with(outcome, [{"kind": "impossible-card", "seat": seat, "rule": PBI_15} for seat in over])
        return Line(shoe.json, hand, laid, outcome, self._seats)

    def _stranger(self, cells: list[str]) -> str:
        """Say that the cards of a row lie in the columns of another game; empty where they do not."""
        for place, (seat, game) in self._strangers.items():
            with suppress(ValueError):  # a player's name is none
                if place < len(cells) and self._cells[cells[place]].code != ():
                    return STRANGER.format(seat=seat, game=game, asked=self._game.name)
        return ""

    def _note(self, number: int, error: str) -> None:
        self._tally.unreadable += 1
        note = RowNote(number, error if len(error) <= MOST_TOLD else f"{error[:MOST_TOLD]}...")
        self._notes.append(note)
        self._why_not = self._why_not or f"row {note.row}: {note.error}"

    def _why(self, cells: list[str]) -> str:
        if any(map(str.strip, cells[self._columns :])):
            return TOO_MANY.format(most=self._columns, got=len(cells) - 1)
        for column, place, read in self._readers():
            try:
                read(cells[place])
            except ValueError as error:
                return f"{column}: {error}"
        raise AssertionError(cells)

    def _readers(self) -> Iterator[tuple[str, int, Callable[[str], object]]]:
        """Yield each column that must be understood, its place, and what reads a cell of it."""
        at = self._at
        yield from ((seat, place, self._cells.__getitem__) for seat, place in zip(self._seats, at.seats, strict=True))
        yield from (("hand", at.hand, whole), ("void", at.void, flag))
        yield "ruled", at.ruled, Rulings(self._game).read
        yield from ((f"{seat}_total", place, point) for seat, place in zip(self._seats, at.totals, strict=True))
        yield from ((f"{seat}_pair", place, flag) for seat, place in zip(self._seats, at.pairs, strict=True))

    def _stated(self, cells: list[str]) -> tuple[tuple[int | None, bool | None], ...]:
        """Return the point and the pair that the row states of each seat. Raises ValueError."""
        at = self._at
        return tuple(
            [(point(cells[total]), flag(cells[pair])) for total, pair in zip(at.totals, at.pairs, strict=True)]
        )

    def _compared(
        self, stated: tuple[tuple[int | None, bool | None], ...], held: tuple[Cell, ...], outcome: Outcome
    ) -> Outcome:
        """Hold the points and pairs of a row against its cards."""
        pairs: list[Plain] = []
        totals: list[Plain] = []
        for seat, cell, (said, pair) in zip(self._seats, held, stated, strict=True):
            if pair is not None and cell.pair is not None and pair is not cell.pair:
                pairs.append({"kind": "pair-mismatch", "seat": seat, "rule": self._game.sources.pair})
            if said is not None and cell.total is not None and said != cell.total:
                totals.append({"kind": "total-mismatch", "seat": seat, "rule": None})
        return self._with(outcome, [*pairs, *totals])

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
