"""A real server on a real port, over a sample floor."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

import httpx
import pytest

from controller import catalogue
from controller.pit.server import WebServer
from controller.pit.stream import Hub
from controller.pit.web import create_app
from tests.pit.sample import STATES, SampleFloor, floor_of

DEADLINE_S = 10.0


@dataclass
class Pit:
    """The server in a loop of its own thread, as the daemon has it in its own process."""

    floor: SampleFloor
    hub: Hub = field(default_factory=Hub)
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)

    def start(self) -> None:
        words = catalogue.load(missing=catalogue.refuse)
        app = create_app(self.floor, self.hub, words, hosts=["pit.example"])
        self.web = WebServer(app, self.hub, "127.0.0.1", 0)
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.run(self.web.start())

    def run(self, coroutine) -> object:
        future: Future = asyncio.run_coroutine_threadsafe(coroutine, self.loop)
        return future.result(DEADLINE_S)

    def call(self, function: Callable[[], object]) -> object:
        async def inside() -> object:
            return function()

        return self.run(inside())

    def show(self, table: str, state: str) -> None:
        def change() -> None:
            self.floor.views[table] = replace(STATES[state], table=table, name=f"Baccarat {table}")
            self.hub.publish(table)

        self.call(change)

    def stop(self) -> None:
        self.run(self.web.stop())

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.web.port}"

    def client(self, **headers: str) -> httpx.Client:
        return httpx.Client(base_url=self.address, headers=headers, timeout=DEADLINE_S, trust_env=False)


@pytest.fixture
def pit() -> Iterator[Pit]:
    yield from running(floor_of("middle", "face-down", "empty"))


def running(floor: SampleFloor) -> Iterator[Pit]:
    made = Pit(floor)
    made.start()
    yield made
    made.stop()
    made.loop.call_soon_threadsafe(made.loop.stop)
    made.thread.join(DEADLINE_S)
    made.loop.close()


@pytest.fixture
def guarded() -> Iterator[Pit]:
    yield from running(floor_of("middle", token="correct horse battery"))
