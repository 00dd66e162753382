"""One live table: what its port, its people and its timers say, in one queue with one owner."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from time import monotonic, monotonic_ns

import structlog

from controller.core.engine import Table
from controller.core.facts import Fact, FactName
from controller.core.inputs import Command, Elapsed, Input, Moment, Timer
from controller.core.machine import Phase
from controller.core.signals import LinkLost
from controller.daemon.hearing import NO_FRAMES_S, Hearing, heard_before
from controller.daemon.host import LOOK_S, Host
from controller.daemon.limiting import Limit
from controller.daemon.priming import COPIES_WAIT_S
from controller.daemon.queued import Arrived, Asked, Item, Look, Silent, Tick, Turn, now
from controller.daemon.recorder import Judged, Recorder, refused
from controller.daemon.timers import Timers
from controller.daemon.verifying import verify_old
from controller.journal.errors import CannotRecord, JournalError
from drivers.heard import Heard
from drivers.ports.events import PortBytes, PortLost, PortOpened
from drivers.ports.reopening import Link

REOPEN_JOURNAL_S = 2.0
REJECTED_BEFORE = "before"
QUEUE_SIZE = 1_000  # reads that may wait for a slow disk; beyond that the port itself waits
log = structlog.get_logger()


Publish = Callable[["Station", tuple[Fact, ...], float | None], None]


class Station:
    """A table at work. ``publish`` hears of the facts of each input after they are judged, with the time it came."""

    def __init__(self, ident: str, name: str, recorder: Recorder, link: Link, publish: Publish) -> None:
        self.ident = ident
        self.name = name
        self.recorder = recorder
        self.cannot_record: str | None = "starting"
        self.host = Host(recorder)
        self._link = link
        self._publish = publish
        self.published = 0  # how often something was published: views made since then are stale
        self._queue: asyncio.Queue[Item] = asyncio.Queue(QUEUE_SIZE)
        self._timers = Timers(self._queue)
        self._identity: str | None = None  # of the open port
        self._hearing = Hearing()
        self._news = 0  # of the shoe, as it stood when the silence was last ended
        self._limit = Limit(recorder.session.cards_per_second)
        self.heard_ns: int | None = None  # monotonic, of the last byte that came; None before the first
        self._log = log.bind(table=ident)

    @property
    def table(self) -> Table:
        """The table as judged so far."""
        return self.recorder.table

    async def open(self) -> None:
        """Open the journal and come back to the exact point. Raises JournalError."""
        late = await self.recorder.open()
        self.host.opened()
        self.cannot_record = None
        if self.heard_ns is None:
            self.heard_ns = heard_before(self.recorder.kept_at, now())
        self._tell((), None)
        for judged in late:  # what a stop kept from being judged
            self._tell(judged.facts, monotonic())
        self._timers.watch(self.table.incidents.values(), self.table.house.escalate_s)
        self._timers.set(Look(), 0.0)
        self._timers.set(Silent(), COPIES_WAIT_S)  # what a stop left pending is not to wait for the shoe's next word

    async def run(self) -> None:
        """Work until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._listen(), name=f"port-{self.ident}")
            group.create_task(self._own(), name=f"table-{self.ident}")
            group.create_task(verify_old(self.recorder.folder, self.host.found), name=f"verifier-{self.ident}")

    async def ask(self, command: Command, by: str) -> FactName | str:
        """Put a command and return COMMAND_ACCEPTED, or why it was rejected."""
        answer: asyncio.Future[FactName | str] = asyncio.get_running_loop().create_future()
        await self._queue.put(Asked(command, by, answer))
        return await answer

    async def turned(self) -> None:
        """Return once everything that waits now was taken."""
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await self._queue.put(Turn(answer))
        await answer

    async def close(self) -> None:
        """Let go of port and folder."""
        self._link.close()
        self._timers.close()
        await self.recorder.close()

    def _tell(self, facts: tuple[Fact, ...], came: float | None) -> None:
        self.published += 1
        self._publish(self, facts, came)

    # The port.

    async def _listen(self) -> None:
        async for event in self._link.events():
            if not isinstance(event, PortBytes):
                await self._queue.put(event)
                continue
            at = now()  # stamped here: while the disk is stuck bytes wait in the queue, and came when they came
            self.heard_ns = at.mono_ns
            await self._queue.put(Arrived(event.data, at))

    # The owner: the only one that touches table and journal.

    async def _own(self) -> None:
        while True:
            item = await self._queue.get()
            while not await self._taken(item):
                pass

    async def _taken(self, item: Item) -> bool:
        """Take an item; False where the journal failed and the item is to be taken again, in its turn."""
        try:
            if not isinstance(item, Arrived):  # bytes are kept first
                await self._see_clock(now(), monotonic())
            await self._take(item)
        except CannotRecord as error:
            await self._record_again(error.reason)
            return isinstance(item, Arrived | Silent)  # bytes that were kept are judged on reopening
        return True

    async def _take(self, item: Item) -> None:
        came = monotonic()
        match item:
            case Arrived(data, at):
                await self._arrived(data, at, came)
            case Tick(Moment() as at):
                await self._hear(self.recorder.session.tick(at.mono_ns or 0), came, at)
                self._tick_later()
            case Silent() if self.recorder.is_silent(now()):
                await self._hear(self.recorder.session.flush(), came)
                self._freshen()
            case Look():
                await self._look_around(came)
            case PortOpened(identity):
                self._identity = identity
                await self._opened(identity, came)
            case PortLost(reason):
                await self._lost(reason, came)
            case Timer():
                await self._ran_out(item, came)
            case Asked():
                await self._rule(item, came)
            case Turn(answer) if not answer.done():
                answer.set_result(None)

    async def _ran_out(self, timer: Timer, came: float) -> None:
        if timer is Timer.NO_FRAMES:
            await self._look(came)
        else:
            await self._judge(Input(Elapsed(timer, joins=timer is Timer.SILENCE), now(), "timer"), came)

    async def _see_clock(self, at: Moment, came: float) -> None:
        for judged in await self.host.see_clock(at):
            self._publish_judged(judged, came)

    async def _look_around(self, came: float) -> None:
        """Look at the disk, and again in a moment."""
        self._timers.set(Look(), LOOK_S)
        for judged in await self.host.look():
            self._publish_judged(judged, came)

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

    async def _arrived(self, data: bytes, at: Moment, came: float) -> None:
        if self._limit.cut:
            return  # what still waits in the queue is not heard
        if await self._kept(data, at):
            await self._see_clock(at, came)
            heard = self.recorder.decode()
            await self._hear(heard, came)
            self._cut_off(heard, at.mono_ns or 0)
        self._timers.set(Silent(), COPIES_WAIT_S)
        await self._understand(len(data), came)

    async def _hear(self, heard: Sequence[Heard], came: float, at: Moment | None = None) -> None:
        """Judge what was heard, then send what the protocol answers; ``at`` where no bytes told it."""
        for one in heard:
            self._log_loss(one.signal)
            self._publish_judged(await self.recorder.hear(one, at), came)
        if data := self.recorder.session.outgoing():
            await self._link.send(data)

    def _log_loss(self, what: object) -> None:
        """Say why a shoe is not heard any more: unplugged, silent, refused, or not to be trusted."""
        if isinstance(what, LinkLost):
            self._log.warning("link lost", reason=what.reason, why=what.why.value if what.why else None)

    def _cut_off(self, heard: Sequence[Heard], at_ns: int) -> None:
        """Cut the link to a shoe that says more than a shoe can (faults.md B 21)."""
        reason = self.recorder.session.babbles
        if reason is not None and self._limit.exceeded([one.signal for one in heard], at_ns):
            self._log.error("link cut", reason=reason)
            self._link.cut(reason)

    async def _opened(self, identity: str, came: float) -> None:
        at = now()
        self._hearing.opened(self.recorder.session.counts)
        self._limit.opened(at.mono_ns or 0)
        await self._hear(self.recorder.session.opened(identity, at.mono_ns or 0), came, at)
        self._timers.set(Timer.SILENCE, self.table.house.silence_s)
        self._tick_later()

    def _tick_later(self) -> None:
        if (seconds := self.recorder.session.tick_s) is not None:
            self._timers.set(Tick(), seconds)

    async def _understand(self, size: int, came: float) -> None:
        """See whether bytes that came made frames, and good ones; where they go on making none, it is told in time."""
        await self._weigh(came)
        if self._hearing.framed(size, self.recorder.session.counts, came):
            self._timers.stop(Timer.NO_FRAMES)
        elif self._hearing.overdue(monotonic()):  # in a flood the timer would wait behind the bytes
            await self._look(came)
        elif Timer.NO_FRAMES not in self._timers and not self._hearing.told:
            self._timers.set(Timer.NO_FRAMES, NO_FRAMES_S)
        self._freshen()

    async def _weigh(self, came: float) -> None:
        """Tell of a line that gets worse."""
        session = self.recorder.session
        identity = None if session.replayed is None else self._identity
        for told in list(self._hearing.weigh(session.counts, monotonic_ns(), identity)):
            self._log_loss(told)
            item = Input(Elapsed(told), now(), "timer") if isinstance(told, Timer) else Input(told, now(), "recorder")
            await self._judge(item, came)

    async def _look(self, came: float) -> None:
        """Tell of bytes that are no shoe, if there are more than a burst of noise."""
        if self._identity is None or not self._hearing.deaf:
            self._hearing.passed()
            return
        await self._judge(Input(Elapsed(Timer.NO_FRAMES), now(), "timer"), came)
        self._hearing.told = True

    def _freshen(self) -> None:
        """Only what the shoe says anew ends a silence: noise does not, nor the same frame over and over."""
        before, self._news = self._news, self.recorder.session.news
        if self._news != before:
            self._timers.set(Timer.SILENCE, self.table.house.silence_s)

    async def _lost(self, reason: str, came: float) -> None:
        self._identity = None
        self._limit.cut = False
        await self._hear(self.recorder.session.lost(reason), came, now())

    async def _judge(self, item: Input, came: float) -> Judged:
        judged = await self.recorder.take(item)
        self._publish_judged(judged, came)
        return judged

    async def _rule(self, asked: Asked, came: float) -> None:
        before = self.table.commands.get(asked.command.id)
        was_refused = refused(self.table) is not None
        await self._judge(Input(asked.command, now(), asked.by), came)
        verdict = self.table.commands.get(asked.command.id, before)
        if was_refused and refused(self.table) is None:
            at = now()
            await self._hear(self.recorder.session.released(at.mono_ns or 0), came, at)
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
                self._timers.set(Timer.NO_RESULT, self.table.house.no_result_s)
        else:
            self._timers.stop(Timer.NO_RESULT)
        self._timers.watch(self.table.incidents.values(), self.table.house.escalate_s)

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
            await self._opened(self._identity, monotonic())
