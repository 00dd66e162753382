"""The host's side of the tirage protocol: handshake, link truth, and what the shoe says (no I/O, no clock)."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable

from controller.core.signals import BytesDamaged, Damage, WhyLost
from drivers.heard import Heard, Span
from drivers.quality import Quality
from drivers.tirage import messages
from drivers.tirage.channel import Channel
from drivers.tirage.connection import Connection, Standing
from drivers.tirage.framing import Frame
from drivers.tirage.hearing import Counts, State, no_shoe
from drivers.tirage.incoming import Incoming
from drivers.tirage.linktruth import LinkTruth
from drivers.tirage.messages import Hello, Level
from drivers.tirage.opening import Asking, Passed
from drivers.tirage.ordering import Memory
from drivers.tirage.policy import FOR_A_PERSON, WHY_LOST, Policy, Why
from drivers.tirage.telling import Telling


class NotLiveError(Exception):
    """A command was given while the shoe is not live; its text is the reason."""


class Session:
    """What one tirage shoe says, from its bytes, and the bytes to send to it.

    Call ``opened`` when the port opens, ``feed`` with what comes, ``tick`` at least every 100 ms, ``flush`` when the
    port is lost; after each of them send what ``outgoing`` has. All times are one monotonic clock in nanoseconds. A
    shoe that was refused stays so until ``opened`` is called again; after wrong tags or a flood a person must
    ``release`` it first.
    """

    def __init__(
        self,
        policy: Policy | None = None,
        memory: Memory | None = None,
        nonce: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.policy = policy or Policy()
        self.state = State.CLOSED
        self.reason = State.CLOSED.value
        self.counts = Counts()
        self.hello: Hello | None = None  # of the last connection
        self._memory = memory
        self._line = Incoming(self.counts)
        self._telling = Telling(self.counts, memory)
        self._asking = Asking(self.policy, nonce, self.counts)
        self._connection: Connection | None = None
        self._truth = LinkTruth()
        self._out: list[Heard] = []
        self._sending = bytearray()
        self._held: Why | None = None  # a refusal that waits for a person
        self._now_ns = 0  # as it was told last

    @classmethod
    def tap(cls, policy: Policy | None = None, memory: Memory | None = None) -> Session:
        """Return a session that never sends: for a copy of a line that another host owns, and for recordings.

        It hears from the next hello on, at L1 only with the device's key; what the other host does not ask for again
        is lost to it too. A recording is fed with the times that it was made at.
        """
        session = cls(policy, memory)
        session._asking.mute = True
        return session

    @property
    def live(self) -> bool:
        """Whether what the shoe says now can be relied on to be all it says."""
        return self.state is State.LIVE and not self.quality.too_bad

    @property
    def refused(self) -> bool:
        """Whether the shoe is not let in until the port is opened again."""
        return self.state is State.REFUSED

    @property
    def quality(self) -> Quality:
        """How many frames of the last minute were bad."""
        return self._truth.quality

    @property
    def level(self) -> Level | None:
        """The level of this connection, None without one."""
        return self._connection.hello.level if self._connection else None

    @property
    def authentication(self) -> str:
        """UNAUTHENTICATED unless each frame of this session is proved."""
        return "authentic" if self.level is Level.AUTHENTIC else "UNAUTHENTICATED"

    @property
    def standing(self) -> Standing:
        """What the shoe said about itself in this connection."""
        return self._connection.standing if self._connection else Standing()

    @property
    def memory(self) -> Memory | None:
        """What to keep over a restart of the host; None before the first connection."""
        return self._telling.memory(self.hello) if self.hello else self._memory

    @property
    def held_bytes(self) -> int:
        """Bytes kept until more arrive; bounded whatever is fed."""
        return self._line.held_bytes

    def outgoing(self) -> bytes:
        """Return what is to be sent to the shoe, and forget it."""
        data = bytes(self._sending)
        self._sending.clear()
        return b"" if self._asking.mute else data

    def opened(self, now_ns: int) -> list[Heard]:
        """The port is open: ask for a session."""
        self._close()
        self._truth.begin()
        self._line.bytes_came = 0
        if self._held is None:
            self._open(now_ns)
        else:
            self._refuse(self._held)
        return self._taken()

    def hold(self, why: Why) -> None:
        """Refuse the shoe until a person has looked at it, as before a restart of the host."""
        self._held = why

    def release(self) -> None:
        """A person has looked into wrong tags or a flood: the next ``opened`` asks for a session again."""
        self._held = None

    def feed(self, data: bytes, now_ns: int) -> list[Heard]:
        """Take the next bytes, in chunks of any size, and return what is now certain."""
        if self.state is State.CLOSED:
            self._out += self.opened(now_ns)
        self._pass_time(now_ns)
        self._hear(self._line.feed(data, now_ns), now_ns)
        self._settle(now_ns)
        return self._taken()

    def tick(self, now_ns: int) -> list[Heard]:
        """Let time pass: silence, bytes that never became a frame, answers that did not come."""
        self._pass_time(now_ns)
        self._settle(now_ns)
        return self._taken()

    def flush(self) -> list[Heard]:
        """Settle what is pending: the port is lost. What the shoe says meanwhile is asked for later."""
        self._close()
        self.state, self.reason = State.CLOSED, State.CLOSED.value
        return self._taken()

    def command(self, message: messages.Lock | messages.Unlock | messages.Lamp | messages.Tone) -> int:
        """Send a command and return its number, under which ``standing.answers`` will have the outcome.

        A command is never sent twice: without an answer it is not known whether it was carried out. Raises
        NotLiveError.
        """
        if not self.live or self._connection is None or self._asking.mute:
            raise NotLiveError("a tap sends nothing" if self._asking.mute else self.reason)
        number = self._connection.send(message)
        self._take_from(self._connection)
        return number

    def _taken(self) -> list[Heard]:
        out, self._out = self._out, []
        return out

    def _say_link(self) -> None:
        """Tell what changed about the link, at this place among the rest."""
        mark = self._telling.mark() if self.hello else ""
        self._out += [Heard(signal, self._line.here, None, mark) for signal in self._truth.out]
        self._truth.out.clear()

    def _take_from(self, connection: Connection) -> None:
        out, sending = connection.taken()
        self._out, self._sending = self._out + out, self._sending + sending

    def _close(self) -> None:
        self._hear(self._line.flush(), self._now_ns)
        self._forget_connection()
        self._sending.clear()

    def _forget_connection(self) -> None:
        """Forget the connection, not the shoe."""
        self._memory = self.memory
        self._asking.end()
        self._connection = None

    def _open(self, now_ns: int) -> None:
        self._forget_connection()
        self.state, self.reason = State.OPENING, State.OPENING.value
        self._sending[:] = self._asking.begin(now_ns)

    def _lose(self, reason: str, why: WhyLost | None, now_ns: int) -> None:
        """Tell that the link is lost and ask for a new session."""
        self._tell_lost(reason, why)
        self._open(now_ns)
        self.reason = reason

    def _refuse(self, why: Why) -> None:
        self._held = why if why in FOR_A_PERSON else None
        self._tell_lost(why.value, WHY_LOST[why], held=self._held is not None)
        self._forget_connection()
        self.state, self.reason = State.REFUSED, why.value
        self._sending.clear()

    def _tell_lost(self, reason: str, why: WhyLost | None, *, held: bool = False) -> None:
        self._truth.lost(reason, why, held=held)
        self._say_link()

    def _pass_time(self, now_ns: int) -> None:
        self._now_ns = now_ns
        self.quality.pass_time(now_ns)
        self._hear(self._line.pass_time(now_ns), now_ns)
        if self.state is State.OPENING:
            self._wait_for_shoe(now_ns)
        elif self._connection is not None and (late := self._connection.late(now_ns)) is not None:
            self._lose(*late, now_ns)

    def _wait_for_shoe(self, now_ns: int) -> None:
        if question := self._asking.again(now_ns):
            self._sending[:] = question
        if self._asking.in_vain(now_ns) and not self._truth.lost_is_told:
            self.reason = no_shoe(self.counts, self._line.bytes_came, listens=self._asking.mute)
            self._tell_lost(self.reason, WhyLost.NO_PROTOCOL)

    def _hear(self, pieces: Iterable[Frame | Heard], now_ns: int) -> None:
        for piece in () if self.refused else pieces:
            if isinstance(piece, Frame):
                self.quality.good(now_ns)
                self._hear_frame(piece, now_ns)
            elif self._connection is not None:  # before a session nothing is lost by damage: it is counted
                self.quality.bad(now_ns)
                self._out.append(piece)
                self._connection.count(now_ns)
                self._end(self._connection, now_ns)
            if self.refused:
                return

    def _hear_frame(self, frame: Frame, now_ns: int) -> None:
        if self._connection is not None:
            self._connection.hear(frame, now_ns)
            self._take_from(self._connection)
            self._end(self._connection, now_ns)
        else:
            self._hear_answer(frame, now_ns)

    def _end(self, connection: Connection, now_ns: int) -> None:
        match connection.ended:
            case Why() as why:
                self._refuse(why)
            case (reason, why):
                self._lose(reason, why, now_ns)

    def _hear_answer(self, frame: Frame, now_ns: int) -> None:
        match self._asking.hear(frame, self._memory):
            case Passed.OLD:
                self._out.append(Heard(BytesDamaged(Damage.STALE, len(frame.raw)), Span(frame.offset, len(frame.raw))))
            case Passed.SHOE_REFUSES as passed:
                self.reason = passed.value
                self._tell_lost(passed.value, WhyLost.SHOE_REFUSES)
            case Why() as why:
                self._refuse(why)
            case (Hello() as hello, Channel() as channel):
                self._begin(hello, channel, frame, now_ns)

    def _begin(self, hello: Hello, channel: Channel, frame: Frame, now_ns: int) -> None:
        self.policy.pin(hello)
        self.counts.connections += 1
        self.state, self.reason = State.STARTING, State.STARTING.value
        self.hello = hello
        self._asking.end()
        connection = self._connection = Connection(hello, channel, self._telling, self.policy, self.counts, now_ns)
        if self._memory is not None and self._memory.device != hello.device:
            self._memory = None  # its record is closed, else it would have been refused
        unheard = self._telling.meet(hello, frame, self._memory, now_ns)
        self._truth.opened(hello)
        self._say_link()
        self._out += unheard
        connection.send(messages.Start(self._memory.first_wanted if self._memory else messages.FROM_NOW))
        self._take_from(connection)

    def _settle(self, now_ns: int) -> None:
        connection = self._connection
        if connection is None:
            return
        connection.pass_time(now_ns)
        self._take_from(connection)
        if self.state is State.STARTING and connection.caught_up:
            connection.live = True
            self.state, self.reason = State.LIVE, State.LIVE.value
            self._truth.proved()
        self._truth.settle(connection.hello, live=self.state is State.LIVE)
        self._say_link()
