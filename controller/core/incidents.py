"""What can go wrong at a table: how grave it is, who lifts the hold, and who may know."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.core.cards import Seat
from controller.core.facts import Audience
from controller.core.inputs import Moment


class Level(Enum):
    """How grave an incident is."""

    NOTICE = "notice"
    ALERT = "alert"


class Lifts(Enum):
    """Who lifts the hold that a kind opens."""

    NOTHING = "nothing"  # it opens none
    SHOE = "shoe"  # the shoe's own procedure, or a person
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Kind:
    """How an incident of one kind is treated. ``irregular`` kinds stand on the hand's audit line."""

    level: Level
    lifts: Lifts
    irregular: bool = False
    audience: Audience = Audience.PIT


_STOP = Kind(Level.ALERT, Lifts.PERSON, irregular=True)  # the hand is wrong or unproved: a named person closes it
_HELD = Kind(Level.ALERT, Lifts.PERSON)
_SHOE = Kind(Level.ALERT, Lifts.SHOE)
_ALERT = Kind(Level.ALERT, Lifts.NOTHING)
_NOTE = Kind(Level.NOTICE, Lifts.NOTHING)
_ALARM = Kind(Level.ALERT, Lifts.PERSON, audience=Audience.SURVEILLANCE)

BY_HAND = "bank-by-hand"
DISK_SCARCE = "disk-scarce"
CLOCK_STEPPED = "clock-stepped"
CARDS = " cards"  # behind a number: the detail of a gap of which it is known how many cards were lost
KINDS: dict[str, Kind] = {
    # the deal (rules.md C.1, faults.md A 24-31)
    **{f"{seat.value}-{what}-draw": _STOP for seat in Seat for what in ("false", "missed")},
    "taker-unknown": Kind(Level.NOTICE, Lifts.PERSON),  # no fault: somebody must say who took a card
    "wrong-order": _STOP,
    "extra-card": _STOP,
    "result-mismatch": _STOP,
    "pair-mismatch": _STOP,
    "incomplete-hand": _STOP,
    "early-draw": _STOP,  # before the operator closed the bets
    "wrong-slot": _HELD,
    "late-hand": _HELD,
    "table-closed": _ALERT,
    "forced-end": _NOTE,
    "no-result": _NOTE,
    # what the shoe reports (faults.md A 10-22)
    "overdraw": Kind(Level.ALERT, Lifts.SHOE, irregular=True),
    "cannot-read": _SHOE,
    "no-second-slide": _HELD,  # it could not read a card, in a house that forbids a second slide
    "second-slide": _ALERT,
    "two-cards": _HELD,
    "unread-card": _STOP,
    "reverse-run": _SHOE,
    "card-code": _SHOE,
    "draw-timeout": Kind(Level.NOTICE, Lifts.SHOE),
    "door-open": _SHOE,
    "shoe-moved": _NOTE,
    "unknown-error": _SHOE,
    "wrong-button": _NOTE,
    "error-anomaly": _NOTE,
    "powered-up": _HELD,
    "abandoned-hand": _HELD,
    "card-while-locked": _ALERT,
    "off-game-card": _ALERT,
    "preset-changed": _ALERT,
    "preset-maintained": _NOTE,  # within a maintenance window
    "carry-unused": _NOTE,
    "carried-seen": _NOTE,  # players know the card that opens the hand
    # money
    "bank-not-ready": _NOTE,
    "bank-unsettled": _ALERT,
    BY_HAND: _ALERT,  # a correction came after a later hand was played on the same money
    # the link (faults.md A 1-8)
    "link-gap": _STOP,
    "copy-conflict": _STOP,
    "count-back": _STOP,  # the shoe's own count went back: it was restarted, or it is another one
    "unknown-frame": _HELD,
    "link-lost": _HELD,
    "link-down": _ALERT,
    "shoe-refused": _ALERT,  # acknowledging it lets the shoe try again
    "shoe-turned-away": _ALERT,  # for who it is: acknowledging it changes nothing
    "restarted": _HELD,
    "recorder-restarted": _NOTE,
    "silence": _ALERT,
    "no-frames": _ALERT,
    "bad-line": _ALERT,
    # the recorder's own machine (faults.md B 33, 39, 43)
    "disk-low": _ALERT,
    DISK_SCARCE: _HELD,
    CLOCK_STEPPED: _ALERT,
    "record-damaged": _ALERT,
    # the shoe's life (faults.md A 38-43)
    "new-shoe": Kind(Level.NOTICE, Lifts.PERSON),  # the wire proposes it, a person confirms
    "burn-count": _NOTE,
    "few-cards": _HELD,
    "too-many-cards": _HELD,
    "no-cut-card": _NOTE,
    "shoe-count": _ALERT,
    "impossible-card": Kind(Level.ALERT, Lifts.PERSON, irregular=True, audience=Audience.SURVEILLANCE),
    "unshuffled": _ALARM,
}


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that belongs to an incident."""

    kind: str
    at: Moment
    seat: Seat | None = None
    rule: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Incident:
    """What a person must see: all that went wrong with one hand, or one thing between hands.

    Open until acknowledged, by whom, when and with what note; surveillance may mark it reviewed after that.
    """

    id: str
    shoe: int
    hand: int | None
    hand_ref: str
    items: tuple[Item, ...]
    escalated: bool = False
    acknowledged_by: str = ""
    acknowledged_at: Moment | None = None
    note: str = ""
    reviewed_by: str = ""

    @property
    def kind(self) -> str:
        """The kind of what came first."""
        return self.items[0].kind

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of all that belongs to it, in order."""
        return tuple(item.kind for item in self.items)

    @property
    def at(self) -> Moment:
        """When it began."""
        return self.items[0].at

    @property
    def level(self) -> Level:
        """As grave as its gravest part."""
        alert = any(KINDS[item.kind].level is Level.ALERT for item in self.items)
        return Level.ALERT if alert else Level.NOTICE
