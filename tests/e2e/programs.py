"""What programs below surveillance read of a table: every address of the interface, and its streams.

A hand's beginning and end, and the pace that they make, are all that may differ between two evenings; they are written
over here, and nothing else is. So a moment within a hand parts two runs by itself: the clock never says the same twice.
"""

from __future__ import annotations

import http.client
import json
import re
from typing import Any, Self

from tests.daemon.daemon import DEADLINE_S, HOST, Daemon

ROOT = "/api/v1"
TABLE = f"{ROOT}/tables/b1"
TOKEN = "of-the-television"
FEED = f'[[feeds]]\nname = "tv"\ntoken = "{TOKEN}"\ntables = ["b1"]\n'
ADDRESSES = (
    f"{ROOT}/tables",
    TABLE,
    f"{TABLE}/pit",
    f"{TABLE}/roads",
    f"{TABLE}/shoes/current",
    f"{TABLE}/shoes/1",
    f"{TABLE}/hands",
    f"{TABLE}/hands/1",
)
STREAMS = (f"{ROOT}/events?audience=public", f"{ROOT}/events?audience=pit", f"{ROOT}/feeds/tv/events")
# Only surveillance, or whoever the house lets in to its pages, is let in; test_roles.py of the interface holds them.
GUARDED = (f"{TABLE}/surveillance", f"{TABLE}/incidents", f"{ROOT}/openapi.json", f"{TABLE}/commands")
OF_THE_HAND = frozenset({"opened", "closed", "began", "ended", "hands_per_hour"})
ENDS = frozenset({"HandOpened", "HandCompleted", "HandVoided", "HandAbandoned", "HandCorrected"})
BETWEEN_HANDS = frozenset({"ShoeOpened", "ShoeProposed", "ShoeNamed", "ShoeClosed", "TableOpened", "TableClosed"})
PROOF = frozenset({"hash", "short_hash"})  # of the journal, which has every moment in it
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT")


def plain(value: Any, key: str = "") -> Any:
    """Write over what may differ: when a hand began and ended, and the proof of the journal."""
    match value:
        case str() | int() if key in OF_THE_HAND or key in PROOF:
            return key
        case dict():
            told = {name: plain(one, name) for name, one in value.items()}
            if value.get("fact") in ENDS | BETWEEN_HANDS or {"void", "by", "at"} <= value.keys():
                told["at"] = "at"  # a verdict is the end of a hand, or a later word on it
            return told
        case list():
            return [plain(one, key) for one in value]
        case _:
            return value


def timed(text: str) -> str:
    """What of an answer tells a moment that is neither a hand's beginning nor its end; empty where nothing does."""
    found = MOMENT.search(text)
    return text[max(0, found.start() - 120) : found.end() + 24] if found else ""


class Told:
    """One stream of the interface: what it told, without beats."""

    def __init__(self, daemon: Daemon, path: str) -> None:
        self.line = http.client.HTTPConnection(HOST, daemon.pit, timeout=DEADLINE_S)
        self.line.request("GET", path, headers={"Authorization": f"Bearer {TOKEN}"} if "/feeds/" in path else {})
        self.answer = self.line.getresponse()
        assert self.answer.status == 200, path
        self.number = 0
        self.told: list[str] = []
        while not self.told:
            self.read()

    def read(self) -> None:
        """Read one event, whatever it is."""
        event: dict[str, str] = {}
        while (line := self.answer.readline().decode().rstrip("\n")) or "data" not in event:
            name, _, value = line.partition(": ")
            event[name] = value
        if "id" in event:
            self.number = int(event["id"].rpartition(".")[2])
        if event["event"] != "beat":
            self.told.append(f"{event['event']} {self.number} {json.dumps(plain(json.loads(event['data'])))}")

    def up_to(self, number: int) -> str:
        while self.number < number:
            self.read()
        return "\n".join(self.told)

    def close(self) -> None:
        self.answer.close()
        self.line.close()


class Programs:
    """Everything that programs below surveillance can read of a daemon's table."""

    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon

    def __enter__(self) -> Self:
        self.line = http.client.HTTPConnection(HOST, self.daemon.pit, timeout=DEADLINE_S)
        self.streams = {path: Told(self.daemon, path) for path in STREAMS}
        return self

    def __exit__(self, *_: object) -> None:
        self.line.close()
        for stream in self.streams.values():
            stream.close()

    def hear(self) -> dict[str, str]:
        """Return what each address says now, and all that each stream has told."""
        return {path: self.ask(path) for path in ADDRESSES} | {path: self.told(path) for path in STREAMS}

    def ask(self, path: str) -> str:
        """One connection for all addresses; the server may close it between two steps, and it is opened again."""
        self.line.request("GET", path)
        answer = self.line.getresponse()
        body = json.loads(answer.read())
        return f"{answer.status} {json.dumps(plain(body))}"

    def told(self, path: str) -> str:
        """A second stream tells how far the first has to be read."""
        probe = Told(self.daemon, path)
        probe.close()
        return self.streams[path].up_to(probe.number)
