"""A person's command from a request: read, checked, and handed to the floor, which decides."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Annotated, Any, TypeVar, cast, get_args
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse

from controller.catalogue import Catalogue
from controller.core.inputs import Act, Apply, Command, Post, Takes
from controller.core.unturning import DECIDED_AS
from controller.core.views import PublicView, UnsettledView
from controller.core.words import from_dict
from controller.pit.bankacts import MOST_AMOUNT
from controller.pit.floor import Answer, Floor
from controller.pit.guards import Refusal, refusal

MOST_BYTES = 4_096
MOST_NUMBER = 10_000  # of what lies inside an act, such as the place of a card
NOT_CHECKED = " NUMBER NOT CHECKED"  # beside the number of who decided, in the journal and wherever it is shown
ANSWER_S = 10.0  # a table that answers later than this is broken; the page must not wait for ever

Text = Annotated[str, StringConstraints(max_length=500)]
Number = Annotated[int, Field(ge=0, le=MOST_NUMBER)]
Name = Annotated[str, StringConstraints(max_length=32)]
# Flat on purpose: no act has another act inside, and none may be smuggled in. Cards as they lie are the one exception.
Part = Annotated[dict[Name, Text | Number | bool | None], Field(max_length=8)]
Texts = Annotated[list[Text], Field(max_length=50)]
Numbers = Annotated[list[Number], Field(max_length=12)]  # cards by their places
Amount = Annotated[int, Field(ge=0, le=MOST_AMOUNT)]  # minor units
Value = Text | Amount | None | Texts | Numbers | Annotated[list[Part], Field(max_length=12)]


class Body(BaseModel):
    """What every body has in common: it holds nothing that is not named here."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Asked(Body):
    """What is asked for. ``id`` makes it idempotent, ``hand`` is the hand it means, ``act`` as core/words.py."""

    id: UUID
    hand: Annotated[str, StringConstraints(max_length=64)] = ""
    act: dict[Name, Value]


class CommandBody(Asked):
    """The body of a command where nobody signs in: the staff number is what the person typed."""

    staff: Annotated[str, StringConstraints(pattern=r"^[0-9]{1,10}$")]


class SignedBody(Asked):
    """The body of a command of a person who signed in; a number in it is not listened to."""

    staff: Annotated[str, StringConstraints(max_length=10)] = ""


class TokenBody(Body):
    """The body that asks for a cookie."""

    token: Annotated[str, StringConstraints(min_length=1, max_length=200)]


BodyT = TypeVar("BodyT", bound=BaseModel)


async def read(request: Request, model: type[BodyT]) -> BodyT:
    """Read a bounded body.

    Raises Refusal: 413 too long, 422 with what does not fit.
    """
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > MOST_BYTES:
            raise refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-long")
    try:
        return model.model_validate_json(bytes(content))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(step) for step in first["loc"]) or "body"
        raise malformed(f"{where}: {first['msg']}") from error


def act_of(data: dict[str, Any]) -> Act:
    """Read an act as core/words.py writes it.

    Raises Refusal 422 for anything that is no act.
    """
    try:
        act = from_dict(data)
    except (ValueError, TypeError, AttributeError) as error:
        raise malformed(str(error)) from error
    if not isinstance(act, get_args(Act)):
        raise malformed(f"{data['kind']} is nothing that a person does")
    return cast("Act", act)


def malformed(why: str) -> Refusal:
    """Return the refusal of a body that cannot be read."""
    return refusal(HTTPStatus.UNPROCESSABLE_ENTITY, "malformed", why=why)


def command_of(body: Asked) -> Command:
    """Return the command of a body. Raises Refusal 422 for an act that is none."""
    return Command(str(body.id), act_of(dict(body.act)), body.hand)


def typed(floor: Floor, table: str, number: str, command: Command) -> str:
    """Return the actor of a command where nobody signs in.

    What a supervisor is to decide is stamped: the number was typed, and nobody knows whose it is. The dealer's own
    number is left as it is, so that the table refuses it and the journal has that.
    """
    stamped = supervisors(floor, table, command) and not deals(floor, table, number, command)
    return f"staff:{number}{NOT_CHECKED if stamped else ''}"


def supervisors(floor: Floor, table: str, command: Command) -> bool:
    """Whether a command decides what the house leaves to a supervisor (rules.md 1.5)."""
    return decider(floor, table, command) is Post.SUPERVISOR


def decider(floor: Floor, table: str, command: Command) -> Post | None:
    """Return who decides on the irregularity that a command rules on; None where it rules on none."""
    match command.act:
        case Apply(irregularity=ident):
            return floor.decider(table, ident)
        case Takes() if _takes_back(floor.public(table), command.hand):
            return floor.decider(table, DECIDED_AS)
        case _:
            return None


def _takes_back(view: PublicView, ref: str) -> bool:
    """Whether naming a taker takes back the key that closed the hand meant."""
    hands: tuple[PublicView | UnsettledView, ...] = (view, *view.unsettled)
    return any(hand.takes_back and hand.hand_ref == ref for hand in hands)


def deals(floor: Floor, table: str, number: str, command: Command) -> bool:
    """Whether who deals here would rule where a supervisor is to: a role does not take that away."""
    duty = floor.pit(table).duty
    return number == duty.dealer != duty.supervisor and supervisors(floor, table, command)


async def give(floor: Floor, table: str, command: Command, by: str) -> Answer:
    """Hand a command of ``by`` (`staff:1042`) to the floor.

    Raises Refusal 504 for a table that does not answer.
    """
    try:
        async with asyncio.timeout(ANSWER_S):
            return await floor.command(table, command, by)
    except TimeoutError as error:
        raise refusal(HTTPStatus.GATEWAY_TIMEOUT, "late") from error


def answered(answer: Answer, words: Catalogue) -> JSONResponse:
    """Return 200, or 409 with the reason."""
    sentence = "" if answer.sentence is None else words.text(answer.sentence)
    status = HTTPStatus.OK if answer.accepted else HTTPStatus.CONFLICT
    return JSONResponse({"accepted": answer.accepted, "sentence": sentence}, status)
