"""A shoe on USB that is no serial line: its bulk endpoints, read and written by libusb in threads."""

from __future__ import annotations

import contextlib
import errno
import logging
from collections.abc import Callable
from enum import Enum
from functools import cache, partial
from typing import Any

import usb.backend.libusb1
import usb.core
import usb.util

from drivers.ports.events import PortLostError
from drivers.ports.feeding import FedPort, Opened, Reads, fed_port
from drivers.ports.holders import holders
from drivers.ports.usb_descriptors import Pipe
from drivers.ports.usb_devices import UsbAddress, UsbDevice, meant, usb_devices

POLL_MS = 200  # so long one read waits, and so long closing takes at most
SEND_MS = 1000  # a shoe takes a frame at once
MOST_STALLS = 3  # in a row: clearing that does not help is no cure
GONE = frozenset({errno.EIO, errno.ENODEV, errno.EPROTO, errno.ESHUTDOWN})  # one unplugging, told in four ways
# CDC 1.2 (PSTN) section 6.3.10: a class request to the interface; 8 data bits, no parity, one stop bit.
SET_LINE_CODING, TO_INTERFACE, EIGHT_NONE_ONE = 0x20, 0x21, bytes((0, 0, 8))


class Verdict(Enum):
    """What an error of a read is."""

    QUIET = "nothing came"
    STALLED = "the endpoint stopped"
    LOST = "the device is lost"


VERDICTS = {errno.ETIMEDOUT: Verdict.QUIET, errno.EINTR: Verdict.QUIET, errno.EPIPE: Verdict.STALLED}


def verdict(error: usb.core.USBError) -> Verdict:
    """Return what an error is; whatever is not known is a loss, with or without a number."""
    return VERDICTS.get(error.errno, Verdict.LOST)


async def usb_port(wanted: UsbAddress, baud: int) -> FedPort:
    """Open the device that an address means; ``baud`` is set where it has a serial line. Raises PortLostError."""
    return await fed_port(str(wanted), partial(_reads, wanted, baud))


def _reads(wanted: UsbAddress, baud: int, stopped: Callable[[], bool]) -> Reads:
    device = meant(wanted, usb_devices())
    handle, detached = _found(wanted, device), list[int]()
    try:
        _claim(wanted, device, handle, detached)
        _set_speed(device.pipe, handle, baud)
        yield Opened(partial(_send, wanted, device.pipe, handle))
        yield from _bulk(wanted, device.pipe, handle, stopped)
    finally:
        _let_go(device.pipe, handle, detached)


def _bulk(wanted: UsbAddress, pipe: Pipe, handle: Any, stopped: Callable[[], bool]) -> Reads:
    """Yield packets, one a read so that each is seen as it comes. A stall is cleared, a few times in a row."""
    stalls = 0
    while not stopped():
        try:
            data = handle.read(pipe.inward, pipe.packet_bytes, POLL_MS).tobytes()
        except usb.core.USBError as error:
            match verdict(error):
                case Verdict.QUIET:
                    yield b""
                case Verdict.STALLED if stalls < MOST_STALLS:
                    stalls += 1
                    _clear(wanted, pipe, handle)
                case Verdict.STALLED:
                    raise PortLostError(f"{wanted} stalls again and again: unplug the shoe and plug it in") from error
                case Verdict.LOST:
                    raise PortLostError(_why_lost(wanted, error)) from error
        else:
            stalls = 0
            yield data


def _send(wanted: UsbAddress, pipe: Pipe, handle: Any, data: bytes) -> None:
    try:
        handle.write(pipe.outward, data, SEND_MS)
    except usb.core.USBError as error:
        if error.errno == errno.ETIMEDOUT:
            raise PortLostError(f"{wanted} takes no bytes: unplug the shoe and plug it in") from error
        raise PortLostError(_why_lost(wanted, error)) from error


def _clear(wanted: UsbAddress, pipe: Pipe, handle: Any) -> None:
    try:
        handle.clear_halt(pipe.inward)
    except usb.core.USBError as error:
        raise PortLostError(_why_lost(wanted, error)) from error


def _why_lost(wanted: UsbAddress, error: usb.core.USBError) -> str:
    if error.errno in GONE:
        return f"{wanted} was unplugged, or lost its power"
    return f"{wanted} was lost: {error.strerror or error}"


@cache
def _backend() -> Any:
    """Return libusb as pyusb takes it: the system's, which hears of new devices from udev; else that of a package."""
    logging.getLogger("usb").addHandler(logging.NullHandler())  # a library that is not there is told by our sentence
    if (found := usb.backend.libusb1.get_backend()) is not None:
        return found
    with contextlib.suppress(ImportError):
        import libusb_package

        return usb.backend.libusb1.get_backend(find_library=libusb_package.find_library)
    return None


def _found(wanted: UsbAddress, device: UsbDevice) -> Any:
    backend = _backend()
    if backend is None:
        raise PortLostError(f"{wanted} cannot be opened: libusb is missing, install the package libusb-1.0-0")
    try:
        handle = usb.core.find(backend=backend, bus=device.bus, address=device.number)
    except usb.core.USBError as error:
        raise PortLostError(_why_closed(wanted, device, error)) from error
    if handle is None:
        raise PortLostError(f"{wanted} is not there: check the cable, and that the shoe has power")
    return handle


def _claim(wanted: UsbAddress, device: UsbDevice, handle: Any, detached: list[int]) -> None:
    """Take the device from the kernel's driver for serial lines, if that has it, and keep others out."""
    try:
        _configure(device.pipe, handle)
        for interface in _interfaces(device.pipe):
            if _driven(handle, interface):
                handle.detach_kernel_driver(interface)
                detached.append(interface)
        usb.util.claim_interface(handle, device.pipe.interface)
    except usb.core.USBError as error:
        raise PortLostError(_why_closed(wanted, device, error)) from error


def _configure(pipe: Pipe, handle: Any) -> None:
    """Choose the configuration, but only if it is another: choosing it again resets many devices."""
    try:
        current = handle.get_active_configuration().bConfigurationValue
    except usb.core.USBError as error:
        if error.errno in GONE | {errno.EACCES}:
            raise
        current = None  # it has none yet
    if current != pipe.configuration:
        handle.set_configuration(pipe.configuration)


def _interfaces(pipe: Pipe) -> list[int]:
    """Return the interfaces that a kernel driver for serial lines would hold."""
    return [pipe.interface] if pipe.line is None else [pipe.line, pipe.interface]


def _driven(handle: Any, interface: int) -> bool:
    """Tell whether a kernel driver has an interface; where that cannot be told, claiming it will show."""
    try:
        return bool(handle.is_kernel_driver_active(interface))
    except (usb.core.USBError, NotImplementedError):
        return False


def _set_speed(pipe: Pipe, handle: Any, baud: int) -> None:
    """Set the speed of a CDC-ACM line; DTR and RTS stay low, as a device that resets on a change of them stays up."""
    if pipe.line is None:
        return
    with contextlib.suppress(usb.core.USBError):  # many have no line behind and refuse; one that is gone tells at once
        handle.ctrl_transfer(TO_INTERFACE, SET_LINE_CODING, 0, pipe.line, baud.to_bytes(4, "little") + EIGHT_NONE_ONE)


def _why_closed(wanted: UsbAddress, device: UsbDevice, error: usb.core.USBError) -> str:
    match error.errno:
        case errno.EACCES | errno.EPERM:
            return f"no permission to read {wanted}: install the udev rule for it, or give access to {device.node}"
        case errno.EBUSY:
            who = " and ".join(holders(device.node)) or "this program or one of another user"
            return f"{wanted} is held by {who}: stop it, the shoe cannot be shared"
        case errno.ENOENT | errno.EIO | errno.ENODEV | errno.EPROTO | errno.ESHUTDOWN:
            return f"{wanted} is not there: check the cable, and that the shoe has power"
        case _:
            return f"{wanted} cannot be opened: {error.strerror or error}"


def _let_go(pipe: Pipe, handle: Any, detached: list[int]) -> None:
    """Release the device at once, and give back to the kernel's driver what came from it."""
    with contextlib.suppress(usb.core.USBError, NotImplementedError):  # it may be gone
        usb.util.release_interface(handle, pipe.interface)
        for interface in detached:
            handle.attach_kernel_driver(interface)
    with contextlib.suppress(usb.core.USBError, NotImplementedError):
        usb.util.dispose_resources(handle)
