"""The tables of a daemon: each with its shoe, and the rules that its house chooses for it."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from controller.config.kinds import Slug, Text
from controller.config.shoe import Shoe
from controller.profiles import ENDING, names
from controller.settings import STRICT, DealName, Decks, Game, Rules


def at_least_one(tables: tuple[TableConfig, ...]) -> tuple[TableConfig, ...]:
    """Return the tables. Raises ValueError where there is none."""
    if not tables:
        raise ValueError("no table")
    return tables


def profile_name(text: str) -> str:
    """Return the name of a profile that is there, or the path of one. Raises ValueError."""
    if text not in names() and not text.endswith(ENDING):
        raise ValueError(text)
    return text


ProfileName = Annotated[
    str,
    AfterValidator(profile_name),
    Field(
        description=f"one of the profiles {', '.join(names())}, or the path of your own file, ending in {ENDING}",
        examples=['"house_burn"'],
    ),
]


class TableRules(Rules):
    """The rules of a table: a profile, and what the house chooses otherwise."""

    profile: ProfileName | None = None


class TableConfig(BaseModel):
    """One table. ``game``, ``decks`` and ``deal`` are the profile's where they are None."""

    model_config = STRICT

    id: Slug
    name: Text
    game: Game | None = None
    decks: Decks | None = None
    deal: DealName | None = None
    shoe: Annotated[Shoe, Field(description="a section [tables.shoe]", examples=["[tables.shoe]"])]
    rules: TableRules = TableRules()


Tables = Annotated[
    tuple[TableConfig, ...],
    AfterValidator(at_least_one),
    Field(strict=False, description="a section [[tables]] for each table", examples=["[[tables]]"]),
]
