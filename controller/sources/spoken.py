"""Whose bytes they may be that make no frame of the driver that they are read by."""

from __future__ import annotations

from drivers.heard import Session
from drivers.shoes import DRIVERS, Chosen

PROOF = ("tirage", "angel-eye", "line")  # what is checked by a sum counts before what only looks like a text


class OtherShoes:
    """The sessions of all other drivers, led through the same bytes."""

    def __init__(self, driver: str) -> None:
        self._sessions: dict[str, Session] = {name: DRIVERS[name].session(Chosen()) for name in PROOF if name != driver}

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        for session in self._sessions.values():
            session.feed(data)

    @property
    def name(self) -> str | None:
        """The first that found a frame, once the input has ended; None where nobody did."""
        for session in self._sessions.values():
            session.flush()
        return next((name for name, session in self._sessions.items() if session.counts.frames), None)
