"""A tirage shoe at a live port, as the owner of a table serves every shoe (no I/O, no clock)."""

from __future__ import annotations

from collections.abc import Sequence

from controller.core.signals import LinkLost
from drivers.heard import Heard, Span
from drivers.tirage.hearing import Counts
from drivers.tirage.policy import Policy, Why
from drivers.tirage.session import Session

TICK_S = 0.1
REFUSED_ANEW = frozenset({Why.OTHER_SHOE.value})  # that may be over once the record of the shoe is closed


class LiveShoe:
    """The session of one shoe. What it has not told is asked for again, so no recorded bytes are led through it."""

    tick_s = TICK_S
    replayed = None
    babbles = cards_per_second = None  # what it says again comes at once; frames have a limit of their own

    def __init__(self, session: Session, policy: Policy) -> None:
        self.session = session
        self._policy = policy
        self._open = False

    @property
    def shoe_open(self) -> bool:
        """Whether the record of a shoe is open; no other shoe is let in meanwhile."""
        return not self._policy.changes_shoe

    @shoe_open.setter
    def shoe_open(self, is_open: bool) -> None:
        self._policy.changes_shoe = not is_open

    @property
    def counts(self) -> Counts:
        """The figures so far."""
        return self.session.counts

    @property
    def news(self) -> int:
        """The session itself tells of silence, by the heartbeat."""
        return self.session.counts.frames

    @property
    def repeated(self) -> int:
        """How many frames, events and cards came that had come before."""
        return self.session.counts.repeated + self.session.counts.doubled_cards

    @property
    def reason(self) -> str:
        """Why it is not live, "live" if it is."""
        return self.session.reason

    def opened(self, identity: str, now_ns: int) -> Sequence[Heard]:
        """The port is open: the shoe is asked who it is."""
        del identity  # the shoe has one of its own
        self._open = True
        return self.session.opened(now_ns)

    def feed(self, data: bytes, now_ns: int) -> Sequence[Heard]:
        """Take the next bytes and return what is now certain."""
        return self.session.feed(data, now_ns)

    def tick(self, now_ns: int) -> Sequence[Heard]:
        """Let time pass; a shoe that was refused for the open record of another is asked again once that is closed."""
        if not self._open:
            return ()
        if self.session.refused and not self.shoe_open and self.session.reason in REFUSED_ANEW:
            return self.session.opened(now_ns)
        return self.session.tick(now_ns)

    def flush(self) -> Sequence[Heard]:
        """A pause settles nothing: time does."""
        return ()

    def lost(self, reason: str) -> Sequence[Heard]:
        """The port is gone: what the shoe says meanwhile is asked for later."""
        self._open = False
        return [*self.session.flush(), Heard(LinkLost(reason), Span(0, 0))]

    def proved(self, identities: Sequence[str]) -> None:
        """These shoes have proved themselves before a restart: with less they are not let in."""
        for identity in identities:
            self._policy.proved(bytes.fromhex(identity.rpartition(" ")[2]))

    def hold(self, reason: str) -> None:
        """It was refused before a restart of this program, and nobody has looked at it."""
        self.session.hold(Why.FLOOD if reason == Why.FLOOD.value else Why.BAD_TAGS)

    def released(self, now_ns: int) -> Sequence[Heard]:
        """A person has looked at a shoe that was refused: it may try again."""
        self.session.release()
        refused = self._open and self.session.refused
        return self.session.opened(now_ns) if refused else ()

    def outgoing(self) -> bytes:
        """Return what is to be sent, and forget it."""
        return self.session.outgoing()
