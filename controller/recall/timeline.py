"""The facts of a shoe in order, each with what a person filters by and what may be said of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from controller.core.cards import Card, Seat
from controller.core.facts import Audience, Fact, FactName
from controller.core.incidents import KINDS
from controller.core.signals import Damage
from controller.core.views import Sentence
from controller.core.words import kind_named, plain
from controller.recall.story import Step, Story

F = FactName
GROUPS: dict[str, frozenset[FactName]] = {
    "cards": frozenset({F.BURN_CARD_SEEN, F.HAND_OPENED, F.CARD_DRAWN, F.CARD_SHOWN, F.CARD_KEYED, F.HAND_TURNED,
                        F.CARD_TAKEN, F.OFF_GAME_CARD_SEEN}),
    "results": frozenset({F.RESULT_CALLED, F.HAND_COMPLETED, F.HAND_VOIDED, F.HAND_ABANDONED, F.HAND_CORRECTED,
                          F.HAND_RELAID, F.REMEDY_APPLIED, F.BANK_MOVED, F.BANK_OWED}),
    "trouble": frozenset({F.INCIDENT_OPENED, F.INCIDENT_ADDED, F.INCIDENT_ACKNOWLEDGED, F.INCIDENT_ESCALATED,
                          F.INCIDENT_REVIEWED, F.IRREGULARITY_FOUND, F.OVERDRAW_RAISED, F.OVERDRAW_SETTLED,
                          F.HAND_SUSPENDED, F.HAND_RESUMED, F.ALARM_RAISED, F.CLOCK_STEPPED}),
    "people": frozenset({F.COMMAND_ACCEPTED, F.COMMAND_REJECTED, F.DUTY_CHANGED, F.TABLE_OPENED, F.TABLE_CLOSED,
                         F.HAND_MARKED, F.BETS_CLOSED, F.SHOE_NAMED}),
    "shoe": frozenset({F.POWERED_UP, F.SHOE_LOADED, F.STOOD_BY, F.SHOE_OPENED, F.SHOE_PROPOSED, F.SHOE_CLOSED,
                       F.CUT_CARD_SEEN, F.SHOE_ERROR_RAISED, F.SHOE_ERROR_CLEARED, F.LOCK_TURNED, F.PRESET_CHANGED,
                       F.SHOE_ORDERED, F.MAINTENANCE_CHANGED}),
    "link": frozenset({F.LINK_FAULT, F.LINK_CHANGED}),
}  # fmt: skip
GROUP_OF = {name: group for group, names in GROUPS.items() for name in names}
# Whose audience is surveillance because of a face that players have not seen; that there was a card is public.
MASKED = frozenset({F.CARD_DRAWN, F.BURN_CARD_SEEN})
DAMAGES = frozenset(damage.value for damage in Damage)
Word = Sentence | str  # a sentence of the catalogue, or what is the same in every language


@dataclass(frozen=True, slots=True)
class Entry:
    """One fact: when, of which hand, what, and its particulars in the order in which they are read.

    ``by`` is the staff number, or shoe, timer, recorder; ``ref`` names a hand that was abandoned.
    """

    at: int | None
    hand: int | None
    group: str
    what: Sentence
    words: tuple[Word, ...]
    by: str
    ref: str = ""


@dataclass(slots=True)
class Timeline:
    """The latest entries, the newest first; ``numbers`` counts all entries of each group, ``matching`` those asked."""

    entries: list[Entry] = field(default_factory=list)
    numbers: Counter[str] = field(default_factory=Counter)
    matching: int = 0


def timeline(story: Story, groups: Iterable[str], *, most: int, skip: int = 0) -> Timeline:
    """Return entries of these groups, of all where none is named; for surveillance alone."""
    wanted = frozenset(groups) & GROUPS.keys() or GROUPS.keys()
    found = Timeline()
    told = [(step, fact) for step, fact in story.facts()]
    found.numbers.update(GROUP_OF[fact.name] for _, fact in told)
    matching = [(step, fact) for step, fact in told if GROUP_OF[fact.name] in wanted]
    found.matching = len(matching)
    end = len(matching) - skip
    part = reversed(matching[max(end - most, 0) : max(end, 0)])
    found.entries = [
        replace(made, ref=story.whose(step, fact))
        for step, fact in part
        if (made := entry(step, fact, Audience.SURVEILLANCE))
    ]
    return found


def entry(step: Step, fact: Fact, audience: Audience) -> Entry | None:
    """Return a fact as this audience may read it; None for what it must not."""
    data = dict(fact.data)
    if fact.audience is Audience.SURVEILLANCE and audience is not Audience.SURVEILLANCE:
        if fact.name not in MASKED:
            return None
        data["card"] = None
    if audience is not Audience.SURVEILLANCE:
        data.pop("detail", None)  # quotes bytes, and in them faces
    by = str(data.pop("by", "") or step.item.by).removeprefix("staff:")
    what = Sentence(f"timeline.{fact.name.value}")
    return Entry(step.item.at.utc_ns, fact.hand, GROUP_OF[fact.name], what, tuple(_words(data, audience)), by)


def _words(data: dict[str, Any], audience: Audience) -> Iterable[Word]:
    if isinstance(data.get("seat"), Seat):
        yield Sentence("card.spot", (("seat", data["seat"].value), ("n", str(data.get("index") or ""))))
    if isinstance(data.get("card"), Card):
        yield str(data["card"])
    for name, ids in SAID.items():
        value = data.get(name)
        if value is not None and not isinstance(value, tuple | bool):
            yield from _said(ids, str(plain(value)), audience)
    for name in PLAIN:
        if data.get(name) not in (None, "", (), 0):
            yield str(plain(data[name])) if not isinstance(data[name], tuple) else " ".join(map(str, data[name]))
    if "line" in data:
        yield from _line(data)


# What a datum is named in the catalogue, and which are told as they are.
SAID = {"irregularity": "situation", "remedy": "remedy", "sanction": "sanction", "kind": "incident", "act": "act",
        "call": "result", "disposal": "recall", "link": "state", "post": "role", "sort": "recall",
        "source": "recall", "error": "fault", "why": "rejected", "order": "order", "answer": "order",
        "clock": "recall"}  # fmt: skip
PLAIN = ("rule", "staff", "serial", "day", "limits", "detail", "note", "reason", "code", "address", "value", "stub",
         "difference", "bytes")  # fmt: skip
USUAL = frozenset({"normal", "shoe"})  # goes without saying
LINK_WORDS = {"closed": "not-live"}


def _said(table: str, value: str, audience: Audience) -> Iterable[Word]:
    match table:
        case _ if value in USUAL or (table, value) == ("sanction", "none"):
            return
        case "incident" if value in KINDS:
            secret = KINDS[value].audience is Audience.SURVEILLANCE and audience is not Audience.SURVEILLANCE
            yield Sentence("incident.alarm" if secret else f"incident.{value}")
        case "incident" if value in DAMAGES:
            yield Sentence(f"fault.{value}")
        case "incident":
            yield value
        case "act":
            yield Sentence(f"act.{kind_named(value)}")
        case "state":
            yield Sentence(f"state.{LINK_WORDS.get(value, value)}")
        case _:
            yield Sentence(f"{table}.{value}")


def _line(data: dict[str, Any]) -> Iterable[Word]:
    line = data["line"]
    if "was" in data:
        yield Sentence("recall.was", (("result", plain(data["was"]) or "none"),))
    outcome = None if data.get("void") else line.recorded or plain(line.result)
    yield Sentence(f"result.{outcome or 'none'}")
    if any(cards for _, cards in line.cards):
        yield " / ".join(" ".join(str(card or "?") for card in cards) for _, cards in line.cards)
