"""A real server with real accounts on a real port; only its clocks can be turned, and its hashes are cheap."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
from argon2 import PasswordHasher

from controller import catalogue
from controller.accounts.accesslog import AccessLog
from controller.accounts.clock import Clock
from controller.accounts.passwords import Keeper
from controller.accounts.people import People, Rules
from controller.accounts.roles import Role, fitting
from controller.accounts.store import FILE_NAME, Store
from controller.pit.recall import Archive
from controller.pit.server import WebServer
from controller.pit.stream import Hub
from controller.pit.web import create_app
from tests.pit.sample import SampleFloor, floor_of

DEADLINE_S = 10.0
OURS = {"X-Tirage-Command": "1", "Content-Type": "application/json"}
PASSWORD = "brass kettle under moss"
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
NUMBERS = {role: str(1001 + place) for place, role in enumerate(Role)}
SECOND_SUPERVISOR = "1099"
MADE_UTC_NS = 1_796_000_000_000_000_000


@dataclass
class Turned:
    """Clocks that stand until a test turns them."""

    s: float = 1_000.0

    @property
    def clock(self) -> Clock:
        return Clock(lambda: MADE_UTC_NS + int(self.s * 1e9), lambda: self.s)


@cache
def accounts() -> bytes:
    """The file of the accounts, made once: their owners have chosen their passwords already."""
    with TemporaryDirectory() as folder:
        store, kept = Store(Path(folder)), CHEAP.hash(PASSWORD)
        for number, role in [
            *((number, role.value) for role, number in NUMBERS.items()),
            (SECOND_SUPERVISOR, "supervisor"),
        ]:
            store.add(number, "", fitting([role]), kept, MADE_UTC_NS)
            store.set_password(number, kept, MADE_UTC_NS, must_change=0)
        store.close()
        return store.path.read_bytes()


@dataclass
class House:
    """Server, people and clock; one account a role, and a second supervisor."""

    folder: Path
    rules: Rules = field(default_factory=Rules)
    time: Turned = field(default_factory=Turned)
    floor: SampleFloor = field(default_factory=lambda: floor_of("middle", "face-down"))
    hub: Hub = field(default_factory=Hub)
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    more: dict[str, object] = field(default_factory=dict)  # what else the application is given

    def start(self) -> None:
        (self.folder / FILE_NAME).write_bytes(accounts())
        self.people = People(self.folder, self.rules, self.time.clock, Keeper(CHEAP))
        words = catalogue.load(missing=catalogue.refuse)
        archive = Archive({table: self.folder / table for table, _ in self.floor.tables})
        self.app = create_app(self.floor, self.hub, words, ["pit.example"], self.people, archive, **self.more)
        self.web = WebServer(self.app, self.hub, "127.0.0.1", 0)
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.run(self.web.start())

    def stop(self) -> None:
        self.run(self.web.stop())
        self.run(self.people.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(DEADLINE_S)
        self.loop.close()

    def run(self, coroutine) -> object:
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(DEADLINE_S)

    def client(self, **headers: str) -> httpx.Client:
        return httpx.Client(
            base_url=f"http://127.0.0.1:{self.web.port}", headers=headers, timeout=DEADLINE_S, trust_env=False
        )

    @contextmanager
    def signed_in(self, number: str, **headers: str) -> Iterator[Person]:
        """A person in a browser of one's own. Sign-ins are limited, so the clock goes on by a minute."""
        self.time.s += 6.5
        with self.client(**OURS, **headers) as client:
            answer = client.post("/signin", json={"number": number, "password": PASSWORD})
            assert answer.status_code == 200, answer.text
            client.headers["X-Tirage-Csrf"] = answer.json()["csrf"]
            yield Person(number, client)

    def fill_disk(self) -> None:
        """Let the access log meet a full disk; `empty_disk` makes room again."""
        full = os.open("/dev/full", os.O_RDWR)
        os.dup2(full, self.people.log._fd)
        os.close(full)

    def empty_disk(self) -> None:
        self.people.log.close()
        self.people.log = AccessLog(self.folder, self.time.clock)

    def log(self) -> list[dict]:
        return [json.loads(line) for line in (self.folder / "access.jsonl").read_text().splitlines()]

    def told(self, what: str) -> list[dict]:
        return [line for line in self.log() if line["what"] == what]


@dataclass
class Person:
    """Somebody who signed in."""

    number: str
    client: httpx.Client

    def give(self, act: dict | None = None, hand: str = "3-69", *, ident: str = "", **headers: str) -> httpx.Response:
        body = {"id": ident or str(uuid.uuid4()), "hand": hand, "act": act or {"kind": "void"}}
        return self.client.post("/table/1/commands", json=body, headers=headers)

    def says(self, approval: dict, verdict: str = "approve", **changes: str) -> httpx.Response:
        body = {"verdict": verdict, "hash": approval["hash"]} | changes
        return self.client.post(f"/approvals/{approval['id']}", json=body)

    def waiting(self) -> list[dict]:
        return self.client.get("/approvals/list").json()["approvals"]


@contextmanager
def running(folder: Path, **chosen: object) -> Iterator[House]:
    house = House(folder, Rules(**chosen))  # type: ignore[arg-type]
    house.start()
    try:
        yield house
    finally:
        house.stop()
