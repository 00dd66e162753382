"""What a recorded or copied line tells, wherever it begins: the shoe's events in order, each once (no I/O, no clock).

Who recorded it asked the questions and looked at the proofs; here no key is needed, and none is looked at.
"""

from __future__ import annotations

from controller.core.signals import LinkResumed
from drivers.heard import Heard
from drivers.tirage import messages
from drivers.tirage.clock import WRAP_MS
from drivers.tirage.codec import PayloadError, decode
from drivers.tirage.framing import Frame
from drivers.tirage.hearing import Counts
from drivers.tirage.incoming import Incoming
from drivers.tirage.layouts import FROM_HOST
from drivers.tirage.messages import VERSION, Hello, Level
from drivers.tirage.ordering import is_event
from drivers.tirage.telling import Telling

GIVEN_UP_MS = 10_000  # a host asks a few times, half a second apart


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
        self._missing_ms: int | None = None  # since when something is missing, by the shoe's clock

    @property
    def held_bytes(self) -> int:
        """Bytes kept until more arrive; bounded whatever is fed."""
        return self._line.held_bytes

    def feed(self, data: bytes) -> list[Heard]:
        """Take the next bytes, in chunks of any size, and return what is now certain."""
        out: list[Heard] = []
        for piece in self._line.feed(data, 0):
            if isinstance(piece, Frame):
                out += _without_resumed([*self._hear_frame(piece), *self._waited(piece)])
            elif self._session is not None:
                out.append(piece)
        return out

    def flush(self) -> list[Heard]:
        """A pause tells nothing here: what is missing may still come again, and a frame may still end."""
        return []

    def end(self) -> list[Heard]:
        """Nothing follows: what is missing is lost, and what came after it is told."""
        return _without_resumed(self._telling.give_up() if self._telling.order.missing else [])

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

    def _waited(self, frame: Frame) -> list[Heard]:
        """Give up what no host asks for any more by the shoe's own clock, or what no host could keep waiting for."""
        order = self._telling.order
        if not order.missing:
            self._missing_ms = None
            return []
        since = self._missing_ms = frame.ms if self._missing_ms is None else self._missing_ms
        late = GIVEN_UP_MS <= (frame.ms - since) % WRAP_MS < WRAP_MS // 2
        return self._telling.give_up() if late or order.full else []

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


def _without_resumed(heard: list[Heard]) -> list[Heard]:
    """A recording has no link that could go on again."""
    return [one for one in heard if not isinstance(one.signal, LinkResumed)]
