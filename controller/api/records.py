"""What programs get of hands and shoes that the journal tells of, and what they send and get for a command."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from controller.api.models import Loose, Spot
from controller.api.spelling import (
    At,
    HandNumber,
    HandRef,
    Model,
    Points,
    SeatName,
    ShoeNumber,
    SortName,
    SourceName,
    TableId,
)
from controller.pit.commands import Name, Value


class Found(Model):
    """One thing wrong with a hand, as an audit line has it."""

    kind: str = Field(examples=["banker-false-draw"])
    seat: SeatName | None
    rule: str | None = Field(examples=["R-PB-05"])
    disposal: Literal["withdrawn", "carried", "unknown"] | None = None


class Verdict(Model):
    """A result as it was closed or corrected; the last one of a hand counts."""

    result: str | None = Field(description="player, banker or tie; null for a void hand.", examples=["tie"])
    void: bool
    at: At
    by: str = Field(description="Who closed it so: a staff number, or empty for the shoe.")
    reason: str = Field(description="Why, as that person wrote it; empty where nobody did.")


class DealtSeat(Model):
    """The cards of a seat in drawing order, each face only as players saw it."""

    seat: SeatName
    spots: tuple[Spot, ...]
    points: Points


class HandRecord(Model):
    """A hand of the journal. ``result`` is that of the cards, ``recorded`` the one called."""

    shoe: ShoeNumber
    hand: HandNumber
    hand_ref: HandRef
    sort: SortName
    source: SourceName
    open: bool
    seats: tuple[DealtSeat, ...]
    loose: Loose
    result: str | None
    recorded: str | None
    void: bool
    irregularities: tuple[Found, ...]
    verdicts: tuple[Verdict, ...]
    opened: At
    closed: At


class Hands(Model):
    """Hands of a shoe in order. ``next_after`` asks for what follows; null at the end."""

    table: TableId
    shoe: ShoeNumber
    hands: tuple[HandRecord, ...]
    next_after: int | None


class ShoeRecord(Model):
    """A shoe's report in figures. Its hands are at `/hands?shoe=`, its incidents at `/incidents?shoe=`."""

    table: TableId
    shoe: ShoeNumber
    serial: str
    closed: bool
    game: str
    decks: int
    day: str
    limits: str
    began: At
    ended: At
    hands: int
    results: dict[str, int]
    sorts: dict[str, int]
    sources: dict[str, int]
    corrected: int
    irregular: int
    hands_per_hour: int | None
    levels: tuple[str, ...] = Field(description="unauthenticated, authentic: what the link was during the shoe.")
    cards: dict[str, int | None] = Field(description="size, out, left, unknown, burnt, stub, difference and more.")
    evidence: dict[str, Any] = Field(description="Segments, the last line read and its hash.")


class CommandBody(BaseModel):
    """A command. Its id is the header `Idempotency-Key`."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    act: dict[Name, Value] = Field(
        description="`kind` and the act's own keys, as in the journal.", examples=[{"kind": "correct", "result": "tie"}]
    )
    hand: Annotated[str, Field(max_length=64)] = Field(
        default="",
        description="The hand it means (`hand_ref`); refused once it has moved on.",
        examples=["3-17"],
    )
    staff: Annotated[str, Field(pattern=r"^[0-9]{0,10}$")] = Field(
        default="",
        description="Who gives it; needed where nobody signs in, else ignored.",
        examples=["1042"],
    )

    @field_validator("act", mode="before")
    @classmethod
    def _whole_numbers(cls, act: Any) -> Any:
        return whole(act)


def whole(value: Any) -> Any:
    """Return JSON with 3 for 3.0: to JSON both are the same integer, and many programs write the latter.

    >>> whole({"cards": [{"place": 3.0}], "stub": 1.5})
    {'cards': [{'place': 3}], 'stub': 1.5}
    """
    match value:
        case float() if value.is_integer():
            return int(value)
        case list():
            return [whole(item) for item in value]
        case dict():
            return {name: whole(item) for name, item in value.items()}
        case _:
            return value


class Waits(Model):
    """What a second person is asked to approve."""

    id: str
    hash: str
    state: str


class Outcome(Model):
    """What became of a command: taken (200), or waiting for a second person (202)."""

    accepted: bool
    sentence: str = ""
    approval: Waits | None = None


class Problem(Model):
    """A refusal as RFC 9457 has it; ``detail`` is a sentence that says what to do."""

    type: str = Field(examples=["urn:tirage:rejected.moved-on"])
    title: str = Field(examples=["Conflict"])
    status: int = Field(examples=[409])
    detail: str = Field(examples=["That hand has moved on: nothing was changed. Look at the hand again."])
    instance: str = Field(description="The address that was asked.", examples=["/api/v1/tables/b1/commands"])
