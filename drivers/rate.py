"""How much a shoe says in a second, against what a shoe can have to say (no I/O)."""

from __future__ import annotations

from collections import deque

NS_PER_S = 1_000_000_000
EVENTS_PER_SECOND = 200  # faults.md B 21; a dealer's fastest hand is some ten
# Over ten seconds it is about as many cards as a shoe of eight decks holds: nobody deals those, a rehearsal or a line
# that stood still and hands over at once what waited comes to some hands.
CARDS_PER_SECOND = 40
CARDS_OVER_S = 10


class Rate:
    """Whether more than ``most`` came within so many seconds; keeps no more times than that."""

    def __init__(self, most: int = EVENTS_PER_SECOND, over_s: int = 1) -> None:
        self._most = most
        self._over_ns = over_s * NS_PER_S
        self._times: deque[int] = deque(maxlen=most + 1)

    def count(self, now_ns: int) -> bool:
        """Count one and tell whether it is one too many."""
        self._times.append(now_ns)
        return len(self._times) > self._most and now_ns - self._times[0] < self._over_ns

    def clear(self) -> None:
        """Begin anew."""
        self._times.clear()
