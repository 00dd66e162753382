"""Refusals as problem+json (RFC 9457)."""

from __future__ import annotations

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse

from controller.api.records import Problem

MEDIA_TYPE = "application/problem+json"
PREFIX = "/api/"

# Sentences that only programs' authors read; all others come from the catalogue.
TEXTS: dict[str, tuple[HTTPStatus, str]] = {
    "no-archive": (HTTPStatus.NOT_FOUND, "This server recalls no journal: only the current shoe is here."),
    "key": (
        HTTPStatus.BAD_REQUEST,
        "Send the header Idempotency-Key with 8 to 64 letters, digits, dots, hyphens or underscores.",
    ),
    "key-used": (
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "This Idempotency-Key was used for another command. Choose a new one for each command.",
    ),
    "staff": (HTTPStatus.UNPROCESSABLE_ENTITY, "Nobody signs in here: name the staff number that gives the command."),
    "feed": (HTTPStatus.UNAUTHORIZED, "There is no such feed, or its token is another: Authorization: Bearer TOKEN."),
    "tables": (HTTPStatus.NOT_FOUND, "Of the tables asked for, one is not here. Ask /api/v1/tables for their ids."),
    "busy": (HTTPStatus.SERVICE_UNAVAILABLE, "Too many streams are open. Close one, or try again in a while."),
}


class Refused(Exception):
    """A refusal by its name in TEXTS."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def is_api(request: Request) -> bool:
    """Whether a program asked."""
    return request.url.path.startswith(PREFIX)


def problem(request: Request, status: HTTPStatus, name: str, detail: str) -> JSONResponse:
    """Return a refusal."""
    found = Problem(
        type=f"urn:tirage:{name}", title=status.phrase, status=status, detail=detail, instance=request.url.path
    )
    headers = {"WWW-Authenticate": "Bearer"} if status is HTTPStatus.UNAUTHORIZED else None
    return JSONResponse(found.model_dump(), status, headers, MEDIA_TYPE)


def of_name(request: Request, name: str) -> JSONResponse:
    """Return a refusal of TEXTS."""
    return problem(request, TEXTS[name][0], name, TEXTS[name][1])
