"""What the cards of a row do not show of its hand, as words of the cell `ruled` (docs/interfaces.md, export)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from controller.recall.totals import total

Plain = dict[str, Any]
Cards = Mapping[str, list[str | None]]  # of each seat of the game
ASKS = "taker-unknown"  # closed before anybody said who took a card
FACE_DOWN = "face-down"  # its `?` is a card that nobody turned, not one that could not be read
TURNED = "turned"  # a void hand whose cards had been turned: what it lacked then was a fault
MISSED = "-missed-draw"
USUAL_FIRSTS = 2
FIRSTS = {"one-card": 1, "zero-hand": 0}
# What each remedy that changes by what a hand is judged is called, and the seat where it is always the same.
OF_REMEDY = {
    "one_card": ("one-card", "banker"),
    "zero_hand": ("zero-hand", "banker"),
    "bar": ("barred", ""),
    "refuse": ("refused", ""),
}


def with_remedy(words: list[str], fact: Plain) -> list[str]:
    """Return the words after a remedy; who plays after all refuses no longer."""
    if fact["remedy"] == "play":
        return [word for word in words if word != f"refused:{fact['seat']}"]
    if fact["remedy"] not in OF_REMEDY:
        return words
    name, seat = OF_REMEDY[fact["remedy"]]
    return list(dict.fromkeys([*words, f"{name}:{seat or fact['seat']}"]))


def with_hold(words: list[str], fact: Plain) -> list[str]:
    """Return the words after the question who took a card was asked, or answered."""
    others = [word for word in words if word != ASKS]
    if fact["fact"] == "HandSuspended":
        return [*others, ASKS] if fact["kind"] == ASKS else words
    return others if ASKS in fact["lifted"] else words


def at_close(words: list[str], cards: Cards, fact: Plain) -> list[str]:
    """Return the words of a hand that is closed now, by the fact that says so."""
    kept = [word for word in words if not word.startswith((ASKS, FACE_DOWN, TURNED)) and not _idle(word, cards)]
    asks = fact["result"] is None and (ASKS in words or _whole(kept, cards))
    turned = is_void(fact) and any(found["kind"].endswith(MISSED) for found in fact["irregularities"])
    last = [word for word, told in ((ASKS, asks), (TURNED, turned)) if told]
    return [*kept, *_face_down(cards, fact["irregularities"]), *last]


def is_void(fact: Plain) -> bool:
    """Whether the hand was closed void, or stands so by a later word."""
    return fact["fact"] == "HandVoided" or bool(fact.get("void"))


def _idle(word: str, cards: Cards) -> bool:
    """Whether a seat is not barred after all: its first cards were worth nothing (R-000-32)."""
    name, _, seat = word.partition(":")
    return name == "barred" and total(cards.get(seat, [])[:USUAL_FIRSTS]) == 0


def _whole(words: Iterable[str], cards: Cards) -> bool:
    """Whether every seat has its first cards and every face is known, so that there would be a result."""
    needs = {seat: FIRSTS[name] for name, _, seat in (word.partition(":") for word in words) if name in FIRSTS}
    return all(None not in held and len(held) >= needs.get(seat, USUAL_FIRSTS) for seat, held in cards.items())


def _face_down(cards: Cards, irregularities: Iterable[Plain]) -> Iterator[str]:
    unread = {found["seat"] for found in irregularities if found["kind"] == "unread-card"}
    return (f"{FACE_DOWN}:{seat}" for seat, held in cards.items() if None in held and seat not in unread)
