"""What programs get of a bank."""

from __future__ import annotations

from pydantic import Field

from controller.api.spelling import Banker, Model, PlaceNumber, SeatName, Units


class BankStake(Model):
    """What lies against the bank, or on a bet."""

    who: PlaceNumber = Field(description="Place or number; 0 is the punters together.")
    on: str = Field(description="A side, a-cheval, or a bet.", examples=["punter"])
    amount: Units


class BankPlace(Model):
    """The place that holds the cards for a side."""

    side: SeatName
    place: PlaceNumber


class BankClaim(Model):
    """Who goes bank, and how."""

    kind: str = Field(description="banco, suivi or with-table.", examples=["banco"])
    place: PlaceNumber


class BankState(Model):
    """The bank as it stands on the felt for everybody; sums are whole minor units."""

    ref: str = Field(description="What an act of the bank may name as its `hand`; then it means this coup and banker.")
    stage: str = Field(description="awaiting, open, closed, reopened or passing.", examples=["open"])
    banked: bool = Field(description="False where the house pays.")
    banker: Banker
    sum: Units
    covered: Units
    riding: Units = Field(description="What abides the next hand after a tie.")
    passed_at: Units = Field(description="The sum of a bank that was passed.")
    speaker: PlaceNumber = Field(description="Who plays for the punters.")
    holders: tuple[BankPlace, ...]
    claim: BankClaim | None
    stakes: tuple[BankStake, ...]
    acts: tuple[str, ...] = Field(description="The kinds of bank command that this stage knows.")
    spots: tuple[str, ...] = Field(description="What a stake may be on, where single stakes are kept.")
    claims: tuple[str, ...]
    penalties: tuple[str, ...]
