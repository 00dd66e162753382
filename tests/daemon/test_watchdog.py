"""systemd's watchdog: the daemon says that it is ready and that its tables work, and is silent when one does not."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.daemon.watchdog import feed, limit_s, notifier
from tests.daemon.daemon import DEADLINE_S, config_of, run

LIMIT_S = 1.5


@pytest.fixture
def listening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """What systemd is to a service."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(DEADLINE_S)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", str(int(LIMIT_S * 1e6)))
        yield line


def test_a_daemon_says_that_it_is_ready_and_then_that_it_works(tmp_path: Path, listening: socket.socket):
    """sd_notify(3): READY=1 once its pages are there, WATCHDOG=1 well within the limit; a stopped one is silent."""
    with run("--config", config_of(tmp_path)) as daemon:
        assert [listening.recv(64) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
        daemon.process.send_signal(signal.SIGSTOP)
        listening.settimeout(LIMIT_S)
        heard = iter(lambda: heard_in_time(listening), None)
        assert len(list(heard)) <= 1, "a stopped daemon said that it works"
        daemon.process.send_signal(signal.SIGCONT)
        listening.settimeout(DEADLINE_S)
        assert listening.recv(64) == b"WATCHDOG=1"
        assert daemon.end()[0] == 0


def heard_in_time(line: socket.socket) -> bytes | None:
    try:
        return line.recv(64)
    except TimeoutError:
        return None


class Stuck:
    """A table that takes nothing."""

    def __init__(self, reason: str | None) -> None:
        self.cannot_record = reason

    async def turned(self) -> None:
        await asyncio.Event().wait()


async def fed(table: Stuck, line: socket.socket) -> bytes:
    """What systemd hears in the time in which it would hear of a table that works several times."""
    feeding = asyncio.create_task(feed(notifier(os.environ), [table], 0.06))
    loop = asyncio.get_running_loop()
    line.setblocking(False)
    try:
        return await asyncio.wait_for(loop.sock_recv(line, 64), 0.5)
    except TimeoutError:
        return b""
    finally:
        feeding.cancel()


@pytest.mark.parametrize(("reason", "heard"), [(None, b""), ("disk full", b"WATCHDOG=1")])
def test_the_watchdog_is_fed_by_the_tables_and_not_by_a_timer(listening: socket.socket, reason, heard: bytes):
    """faults.md B 31: a loop that turns around a dead table is a hang; a table that says why it cannot work is none."""
    assert asyncio.run(fed(Stuck(reason), listening)) == heard


def test_without_systemd_nobody_is_told_and_nothing_is_watched():
    """A person's own terminal sets neither variable."""
    notifier({})("READY=1")
    assert limit_s({}) is None
