"""What may enter a table: a signal, a person's command, or a timer that ran out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.core.cards import Card, Seat
from controller.core.signals import Call, Signal


@dataclass(frozen=True, slots=True)
class Moment:
    """When something happened: UTC and monotonic nanoseconds, None where a capture has no time."""

    utc_ns: int | None = None
    mono_ns: int | None = None


class Timer(Enum):
    """Timers a table asks for; one that runs out is an input."""

    SILENCE = "silence"  # no byte from an open link for the set time
    NO_RESULT = "no-result"  # a complete hand waits for its result


@dataclass(frozen=True, slots=True)
class Elapsed:
    """A timer ran out."""

    timer: Timer


@dataclass(frozen=True, slots=True)
class Started:
    """The recorder started with this journal (again); an open hand is then unproved."""


@dataclass(frozen=True, slots=True)
class Void:
    """Close the hand without a result; its cards stay counted out of the shoe."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Let the hand stand as the cards lie: lifts the holds named, and closes the hand if its result was called."""

    holds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Correct:
    """Say what the hand's result is; for a closed hand it supersedes the earlier record."""

    result: Call


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
    """The face-down cards were turned on the felt."""


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
    """A new shoe was loaded."""


Act = Void | Accept | Correct | KeyCard | RestOfHand | NewHand | Turned | Acknowledge | CloseShoe | NewShoe


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
    """The one thing a table takes. ``by`` is `shoe`, `staff:1042`, `timer`, `recorder` or `replay`."""

    what: Signal | Command | Elapsed | Started
    at: Moment = Moment()
    by: str = "shoe"
