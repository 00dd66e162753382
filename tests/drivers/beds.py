"""Test beds of umockdev: real libusb and pyusb, or a real read of an input device, with a simulator for the kernel."""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
DATA = HERE / "data"
ENVIRONMENT = os.environ | {"PYTHONPATH": str(REPOSITORY)}
SYSTEM_PYTHON = "/usr/bin/python3"  # gi is for the system's own Python only
PRELOAD = "libumockdev-preload.so.0"
DEADLINE_S = 20.0
VID_PID = "1209:0001"


@cache
def lacking() -> str:
    """What is missing for a bed, empty where one can be had."""
    if shutil.which("umockdev-wrapper") is None:
        return "umockdev is not installed (make setup-test installs it)"
    probe = "import gi; gi.require_version('UMockdev', '1.0')"
    found = subprocess.run([SYSTEM_PYTHON, "-c", probe], capture_output=True, check=False)
    return "gi has no UMockdev for the system's Python (make setup-test installs it)" if found.returncode else ""


def need_umockdev() -> None:
    """Skip the test where umockdev cannot be had, and say why."""
    if why := lacking():
        pytest.skip(why)


class Lines:
    """What a program says, line by line, with a deadline."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._said: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._said.put(line.rstrip("\n"))

    def next(self) -> str:
        return self._said.get(timeout=DEADLINE_S)

    def write(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{text}\n")
        self.process.stdin.flush()


@contextmanager
def running(command: Sequence[str], environment: dict[str, str]) -> Iterator[Lines]:
    """Run a program that ends with its standard input; what it says is read."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=REPOSITORY
    ) as process:
        try:
            yield Lines(process)
            assert process.stdin is not None
            process.stdin.close()
            process.wait(DEADLINE_S)
        finally:
            process.kill()


class Bed:
    """A simulated bus; ``ask`` gives it a command of usb_simulator.py and returns the answer."""

    def __init__(self, simulator: Lines) -> None:
        self._simulator = simulator
        self.root = simulator.next()
        self.environment = ENVIRONMENT | {
            "LD_PRELOAD": PRELOAD,
            "UMOCKDEV_DIR": self.root,
        }

    def ask(self, command: str) -> str:
        self._simulator.write(command)
        answer = self._simulator.next()
        assert not answer.startswith("no: "), answer
        return answer

    def plug(self, socket: str = "1-1", number: int = 2, kind: str = "vendor", serial: str = "SHOE7") -> None:
        self.ask(f"plug {socket} {number} {kind} {serial}")

    def say(self, data: bytes, socket: str = "1-1") -> None:
        self.ask(f"say {socket} {data.hex()}")

    def sent(self, socket: str = "1-1") -> bytes:
        """The bytes that the host has sent since this was asked last."""
        text = self.ask(f"sent {socket}")
        return b"" if text == "-" else bytes.fromhex(text)

    def told(self, socket: str = "1-1") -> dict[str, int]:
        """What was asked of a device, and how often."""
        counts = (item.rsplit(" x", 1) for item in self.ask(f"told {socket}").split(", ") if item)
        return {what: int(times) for what, times in counts}

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the program itself in this bed."""
        command = [sys.executable, "-m", "controller", *arguments]
        return subprocess.run(
            command, env=self.environment, cwd=REPOSITORY, capture_output=True, text=True, check=False, timeout=60
        )


@contextmanager
def bed() -> Iterator[Bed]:
    """A bed with nothing plugged in."""
    need_umockdev()
    command = ["umockdev-wrapper", SYSTEM_PYTHON, str(HERE / "usb_simulator.py")]
    with running(command, dict(os.environ)) as simulator:
        yield Bed(simulator)


class Heard:
    """The events of a port that a program of its own reads, as they come."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self.events: list[tuple[str, str]] = []

    @property
    def data(self) -> bytes:
        return b"".join(bytes.fromhex(text) for kind, text in self.events if kind == "bytes")

    @property
    def kinds(self) -> list[str]:
        """The events without bytes, and without word of a port that is still not there."""
        return [kind for kind, text in self.events if kind != "bytes" and "is not there" not in text]

    def send(self, data: bytes) -> None:
        """Let the program send bytes to the device."""
        self._lines.write(data.hex())

    def until(self, condition: Callable[[Heard], object]) -> Heard:
        while not condition(self):
            try:
                kind, text = json.loads(self._lines.next())
            except queue.Empty:
                raise AssertionError(f"nothing further came after {self.events[-10:]}") from None
            self.events.append((kind, text))
        return self

    def event(self, kind: str) -> str:
        """Wait for the next event of a kind and return its text."""
        known = len(self.events)
        self.until(lambda heard: kind in [one for one, _ in heard.events[known:]])
        return self.events[-1][1]


def reader(port: str, *more: object) -> list[str]:
    """The command of a program that reads a port."""
    return [sys.executable, str(HERE / "port_reader.py"), port, *map(str, more or (9600,))]


@contextmanager
def reading(at: Bed, port: str, *more: object) -> Iterator[Heard]:
    """Read a port of a bed."""
    with running(reader(port, *more), at.environment) as lines:
        yield Heard(lines)


def replaying(command: Sequence[str], device: str, kind: str, recording: str) -> list[str]:
    """The command that runs a program beside a recorded device; ``recording`` is written as PLACE=FILE."""
    need_umockdev()
    place, name = recording.split("=")
    return ["umockdev-run", "-d", str(DATA / device), kind, f"{place}={DATA / name}", "--", *command]
