"""Which column of a hand table holds what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from controller.audit.lines import EXIT_USAGE, AuditError

ABSENT = -1  # each row gets an empty cell at its end, and this is its place


@dataclass(frozen=True, slots=True)
class Columns:
    """The place of each column, counted from 0; ABSENT where the table has none."""

    player: int
    banker: int
    result: int = ABSENT
    shoe: int = ABSENT
    hand: int = ABSENT
    player_total: int = ABSENT
    banker_total: int = ABSENT
    player_pair: int = ABSENT
    banker_pair: int = ABSENT


NAMES = tuple(field.name for field in fields(Columns))
NEEDED = ("player", "banker")


def present_in(header: Sequence[str]) -> str:
    """Return which columns there are, for a sentence."""
    return f"columns present: {', '.join(name.strip() for name in header)}"


def find_columns(header: Sequence[str], named: Mapping[str, str]) -> Columns:
    """Return where the columns stand; ``named`` maps our names to those of the header.

    Letters of either case are the same. Raises AuditError with exit code 2 and the columns present, also
    where a column that is wanted is there twice.
    """
    places: dict[str, int] = {}
    for place, name in enumerate(header):
        places.setdefault(name.strip().casefold(), place)
    present = present_in(header)
    if unknown := [name for name in named if name not in NAMES]:
        known = ", ".join(NAMES)
        raise AuditError(f"no such column to map: {', '.join(unknown)} (one of {known}); {present}", EXIT_USAGE)
    wanted = {name: named.get(name, name).strip().casefold() for name in NAMES}
    missing = [named.get(name, name) for name in (*NEEDED, *named) if wanted[name] not in places]
    if missing:
        absent = ", ".join(dict.fromkeys(missing))
        raise AuditError(f"the table has no column {absent}; {present}; map names with --columns", EXIT_USAGE)
    names = Counter(name.strip().casefold() for name in header)
    if twice := [column for column in wanted.values() if names[column] > 1]:
        raise AuditError(f"the table has more than one column {twice[0]}: rename all but one; {present}", EXIT_USAGE)
    return Columns(**{name: places[column] for name, column in wanted.items() if column in places})
