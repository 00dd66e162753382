"""Being told that something was plugged in, so that a lost device is opened again at once and not at the next try."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def watching(subsystem: str, plugged: Callable[[], None]) -> Iterator[None]:
    """Call ``plugged`` in this loop when udev has set up a device of this subsystem, such as "usb" or "tty".

    Where udev or netlink is missing nobody calls: the tries of the link itself find the device then.
    """
    monitor = _monitor(subsystem)
    if monitor is None:
        yield
        return

    def look() -> None:
        came = [device.action for device in iter(lambda: monitor.poll(0), None)]
        if "add" in came:
            plugged()

    loop, number = asyncio.get_running_loop(), monitor.fileno()
    loop.add_reader(number, look)
    try:
        yield
    finally:
        loop.remove_reader(number)


def _monitor(subsystem: str) -> Any:
    try:
        import pyudev

        monitor = pyudev.Monitor.from_netlink(pyudev.Context())
        monitor.filter_by(subsystem)
        monitor.start()
    except (ImportError, OSError):  # no libudev, no netlink
        return None
    return monitor
