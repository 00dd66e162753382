"""Whether what comes from a port is understood: an open port that brings bytes may still bring no shoe."""

from __future__ import annotations

from dataclasses import dataclass

from drivers.heard import Counts

NO_FRAMES_S = 1.5  # from the first byte that is no frame until a look at it; within 2 s the page says so
BYTES_BEFORE_FIRST_FRAME = 16  # a burst of noise as a shoe starts is shorter
BYTES_BETWEEN_FRAMES = 256  # from a shoe that was understood before: noise of a moment is shorter


@dataclass(slots=True)
class Hearing:
    """Follows a session's figures while its port is open. ``told`` says that the page has it already."""

    told: bool = False
    _frames: int = 0
    _events: int = 0
    _understood: bool = False
    _bytes: int = 0  # since the last frame
    _since: float = 0.0  # monotonic seconds of the first of them

    def opened(self, counts: Counts) -> None:
        """The port was opened: nothing has come from it yet."""
        self._frames, self._events, self._bytes = counts.frames, counts.events, 0
        self._understood = self.told = False

    def framed(self, size: int, counts: Counts, now: float) -> bool:
        """Take so many bytes that came now (monotonic seconds), and tell whether they completed a frame."""
        if counts.frames == self._frames:
            self._since = self._since if self._bytes else now
            self._bytes += size
            return False
        self._frames, self._bytes = counts.frames, 0
        self._understood, self.told = True, False
        return True

    def fresh(self, counts: Counts) -> bool:
        """Tell whether the shoe said something new since this was asked last."""
        new, self._events = counts.events != self._events, counts.events
        return new

    @property
    def deaf(self) -> bool:
        """Whether more bytes than a burst of noise have brought no frame, and nobody was told."""
        enough = BYTES_BETWEEN_FRAMES if self._understood else BYTES_BEFORE_FIRST_FRAME
        return self._bytes >= enough and not self.told

    def overdue(self, now: float) -> bool:
        """Whether it is deaf, and has been so for too long at this time."""
        return self.deaf and now - self._since >= NO_FRAMES_S

    def passed(self) -> None:
        """The time for a look came and it was but a burst: forget it, if the shoe was understood before."""
        if self._understood:
            self._bytes = 0
