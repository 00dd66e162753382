"""The programs' interface, version 1: what is there, in JSON, with its description as OpenAPI."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import FastAPI, Path, Query
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from controller.api import history, models, problems, shaping
from controller.api.acting import Acting
from controller.api.acts import act_schema
from controller.api.door import Door, Outside, Place
from controller.api.feed import Feed
from controller.api.openings import API_PAGES, COMMANDS, ROOT, TABLE
from controller.api.problems import MEDIA_TYPE, Refused
from controller.api.records import CommandBody, HandRecord, Hands, Outcome, Problem, ShoeRecord
from controller.api.shaping import Shaper
from controller.api.streams import add_streams
from controller.core.views import Sentence
from controller.pit.recall import Archive
from controller.recall.clock import untimed

MOST = 2**31 - 1  # more shoes and hands than any table will see
TableName = Annotated[str, Path(description="The table's id.", max_length=64, examples=["1"])]
Number = Annotated[int, Path(ge=0, le=MOST, examples=[3])]
ShoeAsked = Annotated[int | None, Query(ge=0, le=MOST, description="The shoe; the latest where none is named.")]
After = Annotated[int, Query(ge=0, le=MOST, description="Only hands after this number.")]
Limit = Annotated[int, Query(ge=1, le=history.MOST_HANDS, description="At most so many hands.")]
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": meaning, "content": {MEDIA_TYPE: {}}}
    for status, meaning in {
        400: "The request lacks something.",
        401: "Nobody is known by this session or token.",
        403: "Not for you, or not from there.",
        404: "It is not here.",
        409: "The journal is damaged there: a person must restore it.",
        422: "Something in the request does not fit.",
        429: "Too many requests in a minute from somebody who is not known.",
        503: "Not now.",
    }.items()
}
OF_COMMANDS: dict[int | str, dict[str, Any]] = REFUSALS | {
    status: {"model": Problem, "description": meaning, "content": {MEDIA_TYPE: {}}}
    for status, meaning in {
        409: "The table refuses it: the hand has moved on, or it cannot be done now.",
        413: "The body is too long.",
        415: "The body is not application/json.",
        429: "Too many commands in a minute, or too many requests from somebody who is not known.",
        504: "The table did not answer.",
    }.items()
}
OF_COMMANDS[202] = {"model": Outcome, "description": "It waits for a second person."}
COMMAND_HEADERS = [
    {
        "name": "Idempotency-Key",
        "in": "header",
        "required": True,
        "description": "A new one for each command. The same one again gives the first answer and changes nothing.",
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{8,64}$"},
    },
    {
        "name": "X-Tirage-Command",
        "in": "header",
        "required": True,
        "description": "Any value: a form of another site cannot send it.",
        "schema": {"type": "string", "enum": ["1"]},
    },
]


class Interface:
    """What the routes share."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.door = Door(place)
        self.shaper = Shaper(place.voices.english)

    @property
    def archive(self) -> Archive:
        """The journals. Raises Refused where there are none."""
        if self.place.archive is None:
            raise Refused("no-archive")
        return self.place.archive


def add_api(app: FastAPI, place: Place, feed: Feed, outside: tuple[Outside, ...] = ()) -> None:
    """Add every address of API_PAGES, and the commands."""
    feed.begin(place.floor)
    place.hub.ends.append(feed.close)
    here = Interface(place)
    add_tables(app, here)
    add_journal(app, here)
    add_commands(app, here)
    add_streams(app, here.door, feed, here.shaper, outside)
    add_description(app)
    add_refusals(app, place)


def add_tables(app: FastAPI, here: Interface) -> None:
    """Tables as they are now."""
    place, shaper, door = here.place, here.shaper, here.door

    @app.get(f"{ROOT}/tables", tags=["tables"], responses=REFUSALS)
    async def tables() -> models.House:
        """Return all tables."""
        entries = tuple(models.TableEntry(id=ident, name=name) for ident, name in place.floor.tables)
        return models.House(tables=entries, version=place.floor.version, demo=place.floor.demo)

    @app.get(TABLE, tags=["tables"], responses=REFUSALS)
    async def table_state(table: TableName) -> models.TableState:
        """Return what everybody at the table sees."""
        return shaper.table(place.floor.public(place.known(table)))

    @app.get(f"{TABLE}/pit", tags=["tables"], responses=REFUSALS)
    async def pit_state(table: TableName, request: Request) -> models.PitState:
        """Return what the pit sees."""
        door.page(request, "pit")
        return shaper.pit(place.floor.pit(place.known(table)))

    @app.get(f"{TABLE}/surveillance", tags=["tables"], responses=REFUSALS)
    async def surveillance_state(table: TableName, request: Request) -> models.SurveillanceState:
        """Return what only surveillance sees: hidden faces and the composition of the shoe."""
        door.page(request, "surveillance")
        return shaper.surveillance(place.floor.surveillance(place.known(table)))

    @app.get(f"{TABLE}/roads", tags=["tables"], responses=REFUSALS)
    async def roads(table: TableName) -> models.RoadSet:
        """Return the roads of the current shoe."""
        return shaping.roads(place.floor.public(place.known(table)).roads)

    @app.get(f"{TABLE}/shoes/current", tags=["shoes"], responses=REFUSALS)
    async def current_shoe(table: TableName) -> models.ShoeState:
        """Return the current shoe as the board shows it."""
        return shaping.shoe(place.floor.public(place.known(table)))


def add_journal(app: FastAPI, here: Interface) -> None:
    """What the journal tells: shoes, hands and incidents, earlier ones too."""
    place, shaper, door = here.place, here.shaper, here.door

    @app.get(f"{TABLE}/shoes/{{shoe}}", tags=["shoes"], responses=REFUSALS)
    async def one_shoe(table: TableName, shoe: Number, request: Request) -> ShoeRecord:
        """Return the report of a shoe in figures."""
        door.page(request, "reports")
        ident = place.known(table)
        return await here.archive.ask(ident, shoe, history.shoe_of, ident)

    @app.get(f"{TABLE}/hands", tags=["hands"], responses=REFUSALS)
    async def hands(
        table: TableName, shoe: ShoeAsked = None, after: After = 0, limit: Limit = history.MOST_HANDS
    ) -> Hands:
        """Return the hands of a shoe, each face as players saw it."""
        ident = place.known(table)
        return await here.archive.ask(ident, shoe, history.hands_after, ident, after, limit)

    @app.get(f"{TABLE}/hands/{{hand}}", tags=["hands"], responses=REFUSALS)
    async def one_hand(table: TableName, hand: Number, shoe: ShoeAsked = None) -> HandRecord:
        """Return a hand."""
        return await here.archive.ask(place.known(table), shoe, history.one_hand, hand)

    @app.get(f"{TABLE}/incidents", tags=["incidents"], responses=REFUSALS)
    async def incidents(table: TableName, request: Request, shoe: ShoeAsked = None) -> models.Incidents:
        """Return the incidents that are open now, or all of a shoe."""
        door.page(request, "incidents")
        ident = place.known(table)
        if shoe is None:
            found = place.floor.pit(ident).incidents
        else:
            found = await here.archive.ask(ident, shoe, history.incidents_of, ident)
        told = found if door.watches(request) else tuple(map(untimed, found))
        return models.Incidents(table=ident, incidents=tuple(map(shaper.incident, told)))


def add_commands(app: FastAPI, here: Interface) -> None:
    """The one address that changes something."""
    acting = Acting(here.place)
    body = {"required": True, "content": {"application/json": {"schema": body_schema(here.place)}}}
    more = {"parameters": COMMAND_HEADERS, "requestBody": body}

    @app.post(COMMANDS, tags=["commands"], response_model=Outcome, responses=OF_COMMANDS, openapi_extra=more)
    async def command(table: TableName, request: Request) -> Response:
        """Give a command. It is taken at most once, and only while the hand that it names is where it was."""
        return await acting.command(request, here.place.known(table))


def body_schema(place: Place) -> dict[str, Any]:
    """Return what a command's body is at this house: where nobody signs in it needs a staff number."""
    schema = CommandBody.model_json_schema()
    schema["properties"]["act"] = act_schema()
    if place.people is None:
        schema["properties"]["staff"]["pattern"] = "^[0-9]{1,10}$"
        schema["required"] = [*schema["required"], "staff"]
    return schema


def add_description(app: FastAPI) -> None:
    """The OpenAPI document, made once."""
    routes = [route for route in app.routes if isinstance(route, APIRoute) and route.path in {*API_PAGES, COMMANDS}]
    text = "Tables, shoes, hands, incidents, commands and events of a baccarat floor. docs/interfaces.md says more."
    document = get_openapi(title="tirage", version="1", description=text, routes=routes)

    @app.get(f"{ROOT}/openapi.json", include_in_schema=False)
    async def openapi() -> JSONResponse:
        return JSONResponse(document)


def add_refusals(app: FastAPI, place: Place) -> None:
    """Refusals of these routes alone; those of the pages' guards come by Pages.refused."""

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        return problems.of_name(request, error.name, place.voices.of(request).words)

    @app.exception_handler(RequestValidationError)
    async def unfit(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        why = f"{'.'.join(str(step) for step in first['loc'])}: {first['msg']}"
        words = place.voices.of(request).words
        said = Sentence("refused.malformed", (("why", why),))
        return problems.problem(request, HTTPStatus.UNPROCESSABLE_ENTITY, said.id, words.text(said))
