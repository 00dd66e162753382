"""What a recorded or copied line tells, wherever it begins: the shoe's events in order, each once (no I/O, no clock).

Who recorded it asked the questions and looked at the proofs; here no key is needed, and none is looked at.
"""

from __future__ import annotations

from controller.core.signals import LinkResumed
from drivers.heard import Heard
from drivers.tirage import messages
from drivers.tirage.codec import PayloadError, decode
from drivers.tirage.framing import Frame
from drivers.tirage.hearing import Counts
from drivers.tirage.incoming import Incoming
from drivers.tirage.layouts import FROM_HOST
from drivers.tirage.messages import VERSION, Hello, Level
from drivers.tirage.ordering import is_event
from drivers.tirage.telling import Telling


class Recording:
    """A session without a port: nothing is sent, and no time passes but by what comes."""

    def __init__(self) -> None:
        self.counts = Counts()
        self._line = Incoming(self.counts)
        self._telling = Telling(self.counts, None)
        self._hello: Hello | None = None
        self._session: int | None = None  # that the frames belong to; None before the first one
        self._counter = -1
        self._met = False  # whether it is known where the shoe stands

    @property
    def held_bytes(self) -> int:
        """Bytes kept until more arrive; bounded whatever is fed."""
        return self._line.held_bytes

    def feed(self, data: bytes) -> list[Heard]:
        """Take the next bytes, in chunks of any size, and return what is now certain."""
        out: list[Heard] = []
        for piece in self._line.feed(data, 0):
            if isinstance(piece, Frame):
                out += [one for one in self._hear_frame(piece) if not isinstance(one.signal, LinkResumed)]
            elif self._session is not None:
                out.append(piece)
        return out

    def flush(self) -> list[Heard]:
        """A pause tells nothing here: what is missing may still come again, and a frame may still end."""
        return []

    def _hear_frame(self, frame: Frame) -> list[Heard]:
        if frame.type in FROM_HOST or frame.version != VERSION:
            self.counts.own_bytes += frame.type in FROM_HOST
            return []
        if is_event(frame.type):
            return self._hear_event(frame) if self._belongs(frame) else []
        try:
            message = decode(frame.type, frame.payload)
        except PayloadError:
            return []
        match message:
            case Hello():
                return self._greet(message, frame)
            case messages.Resending(first, last) if self._belongs(frame) and self._met:
                return self._telling.resending(first, last, frame)
            case _:
                return []

    def _greet(self, hello: Hello, frame: Frame) -> list[Heard]:
        """A session begins: what was heard before comes again, and is compared.

        What was heard before any hello came from the same shoe, else a new recording would have begun.
        """
        same = self._met and (self._hello is None or self._hello.device == hello.device)
        known = self._telling.memory(hello) if same else None
        self._hello, self._session, self._counter = hello, frame.session, frame.counter
        self._met = True
        return self._telling.meet(hello, frame, known, 0)

    def _belongs(self, frame: Frame) -> bool:
        """Tell whether a frame is the next of its session; the first of a recording that begins in mid-session is."""
        if self._session is None:
            self._session = frame.session
        proved = self._hello is None or self._hello.level is Level.PLAIN or bool(frame.flags & messages.FLAG_TAGGED)
        if frame.session != self._session or not proved:
            self.counts.stale += 1
            return False
        if frame.counter <= self._counter:
            self.counts.repeated += 1
            return False
        self._counter = frame.counter
        return True

    def _hear_event(self, frame: Frame) -> list[Heard]:
        if not self._met:
            self._met = True
            self._telling.join(frame)
        return self._telling.hear(frame)
