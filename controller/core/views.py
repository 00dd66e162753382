"""What each audience may know of a table, as plain values. A public view has no field that could hold a secret."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.core.cards import Card, Seat
from controller.core.games import PUNTO_BANCO, Game
from controller.core.roads import Roads
from controller.core.signals import Call, Pairs


class Side(Enum):
    """How a card lies on the felt."""

    BACK = "back"
    FACE = "face"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class Sentence:
    """An id of the catalogue with what fills its blanks, and the rule it rests on."""

    id: str
    blanks: tuple[tuple[str, str], ...] = ()
    rule: str = ""


@dataclass(frozen=True, slots=True)
class SpotView:
    """A card on a spot; ``card`` is None unless its face is public."""

    side: Side
    card: Card | None = None
    keyed: bool = False
    carried: bool = False


@dataclass(frozen=True, slots=True)
class SeatView:
    """The spots of a seat in drawing order, and its point once every face is public."""

    seat: Seat
    spots: tuple[SpotView, ...]
    points: int | None
    natural: bool = False


@dataclass(frozen=True, slots=True)
class ResultView:
    """A closed hand as players may know it; ``call`` is None for a hand without a result (void)."""

    number: int
    call: Call | None
    points: tuple[int | None, ...] = ()
    natural: bool = False
    pairs: Pairs | None = None
    corrected: bool = False
    sort: str = "normal"  # free and demonstration hands stand on no road
    source: str = "shoe"  # manual, or blind: known by its result alone
    marked: bool = False  # a void hand of which the house has a mark on the bead plate


@dataclass(frozen=True, slots=True)
class HoldView:
    """Why the hand waits: ``id`` for commands, what is wrong, who lifts it and the acts that do."""

    id: str
    sentence: Sentence
    waits_for_person: bool


@dataclass(frozen=True, slots=True)
class Counts:
    """What the players' board counts in this shoe."""

    player: int = 0
    banker: int = 0
    tie: int = 0
    player_pair: int = 0
    banker_pair: int = 0
    natural: int = 0


@dataclass(frozen=True, slots=True)
class SideCounts:
    """What one side that plays against the bank won, lost and tied in this shoe."""

    side: Seat
    won: int
    lost: int
    tied: int


@dataclass(frozen=True, slots=True)
class StakeView:
    """What ``who`` has on a side or a bet, in minor units; 0 is the punters together (bank/state.py)."""

    who: int
    on: str
    amount: int


@dataclass(frozen=True, slots=True)
class BankView:
    """The bank of a table; all sums are whole minor units, and place 0 is nobody.

    ``banked`` is false where the house pays. ``holders`` are who holds the cards of each side, ``claim`` who went bank
    and how, ``speaker`` who plays for the punters, ``riding`` what abides from a tie, ``passed_at`` the sum of a bank
    that was passed. ``acts`` are the kinds of bank command that this stage knows; the rest is what they choose from.
    """

    stage: str
    banked: bool
    banker: int
    sum: int
    covered: int
    holders: tuple[tuple[Seat, int], ...]
    claim: tuple[str, int] | None
    speaker: int
    riding: int
    passed_at: int
    stakes: tuple[StakeView, ...]
    acts: tuple[str, ...]
    spots: tuple[str, ...]
    claims: tuple[str, ...]
    penalties: tuple[str, ...]
    ref: str = ""  # what an act of the bank says it means: the coup, the banker, the speaker


@dataclass(frozen=True, slots=True)
class PublicView:
    """Everything that the dealer's page and the players' board may show.

    ``phase`` is waiting, dealing, drawing, complete or suspended; ``stage`` of the shoe is loaded, in-play,
    cut-card-out, last-hand or finished; ``link`` is live, syncing, not-live, ``link_level`` unauthenticated or
    authentic where the shoe can prove what it says. ``acts`` are the kinds of command
    that would be taken now (core/inputs.py); they mean the hand of ``hand_ref``, the open one or else the last closed.
    """

    table: str
    name: str
    seats: tuple[SeatView, ...]  # of the open hand, or else of the last closed one
    phase: str
    link: str
    link_sentence: Sentence | None
    recording: bool
    stage: str
    shoe: int
    hand: int | None
    hand_ref: str
    prompt: Sentence
    holds: tuple[HoldView, ...]
    acts: tuple[str, ...]
    carried_pending: bool
    result: ResultView | None
    results: tuple[ResultView, ...]
    counts: Counts
    roads: Roads
    unsettled: tuple[UnsettledView, ...] = ()
    sort: str = "normal"  # of the open hand, or else of the next
    burn_left: int | None = None  # burn cards still to come before the first hand; None where that is not known
    proposed: bool = False  # a new shoe waits to be confirmed; the board still shows the old one
    open: bool = True
    game: Game = PUNTO_BANCO
    takers: tuple[Seat, ...] = ()  # who may be named now as the taker of a card
    taker_of: int | None = None  # that card's place in the open hand, from 0
    openers: tuple[int, ...] = ()  # places of the cards that may have opened the next hand, the last one first
    takes_back: bool = False  # naming a taker takes back the key that closed the hand
    loose: tuple[SpotView, ...] = ()  # cards of the open hand of which nobody said who took them
    sides: tuple[SideCounts, ...] = ()  # in dealing order
    bank: BankView | None = None  # where the table keeps money
    link_level: str = ""


@dataclass(frozen=True, slots=True)
class UnsettledView:
    """An earlier hand that a person must still close."""

    hand: int
    hand_ref: str
    holds: tuple[HoldView, ...]
    takers: tuple[Seat, ...] = ()
    taker_of: int | None = None
    takes_back: bool = False


@dataclass(frozen=True, slots=True)
class IncidentView:
    """An incident for the pit; it stays until acknowledged. ``level`` is alert or notice.

    ``sentence`` is what came first, ``more`` what else belongs to the same hand.
    """

    id: str
    table: str
    shoe: int
    hand: int | None
    level: str
    sentence: Sentence
    since_utc_ns: int | None
    more: tuple[Sentence, ...] = ()
    escalated: bool = False
    acknowledged_by: str = ""
    note: str = ""
    reviewed_by: str = ""


@dataclass(frozen=True, slots=True)
class DutyView:
    """The table's day: gaming day, limits as the house writes them, staff numbers on duty, the shoe's serial."""

    day: str
    limits: str
    dealer: str
    supervisor: str
    serial: str


@dataclass(frozen=True, slots=True)
class PitView:
    """A tile of the pit page: the public view, the pace, the day and the open incidents."""

    public: PublicView
    hands_per_hour: int | None
    incidents: tuple[IncidentView, ...]
    duty: DutyView = DutyView("", "", "", "", "")


@dataclass(frozen=True, slots=True)
class SurveillanceView:
    """What only surveillance sees: faces before the reveal, composition of the shoe, alarms.

    ``composition`` counts the cards seen of each of the 52 faces, ``unknown`` those with no face; ``out`` is their sum.
    ``unheard`` of the unknown ones no message told, ``doubtful`` messages were lost that perhaps told of more.
    """

    pit: PitView
    faces: tuple[tuple[Seat, tuple[Card | None, ...]], ...]
    composition: tuple[tuple[Card, int], ...]
    unknown: int
    out: int
    left: int
    alarms: tuple[IncidentView, ...]
    acknowledged: tuple[IncidentView, ...] = ()  # of this shoe, for review
    unheard: int = 0
    doubtful: int = 0
    unnamed: tuple[Card | None, ...] = ()  # cards of the open hand that lie on no seat
