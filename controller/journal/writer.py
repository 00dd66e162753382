"""Write a table's journal: one writer a folder, durable before it answers, repaired when it opens.

Blocking, for one thread. The order that keeps every card: `append_raw`, decode, `append_input`, judge, publish,
`append_facts`; facts can be computed again, so they go to the disk with the next commit.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from controller.core.facts import Fact
from controller.core.inputs import Input, Moment
from controller.core.words import fact_dict, input_dict, utc_ns
from controller.journal.chain import Chain, Entry, boot_id
from controller.journal.disk import Appender, lock_folder, recording, replace, sync_folder
from controller.journal.errors import CannotRecord, JournalDamage, WrongTable
from controller.journal.raw import RAW_HEADER, raw_line
from controller.journal.record import (
    FACTS,
    SEGMENT_CLOSED,
    SEGMENT_OPENED,
    SETTINGS_CHANGED,
    TORN_TAIL_CUT,
    Record,
    Span,
)
from controller.journal.repair import Found, examine, put_aside
from controller.journal.reserve import Reserve
from controller.journal.segment import (
    Following,
    Opening,
    Segment,
    SegmentKind,
    Settings,
    following_of,
    opening_of,
    segments,
)

FIRST = Following(SegmentKind.IDLE, 0, {})


def system_clock() -> Moment:
    """Return now."""
    return Moment(time.time_ns(), time.monotonic_ns())


def last_moment(records: Sequence[Record]) -> tuple[str, Moment] | None:
    """Return the boot and the time of the last record that has both its clocks."""
    for record in reversed(records):
        if record.utc is not None and record.mono is not None:
            return record.boot, Moment(utc_ns(record.utc), record.mono)
    return None


def no_notice(_seconds: float) -> None:
    """Take no notice of a commit."""


class Journal:
    """The open journal of a table; `open` makes one.

    After CannotRecord every further call raises it again with the first cause: close, and open anew.
    """

    segment: Segment
    shoe: int
    _raw: Appender
    _log: Appender

    def __init__(self, folder: Path, settings: Settings, chain: Chain, on_commit: Callable[[float], None]) -> None:
        self.folder = folder
        self.reserve = Reserve(folder)
        self.last: tuple[str, Moment] | None = None  # boot and time of the last line that was found on opening
        self.settings = settings
        self._chain = chain
        self._on_commit = on_commit
        self._pending = bytearray()
        self._failure = ""
        self._lock = lock_folder(folder)

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        table: str,
        software: str,
        profile: Mapping[str, Any],
        driver: Mapping[str, Any] | None = None,
        clock: Callable[[], Moment] = system_clock,
        on_commit: Callable[[float], None] = no_notice,
    ) -> Self:
        """Take the folder, repair and take up its last segment, or begin with an idle segment of shoe 0.

        ``driver`` names what decodes the raw file. ``on_commit`` is told the seconds of each fdatasync. Raises
        FolderLocked, WrongTable, JournalTooNew, JournalDamage, CannotRecord.
        """
        with recording(folder):
            folder.mkdir(parents=True, exist_ok=True)
            sync_folder(folder.parent)
            journal = cls(folder, Settings(table, software, profile, driver or {}), Chain(boot_id(), clock), on_commit)
        try:
            with journal._recording(folder):
                journal._begin()
        except BaseException:
            journal.close()
            raise
        return journal

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def append_raw(self, data: bytes, at: Moment) -> Span:
        """Write bytes as they came, durably, and return the place of their line in the raw file."""
        line = raw_line(data, at)
        with self._recording(self.segment.raw):
            offset = self._raw.append(line)
        self._raw_hash.update(line)
        return Span(offset, len(line))

    def append_input(self, item: Input, raw: Span | None = None) -> int:
        """Write an input durably, with all that waits, and return its index in the segment."""
        if raw is not None and raw.end > self._raw.size:
            raise ValueError(f"{raw} is not in the raw file of {self._raw.size} bytes")
        self._commit(self._chain.line(Entry(**input_dict(item), raw=raw)))
        return self._chain.index

    def append_facts(self, facts: Iterable[Fact], of: int) -> None:
        """Take the facts of the last input; they become durable with the next commit."""
        if of != self._chain.unjudged:
            raise ValueError(f"facts of input {of}, but {self._chain.unjudged} waits for its facts")
        self._pending += self._chain.control(FACTS, {"of": of, "facts": [fact_dict(fact) for fact in facts]})

    def roll(self, kind: SegmentKind, *, shoe: int, carry: Mapping[str, Any] | None = None) -> None:
        """Close this segment and open the next; ``carry`` is what the caller must know of earlier ones to resume."""
        following = Following(kind, shoe, dict(carry or {}))
        raw = {"bytes": self._raw.size, "sha256": self._raw_hash.hexdigest()}
        closing = self._chain.counts() | {"raw": raw, "next": following.as_data()}
        self._commit(self._chain.control(SEGMENT_CLOSED, closing))
        self._detach()
        with self._recording(self.folder):
            self._follow(following)

    def close(self) -> None:
        """Write what waits and let the folder go; harmless when closed already."""
        if self._lock < 0:
            return
        try:
            if self._pending and not self._failure:
                self._commit(b"")
        finally:
            self._failure = self._failure or f"cannot record to {self.folder}: the journal is closed"
            self._detach()
            os.close(self._lock)
            self._lock = -1

    @contextmanager
    def _recording(self, path: Path) -> Iterator[None]:
        if self._failure:
            raise CannotRecord(self._failure)
        try:
            with recording(path):
                yield
        except CannotRecord as error:
            self._failure = error.reason
            raise
        except BaseException:
            self._failure = f"cannot record to {path}: interrupted"
            raise

    def _commit(self, line: bytes) -> None:
        with self._recording(self.segment.journal):
            self._log.append(bytes(self._pending) + line)
        self._pending.clear()

    def _begin(self) -> None:
        there = segments(self.folder)
        if there:
            self._take_up(examine(there[-1]))
        else:
            self.segment = Segment(self.folder, 0, SegmentKind.IDLE)
            self._follow(FIRST)

    def _take_up(self, found: Found) -> None:
        opening = self._checked(found)
        self.segment, self.shoe = found.segment, opening.shoe
        self._chain = Chain(self._chain.boot, self._chain.clock)
        self._chain.take_up(found.records)
        self.last = last_moment(found.records)
        torn = put_aside(found)
        self._restore(found, self._chain.control(TORN_TAIL_CUT, torn) if torn else b"")
        if found.is_closed:
            self._follow(following_of(found.records[-1]))
            return
        self._attach()
        self._note_settings(found.records)

    def _checked(self, found: Found) -> Opening:
        opening = opening_of(found.records[0])
        if opening.settings.table != self.settings.table:
            raise WrongTable(f"{self.folder} belongs to table {opening.settings.table}, not {self.settings.table}")
        return opening

    def _restore(self, found: Found, more: bytes) -> None:
        # The journal first: it names the torn bytes of both, and a stop before the raw file is cut only repeats that.
        replace(found.segment.journal, found.journal.whole + more, self.reserve.makes_room)
        replace(found.segment.raw, found.raw.whole, self.reserve.makes_room)

    def _note_settings(self, records: Iterable[Record]) -> None:
        named = [record for record in records if record.kind in (SEGMENT_OPENED, SETTINGS_CHANGED)][-1].data
        now = self.settings.as_data()
        if any(named.get(key) != now.get(key) for key in ("software", "profile_sha256", "driver")):
            self._log.append(self._chain.control(SETTINGS_CHANGED, now))

    def _follow(self, following: Following) -> None:
        segment = Segment(self.folder, self.segment.number + 1, following.kind)
        if segment.raw.exists() and segment.raw.stat().st_size > len(RAW_HEADER):
            raise JournalDamage(segment.raw, 1, "raw bytes without their journal")
        opening = Opening(following.shoe, self.settings, segment.raw.name, following.carry)
        self._chain = self._chain.next_segment()
        replace(segment.raw, RAW_HEADER, self.reserve.makes_room)
        opened = self._chain.control(SEGMENT_OPENED, opening.as_data())
        replace(segment.journal, opened, self.reserve.makes_room)
        self.segment, self.shoe = segment, following.shoe
        self._attach()

    def _attach(self) -> None:
        self._raw = Appender(self.segment.raw, self._on_commit, self.reserve.makes_room)
        self._log = Appender(self.segment.journal, self._on_commit, self.reserve.makes_room)
        self._raw_hash = sha256(self.segment.raw.read_bytes())

    def _detach(self) -> None:
        for name in ("_raw", "_log"):
            if name in self.__dict__:
                self.__dict__.pop(name).close()
