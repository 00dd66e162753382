"""What a port has to say, whatever kind of port it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class PortOpened:
    """The port is open and being read; ``identity`` is the stable name of the device."""

    identity: str


@dataclass(frozen=True, slots=True)
class PortBytes:
    """Bytes of one read, never empty."""

    data: bytes


@dataclass(frozen=True, slots=True)
class PortLost:
    """The port is gone or could not be opened; ``reason`` is a sentence for the technician."""

    reason: str


PortEvent = PortOpened | PortBytes | PortLost


class PortLostError(Exception):
    """The one thing that a port raises; its text is the reason, a sentence for the technician."""

    @property
    def reason(self) -> str:
        """The sentence."""
        return str(self)


class Port(Protocol):
    """An open port that can be waited for by its file descriptor."""

    identity: str

    @property
    def sends(self) -> bool:
        """Whether the device takes bytes; False where it is only listened to."""
        ...

    def fileno(self) -> int: ...

    def read(self) -> bytes:
        """Return what is there, b"" if nothing is; raises PortLostError."""
        ...

    def write(self, data: bytes) -> int:
        """Give bytes to the device without waiting and return how many it took; raises PortLostError."""
        ...

    def close(self) -> None:
        """Let go of the device at once; may be called again."""
        ...
