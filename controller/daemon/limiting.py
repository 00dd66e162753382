"""Whether a shoe says more than a shoe can: a device that babbles is cut off before it fills disk and pages."""

from __future__ import annotations

from drivers.rate import NS_PER_S, Rate

# After an opening a serial server or an adapter may hand over at once what waited in it: some hands, not a shoe.
BURST_S = 1
BURST_EVENTS = 600


class Limit:
    """Counts what was heard since the port was opened, by the time it came. ``cut`` says that it was too much."""

    def __init__(self) -> None:
        self.cut = False
        self._rate = Rate()
        self._burst = Rate(BURST_EVENTS)
        self._from_ns = 0

    def opened(self, now_ns: int) -> None:
        """The port was opened: at first more may come than later."""
        self.cut = False
        self._rate.clear()
        self._burst.clear()
        self._from_ns = now_ns + BURST_S * NS_PER_S

    def exceeded(self, heard: int, now_ns: int) -> bool:
        """Take so many things heard at a time, and tell whether they are too many."""
        rate = self._rate if now_ns >= self._from_ns else self._burst
        self.cut = any(rate.count(now_ns) for _ in range(heard))
        return self.cut
