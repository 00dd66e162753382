"""A table with its journal: recorded before it is judged, rebuilt to the exact point after a stop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from controller.core.engine import Table
from controller.core.facts import Fact, FactName
from controller.core.inputs import Input, Moment, Started
from controller.core.profile import House
from controller.core.signals import (
    BurnCardDrawn,
    BytesDamaged,
    CardCarried,
    CardDrawn,
    Identifies,
    LinkLost,
    LinkOpened,
    LinkProved,
    LinkResumed,
    OffGameCardDrawn,
)
from controller.core.snapshot import restore, taken
from controller.core.table import COMMANDS_KEPT
from controller.daemon.priming import Kept, fell_silent, kept_reads, last_read, marks, prime
from controller.journal.errors import JournalError, OtherVersion
from controller.journal.reader import Judged as Stored
from controller.journal.record import Span
from controller.journal.resume import Resumed, resume
from controller.journal.segment import Segment, SegmentKind
from controller.journal.writer import Journal, system_clock
from controller.settings import house_from_dict, settings_dict
from controller.version import VERSION
from drivers.heard import Heard
from drivers.live import Lives

LINK = (LinkOpened, LinkResumed, LinkProved, LinkLost)  # what the recorder knows of the link, not what the shoe says
FIRST_CARDS = (BurnCardDrawn, CardDrawn, CardCarried, OffGameCardDrawn)
# They judge nothing: a timer that ran out is an input, and so is the reason that a person gives.
BETWEEN_HANDS = frozenset({"silence_s", "no_result_s", "escalate_s", "reasons"})
Result = TypeVar("Result")


class SettingsChanged(JournalError):
    """The house changed its rules while a shoe is open; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An input that is durable and judged, with what came of it."""

    item: Input
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """A read that is kept, where its bytes stand, and whether the line had fallen silent before it."""

    data: bytes
    at: Moment
    span: Span
    segment: Segment
    after_silence: bool = False

    @classmethod
    def of(cls, kept: Kept) -> Read:
        """Return a read as an earlier run kept it."""
        line = kept.line
        return cls(line.data, Moment(line.utc_ns, line.mono_ns), kept.span, kept.segment)


class Recorder:
    """One table, its journal in a thread of its own, and the shoe's session that goes with it.

    `open` raises the errors of `Journal.open`; every other call may raise CannotRecord.
    """

    def __init__(self, folder: Path, ident: str, house: House, identifies: Identifies, settings: dict[str, Any],
                 live: Lives, on_commit: Callable[[float], None],
                 driver: dict[str, Any] | None = None) -> None:  # fmt: skip
        self.folder = folder
        self.ident = ident
        self.settings = settings
        self.driver = driver  # by its name and options, for who reads the raw bytes later
        self.session = live(())
        self.table = Table(house, identifies=identifies)
        self._house, self._identifies, self._live = house, identifies, live
        self._on_commit = on_commit
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"journal-{ident}")
        self._journal: Journal | None = None
        self._read: Read | None = None
        self.refused: dict[str, str] = {}  # why, by the id of a command that was rejected
        self._begun = False  # whether the open segment waits for the first card of its shoe

    async def _in_thread(self, work: Callable[..., Result], *args: Any) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *args)

    async def open(self) -> list[Judged]:
        """Open or reopen the journal, rebuild table and session, and judge what was kept but not yet judged."""
        return await self.go_on(await self.look())

    async def look(self) -> list[tuple[Heard, Read]]:
        """Open the journal and rebuild table and session without a word of its own; return what is not yet judged."""
        return await self._in_thread(self._open)

    async def go_on(self, left: list[tuple[Heard, Read]]) -> list[Judged]:
        """Judge what ``look`` has left, and say that the recorder was started."""
        judged = []
        last = self._read
        for heard, read in left:
            self._read = read
            judged.append(await self.hear(heard))
        if last is not None and not self.has(last.data, last.at):
            self._read = last
        judged.append(await self.take(Input(Started(), system_clock(), "recorder")))
        if (reason := refused(self.table)) is not None:
            self.session.hold(reason)
        return judged

    def _open(self) -> list[tuple[Heard, Read]]:
        if self._journal is not None:
            self._journal.close()
        self._journal = Journal.open(
            self.folder,
            table=self.ident,
            software=VERSION,
            profile=self.settings,
            driver=self.driver,
            on_commit=self._on_commit,
        )
        self.session = self._live(())
        if self.session.replayed is None:
            self.session = self._live(marks(self.folder))
        self._read = None
        resumed = resume(self.folder)
        if resumed is None:
            return []
        self.table = self._rebuilt(resumed)
        self.session.proved(self.table.proved)
        self._begun = resumed.open_segment.kind is SegmentKind.SHOE and not any(
            judged.path == resumed.open_segment.journal for judged in resumed.inputs
        )
        session = self.session.replayed
        reads = last_read(self.folder) if session is None else kept_reads(self.folder)
        if reads:
            self._read = Read.of(reads[-1])
        return [] if session is None else [(heard, Read.of(kept)) for heard, kept in prime(session, reads)]

    def _rebuilt(self, resumed: Resumed) -> Table:
        """Return the table as it stood, judged by the settings of then; new ones are taken up between shoes.

        Raises SettingsChanged, OtherVersion.
        """
        house, identifies = house_from_dict(dict(resumed.opening.settings.profile))
        then = settings_dict(house, identifies)  # a key that was unknown then has the value of then
        table = Table(house, identifies=identifies)
        if resumed.carry:
            restore(table, resumed.carry)
        for judged in resumed.inputs:
            facts = table.apply(judged.item)
            self._remember(facts)
            if judged is resumed.inputs[-1]:
                self._state_again(judged, facts)
        changed = {name for name, value in self.settings.items() if then.get(name) != value} - BETWEEN_HANDS
        shoe_open = bool(table.shoe.faces) and not table.shoe.closed
        begun_by = resumed.opening.settings.software
        if shoe_open and begun_by != VERSION:
            raise OtherVersion(self.ident, table.shoe.number, begun_by, VERSION)
        if changed and shoe_open:
            raise SettingsChanged(
                f"table {self.ident}: {', '.join(sorted(changed))} changed while shoe {table.shoe.number} is open; "
                "start with the settings of before and close the shoe first"
            )
        table.adopt(self._house)
        table.identifies = self._identifies
        return table

    def _state_again(self, last: Stored, facts: tuple[Fact, ...]) -> None:
        """Write the facts of the last input if the stop came between the two: every reader then finds one answer."""
        if last.facts is None and last.path == self.journal.segment.journal:
            self.journal.append_facts(facts, last.index)

    @property
    def journal(self) -> Journal:
        """The open journal."""
        assert self._journal is not None, "open it first"  # noqa: S101 - a fault of ours
        return self._journal

    async def keep(self, data: bytes, at: Moment) -> None:
        """Make the bytes of one read durable before they are decoded."""
        span = await self._in_thread(self.journal.append_raw, data, at)
        self._read = Read(data, at, span, self.journal.segment, self.is_silent(at))

    def has(self, data: bytes, at: Moment) -> bool:
        """Whether this is the last read kept, found when the journal was opened again."""
        return self._read is not None and (self._read.data, self._read.at) == (data, at)

    @property
    def kept_at(self) -> Moment | None:
        """When the last read that is kept came; None if none is."""
        return self._read.at if self._read else None

    def is_silent(self, at: Moment) -> bool:
        """Whether no further copy of what the last read told can come at this time."""
        last = self._read.at.mono_ns if self._read else None
        return last is not None and at.mono_ns is not None and fell_silent(last, at.mono_ns)

    def decode(self) -> list[Heard]:
        """Return what the read just kept tells, all that was pending before it if the line had fallen silent."""
        assert self._read is not None, "keep the bytes first"  # noqa: S101 - a fault of ours
        pending = self.session.flush() if self._read.after_silence else ()
        return [*pending, *self.session.feed(self._read.data, self._read.at.mono_ns or 0)]

    async def hear(self, heard: Heard, at: Moment | None = None) -> Judged:
        """Make what was heard durable, then judge it: told by the last read, or at a time without bytes."""
        if at is not None and (isinstance(heard.signal, LINK) or self.session.replayed is None):
            item = Input(heard.signal, at, "recorder" if isinstance(heard.signal, LINK) else "shoe", heard.mark)
            if not isinstance(heard.signal, LINK):
                await self._begin_shoe(item)
            return await self.take(item)
        assert self._read is not None, "keep the bytes first"  # noqa: S101 - a fault of ours
        if isinstance(heard.signal, LINK):
            return await self.take(Input(heard.signal, self._read.at, "recorder", heard.mark))
        item = Input(heard.signal, self._read.at, mark=heard.mark)
        await self._begin_shoe(item)
        if self._read.segment != self.journal.segment:
            # A read in which a shoe began or ended stands in both raw files: each holds all that its shoe said.
            await self.keep(self._read.data, self._read.at)
        return await self._judge(item, self._read.span)

    async def take(self, item: Input) -> Judged:
        """Make an input that came from no bytes durable, then judge it."""
        return await self._judge(item, None)

    async def _judge(self, item: Input, raw: Span | None) -> Judged:
        index = await self._in_thread(self.journal.append_input, item, raw)
        facts = self.table.apply(item)
        self._remember(facts)
        self.journal.append_facts(facts, index)
        self.session.shoe_open = bool(self.table.shoe.faces) and not self.table.shoe.closed
        if self.journal.segment.kind is SegmentKind.SHOE and (self.table.shoe.closed or not self.table.shoe.faces):
            await self._roll(SegmentKind.IDLE)
        return Judged(item, facts)

    def _remember(self, facts: tuple[Fact, ...]) -> None:
        """Keep why commands were rejected: the same id later gets the same answer."""
        for fact in facts:
            if fact.name is FactName.COMMAND_REJECTED:
                told = dict(fact.data)
                self.refused[str(told["id"])] = str(told["why"])
        while len(self.refused) > COMMANDS_KEPT:
            del self.refused[next(iter(self.refused))]

    async def _begin_shoe(self, item: Input) -> None:
        begun, self._begun = self._begun, False  # a stop may have come between the segment and its first card
        if not begun and begins_shoe(self.table, item):
            await self._roll(SegmentKind.SHOE)

    async def _roll(self, kind: SegmentKind) -> None:
        number = self.table.shoe.number
        await self._in_thread(lambda: self.journal.roll(kind, shoe=number, carry=taken(self.table)))

    async def close(self) -> None:
        """Write what waits and let the folder go."""
        try:
            if self._journal is not None:
                await self._in_thread(self._journal.close)
        finally:
            self._thread.shutdown()


def begins_shoe(table: Table, item: Input) -> bool:
    """Whether this input is the first card of a shoe, so that a new segment is due."""
    shoe = table.shoe
    if isinstance(item.what, BurnCardDrawn) and item.what.sets_count and shoe.begun:
        return True
    card = isinstance(item.what, FIRST_CARDS) or (isinstance(item.what, BytesDamaged) and item.what.cards)
    return bool(card) and not shoe.faces


def refused(table: Table) -> str | None:
    """Return why a shoe was refused, as long as no person has looked at it; None if none is."""
    items = (item for incident in table.incidents.values() for item in incident.items)
    return next((item.detail for item in items if item.kind == "shoe-refused"), None)
