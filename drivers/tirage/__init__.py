"""The tirage shoe protocol, the host's side: framing, codec and session, without I/O (firmware-protocol/SPEC.md)."""

from drivers.heard import Heard, Span
from drivers.tirage.declared import CAPABILITIES
from drivers.tirage.hearing import Counts, State
from drivers.tirage.live import LiveShoe
from drivers.tirage.messages import Level
from drivers.tirage.ordering import Memory
from drivers.tirage.policy import Policy, Why
from drivers.tirage.recording import Recording
from drivers.tirage.session import NotLiveError, Session

BAUD = 115_200

__all__ = [
    "BAUD",
    "CAPABILITIES",
    "Counts",
    "Heard",
    "Level",
    "LiveShoe",
    "Memory",
    "NotLiveError",
    "Policy",
    "Recording",
    "Session",
    "Span",
    "State",
    "Why",
]
