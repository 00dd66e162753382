"""The machine that a table is recorded on: its clock and its disk, looked at all the while (faults.md B 33, 43)."""

from __future__ import annotations

import asyncio

from controller.core.inputs import ClockStepped, DiskRoom, Input, Moment, RecordDamaged, Room
from controller.daemon.queued import now
from controller.daemon.recorder import Judged, Recorder
from controller.daemon.room import Free, room
from controller.daemon.steps import Steps
from controller.journal.chain import boot_id
from controller.journal.errors import JournalDamage

LOOK_S = 1.0  # no hand is dealt in less


class Host:
    """What changes at the machine becomes an input of its table. Each call may raise CannotRecord."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._steps = Steps()
        self._flaws: list[RecordDamaged] = []  # found in old segments, not told yet
        self.free: Free | None = None  # as it was seen last

    @property
    def free_ratio(self) -> float:
        """How much of the disk is free, 0 to 1; 0 before the first look."""
        return self.free.percent / 100 if self.free else 0.0

    def opened(self) -> None:
        """Take up the clock where the record, just opened, left it."""
        last = self._recorder.journal.last
        self._steps = Steps() if last is None else Steps.since(last[1], now(), rebooted=last[0] != boot_id())

    async def see_clock(self, at: Moment) -> list[Judged]:
        """Record that the wall clock was set before this moment, if it was."""
        by_ms = self._steps.see(at)
        if by_ms is None:
            return []
        judged = await self._recorder.take(Input(ClockStepped(by_ms), at, "recorder"))
        self._steps.take(at)
        return [judged]

    def found(self, flaw: JournalDamage) -> None:
        """Keep what is wrong with an old segment until the next look."""
        self._flaws.append(RecordDamaged(flaw.path.name, flaw.line_number))

    async def look(self) -> list[Judged]:
        """Record what has changed since the last look."""
        judged = await self.see_room()
        while self._flaws:
            judged.append(await self._recorder.take(Input(self._flaws[0], now(), "recorder")))
            del self._flaws[0]
        return judged

    async def see_room(self) -> list[Judged]:
        """Record that there is more or less room than was told last; where there is enough, keep a reserve of it."""
        try:
            self.free = await asyncio.to_thread(Free.at, self._recorder.folder)
        except OSError:
            return []  # what is wrong with the disk is told by the next line of the record
        seen = room(self.free, self._recorder.table.room)
        if seen is not Room.SCARCE:
            await asyncio.to_thread(self._recorder.journal.reserve.keep, self.free.size)
        if seen is self._recorder.table.room:
            return []
        return [await self._recorder.take(Input(DiskRoom(seen, int(self.free.percent)), now(), "recorder"))]
