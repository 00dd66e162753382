"""The pages of accounts: signing in and out, the own account, displays, and what waits for a second person."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Annotated, Any, Literal, Protocol

from fastapi import FastAPI
from pydantic import StringConstraints
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from controller.accounts.approvals import State
from controller.accounts.errors import BadPassword, CannotLog, Denied
from controller.accounts.people import People
from controller.accounts.roles import AT_TABLES, COMMANDS, DISPLAYS, PAGES, may_give, may_open
from controller.accounts.sessions import Session
from controller.core.views import Sentence
from controller.pit import commands
from controller.pit.approving import row
from controller.pit.commands import Body
from controller.pit.floor import Floor
from controller.pit.guards import Refusal
from controller.pit.languages import Voices
from controller.pit.signin import DISPLAY_COOKIE, SESSION_COOKIE, Refused, denial, person, visitor
from controller.pit.signin_commands import answered, decide

OWN_PATH = re.compile(r"/(?:[A-Za-z0-9_-]+/?)*")  # a page of ours, and never another site
DISPLAY_KEPT_S = 400 * 24 * 3_600  # browsers keep no cookie longer


class Place(Protocol):
    """What these pages need of the application around them."""

    @property
    def floor(self) -> Floor: ...

    @property
    def voices(self) -> Voices: ...

    @property
    def names(self) -> dict[str, str]: ...


class SignInBody(Body):
    """Who wants to sign in."""

    number: Annotated[str, StringConstraints(pattern=r"^[0-9]{1,10}$")]
    password: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class PasswordBody(Body):
    """The old password, because whoever sits before the page may not be who signed in; and the new one."""

    old: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    new: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class VerdictBody(Body):
    """What the second person says, and the hash of what that person was shown."""

    verdict: Literal["approve", "refuse"]
    hash: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


def add_accounts(app: FastAPI, place: Place, people: People, refused: Refused) -> None:
    """Add the routes and what becomes of their errors."""
    add_sign_in(app, place, people)
    add_own(app, place, people)
    add_approvals(app, place, people)

    @app.exception_handler(Denied)
    async def denied(request: Request, error: Denied) -> Response:
        refusal = denial(error)
        return refused(request, refusal.status, refusal.sentence)

    @app.exception_handler(CannotLog)
    async def no_log(request: Request, error: CannotLog) -> Response:  # noqa: ARG001 - how handlers are called
        return refused(request, HTTPStatus.SERVICE_UNAVAILABLE, Sentence("signin.no-log"))


def add_sign_in(app: FastAPI, place: Place, people: People) -> None:
    """Signing in and out, and displays."""
    https = people.rules.https

    @app.get("/signin", response_class=HTMLResponse)
    async def signin(request: Request) -> Response:
        asked = request.query_params.get("next", "")
        after = asked if OWN_PATH.fullmatch(asked) else "/me"
        return page(place, request, "signin", after=after)

    @app.post("/signin")
    async def sign_in(request: Request) -> Response:
        body = await commands.read(request, SignInBody)
        came = visitor(request)
        token, session = await people.sign_in(body.number, body.password, came.address if came else "?")
        if came and came.session:
            people.sessions.end(came.session)  # one browser, one person
        response = JSONResponse({"accepted": True, "sentence": "", "csrf": session.csrf, **told(people, session)})
        set_cookie(response, SESSION_COOKIE[https], token, https=https)
        return response

    @app.post("/signout")
    async def sign_out(request: Request) -> Response:
        came = visitor(request)
        await people.sign_out(person(request), came.address if came else "?")
        response = JSONResponse({"accepted": True, "sentence": ""})
        response.delete_cookie(SESSION_COOKIE[https], path="/", secure=https, httponly=True, samesite="strict")
        response.headers["Clear-Site-Data"] = '"cache", "storage"'
        return response

    @app.post("/display")
    async def display(request: Request) -> Response:
        body = await commands.read(request, commands.TokenBody)
        came = visitor(request)
        await people.admit_display(body.token, came.address if came else "?")
        response = JSONResponse({"accepted": True, "sentence": ""})
        set_cookie(response, DISPLAY_COOKIE[https], body.token, https=https, max_age=DISPLAY_KEPT_S)
        return response


def add_own(app: FastAPI, place: Place, people: People) -> None:
    """A person's own account."""
    https = people.rules.https

    @app.get("/me", response_class=HTMLResponse)
    async def me(request: Request) -> Response:
        session = person(request)
        links = pages_for(session, place.names)
        name = people.store.name(session.number)
        return page(place, request, "me", own_name=name, links=links, roles=told(people, session)["roles"])

    @app.get("/me/session")
    async def session(request: Request) -> Response:
        return JSONResponse(told(people, person(request)))

    @app.post("/me/password")
    async def password(request: Request) -> Response:
        body = await commands.read(request, PasswordBody)
        came = visitor(request)
        try:
            token, session = await people.change_password(
                person(request), body.old, body.new, came.address if came else "?"
            )
        except BadPassword as error:
            raise Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, Sentence(f"password.{error.reason}")) from error
        response = JSONResponse({"accepted": True, "sentence": "", "csrf": session.csrf, **told(people, session)})
        set_cookie(response, SESSION_COOKIE[https], token, https=https)
        return response


def add_approvals(app: FastAPI, place: Place, people: People) -> None:
    """What waits for a second person."""

    @app.get("/approvals", response_class=HTMLResponse)
    async def approvals(request: Request) -> Response:
        return page(place, request, "approvals")

    @app.get("/approvals/list")
    async def waiting(request: Request) -> Response:
        words, session = place.voices.of(request).words, person(request)
        kept_now = [kept for kept in people.approvals.shown() if kept.told]
        shown = [row(people, place.floor, place.names, words, session, kept) for kept in kept_now]
        return JSONResponse({"approvals": shown})

    @app.post("/approvals/{approval}")
    async def verdict(approval: str, request: Request) -> Response:
        session, came = person(request), visitor(request)
        body = await commands.read(request, VerdictBody)
        people.count_command(session)
        try:
            kept = people.approvals.waiting(approval, body.hash, session.number, session.roles)
        except Denied as error:
            address = came.address if came else "?"
            await people.tell_refused(f"staff:{session.number}", address, error.reason, request.url.path)
            raise
        state = State.APPROVED if body.verdict == "approve" else State.REFUSED
        outcome = await decide(people, place.floor, request, kept, state)
        return answered(outcome, place.voices.of(request).words)


def page(place: Place, request: Request, kind: str, **more: Any) -> HTMLResponse:
    """Return one of the pages of this module."""
    html = place.voices.of(request).environment.get_template(f"{kind}.html")
    return HTMLResponse(
        html.render(
            kind=f"accounts {kind}",
            person=seen(request),
            demo=place.floor.demo,
            version=place.floor.version,
            **more,
        )
    )


def seen(request: Request) -> dict[str, Any] | None:
    """Return what a page must know of who looks at it, what it may open and give; None where accounts are off."""
    came = visitor(request)
    if came is None:
        return None
    if came.session is None:
        return {"number": "", "csrf": "", "display": came.display or "", "gives": [], "opens": sorted(DISPLAYS)}
    roles = came.session.roles
    gives = [kind for kind in COMMANDS if may_give(roles, kind)]
    opens = [page for page in PAGES if may_open(roles, page)]
    return {"number": came.session.number, "csrf": came.session.csrf, "display": "", "gives": gives, "opens": opens}


def told(people: People, session: Session) -> dict[str, Any]:
    """Return a session as a page may read it."""
    roles = sorted(role.value for role in session.roles)
    idle = int(people.sessions.idle_left_s(session))
    return {"number": session.number, "roles": roles, "must_change": session.must_change, "idle_left_s": idle}


def pages_for(session: Session, names: dict[str, str]) -> list[tuple[str, str, str]]:
    """Return the pages that a person may open: address, kind, name of the table."""
    if session.must_change or not session.roles & AT_TABLES:
        return []
    whole = [(address, kind, "") for address, kind in (("/", "pit"), ("/approvals", "approvals"))]
    each = [
        (f"/{kind}/{table}", kind, name) for table, name in names.items() for kind in ("table", "board", "surveillance")
    ]
    return [link for link in whole + each if may_open(session.roles, link[1])]


def set_cookie(response: Response, name: str, value: str, *, https: bool, max_age: int | None = None) -> None:
    """Set a cookie that no script reads and no other site sends; with TLS its name promises that (__Host-)."""
    response.set_cookie(name, value, max_age=max_age, path="/", secure=https, httponly=True, samesite="strict")
