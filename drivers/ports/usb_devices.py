"""Which USB devices are plugged in that a shoe could be, and which of them a configuration means. Nothing is opened."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from os.path import realpath
from pathlib import Path

from drivers.ports.events import PortLostError
from drivers.ports.usb_descriptors import Pipe, pipe_of

SYS = Path("/sys")
# Four hex digits each; then a serial number, or @ and the socket as the kernel counts them from the root hub: 1-1.4
_ADDRESS = re.compile(
    r"usb:(?P<vid>[0-9A-Fa-f]{4}):(?P<pid>[0-9A-Fa-f]{4})(?::(?P<serial>[!-~]{1,126})|@(?P<socket>\d+-\d+(?:\.\d+)*))?"
)
_SOCKET = re.compile(r"\d+-\d+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class UsbAddress:
    """A USB device as a configuration names it: by its serial number, by its socket, or as the only one of its kind."""

    vid: str
    pid: str
    serial: str = ""
    socket: str = ""

    def __str__(self) -> str:
        return f"usb:{self.vid}:{self.pid}" + (self.serial and f":{self.serial}") + (self.socket and f"@{self.socket}")


@dataclass(frozen=True, slots=True)
class UsbDevice:
    """A device that is plugged in; ``bus`` and ``number`` change at each plugging, ``socket`` does not."""

    socket: str
    bus: int
    number: int
    pipe: Pipe
    vid: str
    pid: str
    serial: str
    product: str

    @property
    def node(self) -> str:
        """The file that the kernel serves it by."""
        return f"/dev/bus/usb/{self.bus:03}/{self.number:03}"


def usb_address(text: str) -> UsbAddress:
    """Read `usb:VID:PID`, `usb:VID:PID:SERIAL` or `usb:VID:PID@SOCKET`. Raises ValueError.

    >>> usb_address("usb:1209:0001:SHOE7").serial
    'SHOE7'
    """
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return UsbAddress(found["vid"].lower(), found["pid"].lower(), found["serial"] or "", found["socket"] or "")


def usb_devices(sys_root: Path = SYS) -> list[UsbDevice]:
    """Return the devices that have a pair of bulk endpoints, in the order of their sockets."""
    folder = sys_root / "bus" / "usb" / "devices"
    entries = sorted(entry for entry in _entries(folder) if _SOCKET.fullmatch(entry.name))
    return [device for entry in entries if (device := _device(entry)) is not None]


def _entries(folder: Path) -> Iterable[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return ()


def _device(entry: Path) -> UsbDevice | None:
    """Return a device, None for one that is none for us or that was pulled meanwhile."""
    try:
        bus, number = int(text(entry / "busnum")), int(text(entry / "devnum"))
        pipe = pipe_of((entry / "descriptors").read_bytes())
    except (OSError, ValueError):
        return None
    if pipe is None:
        return None
    told = (text(entry / name) for name in ("idVendor", "idProduct", "serial", "product"))
    return UsbDevice(entry.name, bus, number, pipe, *told)


def text(path: Path) -> str:
    """Return what a file of sysfs says, empty if it is not there."""
    try:
        return os.fsdecode(path.read_bytes()).strip()
    except OSError:
        return ""


def meant(wanted: UsbAddress, found: Iterable[UsbDevice]) -> UsbDevice:
    """Return the one device that an address means. Raises PortLostError if it is not there, or if several could be."""
    fits = fitting(wanted, found)
    if not fits:
        raise PortLostError(f"{wanted} is not there: check the cable, and that the shoe has power")
    if len(fits) == 1:
        return fits[0]
    remedy = " or ".join(f"usb:{wanted.vid}:{wanted.pid}{name}" for name in names(fits))
    raise PortLostError(f"{wanted} could be {len(fits)} devices: name one, {remedy}")


def fitting(wanted: UsbAddress, found: Iterable[UsbDevice]) -> list[UsbDevice]:
    """Return the devices that an address could mean."""
    return [
        device
        for device in found
        if (wanted.vid, wanted.pid) == (device.vid, device.pid)
        and wanted.serial in ("", device.serial)
        and wanted.socket in ("", device.socket)
    ]


def names(devices: Iterable[UsbDevice]) -> Iterator[str]:
    """Yield what to write behind vendor and product: the serial number, the socket where that is not one's own."""
    listed = list(devices)
    for device in listed:
        own = device.serial and sum(device.serial == other.serial for other in listed) == 1
        writable = own and re.fullmatch(r"[!-~]{1,126}", device.serial)
        yield f":{device.serial}" if writable else f"@{device.socket}"


def serial_lines(device: UsbDevice, sys_root: Path = SYS) -> list[str]:
    """Return the names under which the kernel serves a device as a serial line, such as ttyACM0."""
    place = realpath(sys_root / "bus" / "usb" / "devices" / device.socket)
    ttys = sys_root / "class" / "tty"
    return sorted(entry.name for entry in _entries(ttys) if realpath(entry).startswith(f"{place}/"))
