"""The real server with recall, over a sample floor and real journals."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from controller import catalogue
from controller.pit.recall import Archive
from controller.pit.server import WebServer
from controller.pit.web import create_app
from tests.pit.conftest import DEADLINE_S, Pit


@dataclass
class Recalled(Pit):
    """A pit whose tables have journals."""

    folders: dict[str, Path] = field(default_factory=dict)

    def start(self) -> None:
        words = catalogue.load(missing=catalogue.refuse)
        self.archive = Archive(self.folders)
        app = create_app(self.floor, self.hub, words, hosts=["pit.example"], archive=self.archive)
        self.web = WebServer(app, self.hub, "127.0.0.1", 0)
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.run(self.web.start())

    @classmethod
    def running(cls, floor, folders: dict[str, Path]) -> Iterator[Pit]:
        made = cls(floor, folders=folders)
        made.start()
        yield made
        made.stop()
        made.run(made.archive.close())
        made.loop.call_soon_threadsafe(made.loop.stop)
        made.thread.join(DEADLINE_S)
        made.loop.close()
