"""Who may ask what: the guards of the pages, for programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Protocol

from starlette.requests import Request

from controller.accounts.people import People
from controller.accounts.roles import DISPLAYS, LOGGED, may_open
from controller.api.openings import OPEN_PAGES
from controller.core.facts import Audience
from controller.core.views import Sentence
from controller.pit import guards
from controller.pit.floor import Floor
from controller.pit.guards import Refusal
from controller.pit.languages import Voices
from controller.pit.recall import Archive
from controller.pit.signin import DISPLAY_COOKIE, visitor
from controller.pit.stream import Hub

PAGE_OF = {Audience.PUBLIC: "board", Audience.PIT: "pit", Audience.SURVEILLANCE: "surveillance"}


@dataclass(frozen=True, slots=True)
class Outside:
    """A feed to a program outside the house: public facts, ``delay_s`` late, for who has its token."""

    name: str
    token: str = field(repr=False)
    tables: tuple[str, ...] = ()  # all where there are none
    delay_s: float = 0.0


class Place(Protocol):
    """What the interface needs of the application around it."""

    @property
    def floor(self) -> Floor: ...

    @property
    def hub(self) -> Hub: ...

    @property
    def voices(self) -> Voices: ...

    @property
    def names(self) -> dict[str, str]: ...

    @property
    def people(self) -> People | None: ...

    @property
    def archive(self) -> Archive | None: ...

    def known(self, table: str) -> str: ...


@dataclass(frozen=True)
class Door:
    """Lets requests in as the pages would."""

    place: Place

    def page(self, request: Request, page: str) -> None:
        """Let in who may open such a page; with accounts the gate has seen to it. Raises Refusal 403."""
        if self.place.people is None and page not in OPEN_PAGES:
            guards.with_access(request, self.place.floor.token)

    async def audience(self, request: Request, audience: Audience) -> None:
        """Let in who may see what this audience sees, whatever address it is asked by. Raises Refusal 401, 403."""
        page, people = PAGE_OF[audience], self.place.people
        self.page(request, page)
        if people is None:
            return
        came = visitor(request)
        if came is None or (came.session is None and page not in DISPLAYS):
            raise Refusal(HTTPStatus.UNAUTHORIZED, Sentence("signin.first"))
        if came.session is not None and not may_open(came.session.roles, page):
            await people.tell_refused(came.who, came.address, "role", request.url.path)
            raise Refusal(HTTPStatus.FORBIDDEN, Sentence("signin.role"))
        if page in LOGGED:
            await people.tell(came.who, "opened", came.address, path=request.url.path)

    def watches(self, request: Request) -> bool:
        """Whether who asks may see what surveillance sees; without accounts whoever was let in to such a page may."""
        came = visitor(request)
        if self.place.people is None:
            return True
        return came is not None and came.session is not None and may_open(came.session.roles, "surveillance")

    def alive(self, request: Request) -> Callable[[], bool]:
        """Return what says whether a stream's reader may still read."""
        came, people = visitor(request), self.place.people
        if came is None or people is None:
            return lambda: True
        session, token = came.session, request.cookies.get(DISPLAY_COOKIE[people.rules.https], "")
        return lambda: people.sessions.alive(session) if session else people.display(token) is not None
