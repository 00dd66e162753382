"""How good the line was while a shoe was dealt: a session of its own goes through all that is kept of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from controller.core.facts import FactName
from controller.core.inputs import Elapsed, Timer
from controller.recall.frames import COPIES_WAIT_NS, reads_from
from controller.recall.story import Story
from drivers.angel_eye import Counts as NoCounts
from drivers.heard import Counts
from drivers.ports.rawline import RawLine


@dataclass(slots=True)
class LinkQuality:
    """Figures of the line; ``longest_pause_ns`` is between two reads, ``silences`` are times that the timer ran out."""

    counts: Counts = field(default_factory=NoCounts)
    reads: int = 0
    last_utc_ns: int | None = None
    longest_pause_ns: int = 0
    silences: int = 0
    losses: int = 0


def quality(story: Story) -> LinkQuality:
    """Return the figures of a shoe's line. Raises OSError, JournalDamage."""
    session, found = story.wire.session(), LinkQuality()
    before: RawLine | None = None
    for line in reads(story):
        if before == line:
            continue  # a read in which a shoe began or ended stands in two raw files
        if before is not None and line.mono_ns - before.mono_ns > COPIES_WAIT_NS:
            session.flush()
            found.longest_pause_ns = max(found.longest_pause_ns, line.mono_ns - before.mono_ns)
        session.feed(line.data)
        before, found.last_utc_ns, found.reads = line, line.utc_ns, found.reads + 1
    session.end()
    found.counts = session.counts
    found.silences = sum(_is_silence(step.item.what) for step in story.steps)
    found.losses = sum(fact.name is FactName.LINK_CHANGED and _lost(dict(fact.data)) for _, fact in story.facts())
    return found


def reads(story: Story) -> Iterator[RawLine]:
    """Yield the reads of a shoe's segments."""
    return (line for segment in story.chapter.own for line, _ in reads_from(segment.raw, 0))


def _is_silence(what: object) -> bool:
    return isinstance(what, Elapsed) and what.timer is Timer.SILENCE


def _lost(data: dict[str, object]) -> bool:
    return getattr(data.get("link"), "value", "") == "not-live"
