"""The host's side of the tirage protocol: handshake, events in order, link truth (no I/O, no clock)."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from controller.core.signals import BytesDamaged, Capabilities, Damage, LinkLost, LinkOpened, PoweredUp, Signal
from drivers.angel_eye.session import Span
from drivers.tirage import messages
from drivers.tirage.cards import Count, Verdict
from drivers.tirage.channel import Channel, Check
from drivers.tirage.clock import Anchor
from drivers.tirage.codec import PayloadError, decode, encode
from drivers.tirage.declared import CAPABILITIES, declared
from drivers.tirage.framing import BadFrame, Frame, Framing, Noise, Piece, sealed, signed_part
from drivers.tirage.keys import NONCE_BYTES, derive, session_number
from drivers.tirage.layouts import FROM_HOST, LAYOUTS
from drivers.tirage.messages import BAD_TAGS, FROM_NOW, VERSION, Hello, Level, Message
from drivers.tirage.ordering import Event, Memory, Missing, Ordered, Ordering, Restarted, is_event
from drivers.tirage.policy import Policy, Why
from drivers.tirage.quality import Quality, Rate
from drivers.tirage.translating import signal

NS_PER_MS = 1_000_000
SILENCE_TIMEOUT_MS = 1000
OPEN_EVERY_MS = 500
NO_PROTOCOL_MS = 2000
RESEND_EVERY_MS = 300
RESEND_TRIES = 3
PARTIAL_FRAME_MS = 100  # the longest frame takes 11 ms at 115200 baud
ANSWERS_KEPT = 16
DETAIL_BYTES = 48


class State(Enum):
    """Where the session stands. Only LIVE is live."""

    CLOSED = "the port is not open"
    OPENING = "asking for a session"
    STARTING = "catching up"
    LIVE = "live"
    REFUSED = "refused"


class Heard(NamedTuple):
    """One thing the shoe said, or one thing wrong with its bytes, and where it stands in the stream.

    ``at_ns`` is the host's monotonic time when it happened at the shoe, None where the shoe's clock is not known.
    """

    signal: Signal
    span: Span
    at_ns: int | None = None


@dataclass(slots=True)
class Counts:
    """Figures of a session."""

    frames: int = 0
    events: int = 0
    noise_bytes: int = 0
    bad_checksums: int = 0
    stale: int = 0
    repeated: int = 0
    forged: int = 0
    ignored: int = 0
    unknown: int = 0
    doubled_cards: int = 0
    gaps: int = 0
    missing: int = 0
    asked_again: int = 0
    own_bytes: int = 0
    sessions: int = 0
