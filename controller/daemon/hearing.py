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

    def opened(self, counts: Counts) -> None:
        """The port was opened: nothing has come from it yet."""
        self._frames, self._events, self._bytes = counts.frames, counts.events, 0
        self._understood = self.told = False

    def framed(self, size: int, counts: Counts) -> bool:
        """Take so many bytes, and tell whether they completed a frame."""
        if counts.frames == self._frames:
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
        """Whether more bytes than a burst of noise have brought no frame."""
        return self._bytes >= (BYTES_BETWEEN_FRAMES if self._understood else BYTES_BEFORE_FIRST_FRAME)
