"""How a port is written in a configuration, and the link that reads it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import partial
from ipaddress import IPv6Address
from os.path import realpath
from pathlib import Path

from drivers.ports.hotplug import watching
from drivers.ports.reopening import Link, serial_link
from drivers.ports.tap import Tap
from drivers.ports.tcp import network_host, rfc2217_port, tcp_port
from drivers.ports.usb_devices import UsbAddress, fitting, usb_address, usb_devices
from drivers.ports.wedge import WedgePort

# As people are told how a port is written.
PORTS = (
    "the whole path of a serial device, socket://host:port, rfc2217://host:port, tap:/path/file, "
    "wedge:/dev/input/... or usb:VID:PID:SERIAL"
)
LAST_PORT = 65_535
USB_LONGEST_WAIT_S = 1.0  # where udev cannot tell of a plug, a shoe is still usable two seconds after it
_NETWORK = re.compile(
    r"(?P<kind>socket|rfc2217)://(?:\[(?P<six>[0-9a-fA-F:.]+(?:%[\w.-]+)?)\]|(?P<host>[A-Za-z0-9.-]+)):(?P<port>\d{1,5})"
)
_BARE = re.compile(r"(?P<kind>socket|rfc2217|tcp)://(?P<host>\[[^\]]*\]|[^/\[\]]*?)(?::(?P<port>\d{1,5}))?")
EXAMPLE_PORT = "4001"
_FILE = re.compile(r"(?:(?P<kind>tap|wedge):)?(?P<path>/[^\x00]+)")


class MisspeltPortError(ValueError):
    """A port written wrongly in a way that tells what was meant: ``meant`` is how that is written."""

    def __init__(self, text: str, meant: str) -> None:
        super().__init__(text)
        self.meant = meant


class PortKind(Enum):
    """What stands at the other side of a port."""

    DEVICE = "device"
    SOCKET = "socket"
    RFC2217 = "rfc2217"
    TAP = "tap"
    USB = "usb"
    WEDGE = "wedge"


@dataclass(frozen=True, slots=True)
class PortAddress:
    """A port as it was written: a path (device, tap, wedge), host and port number (socket, rfc2217) or a USB device."""

    kind: PortKind
    path: str = ""
    host: str = ""
    number: int = 0
    usb: UsbAddress | None = None

    @property
    def on_network(self) -> bool:
        """Whether it is a serial server."""
        return self.kind in (PortKind.SOCKET, PortKind.RFC2217)

    @property
    def device(self) -> str:
        """The same text for the same line, however it was written."""
        if self.usb is not None:
            return str(self.usb)
        return f"{self.host.lower()}:{self.number}" if self.on_network else realpath(self.path)

    @property
    def there(self) -> bool | None:
        """Whether a device or file is there now; None for a serial server, which is not asked."""
        if self.usb is not None:
            return bool(fitting(self.usb, usb_devices()))
        return None if self.on_network else Path(self.path).exists()


def port_address(text: str) -> PortAddress:
    """Read a port: a path such as `/dev/...`, or what PORTS says.

    Raises ValueError, MisspeltPortError where the right spelling is plain: IPv6 in brackets, socket:// for tcp://.

    >>> port_address("socket://moxa.pit:4001").number
    4001
    """
    if text.startswith("usb:"):
        return PortAddress(PortKind.USB, usb=usb_address(text))
    if found := _NETWORK.fullmatch(text):
        number = int(found["port"])
        if 0 < number <= LAST_PORT and (found["six"] is None or _is_six(found["six"])):
            return PortAddress(PortKind(found["kind"]), host=found["six"] or found["host"], number=number)
    elif found := _FILE.fullmatch(text):
        return PortAddress(PortKind(found["kind"] or "device"), path=found["path"])
    raise MisspeltPortError(text, meant) if (meant := _meant(text)) else ValueError(text)


def _meant(text: str) -> str:
    """Return how a serial server's address was meant to be written, empty where that is not plain.

    >>> _meant("rfc2217://fe80::1:4001"), _meant("tcp://moxa.pit:4001"), _meant("socket://::1")
    ('rfc2217://[fe80::1]:4001', 'socket://moxa.pit:4001', 'socket://[::1]:4001')
    """
    found = _BARE.fullmatch(text)
    if found is None:
        return ""
    host, port = found["host"].strip("[]"), found["port"]
    if not _is_six(host) and port and _is_six(f"{host}:{port}"):  # the last group was no port
        host, port = f"{host}:{port}", None
    kind = "socket" if found["kind"] == "tcp" else found["kind"]
    meant = f"{kind}://{network_host(host)}:{port or EXAMPLE_PORT}"
    return meant if meant != text and _NETWORK.fullmatch(meant) and (":" not in host or _is_six(host)) else ""


def _is_six(host: str) -> bool:
    try:
        IPv6Address(host)
    except ValueError:
        return False
    return True


def link_to(port: str, baud: int) -> Link:
    """Return a link to a port, opened when its events are asked for. Raises ValueError."""
    match port_address(port):
        case PortAddress(PortKind.SOCKET, host=host, number=number):
            return Link(partial(tcp_port, host, number))
        case PortAddress(PortKind.RFC2217, host=host, number=number):
            return Link(partial(rfc2217_port, host, number, baud))
        case PortAddress(PortKind.TAP, path):
            return Link(Tap(path).open)
        case PortAddress(PortKind.WEDGE, path):
            return Link(partial(WedgePort, path), watch=partial(watching, "input"))
        case PortAddress(usb=UsbAddress() as wanted):
            return _usb_link(wanted, baud)
        case at:
            return serial_link(at.path, baud)


def _usb_link(wanted: UsbAddress, baud: int) -> Link:
    from drivers.ports.usb import usb_port  # only where it is used: it loads libusb's bindings

    return Link(partial(usb_port, wanted, baud), watch=partial(watching, "usb"), longest_wait_s=USB_LONGEST_WAIT_S)
