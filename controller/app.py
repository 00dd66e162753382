"""The composition root: a configuration becomes tables, pages and metrics in one process."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import structlog

from controller.config import Config, TableConfig, house_of, identifies_of
from controller.core.facts import Fact
from controller.daemon.demo import deal, demo_config, shoes
from controller.daemon.floor import House
from controller.daemon.recorder import Recorder
from controller.daemon.station import Station
from controller.metrics import Metrics
from controller.pit.server import WebServer
from controller.pit.stream import Hub
from controller.pit.web import create_app
from controller.settings import settings_dict
from controller.version import VERSION
from drivers.angel_eye import Session
from drivers.ports.reopening import serial_link

STOPPING = (signal.SIGTERM, signal.SIGINT)
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Running:
    """A daemon at work, and where its pages and metrics are."""

    floor: House
    pages: str
    metrics: str


def prepare_logs(*, readable: bool) -> None:
    """Log JSON lines on stderr, or readable ones for a person who watches a demonstration."""
    logging.getLogger("transitions").setLevel(logging.WARNING)  # at DEBUG each trigger costs eight times as much
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer(colors=False) if readable else structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(__import__("sys").stderr),
    )


def station_of(config: Config, table: TableConfig, hub: Hub, metrics: Metrics) -> Station:
    """Return a table that is not open yet."""
    house, identifies = house_of(table), identifies_of(table)
    recorder = Recorder(
        Path(config.data) / table.id,
        table.id,
        house,
        identifies,
        settings_dict(house, identifies),
        lambda: Session(table.shoe.mode),
        metrics.commits(table.id),
    )

    def publish(station: Station, facts: tuple[Fact, ...], came: float | None) -> None:
        hub.publish(station.ident)
        metrics.judged(station, facts, came)

    return Station(table.id, table.name, recorder, serial_link(table.shoe.port, table.shoe.baud), publish)


@asynccontextmanager
async def running(config: Config, *, demo: bool = False) -> AsyncIterator[Running]:
    """Open journals, ports, pages and metrics; close them all within a second.

    Raises PortBusy, JournalError.
    """
    hub, metrics = Hub(), Metrics([table.id for table in config.tables], VERSION)
    stations = [station_of(config, table, hub, metrics) for table in config.tables]
    floor = House(stations, demo=demo, token=config.server.token)
    web = WebServer(create_app(floor, hub, hosts=config.server.hosts), hub, *config.server.pit)
    async with AsyncExitStack() as stack:
        await web.start()
        stack.push_async_callback(web.stop)
        await asyncio.to_thread(metrics.serve, *config.server.metrics)
        stack.callback(metrics.stop)
        for station in stations:
            stack.push_async_callback(station.close)
            await station.open()
        work = asyncio.gather(*(station.run() for station in stations))
        stack.push_async_callback(_cancelled, work)
        gc.freeze()
        yield Running(floor, f"http://{_shown(config.server.pit)}/", f"http://{_shown(config.server.metrics)}/metrics")


async def _cancelled(work: asyncio.Future[list[None]]) -> None:
    work.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await work


def _shown(address: tuple[str, int]) -> str:
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def run(config: Config, say: Callable[[Running], None], *, demo: bool = False) -> None:
    """Run until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for number in STOPPING:
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with running(config, demo=demo) as daemon:
        say(daemon)
        await stop.wait()
        log.info("stopping")


async def run_demo(folder: Path, say: Callable[[Running], None], *, pit: str, metrics: str, pace: float) -> None:
    """Deal two simulated shoes to real pages, without configuration and hardware."""
    with shoes(folder) as terminals:
        dealers = asyncio.gather(*(deal(pty, mode, pace) for mode, pty in terminals.items()))
        try:
            await run(demo_config(folder, pit, metrics), say, demo=True)
        finally:
            await _cancelled(dealers)
