"""Recall: hands and shoes of the journal as pages, and what surveillance loads beside its live stream."""

from __future__ import annotations

import asyncio
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
from controller.journal.errors import JournalError
from controller.pit import guards, recall_view, signin_pages
from controller.pit.floor import Floor
from controller.pit.guards import Refusal
from controller.pit.languages import Voices
from controller.pit.recall_routes import OPEN_PAGES, RECALL_ROUTES
from controller.recall.hand import NoSuchHand, recall
from controller.recall.ledger import HAND_COLUMNS, INCIDENT_COLUMNS, hand_cells, incident_cells
from controller.recall.link import quality
from controller.recall.places import NoSuchShoe, chapter, latest_shoe
from controller.recall.report import Report, report
from controller.recall.story import Story, tell
from controller.recall.tables import csv_text

STORIES_KEPT = 3  # a told shoe takes a few megabytes
Stamp = tuple[tuple[str, int], ...]
T = TypeVar("T")


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
    """The journals of the tables, by id. A shoe is replayed when it is asked for, one at a time, beside the loop."""

    folders: Mapping[str, Path]
    _told: dict[tuple[str, int], tuple[Stamp, Story]] = field(default_factory=dict)
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def ask(self, table: str, shoe: int | None, what: Callable[[Story], T]) -> T:
        """Return something of a shoe, the latest where none is named. Raises Refusal 404, 500."""
        async with self._one:
            try:
                return await asyncio.to_thread(lambda: what(self._story(table, shoe)))
            except NoSuchShoe as error:
                raise Refusal(HTTPStatus.NOT_FOUND, Sentence("recall.no-shoe")) from error
            except NoSuchHand as error:
                raise Refusal(HTTPStatus.NOT_FOUND, Sentence("recall.no-hand")) from error
            except (JournalError, OSError, ValueError) as error:
                why = Sentence("recall.damaged", (("why", str(error)),))
                raise Refusal(HTTPStatus.INTERNAL_SERVER_ERROR, why) from error

    async def last_dealt(self, table: str) -> int | None:
        """Return the latest shoe of which a hand was dealt; None for the latest, that has none either."""
        shoe, hands = await self.ask(table, None, lambda story: (story.number, len(story.hands)))
        return shoe - 1 if not hands and shoe > 1 else shoe

    def _story(self, table: str, shoe: int | None) -> Story:
        if table not in self.folders:
            raise NoSuchShoe(table)
        folder = self.folders[table]
        return self._kept(table, folder, latest_shoe(folder) if shoe is None else shoe)

    def _kept(self, table: str, folder: Path, shoe: int) -> Story:
        place = chapter(folder, shoe)
        stamp = tuple((path.name, path.stat().st_size) for path in (one.journal for one in (*place.own, *place.after)))
        kept = self._told.pop((table, shoe), None)
        story = kept[1] if kept is not None and kept[0] == stamp else tell(folder, shoe)
        self._told[table, shoe] = (stamp, story)
        while len(self._told) > STORIES_KEPT:
            del self._told[next(iter(self._told))]
        return story


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
            **shown,
        )
        return HTMLResponse(html)

    async def hand(self, request: Request, table: str, hand: int | None, audience: Audience) -> Response:
        """Return a hand of the shoe that the address names, the latest one where it names none."""
        shoe = number(request, "shoe")
        if shoe is None and hand is None:
            shoe = await self.archive.last_dealt(table)

        def told(story: Story) -> recall_view.Shown:
            return recall_view.shown(
                story, recall(story, max(story.hands, default=0) if hand is None else hand, audience)
            )

        found = await self.archive.ask(table, shoe, told)
        base = f"/{'surveillance' if audience is Audience.SURVEILLANCE else 'table'}/{table}"
        return self.render(request, "recall_hand.html", table, base=base, **found.__dict__)

    async def report(self, table: str, shoe: int | None) -> Report:
        """Return the report of a shoe."""
        return await self.archive.ask(table, shoe, report)


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

        app.get(path)(latest)
        app.get(f"{path}/{{hand:int}}")(one)

    add("/table/{table}/hand", Audience.PIT)
    add("/surveillance/{table}/hand", Audience.SURVEILLANCE)


def add_reports(app: FastAPI, desk: Desk) -> None:
    """The report of a shoe as page, CSV and JSON, and its incidents."""
    path = "/table/{table}/shoe/{shoe:int}"

    async def page(request: Request, table: str, shoe: int | None) -> Response:
        desk.allow(request, path)
        found = await desk.report(desk.place.known(table), shoe)
        return desk.render(request, "recall_shoe.html", table, report=found)

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

        def told(story: Story) -> dict[str, Any]:
            return recall_view.history(story, groups, skip)

        found = await desk.archive.ask(desk.place.known(table), number(request, "shoe"), told)
        return desk.render(request, "recall_history.html", table, **found)

    @app.get("/surveillance/{table}/line")
    async def line(table: str, request: Request) -> Response:
        desk.allow(request, "/surveillance/{table}/line")

        def told(story: Story) -> dict[str, Any]:
            return {"frames": recall_view.last_frames(story), "quality": quality(story)}

        found = await desk.archive.ask(desk.place.known(table), number(request, "shoe"), told)
        return desk.render(request, "recall_line.html", table, **found)
