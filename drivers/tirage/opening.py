"""The handshake: one question to the shoe, and what may pass for its answer (no I/O)."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from drivers.tirage import messages
from drivers.tirage.channel import Channel, Check
from drivers.tirage.codec import PayloadError, decode, encode
from drivers.tirage.framing import Frame, sealed, signed_part
from drivers.tirage.keys import NONCE_BYTES, derive, session_number
from drivers.tirage.layouts import FROM_HOST, TYPES
from drivers.tirage.messages import VERSION, Hello, Level
from drivers.tirage.ordering import Memory
from drivers.tirage.policy import Policy, Why


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
        if memory is not None and memory.device != hello.device:
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
