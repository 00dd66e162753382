"""From the terminal's bytes to an event-stream client, held against a bare fdatasync of the same disk."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.core.signals import CardDrawn
from controller.simulate.dealing import Mode, shoes
from controller.simulate.dealing import Table as Simulated
from drivers.emulators import Pty
from drivers.emulators.angel_eye import Shoe

CARDS = 400
AIM_OVER_FDATASYNC_MS = 3.0
BETWEEN_CARDS_S = 0.02
DEADLINE_S = 20

CONFIG = """
data = "{folder}/journal"
[server]
pit = "127.0.0.1:{pit}"
metrics = "127.0.0.1:{metrics}"
[[tables]]
id = "b1"
name = "Bench"
deal = "face_up"
[tables.shoe]
driver = "angel-eye"
port = "{folder}/shoe"
mode = "open"
"""


def free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(int(len(times) * share), len(times) - 1)] * 1000


def fdatasyncs(folder: Path) -> list[float]:
    """Seconds of an append of a line's size and its fdatasync, one after another."""
    took = []
    with (folder / "bare").open("ab", buffering=0) as file:
        for _ in range(CARDS):
            start = time.perf_counter()
            file.write(b"x" * 500)
            os.fdatasync(file.fileno())
            took.append(time.perf_counter() - start)
            time.sleep(BETWEEN_CARDS_S / 4)
    return took


@contextlib.contextmanager
def daemon(folder: Path) -> Iterator[int]:
    pit = free_port()
    config = folder / "tirage.toml"
    config.write_text(CONFIG.format(folder=folder, pit=pit, metrics=free_port()))
    process = subprocess.Popen([sys.executable, "-m", "controller", "run", "--config", str(config)], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # fmt: skip
    try:
        assert process.stdout is not None
        assert "pit display" in process.stdout.readline()
        yield pit
    finally:
        process.terminate()
        process.communicate(timeout=5)


class Stream(threading.Thread):
    """A client of the dealer's page that notes when each message came."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.line = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_S)
        self.line.request("GET", "/events/table/b1")
        self.answer = self.line.getresponse()
        self.came = threading.Event()
        self.at = 0.0
        self.start()

    def run(self) -> None:
        with self.answer, contextlib.closing(self.line):
            while line := self.answer.readline():
                if re.match(rb"data:.*felt", line):
                    self.at = time.perf_counter()
                    self.came.set()


async def measured(folder: Path) -> tuple[list[float], list[float]]:
    """Seconds from the second copy's last byte to the message that shows the card."""
    dealt = next(shoes(Simulated(mode=Mode.OPEN), 5))
    encoder, took = Shoe(), []
    with Pty(folder / "shoe") as pty, daemon(folder) as port:
        await pty.wait_for_reader(DEADLINE_S)
        stream = Stream(port)
        bare = await asyncio.to_thread(fdatasyncs, folder)
        for signal in (*dealt.opening(), *(one for hand in dealt.hands() for one in hand.signals)):
            stream.came.clear()
            copies = encoder.says(signal)
            await pty.write(b"".join(copies[:2]))
            start = time.perf_counter()
            await pty.write(b"".join(copies[2:]))
            if isinstance(signal, CardDrawn):
                assert await asyncio.to_thread(stream.came.wait, DEADLINE_S), signal
                took.append(stream.at - start)
            await asyncio.sleep(BETWEEN_CARDS_S)
            if len(took) == CARDS:
                break
    stream.join(DEADLINE_S)
    return took, bare


@pytest.mark.bench
def test_from_the_terminal_to_the_page(tmp_path):
    took, bare = asyncio.run(measured(tmp_path))
    p50, p99 = (percentile(took, share) for share in (0.5, 0.99))
    bare50, bare99 = (percentile(bare, share) for share in (0.5, 0.99))
    print(
        f"\nterminal to event stream, {len(took)} cards: p50 {p50:.2f} ms, p99 {p99:.2f} ms; bare fdatasync p50 "
        f"{bare50:.2f} ms, p99 {bare99:.2f} ms; p99 over it {p99 - bare99:.2f} ms, aim {AIM_OVER_FDATASYNC_MS:.0f} ms"
    )
    assert p50 < 50 * bare50 + AIM_OVER_FDATASYNC_MS
