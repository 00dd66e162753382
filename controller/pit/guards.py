"""Who may ask what: hosts, origins, access, and the headers that every answer carries."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.core.views import Sentence

LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
COMMAND_HEADER = "x-tirage-command"  # a form of another site cannot set it, and a script of one must ask us first
TOKEN_COOKIE = "tirage-token"

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), usb=(), serial=()",
}


@dataclass(eq=False)
class Refusal(Exception):
    """A request that is refused: the status and the reason as a sentence."""

    status: HTTPStatus
    sentence: Sentence


def refusal(status: HTTPStatus, reason: str, **blanks: str) -> Refusal:
    """Return the refusal for a reason of the catalogue."""
    return Refusal(status, Sentence(f"refused.{reason}", tuple(blanks.items())))


@dataclass
class FrontDoor:
    """Outermost: turns away hosts that are not ours (DNS rebinding) and puts the security headers on every answer."""

    app: ASGIApp
    refused: Callable[[Request, HTTPStatus, Sentence], Response]
    hosts: frozenset[str] = field(default=LOOPBACK_NAMES)
    more_headers: Mapping[str, str] = field(default_factory=dict)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in or answer 421."""
        if scope["type"] != "http":
            return

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(SECURITY_HEADERS)
                headers.update(self.more_headers)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        if host_name(Headers(scope=scope).get("host", "")) in self.hosts:
            await self.app(scope, receive, dressed)
            return
        answer = self.refused(Request(scope), HTTPStatus.MISDIRECTED_REQUEST, Sentence("refused.host"))
        await answer(scope, receive, dressed)


def host_name(host: str) -> str:
    """Return the name in a Host header without its port.

    >>> host_name("[::1]:8080"), host_name("LocalHost:80"), host_name("pit.example")
    ('::1', 'localhost', 'pit.example')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def same_origin(request: Request) -> None:
    """Refuse what a page of another site could have sent (trust.md 4.4, ASVS 3.5.1-3.5.3)."""
    origin = request.headers.get("origin")
    if origin is not None and origin.partition("://")[2].lower() != request.headers.get("host", "").lower():
        raise refusal(HTTPStatus.FORBIDDEN, "origin")
    if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise refusal(HTTPStatus.FORBIDDEN, "origin")
    if COMMAND_HEADER not in request.headers:
        raise refusal(HTTPStatus.FORBIDDEN, "header")
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "content-type")


def with_access(request: Request, token: str | None) -> None:
    """Refuse what comes neither from this machine nor with the token."""
    if not (from_this_machine(request) or token_fits(given_token(request), token)):
        raise refusal(HTTPStatus.FORBIDDEN, "access")


def from_this_machine(request: Request) -> bool:
    """Whether the peer is this machine itself; a proxy on it speaks for others, and shows in headers or host."""
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    return ip_address(request.client.host).is_loopback and host_name(request.headers["host"]) in LOOPBACK_NAMES


def given_token(request: Request) -> str:
    """Return the token of a request, from its header or its cookie; empty if it has none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else request.cookies.get(TOKEN_COOKIE, "")


def token_fits(given: str, token: str | None) -> bool:
    """Compare in a time that tells nothing."""
    return bool(token) and hmac.compare_digest(given.encode(), (token or "").encode())
