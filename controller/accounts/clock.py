"""The two clocks that accounts go by, in one place, so that a test can turn them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, time_ns

MINUTE_S = 60.0


@dataclass(frozen=True, slots=True)
class Clock:
    """``utc_ns`` for what is kept on disk, ``mono`` in seconds for what lives as long as the process."""

    utc_ns: Callable[[], int] = time_ns
    mono: Callable[[], float] = monotonic
