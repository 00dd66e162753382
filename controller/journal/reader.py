"""Read journals: every record verified by chain and checksum, inputs paired with the facts recorded then."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any, BinaryIO

from controller.core.facts import Fact
from controller.core.inputs import Input
from controller.core.words import fact_dict, input_of
from controller.journal.errors import JournalDamage, JournalTooNew, TornTail
from controller.journal.record import (
    FACTS,
    FORMAT,
    INPUT_KINDS,
    SEGMENT_CLOSED,
    SEGMENT_OPENED,
    SUM_MARK,
    SUM_SIZE,
    Record,
    Span,
    decode,
    dumps,
    intact,
)
from controller.journal.segment import opening_of, segments


@dataclass(frozen=True, slots=True)
class Judged:
    """An input with the facts recorded then; ``facts`` None if the recorder stopped before it wrote them."""

    index: int
    item: Input
    raw: Span | None
    facts: tuple[dict[str, Any], ...] | None
    path: Path


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact that came out differently; ``then`` or ``now`` is None where one side has no such fact."""

    index: int
    place: int
    then: dict[str, Any] | None
    now: dict[str, Any] | None


def read_segment(path: Path, prev: str | None = None) -> Iterator[Record]:
    """Yield the verified records of a segment; ``prev`` is the hash its first line must name, None for any.

    A closed segment ends with `segment_closed`; one without it is still open, or lost whole lines at its end, which
    only the segment after it (`read_folder`) or a witness can tell.
    Raises JournalTooNew, JournalDamage, TornTail for damage with nothing whole after it, OSError.
    """
    with path.open("rb") as lines:
        yield from read_lines(lines, path, prev)


def read_lines(lines: BinaryIO, path: Path, prev: str | None) -> Iterator[Record]:
    """Yield the verified records of an open file; as `read_segment`."""
    offset = number = 0
    kind = ""
    for number, line in enumerate(lines, 1):
        if number == 1:
            refuse_newer(line, path)
        try:
            record = decode(line, path, number, prev)
            _check_place(record, kind)
        except JournalDamage as damage:
            if intact(line) or any(map(intact, lines)):  # a torn write leaves no line with its checksum
                raise
            raise TornTail(path, number, damage.reason, offset) from damage
        yield record
        prev, kind = record.hash, record.kind
        offset += len(line)
    if not number:
        raise JournalDamage(path, 1, "the segment is empty")


def _check_place(record: Record, kind_before: str) -> None:
    if record.i == 1:
        opening_of(record)
    elif record.kind == SEGMENT_OPENED:
        raise JournalDamage(record.path, record.i, "a segment_opened inside a segment")
    if kind_before == SEGMENT_CLOSED:
        raise JournalDamage(record.path, record.i, "a line after segment_closed")


def refuse_newer(line: bytes, path: Path) -> None:
    """Raise JournalTooNew if a first line names a newer format, whatever else that format has changed."""
    if line[-SUM_SIZE:].startswith(SUM_MARK) and not intact(line):
        return  # a line in our own layout that is damaged
    try:
        first = json.loads(line)
    except (ValueError, RecursionError):
        return
    match first:
        case {"format": int() as found} | {"data": {"format": int() as found}} if found > FORMAT:
            raise JournalTooNew(path, found, FORMAT)


def read_folder(folder: Path) -> Iterator[Record]:
    """Yield the verified records of all segments of a folder.

    The first segment may continue one that was archived. Raises as `read_segment`.
    """
    prev: str | None = None
    last: Record | None = None
    for segment in segments(folder):
        if last is not None and last.kind != SEGMENT_CLOSED:
            raise JournalDamage(last.path, last.i, f"not closed, but {segment.name} follows")
        for last in read_segment(segment.journal, prev):
            yield last
            prev = last.hash


def input_in(record: Record) -> Input:
    """Return the input of a record.

    Raises JournalDamage if its data do not fit its kind.
    """
    line = {"kind": record.kind, "data": record.data, "utc": record.utc, "mono": record.mono, "by": record.by}
    try:
        return input_of(line)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise JournalDamage(record.path, record.i, f"not an input: {error}") from error


def inputs(records: Iterable[Record]) -> Iterator[tuple[int, Input, Span | None]]:
    """Yield index, input and raw span of each input; all other records are left out."""
    return ((record.i, input_in(record), record.raw) for record in records if record.kind in INPUT_KINDS)


def judged(records: Iterable[Record]) -> Iterator[Judged]:
    """Yield each input with its facts.

    Raises JournalDamage for facts without their input.
    """
    waiting: Judged | None = None
    for record in records:
        if record.kind == FACTS:
            if waiting is None:
                raise JournalDamage(record.path, record.i, "facts without their input")
            yield replace(waiting, facts=_facts_in(record, waiting))
            waiting = None
        elif record.kind in INPUT_KINDS:
            if waiting is not None:
                yield waiting
            waiting = Judged(record.i, input_in(record), record.raw, None, record.path)
    if waiting is not None:
        yield waiting


def _facts_in(record: Record, waiting: Judged) -> tuple[dict[str, Any], ...]:
    match record.data:
        case {"of": int() as of, "facts": list() as facts} if (of, record.path) == (waiting.index, waiting.path):
            if all(isinstance(fact, dict) for fact in facts):
                return tuple(facts)
    raise JournalDamage(record.path, record.i, f"facts that do not belong to the input in line {waiting.index}")


def differences(then: Judged, now: Sequence[Fact]) -> list[Difference]:
    """Return where the facts of today differ from those recorded, byte for byte as JSON; empty if nowhere.

    An input without recorded facts has no differences: nothing was said about it.
    """
    if then.facts is None:
        return []
    found = [fact_dict(fact) for fact in now]
    pairs = enumerate(zip_longest(then.facts, found))
    return [Difference(then.index, place, was, is_now) for place, (was, is_now) in pairs if dumps(was) != dumps(is_now)]
