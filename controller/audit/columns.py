"""Which column of a hand table holds what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.audit.lines import EXIT_USAGE, AuditError
from controller.core.games import PUNTO_BANCO, Game

ABSENT = -1  # each row gets an empty cell at its end, and this is its place


OF_ANY = ("result", "shoe", "hand", "void", "ruled")


@dataclass(frozen=True, slots=True)
class Columns:
    """The place of each column, counted from 0; ABSENT where the table has none. Seats stand in dealing order."""

    seats: tuple[int, ...]
    totals: tuple[int, ...]
    pairs: tuple[int, ...]
    result: int = ABSENT
    shoe: int = ABSENT
    hand: int = ABSENT
    void: int = ABSENT
    ruled: int = ABSENT

    @property
    def wanted(self) -> tuple[int, ...]:
        """The places of those that the table has."""
        at = (*self.seats, *self.totals, *self.pairs, self.result, self.shoe, self.hand, self.void, self.ruled)
        return tuple(place for place in at if place != ABSENT)

    @property
    def last(self) -> int:
        """The place of the last one that the table has."""
        return max(self.wanted)


def seats_of(game: Game) -> tuple[str, ...]:
    """Return the columns of cards."""
    return tuple(seat.value for seat in game.seats)


def names_of(game: Game) -> tuple[str, ...]:
    """Return every column that a table of this game may have; pairs belong to punto banco alone (R-PB-12).

    >>> from controller.core.games import GAMES
    >>> names_of(GAMES["chemin_free"])
    ('punter', 'banker', 'result', 'shoe', 'hand', 'void', 'ruled', 'punter_total', 'banker_total')
    """
    seats = seats_of(game)
    pairs = () if game.asks_taker else tuple(f"{seat}_pair" for seat in seats)
    return (*seats, *OF_ANY, *(f"{seat}_total" for seat in seats), *pairs)


def present_in(header: Sequence[str]) -> str:
    """Return which columns there are, for a sentence."""
    return f"columns present: {', '.join(name.strip() for name in header)}"


def find_columns(header: Sequence[str], named: Mapping[str, str], game: Game = PUNTO_BANCO) -> Columns:
    """Return where the columns stand; ``named`` maps our names to those of the header.

    Letters of either case are the same. Raises AuditError with exit code 2 and the columns present, also
    where a column that is wanted is there twice.
    """
    places: dict[str, int] = {}
    for place, name in enumerate(header):
        places.setdefault(name.strip().casefold(), place)
    present = present_in(header)
    names, seats = names_of(game), seats_of(game)
    if unknown := [name for name in named if name not in names]:
        known = ", ".join(names)
        raise AuditError(f"no such column to map: {', '.join(unknown)} (one of {known}); {present}", EXIT_USAGE)
    wanted = {name: named.get(name, name).strip().casefold() for name in names}
    missing = [named.get(name, name) for name in (*seats, *named) if wanted[name] not in places]
    if missing:
        absent = ", ".join(dict.fromkeys(missing))
        raise AuditError(f"the table has no column {absent}; {present}; map names with --columns", EXIT_USAGE)
    counts = Counter(name.strip().casefold() for name in header)
    if twice := [column for column in wanted.values() if counts[column] > 1]:
        raise AuditError(f"the table has more than one column {twice[0]}: rename all but one; {present}", EXIT_USAGE)
    at = {name: places[column] for name, column in wanted.items() if column in places}
    return Columns(
        seats=tuple(at[seat] for seat in seats),
        totals=tuple(at.get(f"{seat}_total", ABSENT) for seat in seats),
        pairs=tuple(at.get(f"{seat}_pair", ABSENT) for seat in seats),
        **{name: at[name] for name in OF_ANY if name in at},
    )
