"""A session and a hand-written shoe at the two ends of a line, in a time that the test owns."""

from __future__ import annotations

import hashlib

from controller.core.signals import BytesDamaged, CardDrawn, LinkLost, LinkOpened
from drivers.tirage import Memory, Policy, Session
from tests.protocol.wire import RESEND, Shoe, parsed

NS_PER_MS = 1_000_000
START_MS = 5_000_000  # of the host's clock
BEAT_MS = 250


class Nonces:
    """Nonces that are all different and always the same."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, size: int) -> bytes:
        self.count += 1
        return hashlib.sha256(b"host %d" % self.count).digest()[:size]


class Line:
    """The host's session, what it heard, and the shoe."""

    def __init__(self, shoe: Shoe | None = None, policy: Policy | None = None, memory: Memory | None = None) -> None:
        self.shoe = shoe or Shoe()
        self.session = Session(policy, memory, Nonces())
        self.now_ms = START_MS
        self.heard = []

    @property
    def now_ns(self) -> int:
        return self.now_ms * NS_PER_MS

    def open(self) -> bytes:
        """Open the port and return what the host asks."""
        self.heard += self.session.opened(self.now_ns)
        return self.session.outgoing()

    def greet(self) -> None:
        """Open the port and let the shoe say hello."""
        self.feed(self.shoe.hello(self.open()))

    def connect(self) -> Line:
        """Open the port and go through the whole handshake."""
        self.greet()
        self.feed(self.shoe.started(self.session.outgoing()))
        return self

    def feed(self, data: bytes) -> list:
        """Let bytes come from the shoe; return the signals."""
        heard = self.session.feed(data, self.now_ns)
        self.heard += heard
        return [item.signal for item in heard]

    def wait(self, ms: int, *, silent: bool = False) -> list:
        """Let time pass in steps of 50 ms, with the shoe's heartbeats; return the signals."""
        before = len(self.heard)
        for passed in range(50, ms + 1, 50):
            self.now_ms += 50
            self.shoe.ms += 50
            if not silent and passed % BEAT_MS == 0:
                self.feed(self.shoe.heartbeat())
            self.heard += self.session.tick(self.now_ns)
        return self.signals[before:]

    def answer(self) -> list:
        """Let the shoe answer what the host asks again; return the signals."""
        out = []
        for kind, _, _, _, payload in parsed(self.session.outgoing()):
            assert kind == RESEND
            out += self.feed(self.shoe.resent(payload))
        return out

    @property
    def signals(self) -> list:
        return [item.signal for item in self.heard]

    @property
    def cards(self) -> list[str]:
        return [str(signal.card) for signal in self.signals if isinstance(signal, CardDrawn)]

    @property
    def damage(self) -> list[tuple[str, int, int]]:
        return [(s.damage.value, s.size, s.lost) for s in self.signals if isinstance(s, BytesDamaged)]

    @property
    def details(self) -> str:
        return " | ".join(s.detail for s in self.signals if isinstance(s, BytesDamaged))

    @property
    def link(self) -> list[str]:
        return [
            s.identity if isinstance(s, LinkOpened) else s.reason
            for s in self.signals
            if isinstance(s, LinkOpened | LinkLost)
        ]
