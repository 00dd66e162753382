"""What the templates of recall are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from controller.catalogue import Catalogue
from controller.core.facts import Audience, FactName
from controller.core.hand import Source
from controller.core.incidents import Incident, Item
from controller.core.inputs import Command
from controller.core.views import Sentence
from controller.core.watching import said
from controller.core.words import iso
from controller.pit.render import brief, clock
from controller.recall.frames import FrameLine, latest
from controller.recall.hand import HandStory, recall, told_of
from controller.recall.ledger import outcome
from controller.recall.link import quality
from controller.recall.story import Story
from controller.recall.timeline import GROUPS, Word, timeline
from controller.recall.totals import total
from controller.recall.tracks import Verdict

ENTRIES_SHOWN = 200
FRAMES_SHOWN = 60
MS = 1_000_000
AT_THE_SHOE = frozenset({FactName.CARD_DRAWN, FactName.CARD_SHOWN, FactName.RESULT_CALLED})


@dataclass
class Shown:
    """A hand, its result that counts apart from those before it, and where the leaves beside it are (path, query).

    ``begin`` and ``end`` are the cameras' range (UTC ns), ``end`` None while the hand is open.
    """

    hand: HandStory
    verdict: Verdict | None
    earlier: tuple[Verdict, ...]
    before: str
    after: str
    begin: int | None
    end: int | None


def dealt(story: Story) -> tuple[int, int]:
    """Return the number of a shoe, and of how many hands it tells."""
    return story.number, len(story.hands)


def shown(story: Story, which: int | str | None, audience: Audience) -> Shown:
    """Return a hand as its page shows it, the latest for None; before a shoe's first comes the last of the one before.

    Raises NoSuchHand, OSError.
    """
    hand = recall(story, max(story.hands, default=0) if which is None else which, audience)
    before = after = ""
    if hand.previous is not None or hand.shoe > story.chapter.first:
        before = leaf(hand.previous, hand.shoe - (hand.previous is None))
    if hand.following is not None or story.chapter.after:
        after = leaf(hand.following or 1, hand.shoe + (hand.following is None))
    struck = tuple(one for one, then in pairwise(hand.verdicts) if one.outcome != then.outcome)
    verdict = hand.verdicts[-1] if hand.verdicts else None
    return Shown(hand, verdict, struck, before, after, began(story, hand), ended(story, hand))


def began(story: Story, hand: HandStory) -> int | None:
    """Return when a hand began; one that a person entered was dealt after the last hand that was heard."""
    if hand.source == Source.SHOE.value:
        return hand.begin
    before = (track for number, track in story.hands.items() if number < hand.number)
    heard = [track.verdicts[0].at.utc_ns for track in before if track.hand.source is Source.SHOE and track.verdicts]
    return max((at for at in heard if at is not None), default=hand.begin)


def followed(story: Story) -> bool:
    """Whether there is a shoe after this one."""
    return bool(story.chapter.after)


def ended(story: Story, hand: HandStory) -> int | None:
    """Return when a closed hand's last card or result was told; a person may have closed it much later."""
    if hand.end is None or not hand.timed:
        return hand.end
    mine = (step for step in story.steps if hand.ref in step.refs and not isinstance(step.item.what, Command))
    told = [
        step.item.at.utc_ns
        for step in mine
        if any(fact.name in AT_THE_SHOE and fact.hand is not None for fact in told_of(story, step, hand))
    ]
    return max((at for at in told if at is not None), default=hand.end)


def leaf(number: int | None, shoe: int) -> str:
    """Return the address of a hand behind the table's; the latest one of the shoe for no number.

    >>> leaf(3, 2), leaf(None, 1)
    ('/3?shoe=2', '?shoe=1')
    """
    return f"{'' if number is None else f'/{number}'}?shoe={shoe}"


def helpers(words: Catalogue) -> dict[str, Any]:
    """Return the functions that the templates of recall use beside the usual ones."""
    return {
        "say": sayer(words),
        "fine": fine,
        "brief": brief,
        "date": date,
        "staff": staff,
        "of_items": of_items,
        "iso_time": lambda text: text[11:19] if text else "-",
        "total": total,
        "outcome": outcome,
    }


def sayer(words: Catalogue) -> Callable[[Word], str]:
    """Return what says a sentence, or a word that is the same everywhere."""
    return lambda word: word if isinstance(word, str) else words.text(word)


def fine(utc_ns: int | None) -> str:
    """Return the time of day in UTC with milliseconds, as cameras are searched by.

    >>> fine(1_500_000_000)
    '00:00:01.500'
    """
    return "-" if utc_ns is None else f"{clock(utc_ns)}.{utc_ns // MS % 1000:03d}"


def date(utc_ns: int | None) -> str:
    """Return the date in UTC.

    >>> date(0)
    '1970-01-01'
    """
    return (iso(utc_ns) or "-")[:10]


def staff(by: str) -> str:
    """Return who did something, without the word before a staff number.

    >>> staff("staff:1042"), staff("shoe")
    ('1042', 'shoe')
    """
    return by.removeprefix("staff:")


def of_items(items: Iterable[Item]) -> list[Sentence]:
    """Return what an incident's items say to the pit, each once."""
    return list(dict.fromkeys(said(item) for item in items))


def history(story: Story, groups: Sequence[str], skip: int) -> dict[str, Any]:
    """Return the timeline and the incidents of a shoe for surveillance."""
    found = timeline(story, groups, most=ENTRIES_SHOWN, skip=skip)
    incidents: list[Incident] = sorted(story.incidents.values(), key=lambda one: -(one.at.utc_ns or 0))
    return {
        "shoe": story.number,
        "timeline": found,
        "groups": list(GROUPS),
        "chosen": [group for group in groups if group in GROUPS],
        "skip": skip,
        "step": ENTRIES_SHOWN,
        "incidents": incidents,
        "abandoned": set(story.abandoned),
    }


def line(story: Story) -> dict[str, Any]:
    """Return the line of a shoe for surveillance: its last frames, and how good it was."""
    return {"frames": last_frames(story), "quality": quality(story)}


def last_frames(story: Story) -> list[FrameLine]:
    """Return the last frames of a shoe, the newest first."""
    files = [segment.raw for segment in story.chapter.own]
    return latest(files, story.wire, FRAMES_SHOWN)
