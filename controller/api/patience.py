"""How often a program that nobody knows may come: each address so many requests in any minute."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from time import monotonic

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.accounts.limits import Limit
from controller.api import problems
from controller.api.door import Outside, Place
from controller.pit import guards
from controller.pit.signin import DISPLAY_COOKIE, SESSION_COOKIE, address_of

UNKNOWN_PER_MINUTE = 240  # an address; who is known is held by limits of other kinds


@dataclass
class Patience:
    """Before every route of the interface. Sessions, displays and tokens that fit are not counted."""

    app: ASGIApp
    place: Place
    outside: Iterable[Outside] = ()
    limit: Limit = field(default_factory=lambda: Limit(UNKNOWN_PER_MINUTE, monotonic))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it 429."""
        request = Request(scope)
        wait_s = 0.0
        if problems.is_api(request) and not self.knows(request):
            wait_s = self.limit.wait_s(address_of(request, https=self._https))
        if not wait_s:
            await self.app(scope, receive, send)
            return
        answer = problems.of_name(request, "too-many", self.place.voices.of(request).words)
        answer.headers["Retry-After"] = str(math.ceil(wait_s))
        await answer(scope, receive, send)

    @property
    def _https(self) -> bool:
        return self.place.people is not None and self.place.people.rules.https

    def knows(self, request: Request) -> bool:
        """Whether it brings a session, a display or a token, or comes from this machine where nobody signs in."""
        given = guards.given_token(request)
        if any(guards.token_fits(given, feed.token) for feed in self.outside):
            return True
        people, cookies = self.place.people, request.cookies
        if people is None:
            return guards.from_this_machine(request) or guards.token_fits(given, self.place.floor.token)
        if people.sessions.of(cookies.get(SESSION_COOKIE[self._https], "")) is not None:
            return True
        return people.display(cookies.get(DISPLAY_COOKIE[self._https], "")) is not None
