"""The report of a shoe: what was dealt, by whom, how fast, what went wrong, and what proves it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from controller.core.cards import DECK
from controller.core.facts import Audience
from controller.core.games import Game
from controller.core.incidents import KINDS
from controller.core.watching import QUICKEST_HAND_NS
from controller.core.words import fact_dict, iso, utc_ns
from controller.recall.clock import FROM_THE_LAST_WORD, TIMED
from controller.recall.ledger import Ledger, Plain, outcome
from controller.recall.story import Story

HOUR_NS = 3_600 * 1_000_000_000
SECRET = frozenset(kind for kind, how in KINDS.items() if how.audience is Audience.SURVEILLANCE)
SHORT_HASH = 8  # of the chain: what is read out or printed at the shoe's end (trust.md 2.2)


@dataclass(frozen=True, slots=True)
class Report:
    """A shoe in figures and rows. Times are ISO 8601 UTC.

    ``stub`` cards were counted back, None if not; ``difference`` is decks x 52 less what left and what was counted
    back, None without a stub. ``impossible`` are faces of which more left than the shoe holds, once it is closed.
    ``levels`` of the link during the shoe are unauthenticated and authentic, in the order of the first time; none where
    nothing was heard of a shoe.
    """

    table: str
    shoe: int
    serial: str
    closed: bool
    decks: int
    game: str
    day: str
    limits: str
    began: str | None
    ended: str | None
    hands: tuple[Plain, ...]
    abandoned: tuple[Plain, ...]
    results: dict[str, int]
    sorts: dict[str, int]
    sources: dict[str, int]
    corrected: int
    irregular: int
    hands_per_hour: int | None
    levels: tuple[str, ...]
    cards: dict[str, int | None]
    impossible: tuple[str, ...]
    people: tuple[Plain, ...]
    incidents: tuple[Plain, ...]
    evidence: dict[str, Any]


def report(story: Story) -> Report:
    """Return the report of a shoe as far as it is dealt."""
    ledger = Ledger(story.table)
    for _, fact in story.facts():
        ledger.take(fact_dict(fact))
    hands = tuple(ledger.hands[key] for key in sorted(ledger.hands, key=lambda key: key[1] or 0))
    ended = [row for row in hands if row["closed"]]
    times = [fact.at.utc_ns for _, fact in story.facts() if fact.at.utc_ns is not None and fact.name in TIMED]
    return Report(
        table=story.table,
        shoe=story.number,
        serial=story.shoe.serial,
        closed=story.shoe.closed,
        decks=story.shoe.house.decks,
        game=story.state.game.name,
        day=story.day.day,
        limits=story.day.limits,
        began=iso(min(times, default=None)),
        ended=iso(max(times, default=None)),
        hands=hands,
        abandoned=tuple(ledger.abandoned),
        results=dict(Counter(outcome(row) or "none" for row in ended)),
        sorts=dict(Counter(row["sort"] for row in hands)),
        sources=dict(Counter(row["source"] for row in hands)),
        corrected=sum(bool(row["corrections"]) for row in hands),
        irregular=sum(bool(row["irregularities"]) for row in hands),
        hands_per_hour=pace(ended),
        levels=tuple(level.value for level in story.levels),
        cards=_cards(story, ledger),
        impossible=tuple(str(card) for card in DECK if story.shoe.closed and story.shoe.impossible(card)),
        people=_people(story, ledger),
        incidents=tuple(
            _told(row, story.state.game) for row in ledger.incidents.values() if row["shoe"] == str(story.number)
        ),
        evidence=_evidence(story),
    )


def _told(row: Plain, game: Game) -> Plain:
    """Return an incident as the pit may read it: an alarm without what it says, and no quoted bytes.

    Where people decide, it has no time within its hand (R-002-30).
    """
    kinds = ["alarm" if kind in SECRET else kind for kind in row["kinds"]]
    within = row["hand"] is not None or not FROM_THE_LAST_WORD.isdisjoint(row["kinds"])
    at = None if game.asks_taker and within else row["at"]
    return {name: value for name, value in row.items() if name != "items"} | {"kinds": kinds, "at": at}


def pace(ended: list[Plain]) -> int | None:
    """Return hands an hour from the first opening to the last end; None before two hands or without times."""
    if len(ended) < 2 or not ended[0]["opened"]:
        return None
    took = max(utc_ns(row["closed"]) for row in ended) - utc_ns(ended[0]["opened"])
    return round(len(ended) * HOUR_NS / took) if took >= len(ended) * QUICKEST_HAND_NS else None


def _cards(story: Story, ledger: Ledger) -> dict[str, int | None]:
    shoe = story.shoe
    stub = ledger.closing.get("stub")
    return {
        "size": shoe.size,
        "out": len(shoe.faces),
        "left": shoe.left,
        "unknown": shoe.unknown,
        "burnt": shoe.burnt + (shoe.burn_asked is not None),
        "burn_asked": shoe.burn_asked,
        "off_game": shoe.off_game,
        "blind_hands": shoe.blind,
        "stub": stub,
        "difference": None if stub is None else shoe.size - len(shoe.faces) - stub,
    }


def _people(story: Story, ledger: Ledger) -> tuple[Plain, ...]:
    """Return who was on duty at the beginning, then each change."""
    day = story.began
    first = [("dealer", day.dealer), ("supervisor", day.supervisor)]
    begun = [{"at": None, "post": post, "staff": staff, "before": ""} for post, staff in first if staff]
    return (*begun, *ledger.duty)


def _evidence(story: Story) -> dict[str, Any]:
    """Return what proves the report: the segments, the line that it was read to, and that line's hash."""
    last = story.last
    return {
        "segments": [segment.name for segment in story.chapter.own],
        "line": last.i if last else None,
        "segment": last.path.stem if last else None,
        "hash": last.hash if last else None,
        "short_hash": last.hash[:SHORT_HASH] if last else None,
        "software": story.software,
        "differences": story.differences,
    }
