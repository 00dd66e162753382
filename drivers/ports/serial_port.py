"""A serial device, opened alone."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import grp
import os
import pwd
import stat
import termios
from pathlib import Path

import serial

from drivers.ports.events import PortLostError
from drivers.ports.holders import holders, is_pseudo_terminal

READ_BYTES = 4096
TROUBLE = (serial.SerialException, OSError, termios.error)  # pyserial lets all three out, and none tells the cause
READ_WRITE_BY_GROUP = stat.S_IRGRP | stat.S_IWGRP
CFLAG = 2  # place of the control flags in what tcgetattr returns


class SerialPort:
    """An open serial port.

    Opening it raises PortLostError with a sentence for the technician. ``path`` should be one under
    /dev/serial/by-id or a udev link: a device comes back under another number.
    """

    sends = True

    def __init__(self, path: str, baud: int) -> None:
        self.identity = path
        self._serial = serial.Serial()
        self._serial.port = path
        self._serial.baudrate = baud
        self._serial.timeout = 0
        self._serial.exclusive = True
        # Set before opening: a device that resets on a change of these lines stays up.
        self._serial.dtr = False
        self._serial.rts = False
        try:
            self._open(path)
        except TROUBLE as error:
            self.close()
            raise PortLostError(_why_closed(path, error)) from error
        except PortLostError:
            self.close()
            raise

    def fileno(self) -> int:
        """The file descriptor, for waiting."""
        return int(self._serial.fileno())

    def read(self) -> bytes:
        """Return what is there now, b"" if nothing is.

        To be called when the descriptor is readable: an end of file then means that the device is gone.
        """
        try:
            data = os.read(self.fileno(), READ_BYTES)
        except BlockingIOError:
            return b""
        except TROUBLE as error:
            raise PortLostError(f"{self.identity} was lost: {_text(error)}") from error
        if not data:
            raise PortLostError(f"{self.identity} hung up: the adapter was unplugged or the far end closed")
        return data

    def write(self, data: bytes) -> int:
        """Give bytes to the line without waiting and return how many it took; raises PortLostError."""
        try:
            return os.write(self.fileno(), data)
        except BlockingIOError:
            return 0
        except TROUBLE as error:
            raise PortLostError(f"{self.identity} was lost: {_text(error)}") from error

    def close(self) -> None:
        """Let go of the device at once."""
        with contextlib.suppress(*TROUBLE):
            fcntl.ioctl(self._serial.fileno(), termios.TIOCNXCL)
        with contextlib.suppress(*TROUBLE):
            self._serial.close()

    def _open(self, path: str) -> None:
        self._serial.open()
        # A program that took no lock got in before us and would go on stealing bytes.
        if others := holders(path):
            raise PortLostError(_busy(path, others))
        fd = self._serial.fileno()
        if not is_pseudo_terminal(path):
            # The lock stops only programs that ask for one. A pseudo-terminal would stay shut after a crash of ours.
            fcntl.ioctl(fd, termios.TIOCEXCL)
        _keep_lines_on_close(fd)


def _keep_lines_on_close(fd: int) -> None:
    attributes = termios.tcgetattr(fd)
    attributes[CFLAG] &= ~termios.HUPCL
    termios.tcsetattr(fd, termios.TCSANOW, attributes)


def _why_closed(path: str, error: Exception) -> str:
    if Path(path).exists() and not Path(path).is_char_device():
        return f"{path} is not a serial device: name one such as /dev/serial/by-id/..."
    match _number(error):
        case errno.ENOENT | errno.ENXIO | errno.ENODEV:
            return f"{path} is not there: check the cable, and that the adapter has power"
        case errno.EAGAIN | errno.EBUSY:
            return _busy(path, holders(path))
        case errno.EACCES | errno.EPERM:
            return f"no permission to read {path}: {_remedy(path)}"
        case _:
            return f"{path} cannot be opened: {_text(error)}"


def _busy(path: str, others: list[str]) -> str:
    if others:
        return f"{path} is held by {' and '.join(others)}: stop it, the port cannot be shared"
    return f"{path} is held by this program or by one of another user: no two tables may share a port"


def _remedy(path: str) -> str:
    try:
        device = Path(path).stat()
        group = grp.getgrgid(device.st_gid).gr_name
        user = pwd.getpwuid(os.geteuid()).pw_name
    except (OSError, KeyError):
        return "give this user read and write access to it"
    if device.st_gid == 0 or device.st_mode & READ_WRITE_BY_GROUP != READ_WRITE_BY_GROUP:
        return f"give user {user} read and write access to it"
    return f"add user {user} to group {group} and start again"


def _number(error: Exception) -> int | None:
    if isinstance(error, OSError):
        return error.errno
    return error.args[0] if error.args and isinstance(error.args[0], int) else None


def _text(error: Exception) -> str:
    number = _number(error)
    return os.strerror(number) if number else str(error)
