"""The reference firmware as a process, and a host at its pseudo-terminal."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import subprocess
import time
import tty
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Self

import pytest

from drivers.tirage import Heard, Session

DEADLINE_S = 20.0
TICK_S = 0.02
PROTOCOL = Path(__file__).resolve().parents[2] / "firmware-protocol"
DEVICE = bytes.fromhex("0102030405060708")
KEY = bytes(range(1, 33))


def build(folder: Path, target: str, **settings: str) -> Path:
    """Return the program that make builds; skips where a tool or a library is missing."""
    for tool in ("make", settings.get("CC", "gcc")):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed (make setup-test installs it)")
    if not Path("/usr/include/sodium.h").exists():
        pytest.skip("libsodium-dev is not installed (make setup-test installs it)")
    words = [f"{name}={value}" for name, value in settings.items()]
    command = ["make", "-s", "-C", str(PROTOCOL), f"BUILD={folder}", *words, f"{folder}/{target}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / target


class Firmware:
    """A running shoe; its script is written line by line."""

    def __init__(self, program: Path, folder: Path, *options: str, device: bytes = DEVICE) -> None:
        self.port = folder / "tty-shoe"
        arguments = ["--link", str(self.port), "--memory", str(folder / "memory"), "--device", device.hex(), *options]
        self._process = subprocess.Popen(
            [str(program), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.said: list[str] = []
        self._rest = b""
        self.until(lambda: "plugged" in self.said)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.terminate()
        _out, err = self._process.communicate(timeout=DEADLINE_S)
        assert self._process.returncode == 0, err.decode(errors="replace")

    def play(self, *lines: str) -> None:
        """Hand lines of the script over."""
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self._process.stdin.flush()

    def listen(self) -> None:
        """Take what the shoe says, without waiting."""
        self._read(0)

    def until(self, condition: Callable[[], object]) -> None:
        """Wait for what the shoe says."""
        deadline = time.monotonic() + DEADLINE_S
        while not condition():
            assert time.monotonic() < deadline, self.said[-20:]
            self._read(TICK_S)

    def _read(self, wait_s: float) -> None:
        assert self._process.stdout is not None
        number = self._process.stdout.fileno()
        if select.select([number], [], [], wait_s)[0]:
            data = os.read(number, 65536)
            assert data or self._process.poll() == 0, self._process.stderr.read().decode(errors="replace")
            *lines, self._rest = (self._rest + data).split(b"\n")
            said = [line.decode() for line in lines]
            assert not any(line.startswith("what?") for line in said), said
            self.said += [line for line in said if not line.startswith("done ")]


class Host:
    """A session at the port of a shoe, which it opens again when it is lost."""

    def __init__(self, port: Path, session: Session) -> None:
        self.session = session
        self.heard: list[Heard] = []
        self.raw = bytearray()
        self.lost = 0
        self._port = port
        self._file: int | None = None

    def close(self) -> None:
        """Let go of the port."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def until(self, condition: Callable[[], object], deadline_s: float = DEADLINE_S) -> None:
        """Serve the port until the condition holds."""
        deadline = time.monotonic() + deadline_s
        while not condition():
            assert time.monotonic() < deadline, (self.session.state, self.session.reason, self.heard[-8:])
            self.serve()

    def live(self) -> None:
        """Serve until the shoe is live."""
        self.until(lambda: self.session.live)

    def serve(self) -> None:
        """One turn: open, read, tick, write."""
        if self._file is None and not self._open():
            time.sleep(0.001)  # the device is not there: nothing can be waited for
            return
        assert self._file is not None
        try:
            if select.select([self._file], [], [], TICK_S)[0]:
                self._take(os.read(self._file, 4096))
            self._hear(self.session.tick(time.monotonic_ns()))
            self._write()
        except OSError:
            self._lose()

    @property
    def signals(self) -> list[object]:
        """What was heard so far."""
        return [item.signal for item in self.heard]

    def _open(self) -> bool:
        with contextlib.suppress(OSError):
            self._file = os.open(self._port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
            with contextlib.suppress(OSError):
                tty.setraw(self._file)
            self._hear(self.session.opened(time.monotonic_ns()))
            self._write()
            return True
        return False

    def _take(self, data: bytes) -> None:
        if not data:
            raise OSError("end of file")
        self.raw += data
        self._hear(self.session.feed(data, time.monotonic_ns()))

    def _write(self) -> None:
        assert self._file is not None
        if data := self.session.outgoing():
            os.write(self._file, data)

    def _lose(self) -> None:
        self.lost += 1
        self.close()
        self._hear(self.session.flush())

    def _hear(self, heard: Iterable[Heard]) -> None:
        self.heard += heard
