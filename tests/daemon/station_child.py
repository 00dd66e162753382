"""A table at work in a process of its own, to be killed: it prints what it publishes, as an event stream would.

``work(folder, port, mode, line)`` is made to be forked from a server that has imported everything, so that a restart
costs milliseconds. ``line`` is a connection: each publication goes out as JSON, and "accept" coming in lets the open
hand stand.
"""

from __future__ import annotations

import asyncio
import json
from multiprocessing.connection import Connection
from pathlib import Path
from uuid import uuid4

from controller.core.facts import Fact
from controller.core.inputs import Accept, Command, NewHand
from controller.core.profile import House
from controller.core.prompts import prompt
from controller.core.signals import Identifies
from controller.core.table import Table
from controller.core.words import fact_dict, plain
from controller.daemon.recorder import Recorder
from controller.daemon.station import Station
from controller.logs import prepare_logs
from controller.settings import settings_dict
from drivers.angel_eye import Session
from drivers.live import one_way
from drivers.ports.reopening import serial_link

BAUD = 4800


def work(folder: Path, port: Path, mode: str, line: Connection) -> None:
    prepare_logs(readable=False)
    asyncio.run(serve(folder, port, mode, line))


async def serve(folder: Path, port: Path, mode: str, line: Connection) -> None:
    house, identifies = House(), {"open": Identifies.AT_DRAW, "hidden": Identifies.AT_REVEAL}[mode]
    settings = settings_dict(house, identifies)
    recorder = Recorder(folder, "b1", house, identifies, settings, one_way(lambda: Session(mode)), lambda _: None)

    def publish(station: Station, facts: tuple[Fact, ...], _came: float | None) -> None:
        tell([fact_dict(fact) for fact in facts])

    def tell(facts: list[dict], **more: bool) -> None:
        heard = recorder.session.counts.events
        line.send_bytes(json.dumps(seen(recorder.table) | {"heard": heard, "facts": facts} | more).encode())

    station = Station("b1", "Baccarat 1", recorder, serial_link(str(port), BAUD), publish)
    await station.open()
    tell([], opened=True)

    async def accept() -> None:
        for hand in (*station.table.unsettled.values(), station.table.hand):
            holds = () if hand is None else hand.holds
            ids = tuple(hold.id for hold in (*holds, *(station.table.holds if hand is station.table.hand else ())))
            act = NewHand() if any(hold.kind == "powered-up" for hold in holds) else Accept(ids)
            if ids:
                await station.ask(Command(str(uuid4()), act, hand.ref if hand else ""), "staff:1042")
        tell([], accepted=True)

    tasks: set[asyncio.Task[None]] = set()

    def told() -> None:
        try:
            line.recv_bytes()
        except EOFError:
            asyncio.get_running_loop().remove_reader(line.fileno())
            return
        tasks.add(asyncio.create_task(accept()))

    asyncio.get_running_loop().add_reader(line.fileno(), told)
    await station.run()


def seen(table: Table) -> dict:
    """What a restart has to bring back."""
    hand = table.hand
    return {
        "prompt": [prompt(table).id, plain(prompt(table).blanks), prompt(table).rule],
        "hand": hand.ref if hand else None,
        "felt": [[plain(laid.seat), laid.index, plain(laid.card), laid.exposed] for laid in hand.laid] if hand else [],
        "holds": sorted(hold.kind for hold in (*(hand.holds if hand else ()), *table.holds)),
        "link": table.link.value,
        "out": len(table.shoe.faces),
    }
