"""What a house may choose, as models at the edge, and a house as JSON for the journal and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from enum import Enum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from controller.core.bank import Money, Terms
from controller.core.games import CHOICES, game_of
from controller.core.games import Game as GameTable
from controller.core.inputs import Post, Sanction
from controller.core.profile import (
    BetsClosed,
    Burn,
    BurnTold,
    Closes,
    Deal,
    House,
    Maintenance,
    NewShoes,
    SecondSlide,
    VoidMark,
)
from controller.core.reasons import MOST_CHARS
from controller.core.remedies.situations import Remedy
from controller.core.signals import Identifies
from controller.moneysettings import BankChoices, choices_of, renamed, terms_of

STRICT = ConfigDict(extra="forbid", frozen=True, strict=True)

GameName = Literal["punto-banco", "chemin-de-fer", "banque"]
# A key's description is what it may be, its example how it is written: problems and summaries are made of them.
Game = Annotated[GameName, Field(description='"punto-banco", "chemin-de-fer" or "banque"', examples=['"punto-banco"'])]
Decks = Annotated[int, Field(ge=1, le=16, description="a whole number of decks from 1 to 16", examples=["8"])]
DealName = Annotated[Deal, Field(strict=False, description='"face_up" or "face_down"', examples=['"face_down"'])]
BurnName = Annotated[
    Burn,
    Field(
        strict=False,
        description='"face-10", "face-0", "decks", "fixed-1" to "fixed-8" or "none"',
        examples=['"face-10"'],
    ),
]
VoidMarkName = Annotated[VoidMark, Field(strict=False, description='"none" or "bead"', examples=['"bead"'])]
BetsClosedName = Annotated[BetsClosed, Field(strict=False, description='"off" or "operator"', examples=['"off"'])]
Reason = Annotated[str, Field(min_length=1, max_length=MOST_CHARS, pattern=r"^[^\x00-\x1f\x7f]*$")]
Reasons = Annotated[
    tuple[Reason, ...],
    Field(
        strict=False,
        max_length=20,
        description=f"at most 20 reasons in a list, each a line of at most {MOST_CHARS} characters",
        examples=['["keyed wrong", "called wrong"]'],
    ),
]
ReasonNeeded = Annotated[
    tuple[Literal["correct", "new_shoe"], ...],
    Field(strict=False, description='"correct", "new_shoe", any of them in a list', examples=['["correct"]']),
]
SecondSlideName = Annotated[
    SecondSlide, Field(strict=False, description='"allowed" or "forbidden"', examples=['"allowed"'])
]
EarlyRead = Annotated[int, Field(ge=0, le=5_000, description="whole milliseconds from 0 to 5000", examples=["400"])]
MaintenanceName = Annotated[Maintenance, Field(strict=False, description='"off" or "window"', examples=['"window"'])]
ClosesName = Annotated[Closes, Field(strict=False, description='"shoe" or "controller"', examples=['"shoe"'])]
HandsAfterCut = Annotated[int, Field(ge=0, le=10, description="a whole number of hands from 0 to 10", examples=["1"])]
FewestCards = Annotated[int, Field(ge=0, le=52, description="a whole number of cards from 0 to 52", examples=["6"])]
CutCardBy = Annotated[int, Field(ge=0, le=208, description="a whole number of cards from 0 to 208", examples=["14"])]
Silence = Annotated[int, Field(ge=1, le=86_400, description="whole seconds from 1 to 86400", examples=["300"])]
Escalate = Annotated[int, Field(ge=1, le=3_600, description="whole seconds from 1 to 3600", examples=["120"])]
NewShoe = Annotated[NewShoes, Field(strict=False, description='"wire" or "confirm"', examples=['"confirm"'])]
NoResult = Annotated[int, Field(ge=1, le=3_600, description="whole seconds from 1 to 3600", examples=["20"])]

BankerTableName = Annotated[
    Literal["free", "tableau"], Field(description='"free" or "tableau"', examples=['"tableau"'])
]
Cells = Annotated[
    str,
    Field(
        pattern=r"^(?:[0-7],[0-9-](?: [0-7],[0-9-])*)?$",
        description="cells of the drawing table, the banker's point and the punter's third card or -",
        examples=['"3,9 5,4"'],
    ),
]
FlowName = Annotated[
    Literal["all_at_once", "sequential"],
    Field(description='"all_at_once" or "sequential"', examples=['"all_at_once"']),
]
LooksName = Annotated[
    Literal["together", "banker_first"], Field(description='"together" or "banker_first"', examples=['"together"'])
]
ThirdsName = Annotated[
    Literal["by_request", "travelling"],
    Field(description='"by_request" or "travelling"', examples=['"travelling"']),
]
BothRefuseName = Annotated[Literal["forced", "free"], Field(description='"forced" or "free"', examples=['"forced"'])]
FiveRuleName = Annotated[
    Literal["advice", "club_law", "strict"],
    Field(description='"advice", "club_law" or "strict"', examples=['"strict"']),
]
BankerNaturalName = Annotated[
    Literal["compare", "wins"], Field(description='"compare" or "wins"', examples=['"compare"'])
]
SanctionName = Annotated[Sanction, Field(strict=False)]
Sanctions = Annotated[
    tuple[SanctionName, ...],
    Field(
        strict=False,
        description='"blame", "fine", "liable", "no_hold", "pass_bank", any of them in a list',
        examples=['["blame", "liable"]'],
    ),
]
# What these two sections hold is checked by profiles.checking, which knows the game.
RemedyName = Annotated[Remedy, Field(strict=False)]
Remedies = Annotated[
    dict[str, Annotated[tuple[RemedyName, ...], Field(strict=False)]],
    Field(description="a section [remedies]", examples=["[remedies]"]),
]
PostName = Annotated[Post, Field(strict=False)]
MoneyName = Annotated[Money, Field(strict=False, description='"off", "bank" or "full"', examples=['"bank"'])]
Bank = Annotated[BankChoices, Field(strict=False, description="a section [bank]", examples=["[bank]"])]
Decides = Annotated[dict[str, PostName], Field(description="a section [decides]", examples=["[decides]"])]


class Rules(BaseModel):
    """The choices of core.profile.House that a table may make for itself; None leaves the profile's.

    The switches of the old games (core.games.CHOICES) say where their texts disagree (rules.md B.6).
    """

    model_config = STRICT

    banker_table: BankerTableName | None = None
    optional_cells: Cells | None = None
    natural_flow: FlowName | None = None
    looks: LooksName | None = None
    thirds: ThirdsName | None = None
    both_refuse: BothRefuseName | None = None
    five_rule: FiveRuleName | None = None
    banker_natural: BankerNaturalName | None = None

    hands_after_cut: HandsAfterCut | None = None
    burn: BurnName | None = None
    closes: ClosesName | None = None
    fewest_cards: FewestCards | None = None
    cut_card_by: CutCardBy | None = None
    silence_s: Silence | None = None
    no_result_s: NoResult | None = None
    escalate_s: Escalate | None = None
    new_shoe: NewShoe | None = None
    void_mark: VoidMarkName | None = None
    bets_closed: BetsClosedName | None = None
    second_slide: SecondSlideName | None = None
    early_read_ms: EarlyRead | None = None
    maintenance: MaintenanceName | None = None
    reasons: Reasons | None = None
    reason_needed: ReasonNeeded | None = None
    sanctions: Sanctions | None = None
    money: MoneyName | None = None


class Profile(Rules):
    """A whole house; a key that is absent has the value of core.profile.House."""

    game: Game | None = None
    decks: Decks | None = None
    deal: DealName | None = None
    remedies: Remedies | None = None
    decides: Decides | None = None
    bank: Bank | None = None


class Settings(Profile):
    """A house and the shoe's mode, as a journal keeps them."""

    identifies: Annotated[Identifies, Field(strict=False)] = Identifies.EITHER
    burn_told: Annotated[BurnTold, Field(strict=False)] = BurnTold.SHOE


class SettingsError(ValueError):
    """Settings that this version cannot judge by; its text is one sentence."""


def with_choices(house: House, chosen: Mapping[str, Any]) -> House:
    """Return the house with every choice that was made put in the place of its own."""
    made = {name: value for name, value in chosen.items() if value is not None and name in HOUSE_KEYS}
    name = made.get("game", house.game.name)
    usual = dict(house.game.choices) if name == house.game.name else {}
    ours = {key: chosen[key] for key in CHOICES if chosen.get(key) is not None}
    made |= {key: tuple(made[key].items()) for key in BY_IRREGULARITY if key in made}
    game = game_of(name, usual | ours)
    return replace(house, **made | {"game": game, "money": _money(house, game, chosen)})


def _money(house: House, game: GameTable, chosen: Mapping[str, Any]) -> Terms:
    """Return the terms about money: what is chosen over what the house had, where it is the same game still."""
    money = chosen.get("money") or house.money.money
    said = chosen.get("bank")
    had = choices_of(house.money) if game.name == house.game.name and house.money.money is money else {}
    had |= {"sanctions": chosen["sanctions"]} if chosen.get("sanctions") is not None else {}
    ours = said.model_dump(exclude_none=True) if said else {}
    return terms_of(game, money, BankChoices.model_validate(had).model_dump(exclude_none=True) | ours)


BY_IRREGULARITY = ("remedies", "decides")
HOUSE_KEYS = frozenset(field.name for field in fields(House))
THEN = replace(House(), new_shoe=NewShoes.WIRE)  # how tables were judged before a key of theirs was written down


def settings_dict(house: House, identifies: Identifies) -> dict[str, Any]:
    """Return what judges a table as plain JSON values, for the journal.

    >>> settings_dict(House(), Identifies.AT_DRAW)["burn"]
    'face-10'
    """
    chosen = {field.name: getattr(house, field.name) for field in fields(House)} | {"identifies": identifies}
    chosen |= {key: dict(chosen[key]) for key in BY_IRREGULARITY}
    chosen |= {"money": house.money.money, "bank": choices_of(house.money)}
    plain = {name: _plain(value) for name, value in chosen.items()}
    return plain | {"game": house.game.name} | dict(house.game.choices)


def _plain(value: Any) -> Any:
    match value:
        case Enum():
            return value.value
        case tuple():
            return [_plain(part) for part in value]
        case dict():
            return {key: _plain(part) for key, part in value.items()}
        case _:
            return value


def house_from_dict(settings: Mapping[str, Any]) -> tuple[House, Identifies]:
    """Return the house and the shoe's mode that ``settings_dict`` wrote.

    An absent key has the value of then. Raises SettingsError for a key or a value that this version does not know:
    it would judge by other rules than were in force.
    """
    try:
        read = Settings.model_validate(renamed(settings))
        return with_choices(THEN, dict(read)), read.identifies
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SettingsError(f"this version cannot judge by the setting {where}: {first['msg']}") from None
    except ValueError as error:
        raise SettingsError(f"this version cannot judge by the settings: {error}") from None
