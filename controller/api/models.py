"""What programs get: the tables as JSON, in the words of the pages and of `replay --json`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from controller.api.bankmodels import BankState
from controller.api.spelling import (
    CardText,
    HandNumber,
    HandRef,
    Level,
    Mark,
    Model,
    Points,
    ResultName,
    SeatName,
    ShoeNumber,
    SortName,
    SourceName,
    TableId,
    TakerNames,
    TakerOf,
    Ties,
)


class Said(Model):
    """A sentence: its id for programs, its English text for people, the rule that it rests on."""

    id: str = Field(examples=["prompt.draws"])
    text: str = Field(examples=["PLAYER draws"])
    rule: str = Field(default="", examples=["R-PB-03"])


class TableEntry(Model):
    """A table of the house."""

    id: TableId
    name: str = Field(description="The table's name for people.", examples=["Baccarat 1"])


class House(Model):
    """All tables, in the house's order."""

    tables: tuple[TableEntry, ...]
    version: str = Field(description="The version of the software.", examples=["0.1.0"])
    demo: bool = Field(description="Whether the shoes are simulated.")


class Spot(Model):
    """A card on the felt; its face only once players may know it."""

    side: Literal["back", "face", "unread"]
    card: CardText | None = None
    keyed: bool = Field(default=False, description="Whether a person entered the face.")
    carried: bool = Field(default=False, description="Whether it was overdrawn in the hand before.")


class Seat(Model):
    """The cards of a seat in drawing order, and its point."""

    seat: SeatName
    spots: tuple[Spot, ...]
    points: Points
    natural: bool = False


Loose = Annotated[
    tuple[Spot, ...],
    Field(description="Cards of the hand that lie with nobody yet, in drawing order; none in punto banco."),
]


class Hold(Model):
    """Why a hand waits. ``id`` is what the act `accept` names."""

    id: str = Field(examples=["unread-card:player"])
    sentence: Said
    waits_for_person: bool


class Unsettled(Model):
    """An earlier hand that a person must still close."""

    hand: HandNumber
    hand_ref: HandRef
    holds: tuple[Hold, ...]
    takers: TakerNames
    taker_of: TakerOf


class Result(Model):
    """A closed hand on the board."""

    hand: HandNumber
    result: ResultName
    points: tuple[Points, ...] = ()
    natural: bool = False
    pairs: Literal["none", "player", "banker", "both"] | None = None
    corrected: bool = False
    sort: SortName = "normal"
    source: SourceName = "shoe"


class Tally(Model):
    """What the board counts in this shoe, where one result says all of a hand; else `sides` of the shoe has more."""

    player: int = Field(description="In chemin de fer the hands that the punter won.")
    banker: int
    tie: int
    player_pair: int
    banker_pair: int
    natural: int


class SideTally(Model):
    """What a side that people play against the bank won, lost and tied in this shoe; one that it refused is in none."""

    side: Literal["punter", "right", "left"]
    won: int
    lost: int
    tied: int


class Answers(Model):
    """The cell that one more result would add to each derived road; null where it would add none."""

    big_eye: Mark | None
    small: Mark | None
    cockroach: Mark | None


class RoadSet(Model):
    """The roads as `tirage roads --json` gives them."""

    bead: tuple[Mark, ...]
    big: tuple[Mark, ...]
    big_eye: tuple[Mark, ...]
    small: tuple[Mark, ...]
    cockroach: tuple[Mark, ...]
    ties: tuple[Ties, ...]
    ask: dict[Literal["B", "P"], Answers]
    waiting: int = Field(description="Ties that have no cell yet.")


class ShoeState(Model):
    """The shoe on the board: results, counts and roads, all of them known to players."""

    table: TableId
    shoe: ShoeNumber
    stage: str = Field(description="loaded, in-play, cut-card-out, last-hand or finished.", examples=["in-play"])
    proposed: bool = Field(description="Whether a new shoe waits to be confirmed; this is still the old one.")
    results: tuple[Result, ...]
    counts: Tally
    sides: tuple[SideTally, ...] = Field(description="In dealing order; none in punto banco, where `counts` has all.")
    roads: RoadSet


class TableState(Model):
    """Everything that the dealer's page and the players' board show."""

    table: TableId
    name: str
    open: bool
    link: Literal["live", "syncing", "not-live", "closed"]
    link_sentence: Said | None
    link_level: Literal["unauthenticated", "authentic"] | None = Field(
        description="Whether each message of the shoe is proved; null where its kind can prove nothing, and while the "
        "link is down."
    )
    recording: bool = Field(description="False: nothing can be recorded, deal by procedure.")
    phase: str = Field(description="waiting, dealing, drawing, complete or suspended.", examples=["drawing"])
    hand: HandNumber | None = Field(description="The open hand.")
    hand_ref: HandRef
    sort: SortName
    prompt: Said
    seats: tuple[Seat, ...]
    loose: Loose
    takers: TakerNames
    taker_of: TakerOf
    openers: tuple[int, ...] = Field(
        description="Cards that may have opened the next hand (`place` of `opened_next`), the last one first."
    )
    holds: tuple[Hold, ...]
    unsettled: tuple[Unsettled, ...]
    acts: tuple[str, ...] = Field(description="The kinds of command that would be taken now.", examples=[["void"]])
    carried_pending: bool
    burn_left: int | None = Field(description="Burn cards still to come before the first hand.")
    bank: BankState | None = Field(description="Null where the table keeps no money.")
    shoe: ShoeState


class Board(Model):
    """What an outside feed tells: the felt and the board, without prompts, holds and acts."""

    table: TableId
    name: str
    hand: HandNumber | None
    phase: str
    seats: tuple[Seat, ...]
    shoe: ShoeState


class Incident(Model):
    """An incident; one a hand. It is open until a person acknowledged it."""

    id: str = Field(examples=["3-i2"])
    table: TableId
    shoe: ShoeNumber
    hand: HandNumber | None
    level: Level
    sentence: Said
    more: tuple[Said, ...] = Field(description="What else belongs to the same hand.")
    since: Annotated[
        str | None,
        Field(
            description="When it began, UTC, ISO 8601; null where it is not known, and below surveillance for one that "
            "belongs to a hand.",
            examples=["2026-11-30T02:40:00.0Z"],
        ),
    ]
    escalated: bool
    acknowledged_by: str = Field(description="Staff number, empty while it is open.", examples=["1042"])
    note: str
    reviewed_by: str


class Incidents(Model):
    """Incidents of a table: the open ones, or all of a shoe."""

    table: TableId
    incidents: tuple[Incident, ...]


class Duty(Model):
    """The table's gaming day, its limits, and who is on duty by staff number."""

    day: str
    limits: str
    dealer: str
    supervisor: str
    serial: str = Field(description="What is written on the shoe.")


class PitState(Model):
    """What the pit sees of a table."""

    public: TableState
    hands_per_hour: int | None
    incidents: tuple[Incident, ...]
    duty: Duty


class Faces(Model):
    """The faces of a seat's cards as far as the shoe told them, before players see them."""

    seat: SeatName
    cards: tuple[CardText | None, ...]


class SurveillanceState(Model):
    """What only surveillance sees of a table."""

    pit: PitState
    faces: tuple[Faces, ...]
    composition: dict[str, int] = Field(description="How many cards of each face were seen.", examples=[{"AS": 2}])
    unknown: int
    out: int
    left: int
    alarms: tuple[Incident, ...]
    acknowledged: tuple[Incident, ...]
