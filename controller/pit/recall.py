"""Recall: hands and shoes of the journal as pages, and what surveillance loads beside its live stream."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, Protocol, TypeVar

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from controller.core.facts import Audience
from controller.core.views import Sentence
from controller.pit import guards, recall_view, signin_pages
from controller.pit.floor import Floor
from controller.pit.guards import Refusal
from controller.pit.languages import Voices
from controller.pit.recall_routes import OPEN_PAGES, RECALL_ROUTES
from controller.recall.clerk import CannotTell, Clerk
from controller.recall.hand import NoSuchHand
from controller.recall.ledger import HAND_COLUMNS, INCIDENT_COLUMNS, hand_cells, incident_cells
from controller.recall.places import NoSuchShoe
from controller.recall.report import Report, report
from controller.recall.tables import csv_text

T = TypeVar("T")
REF = re.compile(r"[0-9]{1,9}-[0-9]{1,9}")


class Place(Protocol):
    """What these pages need of the application around them."""

    @property
    def floor(self) -> Floor: ...

    @property
    def voices(self) -> Voices: ...

    @property
    def names(self) -> dict[str, str]: ...

    @property
    def people(self) -> object | None: ...

    def known(self, table: str) -> str: ...


@dataclass
class Archive:
    """The journals of the tables, by id, and the clerk who replays shoes of them."""

    folders: Mapping[str, Path]
    clerk: Clerk = field(default_factory=Clerk)

    async def ask(self, table: str, shoe: int | None, what: Callable[..., T], *args: Any) -> T:
        """Return something of a shoe, the latest where none is named. Raises Refusal 404; 409 if damaged."""
        folder = self.folders.get(table)
        if folder is None:
            raise Refusal(HTTPStatus.NOT_FOUND, Sentence("recall.no-shoe"))
        try:
            return await self.clerk.ask(folder, shoe, what, *args)
        except NoSuchShoe as error:
            raise Refusal(HTTPStatus.NOT_FOUND, Sentence("recall.no-shoe")) from error
        except NoSuchHand as error:
            raise Refusal(HTTPStatus.NOT_FOUND, Sentence("recall.no-hand")) from error
        except CannotTell as error:
            why = Sentence("recall.damaged", (("why", str(error)),))
            raise Refusal(HTTPStatus.CONFLICT, why) from error

    async def last_dealt(self, table: str) -> int:
        """Return the latest shoe of which a hand was dealt, or the latest if there is none."""
        shoe, hands = await self.ask(table, None, recall_view.dealt)
        return shoe - 1 if not hands and shoe > 1 else shoe

    async def close(self) -> None:
        """Let the clerk go."""
        await self.clerk.close()


@dataclass
class Desk:
    """Answers what is asked of the archive, as pages of the application around it."""

    place: Place
    archive: Archive

    def allow(self, request: Request, path: str) -> None:
        """Refuse who may not see a route; with accounts the gate has done so. Raises Refusal 403."""
        if self.place.people is None and RECALL_ROUTES[path] not in OPEN_PAGES:
            guards.with_access(request, self.place.floor.token)

    def render(self, request: Request, template: str, table: str, **shown: Any) -> Response:
        """Return a page or a part of one in the language asked for."""
        voice = self.place.voices.of(request)
        html = voice.environment.get_template(template).render(
            **recall_view.helpers(voice.words),
            kind="recall",
            table=table,
            name=self.place.names[table],
            person=signin_pages.seen(request),
            demo=self.place.floor.demo,
            version=self.place.floor.version,
            game=self.place.floor.public(table).game,
            **shown,
        )
        return HTMLResponse(html)

    async def hand(self, request: Request, table: str, hand: int | str | None, audience: Audience) -> Response:
        """Return a hand of the shoe that the address names, the latest one where it names none."""
        shoe = number(request, "shoe") or shoe_of(hand)
        if shoe is None and hand is None:
            shoe = await self.archive.last_dealt(table)
        found = await self.archive.ask(table, shoe, recall_view.shown, hand, audience)
        base = f"/{'surveillance' if audience is Audience.SURVEILLANCE else 'table'}/{table}"
        correctable = self.correctable(request, table, found.hand.ref)
        return self.render(request, "recall_hand.html", table, base=base, correctable=correctable, **found.__dict__)

    def correctable(self, request: Request, table: str, ref: str) -> bool:
        """Whether the dealer's page can still set a hand right: one of the shoe in play, and who looks may do so."""
        seen = signin_pages.seen(request)
        if seen is not None and "correct" not in seen["gives"]:
            return False
        return any(hand.ref == ref for hand in self.place.floor.hands(table))

    async def report(self, table: str, shoe: int | None) -> Report:
        """Return the report of a shoe."""
        return await self.archive.ask(table, shoe, report)


def shoe_of(hand: int | str | None) -> int | None:
    """Return the shoe that a reference names; None for anything else.

    >>> shoe_of("2-14"), shoe_of(14)
    (2, None)
    """
    shoe, _, opening = hand.partition("-") if isinstance(hand, str) else ("", "", "")
    return int(shoe) if REF.fullmatch(f"{shoe}-{opening}") else None


def number(request: Request, name: str) -> int | None:
    """Return a number of the address; None for anything that is none."""
    text = request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def add_recall(app: FastAPI, place: Place, archive: Archive) -> None:
    """Add every route of RECALL_ROUTES."""
    desk = Desk(place, archive)
    add_hands(app, desk)
    add_reports(app, desk)
    add_surveillance(app, desk)


def add_hands(app: FastAPI, desk: Desk) -> None:
    """A hand, for those at the table and for surveillance."""

    def add(path: str, audience: Audience) -> None:
        async def latest(table: str, request: Request) -> Response:
            desk.allow(request, path)
            return await desk.hand(request, desk.place.known(table), None, audience)

        async def one(table: str, hand: int, request: Request) -> Response:
            desk.allow(request, path)
            return await desk.hand(request, desk.place.known(table), hand, audience)

        async def abandoned(table: str, ref: str, request: Request) -> Response:
            desk.allow(request, path)
            return await desk.hand(request, desk.place.known(table), ref, audience)

        app.get(path)(latest)
        app.get(f"{path}/{{hand:int}}")(one)
        app.get(f"{path}/{{ref}}")(abandoned)

    add("/table/{table}/hand", Audience.PIT)
    add("/surveillance/{table}/hand", Audience.SURVEILLANCE)


def add_reports(app: FastAPI, desk: Desk) -> None:
    """The report of a shoe as page, CSV and JSON, and its incidents."""
    path = "/table/{table}/shoe/{shoe:int}"

    async def page(request: Request, table: str, shoe: int | None) -> Response:
        desk.allow(request, path)
        found = await desk.report(desk.place.known(table), shoe)
        after = await desk.archive.ask(table, found.shoe, recall_view.followed)
        return desk.render(request, "recall_shoe.html", table, report=found, after=after)

    @app.get("/table/{table}/shoe")
    async def latest(table: str, request: Request) -> Response:
        return await page(request, table, None)

    @app.get(path)
    async def one(table: str, shoe: int, request: Request) -> Response:
        return await page(request, table, shoe)

    def add_file(end: str, content: Callable[[Report], Response]) -> None:
        async def file(table: str, shoe: int, request: Request) -> Response:
            desk.allow(request, path + end)
            response = content(await desk.report(desk.place.known(table), shoe))
            name = f"{table}-shoe-{shoe}{end.replace('/', '-')}"
            response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
            return response

        app.get(path + end)(file)

    add_file(".csv", lambda found: csv_file(HAND_COLUMNS, map(hand_cells, found.hands)))
    add_file(".json", lambda found: JSONResponse(asdict(found)))
    add_file("/incidents.csv", lambda found: csv_file(INCIDENT_COLUMNS, map(incident_cells, found.incidents)))
    add_file("/incidents.json", lambda found: JSONResponse(list(found.incidents)))


def csv_file(columns: tuple[str, ...], rows: Any) -> Response:
    """Return a table as a file."""
    return Response(csv_text(columns, rows), media_type="text/csv; charset=utf-8")


def add_surveillance(app: FastAPI, desk: Desk) -> None:
    """Parts of the surveillance page that are loaded when asked for."""

    @app.get("/surveillance/{table}/history")
    async def history(table: str, request: Request) -> Response:
        desk.allow(request, "/surveillance/{table}/history")
        groups, skip = request.query_params.getlist("group"), number(request, "skip") or 0
        shoe = number(request, "shoe")
        found = await desk.archive.ask(desk.place.known(table), shoe, recall_view.history, groups, skip)
        return desk.render(request, "recall_history.html", table, **found)

    @app.get("/surveillance/{table}/line")
    async def line(table: str, request: Request) -> Response:
        desk.allow(request, "/surveillance/{table}/line")

        found = await desk.archive.ask(desk.place.known(table), number(request, "shoe"), recall_view.line)
        return desk.render(request, "recall_line.html", table, **found)
