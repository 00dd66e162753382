"""A server in a process of its own that tells facts all the time: `python -m tests.api.crowd`.

Prints its port. A line on standard input, `BYTES PER_S`, says how large and how many facts are; it is answered by how
many streams are open, how much memory the process has, and how late facts came to a client that reads at once, since
the last answer: by the clock, and in processor time of this process, which does not count what else the machine does.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from pathlib import Path

from controller.api.feed import Feed
from controller.pit.server import WebServer
from controller.pit.stream import Hub
from controller.pit.web import create_app
from tests.api.serving import fact
from tests.pit.sample import floor_of

ANSWER_S = 0.1  # so that who asks again and again does not keep the server busy
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
TOLD = re.compile(rb'"clock": (\d+), "processor": (\d+)')


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES


class Healthy:
    """A client that reads at once, by a real connection in the same loop."""

    def __init__(self) -> None:
        self.clock_s: list[float] = []
        self.processor_s: list[float] = []

    async def read(self, port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /api/v1/events?tables=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        while line := await reader.readline():
            if found := TOLD.search(line):
                self.clock_s.append((time.monotonic_ns() - int(found[1])) / 1e9)
                self.processor_s.append((time.process_time_ns() - int(found[2])) / 1e9)

    def taken(self) -> dict:
        told = {"clock_s": self.clock_s, "processor_s": self.processor_s}
        self.clock_s, self.processor_s = [], []
        return told


async def serve() -> None:
    hub, feed = Hub(), Feed()
    web = WebServer(create_app(floor_of("middle", "face-down"), hub, feed=feed), hub, "127.0.0.1", 0)
    await web.start()
    healthy = Healthy()
    reading = asyncio.create_task(healthy.read(web.port))
    print(web.port, flush=True)
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    wanted, number = {"bytes": 0, "per_s": 10.0}, 0

    def asked() -> None:
        line = sys.stdin.readline().split()
        if not line:
            loop.remove_reader(sys.stdin)
            over.set()
            return
        wanted.update(bytes=int(line[0]), per_s=float(line[1]))
        loop.call_later(ANSWER_S, answer)

    def answer() -> None:
        said = {"readers": feed.readers, "rss": resident_bytes()} | healthy.taken()
        print(json.dumps(said), flush=True)

    def tell() -> None:
        nonlocal number
        number += 1
        at = {"clock": time.monotonic_ns(), "processor": time.process_time_ns()}
        feed.take("1", (fact(number, **at, padding="x" * int(wanted["bytes"])),))
        loop.call_later(1 / wanted["per_s"], tell)

    loop.add_reader(sys.stdin, asked)
    tell()
    await over.wait()
    reading.cancel()
    await web.stop()


if __name__ == "__main__":
    asyncio.run(serve())
