"""The tirage shoe protocol, the host's side: framing, codec and session, without I/O (firmware-protocol/SPEC.md)."""

from drivers.tirage.declared import CAPABILITIES
from drivers.tirage.hearing import Counts, Heard, Span, State
from drivers.tirage.messages import Level
from drivers.tirage.ordering import Memory
from drivers.tirage.policy import Policy, Why
from drivers.tirage.session import NotLiveError, Session

BAUD = 115_200

__all__ = [
    "BAUD",
    "CAPABILITIES",
    "Counts",
    "Heard",
    "Level",
    "Memory",
    "NotLiveError",
    "Policy",
    "Session",
    "Span",
    "State",
    "Why",
]
