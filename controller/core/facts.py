"""What came of an input, in the past tense. Every fact has an audience."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from controller.core.cards import Card, Seat
from controller.core.inputs import Moment
from controller.core.signals import Call


class Audience(Enum):
    """Who may see a fact; each one sees what those before it see."""

    PUBLIC = 0
    PIT = 1
    SURVEILLANCE = 2


class FactName(Enum):
    """The names of all facts, as every output writes them."""

    POWERED_UP = "PoweredUp"
    SHOE_LOADED = "ShoeLoaded"
    STOOD_BY = "StoodBy"
    SHOE_OPENED = "ShoeOpened"
    BURN_CARD_SEEN = "BurnCardSeen"
    HAND_OPENED = "HandOpened"
    CARD_DRAWN = "CardDrawn"
    CARD_SHOWN = "CardShown"
    CARD_KEYED = "CardKeyed"
    HAND_TURNED = "HandTurned"
    CARD_TAKEN = "CardTaken"
    RESULT_CALLED = "ResultCalled"
    OVERDRAW_RAISED = "OverdrawRaised"
    OVERDRAW_SETTLED = "OverdrawSettled"
    OFF_GAME_CARD_SEEN = "OffGameCardSeen"
    CUT_CARD_SEEN = "CutCardSeen"
    SHOE_ERROR_RAISED = "ShoeErrorRaised"
    SHOE_ERROR_CLEARED = "ShoeErrorCleared"
    LOCK_TURNED = "LockTurned"
    PRESET_CHANGED = "PresetChanged"
    SHOE_ORDERED = "ShoeOrdered"
    IRREGULARITY_FOUND = "IrregularityFound"
    HAND_SUSPENDED = "HandSuspended"
    HAND_RESUMED = "HandResumed"
    HAND_COMPLETED = "HandCompleted"
    HAND_VOIDED = "HandVoided"
    HAND_ABANDONED = "HandAbandoned"
    HAND_CORRECTED = "HandCorrected"
    LINK_FAULT = "LinkFault"
    LINK_CHANGED = "LinkChanged"
    CLOCK_STEPPED = "ClockStepped"
    SHOE_CLOSED = "ShoeClosed"
    ALARM_RAISED = "AlarmRaised"
    INCIDENT_OPENED = "IncidentOpened"
    INCIDENT_ACKNOWLEDGED = "IncidentAcknowledged"
    INCIDENT_ADDED = "IncidentAdded"
    INCIDENT_ESCALATED = "IncidentEscalated"
    INCIDENT_REVIEWED = "IncidentReviewed"
    HAND_RELAID = "HandRelaid"
    BANK_MOVED = "BankMoved"
    BANK_OWED = "BankOwed"
    REMEDY_APPLIED = "RemedyApplied"
    HAND_MARKED = "HandMarked"
    BETS_CLOSED = "BetsClosed"
    MAINTENANCE_CHANGED = "MaintenanceChanged"
    SHOE_PROPOSED = "ShoeProposed"
    SHOE_NAMED = "ShoeNamed"
    TABLE_OPENED = "TableOpened"
    TABLE_CLOSED = "TableClosed"
    DUTY_CHANGED = "DutyChanged"
    COMMAND_ACCEPTED = "CommandAccepted"
    COMMAND_REJECTED = "CommandRejected"


class Disposal(Enum):
    """What became of an overdrawn card."""

    WITHDRAWN = "withdrawn"
    CARRIED = "carried"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Irregularity:
    """One thing wrong with a hand: a kind of design.md section 6, its seat, the rule, the disposal of an overdraw."""

    kind: str
    seat: Seat | None = None
    rule: str | None = None
    disposal: Disposal | None = None


@dataclass(frozen=True, slots=True)
class HandLine:
    """A closed hand as an audit line gives it; a card that is not known is None."""

    cards: tuple[tuple[Seat, tuple[Card | None, ...]], ...]
    result: Call | None
    recorded: str | None
    irregularities: tuple[Irregularity, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of one table: ``shoe`` from 1, ``hand`` None between hands, ``audience`` the widest circle allowed."""

    name: FactName
    shoe: int
    hand: int | None
    at: Moment
    data: tuple[tuple[str, Any], ...] = ()
    audience: Audience = Audience.PIT
