"""The host's side of the tirage protocol: handshake, events in order, link truth (no I/O, no clock)."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable

from controller.core.signals import BytesDamaged, Damage, LinkLost, LinkOpened, Signal
from drivers.tirage import messages
from drivers.tirage.cards import Count, Verdict
from drivers.tirage.channel import Channel, Check
from drivers.tirage.clock import NS_PER_MS, Anchor
from drivers.tirage.codec import PayloadError, decode
from drivers.tirage.declared import CAPABILITIES, declared
from drivers.tirage.framing import BadFrame, Frame, Framing, Noise, Piece
from drivers.tirage.hearing import Counts, Heard, Span, State, card_jumped, lost_events, quoted, restarted
from drivers.tirage.layouts import FROM_HOST, LAYOUTS
from drivers.tirage.messages import BAD_TAGS, VERSION, Hello, Level, Message
from drivers.tirage.opening import Opening, Stale, memory_of, order_of
from drivers.tirage.ordering import Event, Memory, Missing, Ordered, Restarted, is_event
from drivers.tirage.policy import Policy, Why
from drivers.tirage.quality import Quality, Rate
from drivers.tirage.translating import signal

SILENCE_TIMEOUT_MS = 1000  # four heartbeats
OPEN_EVERY_MS = 500
NO_PROTOCOL_MS = 2000
RESEND_EVERY_MS = 300
RESEND_TRIES = 3
PARTIAL_FRAME_MS = 100  # the longest frame takes 11 ms at 115200 baud
ANSWERS_KEPT = 16


class NotLiveError(Exception):
    """A command was given while the shoe is not live; its text is the reason."""


class Session:
    """What one tirage shoe says, from its bytes, and the bytes to send to it.

    Call ``opened`` when the port opens, ``feed`` with what comes, ``tick`` at least every 100 ms, ``flush`` when the
    port is lost; after each of them send what ``outgoing`` has. All times are one monotonic clock in nanoseconds. A
    shoe that was refused stays so until ``opened`` is called again.
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
        self.level: Level | None = None
        self.hello: Hello | None = None
        self.capabilities = CAPABILITIES
        self.counts = Counts()
        self.quality = Quality()
        self.answers: dict[int, messages.Outcome] = {}
        self.locked = self.troubled = False
        self._nonce = nonce
        self._memory = memory
        self._framing = Framing()
        self._order = order_of(memory)
        self._count = Count(memory.card if memory else None)
        self._out: list[Heard] = []
        self._sending = bytearray()
        self._told: str | None = None  # the loss that was told last, None while the link is open
        self._alarmed = False
        self._byte_ns = 0
        self._bytes_came = 0
        self._reset(0)

    def _reset(self, now_ns: int) -> None:
        """Forget the connection, not the shoe."""
        self._opening: Opening | None = None
        self._channel: Channel | None = None
        self._said: messages.Capabilities | None = None
        self._anchor = Anchor()
        self._rate = Rate()
        self._forged = 0
        self._since_ns = self._fresh_ns = self._asked_ns = now_ns
        self._tries = 0

    @property
    def live(self) -> bool:
        """Whether what the shoe says now can be relied on to be all it says."""
        return self.state is State.LIVE and not self.quality.too_bad

    @property
    def authentication(self) -> str:
        """UNAUTHENTICATED unless each frame of this session is proved."""
        proved = self.level is not None and self.level is not Level.PLAIN
        return "authentic" if proved else "UNAUTHENTICATED"

    @property
    def memory(self) -> Memory | None:
        """What to keep over a restart of the host; None before the first connection."""
        return memory_of(self.hello, self._order, self._count) if self.hello else self._memory

    @property
    def held_bytes(self) -> int:
        """Bytes kept until more arrive; bounded whatever is fed."""
        return self._framing.held_bytes

    def outgoing(self) -> bytes:
        """Return what is to be sent to the shoe, and forget it."""
        data = bytes(self._sending)
        self._sending.clear()
        return data

    def opened(self, now_ns: int) -> list[Heard]:
        """The port is open: ask for a session."""
        self._hear_pieces(self._framing.flush(), now_ns)
        self._sending.clear()
        self._bytes_came = 0
        self._open(now_ns)
        return self._taken()

    def feed(self, data: bytes, now_ns: int) -> list[Heard]:
        """Take the next bytes, in chunks of any size, and return what is now certain."""
        if self.state is State.CLOSED:
            self._open(now_ns)
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
        self._hear_pieces(self._framing.flush(), self._byte_ns)
        self._memory = self.memory
        self._reset(self._byte_ns)
        self.state, self.reason = State.CLOSED, State.CLOSED.value
        self._sending.clear()
        self._told = self.reason
        return self._taken()

    def command(self, message: messages.Lock | messages.Unlock | messages.Lamp | messages.Tone) -> int:
        """Send a command and return its number, under which ``answers`` will have the outcome; raises NotLiveError.

        A command is never sent twice: without an answer it is not known whether it was carried out.
        """
        if not self.live or self._channel is None:
            raise NotLiveError(self.reason)
        return self._send(message)

    def _taken(self) -> list[Heard]:
        out, self._out = self._out, []
        return out

    def _say(self, what: Signal, span: Span | None = None, at_ns: int | None = None) -> None:
        self._out.append(Heard(what, span or Span(self._framing.offset, 0), at_ns))

    def _send(self, message: Message) -> int:
        assert self._channel is not None  # noqa: S101 - only a connection sends
        number, data = self._channel.send(message)
        self._sending += data
        return number

    # Opening and losing

    def _open(self, now_ns: int) -> None:
        self._memory = self.memory
        self._reset(now_ns)
        self.state, self.reason = State.OPENING, State.OPENING.value
        self._ask(now_ns)

    def _ask(self, now_ns: int) -> None:
        self._opening = Opening(self.policy, self._nonce)
        self._sending[:] = self._opening.request
        self._asked_ns = now_ns

    def _lose(self, reason: str, now_ns: int) -> None:
        """Tell that the link is lost and ask for a new session."""
        self._tell_lost(reason)
        self._open(now_ns)
        self.reason = reason

    def _refuse(self, why: Why) -> None:
        self._tell_lost(why.value)
        self._memory = self.memory
        self.state, self.reason = State.REFUSED, why.value
        self._sending.clear()

    def _tell_lost(self, reason: str) -> None:
        if reason != self._told:
            self._told = reason
            self._say(LinkLost(reason))

    def _tell_opened(self) -> None:
        if self.hello is not None:
            self._told = None
            self._say(LinkOpened(f"tirage {self.hello.device.hex()}"))

    # Time

    def _pass_time(self, now_ns: int) -> None:
        self.quality.pass_time(now_ns)
        if self._framing.waiting and _older(self._byte_ns, now_ns, PARTIAL_FRAME_MS):
            self._hear_pieces(self._framing.flush(), now_ns)
        match self.state:
            case State.OPENING:
                self._wait_for_shoe(now_ns)
            case State.STARTING | State.LIVE if _older(self._fresh_ns, now_ns, SILENCE_TIMEOUT_MS):
                self._lose(f"no heartbeat for {SILENCE_TIMEOUT_MS / 1000:g} s", now_ns)
            case State.STARTING if _older(self._since_ns, now_ns, NO_PROTOCOL_MS):
                self._lose("the shoe does not say what it can do", now_ns)

    def _wait_for_shoe(self, now_ns: int) -> None:
        if _older(self._asked_ns, now_ns, OPEN_EVERY_MS):
            self._ask(now_ns)
        if _older(self._since_ns, now_ns, NO_PROTOCOL_MS) and self._told is None:
            self.reason = self._no_shoe()
            self._tell_lost(self.reason)

    def _no_shoe(self) -> str:
        if self.counts.own_bytes:
            return "our own bytes come back: the lines are joined, no shoe answers"
        if self._bytes_came and not self.counts.frames:
            return f"no shoe protocol: {self._bytes_came} bytes and no frame among them; is the speed right?"
        if self._bytes_came:
            return "frames come, but no answer to ours: is the line to the shoe whole?"
        return "nothing comes from the port"

    # Pieces

    def _hear_pieces(self, pieces: Iterable[Piece], now_ns: int) -> None:
        for piece in pieces:
            if self.state is State.REFUSED:
                return
            match piece:
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
        if self._channel is None:
            return  # before a session nothing is lost by it: it is counted
        self.quality.bad(now_ns)
        self._say(BytesDamaged(damage, len(raw), detail=quoted(raw)), Span(offset, len(raw)))
        if self._rate.count(now_ns):
            self._refuse(Why.FLOOD)

    def _hear_frame(self, frame: Frame, now_ns: int) -> None:
        if self._opening is not None:
            self._hear_answer(self._opening, frame, now_ns)
        elif self._channel is not None:
            self._hear_in_session(self._channel, frame, now_ns)

    def _hear_answer(self, opening: Opening, frame: Frame, now_ns: int) -> None:
        match opening.hear(frame, self._memory):
            case Stale.OLD:
                self.counts.stale += 1
                self._say(BytesDamaged(Damage.STALE, len(frame.raw)), _span(frame))
            case Stale.OURS:
                self.counts.own_bytes += 1
            case Stale.FORGED:
                self._count_forged(frame)
            case Why() as why:
                self._refuse(why)
            case str() as reason:
                self._tell_lost(reason)
                self.reason = reason
            case (Hello() as hello, Channel() as channel):
                self._begin(hello, channel, frame, now_ns)

    def _begin(self, hello: Hello, channel: Channel, frame: Frame, now_ns: int) -> None:
        self.policy.pin(hello)
        self._opening, self._channel = None, channel
        self.hello, self.level = hello, hello.level
        self.state, self.reason = State.STARTING, State.STARTING.value
        self._since_ns = self._fresh_ns = self._asked_ns = now_ns
        self._anchor.set(frame.ms, now_ns)
        self.counts.connections += 1
        self._tell_opened()
        self._order = order_of(self._memory, hello)
        if self._memory is None:
            self._meet(frame)
        self._send(messages.Start(self._memory.first_wanted if self._memory else messages.FROM_NOW))

    def _meet(self, frame: Frame) -> None:
        self._count = Count(frame.card)
        if frame.card:
            detail = f"met in mid-shoe: {frame.card} cards were drawn before"
            self._say(BytesDamaged(Damage.GAP, frame.card, lost=frame.card, detail=detail), _span(frame))

    # In session

    def _hear_in_session(self, channel: Channel, frame: Frame, now_ns: int) -> None:
        if self._rate.count(now_ns):
            self._refuse(Why.FLOOD)
            return
        match channel.check(frame):
            case Check.STALE:
                self.counts.stale += 1
                self._say(BytesDamaged(Damage.STALE, len(frame.raw)), _span(frame))
            case Check.REPEATED:
                self.counts.repeated += 1
            case Check.FORGED:
                self._count_forged(frame)
            case Check.FRESH:
                self._fresh_ns = now_ns
                self._hear_fresh(frame, now_ns)

    def _count_forged(self, frame: Frame) -> None:
        self.counts.forged += 1
        self._forged += 1
        self._say(BytesDamaged(Damage.UNKNOWN_FRAME, len(frame.raw), detail="a wrong tag"), _span(frame))
        if self._forged >= BAD_TAGS:
            self._refuse(Why.BAD_TAGS)

    def _hear_fresh(self, frame: Frame, now_ns: int) -> None:
        if frame.version != VERSION or frame.type not in LAYOUTS:
            if frame.optional:
                self.counts.ignored += 1
                return
            self._refuse(Why.TYPE if frame.version == VERSION else Why.VERSION)
        elif frame.type in FROM_HOST:
            self.counts.own_bytes += 1
        elif is_event(frame.type):
            self._hear_event(frame)
        else:
            self._hear_standing(frame, now_ns)

    def _hear_event(self, frame: Frame) -> None:
        payload = frame.payload
        if len(payload) < messages.EVENT_NUMBER_BYTES:
            self._unknown(frame.offset, len(frame.raw), "an event without a number")
            return
        number = int.from_bytes(payload[: messages.EVENT_NUMBER_BYTES], "little")
        event = Event(number, frame.type, payload, frame.card, frame.ms, frame.offset, len(frame.raw))
        self._tell(self._order.hear(event), frame)

    def _hear_standing(self, frame: Frame, now_ns: int) -> None:
        try:
            message = decode(frame.type, frame.payload)
        except PayloadError as error:
            self._unknown(frame.offset, len(frame.raw), f"type {frame.type:#04x}: {error}")
            return
        match message:
            case messages.Heartbeat(event, locked, troubled):
                self._anchor.set(frame.ms, now_ns)
                self.locked, self.troubled = locked, troubled
                if not self._order.named(event):
                    self._lose("the shoe's own count went back", now_ns)
            case messages.Resending(first, last):
                self._tell(self._order.resending(first, last), frame)
            case messages.Capabilities():
                self._said, self.capabilities = message, declared(message, self.level or Level.PLAIN)
                if message.reads_ahead:
                    self._refuse(Why.READS_AHEAD)
            case messages.Answer(command, outcome):
                self.answers[command] = outcome
                while len(self.answers) > ANSWERS_KEPT:
                    del self.answers[min(self.answers)]
            case messages.Refused(refusal, _):
                self._lose(f"the shoe ended the session: {refusal.name.lower().replace('_', ' ')}", now_ns)

    def _unknown(self, offset: int, size: int, detail: str, lost: int = 0) -> None:
        self.counts.unknown += 1
        self._say(BytesDamaged(Damage.UNKNOWN_FRAME, size, lost=lost, detail=detail), Span(offset, size))

    # Events in order

    def _tell(self, items: list[Ordered], frame: Frame) -> None:
        for place, item in enumerate(items):
            match item:
                case Event():
                    self._tell_event(item)
                case Missing():
                    following = next((other for other in items[place:] if isinstance(other, Event)), None)
                    self._gap(item.count, lost_events(item, self._count.card, frame.card), _span(frame))
                    self._count = Count(None if following else frame.card)
                case Restarted(stood_at, had_heard):
                    size = max(1, had_heard - stood_at)
                    self._gap(size, restarted(item, self._count.card, frame.card), _span(frame))
                    self._count = Count(None)

    def _gap(self, size: int, damage: BytesDamaged, span: Span) -> None:
        self.counts.gaps += 1
        self.counts.missing += size
        self._say(damage, span)

    def _tell_event(self, event: Event) -> None:
        self.counts.events += 1
        span = Span(event.offset, event.size)
        try:
            message = decode(event.type, event.payload)
        except PayloadError as error:
            self._unknown(*span, f"event {event.number}, type {event.type:#04x}: {error}", lost=1)
            self._count = Count(event.card)
            return
        known = self._count.card
        verdict = self._count.judge(message, event.card)
        if verdict is Verdict.AGAIN:
            self.counts.doubled_cards += 1
            return
        if verdict is not Verdict.NEXT:
            self._gap(1, card_jumped(known, event.card), span)
        if (what := signal(message)) is not None:
            self._say(what, span, self._anchor.host_ns(event.ms))

    # What follows from all of it

    def _settle(self, now_ns: int) -> None:
        self._settle_quality()
        if self._channel is None or self.state not in (State.STARTING, State.LIVE):
            return
        if self._order.missing:
            self._ask_again(now_ns)
        else:
            self._tries = 0
            if self.state is State.STARTING and self._said is not None:
                self.state, self.reason = State.LIVE, State.LIVE.value

    def _ask_again(self, now_ns: int) -> None:
        waited = _older(self._asked_ns, now_ns, RESEND_EVERY_MS)
        if not waited and (self._tries or self.state is State.STARTING):
            return
        if self._tries >= RESEND_TRIES:
            items = self._order.give_up(self._order.latest + 1)
        self._tries += 1
        self._asked_ns = now_ns
        self.counts.asked_again += 1
        self._send(messages.Resend(self._order.wanted))

    def _settle_quality(self) -> None:
        if self.quality.alarming != self._alarmed:
            self._alarmed = self.quality.alarming
            if self._alarmed:
                detail = f"alarm: {self.quality.share:.1%} of the frames of the last minute were bad"
                self._say(BytesDamaged(Damage.CHECKSUM, 0, detail=detail))


def _older(then_ns: int, now_ns: int, limit_ms: int) -> bool:
    return now_ns - then_ns >= limit_ms * NS_PER_MS


def _span(frame: Frame) -> Span:
    return Span(frame.offset, len(frame.raw))
