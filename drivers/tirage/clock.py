"""Device milliseconds to host time (no I/O)."""

from __future__ import annotations

NS_PER_MS = 1_000_000
DRIFT_PPM = 250  # more than the 180 ppm that were seen in the field (faults.md B 28)
WRAP_MS = 1 << 32


class Anchor:
    """Where the device's clock stands against the host's.

    A frame can come late but never early, so the earliest arrival is the truest; the bound on drift lets the anchor
    follow a slow device, and a burst after a stall does not move it.
    """

    def __init__(self) -> None:
        self._ms = 0  # device time of the last anchor, wraps counted
        self._offset_ns: int | None = None

    def set(self, device_ms: int, now_ns: int) -> None:
        """Anchor by a frame that was sent when it was made: a heartbeat or a hello."""
        if self._offset_ns is None:
            self._ms, self._offset_ns = device_ms, now_ns - device_ms * NS_PER_MS
            return
        whole = self._whole(device_ms)
        elapsed_ns = max(0, whole - self._ms) * NS_PER_MS
        latest = self._offset_ns + elapsed_ns * DRIFT_PPM // 1_000_000
        self._offset_ns = min(now_ns - whole * NS_PER_MS, latest)
        self._ms = max(self._ms, whole)

    def host_ns(self, device_ms: int) -> int | None:
        """Return the host's monotonic time of a device time; None before the first anchor."""
        return None if self._offset_ns is None else self._whole(device_ms) * NS_PER_MS + self._offset_ns

    def _whole(self, device_ms: int) -> int:
        """Return the time with the wraps of 49 days counted: the one nearest to the last anchor."""
        ahead = (device_ms - self._ms) % WRAP_MS
        return self._ms + (ahead if ahead < WRAP_MS // 2 else ahead - WRAP_MS)
