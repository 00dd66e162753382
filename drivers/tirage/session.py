"""The host's side of the tirage protocol: handshake, link truth, and what the shoe says (no I/O, no clock)."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable

from controller.core.signals import BytesDamaged, Damage, LinkLost, LinkOpened, Signal
from drivers.tirage import messages
from drivers.tirage.channel import Channel
from drivers.tirage.connection import Connection, Standing, older
from drivers.tirage.framing import BadFrame, Frame, Framing, Noise, Piece
from drivers.tirage.hearing import Counts, Heard, Span, State, no_shoe, quoted
from drivers.tirage.messages import BAD_TAGS, Hello, Level
from drivers.tirage.opening import Listening, Opening, Passed
from drivers.tirage.ordering import Memory
from drivers.tirage.policy import FOR_A_PERSON, Policy, Why
from drivers.tirage.quality import Quality
from drivers.tirage.telling import Telling

SILENCE_TIMEOUT_MS = 1000  # four heartbeats
OPEN_EVERY_MS = 500
NO_PROTOCOL_MS = 2000
PARTIAL_FRAME_MS = 100  # the longest frame takes 11 ms at 115200 baud


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
        self.quality = Quality()
        self.hello: Hello | None = None  # of the last connection
        self._mute = False
        self._nonce = nonce
        self._memory = memory
        self._framing = Framing()
        self._telling = Telling(self.counts, memory)
        self._opening: Opening | None = None
        self._connection: Connection | None = None
        self._out: list[Heard] = []
        self._sending = bytearray()
        self._told: str | None = None  # the loss that was told last, None while the link is open
        self._held: Why | None = None  # a refusal that waits for a person
        self._alarmed = self._unfit = False
        self._forged = 0
        self._bytes_came = 0
        self._byte_ns = self._asked_ns = self._since_ns = 0

    @classmethod
    def tap(cls, policy: Policy | None = None, memory: Memory | None = None) -> Session:
        """Return a session that never sends: for a copy of a line that another host owns, and for recordings.

        It hears from the next hello on, at L1 only with the device's key; what the other host does not ask for again
        is lost to it too. A recording is fed with the times that it was made at.
        """
        session = cls(policy, memory)
        session._mute = True
        return session

    @property
    def live(self) -> bool:
        """Whether what the shoe says now can be relied on to be all it says."""
        return self.state is State.LIVE and not self.quality.too_bad

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
        return self._framing.held_bytes

    def outgoing(self) -> bytes:
        """Return what is to be sent to the shoe, and forget it."""
        data = bytes(self._sending)
        self._sending.clear()
        return b"" if self._mute else data

    def opened(self, now_ns: int) -> list[Heard]:
        """The port is open: ask for a session."""
        self._close()
        self._told = None
        self._bytes_came = 0
        if self._held is None:
            self._open(now_ns)
        else:
            self._refuse(self._held)
        return self._taken()

    def release(self) -> None:
        """A person has looked into wrong tags or a flood: the next ``opened`` asks for a session again."""
        self._held = None

    def feed(self, data: bytes, now_ns: int) -> list[Heard]:
        """Take the next bytes, in chunks of any size, and return what is now certain."""
        if self.state is State.CLOSED:
            self._out += self.opened(now_ns)
        self._pass_time(now_ns)
        self._bytes_came += len(data)
        self._byte_ns = now_ns
        self._hear_pieces(self._framing.feed(data), now_ns)
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
        if not self.live or self._connection is None or self._mute:
            raise NotLiveError("a tap sends nothing" if self._mute else self.reason)
        number = self._connection.send(message)
        self._take_from(self._connection)
        return number

    def _taken(self) -> list[Heard]:
        out, self._out = self._out, []
        return out

    def _say(self, what: Signal, span: Span | None = None) -> None:
        self._out.append(Heard(what, span or Span(self._framing.offset, 0)))

    def _take_from(self, connection: Connection) -> None:
        self._out += connection.out
        self._sending += connection.sending
        connection.out.clear()
        connection.sending.clear()

    # Opening and losing

    def _close(self) -> None:
        self._hear_pieces(self._framing.flush(), self._byte_ns)
        self._forget_connection()
        self._sending.clear()

    def _forget_connection(self) -> None:
        """Forget the connection, not the shoe."""
        self._memory = self.memory
        self._opening = self._connection = None

    def _open(self, now_ns: int) -> None:
        self._forget_connection()
        self._forged = 0
        self._since_ns = now_ns
        self.state, self.reason = State.OPENING, State.OPENING.value
        self._ask(now_ns)

    def _ask(self, now_ns: int) -> None:
        self._opening = Listening(self.policy) if self._mute else Opening(self.policy, self._nonce)
        self._sending[:] = self._opening.request
        self._asked_ns = now_ns

    def _lose(self, reason: str, now_ns: int) -> None:
        """Tell that the link is lost and ask for a new session."""
        self._tell_lost(reason)
        self._open(now_ns)
        self.reason = reason

    def _refuse(self, why: Why) -> None:
        self._held = why if why in FOR_A_PERSON else None
        self._tell_lost(why.value)
        self._forget_connection()
        self.state, self.reason = State.REFUSED, why.value
        self._sending.clear()

    def _tell_lost(self, reason: str) -> None:
        if reason != self._told:
            self._told = reason
            self._say(LinkLost(reason))

    def _tell_opened(self, hello: Hello) -> None:
        self._told = None
        self._say(LinkOpened(f"tirage {hello.device.hex()}"))

    # Time

    def _pass_time(self, now_ns: int) -> None:
        self.quality.pass_time(now_ns)
        if self._framing.waiting and older(self._byte_ns, now_ns, PARTIAL_FRAME_MS):
            self._hear_pieces(self._framing.flush(), now_ns)
        if self.state is State.OPENING:
            self._wait_for_shoe(now_ns)
        elif self._connection is not None:
            self._watch(self._connection, now_ns)

    def _wait_for_shoe(self, now_ns: int) -> None:
        if older(self._asked_ns, now_ns, OPEN_EVERY_MS):
            self._ask(now_ns)
        if older(self._since_ns, now_ns, NO_PROTOCOL_MS) and self._told is None:
            self.reason = no_shoe(self.counts, self._bytes_came)
            self._tell_lost(self.reason)

    def _watch(self, connection: Connection, now_ns: int) -> None:
        if older(connection.fresh_ns, now_ns, SILENCE_TIMEOUT_MS):
            self._lose(f"no heartbeat for {SILENCE_TIMEOUT_MS / 1000:g} s", now_ns)
        elif self.state is State.STARTING and older(connection.began_ns, now_ns, NO_PROTOCOL_MS):
            self._lose("the shoe does not tell all that it has named", now_ns)

    # Pieces

    def _hear_pieces(self, pieces: Iterable[Piece], now_ns: int) -> None:
        for piece in pieces:
            match piece:
                case _ if self.state is State.REFUSED:
                    return
                case Frame():
                    self.counts.frames += 1
                    self.quality.good(now_ns)
                    self._hear_frame(piece, now_ns)
                case BadFrame(offset, raw):
                    self.counts.bad_checksums += 1
                    self._damaged(Damage.CHECKSUM, offset, raw, now_ns)
                case Noise(offset, raw):
                    self.counts.noise_bytes += len(raw)
                    self._damaged(Damage.NOISE, offset, raw, now_ns)

    def _damaged(self, damage: Damage, offset: int, raw: bytes, now_ns: int) -> None:
        if self._connection is None:
            return  # before a session nothing is lost by it: it is counted
        self.quality.bad(now_ns)
        self._say(BytesDamaged(damage, len(raw), detail=quoted(raw)), Span(offset, len(raw)))
        self._connection.count(now_ns)
        self._end(self._connection, now_ns)

    def _hear_frame(self, frame: Frame, now_ns: int) -> None:
        if self._connection is not None:
            self._connection.hear(frame, now_ns)
            self._take_from(self._connection)
            self._end(self._connection, now_ns)
        elif self._opening is not None:
            self._hear_answer(self._opening, frame, now_ns)

    def _end(self, connection: Connection, now_ns: int) -> None:
        match connection.ended:
            case Why() as why:
                self._refuse(why)
            case str() as reason:
                self._lose(reason, now_ns)

    def _hear_answer(self, opening: Opening, frame: Frame, now_ns: int) -> None:
        match opening.hear(frame, self._memory):
            case Passed.OLD:
                self.counts.stale += 1
                self._say(BytesDamaged(Damage.STALE, len(frame.raw)), Span(frame.offset, len(frame.raw)))
            case Passed.OURS:
                self.counts.own_bytes += 1
            case Passed.FORGED:
                self._hear_forged()
            case Passed.SHOE_REFUSES as passed:
                self.reason = passed.value
                self._tell_lost(passed.value)
            case Why() as why:
                self._refuse(why)
            case (Hello() as hello, Channel() as channel):
                self._begin(hello, channel, frame, now_ns)

    def _hear_forged(self) -> None:
        self.counts.forged += 1
        self._forged += 1
        if self._forged >= BAD_TAGS:
            self._refuse(Why.BAD_TAGS)

    def _begin(self, hello: Hello, channel: Channel, frame: Frame, now_ns: int) -> None:
        self.policy.pin(hello)
        self.counts.connections += 1
        self.state, self.reason = State.STARTING, State.STARTING.value
        self.hello, self._opening = hello, None
        connection = self._connection = Connection(hello, channel, self._telling, self.counts, now_ns)
        self._tell_opened(hello)
        self._out += self._telling.meet(hello, frame, self._memory, now_ns)
        connection.send(messages.Start(self._memory.first_wanted if self._memory else messages.FROM_NOW))
        self._take_from(connection)

    # What follows from all of it

    def _settle(self, now_ns: int) -> None:
        connection = self._connection
        if connection is None:
            return
        connection.pass_time(now_ns)
        self._take_from(connection)
        if self.state is State.STARTING and connection.caught_up:
            self.state, self.reason = State.LIVE, State.LIVE.value
        self._settle_quality(connection)

    def _settle_quality(self, connection: Connection) -> None:
        quality, alarmed, unfit = self.quality, self._alarmed, self._unfit
        self._alarmed, self._unfit = quality.alarming, quality.too_bad
        if self._alarmed > alarmed:
            detail = f"alarm: {quality.share:.1%} of the frames of the last minute were bad"
            self._say(BytesDamaged(Damage.CHECKSUM, 0, detail=detail))
        if self._unfit > unfit:
            self._tell_lost(f"the line is not fit for a table: {quality.share:.0%} of the frames of a minute were bad")
        if self._unfit < unfit:
            self._tell_opened(connection.hello)
