"""A hand as a person recalls it: cards in drawing order, prompts as shown, rulings, incidents, the shoe's own bytes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from controller.core import inputs
from controller.core.cards import Card, Seat
from controller.core.facts import Audience, Fact
from controller.core.hand import Hand, Laid
from controller.core.incidents import Incident
from controller.core.inputs import Command
from controller.core.signals import Signal
from controller.core.views import Sentence, Side, SpotView
from controller.recall.frames import FrameLine, quoted
from controller.recall.story import Step, Story
from controller.recall.timeline import Entry, entry
from controller.recall.tracks import CardTrack, Track, Verdict
from controller.recall.wire import Wire


class NoSuchHand(LookupError):
    """The shoe has no hand of this number or reference."""


@dataclass(frozen=True, slots=True)
class EarlierCard:
    """What was said of a card before: shown struck through."""

    seat: Seat | None
    index: int
    card: Card | None
    at: int | None
    by: str


@dataclass(frozen=True, slots=True)
class CardLine:
    """A card in drawing order: where it lies, its face as far as this audience may know it, its times (UTC ns)."""

    place: int
    seat: Seat | None
    index: int
    spot: SpotView
    drawn: int | None
    shown: int | None
    gone: bool
    earlier: tuple[EarlierCard, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of the hand: what happened, the prompt that the dealer then had, and the frames that told it."""

    at: int | None
    by: str
    entries: tuple[Entry, ...]
    prompt: Sentence
    changed: bool
    frames: tuple[FrameLine, ...]


@dataclass(frozen=True, slots=True)
class HandStory:
    """A hand for one audience. Times are UTC nanoseconds; ``begin`` to ``end`` is the range for the cameras.

    ``verdicts`` are all results in order, the last one counts. ``previous`` and ``following`` are hand numbers. An
    ``abandoned`` hand lent its number to the next one.
    """

    shoe: int
    number: int
    ref: str
    sort: str
    source: str
    open: bool
    abandoned: bool
    seats: tuple[Seat, ...]
    points: tuple[int | None, ...]
    cards: tuple[CardLine, ...]
    called: str | None
    verdicts: tuple[Verdict, ...]
    moments: tuple[Moment, ...]
    incidents: tuple[Incident, ...]
    begin: int | None
    end: int | None
    previous: int | None
    following: int | None
    latest: int
    timed: bool = True  # whether this audience may know when each thing happened


def recall(story: Story, which: int | str, audience: Audience) -> HandStory:
    """Return a hand of a shoe by number, or by reference, as only an abandoned one needs it.

    Without surveillance's eyes no face that players have not seen is in it. Raises NoSuchHand, OSError.
    """
    track = story.hands.get(which) if isinstance(which, int) else story.tracks.get(which)
    if track is None:
        raise NoSuchHand(f"shoe {story.number} has no hand {which}")
    hand, numbers = track.hand, sorted(story.hands)
    # How long a player thought tells what he held (R-002-30): where people decide only surveillance reads the times.
    timed = audience is Audience.SURVEILLANCE or not story.state.game.asks_taker
    number = hand.number
    steps = [step for step in story.steps if hand.ref in step.refs]
    made = HandStory(
        shoe=story.number,
        number=number,
        ref=hand.ref,
        sort=hand.sort.value,
        source=hand.source.value,
        open=not track.closed,
        abandoned=track.abandoned,
        seats=story.state.game.seats,
        points=hand.judged(story.state.game).totals,
        cards=tuple(_card(card, audience) for _, card in sorted(track.cards.items())),
        called=hand.called.call.value if hand.called else None,
        verdicts=tuple(track.verdicts),
        moments=tuple(_moments(story, hand, steps, audience)),
        incidents=tuple(found for found in story.incidents.values() if found.hand_ref == hand.ref),
        begin=track.opened.utc_ns,
        end=_ended(track, steps),
        previous=max((other for other in numbers if other < number), default=None),
        following=min((other for other in numbers if other > number - track.abandoned), default=None),
        latest=max(numbers, default=0),
    )
    return made if timed else _untimed(made)


def _untimed(story: HandStory) -> HandStory:
    """Return a hand without the times that would tell how long somebody thought."""
    return replace(
        story,
        timed=False,
        cards=tuple(map(_undated, story.cards)),
        moments=tuple(replace(one, at=None) for one in story.moments),
        incidents=tuple(
            replace(one, items=tuple(replace(item, at=inputs.Moment()) for item in one.items))
            for one in story.incidents
        ),
    )


def _undated(card: CardLine) -> CardLine:
    return replace(card, drawn=None, shown=None, earlier=tuple(replace(was, at=None) for was in card.earlier))


def _ended(track: Track, steps: list[Step]) -> int | None:
    if track.abandoned:
        return max(step.item.at.utc_ns or 0 for step in steps)
    return track.verdicts[0].at.utc_ns if track.verdicts else None


def told_of(story: Story, step: Step, hand: Hand | HandStory) -> list[Fact]:
    """Return the facts of a step that belong to this hand, or to none."""
    return [
        fact
        for fact in step.facts
        if fact.hand in (hand.number, None) and (story.whose(step, fact) or hand.ref) == hand.ref
    ]


def _card(card: CardTrack, audience: Audience) -> CardLine:
    laid = card.laid
    all_seen = audience is Audience.SURVEILLANCE
    earlier = tuple(
        EarlierCard(*was.spot, was.card if was.exposed or all_seen else None, was.at.utc_ns, was.by)
        for was in card.earlier
    )
    shown = card.shown.utc_ns if card.shown else None
    return CardLine(
        laid.place + 1, laid.seat, laid.index, _spot(laid, audience), card.drawn.utc_ns, shown, card.gone, earlier
    )


def _spot(laid: Laid, audience: Audience) -> SpotView:
    seen = laid.exposed or audience is Audience.SURVEILLANCE
    if laid.card is not None and seen:
        return SpotView(Side.FACE, laid.card, laid.keyed, laid.carried)
    return SpotView(Side.UNREAD if laid.unread else Side.BACK, None, laid.keyed, laid.carried)


def _moments(story: Story, hand: Hand, steps: list[Step], audience: Audience) -> Iterable[Moment]:
    bytes_of = _frames(story, steps, audience)
    said: Sentence | None = None
    for place, step in enumerate(steps):
        entries = tuple(told for fact in told_of(story, step, hand) if (told := entry(step, fact, audience)))
        frames = tuple(bytes_of.get(place, ()))
        changed = step.prompt != said and step.refs == {hand.ref}
        said = step.prompt
        if entries or frames or changed:
            yield Moment(step.item.at.utc_ns, step.item.by, entries, step.prompt, changed, frames)


def _frames(story: Story, steps: list[Step], audience: Audience) -> dict[int, list[FrameLine]]:
    """Return the frames of each step by its place; those of a hand with a hidden face are for surveillance alone."""
    files: dict[tuple[Path, Wire], list[tuple[int, Signal, Step]]] = {}
    for place, step in enumerate(steps):
        if step.raw is not None and not isinstance(step.item.what, Command) and _open_to(story, step, audience):
            files.setdefault((step.raw_file, step.wire), []).append((place, cast("Signal", step.item.what), step))
    found: dict[int, list[FrameLine]] = {}
    for (path, wire), told in files.items():
        wanted = [(place, signal, step.raw) for place, signal, step in told if step.raw is not None]
        found |= quoted(path, wanted, wire)
    return found


def _open_to(story: Story, step: Step, audience: Audience) -> bool:
    if audience is Audience.SURVEILLANCE:
        return True
    tracks = [story.tracks[ref] for ref in step.refs]
    return all(_told(track) for track in tracks)


def _told(track: Track) -> bool:
    return track.closed and not track.secret
