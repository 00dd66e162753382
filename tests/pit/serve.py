"""Serve a sample floor in a process of its own: `python -m tests.pit.serve --port=0 STATE...`.

Prints its port, then each command that comes. A line on standard input, `TABLE STATE`, puts a table into another state.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from dataclasses import replace
from typing import Any

from controller import catalogue
from controller.core.words import to_dict
from controller.pit.server import WebServer
from controller.pit.stream import Hub
from controller.pit.web import create_app
from tests.pit.sample import STATES, floor_of, incident


class Telling(list[Any]):
    """Prints what is appended."""

    def append(self, item: Any) -> None:
        table, command, by = item
        print(json.dumps({"table": table, "by": by, "hand": command.hand, "act": to_dict(command.act)}), flush=True)


async def serve(states: list[str], port: int) -> None:
    floor = floor_of(*states)
    floor.given = Telling()
    floor.incidents = {
        table: (incident(table, 1), incident(table, 2, "banker-false-draw", "notice", "R-PB-05"))
        for table, view in floor.views.items()
        if view.holds
    }
    hub = Hub()
    web = WebServer(create_app(floor, hub, catalogue.load(missing=catalogue.refuse)), hub, "127.0.0.1", port)
    await web.start()
    print(web.port, flush=True)
    loop = asyncio.get_running_loop()

    def told() -> None:
        line = sys.stdin.readline().split()
        if len(line) != 2:
            loop.remove_reader(sys.stdin)
            return
        table, state = line
        floor.views[table] = replace(STATES[state], table=table, name=f"Baccarat {table}")
        hub.publish(table)

    loop.add_reader(sys.stdin, told)
    stop = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    await stop.wait()
    await web.stop()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[2:], int(sys.argv[1].removeprefix("--port="))))
