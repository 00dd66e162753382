"""One session with a shoe, from its hello to its end (no I/O, no clock)."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.core.signals import BytesDamaged, Capabilities, Damage, Signal, WhyLost
from drivers.heard import Heard, Span
from drivers.rate import Rate
from drivers.tirage import messages
from drivers.tirage.channel import Channel, Check
from drivers.tirage.clock import WRAP_MS
from drivers.tirage.codec import PayloadError, decode
from drivers.tirage.declared import CAPABILITIES, declared
from drivers.tirage.framing import Frame
from drivers.tirage.hearing import Counts
from drivers.tirage.incoming import older
from drivers.tirage.layouts import FROM_HOST, LAYOUTS
from drivers.tirage.messages import BAD_TAGS, FRAMES_PER_SECOND, VERSION, Hello, Message
from drivers.tirage.ordering import is_event
from drivers.tirage.policy import Policy, Why
from drivers.tirage.telling import Telling

SILENCE_TIMEOUT_MS = 1000  # four heartbeats
STARTING_TIMEOUT_MS = 2000
RESEND_EVERY_MS = 500  # so that whole answers, 64 events each, stay below 200 frames a second
RESEND_TRIES = 3
ANSWERS_KEPT = 16


@dataclass(slots=True)
class Standing:
    """What the shoe said about itself last; ``answers`` has the outcome of the last commands by their number."""

    capabilities: Capabilities = CAPABILITIES
    locked: bool = False
    troubled: bool = False
    answers: dict[int, messages.Outcome] = field(default_factory=dict)


class Connection:
    """Frames in, ``out`` and ``sending`` filled; ``ended`` says that it is over and why."""

    def __init__(self, hello: Hello, channel: Channel, telling: Telling, policy: Policy, counts: Counts,
                 now_ns: int) -> None:  # fmt: skip
        self.hello = hello
        self.standing = Standing()
        self.ended: Why | tuple[str, WhyLost | None] | None = None
        self.live = False
        self.began_ns = self.fresh_ns = now_ns
        self.out: list[Heard] = []
        self.sending = bytearray()
        self._channel = channel
        self._policy = policy
        self._telling = telling
        self._counts = counts
        self._rate = Rate(FRAMES_PER_SECOND)
        self._forged = 0
        self._fresh_ms = 0  # of the shoe, in the last frame with a new number
        self._behind = 0  # frames made after that one, by the shoe's clock, whose numbers had come before
        self._introduced = False
        self._asked_ns = now_ns
        self._tries = 1  # the start asks for what is missing; a gap after that is asked for at once

    @property
    def caught_up(self) -> bool:
        """Whether all that the shoe has named is here."""
        return self._introduced and not self._telling.order.missing

    def taken(self) -> tuple[list[Heard], bytes]:
        """Return what was heard and what is to be sent, and forget both."""
        out, sending = self.out, bytes(self.sending)
        self.out, self.sending = [], bytearray()
        return out, sending

    def late(self, now_ns: int) -> tuple[str, WhyLost | None] | None:
        """Return why this connection is worth nothing any more, None if it is."""
        if older(self.fresh_ns, now_ns, SILENCE_TIMEOUT_MS):
            return self._nothing_new()
        if not self.live and older(self.began_ns, now_ns, STARTING_TIMEOUT_MS):
            return "the shoe does not tell all that it has named", None
        return None

    def _nothing_new(self) -> tuple[str, WhyLost]:
        span = f"{SILENCE_TIMEOUT_MS / 1000:g} s"
        if self._behind:
            return f"the shoe's frame counter went back: for {span} no number was new", WhyLost.COUNT_BACK
        return f"no heartbeat for {span}", WhyLost.NO_HEARTBEAT

    def send(self, message: Message) -> int:
        """Put a frame to the bytes to send and return its number."""
        number, data = self._channel.send(message)
        self.sending += data
        return number

    def count(self, now_ns: int) -> None:
        """Count a frame, good or bad, against what a shoe can have to say."""
        if self._rate.count(now_ns):
            self.ended = Why.FLOOD

    def hear(self, frame: Frame, now_ns: int) -> None:
        """Take a frame whose CRC is right."""
        self.count(now_ns)
        if self.ended:
            return
        match self._channel.check(frame):
            case Check.STALE:
                self._counts.stale += 1
                self._say(BytesDamaged(Damage.STALE, len(frame.raw)), frame)
            case Check.REPEATED:
                self._counts.repeated += 1
                self._behind += self._is_later(frame)
            case Check.FORGED:
                self._hear_forged(frame)
            case Check.FRESH:
                self.fresh_ns, self._fresh_ms, self._behind = now_ns, frame.ms, 0
                self._hear_fresh(frame, now_ns)

    def _is_later(self, frame: Frame) -> bool:
        """Whether a frame with an old number was made after the last new one: a line that repeats itself makes none."""
        return 0 < (frame.ms - self._fresh_ms) % WRAP_MS < WRAP_MS // 2

    def pass_time(self, now_ns: int) -> None:
        """Ask for what is missing, some times; then it is lost."""
        if not self._telling.order.missing:
            self._tries = 0
            return
        waited = older(self._asked_ns, now_ns, RESEND_EVERY_MS)
        if self._tries and not waited:
            return
        if self._tries >= RESEND_TRIES:
            self.out += self._telling.give_up()
            return
        self._tries += 1
        self._asked_ns = now_ns
        self._counts.asked_again += 1
        self.send(messages.Resend(self._telling.order.wanted))

    def _say(self, what: Signal, frame: Frame) -> None:
        self.out.append(Heard(what, Span(frame.offset, len(frame.raw))))

    def _hear_forged(self, frame: Frame) -> None:
        self._counts.forged += 1
        self._forged += 1
        self._say(BytesDamaged(Damage.UNKNOWN_FRAME, len(frame.raw), detail="a wrong tag"), frame)
        if self._forged >= BAD_TAGS:
            self.ended = Why.BAD_TAGS

    def _hear_fresh(self, frame: Frame, now_ns: int) -> None:
        if frame.version != VERSION or frame.type not in LAYOUTS:
            self._hear_unknown(frame)
        elif frame.type in FROM_HOST:
            self._counts.own_bytes += 1
        elif is_event(frame.type):
            self.out += self._telling.hear(frame)
        else:
            self._hear_standing(frame, now_ns)

    def _hear_unknown(self, frame: Frame) -> None:
        if frame.optional:
            self._counts.ignored += 1
        else:
            self.ended = Why.TYPE if frame.version == VERSION else Why.VERSION

    def _hear_standing(self, frame: Frame, now_ns: int) -> None:
        try:
            message = decode(frame.type, frame.payload)
        except PayloadError as error:
            self.out.append(self._telling.unknown(frame, f"type {frame.type:#04x}: {error}"))
            return
        match message:
            case messages.Heartbeat(event, locked, troubled):
                self._telling.anchor.set(frame.ms, now_ns)
                self.standing.locked, self.standing.troubled = locked, troubled
                if not self._telling.order.named(event):
                    self.ended = "the shoe's own count went back", WhyLost.COUNT_BACK
            case messages.Resending(first, last):
                self.out += self._telling.resending(first, last, frame)
            case messages.Capabilities():
                self._introduced = True
                self.standing.capabilities = declared(message, self.hello.level)
                self.ended = self._policy.unfit(message)
            case messages.Answer(command, outcome):
                self._keep_answer(command, outcome)
            case messages.Refused(refusal, _):
                self.ended = f"the shoe ended the session: {refusal.name.lower().replace('_', ' ')}", None

    def _keep_answer(self, command: int, outcome: messages.Outcome) -> None:
        answers = self.standing.answers
        answers[command] = outcome
        while len(answers) > ANSWERS_KEPT:
            del answers[min(answers)]
