"""Metrics for Prometheus, with their own registry.

They are read by people who may see less than surveillance. So only facts for the public and the pit are counted, a card
drawn face down counts without its face, and no label names a shoe, a hand, a card or a person. Kinds of incident that
are for surveillance have no series of their own; such an incident is one more of `tirage_open_incidents`, as it is one
more "alarm" on the pit page.

Counters never go down: a hand that is corrected later stays counted under its first outcome, and the correction counts
in `tirage_hands_corrected_total`. They start at 0 with the process; what a journal brings back is no new event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

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
)

from controller.core.cards import Seat
from controller.core.facts import Audience, Fact, FactName, HandLine
from controller.core.games import Game
from controller.core.incidents import KINDS
from controller.core.link import NO_FRAMES
from controller.core.signals import Call
from controller.core.table import Link, LinkLevel

NS_PER_S = 1_000_000_000
# Seconds. Dense around what a disk and a page take; 0.05 and 0.1 are where the alerts of deploy/prometheus begin.
BUCKETS_S = (0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0)
WITHOUT_RESULT = ("unknown", "void", "abandoned")
PARTED = tuple(call.value for call in Call if len(call.winners) > 1)  # where two sides play against the bank apart
SIDE_OUTCOMES = ("won", "lost", "tied", "void")
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
    "clock_steps": ("tirage_clock_steps_total", "How often the wall clock was set by more than a second."),
}
GAUGES = {
    "link_live": ("tirage_link_live", "1 while the shoe is connected and was heard since, else 0."),
    "link_up": ("tirage_link_up", "1 while the shoe's port is open, whether it was heard or not, else 0."),
    "link_authenticated": (
        "tirage_link_authenticated",
        "1 while the shoe proves each of its messages, else 0; most shoes cannot.",
    ),
    "link_silent": (
        "tirage_link_silent",
        "1 once an open link told nothing for the house's silence_s, or bytes that are no message; else 0.",
    ),
    "last_card": (
        "tirage_last_card_timestamp_seconds",
        "When a hand last began or ended, or a card left the shoe between hands, Unix time; 0 if none yet.",
    ),
    "incidents": ("tirage_open_incidents", "Incidents that nobody has acknowledged."),
    "recording": ("tirage_recording", "1 while the journal can be written, else 0."),
    "disk_free": ("tirage_disk_free_ratio", "The free part of the disk that the journal is on, 0 to 1."),
}
HISTOGRAMS = {
    "published": ("tirage_input_to_published_seconds", "From an input's arrival until the pages have what came of it."),
    "commit": ("tirage_journal_commit_seconds", "How long the disk took to make a journal entry durable."),
}
HANDS = ("tirage_hands_total", "Hands closed, by their first outcome.")
SIDES = (
    "tirage_sides_total",
    "Hands closed with a result, by what became of each side that people play against the bank; void: it refused.",
)
IRREGULARITIES = ("tirage_irregularities_total", "Irregularities found in hands, by kind; once the faces are public.")
ACCOUNTS = (
    ("tirage_accounts_readable", "1 while the file of accounts can be read, else 0: nobody signs in."),
    ("tirage_accounts_log_bytes", "Size of the write-ahead log of the accounts' file."),
)
BUILD = ("tirage_build_info", "The version that is running.")


class Families(NamedTuple):
    """Every family of a process, by the short names above."""

    counters: dict[str, Counter]
    gauges: dict[str, Gauge]
    histograms: dict[str, Histogram]
    hands: Counter
    sides: Counter
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
        of(Counter, SIDES, "side", "outcome"),
        of(Counter, IRREGULARITIES, "kind"),
    )


def outcomes_of(game: Game) -> tuple[str, ...]:
    """Return the outcomes that a hand of a game may have.

    >>> from controller.core.games import PUNTO_BANCO
    >>> outcomes_of(PUNTO_BANCO)
    ('player', 'banker', 'tie', 'unknown', 'void', 'abandoned')
    """
    results = PARTED if len(game.sides) > 1 else (game.sides[0].value, game.bank.value, "tie")
    return (*results, *WITHOUT_RESULT)


class TableMetrics:
    """The series of one table. All of them are there from the start, with 0."""

    def __init__(self, families: Families, table: str, game: Game) -> None:
        self.counters = {name: family.labels(table) for name, family in families.counters.items()}
        self.gauges = {name: family.labels(table) for name, family in families.gauges.items()}
        self.histograms = {name: family.labels(table) for name, family in families.histograms.items()}
        self.hands = {outcome: families.hands.labels(table, outcome) for outcome in outcomes_of(game)}
        self.sides = [
            {word: families.sides.labels(table, side.value, outcome) for word, outcome in words_of(game, side).items()}
            for side in (game.sides if game.asks_taker else ())
        ]
        self.irregularities = {kind: families.irregularities.labels(table, kind) for kind in IRREGULAR}
        self.open: set[str] = set()

    def observe(self, facts: Iterable[Fact]) -> None:
        """Count what came of one input."""
        for fact in facts:
            effect = EFFECTS.get(fact.name)
            if effect and (fact.audience is not Audience.SURVEILLANCE or fact.name in COUNTED_UNREAD):
                effect(self, fact, dict(fact.data))

    def card(self, _: Fact, __: dict[str, Any]) -> None:
        self.counters["cards"].inc()

    def dated(self, fact: Fact, _: dict[str, Any]) -> None:
        """Show a moment that does not tell how long anybody thought within a hand."""
        if fact.at.utc_ns is not None:
            self.gauges["last_card"].set(fact.at.utc_ns / NS_PER_S)

    def off_game(self, fact: Fact, data: dict[str, Any]) -> None:
        if data["mode"] not in NO_CARD and fact.hand is None:
            self.dated(fact, data)

    def completed(self, fact: Fact, data: dict[str, Any]) -> None:
        self.dated(fact, data)
        line: HandLine = data["line"]
        outcome = line.recorded or (line.result.value if line.result else "unknown")
        self.hands[outcome if outcome in self.hands else "unknown"].inc()
        winners = outcome.split("/")
        if len(winners) == len(self.sides):
            for side, word in zip(self.sides, winners, strict=True):
                if word in side:
                    side[word].inc()

    def voided(self, fact: Fact, data: dict[str, Any]) -> None:
        self.dated(fact, data)
        self.hands["void"].inc()

    def abandoned(self, fact: Fact, data: dict[str, Any]) -> None:
        self.dated(fact, data)
        self.hands["abandoned"].inc()

    def corrected(self, _: Fact, __: dict[str, Any]) -> None:
        self.counters["corrected"].inc()

    def irregular(self, _: Fact, data: dict[str, Any]) -> None:
        if data["kind"] in self.irregularities:
            self.irregularities[data["kind"]].inc()

    def link_changed(self, _: Fact, data: dict[str, Any]) -> None:
        self.link(data["link"], silent=data["detail"] in UNHEARD)

    def clock_stepped(self, _: Fact, __: dict[str, Any]) -> None:
        self.counters["clock_steps"].inc()

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


def words_of(game: Game, side: Seat) -> dict[str, str]:
    """Return what a result says of a side, and what that is to the side.

    >>> from controller.core.games import PUNTO_BANCO
    >>> words_of(PUNTO_BANCO, Seat.PLAYER)
    {'player': 'won', 'banker': 'lost', 'tie': 'tied'}
    """
    words = (side.value, game.bank.value, "tie", *(("void",) if len(game.sides) > 1 else ()))
    return dict(zip(words, SIDE_OUTCOMES, strict=False))


Effect = Callable[[TableMetrics, Fact, dict[str, Any]], None]
EFFECTS: dict[FactName, Effect] = {
    FactName.CARD_DRAWN: TableMetrics.card,
    FactName.HAND_OPENED: TableMetrics.dated,
    FactName.BURN_CARD_SEEN: TableMetrics.dated,
    FactName.OFF_GAME_CARD_SEEN: TableMetrics.off_game,
    FactName.HAND_COMPLETED: TableMetrics.completed,
    FactName.HAND_VOIDED: TableMetrics.voided,
    FactName.HAND_ABANDONED: TableMetrics.abandoned,
    FactName.HAND_CORRECTED: TableMetrics.corrected,
    FactName.IRREGULARITY_FOUND: TableMetrics.irregular,
    FactName.LINK_CHANGED: TableMetrics.link_changed,
    FactName.CLOCK_STEPPED: TableMetrics.clock_stepped,
    FactName.INCIDENT_OPENED: TableMetrics.opened,
    FactName.INCIDENT_ACKNOWLEDGED: TableMetrics.acknowledged,
}


class Metrics:
    """All metrics of one daemon; ``tables`` are its tables' games by id. Raises KeyError for a table that is none."""

    def __init__(self, tables: Mapping[str, Game], version: str) -> None:
        # The library's own switch: no second series for each counter, which nobody reads.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        families = families_of(self.registry)
        self.tables = {table: TableMetrics(families, table, game) for table, game in tables.items()}
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

    def accounts(self, readable: Callable[[], float], log_bytes: Callable[[], float]) -> None:
        """Let each scrape ask whether people can be looked up, and how large the log of their file is."""
        for (name, text), ask in zip(ACCOUNTS, (readable, log_bytes), strict=True):
            Gauge(name, text, registry=self.registry).set_function(ask)

    def disk_free(self, table: str, ratio: Callable[[], float]) -> None:
        """Let each scrape ask how much of a table's disk is free."""
        self.tables[table].gauges["disk_free"].set_function(ratio)

    def authentic(self, table: str, level: LinkLevel | None) -> None:
        """Take over whether a table's shoe proves what it says."""
        self.tables[table].gauges["link_authenticated"].set(level is LinkLevel.AUTHENTIC)

    def resumed(self, table: str, link: Link, incidents: Iterable[str]) -> None:
        """Take over what stands open after a journal was read: the link and the ids of open incidents."""
        self.tables[table].link(link)
        self.tables[table].incidents(incidents)

    def text(self) -> str:
        """Return what a scrape would get now."""
        return generate_latest(self.registry).decode()
