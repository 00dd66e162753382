"""Refusals as problem+json (RFC 9457)."""

from __future__ import annotations

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse

from controller.api.records import Problem
from controller.catalogue import Catalogue

MEDIA_TYPE = "application/problem+json"
PREFIX = "/api/"

# What only programs are refused for; each has its sentence in the catalogue, under api.
STATUS: dict[str, HTTPStatus] = {
    "no-archive": HTTPStatus.NOT_FOUND,
    "key": HTTPStatus.BAD_REQUEST,
    "key-used": HTTPStatus.UNPROCESSABLE_ENTITY,
    "staff": HTTPStatus.UNPROCESSABLE_ENTITY,
    "feed": HTTPStatus.UNAUTHORIZED,
    "tables": HTTPStatus.NOT_FOUND,
    "busy": HTTPStatus.SERVICE_UNAVAILABLE,
    "too-many": HTTPStatus.TOO_MANY_REQUESTS,
}


class Refused(Exception):
    """A refusal by its name in STATUS."""

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


def of_name(request: Request, name: str, words: Catalogue) -> JSONResponse:
    """Return a refusal of STATUS."""
    return problem(request, STATUS[name], name, words.word(f"api.{name}"))
