"""Everything that leaves the daemon, step by step, without what differs between two runs by its nature."""

from __future__ import annotations

import http.client
import json
import re
import urllib.request
from dataclasses import dataclass, field
from typing import Self

from controller.core.signals import Signal
from tests.daemon.daemon import DEADLINE_S, HOST, until
from tests.e2e.programs import Programs
from tests.e2e.sitting import Sitting

TOPICS = {"table/b1": "/table/b1", "board/b1": "/board/b1", "pit": "/"}
TIME = re.compile(r"<time[^>]*>[^<]*</time>")
HEARD = re.compile(r'"heard": \{[^}]*\{[^}]*\}\}')  # when the last byte came, and what time it is

# Durations, times of day, and what this process and others use.
OWN_SERIES = re.compile(
    r"^(?:# \w+ )?(?:tirage_\w*_seconds|tirage_last_card_timestamp|tirage_disk_free_|python_|process_)"
)
AT_REST = 2  # things judged before the shoe speaks: the start, and the open link
PUBLISHED = 'tirage_input_to_published_seconds_count{table="b1"}'


def timeless(text: str) -> str:
    return TIME.sub("<time/>", text)


class Events:
    """One event stream: what it sent, beats left out."""

    def __init__(self, port: int, topic: str) -> None:
        self.line = http.client.HTTPConnection(HOST, port, timeout=DEADLINE_S)
        self.line.request("GET", f"/events/{topic}")
        self.answer = self.line.getresponse()
        self.sent: list[str] = []

    def read(self) -> dict:
        """Read one event, whatever it is."""
        lines: list[str] = []
        while not (lines and lines[-1] == "" and any(line.startswith("data: ") for line in lines)):
            lines.append(self.answer.readline().decode().rstrip("\n"))
        name, data = (next(line for line in lines if line.startswith(key)) for key in ("event: ", "data: "))
        message = json.loads(data.removeprefix("data: "))
        if name != "event: beat":
            body = data.replace(message["boot"], "BOOT")
            self.sent.append(f"{name}\n{timeless(HEARD.sub('', body))}")
        return dict(message)

    def up_to(self, seq: int) -> None:
        while self.read()["seq"] < seq:
            pass

    def close(self) -> None:
        self.answer.close()
        self.line.close()


@dataclass
class Listener:
    """Hears all public outputs of a sitting after each thing that its shoe says."""

    sitting: Sitting
    steps: list[dict[str, str]] = field(default_factory=list)

    def __enter__(self) -> Self:
        until(lambda: self.sitting.daemon.metrics()[PUBLISHED] == AT_REST)
        self.streams = {topic: Events(self.sitting.daemon.pit, topic) for topic in TOPICS}
        self.seqs = {topic: stream.read()["seq"] for topic, stream in self.streams.items()}
        self.programs = Programs(self.sitting.daemon).__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.programs.__exit__()
        for stream in self.streams.values():
            stream.close()

    def say(self, signal: Signal) -> dict[str, str]:
        """Let the shoe say something, wait until it was judged and shown, and return all that left the daemon."""
        before = self.sitting.daemon.metrics()[PUBLISHED]
        self.sitting.say(signal)
        until(lambda: self.sitting.daemon.metrics()[PUBLISHED] > before)
        return self.hear()

    def hear(self) -> dict[str, str]:
        heard = {"/metrics": self._metrics()} | self.programs.hear()
        for topic, path in TOPICS.items():
            heard[path] = timeless(self.sitting.daemon.get(path))
            heard[f"/events/{topic}"] = self._events(topic)
        self.steps.append(heard)
        return heard

    def _metrics(self) -> str:
        address = f"http://{HOST}:{self.sitting.daemon.metrics_port}/metrics"
        with urllib.request.urlopen(address, timeout=DEADLINE_S) as answer:
            lines = answer.read().decode().splitlines()
        return "\n".join(line for line in lines if not OWN_SERIES.match(line))

    def _events(self, topic: str) -> str:
        """All that the stream has sent so far; a second stream tells how far the first has to be read."""
        probe = Events(self.sitting.daemon.pit, topic)
        now = probe.read()["seq"]
        probe.close()
        if now > self.seqs[topic]:
            self.streams[topic].up_to(now)
            self.seqs[topic] = now
        return "\n".join(self.streams[topic].sent)


def parting(one: list[dict[str, str]], other: list[dict[str, str]]) -> tuple[int, list[str]] | None:
    """The first step, from 1, at which two runs differ, and where; None if they never do."""
    for number, (left, right) in enumerate(zip(one, other, strict=True), 1):
        if left != right:
            return number, [place for place in left if left[place] != right[place]]
    return None
