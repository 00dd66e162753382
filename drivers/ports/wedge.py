"""A keyboard-wedge scanner: an input device that is read alone, so that no card is typed into another window."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat

from drivers.ports.events import PortLostError
from drivers.ports.holders import holders
from drivers.ports.keys import EVENT, Keys

GRAB = 0x40044590  # linux/input.h: EVIOCGRAB
INPUT_MAJOR = 13
READ_BYTES = 64 * EVENT.size


class WedgePort:
    """An open input device. Opening it raises PortLostError with a sentence for the technician.

    ``path`` should be one under /dev/input/by-id: a device comes back under another number.
    """

    sends = False

    def __init__(self, path: str) -> None:
        self.identity = f"wedge:{path}"
        self._keys = Keys()
        self._number = _opened(self.identity, path)
        try:
            _take_alone(self.identity, path, self._number)
        except BaseException:
            self.close()
            raise

    def fileno(self) -> int:
        """The descriptor to wait for."""
        return self._number

    def read(self) -> bytes:
        """Return what was typed since, b"" if nothing was; raises PortLostError."""
        try:
            data = os.read(self._number, READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise PortLostError(_why_lost(self.identity, error)) from error
        if not data:
            raise PortLostError(f"{self.identity} hung up: the scanner was unplugged")
        return self._keys.feed(data)

    def write(self, data: bytes) -> int:
        """Nothing is typed back."""
        del data
        raise PortLostError(f"{self.identity} is only listened to")

    def close(self) -> None:
        """Let go of the device at once; the kernel ends the grab with it."""
        number, self._number = self._number, -1
        if number >= 0:
            with contextlib.suppress(OSError):
                os.close(number)


def _opened(identity: str, path: str) -> int:
    try:
        return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        match error.errno:
            case errno.ENOENT | errno.ENXIO | errno.ENODEV:
                raise PortLostError(f"{identity} is not there: check the cable of the scanner") from error
            case errno.EACCES | errno.EPERM:
                remedy = "add its user to group input and start again"
                raise PortLostError(f"no permission to read {identity}: {remedy}") from error
            case _:
                raise PortLostError(f"{identity} cannot be opened: {error.strerror}") from error


def _take_alone(identity: str, path: str, number: int) -> None:
    status = os.fstat(number)
    try:
        fcntl.ioctl(number, GRAB, 1)
    except OSError as error:
        if error.errno == errno.EBUSY:
            who = " and ".join(holders(path)) or "another program"
            raise PortLostError(f"{identity} is held by {who}: stop it, the scanner cannot be shared") from error
        if not stat.S_ISCHR(status.st_mode) or os.major(status.st_rdev) != INPUT_MAJOR:
            named = "name one such as /dev/input/by-id/...-event-kbd"
            raise PortLostError(f"{identity} is no input device: {named}") from error
        raise PortLostError(f"{identity} cannot be opened: {error.strerror}") from error


def _why_lost(identity: str, error: OSError) -> str:
    if error.errno in (errno.ENODEV, errno.EIO):
        return f"{identity} was unplugged"
    return f"{identity} was lost: {error.strerror}"
