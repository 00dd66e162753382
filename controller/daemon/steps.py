"""Steps of the wall clock, seen against the monotonic one (trust.md T16, faults.md B 43, 45).

A clock that is disciplined is slewed, by 500 parts in a million at most; what goes beyond that was set, at once or in
small steps. Across a start of the machine only a time before the last line of the record is known to be wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.core.inputs import Moment

STEP_NS = 1_000_000_000
SLEW_PPM = 500  # adjtime's own limit
NS_PER_MS = 1_000_000


@dataclass(slots=True)
class Steps:
    """What the wall clock is expected to say: so much more than the monotonic one, as it was at ``mono_ns``."""

    ahead_ns: int | None = None
    mono_ns: int = 0

    @classmethod
    def since(cls, last: Moment, now: Moment, *, rebooted: bool) -> Steps:
        """Go on from the last line of the record, which an earlier run wrote."""
        if last.utc_ns is None or last.mono_ns is None or now.utc_ns is None or now.mono_ns is None:
            return cls()
        if not rebooted and last.mono_ns <= now.mono_ns:
            return cls(last.utc_ns - last.mono_ns, last.mono_ns)
        if now.utc_ns < last.utc_ns:
            return cls(last.utc_ns - now.mono_ns, now.mono_ns)
        return cls()

    def see(self, at: Moment) -> int | None:
        """Return by how many milliseconds the wall clock was set before this moment; None if it was not.

        It says so until `take` is told that this was recorded.
        """
        if at.utc_ns is None or at.mono_ns is None:
            return None
        ahead = at.utc_ns - at.mono_ns
        if self.ahead_ns is None:
            self.ahead_ns, self.mono_ns = ahead, at.mono_ns
        if at.mono_ns < self.mono_ns:
            return None  # it was stamped before the last look, and waited
        drift = ahead - self.ahead_ns
        slack = (at.mono_ns - self.mono_ns) * SLEW_PPM // 1_000_000
        if abs(drift) > STEP_NS + slack:
            return round(drift / NS_PER_MS)
        self.ahead_ns += max(-slack, min(drift, slack))
        self.mono_ns = at.mono_ns
        return None

    def take(self, at: Moment) -> None:
        """Go on from this moment: what it told is recorded."""
        if at.utc_ns is not None and at.mono_ns is not None:
            self.ahead_ns, self.mono_ns = at.utc_ns - at.mono_ns, at.mono_ns
