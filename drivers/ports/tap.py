"""A read-only tap: a file that another program appends the shoe's bytes to."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from drivers.ports.events import PortLostError
from drivers.ports.feeding import FedPort, Opened, Reads, fed_port

POLL_S = 0.05  # a byte is seen within this time, and the rotation of the file within twice
READ_BYTES = 4096


class Tap:
    """Opens the file again and again: at its end the first time, at its beginning where it is new since then.

    What stood in it before is old: it would be taken for cards that are dealt now.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.identity = f"tap:{path}"
        self._new = False

    async def open(self) -> FedPort:
        """Return the open tap. Raises PortLostError."""
        return await fed_port(self.identity, self._reads)

    def _reads(self, stopped: Callable[[], bool]) -> Reads:
        with self._opened() as file:
            file.seek(0, os.SEEK_SET if self._new else os.SEEK_END)
            self._new = False
            yield Opened()
            while not stopped():
                gone = self._gone(file)  # asked before reading: what was written until then is read to its end
                if data := file.read(READ_BYTES):
                    yield data
                elif gone:
                    self._new = True
                    raise PortLostError(f"{self.identity} was {gone}: bytes may be missing")
                else:
                    yield b""
                    time.sleep(POLL_S)

    def _opened(self) -> BinaryIO:
        try:
            file = Path(self.path).open("rb", buffering=0)  # noqa: SIM115 - the caller closes it
        except FileNotFoundError as error:
            self._new = True
            raise PortLostError(f"{self.identity} is not there: look whether the other program writes it") from error
        except OSError as error:
            raise PortLostError(f"{self.identity} cannot be read: {os.strerror(error.errno or 0)}") from error
        if not Path(self.path).is_file():
            file.close()
            raise PortLostError(f"{self.identity} is no plain file")
        return file

    def _gone(self, file: BinaryIO) -> str:
        """Say what happened to the file, nothing if it only grows."""
        ours = os.fstat(file.fileno())
        if ours.st_size < file.tell():
            return "cut short"
        try:
            theirs = Path(self.path).stat()
        except OSError:
            return "moved away"
        return "" if (theirs.st_dev, theirs.st_ino) == (ours.st_dev, ours.st_ino) else "replaced"
