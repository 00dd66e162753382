"""The pit's web application: pages, their streams, and the door for commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from jinja2 import Environment
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles

from controller import catalogue
from controller.catalogue import Catalogue
from controller.pit import commands, guards, render
from controller.pit.floor import Floor
from controller.pit.stream import EventStream, Hub

STATIC = Path(__file__).with_name("static")


@dataclass(frozen=True)
class Pages:
    """What every route needs."""

    floor: Floor
    hub: Hub
    words: Catalogue
    environment: Environment
    names: dict[str, str]

    def page(self, kind: str, table: str = "") -> HTMLResponse:
        """Return a whole page as it is now."""
        topic = topic_name(kind, table)
        parts = render.marked(self.hub.current(topic))
        html = self.environment.get_template(f"{kind}.html").render(
            parts=parts,
            kind=kind,
            table=table,
            name=self.names.get(table, ""),
            events=f"/events/{topic}",
            demo=self.floor.demo,
            version=self.floor.version,
        )
        return HTMLResponse(html)

    def known(self, table: str) -> str:
        """Return the table's id; refuse one that is not there."""
        if table not in self.names:
            raise guards.refusal(HTTPStatus.NOT_FOUND, "table")
        return table


def topic_name(kind: str, table: str = "") -> str:
    """Return the name of a page's stream.

    >>> topic_name("board", "7")
    'board/7'
    """
    return f"{kind}/{table}" if table else kind


def create_app(floor: Floor, hub: Hub, words: Catalogue | None = None, hosts: Iterable[str] = ()) -> FastAPI:
    """Return the application.

    ``hub.publish(table)`` must be called after each judged input. ``hosts`` are names that it answers to
    besides this machine's own.
    """
    words = words or catalogue.load()
    pages = Pages(floor, hub, words, render.environment(words), dict(floor.tables))
    hub.build = floor.version
    add_topics(pages)
    app = FastAPI(title="tirage", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.pages = pages
    add_pages(app, pages)
    add_commands(app, pages)
    add_refusals(app, pages)
    app.mount("/static", StaticFiles(directory=STATIC))
    names = frozenset(host.lower() for host in hosts)
    app.add_middleware(guards.FrontDoor, words=words, hosts=guards.LOOPBACK_NAMES | names)
    return app


def add_topics(pages: Pages) -> None:
    """Make a topic for each page."""
    floor, made = pages.floor, pages.environment

    def add(kind: str, table: str, parts: Any, view: Callable[[], Any]) -> None:
        sheet = render.Sheet(kind, parts, made)
        tables = frozenset({table} if table else pages.names)
        pages.hub.add(topic_name(kind, table), tables, lambda: sheet.render(view()))

    add("pit", "", render.PIT, lambda: [floor.pit(table) for table in pages.names])
    for table in pages.names:
        # The dealer's page and the board are read by players: public facts only.
        add("table", table, render.TABLE, partial(floor.public, table))
        add("board", table, render.BOARD, partial(floor.public, table))
        add("surveillance", table, render.SURVEILLANCE, partial(floor.surveillance, table))


def add_pages(app: FastAPI, pages: Pages) -> None:
    """Routes of pages and streams."""

    def allowed(kind: str, request: Request) -> None:
        if kind == "surveillance":
            guards.with_access(request, pages.floor.token)

    @app.get("/", response_class=HTMLResponse)
    async def pit() -> Response:
        return pages.page("pit")

    @app.get("/events/pit")
    async def pit_events() -> Response:
        return EventStream(pages.hub, pages.hub.join("pit"))

    def add_kind(kind: str) -> None:
        async def page(table: str, request: Request) -> Response:
            allowed(kind, request)
            return pages.page(kind, pages.known(table))

        async def events(table: str, request: Request) -> Response:
            allowed(kind, request)
            return EventStream(pages.hub, pages.hub.join(topic_name(kind, pages.known(table))))

        app.get(f"/{kind}/{{table}}", response_class=HTMLResponse)(page)
        app.get(f"/events/{kind}/{{table}}")(events)

    for kind in ("table", "board", "surveillance"):
        add_kind(kind)


def add_commands(app: FastAPI, pages: Pages) -> None:
    """The routes that change something."""

    @app.post("/table/{table}/commands")
    async def command(table: str, request: Request) -> Response:
        guards.same_origin(request)
        guards.with_access(request, pages.floor.token)
        body = await commands.read(request, commands.CommandBody)
        answer = await commands.give(pages.floor, pages.known(table), body)
        return commands.answered(answer, pages.words)

    @app.post("/token")
    async def token(request: Request) -> Response:
        guards.same_origin(request)
        body = await commands.read(request, commands.TokenBody)
        if not guards.token_fits(body.token, pages.floor.token):
            raise guards.refusal(HTTPStatus.FORBIDDEN, "token")
        response = JSONResponse({"accepted": True, "sentence": ""})
        secure = request.url.scheme == "https"
        response.set_cookie(guards.TOKEN_COOKIE, body.token, httponly=True, samesite="strict", secure=secure)
        return response


def add_refusals(app: FastAPI, pages: Pages) -> None:
    """Every refusal is a sentence: JSON for commands and streams, a page for people."""

    def refused(request: Request, status: HTTPStatus, sentence: str) -> Response:
        if request.method != "GET" or request.url.path.startswith("/events/"):
            return JSONResponse({"accepted": False, "sentence": sentence}, status)
        html = pages.environment.get_template("refused.html").render(
            sentence=sentence,
            asks_token=status is HTTPStatus.FORBIDDEN and pages.floor.token is not None,
            kind="refused",
            demo=pages.floor.demo,
            version=pages.floor.version,
        )
        return HTMLResponse(html, status)

    @app.exception_handler(guards.Refusal)
    async def refusal(request: Request, error: guards.Refusal) -> Response:
        return refused(request, error.status, pages.words.text(error.sentence))

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        reason = "method" if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED else "no-page"
        return refused(request, HTTPStatus(error.status_code), pages.words.word(f"refused.{reason}"))
