"""How many frames are bad (no I/O)."""

from __future__ import annotations

from collections import deque

from drivers.rate import NS_PER_S

WINDOW_S = 60
ALARM_SHARE = 0.01
ALARM_FRAMES = 3  # one spoilt frame among few is no trend
REFUSE_SHARE = 0.10
REFUSE_FRAMES = 10


class Quality:
    """The share of bad frames in the last minute, in slices of a second."""

    def __init__(self) -> None:
        self._slices: deque[list[int]] = deque()  # [second, good, bad]
        self._good = self._bad = 0

    def good(self, now_ns: int) -> None:
        """Count a frame whose CRC was right."""
        self._slice(now_ns)[1] += 1
        self._good += 1

    def bad(self, now_ns: int) -> None:
        """Count a frame whose CRC was wrong, or a run of noise."""
        self._slice(now_ns)[2] += 1
        self._bad += 1

    @property
    def share(self) -> float:
        """Bad frames among all, 0 to 1."""
        return self._bad / max(1, self._good + self._bad)

    @property
    def alarming(self) -> bool:
        """Whether somebody should look at the cable."""
        return self._bad >= ALARM_FRAMES and self.share > ALARM_SHARE

    @property
    def too_bad(self) -> bool:
        """Whether the link is no longer fit for a table."""
        return self._bad >= REFUSE_FRAMES and self.share > REFUSE_SHARE

    def pass_time(self, now_ns: int) -> None:
        """Forget what is older than a minute."""
        oldest = now_ns // NS_PER_S - WINDOW_S
        while self._slices and self._slices[0][0] <= oldest:
            _, good, bad = self._slices.popleft()
            self._good -= good
            self._bad -= bad

    def _slice(self, now_ns: int) -> list[int]:
        second = now_ns // NS_PER_S
        if not self._slices or self._slices[-1][0] != second:
            self.pass_time(now_ns)
            self._slices.append([second, 0, 0])
        return self._slices[-1]
