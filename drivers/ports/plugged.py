"""Which serial devices are plugged in, by names that stay theirs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from os.path import realpath
from pathlib import Path

from drivers.ports.holders import holders

SYS, DEV = Path("/sys"), Path("/dev")
NO_UART = "0"  # what the kernel writes as the type of a serial port that it keeps a place for, with no chip behind


@dataclass(frozen=True, slots=True)
class Plugged:
    """A serial device; texts are empty where it does not tell. ``vid`` and ``pid`` are four hex digits.

    ``twin`` says that another device has the same vendor, product and serial number, or lack of one.
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
    """Return the serial devices of this machine in the order of their names."""
    found = [_described(entry, dev_root) for entry in _ports(sys_root)]
    kinds = Counter((one.vid, one.pid, one.serial) for one in found)
    return [replace(one, twin=bool(one.vid) and kinds[one.vid, one.pid, one.serial] > 1) for one in found]


def _ports(sys_root: Path) -> Iterator[Path]:
    """Yield the entries of sysfs with hardware behind them; consoles and pseudo-terminals have none."""
    folder = sys_root / "class" / "tty"
    for entry in sorted(folder.iterdir()) if folder.is_dir() else ():
        if (entry / "device").exists() and _text(entry / "type") != NO_UART:
            yield entry


def _described(entry: Path, dev_root: Path) -> Plugged:
    device = str(dev_root / entry.name)
    usb = next((above for above in Path(realpath(entry / "device")).parents if (above / "idVendor").is_file()), None)
    plain = Plugged(
        device,
        by_id=_link(dev_root / "serial" / "by-id", device),
        by_path=_link(dev_root / "serial" / "by-path", device),
        held_by=tuple(holders(device)),
    )
    if usb is None:
        return plain
    return replace(
        plain,
        vid=_text(usb / "idVendor"),
        pid=_text(usb / "idProduct"),
        serial=_text(usb / "serial"),
        product=_text(usb / "product"),
    )


def _link(folder: Path, device: str) -> str:
    """Return the link in a folder that leads to a device, empty if none does."""
    links = sorted(folder.iterdir()) if folder.is_dir() else []
    return next((str(link) for link in links if realpath(link) == realpath(device)), "")


def _text(path: Path) -> str:
    try:
        return os.fsdecode(path.read_bytes()).strip()
    except OSError:
        return ""
