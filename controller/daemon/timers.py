"""The timers of a table: one that runs out is an input too, and waits in the queue like everything else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from time import time_ns

from controller.core.incidents import Incident, Level
from controller.core.inputs import Timer
from controller.daemon.queued import Alarm, Item, Look, Tick, now

LATE_S = 0.05  # an alert is looked at so long after it is due, as two clocks never agree


class Timers:
    """Timers that run, each of its kind once."""

    def __init__(self, queue: asyncio.Queue[Item]) -> None:
        self._queue = queue
        self._running: dict[Alarm, asyncio.TimerHandle] = {}
        self._escalates_ns: int | None = None  # when the oldest open alert began for which the timer is set

    def __contains__(self, what: Alarm) -> bool:
        return what in self._running

    def set(self, what: Alarm, seconds: float) -> None:
        """Let a timer run out so long from now; one of its kind that runs already begins anew."""
        self.stop(what)
        self._running[what] = asyncio.get_running_loop().call_later(seconds, self._ran_out, what, seconds)

    def stop(self, what: Alarm) -> None:
        """Let a timer run out no more."""
        if (old := self._running.pop(what, None)) is not None:
            old.cancel()

    def close(self) -> None:
        """Stop all."""
        for what in list(self._running):
            self.stop(what)

    def watch(self, incidents: Iterable[Incident], escalate_s: float) -> None:
        """Set the timer for the oldest alert that is open and has not escalated."""
        open_since = [
            incident.at.utc_ns or 0
            for incident in incidents
            if incident.level is Level.ALERT and not incident.escalated
        ]
        oldest = min(open_since, default=None)
        if oldest == self._escalates_ns and (oldest is None) == (Timer.ESCALATION not in self):
            return
        self._escalates_ns = oldest
        if oldest is None:
            self.stop(Timer.ESCALATION)
        else:
            due_s = escalate_s - (time_ns() - oldest) / 1e9
            self.set(Timer.ESCALATION, max(due_s, 0.0) + LATE_S)

    def _ran_out(self, what: Alarm, seconds: float) -> None:
        self._running.pop(what, None)
        if not self._queue.full():  # a full queue is no silence
            self._queue.put_nowait(Tick(now()) if isinstance(what, Tick) else what)
        elif isinstance(what, Tick | Look):
            self.set(what, seconds)
