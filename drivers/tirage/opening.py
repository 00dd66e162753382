"""The handshake: one question to the shoe, and what may pass for its answer (no I/O)."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from drivers.tirage import messages
from drivers.tirage.channel import Channel, Check
from drivers.tirage.codec import PayloadError, decode, encode
from drivers.tirage.framing import Frame, sealed, signed_part
from drivers.tirage.hearing import Counts
from drivers.tirage.incoming import older
from drivers.tirage.keys import NONCE_BYTES, derive, session_number
from drivers.tirage.layouts import FROM_HOST, TYPES
from drivers.tirage.messages import BAD_TAGS, VERSION, Hello, Level
from drivers.tirage.ordering import Memory
from drivers.tirage.policy import Policy, Why

OPEN_EVERY_MS = 500
NO_PROTOCOL_MS = 2000


class Passed(Enum):
    """Why a frame is no answer."""

    OLD = "of an older session, or an answer to an older question"
    OURS = "our own, come back"
    FORGED = "its tag is wrong"
    SHOE_REFUSES = "the shoe refuses this level, and says so without proof"


class Opening:
    """One question with a nonce of its own."""

    def __init__(self, policy: Policy, nonce: Callable[[int], bytes]) -> None:
        self._policy = policy
        self._nonce = nonce(NONCE_BYTES)
        type_, payload = encode(messages.Open(self._nonce, policy.wanted))
        self.request = sealed(signed_part(type_, 0, 0, 0, 0, 0, payload))

    def hear(self, frame: Frame, memory: Memory | None) -> Passed | Why | tuple[Hello, Channel]:
        """Judge a frame that came before there is a session."""
        if frame.type == TYPES[Hello]:
            return Why.VERSION if frame.version != VERSION else self._hear_hello(frame, memory)
        if frame.type == TYPES[messages.Refused] and not frame.session:
            return Passed.SHOE_REFUSES
        return Passed.OURS if frame.type in FROM_HOST else Passed.OLD

    def _hear_hello(self, frame: Frame, memory: Memory | None) -> Passed | Why | tuple[Hello, Channel]:
        try:
            hello = decode(frame.type, frame.payload)
        except PayloadError:
            return Passed.OLD
        assert isinstance(hello, Hello)  # noqa: S101 - its type was looked at
        if not self._asked_by(hello.echo) or frame.session != session_number(hello.echo, hello.nonce):
            return Passed.OLD
        if memory is not None and memory.device != hello.device and not self._policy.changes_shoe:
            return Why.OTHER_SHOE
        return self._policy.refusal(hello) or self._checked(hello, frame)

    def _asked_by(self, echo: bytes) -> bool:
        return echo == self._nonce

    def _checked(self, hello: Hello, frame: Frame) -> Passed | tuple[Hello, Channel]:
        keys = None
        if hello.level is Level.AUTHENTIC:
            key = self._policy.keys[hello.device]
            keys = derive(key, hello.echo, hello.nonce, hello.device, self._policy.wanted)
        channel = Channel(frame.session, keys)
        return (hello, channel) if channel.check(frame) is Check.FRESH else Passed.FORGED


class Listening(Opening):
    """No question: another host's, or that of a recording, is taken from the shoe's answer."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy, bytes)
        self.request = b""

    def _asked_by(self, echo: bytes) -> bool:
        del echo
        return True


class Asking:
    """Asks for a session again and again, with a new nonce each time, until a shoe answers."""

    def __init__(self, policy: Policy, nonce: Callable[[int], bytes], counts: Counts) -> None:
        self.mute = False  # whether another host asks
        self._policy = policy
        self._nonce = nonce
        self._counts = counts
        self._opening: Opening | None = None
        self._asked_ns = self._since_ns = 0
        self._forged = 0

    def begin(self, now_ns: int) -> bytes:
        """Return the first question."""
        self._forged = 0
        self._since_ns = now_ns
        return self._ask(now_ns)

    def end(self) -> None:
        """Take no answer any more."""
        self._opening = None

    def again(self, now_ns: int) -> bytes:
        """Return the next question if it is due, else nothing."""
        return self._ask(now_ns) if older(self._asked_ns, now_ns, OPEN_EVERY_MS) else b""

    def in_vain(self, now_ns: int) -> bool:
        """Tell whether a shoe would have answered by now."""
        return older(self._since_ns, now_ns, NO_PROTOCOL_MS)

    def hear(self, frame: Frame, memory: Memory | None) -> Passed | Why | tuple[Hello, Channel]:
        """Judge a frame that came before there is a session; too many answers with a wrong tag are a refusal."""
        answer = self._opening.hear(frame, memory) if self._opening else Passed.OLD
        self._forged += answer is Passed.FORGED
        self._counts.stale += answer is Passed.OLD
        self._counts.own_bytes += answer is Passed.OURS
        self._counts.forged += answer is Passed.FORGED
        return Why.BAD_TAGS if self._forged >= BAD_TAGS else answer

    def _ask(self, now_ns: int) -> bytes:
        self._asked_ns = now_ns
        self._opening = Listening(self._policy) if self.mute else Opening(self._policy, self._nonce)
        return self._opening.request
