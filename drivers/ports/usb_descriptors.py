"""Where the bytes come out of a USB device, told by its descriptors (no I/O).

Nothing goes by number: a controller may number the endpoints of a device anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

# USB 2.0 section 9.6: the first bytes of a descriptor are its length and its type.
CONFIGURATION, INTERFACE, ENDPOINT = 2, 4, 5
LENGTHS = {CONFIGURATION: 9, INTERFACE: 9, ENDPOINT: 7}  # bytes that such a descriptor has at least
VENDOR_SPECIFIC, CDC, CDC_DATA = 0xFF, 0x02, 0x0A  # interface classes
CLASSES = (VENDOR_SPECIFIC, CDC_DATA)  # whose bulk endpoints carry the bytes of a shoe
ACM = 0x02  # the subclass of an interface that sets the speed of a serial line
BULK, KIND = 0x02, 0x03
INWARD = 0x80
PACKET_BITS = 0x07FF


@dataclass(frozen=True, slots=True)
class Pipe:
    """A pair of bulk endpoints. ``line`` is the interface that sets the speed of a CDC-ACM line, None without one."""

    configuration: int
    interface: int
    inward: int
    outward: int
    packet_bytes: int
    line: int | None = None


@dataclass(slots=True)
class _Interface:
    number: int
    kind: int
    inward: int = 0
    outward: int = 0
    packet_bytes: int = 0

    @property
    def whole(self) -> bool:
        return self.kind in CLASSES and bool(self.inward and self.outward and self.packet_bytes)


def pipe_of(descriptors: bytes) -> Pipe | None:
    """Return the first pipe of a device, from all its descriptors as the kernel gives them; None if it has none.

    Alternate settings are left out: a device that has its endpoints there does not talk unasked.
    """
    configuration = 0
    line: int | None = None
    at: _Interface | None = None
    for kind, body in _pieces(descriptors):
        if kind == ENDPOINT and at is not None:
            _add(at, body)
            if at.whole:
                lines = line if at.kind == CDC_DATA else None
                return Pipe(configuration, at.number, at.inward, at.outward, at.packet_bytes, lines)
        elif kind == CONFIGURATION:
            configuration, line, at = body[5], None, None
        elif kind == INTERFACE:
            number, alternate, _, class_, subclass = body[2:7]
            at = None if alternate else _Interface(number, class_)
            if (class_, subclass) == (CDC, ACM):
                line = number
    return None


def _add(interface: _Interface, body: bytes) -> None:
    address, attributes = body[2], body[3]
    if attributes & KIND != BULK:
        return
    if address & INWARD:
        interface.inward = interface.inward or address
        interface.packet_bytes = interface.packet_bytes or int.from_bytes(body[4:6], "little") & PACKET_BITS
    else:
        interface.outward = interface.outward or address


def _pieces(descriptors: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield type and bytes of each descriptor; ends at the first that cannot be one."""
    at = 0
    while at + 2 <= len(descriptors):
        length, kind = descriptors[at], descriptors[at + 1]
        body = descriptors[at : at + length]
        if length < LENGTHS.get(kind, 2) or len(body) < length:
            return
        yield kind, body
        at += length
