"""How a port is written in a configuration, and the link that reads it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import partial
from os.path import realpath

from drivers.ports.reopening import Link, serial_link
from drivers.ports.tap import Tap
from drivers.ports.tcp import rfc2217_port, tcp_port

LAST_PORT = 65_535
_NETWORK = re.compile(
    r"(?P<kind>socket|rfc2217)://(?:\[(?P<six>[0-9a-fA-F:.]+)\]|(?P<host>[A-Za-z0-9.-]+)):(?P<port>\d{1,5})"
)
_TAP = re.compile(r"tap:(?P<path>/[^\x00]+)")
_DEVICE = re.compile(r"/[^\x00]+")


class PortKind(Enum):
    """What stands at the other side of a port."""

    DEVICE = "device"
    SOCKET = "socket"
    RFC2217 = "rfc2217"
    TAP = "tap"


@dataclass(frozen=True, slots=True)
class PortAddress:
    """A port as it was written: a path (device, tap), or host and port number (socket, rfc2217)."""

    kind: PortKind
    path: str = ""
    host: str = ""
    number: int = 0

    @property
    def on_network(self) -> bool:
        """Whether it is a serial server."""
        return self.kind in (PortKind.SOCKET, PortKind.RFC2217)

    @property
    def device(self) -> str:
        """The same text for the same line, however it was written."""
        return f"{self.host.lower()}:{self.number}" if self.on_network else realpath(self.path)


def port_address(text: str) -> PortAddress:
    """Read `/dev/...`, `socket://host:port`, `rfc2217://host:port` or `tap:/path/file`. Raises ValueError.

    >>> port_address("socket://moxa.pit:4001").number
    4001
    """
    if found := _NETWORK.fullmatch(text):
        number = int(found["port"])
        if 0 < number <= LAST_PORT:
            return PortAddress(PortKind(found["kind"]), host=found["six"] or found["host"], number=number)
    elif found := _TAP.fullmatch(text):
        return PortAddress(PortKind.TAP, path=found["path"])
    elif _DEVICE.fullmatch(text):
        return PortAddress(PortKind.DEVICE, path=text)
    raise ValueError(text)


def link_to(port: str, baud: int) -> Link:
    """Return a link to a port, opened when its events are asked for. Raises ValueError."""
    at = port_address(port)
    match at.kind:
        case PortKind.SOCKET:
            return Link(partial(tcp_port, at.host, at.number))
        case PortKind.RFC2217:
            return Link(partial(rfc2217_port, at.host, at.number, baud))
        case PortKind.TAP:
            return Link(Tap(at.path).open)
        case _:
            return serial_link(at.path, baud)
