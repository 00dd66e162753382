"""The composition root: a configuration becomes tables, pages and metrics in one process."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC
from datetime import time as clock_time
from pathlib import Path
from time import monotonic
from zoneinfo import ZoneInfo

import structlog

from controller.accounts.people import People, Rules
from controller.accounts.policy import POLICIES
from controller.accounts.store import store_of
from controller.api.door import Outside
from controller.api.feed import Feed
from controller.config import (
    Config,
    LetDown,
    TableConfig,
    chosen_for,
    house_of,
    identifies_of,
    let_down_of,
    shoe_in_force,
)
from controller.core.facts import Fact
from controller.daemon.demo import deal, demo_config, shoes
from controller.daemon.floor import Calendar, House
from controller.daemon.recorder import Recorder
from controller.daemon.station import Station
from controller.daemon.watchdog import watched
from controller.metrics import Metrics
from controller.pit.recall import Archive
from controller.pit.server import WebServer
from controller.pit.stream import Hub
from controller.pit.web import create_app
from controller.recall.wire import driver_dict
from controller.scraping import serve
from controller.settings import settings_dict
from controller.version import NOT_CERTIFIED, VERSION
from drivers.live import Live
from drivers.ports import link_to
from drivers.shoes import DRIVERS

STOPPING = (signal.SIGTERM, signal.SIGINT)
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Running:
    """A daemon at work, and where its pages and metrics are."""

    floor: House
    pages: str
    metrics: str
    work: tuple[asyncio.Task[None], ...]

    @property
    def announcement(self) -> str:
        """What a person who starts it wants to know: where to look."""
        head = f"tirage {VERSION}{' DEMO' if self.floor.demo else ''}: pit display {self.pages}  metrics {self.metrics}"
        tables = [
            f"  {name}: {self.pages}table/{ident}  board {self.pages}board/{ident}" for ident, name in self.floor.tables
        ]
        return "\n".join([head, *tables, NOT_CERTIFIED])


class Meter:
    """Tells the metrics of one table what changed at it."""

    def __init__(self, metrics: Metrics, table: str) -> None:
        self._metrics = metrics
        self._table = table
        self._frames = (0, 0, 0)

    def read(self, station: Station, facts: tuple[Fact, ...], came: float | None) -> None:
        """Take the facts of one input; ``came`` is when it arrived, None for one brought back from the journal."""
        metrics, table = self._metrics, self._table
        metrics.recording(table, station.cannot_record)
        if came is None:
            metrics.resumed(table, station.table.link, station.table.incidents)
            self._frames = figures(station.recorder.session)  # the session was led through what is kept
            return
        metrics.observe(table, facts)
        metrics.published(table, monotonic() - came)
        metrics.authentic(table, station.table.link_level)
        self._count(station.recorder.session)

    def _count(self, shoe: Live) -> None:
        frames = figures(shoe)
        bad, repeated, missing = (max(new - old, 0) for new, old in zip(frames, self._frames, strict=True))
        self._metrics.frames(self._table, bad=bad, repeated=repeated, missing=missing)
        self._frames = frames


def figures(shoe: Live) -> tuple[int, int, int]:
    """Return how many frames were bad, repeated and missing."""
    return shoe.counts.bad_checksums, shoe.repeated, shoe.counts.missing


def recorder_of(config: Config, table: TableConfig, on_commit: Callable[[float], None]) -> Recorder:
    """Return the recorder of a table, not open yet; ``on_commit`` hears how long each write took the disk."""
    house, identifies, shoe = house_of(table), identifies_of(table), shoe_in_force(config, table)
    let_down = {"let_down": shoe.let_down} if shoe.let_down else {}
    return Recorder(
        config.data_folder / table.id,
        table.id,
        house,
        identifies,
        settings_dict(house, identifies),
        DRIVERS[shoe.driver].live(chosen_for(config, table)),
        on_commit,
        driver_dict(shoe.driver, shoe.chosen) | let_down,
    )


def station_of(config: Config, table: TableConfig, hub: Hub, metrics: Metrics, feed: Feed) -> Station:
    """Return a table that is not open yet."""
    recorder = recorder_of(config, table, lambda seconds: metrics.committed(table.id, seconds))
    if (worth := let_down_of(config, table)) not in (None, LetDown.BY_TWO):
        log.warning("let_down", table=table.id, device=table.shoe.let_down, worth=worth.value)
    meter = Meter(metrics, table.id)

    def publish(station: Station, facts: tuple[Fact, ...], came: float | None) -> None:
        hub.publish(station.ident)
        feed.take(station.ident, facts)
        meter.read(station, facts, came)

    station = Station(table.id, table.name, recorder, link_to(table.shoe.port, table.shoe.baud), publish)
    metrics.disk_free(table.id, lambda: station.host.free_ratio)
    return station


@asynccontextmanager
async def running(config: Config, *, demo: bool = False) -> AsyncIterator[Running]:
    """Open journals, ports, pages and metrics; close them all within a second.

    Raises PortBusy, CannotListen, JournalError, CannotLog.
    """
    hub, metrics = Hub(), Metrics({table.id: house_of(table).game for table in config.tables}, VERSION)
    outside = [Outside(one.name, one.token, one.tables, one.delay_s) for one in config.feeds]
    feed = Feed(max((one.delay_s for one in outside), default=0.0))
    stations = [station_of(config, table, hub, metrics, feed) for table in config.tables]
    floor = House(stations, demo=demo, token=config.server.token, calendar=calendar_of(config))
    people = people_of(config)
    if people is not None:
        store = people.store
        metrics.accounts(lambda: not store.unreadable, lambda: store.log_bytes)
    archive = Archive({station.ident: station.recorder.folder for station in stations})
    app = create_app(floor, hub, hosts=config.server.names, people=people, archive=archive, feed=feed, outside=outside)
    web = WebServer(app, hub, *config.server.pit)
    ends: list[Callable[[], Awaitable[None]]] = []
    try:
        for station in stations:
            ends.append(station.close)
            await station.open()
        ends.append(archive.close)
        ends.append(lambda: pages_stopped(web, people))
        await web.start()
        scraped = serve(metrics, *config.server.metrics)
        ends.append(lambda: asyncio.to_thread(scraped.stop))
        gc.freeze()  # what start-up made stays: no collection walks it again
        work = tuple(asyncio.create_task(station.run(), name=f"station-{station.ident}") for station in stations)
        ends.insert(0, lambda: stopped(work))
        yield Running(
            floor,
            f"http://{shown((config.server.pit[0], web.port))}/",  # port 0 became one that was free
            f"http://{shown((config.server.metrics[0], scraped.port))}/metrics",
            work,
        )
    finally:
        await ended(ends)


def calendar_of(config: Config) -> Calendar:
    """Return the house's days."""
    zone = UTC if config.house.zone == "UTC" else ZoneInfo(config.house.zone)
    return Calendar(zone, clock_time.fromisoformat(config.house.day_starts))


def people_of(config: Config) -> People | None:
    """Return the house's people; None where nobody signs in. Raises CannotLog."""
    chosen = config.accounts
    if not chosen.enabled:
        return None
    rules = Rules(POLICIES[chosen.auth_policy], frozenset(chosen.two_persons), chosen.https)
    people = People(config.data_folder, rules, store=store_of(config.data_folder))
    if people.store.unreadable:
        log.error("accounts unreadable", reason=people.store.unreadable, fix="restore the file, then start again")
    elif not people.store.accounts():
        log.warning("no accounts yet", fix="tirage accounts add NUMBER --role ROLE --config FILE")
    return people


async def pages_stopped(web: WebServer, people: People | None) -> None:
    """Stop the pages, then let go of what they used."""
    await web.stop()
    if people is not None:
        await people.close()


async def stopped(work: tuple[asyncio.Task[None], ...]) -> None:
    """Let no table take anything more; a failure of one was told by `run`."""
    for task in work:
        task.cancel()
    await asyncio.wait(work)


async def ended(ends: list[Callable[[], Awaitable[None]]]) -> None:
    """Stop the tables, then all the rest at once. Raises the first error, after all have been tried."""
    tried: list[BaseException | None] = []
    for together in (ends[:1], ends[1:]):
        tried += await asyncio.gather(*(end() for end in together), return_exceptions=True)
    for error in tried:
        if error is not None:
            raise error


async def cancelled(work: asyncio.Future[list[None]]) -> None:
    """Cancel and wait until it is so."""
    work.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await work


def shown(address: tuple[str, int]) -> str:
    """Return an address as people write it."""
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def run(config: Config, say: Callable[[str], None], *, demo: bool = False) -> None:
    """Run until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for number in STOPPING:
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with running(config, demo=demo) as daemon:
        say(daemon.announcement)
        asked = asyncio.create_task(stop.wait())
        with watched(daemon.floor.stations):
            await asyncio.wait({asked, *daemon.work}, return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()
        for task in daemon.work:
            if task.done():
                task.result()  # a table never ends by itself: a fault of ours, and a page that looks live would hide it
        log.info("stopping")


async def run_demo(folder: Path, say: Callable[[str], None], *, pit: str, metrics: str, speed: float) -> None:
    """Deal two simulated shoes to real pages, without configuration and hardware."""
    with shoes(folder) as terminals:
        dealers = asyncio.gather(*(deal(pty, mode, speed) for mode, pty in terminals.items()))
        try:
            await run(demo_config(folder, pit, metrics), say, demo=True)
        finally:
            await cancelled(dealers)
