"""How answers spell what they are made of: tables, cards, hands, times, seats, sums."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

TableId = Annotated[str, Field(description="The table's id from the configuration.", examples=["b1"])]
CardText = Annotated[
    str, Field(description="Rank then suit; a digit where only the value is known, `K?` where only the rank is.",
               pattern=r"^(?:[A2-9TJQK][SHDC?]|[0-9])$", examples=["TD"])
]  # fmt: skip
ShoeNumber = Annotated[int, Field(ge=0, description="The number of the shoe at its table.", examples=[3])]
HandNumber = Annotated[int, Field(ge=1, description="The number of the hand in its shoe.", examples=[17])]
HandRef = Annotated[
    str, Field(description="What a command names a hand by; empty where no hand is there.", examples=["3-17"])
]
At = Annotated[
    str | None, Field(description="UTC, ISO 8601; null where it is not known.", examples=["2026-11-30T02:40:00.0Z"])
]
SeatName = Annotated[str, Field(description="player or banker; other games have other seats.", examples=["player"])]
TakerNames = Annotated[
    tuple[SeatName, ...],
    Field(
        description="Who may be named now as the taker of a card, in the order of the turns; what order and count of "
        "the cards tell, whatever their faces. None in punto banco.",
        examples=[["right", "left"]],
    ),
]
TakerOf = Annotated[
    int | None,
    Field(ge=0, description="The card whose taker would be named now (`place` of `takes`), from 0 in drawing order; "
          "null where none of `takers` may be named.", examples=[6]),
]  # fmt: skip
SortName = Annotated[
    Literal["normal", "free", "demonstration"], Field(description="Played for money, or not.", examples=["normal"])
]
SourceName = Annotated[
    str, Field(description="shoe, manual (entered by a person) or blind (only its result is known).", examples=["shoe"])
]
ResultName = Annotated[
    str | None,
    Field(
        description="player (punter in chemin de fer), banker, tie or forced-end; in banque the winner on the right, "
        "then on the left: right/banker; null for a void hand.",
        examples=["banker"],
    ),
]
Points = Annotated[int | None, Field(ge=0, le=9, description="Null until every face is public.", examples=[7])]
PlaceNumber = Annotated[int, Field(ge=0, description="A place at the table; 0 is nobody.", examples=[8])]
Banker = Annotated[
    int, Field(ge=-1, description="The banker's place; -1 where he has none (a bank that stays), 0 is nobody.")
]
Units = Annotated[int, Field(description="Whole minor units.", examples=[1000])]
Level = Annotated[Literal["alert", "notice"], Field(description="How urgent it is.", examples=["alert"])]
Mark = Annotated[tuple[int, int, str], Field(description="Column and row from zero, and the mark.")]
Ties = Annotated[tuple[int, int, int], Field(description="Column and row from zero, and the number of ties.")]


class Model(BaseModel):
    """What every answer has in common: no key that is not described."""

    model_config = ConfigDict(extra="forbid", frozen=True)
