"""What a house may choose about money: the keys of a profile, and the core's terms made of them and written back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from controller.core.bank import Banco, Bet, Favour, Holds, Money, RakeOn, Suivi, Terms, Ties
from controller.core.bank.bets import (
    BANKER,
    BANKER_EZ,
    BANKER_HALF_ON_6,
    BANKER_PAIR,
    DRAGON_7,
    EITHER_PAIR,
    PANDA_8,
    PERFECT_PAIR_BET,
    PLAYER,
    PLAYER_PAIR,
    SUPER_6,
    TIE,
)
from controller.core.bank.terms import BANQUE_LIMITED, CHEMIN
from controller.core.cards import Seat
from controller.core.games import Game
from controller.core.sanctions import FORMER, Sanction

# By the name that a profile gives it: two bets of the layout may share the spot `banker`.
BETS: dict[str, Bet] = {
    "player": PLAYER,
    "banker": BANKER,
    "banker-half-on-6": BANKER_HALF_ON_6,
    "banker-ez": BANKER_EZ,
    "tie": TIE,
    "dragon-7": DRAGON_7,
    "panda-8": PANDA_8,
    "super-6": SUPER_6,
    "player-pair": PLAYER_PAIR,
    "banker-pair": BANKER_PAIR,
    "either-pair": EITHER_PAIR,
    "perfect-pair": PERFECT_PAIR_BET,
}
PUNTO = Terms(money=Money.FULL, holds=Holds.HOUSE, sides=(), rake_bp=0, claims=(), bets=(PLAYER, BANKER, TIE))
USUAL = {"chemin-de-fer": CHEMIN, "banque": BANQUE_LIMITED, "punto-banco": PUNTO}

Names = tuple[str, ...]
Places = Annotated[int, Field(ge=2, le=20, description="a whole number of places from 2 to 20", examples=["8"])]
BasisPoints = Annotated[
    int, Field(ge=0, le=10_000, description="whole basis points from 0 to 10000, of the banker's win", examples=["500"])
]


class BankChoices(BaseModel):
    """The section [bank]: what differs from the game's usual terms (rules.md B.6 D6, D7, D14; R-FRC-05, R-FRB-03)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    holds: Holds | None = None
    places: Places | None = None
    limited: bool | None = None
    rake_bp: BasisPoints | None = None
    rake_on: RakeOn | None = None
    odd_unit: Favour | None = None
    ties: Ties | None = None
    claims: tuple[Banco, ...] | None = None
    claims_from: Annotated[Seat | None, Field(description='"right" or "left"', examples=['"right"'])] = None
    suivi: Suivi | None = None
    reopens: Names | None = None
    sanctions: tuple[Sanction, ...] | None = None  # absent: the house's own
    a_cheval: bool | None = None
    bets: Names | None = None


def terms_of(game: Game, money: Money, choices: Mapping[str, Any]) -> Terms:
    """Return the terms of a table about money.

    Raises ValueError for choices that contradict each other or a bet that is unknown.
    """
    if money is Money.OFF:
        return Terms()
    made = {key: value for key, value in choices.items() if value is not None}
    if "bets" in made:
        made["bets"] = tuple(_bet(name) for name in made["bets"])
    return replace(USUAL[game.name], money=money, **made)


def _bet(name: str) -> Bet:
    if name not in BETS:
        raise ValueError(f"expected bets out of {', '.join(BETS)}, got {name!r}")
    return BETS[name]


def renamed(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a journal with its former words for sanctions as they are written now."""
    bank = dict(settings.get("bank") or {})
    if "penalties" in bank:
        bank["sanctions"] = bank.pop("penalties")
    sections = {**settings, **({"bank": bank} if "bank" in settings else {})}
    for section in (sections, bank):
        if section.get("sanctions"):
            section["sanctions"] = [FORMER.get(word, word) for word in section["sanctions"]]
    return sections


def choices_of(terms: Terms) -> dict[str, Any]:
    """Return the section [bank] that gives these terms, as JSON can hold it; empty where no money is kept."""
    if terms.money is Money.OFF:
        return {}
    names = {bet: name for name, bet in BETS.items()}
    plain: dict[str, Callable[[Any], Any]] = {"bets": lambda bets: [names[bet] for bet in bets]}
    keys = BankChoices.model_fields
    return {key: plain.get(key, _plain)(getattr(terms, key)) for key in keys}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return getattr(value, "value", value)
