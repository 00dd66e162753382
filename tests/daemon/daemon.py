"""The real daemon as a process, its pages and streams as a client sees them, and a shoe on a real terminal."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from uuid import uuid4

from controller.core.signals import Signal
from drivers.emulators import Pty
from drivers.emulators import Shoe as Emulator

REPOSITORY = Path(__file__).resolve().parents[2]
DEADLINE_S = 20.0
HOST = "127.0.0.1"
COMMAND = [sys.executable, "-m", "controller"]


# Below the ports that the kernel gives to clients: one of those could be taken between the choice and the start.
# Each process has its own: two runs of the tests on one machine are not to choose the same.
PORTS = count(10_000 + os.getpid() * 200 % 20_000)


def free_port() -> int:
    for port in PORTS:
        with socket.socket() as probe, suppress(OSError):
            probe.bind((HOST, port))
            return port
    raise AssertionError


def config_of(
    folder: Path, *, mode: str = "hidden", deal: str = "face_down", data: str = "data", more: str = ""
) -> Path:
    """Write the configuration of one table and return its path."""
    path = folder / "tirage.toml"
    path.write_text(
        f"""data = "{data}"
[server]
pit = "{HOST}:{free_port()}"
metrics = "{HOST}:{free_port()}"
[[tables]]
id = "b1"
name = "Baccarat 1"
deal = "{deal}"
[tables.shoe]
driver = "angel-eye"
port = "{folder / "shoe"}"
mode = "{mode}"
{more}"""
    )
    return path


class Daemon:
    """A daemon that is up: `run` waits until it has said where its pages are."""

    def __init__(self, process: subprocess.Popen[str], announcement: list[str], streams: list[Stream]) -> None:
        self.process = process
        self.announcement = announcement
        pages, metrics = re.findall(r"http://[\d.]+:(\d+)", announcement[0])
        self.pit, self.metrics_port = int(pages), int(metrics)
        self.streams = streams  # closed with it

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://{HOST}:{self.pit}{path}", timeout=DEADLINE_S) as answer:
            return str(answer.read().decode())

    def metrics(self) -> dict[str, float]:
        """Every sample by its name with labels."""
        with urllib.request.urlopen(f"http://{HOST}:{self.metrics_port}/metrics", timeout=DEADLINE_S) as answer:
            lines = answer.read().decode().splitlines()
        return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if line and line[0] != "#"}

    def give(self, act: dict, hand: str = "", *, ident: str = "", staff: str = "1042") -> tuple[int, dict]:
        """Put a command to the table as the page does; return status and answer."""
        body = {"id": ident or str(uuid4()), "staff": staff, "hand": hand, "act": act}
        headers = {"Content-Type": "application/json", "X-Tirage-Command": "1"}
        with closing(http.client.HTTPConnection(HOST, self.pit, timeout=DEADLINE_S)) as line:
            line.request("POST", "/table/b1/commands", json.dumps(body), headers)
            answer = line.getresponse()
            return answer.status, json.loads(answer.read())

    def logged(self, event: str) -> dict:
        """Wait for a line of the log."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            entry: dict = json.loads(line)
            if entry["event"] == event:
                return entry
        raise AssertionError(f"it never logged {event!r}")

    def end(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, float]:
        """Send a signal and return exit code and the seconds until the end."""
        start = time.monotonic()
        self.process.send_signal(number)
        code = self.process.wait(DEADLINE_S)
        return code, time.monotonic() - start

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(DEADLINE_S)


@contextmanager
def run(*arguments: str | Path, tables: int = 1, under: Sequence[str] = ()) -> Iterator[Daemon]:
    """Run `tirage run`, ``under`` a tracer if one is named; killed at the end if it is still there."""
    command = [*under, *COMMAND, "run", *map(str, arguments)]
    streams: list[Stream] = []
    with subprocess.Popen(
        command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as process:
        try:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(tables + 2)]
            assert "pit display" in lines[0], process.communicate()[1]
            yield Daemon(process, lines, streams)
        finally:
            process.kill()
            for stream in streams:
                stream.close()


def refused(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a daemon that is to end by itself."""
    command = [*COMMAND, "run", *map(str, arguments)]
    return subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, timeout=DEADLINE_S, check=False, env=environment()
    )


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"}


class Stream:
    """An event stream: the parts of a page as a browser would have them now, as text."""

    def __init__(self, daemon: Daemon, topic: str = "table/b1") -> None:
        self.parts: dict[str, str] = {}
        daemon.streams.append(self)
        self.line = socket.create_connection((HOST, daemon.pit), DEADLINE_S)
        self.line.sendall(f"GET /events/{topic} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        self._bytes = b""

    def close(self) -> None:
        self.line.close()

    def events(self) -> Iterator[tuple[str, dict]]:
        """Yield events until the stream ends."""
        while part := self.line.recv(65536):
            self._bytes += part
            *whole, self._bytes = re.split(rb"\n\n(?=event:|\r\n|$)", self._bytes)
            for text in whole:
                if found := re.search(rb"event: (\w+)\nid: .*\ndata: (.*)", text):
                    yield found[1].decode(), json.loads(found[2])

    def until(self, condition: Callable[[dict[str, str]], object]) -> float:
        """Read until the parts meet the condition; return the seconds it took."""
        start = time.monotonic()
        if condition(self.parts):
            return 0.0
        for _, event in self.events():
            self.parts |= {name: text_of(html) for name, html in event["parts"].items()}
            if condition(self.parts):
                return time.monotonic() - start
            assert time.monotonic() - start < DEADLINE_S, self.parts
        raise AssertionError("the stream ended")

    def shows(self, part: str, text: str) -> float:
        return self.until(lambda parts: text in parts.get(part, ""))


def text_of(html: str) -> str:
    """What a person reads of a part."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)).strip()


class Dealt:
    """A shoe on a terminal that says what it is given."""

    def __init__(self, path: Path) -> None:
        self.pty = Pty(path)
        self.emulator = Emulator()

    def plug(self) -> None:
        self.pty.plug()
        assert asyncio.run(self.pty.wait_for_reader(DEADLINE_S)), "nobody reads the terminal"

    def say(self, *signals: Signal) -> None:
        for one in signals:
            self.write(b"".join(self.emulator.says(one)))

    def write(self, data: bytes) -> None:
        asyncio.run(self.pty.write(data))


@contextmanager
def table(folder: Path, *, under: Sequence[str] = (), **options: str) -> Iterator[tuple[Daemon, Dealt, Stream]]:
    """A daemon with one table, its shoe plugged in and read, and the dealer's page."""
    with ExitStack() as stack:
        shoe = Dealt(folder / "shoe")
        stack.callback(shoe.pty.unplug)
        shoe.pty.plug()
        daemon = stack.enter_context(run("--config", config_of(folder, **options), under=under))
        shoe.plug()
        yield daemon, shoe, Stream(daemon)


def records(folder: Path) -> list[dict]:
    """Every whole line of the table's journal, also while it is being written."""
    texts = (path.read_text() for path in sorted((folder / "data" / "b1").glob("*.jsonl")))
    return [json.loads(line) for text in texts for line in text.splitlines(keepends=True) if line.endswith("\n")]


def facts(folder: Path, *names: str) -> list[dict]:
    """The facts of these names, as the journal has them."""
    told = (fact for record in records(folder) if record["kind"] == "facts" for fact in record["data"]["facts"])
    return [fact for fact in told if fact["fact"] in names]


def until(condition: Callable[[], object], deadline_s: float = DEADLINE_S) -> float:
    """Wait until something is so, asking again and again; return the seconds it took."""
    start = time.monotonic()
    pause = socket.socketpair()
    try:
        pause[0].settimeout(0.01)
        while not condition():
            assert time.monotonic() - start < deadline_s, "it never came to be so"
            try:
                pause[0].recv(1)
            except TimeoutError:
                continue
    finally:
        for end in pause:
            end.close()
    return time.monotonic() - start
