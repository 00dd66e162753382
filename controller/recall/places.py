"""Where a shoe stands in a table's folder, read up to the last whole line while the recorder goes on writing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path

from controller.core.facts import FactName
from controller.journal.errors import JournalDamage, TornTail
from controller.journal.reader import read_segment
from controller.journal.record import FACTS, SEGMENT_CLOSED, Record
from controller.journal.segment import Segment, SegmentKind, segments

FIRST_CARDS = frozenset(
    name.value for name in (FactName.BURN_CARD_SEEN, FactName.CARD_DRAWN, FactName.OFF_GAME_CARD_SEEN)
)
NUMBERS_KEPT = 16_384  # more shoes than two table-years


class NoSuchShoe(LookupError):
    """The folder does not hold this shoe; the text is a sentence."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """The segments that tell of one shoe.

    ``own`` begins with the time before its first card. ``after`` is the next shoe, in which a hand that was left
    unsettled may be closed and an incident acknowledged. ``open_one`` is the segment that is still written, ``first``
    the first shoe that the folder holds.
    """

    shoe: int
    own: tuple[Segment, ...]
    after: tuple[Segment, ...]
    open_one: Segment
    first: int

    def records(self) -> Iterator[Record]:
        """Yield the verified records of all its segments. Raises JournalDamage, JournalTooNew, OSError."""
        return up_to_now((*self.own, *self.after), self.open_one)


def chapter(folder: Path, shoe: int) -> Chapter:
    """Return where a shoe stands. Raises NoSuchShoe, JournalDamage, OSError."""
    there = segments(folder) if folder.is_dir() else []
    places = shoe_places(there)
    first = number_at(there, places, 0) if places else shoe
    at = bisect_left(range(len(places)), shoe, key=lambda at: number_at(there, places, at))
    if at < len(places) and number_at(there, places, at) == shoe:
        begin = _back_over_idle(there, places[at])
        following = [*places[at + 1 : at + 3], len(there), len(there)]
        return Chapter(
            shoe, tuple(there[begin : following[0]]), tuple(there[following[0] : following[1]]), there[-1], first
        )
    if there and at == len(places):  # announced, but no card of it has come yet
        begin = places[-1] + 1 if places else 0
        if there[begin:]:
            return Chapter(shoe, tuple(there[begin:]), (), there[-1], first)
    raise NoSuchShoe(f"{folder} does not hold shoe {shoe}")


def latest_shoe(folder: Path) -> int:
    """Return the number of the shoe of which a card came last. Raises NoSuchShoe, JournalDamage, OSError."""
    there = segments(folder) if folder.is_dir() else []
    places = shoe_places(there)
    if not places:
        raise NoSuchShoe(f"{folder} holds no shoe yet")
    return number_at(there, places, len(places) - 1)


def shoe_places(there: Sequence[Segment]) -> list[int]:
    """Return the places of the shoes' segments; one whose first card is not told of yet is left out."""
    places = [place for place, segment in enumerate(there) if segment.kind is SegmentKind.SHOE]
    try:
        if places:
            number_of(there[places[-1]], there[-1])
    except NoSuchShoe:
        places.pop()
    except JournalDamage:
        return places  # it has a number among its neighbours
    return places


def _back_over_idle(there: Sequence[Segment], place: int) -> int:
    while place and there[place - 1].kind is SegmentKind.IDLE:
        place -= 1
    return place


def number_at(there: Sequence[Segment], places: Sequence[int], at: int) -> int:
    """Return the number of the shoe at the ``at``-th of these places.

    One that is damaged before its first card is counted from its nearest whole neighbour, so that it takes away no
    other shoe. Raises JournalDamage, of this one, where none is whole.
    """
    try:
        return number_of(there[places[at]], there[-1])
    except JournalDamage:
        for other in chain(range(at - 1, -1, -1), range(at + 1, len(places))):
            with suppress(JournalDamage):
                return number_of(there[places[other]], there[-1]) + at - other
        raise


def number_of(segment: Segment, open_one: Segment) -> int:
    """Return which shoe a shoe's segment tells of: its first card says so, its first line names the one before.

    Raises NoSuchShoe while no card has come.
    """
    return _number(segment.journal, segment == open_one)


@lru_cache(maxsize=NUMBERS_KEPT)
def _number(path: Path, still_written: bool) -> int:  # noqa: FBT001 - part of the key: a raised error is not kept
    try:
        for record in read_segment(path):
            facts = record.data["facts"] if record.kind == FACTS else ()
            for fact in facts:
                if fact["fact"] in FIRST_CARDS:
                    return int(fact["shoe"])
    except TornTail:
        if not still_written:
            raise
    raise NoSuchShoe(f"{path} holds no card yet")


def up_to_now(wanted: Sequence[Segment], open_one: Segment) -> Iterator[Record]:
    """Yield the verified records of segments that follow each other; a line that is being written is left for later.

    Raises JournalDamage, JournalTooNew, OSError.
    """
    last: Record | None = None
    for segment in wanted:
        if last is not None and last.kind != SEGMENT_CLOSED:
            raise JournalDamage(last.path, last.i, f"not closed, but {segment.name} follows")
        try:
            for record in read_segment(segment.journal, last.hash if last else None):
                yield record
                last = record
        except TornTail:
            if segment != open_one:
                raise
