"""Reads a port as a table does, as a program of its own: says each event in a line, until its standard input ends.
A line of hex digits there is sent to the device.

Arguments: the port, the speed, and the wait in seconds before the first and each next try.
"""

import asyncio
import json
import os
import sys

from drivers.ports import PortBytes, PortEvent, PortLost, PortOpened, link_to


def told(event: PortEvent) -> str:
    match event:
        case PortOpened(identity):
            return json.dumps(["opened", identity])
        case PortLost(reason):
            return json.dumps(["lost", reason])
        case PortBytes(data):
            return json.dumps(["bytes", data.hex()])


async def main(port: str, baud: str, wait: str = "") -> None:
    link = link_to(port, int(baud))
    if wait:
        link._wait_s = link._first_wait_s = link._longest_wait_s = float(wait)
    loop = asyncio.get_running_loop()
    sending = set()

    def asked() -> None:
        if not (words := os.read(0, 4096)):
            loop.remove_reader(0)
            link.close()
        sending.update(loop.create_task(link.send(bytes.fromhex(word))) for word in words.decode().split())

    loop.add_reader(0, asked)
    async for event in link.events():
        print(told(event), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
