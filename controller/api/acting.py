"""Commands of programs: once each, whatever is repeated."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from controller.accounts.approvals import Approval
from controller.api import problems
from controller.api.door import Place
from controller.api.problems import Refused
from controller.api.records import CommandBody, Outcome, Waits
from controller.catalogue import Catalogue
from controller.core.inputs import Command
from controller.core.views import Sentence
from controller.pit import commands, guards, signin_commands
from controller.pit.floor import Answer
from controller.pit.signin import person

KEY = re.compile(r"[A-Za-z0-9._-]{8,64}")
KEYS_KEPT = 1_000
Given = Answer | Approval
Key = tuple[str, str, str]


class Once:
    """The answers of the latest commands: a key that comes again gets the same answer and reaches no table."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, tuple[str, asyncio.Task[Given]]] = OrderedDict()

    async def answer(self, key: Key, command: Command, ask: Callable[[], Awaitable[Given]]) -> Given:
        """Return the first answer of a key. Raises Refused for a key that was used for another command."""
        told = hashlib.sha256(repr((command.act, command.hand)).encode()).hexdigest()
        kept = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = told, asyncio.ensure_future(_awaited(ask))
            while len(self._kept) > KEYS_KEPT:
                self._kept.popitem(last=False)
        if kept[0] != told:
            raise Refused("key-used")
        try:
            return await asyncio.shield(kept[1])
        except Exception:
            self._kept.pop(key, None)  # a refusal is no answer of the table: it may be asked again
            raise


async def _awaited(ask: Callable[[], Awaitable[Given]]) -> Given:
    return await ask()


class Acting:
    """Gives commands to the floor, by the guards of the pages."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._once = Once()

    async def command(self, request: Request, table: str) -> Response:
        """Read and give a command. Raises Refusal, Refused, Denied."""
        place = self._place
        guards.same_origin(request)
        if place.people is None:
            guards.with_access(request, place.floor.token)
        key = request.headers.get("idempotency-key", "")
        if not KEY.fullmatch(key):
            raise Refused("key")
        body = await commands.read(request, CommandBody)
        who = self._who(request, body)
        command = Command(f"{who}-{key}", commands.act_of(dict(body.act)), body.hand)  # nobody meets another's key

        async def ask() -> Given:
            if place.people is not None:
                return await signin_commands.ask(place.people, place.floor, request, table, command)
            by = commands.typed(place.floor, table, who, command)
            return await commands.give(place.floor, table, command, by)

        given = await self._once.answer((table, who, key), command, ask)
        return answered(request, given, place.voices.of(request).words)

    def _who(self, request: Request, body: CommandBody) -> str:
        if self._place.people is not None:
            return person(request).number
        if not body.staff:
            raise Refused("staff")
        return body.staff


def answered(request: Request, given: Given, words: Catalogue) -> Response:
    """Return 200, 202 for what waits for a second person, or 409 with the reason."""
    if isinstance(given, Approval):
        waits = Waits(id=given.id, hash=given.hash, state=given.state.value)
        sentence = words.text(Sentence(f"approval.{given.state.value}"))
        outcome = Outcome(accepted=False, sentence=sentence, approval=waits)
        return JSONResponse(outcome.model_dump(), HTTPStatus.ACCEPTED)
    if given.accepted:
        return JSONResponse(Outcome(accepted=True).model_dump())
    why = given.sentence or Sentence("rejected.not-now")
    return problems.problem(request, HTTPStatus.CONFLICT, why.id, words.text(why))
