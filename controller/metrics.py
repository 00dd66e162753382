"""Metrics for Prometheus, with their own registry, port and thread.

They are read by people who may see less than surveillance. So only facts for the public and the pit are counted, a card
drawn face down counts without its face, and no label names a shoe, a hand, a card or a person. Kinds of incident that
are for surveillance have no series of their own; such an incident is one more of `tirage_open_incidents`, as it is one
more "alarm" on the pit page.

Counters never go down: a hand that is corrected later stays counted under its first outcome, and the correction counts
in `tirage_hands_corrected_total`. They start at 0 with the process; what a journal brings back is no new event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from threading import Thread
from typing import Any, NamedTuple
from wsgiref.simple_server import WSGIServer

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
    start_http_server,
)

from controller.core.facts import Audience, Fact, FactName, HandLine
from controller.core.incidents import KINDS
from controller.core.link import NO_FRAMES
from controller.core.table import Link

NS_PER_S = 1_000_000_000
STOP_TIMEOUT_S = 0.8  # the daemon is to end within 1 s; the server looks every 0.5 s whether it should
# Seconds. Dense around what a disk and a page take; 0.05 and 0.1 are where the alerts of deploy/prometheus begin.
BUCKETS_S = (0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0)
OUTCOMES = ("player", "banker", "tie", "unknown", "void", "abandoned")
IRREGULAR = tuple(name for name, kind in KINDS.items() if kind.irregular and kind.audience is not Audience.SURVEILLANCE)
# What surveillance alone may read and counts all the same: that a card left the shoe, that an alarm waits.
COUNTED_UNREAD = frozenset(
    {FactName.CARD_DRAWN, FactName.BURN_CARD_SEEN, FactName.OFF_GAME_CARD_SEEN, FactName.INCIDENT_OPENED}
)
UNHEARD = frozenset({"silent", NO_FRAMES})  # why an open link is not to be relied on
NO_CARD = frozenset({"shown", "second-card"})  # modes of OffGameCardSeen that tell a face, and no card that left

COUNTERS = {
    "cards": ("tirage_cards_total", "Cards laid in hands."),
    "corrected": (
        "tirage_hands_corrected_total",
        "Closed hands that a person corrected; each keeps its first outcome.",
    ),
    "bad": ("tirage_frames_bad_total", "Frames of the shoe that arrived damaged."),
    "repeated": ("tirage_frames_repeated_total", "Frames of the shoe that were further copies of one heard before."),
    "missing": ("tirage_frames_missing_total", "Frames of the shoe that never arrived, by the gaps in their numbers."),
}
GAUGES = {
    "link_live": ("tirage_link_live", "1 while the shoe is connected and was heard since, else 0."),
    "link_up": ("tirage_link_up", "1 while the shoe's port is open, whether it was heard or not, else 0."),
    "link_silent": (
        "tirage_link_silent",
        "1 once an open link told nothing for the house's silence_s, or bytes that are no message; else 0.",
    ),
    "last_card": ("tirage_last_card_timestamp_seconds", "When a card last left the shoe, Unix time; 0 if none yet."),
    "incidents": ("tirage_open_incidents", "Incidents that nobody has acknowledged."),
    "recording": ("tirage_recording", "1 while the journal can be written, else 0."),
}
HISTOGRAMS = {
    "published": ("tirage_input_to_published_seconds", "From an input's arrival until the pages have what came of it."),
    "commit": ("tirage_journal_commit_seconds", "How long the disk took to make a journal entry durable."),
}
HANDS = ("tirage_hands_total", "Hands closed, by their first outcome.")
IRREGULARITIES = ("tirage_irregularities_total", "Irregularities found in hands, by kind; once the faces are public.")
BUILD = ("tirage_build_info", "The version that is running.")


class CannotListen(Exception):
    """The address for metrics cannot be had; its text is a sentence for the operator."""


class Families(NamedTuple):
    """Every family of a process, by the short names above."""

    counters: dict[str, Counter]
    gauges: dict[str, Gauge]
    histograms: dict[str, Histogram]
    hands: Counter
    irregularities: Counter


def families_of(registry: CollectorRegistry) -> Families:
    """Register every family that has a table."""

    def of(kind: Callable[..., Any], spoken: tuple[str, str], *labels: str, **more: Any) -> Any:
        return kind(*spoken, ("table", *labels), registry=registry, **more)

    return Families(
        {name: of(Counter, spoken) for name, spoken in COUNTERS.items()},
        {name: of(Gauge, spoken) for name, spoken in GAUGES.items()},
        {name: of(Histogram, spoken, buckets=BUCKETS_S) for name, spoken in HISTOGRAMS.items()},
        of(Counter, HANDS, "outcome"),
        of(Counter, IRREGULARITIES, "kind"),
    )


class TableMetrics:
    """The series of one table. All of them are there from the start, with 0."""

    def __init__(self, families: Families, table: str) -> None:
        self.counters = {name: family.labels(table) for name, family in families.counters.items()}
        self.gauges = {name: family.labels(table) for name, family in families.gauges.items()}
        self.histograms = {name: family.labels(table) for name, family in families.histograms.items()}
        self.hands = {outcome: families.hands.labels(table, outcome) for outcome in OUTCOMES}
        self.irregularities = {kind: families.irregularities.labels(table, kind) for kind in IRREGULAR}
        self.open: set[str] = set()

    def observe(self, facts: Iterable[Fact]) -> None:
        """Count what came of one input."""
        for fact in facts:
            effect = EFFECTS.get(fact.name)
            if effect and (fact.audience is not Audience.SURVEILLANCE or fact.name in COUNTED_UNREAD):
                effect(self, fact, dict(fact.data))

    def card(self, fact: Fact, _: dict[str, Any]) -> None:
        self.counters["cards"].inc()
        self.left_the_shoe(fact)

    def burnt(self, fact: Fact, _: dict[str, Any]) -> None:
        self.left_the_shoe(fact)

    def off_game(self, fact: Fact, data: dict[str, Any]) -> None:
        if data["mode"] not in NO_CARD:
            self.left_the_shoe(fact)

    def left_the_shoe(self, fact: Fact) -> None:
        if fact.at.utc_ns is not None:
            self.gauges["last_card"].set(fact.at.utc_ns / NS_PER_S)

    def completed(self, _: Fact, data: dict[str, Any]) -> None:
        line: HandLine = data["line"]
        outcome = line.recorded or (line.result.value if line.result else "unknown")
        self.hands[outcome if outcome in self.hands else "unknown"].inc()

    def voided(self, _: Fact, __: dict[str, Any]) -> None:
        self.hands["void"].inc()

    def abandoned(self, _: Fact, __: dict[str, Any]) -> None:
        self.hands["abandoned"].inc()

    def corrected(self, _: Fact, __: dict[str, Any]) -> None:
        self.counters["corrected"].inc()

    def irregular(self, _: Fact, data: dict[str, Any]) -> None:
        if data["kind"] in self.irregularities:
            self.irregularities[data["kind"]].inc()

    def link_changed(self, _: Fact, data: dict[str, Any]) -> None:
        self.link(data["link"], silent=data["detail"] in UNHEARD)

    def opened(self, _: Fact, data: dict[str, Any]) -> None:
        self.incidents((*self.open, data["id"]))

    def acknowledged(self, _: Fact, data: dict[str, Any]) -> None:
        self.incidents(self.open - {data["id"]})

    def incidents(self, ids: Iterable[str]) -> None:
        self.open = set(ids)
        self.gauges["incidents"].set(len(self.open))

    def link(self, link: Link, *, silent: bool = False) -> None:
        self.gauges["link_live"].set(link is Link.LIVE)
        self.gauges["link_up"].set(link in (Link.LIVE, Link.SYNCING))
        self.gauges["link_silent"].set(silent)


Effect = Callable[[TableMetrics, Fact, dict[str, Any]], None]
EFFECTS: dict[FactName, Effect] = {
    FactName.CARD_DRAWN: TableMetrics.card,
    FactName.BURN_CARD_SEEN: TableMetrics.burnt,
    FactName.OFF_GAME_CARD_SEEN: TableMetrics.off_game,
    FactName.HAND_COMPLETED: TableMetrics.completed,
    FactName.HAND_VOIDED: TableMetrics.voided,
    FactName.HAND_ABANDONED: TableMetrics.abandoned,
    FactName.HAND_CORRECTED: TableMetrics.corrected,
    FactName.IRREGULARITY_FOUND: TableMetrics.irregular,
    FactName.LINK_CHANGED: TableMetrics.link_changed,
    FactName.INCIDENT_OPENED: TableMetrics.opened,
    FactName.INCIDENT_ACKNOWLEDGED: TableMetrics.acknowledged,
}


class Metrics:
    """All metrics of one daemon; ``tables`` are the ids of its tables. Raises KeyError for a table that is none."""

    def __init__(self, tables: Sequence[str], version: str) -> None:
        # The library's own switch: no second series for each counter, which nobody reads.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        families = families_of(self.registry)
        self.tables = {table: TableMetrics(families, table) for table in tables}
        Info(BUILD[0].removesuffix("_info"), BUILD[1], registry=self.registry).info({"version": version})
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self.registry)

    def observe(self, table: str, facts: Iterable[Fact]) -> None:
        """Count what came of one input at a table."""
        self.tables[table].observe(facts)

    def frames(self, table: str, *, bad: int = 0, repeated: int = 0, missing: int = 0) -> None:
        """Add what the driver counted since it was last asked."""
        counters = self.tables[table].counters
        counters["bad"].inc(bad)
        counters["repeated"].inc(repeated)
        counters["missing"].inc(missing)

    def committed(self, table: str, seconds: float) -> None:
        """Note how long a journal entry took to become durable."""
        self.tables[table].histograms["commit"].observe(seconds)

    def published(self, table: str, seconds: float) -> None:
        """Note how long an input took from its arrival to the pages."""
        self.tables[table].histograms["published"].observe(seconds)

    def recording(self, table: str, failure: str | None) -> None:
        """Say why nothing can be recorded; None while it can. Before the first call a table counts as not."""
        self.tables[table].gauges["recording"].set(failure is None)

    def resumed(self, table: str, link: Link, incidents: Iterable[str]) -> None:
        """Take over what stands open after a journal was read: the link and the ids of open incidents."""
        self.tables[table].link(link)
        self.tables[table].incidents(incidents)

    def text(self) -> str:
        """Return what a scrape would get now."""
        return generate_latest(self.registry).decode()


@dataclass(frozen=True, slots=True)
class Serving:
    """The server of the metrics, in its own thread. ``port`` is the one it was given where 0 was asked for."""

    server: WSGIServer
    thread: Thread

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self.server.server_port

    def stop(self) -> None:
        """Take no more requests and give the port back; waits half a second at most."""
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(STOP_TIMEOUT_S)


def serve(metrics: Metrics, host: str, port: int) -> Serving:
    """Answer scrapes at an address until stopped. Raises CannotListen."""
    try:
        return Serving(*start_http_server(port, addr=host, registry=metrics.registry))
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        fix = "stop the program that holds it, or choose another address as metrics in [server]"
        raise CannotListen(f"metrics cannot listen on {host} port {port}: {why}; {fix}") from None
