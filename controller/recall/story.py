"""A shoe told again: its inputs applied once more, with what the dealer was shown after each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from controller.core.facts import Fact, FactName
from controller.core.hand import Hand
from controller.core.incidents import Incident
from controller.core.inputs import Command, Input
from controller.core.prompts import prompt
from controller.core.shoe import Shoe
from controller.core.table import Day, Link, LinkLevel, Table
from controller.core.views import Sentence
from controller.journal.errors import JournalDamage
from controller.journal.reader import Judged, differences, judged
from controller.journal.record import SEGMENT_OPENED, SETTINGS_CHANGED, Record, Span
from controller.journal.segment import driver_of, opening_of
from controller.recall.places import Chapter, NoSuchShoe, chapter
from controller.recall.tracks import VERDICTS, Track
from controller.recall.wire import MODES, Wire, wire_of
from controller.sources.journal import adopting, table_of

OF_RECORDS = VERDICTS | {FactName.HAND_RELAID, FactName.CARD_KEYED, FactName.CARD_SHOWN}
OPEN = frozenset({Link.SYNCING, Link.LIVE})
NAMING = frozenset({SEGMENT_OPENED, SETTINGS_CHANGED})  # records that name the driver
OF_INCIDENTS = frozenset(
    {
        FactName.INCIDENT_OPENED,
        FactName.INCIDENT_ADDED,
        FactName.INCIDENT_ACKNOWLEDGED,
        FactName.INCIDENT_ESCALATED,
        FactName.INCIDENT_REVIEWED,
    }
)


@dataclass(frozen=True, slots=True)
class Step:
    """One input, the facts that belong to this shoe, and the dealer's prompt after it.

    ``refs`` are the hands that it belongs to; ``raw`` is the place of the read that told it in ``raw_file``, which
    ``wire`` reads.
    """

    item: Input
    facts: tuple[Fact, ...]
    prompt: Sentence
    refs: frozenset[str]
    raw: Span | None
    raw_file: Path
    wire: Wire


@dataclass(slots=True)
class Story:
    """All that a journal tells of one shoe; ``began`` is the table's day where the telling begins, ``day`` at its end.

    ``differences`` counts facts that this version judges otherwise than was recorded then; ``last`` is the last
    record read, whose hash stands for everything before it; ``wire`` is the driver that the journal named last.
    ``levels`` are those that the link had during the shoe, in the order of the first time.
    """

    chapter: Chapter
    table: str
    software: str
    state: Table
    began: Day
    day: Day
    shoe: Shoe
    wire: Wire
    steps: list[Step] = field(default_factory=list)
    tracks: dict[str, Track] = field(default_factory=dict)
    incidents: dict[str, Incident] = field(default_factory=dict)
    differences: int = 0
    last: Record | None = None
    levels: list[LinkLevel] = field(default_factory=list)

    @property
    def number(self) -> int:
        """The number of the shoe."""
        return self.chapter.shoe

    @property
    def hands(self) -> dict[int, Track]:
        """The hands that keep a number, by it."""
        return {track.hand.number: track for track in self.tracks.values() if not track.abandoned}

    @property
    def abandoned(self) -> dict[str, Track]:
        """The hands that ended without a number, by reference."""
        return {ref: track for ref, track in self.tracks.items() if track.abandoned}

    def whose(self, step: Step, fact: Fact) -> str:
        """Return the abandoned hand that a fact tells of, "" for any other: its number went to the next hand."""
        for ref in step.refs:
            track = self.tracks[ref]
            if track.abandoned and fact.hand == track.hand.number and fact in _until_abandoned(step.facts):
                return ref
        return ""

    def facts(self) -> Iterator[tuple[Step, Fact]]:
        """Yield every fact of the shoe with the step that it came of."""
        return ((step, fact) for step in self.steps for fact in step.facts)


def tell(folder: Path, shoe: int) -> Story:
    """Replay a shoe of a table's folder. Raises NoSuchShoe, JournalDamage, JournalTooNew, OSError."""
    place = chapter(folder, shoe)
    records = place.records()
    first = next(records, None)
    if first is None:
        raise JournalDamage(place.own[0].journal, 1, "the segment is empty")
    table, opening = table_of(first), opening_of(first)
    settings, wire = opening.settings, wire_of(opening.settings.driver, Wire(mode=MODES[table.identifies]))
    story = Story(place, settings.table, settings.software, table, table.day, table.day, table.shoe, wire)
    try:
        _Telling(story).through(judged(adopting(table, _kept(story, records))))
    except JournalDamage as damage:
        if damage.path not in {segment.journal for segment in place.after}:
            raise  # else only what the next shoe tells of this one ends there
    if table.shoe.number < shoe:
        raise NoSuchShoe(f"{folder} does not hold shoe {shoe}")
    return story


def _kept(story: Story, records: Iterable[Record]) -> Iterator[Record]:
    own = {segment.journal for segment in story.chapter.own}
    for record in records:
        if record.path in own:
            story.last = record
        if record.kind in NAMING:
            story.wire = wire_of(driver_of(record), story.wire)
        yield record


class _Telling:
    """Applies inputs and keeps what belongs to the shoe."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.table = story.state
        self.own = {segment.journal for segment in story.chapter.own}
        self.records = self.table.records

    def through(self, items: Iterable[Judged]) -> None:
        for item in items:
            self._apply(item)
            if item.path not in self.own and not self._pending():
                return

    def _pending(self) -> bool:
        """Whether something of this shoe is still open: a hand, or an incident."""
        number = self.story.number
        hands = any(hand.shoe == number for hand in self.table.unsettled.values())
        return hands or any(incident.shoe == number for incident in self.table.incidents.values())

    def _apply(self, item: Judged) -> None:
        story, table = self.story, self.table
        before = table.hand
        if table.shoe.number < story.number:
            story.began = table.day
        facts = table.apply(item.item)
        if item.path in self.own:
            story.differences += len(differences(item, facts))
        if table.shoe.number == story.number:
            story.shoe, story.day, self.records = table.shoe, table.day, table.records
            self._note_level()
        mine = tuple(fact for fact in facts if _of_shoe(fact, story.number))
        if not mine and table.shoe.number != story.number:
            return
        self._follow(item.item, facts)
        refs = self._refs(item.item, before, mine)
        raw = item.path.with_suffix(".raw")
        story.steps.append(Step(item.item, mine, shown_prompt(table), refs, item.raw, raw, story.wire))
        for ref in refs:
            story.tracks[ref].told(item.item, mine)
        if any(fact.name is FactName.HAND_ABANDONED for fact in mine):
            self._drop(refs)

    def _note_level(self) -> None:
        """Keep a new level of the open link, once a card has left.

        A shoe that has no proof to give is not authenticated, whatever its make.
        """
        level = self.table.link_level or LinkLevel.UNAUTHENTICATED
        if self.table.link in OPEN and self.table.shoe.faces and level not in self.story.levels:
            self.story.levels.append(level)

    def _drop(self, refs: frozenset[str]) -> None:
        """Mark the hands that ended without a number: they are neither open nor closed."""
        hands = (self.table.hand, *self.table.unsettled.values(), *(record.hand for record in self.records.values()))
        there = {hand.ref for hand in hands if hand is not None}
        for ref in refs - there:
            track = self.story.tracks[ref]
            track.abandoned = not track.verdicts

    def _follow(self, item: Input, facts: tuple[Fact, ...]) -> None:
        """Take the newest value of every hand of this shoe, and of its incidents."""
        story, table = self.story, self.table
        names = {fact.name for fact in facts}
        hands = [hand for hand in (table.hand, *table.unsettled.values()) if hand and hand.shoe == story.number]
        if names & OF_RECORDS:
            hands += [record.hand for record in self.records.values()]
        for hand in hands:
            track = story.tracks.setdefault(hand.ref, Track(hand))
            track.follow(hand, item)
        if names & OF_INCIDENTS:
            known = (*table.incidents.values(), *table.acknowledged.values())
            story.incidents |= {incident.id: incident for incident in known if incident.shoe == story.number}

    def _refs(self, item: Input, before: Hand | None, facts: tuple[Fact, ...]) -> frozenset[str]:
        """Return the hands of this shoe that an input belongs to."""
        number, after = self.story.number, self.table.hand
        refs = {hand.ref for hand in (before, after) if hand is not None and hand.shoe == number}
        if isinstance(item.what, Command):
            refs.add(item.what.hand)
        numbers = {fact.hand for fact in facts} - {None}
        refs |= {track.hand.ref for track in self.story.tracks.values() if self._means(track, numbers, refs)}
        return frozenset(refs & self.story.tracks.keys())

    @staticmethod
    def _means(track: Track, numbers: set[int | None], refs: set[str]) -> bool:
        """Whether facts of these numbers are of this hand: an abandoned one lent its number to the next."""
        return track.hand.number in numbers and not track.abandoned and track.hand.ref not in refs


def _until_abandoned(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Return the facts up to the end of an abandoned hand; in the same step the next hand may begin."""
    end = [at for at, fact in enumerate(facts, 1) if fact.name is FactName.HAND_ABANDONED]
    return facts[: end[0]] if end else facts


def _of_shoe(fact: Fact, number: int) -> bool:
    """Whether a fact belongs to a shoe; what is done about an incident does by the incident's name."""
    if fact.name in OF_INCIDENTS:
        return str(dict(fact.data).get("id", "")).partition("-")[0] == str(number) or fact.shoe == number
    return fact.shoe == number


def shown_prompt(table: Table) -> Sentence:
    """Return what the dealer's page said: without a live link it does not prompt."""
    return prompt(table) if table.link is Link.LIVE else Sentence("prompt.no-link")
