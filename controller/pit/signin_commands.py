"""A signed-in person's command: whether the role gives it, and whether a second person is asked."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from controller.accounts.approvals import Approval, State, by_two, hash_of, one_person, two_persons
from controller.accounts.errors import Denied
from controller.accounts.people import People
from controller.accounts.roles import Roles, may_decide, may_give, may_post
from controller.catalogue import Catalogue
from controller.core.inputs import Command, OnDuty
from controller.core.views import Sentence
from controller.core.words import kind_of
from controller.pit import commands
from controller.pit.floor import Answer, Floor
from controller.pit.guards import Refusal
from controller.pit.signin import person, visitor

DEALS = Sentence("rejected.supervisor-decides")


class CheckedFloor:
    """The floor as every route sees it with accounts on: whatever route a command comes by, its actor is checked.

    This is the last door, behind the checks of the routes: a route that forgot them changes nothing.
    """

    def __init__(self, floor: Floor, people: People) -> None:
        self._floor = floor
        self._people = people

    def __getattr__(self, name: str) -> Any:
        return getattr(self._floor, name)

    async def command(self, table: str, command: Command, by: str) -> Answer:
        """Judge a command. Raises Refusal where the actor may not give it, alone or at all."""
        first = by.removeprefix("staff:").partition("+")[0].partition(" ")[0]
        account = self._people.store.account(first)
        allowed = account is not None and not account.disabled and may(self._floor, table, account.roles, command)
        if allowed and (self._people.approvals.needed(command) or by_two(by)):
            allowed = self._approved(table, command, by)
        if not allowed:
            raise Refusal(HTTPStatus.FORBIDDEN, Sentence("signin.role"))
        if commands.deals(self._floor, table, first, command):
            return Answer(accepted=False, sentence=DEALS)
        return await self._floor.command(table, command, by)

    def _approved(self, table: str, command: Command, by: str) -> bool:
        wanted = hash_of(table, command)
        given = (kept for kept in self._people.approvals.shown() if kept.state is State.APPROVED)
        return any(kept.hash == wanted and two_persons(kept.first, kept.second) == by for kept in given)


def may(floor: Floor, table: str, roles: Roles, command: Command) -> bool:
    """Whether one of the roles gives this command, and decides what it decides by the choice of the table's house."""
    if not may_give(roles, kind_of(type(command.act))):
        return False
    decider = commands.decider(floor, table, command)
    return decider is None or may_decide(roles, decider)


def checked(floor: Floor, people: People | None) -> Floor:
    """Return the floor behind the last door; as it is where accounts are off."""
    return floor if people is None else cast("Floor", CheckedFloor(floor, people))


async def ask(people: People, floor: Floor, request: Request, table: str, command: Command) -> Answer | Approval:
    """Give a command of the person who signed in, or keep it until a second person has approved it.

    Raises Denied: by role, too many in a minute; Refusal, CannotLog.
    """
    session, came = person(request), visitor(request)
    address, kind = came.address if came else "?", kind_of(type(command.act))
    people.count_command(session, kind)
    if not may(floor, table, session.roles, command) or not _own_post(session.number, session.roles, command):
        await people.tell_refused(f"staff:{session.number}", address, f"role: {kind}", request.url.path)
        raise Denied("signin.role")
    if commands.deals(floor, table, session.number, command):
        await people.tell_refused(f"staff:{session.number}", address, f"deals: {kind}", request.url.path)
        return Answer(accepted=False, sentence=DEALS)
    if not people.approvals.needed(command):
        return await commands.give(floor, table, command, one_person(session.number, kind))
    approval = people.approvals.ask(table, command, session.number)
    if not approval.told:
        await people.asked(approval, address)
    return approval


def _own_post(number: str, roles: Roles, command: Command) -> bool:
    return not isinstance(command.act, OnDuty) or may_post(number, roles, command.act)


async def decide(people: People, floor: Floor, request: Request, approval: Approval, state: State) -> Answer:
    """Approve or refuse what waits; approved, it goes to the table in the name of both, which may still refuse it.

    Raises Denied, Refusal, CannotLog.
    """
    session, came = person(request), visitor(request)
    first = people.store.account(approval.first)
    if first is None or not may(floor, approval.table, first.roles, approval.command):
        raise Denied("approval.gone")  # who asked may no longer ask
    await people.decide(approval, session, state, came.address if came else "?")
    if state is State.REFUSED:
        return Answer(accepted=True)
    by = two_persons(approval.first, session.number)
    answer = await commands.give(floor, approval.table, approval.command, by)
    approval.refusal = None if answer.accepted else answer.sentence
    return answer


def answered(outcome: Answer | Approval, words: Catalogue) -> Response:
    """Return 200, 409 with the reason, or 202 for what waits for a second person."""
    if isinstance(outcome, Answer):
        return commands.answered(outcome, words)
    waits = {"id": outcome.id, "hash": outcome.hash, "state": outcome.state.value}
    sentence = words.text(Sentence(f"approval.{outcome.state.value}"))
    return JSONResponse({"accepted": False, "sentence": sentence, "approval": waits}, HTTPStatus.ACCEPTED)
