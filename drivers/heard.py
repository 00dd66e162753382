"""What every driver's session has in common: what is heard, where it stands, and what is counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from controller.core.signals import Signal

DETAIL_BYTES = 48  # as many damaged bytes are quoted for surveillance


class Span(NamedTuple):
    """Where bytes lie in the stream: offset from the first byte ever fed, and how many."""

    offset: int
    length: int


class Heard(NamedTuple):
    """One thing the shoe said, or one thing wrong with its bytes, and where it stands in the stream.

    ``at_ns`` is the host's monotonic time when it happened at the shoe, None where the shoe's clock is not known.
    ``mark`` is the driver's own note of where the shoe then stands, by which it is asked to go on after a restart.
    """

    signal: Signal
    span: Span
    at_ns: int | None = None
    mark: str = ""


class Counts(Protocol):
    """Figures that every session keeps. A frame is what the protocol sends as one piece, an event what it says."""

    frames: int
    events: int
    noise_bytes: int
    bad_checksums: int
    gaps: int
    missing: int


class Session(Protocol):
    """What one shoe says, from its bytes, without I/O."""

    @property
    def counts(self) -> Counts:
        """The figures so far."""
        ...

    @property
    def held_bytes(self) -> int:
        """Bytes kept until more arrive; bounded whatever is fed."""
        ...

    def feed(self, data: bytes) -> Sequence[Heard]:
        """Take the next bytes, in chunks of any size, and return what is now certain."""
        ...

    def flush(self) -> Sequence[Heard]:
        """Settle what is pending: the input ended, the line fell silent or the port was lost."""
        ...

    def end(self) -> Sequence[Heard]:
        """Settle what is pending as nothing follows: what was missing until now is lost."""
        ...


def quoted(raw: bytes, size: int | None = None) -> str:
    """Return bytes in hex for surveillance, the long ones cut; ``size`` is how many there were.

    >>> quoted(bytes(2)), quoted(bytes(2), 5)
    ('00 00', '00 00 and 3 bytes more')
    """
    shown = raw[:DETAIL_BYTES]
    more = (size or len(raw)) - len(shown)
    return shown.hex(" ") + (f" and {more} bytes more" if more else "")
