"""What is plugged in that a shoe could be, by names that stay theirs: serial devices, USB devices, scanners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from os.path import realpath
from pathlib import Path

from drivers.ports.holders import holders
from drivers.ports.usb_devices import UsbAddress, UsbDevice, serial_lines, text, usb_devices

SYS, DEV = Path("/sys"), Path("/dev")
TOLD = ("idVendor", "idProduct", "serial", "product")
NO_UART = "0"  # what the kernel writes as the type of a serial port that it keeps a place for, with no chip behind


@dataclass(frozen=True, slots=True)
class Plugged:
    """A device; texts are empty where it does not tell. ``vid`` and ``pid`` are four hex digits.

    ``by_id`` and ``by_path`` are written as in a configuration. ``twin`` says that another device has the same vendor,
    product and serial number, or lack of one.
    """

    device: str
    by_id: str = ""
    by_path: str = ""
    vid: str = ""
    pid: str = ""
    serial: str = ""
    product: str = ""
    held_by: tuple[str, ...] = ()
    twin: bool = False

    @property
    def identity(self) -> str:
        """The name for a configuration: by its serial number, by its place where it has none of its own."""
        by_number = self.by_id if self.serial and not self.twin else ""
        return by_number or self.by_path or self.by_id or self.device


def plugged(sys_root: Path = SYS, dev_root: Path = DEV) -> list[Plugged]:
    """Return the devices of this machine: serial ones, then USB devices that are none, then scanners, each by name."""
    found = [
        *(_described(entry, dev_root / entry.name, dev_root / "serial") for entry in _ports(sys_root)),
        *(_usb(device) for device in usb_devices(sys_root) if not serial_lines(device, sys_root)),
        *_scanners(sys_root, dev_root),
    ]
    kinds = Counter((one.vid, one.pid, one.serial) for one in found)
    return [replace(one, twin=bool(one.vid) and kinds[one.vid, one.pid, one.serial] > 1) for one in found]


def _ports(sys_root: Path) -> Iterator[Path]:
    """Yield the entries of sysfs with hardware behind them; consoles and pseudo-terminals have none."""
    folder = sys_root / "class" / "tty"
    for entry in sorted(folder.iterdir()) if folder.is_dir() else ():
        if (entry / "device").exists() and text(entry / "type") != NO_UART:
            yield entry


def _usb(device: UsbDevice) -> Plugged:
    by_id = str(UsbAddress(device.vid, device.pid, serial=device.serial)) if device.serial else ""
    by_path = str(UsbAddress(device.vid, device.pid, socket=device.socket))
    held_by = tuple(holders(device.node))
    return Plugged(device.node, by_id, by_path, device.vid, device.pid, device.serial, device.product, held_by)


def _scanners(sys_root: Path, dev_root: Path) -> Iterator[Plugged]:
    """Yield the keyboards on USB: a scanner looks like one, and only a person knows which is which."""
    folder = sys_root / "class" / "input"
    for entry in sorted(folder.glob("event*")):
        one = _described(entry, dev_root / "input" / entry.name, dev_root / "input", "-event-kbd")
        if one.vid and (one.by_id or one.by_path):
            by_id, by_path = (name and f"wedge:{name}" for name in (one.by_id, one.by_path))
            yield replace(one, by_id=by_id, by_path=by_path)


def _described(entry: Path, node: Path, links: Path, ending: str = "") -> Plugged:
    device = str(node)
    usb = next((above for above in Path(realpath(entry / "device")).parents if (above / "idVendor").is_file()), None)
    plain = Plugged(
        device,
        by_id=_link(links / "by-id", device, ending),
        by_path=_link(links / "by-path", device, ending),
        held_by=tuple(holders(device)),
    )
    if usb is None:
        return plain
    vid, pid, serial, product = (text(usb / name) for name in TOLD)
    return replace(plain, vid=vid, pid=pid, serial=serial, product=product)


def _link(folder: Path, device: str, ending: str) -> str:
    """Return the link in a folder that leads to a device and ends so, empty if none does."""
    links = sorted(folder.iterdir()) if folder.is_dir() else []
    fits = (str(link) for link in links if link.name.endswith(ending) and realpath(link) == realpath(device))
    return next(fits, "")
