"""The real server with the interface on a real port, over a sample floor, and a client of its streams."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import httpx

from controller import catalogue
from controller.api.door import Outside
from controller.api.feed import Feed
from controller.core.facts import Audience, Fact, FactName
from controller.core.inputs import Moment
from controller.pit.recall import Archive
from controller.pit.server import WebServer
from controller.pit.stream import Hub
from controller.pit.web import create_app
from tests.pit.sample import STATES, SampleFloor, floor_of

DEADLINE_S = 10.0
TOKEN = "correct horse battery"
COMMAND = {"X-Tirage-Command": "1", "Content-Type": "application/json"}


def fact(number: int, audience: Audience = Audience.PUBLIC, name: FactName = FactName.STOOD_BY, **data: object) -> Fact:
    """A fact that can be told from every other one by its hand's number."""
    return Fact(name, 3, number, Moment(number * 1_000_000_000), tuple(data.items()), audience)


@dataclass
class Api:
    """The server in a loop of its own thread, as the daemon has it in its own process."""

    floor: SampleFloor
    outside: tuple[Outside, ...] = ()
    archive: Archive | None = None
    hub: Hub = field(default_factory=Hub)
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)

    def start(self) -> None:
        self.feed = Feed(max((one.delay_s for one in self.outside), default=0.0))
        words = catalogue.load(missing=catalogue.refuse)
        app = create_app(
            self.floor,
            self.hub,
            words,
            hosts=["pit.example"],
            archive=self.archive,
            feed=self.feed,
            outside=self.outside,
        )
        self.web = WebServer(app, self.hub, "127.0.0.1", 0)
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.run(self.web.start())

    def stop(self) -> None:
        self.run(self.web.stop())
        if self.archive is not None:
            self.run(self.archive.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(DEADLINE_S)
        self.loop.close()

    def run(self, coroutine) -> object:
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(DEADLINE_S)

    def call(self, function: Callable[[], object]) -> object:
        async def inside() -> object:
            return function()

        return self.run(inside())

    def take(self, table: str, *facts: Fact, state: str = "") -> None:
        """Let something happen at a table, as a station tells it."""

        def change() -> None:
            if state:
                self.floor.views[table] = replace(STATES[state], table=table, name=f"Baccarat {table}")
            self.hub.publish(table)
            self.feed.take(table, facts)

        self.call(change)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.web.port}"

    def client(self, **headers: str) -> httpx.Client:
        return httpx.Client(base_url=self.address, headers=headers, timeout=DEADLINE_S, trust_env=False)

    @contextmanager
    def events(self, query: str = "", path: str = "/api/v1/events", **headers: str) -> Iterator[Events]:
        with self.client(**headers) as client, client.stream("GET", path + query) as response:
            assert response.status_code == 200, response.read()
            yield Events(response)


class Events:
    """The events of a stream, one by one."""

    def __init__(self, response: httpx.Response) -> None:
        self.lines = response.iter_lines()
        self.last_id = ""

    def next(self) -> dict:
        event: dict[str, str] = {}
        for line in self.lines:
            name, _, value = line.partition(": ")
            if name:
                event[name] = value
            elif "data" in event:
                self.last_id = event.get("id", self.last_id)
                return {"event": event["event"], "id": event.get("id")} | json.loads(event["data"])
            else:
                event = {}
        raise AssertionError("the stream ended")

    def told(self, kind: str = "fact") -> dict:
        """The next event of a kind; beats may come between."""
        while (found := self.next())["event"] == "beat" != kind:
            pass
        assert found["event"] == kind, found
        return found

    def facts(self, number: int) -> list[dict]:
        return [self.told() for _ in range(number)]


@contextmanager
def running(*states: str, **options: object) -> Iterator[Api]:
    outside, archive = options.pop("outside", ()), options.pop("archive", None)
    made = Api(floor_of(*states, **options), outside, archive)  # type: ignore[arg-type]
    made.start()
    try:
        yield made
    finally:
        made.stop()
