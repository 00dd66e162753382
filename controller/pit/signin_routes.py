"""Every route of the pages and what it needs, once accounts are on; a route without a row here is closed to all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from starlette.routing import BaseRoute, Match
from starlette.types import Scope

from controller.accounts.roles import Roles, may_open
from controller.api.openings import API_PAGES
from controller.api.openings import COMMANDS as API_COMMANDS
from controller.pit.recall_routes import RECALL_ROUTES


@dataclass(frozen=True, slots=True)
class Need:
    """What a route needs: a right to ``page`` (accounts/roles.py), or one of the words below.

    ``quiet`` routes are asked by the page itself: they do not keep an idle person signed in.
    """

    page: str
    quiet: bool = False


PUBLIC = "public"  # nobody needs to be known
COMMAND = "command"  # somebody signed in; the kind of the command decides further
CLOSED = "closed"  # makes no sense with accounts

ROUTES: dict[tuple[str, str], Need] = {
    ("GET", "/static"): Need(PUBLIC, quiet=True),
    ("GET", "/signin"): Need(PUBLIC),
    ("POST", "/signin"): Need(PUBLIC),
    ("POST", "/display"): Need(PUBLIC),
    ("POST", "/token"): Need(CLOSED),
    ("POST", "/signout"): Need("own"),
    ("GET", "/me"): Need("own"),
    ("GET", "/me/session"): Need("own", quiet=True),
    ("POST", "/me/password"): Need("own"),
    ("GET", "/approvals"): Need("approvals"),
    ("GET", "/approvals/list"): Need("approvals", quiet=True),
    ("POST", "/approvals/{approval}"): Need("approvals"),
    ("GET", "/"): Need("pit"),
    ("GET", "/events/pit"): Need("pit", quiet=True),
    ("GET", "/table/{table}"): Need("table"),
    ("GET", "/events/table/{table}"): Need("table", quiet=True),
    ("POST", "/table/{table}/commands"): Need(COMMAND),
    ("POST", "/table/{table}/preview"): Need(COMMAND),
    ("GET", "/table/{table}/hands"): Need("table", quiet=True),
    ("GET", "/board/{table}"): Need("board"),
    ("GET", "/events/board/{table}"): Need("board", quiet=True),
    ("GET", "/surveillance"): Need("surveillance"),
    ("GET", "/surveillance/{table}"): Need("surveillance"),
    ("GET", "/events/surveillance/{table}"): Need("surveillance", quiet=True),
    **{("GET", path): Need(page) for path, page in RECALL_ROUTES.items()},
    # A program that asks by itself must not keep an idle person signed in; a feed is told by its own token, and by TLS.
    **{("GET", path): Need(page, quiet=page != PUBLIC) for path, page in API_PAGES.items()},
    ("POST", API_COMMANDS): Need(COMMAND),
}
FOR_A_NEW_PASSWORD = frozenset({"own", PUBLIC})  # all that is open until a first password has been changed


def permits(need: Need, roles: Roles) -> bool:
    """Whether somebody who signed in with these roles may use a route."""
    return need.page in {PUBLIC, COMMAND} or may_open(roles, need.page)


def found(routes: Iterable[BaseRoute], scope: Scope) -> tuple[str, str] | None:
    """Return method and path of the route that would answer; None where none would.

    HEAD counts as GET, and a folder of files is one route.
    """
    for route in routes:
        match, _ = route.matches(scope)
        if match is Match.FULL:
            method = "GET" if scope["method"] == "HEAD" else scope["method"]
            return method, str(getattr(route, "path", ""))
    return None
