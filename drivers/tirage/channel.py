"""Frames of one session: counters and tags in both directions (no I/O)."""

from __future__ import annotations

from enum import Enum

from drivers.tirage.codec import encode
from drivers.tirage.framing import Frame, sealed, signed_part
from drivers.tirage.keys import Keys, right, tag
from drivers.tirage.messages import FLAG_TAGGED, Message


class Check(Enum):
    """What a frame is to this session."""

    FRESH = "fresh"
    STALE = "of another session"
    REPEATED = "its counter is not above the last one"
    FORGED = "its tag is wrong or missing"


class Channel:
    """One session. Each frame's counter is above the one before; a frame that came late is never taken."""

    def __init__(self, number: int, keys: Keys | None) -> None:
        self.number = number
        self.skipped = 0  # frames that did not come
        self._keys = keys
        self._heard = -1
        self._sent = 0

    def check(self, frame: Frame) -> Check:
        """Judge a frame from the shoe and, if it is fresh, go on from it."""
        if frame.session != self.number:
            return Check.STALE
        if not self._proved(frame):
            return Check.FORGED
        if frame.counter <= self._heard:
            return Check.REPEATED
        self.skipped += frame.counter - self._heard - 1
        self._heard = frame.counter
        return Check.FRESH

    def send(self, message: Message) -> tuple[int, bytes]:
        """Return the counter and the bytes of the next frame to the shoe."""
        self._sent += 1
        type_, payload = encode(message)
        flags = FLAG_TAGGED if self._keys else 0
        signed = signed_part(type_, flags, self.number, self._sent, 0, 0, payload)
        return self._sent, sealed(signed, tag(self._keys.from_host, signed) if self._keys else b"")

    def _proved(self, frame: Frame) -> bool:
        if self._keys is None:
            return not frame.flags & FLAG_TAGGED
        return bool(frame.flags & FLAG_TAGGED) and right(self._keys.from_shoe, frame.signed, frame.tag)
