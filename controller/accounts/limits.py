"""How often somebody may do something: at most so many times in any minute."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from controller.accounts.clock import MINUTE_S

MOST_KEYS = 10_000  # an attacker with many addresses may push out old ones, not our memory


@dataclass
class Limit:
    """At most ``per_minute`` times a key."""

    per_minute: int
    mono: Callable[[], float]
    _times: OrderedDict[str, deque[float]] = field(default_factory=OrderedDict)

    def wait_s(self, key: str) -> float:
        """Count one more and return 0, or return how long to wait and count nothing."""
        now = self.mono()
        times = self._times.setdefault(key, deque())
        self._times.move_to_end(key)
        while len(self._times) > MOST_KEYS:
            self._times.popitem(last=False)
        while times and times[0] <= now - MINUTE_S:
            times.popleft()
        if len(times) >= self.per_minute:
            return times[0] + MINUTE_S - now
        times.append(now)
        return 0.0
