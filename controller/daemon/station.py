"""One live table: what its port, its people and its timers say, in one queue with one owner."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic, monotonic_ns, time_ns

import structlog

from controller.core.engine import Table
from controller.core.facts import Fact, FactName
from controller.core.incidents import Level
from controller.core.inputs import Command, Elapsed, Input, Moment, Timer
from controller.core.machine import Phase
from controller.core.signals import LinkLost, LinkOpened
from controller.daemon.hearing import NO_FRAMES_S, Hearing
from controller.daemon.priming import COPIES_WAIT_S
from controller.daemon.recorder import Judged, Recorder
from controller.journal.errors import CannotRecord, JournalError
from drivers.heard import Heard
from drivers.ports.events import PortBytes, PortLost, PortOpened
from drivers.ports.reopening import Link

REOPEN_JOURNAL_S = 2.0
LATE_S = 0.05  # an alert is looked at so long after it is due, as two clocks never agree
REJECTED_BEFORE = "before"
QUEUE_SIZE = 1_000  # reads that may wait for a slow disk; beyond that the port itself waits
log = structlog.get_logger()


@dataclass(slots=True)
class Asked:
    """A person's command and who waits for its answer."""

    command: Command
    by: str
    answer: asyncio.Future[FactName | str]  # a string is why it was rejected


@dataclass(frozen=True, slots=True)
class Silent:
    """The port said nothing for so long that no copy of a frame is coming."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """Bytes of one read, and when they came."""

    data: bytes
    at: Moment


Item = PortOpened | PortLost | Arrived | Asked | Silent | Timer
Publish = Callable[["Station", tuple[Fact, ...], float | None], None]


def now() -> Moment:
    """Return the time as inputs carry it."""
    return Moment(time_ns(), monotonic_ns())


class Station:
    """A table at work. ``publish`` hears of the facts of each input after they are judged, with the time it came."""

    def __init__(self, ident: str, name: str, recorder: Recorder, link: Link, publish: Publish) -> None:
        self.ident = ident
        self.name = name
        self.recorder = recorder
        self.cannot_record: str | None = "starting"
        self._link = link
        self._publish = publish
        self.published = 0  # how often something was published: views made since then are stale
        self._queue: asyncio.Queue[Item] = asyncio.Queue(QUEUE_SIZE)
        self._timers: dict[Timer | Silent, asyncio.TimerHandle] = {}
        self._escalates_ns: int | None = None  # when the oldest open alert began for which the timer is set
        self._identity: str | None = None  # of the open port
        self._hearing = Hearing()
        self._log = log.bind(table=ident)

    @property
    def table(self) -> Table:
        """The table as judged so far."""
        return self.recorder.table

    async def open(self) -> None:
        """Open the journal and come back to the exact point. Raises JournalError."""
        late = await self.recorder.open()
        self.cannot_record = None
        self._tell((), None)
        for judged in late:  # what a stop kept from being judged
            self._tell(judged.facts, monotonic())
        self._watch_alerts()
        self._set(Silent(), COPIES_WAIT_S)  # what a stop left pending is not to wait for the shoe's next word

    async def run(self) -> None:
        """Work until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._listen(), name=f"port-{self.ident}")
            group.create_task(self._own(), name=f"table-{self.ident}")

    async def ask(self, command: Command, by: str) -> FactName | str:
        """Put a command and return COMMAND_ACCEPTED, or why it was rejected."""
        answer: asyncio.Future[FactName | str] = asyncio.get_running_loop().create_future()
        await self._queue.put(Asked(command, by, answer))
        return await answer

    async def close(self) -> None:
        """Let go of port and folder."""
        self._link.close()
        for timer in self._timers.values():
            timer.cancel()
        await self.recorder.close()

    def _tell(self, facts: tuple[Fact, ...], came: float | None) -> None:
        self.published += 1
        self._publish(self, facts, came)

    # The port.

    async def _listen(self) -> None:
        async for event in self._link.events():
            # Stamped here: while the disk is stuck bytes wait in the queue, and came when they came.
            await self._queue.put(Arrived(event.data, now()) if isinstance(event, PortBytes) else event)

    # The owner: the only one that touches table and journal.

    async def _own(self) -> None:
        while True:
            item = await self._queue.get()
            while not await self._taken(item):
                pass

    async def _taken(self, item: Item) -> bool:
        """Take an item; False where the journal failed and the item is to be taken again, in its turn."""
        try:
            await self._take(item)
        except CannotRecord as error:
            await self._record_again(error.reason)
            return isinstance(item, Arrived | Silent)  # bytes that were kept are judged on reopening
        return True

    async def _take(self, item: Item) -> None:
        came = monotonic()
        match item:
            case Arrived(data, at):
                if await self._kept(data, at):
                    await self._hear(self.recorder.decode(), came)
                self._set(Silent(), COPIES_WAIT_S)
                await self._understand(len(data), came)
            case Silent() if self.recorder.is_silent(now()):
                await self._hear(self.recorder.session.flush(), came)
                self._freshen()
            case PortOpened(identity):
                self._identity = identity
                self._hearing.opened(self.recorder.session.counts)
                await self._judge(Input(LinkOpened(identity), now(), "recorder"), came)
                self._set(Timer.SILENCE, self.table.house.silence_s)
            case PortLost(reason):
                await self._lost(reason, came)
            case Timer.NO_FRAMES:
                await self._look(came)
            case Timer():
                await self._judge(Input(Elapsed(item), now(), "timer"), came)
            case Asked():
                await self._rule(item, came)

    async def _kept(self, data: bytes, at: Moment) -> bool:
        """Make bytes durable, however long that takes; False if they were found kept, and judged, after a failure."""
        while True:
            try:
                await self.recorder.keep(data, at)
            except CannotRecord as error:
                await self._record_again(error.reason)
                if self.recorder.has(data, at):
                    return False
            else:
                return True

    async def _hear(self, heard: Sequence[Heard], came: float) -> None:
        for one in heard:
            self._publish_judged(await self.recorder.hear(one), came)

    async def _understand(self, size: int, came: float) -> None:
        """See whether bytes that came made frames; where they go on making none, it is told in time."""
        if self._hearing.framed(size, self.recorder.session.counts, came):
            if (timer := self._timers.pop(Timer.NO_FRAMES, None)) is not None:
                timer.cancel()
        elif self._hearing.overdue(monotonic()):  # in a flood the timer would wait behind the bytes
            await self._look(came)
        elif Timer.NO_FRAMES not in self._timers and not self._hearing.told:
            self._set(Timer.NO_FRAMES, NO_FRAMES_S)
        self._freshen()

    async def _look(self, came: float) -> None:
        """Tell of bytes that are no shoe, if there are more than a burst of noise."""
        if self._identity is None or not self._hearing.deaf:
            self._hearing.passed()
            return
        await self._judge(Input(Elapsed(Timer.NO_FRAMES), now(), "timer"), came)
        self._hearing.told = True

    def _freshen(self) -> None:
        """Only what the shoe says anew ends a silence: noise does not, nor the same frame over and over."""
        if self._hearing.fresh(self.recorder.session.counts):
            self._set(Timer.SILENCE, self.table.house.silence_s)

    async def _lost(self, reason: str, came: float) -> None:
        self._log.warning("link lost", reason=reason)
        self._identity = None
        await self._hear(self.recorder.session.flush(), came)
        await self._judge(Input(LinkLost(reason), now(), "recorder"), came)

    async def _judge(self, item: Input, came: float) -> Judged:
        judged = await self.recorder.take(item)
        self._publish_judged(judged, came)
        return judged

    async def _rule(self, asked: Asked, came: float) -> None:
        before = self.table.commands.get(asked.command.id)
        await self._judge(Input(asked.command, now(), asked.by), came)
        verdict = self.table.commands.get(asked.command.id, before)
        if asked.answer.done():
            return
        if verdict is FactName.COMMAND_ACCEPTED:
            asked.answer.set_result(verdict)
        else:  # of one that was rejected in an earlier segment of the journal the reason is not carried
            asked.answer.set_result(self.recorder.refused.get(asked.command.id, REJECTED_BEFORE))

    def _publish_judged(self, judged: Judged, came: float) -> None:
        self._tell(judged.facts, came)
        if self.table.phase is Phase.COMPLETE:
            if Timer.NO_RESULT not in self._timers:
                self._set(Timer.NO_RESULT, self.table.house.no_result_s)
        elif Timer.NO_RESULT in self._timers:
            self._timers.pop(Timer.NO_RESULT).cancel()
        self._watch_alerts()

    def _watch_alerts(self) -> None:
        """Set the timer for the oldest alert that is open and has not escalated."""
        waiting = [
            incident.at.utc_ns or 0
            for incident in self.table.incidents.values()
            if incident.level is Level.ALERT and not incident.escalated
        ]
        oldest = min(waiting, default=None)
        if oldest == self._escalates_ns and (oldest is None) == (Timer.ESCALATION not in self._timers):
            return
        self._escalates_ns = oldest
        if oldest is not None:
            due_s = self.table.house.escalate_s - (time_ns() - oldest) / 1e9
            self._set(Timer.ESCALATION, max(due_s, 0.0) + LATE_S)
        elif (timer := self._timers.pop(Timer.ESCALATION, None)) is not None:
            timer.cancel()

    # Timers: one that runs out is an input too.

    def _set(self, what: Timer | Silent, seconds: float) -> None:
        if (old := self._timers.pop(what, None)) is not None:
            old.cancel()
        self._timers[what] = asyncio.get_running_loop().call_later(seconds, self._ran_out, what)

    def _ran_out(self, what: Timer | Silent) -> None:
        self._timers.pop(what, None)
        if not self._queue.full():  # a full queue is no silence
            self._queue.put_nowait(what)

    # The journal.

    async def _record_again(self, reason: str) -> None:
        """Say that nothing is recorded, and try until it is again; an open hand is then unproved."""
        self._log.error("cannot record", reason=reason)
        while True:
            self.cannot_record = reason
            self._tell((), None)
            with contextlib.suppress(JournalError):  # the first cause stays on the page
                await self.open()
                await self._still_open()
                break
            await asyncio.sleep(REOPEN_JOURNAL_S)
        self._log.warning("recording again")

    async def _still_open(self) -> None:
        """A start of the journal knows of no link; the port has been open all the while."""
        if self._identity is not None:
            await self._judge(Input(LinkOpened(self._identity), now(), "recorder"), monotonic())
