"""The gate before every route once accounts are on: who comes, and whether the route is open to that person."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import ip_address
from urllib.parse import quote

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.accounts.errors import CannotLog, Denied
from controller.accounts.people import People
from controller.accounts.roles import DISPLAYS, LOGGED
from controller.accounts.sessions import Session
from controller.core.views import Sentence
from controller.pit import guards
from controller.pit.guards import Refusal
from controller.pit.signin_routes import CLOSED, FOR_A_NEW_PASSWORD, PUBLIC, ROUTES, Need, found, permits
from controller.pit.stream import Hub, Reader

CSRF_HEADER = "x-tirage-csrf"
SAFE = frozenset({"GET", "HEAD"})
# Browsers take a __Host- cookie only with TLS. Plain http on this machine has names that nobody mistakes for those.
SESSION_COOKIE = {True: "__Host-tirage-session", False: "tirage-session-plain-http"}
DISPLAY_COOKIE = {True: "__Host-tirage-display", False: "tirage-display-plain-http"}
HSTS = {"Strict-Transport-Security": "max-age=31536000"}
STATUS = {
    "signin.wrong": HTTPStatus.UNAUTHORIZED,
    "signin.wait": HTTPStatus.TOO_MANY_REQUESTS,
    "signin.unreadable": HTTPStatus.SERVICE_UNAVAILABLE,
    "approval.gone": HTTPStatus.CONFLICT,
    "approval.other": HTTPStatus.CONFLICT,
}  # everything else that is denied is 403

Refused = Callable[[Request, HTTPStatus, Sentence], Response]


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who sends a request: a person with a session, a display, or nobody that is known."""

    address: str
    session: Session | None = None
    display: str | None = None

    @property
    def who(self) -> str:
        """The visitor as the access log writes it."""
        if self.session is not None:
            return f"staff:{self.session.number}"
        return "nobody" if self.display is None else f"display:{self.display}"


def visitor(request: Request) -> Visitor | None:
    """Return who the gate let in; None where accounts are off."""
    found_at_gate = getattr(request.state, "visitor", None)
    return found_at_gate if isinstance(found_at_gate, Visitor) else None


def person(request: Request) -> Session:
    """Return the session of a request. Raises Refusal 401."""
    came = visitor(request)
    if came is None or came.session is None:
        raise Refusal(HTTPStatus.UNAUTHORIZED, Sentence("signin.first"))
    return came.session


def address_of(request: Request, *, https: bool) -> str:
    """Return where a request comes from; the TLS proxy on this machine tells it in the last X-Forwarded-For."""
    peer = request.client.host if request.client else "?"
    told = request.headers.get("x-forwarded-for", "").rpartition(",")[2].strip() if https else ""
    try:
        return str(ip_address(told)) if told and ip_address(peer).is_loopback else peer
    except ValueError:
        return peer


def denial(error: Denied) -> Refusal:
    """Return what is answered to somebody who was denied."""
    status = STATUS.get(error.reason, HTTPStatus.FORBIDDEN)
    blanks = (("seconds", str(int(error.seconds) + 1)),) if error.reason == "signin.wait" else ()
    return Refusal(status, Sentence(error.reason, blanks))


@dataclass
class Gate:
    """Between the front door and the routes. It knows no page, only the table of routes."""

    app: ASGIApp
    inside: FastAPI
    people: People
    refused: Refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        request = Request(scope)
        try:
            answer = await self._enter(request)
        except Refusal as error:
            answer = self.refused(request, error.status, error.sentence)
        except CannotLog:
            answer = self.refused(request, HTTPStatus.SERVICE_UNAVAILABLE, Sentence("signin.no-log"))
        await (answer or self.app)(scope, receive, send)

    async def _enter(self, request: Request) -> Response | None:
        """Return None where the request may go on. Raises Refusal, CannotLog."""
        came = request.state.visitor = self._visitor(request)
        await self.people.tidy()
        route = found(self.inside.routes, request.scope)
        if route is None:
            return None  # there is nothing behind it: the pages say so
        need = ROUTES.get(route, Need(CLOSED))
        if need.quiet and need.page == PUBLIC:
            return None
        self._by_tls(request)
        if request.method not in SAFE:
            guards.same_origin(request)
        if came.session is None and need.page != PUBLIC and not self._shows(came, need, request):
            return await self._unknown(request, came)
        return await self._check(request, came, need)

    def _visitor(self, request: Request) -> Visitor:
        https, cookies = self.people.rules.https, request.cookies
        session = self.people.sessions.of(cookies.get(SESSION_COOKIE[https], ""))
        display = None if session else self.people.display(cookies.get(DISPLAY_COOKIE[https], ""))
        return Visitor(address_of(request, https=https), session, display)

    def _by_tls(self, request: Request) -> None:
        """Refuse what crossed a network in clear: a password or a cookie in it would be lost."""
        told = request.headers.get("x-forwarded-proto", "").lower()
        if not (told == "https" if self.people.rules.https else guards.from_this_machine(request)):
            raise Refusal(HTTPStatus.FORBIDDEN, Sentence("signin.https"))

    @staticmethod
    def _shows(came: Visitor, need: Need, request: Request) -> bool:
        return came.display is not None and need.page in DISPLAYS and request.method in SAFE

    async def _unknown(self, request: Request, came: Visitor) -> Response:
        """A person who looks at a page is led to the sign-in page; anything else is refused."""
        path = request.url.path
        if is_looking(request) and came.display is None:
            return RedirectResponse(f"/signin?next={quote(path)}", HTTPStatus.SEE_OTHER)
        if request.method not in SAFE or came.display is not None:
            await self.people.tell_refused(came.who, came.address, "not-signed-in", path)
        raise Refusal(HTTPStatus.UNAUTHORIZED, Sentence("signin.first"))

    async def _check(self, request: Request, came: Visitor, need: Need) -> Response | None:
        session, path = came.session, request.url.path
        if session is not None and need.page != PUBLIC:
            if request.method not in SAFE and not csrf_fits(request, session):
                await self.people.tell_refused(came.who, came.address, "csrf", path)
                raise Refusal(HTTPStatus.FORBIDDEN, Sentence("signin.csrf"))
            if not permits(need, session.roles):
                await self.people.tell_refused(came.who, came.address, "role", path)
                raise Refusal(HTTPStatus.FORBIDDEN, Sentence("signin.role"))
            if session.must_change and need.page not in FOR_A_NEW_PASSWORD:
                if is_looking(request):
                    return RedirectResponse("/me", HTTPStatus.SEE_OTHER)
                raise Refusal(HTTPStatus.FORBIDDEN, Sentence("signin.must-change"))
            if not need.quiet:
                self.people.sessions.touch(session)
        if need.page in LOGGED:
            await self.people.tell(came.who, "opened", came.address, path=path)
        return None


def is_looking(request: Request) -> bool:
    """Whether a person's browser asks for a page, and not a script for something."""
    return request.method in SAFE and "text/html" in request.headers.get("accept", "")


def csrf_fits(request: Request, session: Session) -> bool:
    """Whether a change carries the token of its session; compared in a time that tells nothing."""
    return hmac.compare_digest(request.headers.get(CSRF_HEADER, "").encode(), session.csrf.encode())


@dataclass(eq=False)
class Watched(Reader):
    """An open stream that ends when whoever reads it may no longer read."""

    alive: Callable[[], bool] = bool

    def _take(self) -> bytes:
        if not self.alive():
            self.close()
            return b": the session is over\n\n"
        return super()._take()


def watched(people: People | None, request: Request, hub: Hub, reader: Reader) -> Reader:
    """Return the reader for a stream, bound to the visitor's session or display; unbound where accounts are off."""
    came = visitor(request)
    if people is None or came is None:
        return reader
    session, token = came.session, request.cookies.get(DISPLAY_COOKIE[people.rules.https], "")

    def alive() -> bool:
        return people.sessions.alive(session) if session else people.display(token) is not None

    hub.leave(reader)
    bound = Watched(reader.topic, alive=alive)
    bound.closed = reader.closed
    reader.topic.readers.add(bound)
    return bound
