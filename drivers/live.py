"""A shoe at a live port: what it says in its time, and what is to be sent to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from controller.core.signals import LinkLost, LinkOpened, WhyLost
from drivers.heard import Counts, Heard, Session, Span

NOWHERE = Span(0, 0)  # of what stands in no bytes

# Given the marks of the last inputs of this shoe that were judged, oldest first.
Lives = Callable[[Sequence[str]], "Live"]


class Live(Protocol):
    """One shoe, from opening to opening, without I/O. All times are one monotonic clock in nanoseconds.

    LinkOpened and LinkLost are among what is heard: only the protocol knows when its shoe is there. What ``outgoing``
    gives is sent after each call.
    """

    shoe_open: bool  # whether the record of a shoe is open, so that no other shoe may go on with it

    @property
    def counts(self) -> Counts:
        """The figures so far."""
        ...

    @property
    def news(self) -> int:
        """How often the shoe has said something new: while this stands still the shoe is silent."""
        ...

    @property
    def repeated(self) -> int:
        """How many messages came that had come before."""
        ...

    @property
    def tick_s(self) -> float | None:
        """How often to ``tick``; None where time tells nothing."""
        ...

    @property
    def replayed(self) -> Session | None:
        """The session to lead through what is kept after a restart; None where the shoe is asked again instead."""
        ...

    @property
    def babbles(self) -> str | None:
        """What to say of a shoe that says more than a shoe can; None where the protocol has a limit of its own."""
        ...

    @property
    def cards_per_second(self) -> int | None:
        """How many cards a hand can draw from it and no more, over some seconds; None where that is not looked at."""
        ...

    @property
    def reason(self) -> str:
        """Why the shoe is not heard although the port is open, as far as the protocol knows; empty if it does not."""
        ...

    def opened(self, identity: str, now_ns: int) -> Sequence[Heard]:
        """The port is open."""
        ...

    def feed(self, data: bytes, now_ns: int) -> Sequence[Heard]:
        """Take the next bytes and return what is now certain."""
        ...

    def tick(self, now_ns: int) -> Sequence[Heard]:
        """Let time pass."""
        ...

    def flush(self) -> Sequence[Heard]:
        """Settle what waits for a further copy: the line fell silent."""
        ...

    def lost(self, reason: str) -> Sequence[Heard]:
        """The port is gone."""
        ...

    def proved(self, identities: Sequence[str]) -> None:
        """These shoes have proved themselves before a restart: with less they are not let in."""
        ...

    def hold(self, reason: str) -> None:
        """The shoe was refused before a restart, and no person has looked at it yet."""
        ...

    def released(self, now_ns: int) -> Sequence[Heard]:
        """A person has looked at a shoe that was refused."""
        ...

    def outgoing(self) -> bytes:
        """Return what is to be sent, and forget it."""
        ...


class OneWay:
    """A shoe that only speaks: an open port is an open link, and what is lost cannot be asked for again."""

    tick_s = None
    reason = ""
    babbles = "the shoe babbles: more than a shoe can have to say, or a hand can draw; look at the shoe and its cable"

    def __init__(self, session: Session, cards_per_second: int | None = None) -> None:
        self.replayed = session
        self.cards_per_second = cards_per_second
        self.shoe_open = False

    @property
    def counts(self) -> Counts:
        """The figures so far."""
        return self.replayed.counts

    @property
    def news(self) -> int:
        """Only what the shoe says anew ends a silence: noise does not, nor the same frame over and over."""
        return self.replayed.counts.events

    @property
    def repeated(self) -> int:
        """How many copies came."""
        return self.replayed.counts.frames - self.replayed.counts.events

    def opened(self, identity: str, now_ns: int) -> Sequence[Heard]:
        """The port is open."""
        del now_ns
        return [Heard(LinkOpened(identity), NOWHERE)]

    def feed(self, data: bytes, now_ns: int) -> Sequence[Heard]:
        """Take the next bytes and return what is now certain."""
        del now_ns
        return self.replayed.feed(data)

    def tick(self, now_ns: int) -> Sequence[Heard]:
        """Time tells nothing."""
        del now_ns
        return ()

    def flush(self) -> Sequence[Heard]:
        """Settle what waits for a further copy: the line fell silent."""
        return self.replayed.flush()

    def lost(self, reason: str) -> Sequence[Heard]:
        """The port is gone."""
        why = WhyLost.FLOOD if reason == self.babbles else None
        return [*self.replayed.flush(), Heard(LinkLost(reason, why), NOWHERE)]

    def proved(self, identities: Sequence[str]) -> None:
        """No such shoe proves anything."""

    def hold(self, reason: str) -> None:
        """No such shoe is refused."""

    def released(self, now_ns: int) -> Sequence[Heard]:
        """No such shoe is refused."""
        del now_ns
        return ()

    def outgoing(self) -> bytes:
        """Nothing is ever sent."""
        return b""


def one_way(session: Callable[[], Session], cards_per_second: int | None = None) -> Lives:
    """Return how shoes that only speak are made, whatever was heard of them before."""
    return lambda _marks: OneWay(session(), cards_per_second)
