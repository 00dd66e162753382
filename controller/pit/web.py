"""The pit's web application: pages, their streams, and the door for commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles

from controller import catalogue
from controller.accounts.people import People
from controller.api import problems
from controller.api.door import Outside
from controller.api.feed import Feed
from controller.api.patience import Patience
from controller.api.routes import add_api
from controller.catalogue import ENGLISH, Catalogue
from controller.core.views import Sentence
from controller.pit import commands, guards, languages, render, signin_commands, signin_pages
from controller.pit.floor import Floor
from controller.pit.languages import Voices
from controller.pit.recall import Archive, add_recall
from controller.pit.rehearsal import add_rehearsal
from controller.pit.signin import HSTS, Gate, watched
from controller.pit.signin_commands import checked
from controller.pit.signin_pages import add_accounts
from controller.pit.stream import EventStream, Heard, Hub

STATIC = Path(__file__).with_name("static")


@dataclass(frozen=True)
class Pages:
    """What every route needs."""

    floor: Floor
    hub: Hub
    voices: Voices
    names: dict[str, str]
    people: People | None = None  # None where nobody signs in
    archive: Archive | None = None  # None where nothing can be recalled

    def page(self, request: Request, kind: str, table: str = "") -> HTMLResponse:
        """Return a whole page as it is now, in the language that the request asks for."""
        voice = self.voices.of(request)
        parts = render.marked(self.hub.current(self.topic(kind, table, voice.language)))
        html = voice.environment.get_template(f"{kind}.html").render(
            parts=parts,
            kind=kind,
            table=table,
            name=self.names.get(table, ""),
            events=events_address(kind, table, voice.language),
            person=signin_pages.seen(request),
            recall=self.archive is not None,
            demo=self.floor.demo,
            version=self.floor.version,
            **({"game": self.floor.public(table).game, "reasons": self.floor.offers(table).reasons} if table else {}),
        )
        return HTMLResponse(html)

    def tables(self, request: Request) -> HTMLResponse:
        """Return the list of the tables that surveillance chooses from."""
        html = (
            self.voices.of(request)
            .environment.get_template("surveillance_tables.html")
            .render(
                kind="tables",
                tables=self.floor.tables,
                person=signin_pages.seen(request),
                demo=self.floor.demo,
                version=self.floor.version,
            )
        )
        return HTMLResponse(html)

    def topic(self, kind: str, table: str, language: str) -> str:
        """Return the name of a page's topic; one of another language is made when it is first looked at."""
        name = topic_name(kind, table, language)
        if name not in self.hub.topics:
            add_topic(self, kind, table, language)
        return name

    def stream(self, request: Request, topic: str) -> EventStream:
        """Return an open stream, which ends when its reader may no longer read it."""
        return EventStream(self.hub, watched(self.people, request, self.hub, self.hub.join(topic)))

    def refused(self, request: Request, status: HTTPStatus, reason: Sentence) -> Response:
        """Every refusal is a sentence: JSON for commands and streams, a page for people."""
        voice = self.voices.of(request)
        sentence = voice.words.text(reason)
        if problems.is_api(request):
            return problems.problem(request, status, reason.id, sentence)
        if request.method != "GET" or request.url.path.startswith("/events/"):
            return JSONResponse({"accepted": False, "sentence": sentence}, status)
        html = voice.environment.get_template("refused.html").render(
            sentence=sentence,
            asks_token=status is HTTPStatus.FORBIDDEN and self.floor.token is not None and self.people is None,
            person=signin_pages.seen(request),
            kind="refused",
            demo=self.floor.demo,
            version=self.floor.version,
        )
        return HTMLResponse(html, status)

    def known(self, table: str) -> str:
        """Return the table's id; refuse one that is not there."""
        if table not in self.names:
            raise guards.refusal(HTTPStatus.NOT_FOUND, "table")
        return table


def topic_name(kind: str, table: str = "", language: str = ENGLISH) -> str:
    """Return the name of a page's stream.

    >>> topic_name("board", "7"), topic_name("board", "7", "zh-Hant")
    ('board/7', 'zh-Hant/board/7')
    """
    name = f"{kind}/{table}" if table else kind
    return name if language == ENGLISH else f"{language}/{name}"


def events_address(kind: str, table: str, language: str) -> str:
    """Return the address of a page's stream, which says the page's language.

    >>> events_address("board", "7", "zh-Hant")
    '/events/board/7?lang=zh-Hant'
    """
    address = f"/events/{topic_name(kind, table)}"
    return address if language == ENGLISH else f"{address}?{languages.PARAMETER}={language}"


def create_app(
    floor: Floor,
    hub: Hub,
    words: Catalogue | None = None,
    hosts: Iterable[str] = (),
    people: People | None = None,
    archive: Archive | None = None,
    feed: Feed | None = None,
    outside: Iterable[Outside] = (),
) -> FastAPI:
    """Return the application.

    ``hub.publish(table)`` must be called after each judged input. ``hosts`` are names that it answers to
    besides this machine's own. With ``people`` every route is behind the gate of signin.py; with
    ``archive`` there is recall, with ``feed`` the interface for programs and its feeds to those ``outside``.
    """
    words, outside = words or catalogue.load(), tuple(outside)
    pages = Pages(checked(floor, people), hub, Voices(words), dict(floor.tables), people, archive)
    hub.build = floor.version
    add_topics(pages)
    app = FastAPI(title="tirage", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.pages = pages
    add_pages(app, pages)
    add_commands(app, pages)
    add_rehearsal(app, pages)
    if archive is not None:
        add_recall(app, pages, archive)
    if feed is not None:
        add_api(app, pages, feed, outside)
    add_refusals(app, pages)
    app.mount("/static", StaticFiles(directory=STATIC))
    names = frozenset(host.lower() for host in hosts)
    more = HSTS if people and people.rules.https else {}
    if people is not None:
        add_accounts(app, pages, people, pages.refused)
        app.add_middleware(Gate, inside=app, people=people, refused=pages.refused)
    if feed is not None:
        app.add_middleware(Patience, place=pages, outside=outside)
    app.add_middleware(languages.Keeping)
    app.add_middleware(guards.FrontDoor, refused=pages.refused, hosts=guards.LOOPBACK_NAMES | names, more_headers=more)
    return app


def add_topics(pages: Pages) -> None:
    """Make a topic for each English page; those of other languages wait until they are asked for."""
    add_topic(pages, "pit", "", ENGLISH)
    for table in pages.names:
        for kind in ("table", "board", "surveillance"):
            add_topic(pages, kind, table, ENGLISH)


def add_topic(pages: Pages, kind: str, table: str, language: str) -> None:
    """Make the topic of a page in a language."""
    parts, view = shown_by(pages.floor, kind, table)
    sheet = render.Sheet(kind, parts, pages.voices.speaking(language).environment)
    tables = frozenset({table} if table else pages.names)
    pages.hub.add(topic_name(kind, table, language), tables, lambda: sheet.render(view()), heard_on(pages.floor, kind))


def heard_on(floor: Floor, kind: str) -> Heard:
    """Return what a page may know of a shoe's last byte: where people decide it dates their thinking (R-002-30)."""
    match kind:
        case "surveillance":
            return floor.heard
        case "board":
            return lambda _: None
        case _:
            return lambda table: None if floor.public(table).game.asks_taker else floor.heard(table)


def shown_by(floor: Floor, kind: str, table: str) -> tuple[Any, Callable[[], Any]]:
    """Return the parts of a page and the view that they are made from."""
    match kind:
        case "pit":
            return render.PIT, lambda: [floor.pit(name) for name, _ in floor.tables]
        case "surveillance":
            return render.SURVEILLANCE, partial(floor.surveillance, table)
        case _:
            # The dealer's page and the board are read by players: public facts only.
            return {"table": render.TABLE, "board": render.BOARD}[kind], partial(floor.public, table)


def add_pages(app: FastAPI, pages: Pages) -> None:
    """Routes of pages and streams."""

    def allowed(kind: str, request: Request) -> None:
        if kind == "surveillance" and pages.people is None:
            guards.with_access(request, pages.floor.token)

    @app.get("/", response_class=HTMLResponse)
    async def pit(request: Request) -> Response:
        return pages.page(request, "pit")

    @app.get("/events/pit")
    async def pit_events(request: Request) -> Response:
        return pages.stream(request, pages.topic("pit", "", languages.stream_language(request)))

    @app.get("/surveillance", response_class=HTMLResponse)
    async def surveillance_tables(request: Request) -> Response:
        allowed("surveillance", request)
        return pages.tables(request)

    def add_kind(kind: str) -> None:
        async def page(table: str, request: Request) -> Response:
            allowed(kind, request)
            return pages.page(request, kind, pages.known(table))

        async def events(table: str, request: Request) -> Response:
            allowed(kind, request)
            topic = pages.topic(kind, pages.known(table), languages.stream_language(request))
            return pages.stream(request, topic)

        app.get(f"/{kind}/{{table}}", response_class=HTMLResponse)(page)
        app.get(f"/events/{kind}/{{table}}")(events)

    for kind in ("table", "board", "surveillance"):
        add_kind(kind)


def add_commands(app: FastAPI, pages: Pages) -> None:
    """The routes that change something."""

    @app.post("/table/{table}/commands")
    async def command(table: str, request: Request) -> Response:
        guards.same_origin(request)
        words = pages.voices.of(request).words
        if pages.people is not None:
            signed = await commands.read(request, commands.SignedBody)
            asked = commands.command_of(signed)
            outcome = await signin_commands.ask(pages.people, pages.floor, request, pages.known(table), asked)
            return signin_commands.answered(outcome, words)
        guards.with_access(request, pages.floor.token)
        body = await commands.read(request, commands.CommandBody)
        ident, asked = pages.known(table), commands.command_of(body)
        by = commands.typed(pages.floor, ident, body.staff, asked)
        return commands.answered(await commands.give(pages.floor, ident, asked, by), words)

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
    """What is refused inside is answered as at the gate."""

    @app.exception_handler(guards.Refusal)
    async def refusal(request: Request, error: guards.Refusal) -> Response:
        return pages.refused(request, error.status, error.sentence)

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        reason = "method" if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED else "no-page"
        return pages.refused(request, HTTPStatus(error.status_code), Sentence(f"refused.{reason}"))
