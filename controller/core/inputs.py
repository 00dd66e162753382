"""What may enter a table: a signal, a person's command, or a timer that ran out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.core.bank.acts import BankCommand
from controller.core.cards import Card, Seat
from controller.core.remedies.situations import Remedy
from controller.core.sanctions import Sanction as Sanction  # noqa: PLC0414 - where acts are, so are their words
from controller.core.signals import Call, Signal


@dataclass(frozen=True, slots=True)
class Moment:
    """When something happened: UTC and monotonic nanoseconds, None where a capture has no time."""

    utc_ns: int | None = None
    mono_ns: int | None = None


class Timer(Enum):
    """Timers a table asks for; one that runs out is an input."""

    SILENCE = "silence"  # nothing new from the shoe on an open link for the set time
    NO_RESULT = "no-result"  # a complete hand waits for its result
    NO_FRAMES = "no-frames"  # bytes go on coming from an open link and make no frame
    BAD_LINE = "bad-line"  # more than one frame in a hundred of the last minute was bad
    ESCALATION = "escalation"  # an alert waits to be acknowledged


@dataclass(frozen=True, slots=True)
class Elapsed:
    """A timer ran out. ``joins``: what it tells joins the open incident of its kind; once each made one of its own."""

    timer: Timer
    joins: bool = False


@dataclass(frozen=True, slots=True)
class Started:
    """The recorder started with this journal (again); an open hand is then unproved."""


class Room(Enum):
    """How much room is left on the disk that the record goes to."""

    AMPLE = "ample"
    LOW = "low"  # somebody must make room
    SCARCE = "scarce"  # no further hand begins


@dataclass(frozen=True, slots=True)
class DiskRoom:
    """The room on the recorder's disk has changed; so many hundredths of it are free."""

    room: Room
    percent: int


@dataclass(frozen=True, slots=True)
class ClockStepped:
    """The wall clock was set by so many milliseconds against the monotonic one; below zero, set back."""

    by_ms: int


@dataclass(frozen=True, slots=True)
class RecordDamaged:
    """A file of the record, closed long ago, is not what was written; ``line`` counts from 1."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Void:
    """Close the hand without a result; its cards stay counted out of the shoe. ``reason`` is why."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Accept:
    """Let the hand stand as the cards lie: lifts the holds named, and closes the hand if its result was called."""

    holds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Correct:
    """Say what the hand's result is; for a closed hand it supersedes the earlier record. ``reason`` is why."""

    result: Call
    reason: str = ""


@dataclass(frozen=True, slots=True)
class KeyCard:
    """Key the face of an unread or doubtful card."""

    seat: Seat
    index: int
    card: Card


@dataclass(frozen=True, slots=True)
class RestOfHand:
    """After a power-up: the next cards are the rest of the old hand."""


@dataclass(frozen=True, slots=True)
class NewHand:
    """After a power-up: the next cards open a new hand; the old one is abandoned."""


@dataclass(frozen=True, slots=True)
class Turned:
    """The face-down cards were turned on the felt. Where people decide who draws, the hand is over with that."""


@dataclass(frozen=True, slots=True)
class Takes:
    """Who takes the next card, or took the first one of which nobody said it; the seats before have refused.

    ``place`` is that card's place from 0 in drawing order, so that a second word on it is none on the card after it.
    With the place behind the last card of a hand that was ended and waits for a person, it says that the key which
    ended it was a slip.
    """

    seat: Seat
    place: int | None = None


@dataclass(frozen=True, slots=True)
class OpenedNext:
    """The close of a hand was forgotten: the card at this place (from 0 in drawing order) opened the next hand."""

    place: int


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """A person has seen an incident; ``note`` is kept with it."""

    incident: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class CloseShoe:
    """The shoe is finished; ``stub`` is the number of cards counted back, None if not counted."""

    stub: int | None = None


@dataclass(frozen=True, slots=True)
class NewShoe:
    """A new shoe was loaded; ``serial`` is written on it. Confirms one that the wire proposes.

    ``reason`` is why it is begun although the one before had not shown its cut card.
    """

    serial: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """Surveillance has gone through an acknowledged incident."""

    incident: str


class Fate(Enum):
    """What became of a card of the hand."""

    HAND = "hand"  # it lies in the hand
    NEXT = "next"  # it opens the next hand
    BURNT = "burnt"  # it was laid aside and does not count


@dataclass(frozen=True, slots=True)
class Placed:
    """How one card lies: ``place`` is its place in drawing order, from 0.

    ``card`` corrects the face, None leaves it; ``seen`` says that players have seen it.
    """

    place: int
    seat: Seat | None = None
    index: int = 0
    fate: Fate = Fate.HAND
    seen: bool = True
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Relay:
    """The cards of a hand as they lie on the felt; ``accepts`` are the irregularities the person was shown.

    ``reason`` is why a closed hand is laid anew.
    """

    cards: tuple[Placed, ...]
    accepts: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Apply:
    """A remedy of the house for an irregularity (rules.md B.4, C.5).

    ``places`` name cards of the hand by their place in drawing order, from 0; ``seat`` whom it concerns.
    """

    irregularity: str
    remedy: Remedy
    places: tuple[int, ...] = ()
    seat: Seat | None = None
    sanction: Sanction = Sanction.NONE


@dataclass(frozen=True, slots=True)
class CloseBets:
    """No bet on the next hand is taken any more: what the house's operator says where no money is kept."""


@dataclass(frozen=True, slots=True)
class BeginMaintenance:
    """Settings of the shoe may be changed from here on: no hand is dealt meanwhile."""


@dataclass(frozen=True, slots=True)
class EndMaintenance:
    """The shoe's settings are as they shall be; a further change is an alert again."""


class Sort(Enum):
    """Hands that are played for money, and those that are not."""

    NORMAL = "normal"
    FREE = "free"  # dealt without bets
    DEMONSTRATION = "demonstration"


@dataclass(frozen=True, slots=True)
class MarkHand:
    """Say of which sort the open hand, or the next one, is."""

    sort: Sort


@dataclass(frozen=True, slots=True)
class ManualHand:
    """A hand dealt while the shoe was not heard: its cards in drawing order, and the result called."""

    cards: tuple[Placed, ...]
    result: Call


@dataclass(frozen=True, slots=True)
class BlindHands:
    """Hands of which only the results are known, in order."""

    results: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class OpenTable:
    """The table opens: its gaming day (YYYY-MM-DD, by the house's zone) and its limits as the house writes them."""

    day: str
    limits: str = ""


@dataclass(frozen=True, slots=True)
class CloseTable:
    """The table closes."""


class Post(Enum):
    """Who is on duty at a table."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"


@dataclass(frozen=True, slots=True)
class OnDuty:
    """A person takes a post, by staff number; empty leaves it."""

    post: Post
    staff: str


Act = (
    Void
    | Accept
    | Correct
    | KeyCard
    | RestOfHand
    | NewHand
    | Turned
    | Takes
    | OpenedNext
    | Acknowledge
    | Review
    | CloseShoe
    | NewShoe
    | Relay
    | Apply
    | CloseBets
    | BeginMaintenance
    | EndMaintenance
    | MarkHand
    | ManualHand
    | BlindHands
    | OpenTable
    | CloseTable
    | OnDuty
    | BankCommand
)


@dataclass(frozen=True, slots=True)
class Command:
    """What a person asks for.

    ``id`` makes it idempotent, ``hand`` is the reference of the hand it means (empty where it means none):
    the table refuses it if that hand has moved on.
    """

    id: str
    act: Act
    hand: str = ""


@dataclass(frozen=True, slots=True)
class Input:
    """The one thing a table takes. ``by`` is `shoe`, `staff:1042`, `timer`, `recorder` or `replay`.

    ``mark`` is the driver's own note of where the shoe then stood; it judges nothing.
    """

    what: Signal | Command | Elapsed | Started | DiskRoom | ClockStepped | RecordDamaged
    at: Moment = Moment()
    by: str = "shoe"
    mark: str = ""
