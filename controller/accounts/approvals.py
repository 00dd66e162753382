"""Two persons for one act: what the first asks for waits until another one has seen exactly that and said yes."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from controller.accounts.clock import Clock
from controller.accounts.errors import Denied
from controller.accounts.roles import DUAL, Roles, may_second
from controller.core.inputs import Command
from controller.core.views import Sentence
from controller.core.words import kind_of, to_dict

EXPIRES_S = 120.0
ONE_PERSON = " ONE PERSON"


class State(Enum):
    """What became of an approval; only a pending one changes."""

    PENDING = "pending"
    APPROVED = "approved"
    REFUSED = "refused"
    EXPIRED = "expired"


@dataclass(eq=False, slots=True)
class Approval:
    """A command that waits for its second person."""

    id: str
    table: str
    command: Command
    hash: str
    first: str
    began: float
    state: State = State.PENDING
    second: str = ""
    told: bool = False  # in the access log: until then nobody can decide it
    refusal: Sentence | None = None  # why the table did not do what was approved

    @property
    def kind(self) -> str:
        """The kind of the act."""
        return kind_of(type(self.command.act))


def canonical(table: str, command: Command) -> bytes:
    """Return a command at a table as bytes that are the same wherever they are made, also from a journal's line."""
    asked = {name: value for name, value in to_dict(command).items() if name != "kind"}
    return json.dumps({"table": table, **asked}, sort_keys=True, separators=(",", ":")).encode()


def hash_of(table: str, command: Command) -> str:
    """Return the sha256 of the canonical command: it stands in the first record, in the second and on the page."""
    return hashlib.sha256(canonical(table, command)).hexdigest()


def one_person(number: str, kind: str) -> str:
    """Return the actor for a command that only one person gave; where the rules know two, that is stamped on it.

    >>> one_person("1042", "turned"), one_person("1042", "void")
    ('staff:1042', 'staff:1042 ONE PERSON')
    """
    return f"staff:{number}{ONE_PERSON if kind in DUAL else ''}"


def two_persons(first: str, second: str) -> str:
    """Return the actor for a command that two persons gave.

    >>> two_persons("1042", "2001")
    'staff:1042+staff:2001'
    """
    return f"staff:{first}+staff:{second}"


def by_two(by: str) -> bool:
    """Whether an actor is two different persons.

    >>> by_two("staff:1042+staff:2001"), by_two("staff:1042+staff:1042"), by_two("staff:1042 ONE PERSON")
    (True, False, False)
    """
    first, _, second = by.partition("+")
    return first.startswith("staff:") and second.startswith("staff:") and first != second


@dataclass
class Approvals:
    """What waits for a second person now. ``expired`` are those that nobody decided and that are not told yet."""

    kinds: frozenset[str]  # of acts for which this house asks two persons
    clock: Clock
    expired: list[Approval] = field(default_factory=list)
    _kept: dict[str, Approval] = field(default_factory=dict)

    def needed(self, command: Command) -> bool:
        """Whether this house asks two persons for such a command."""
        return kind_of(type(command.act)) in self.kinds

    def ask(self, table: str, command: Command, first: str) -> Approval:
        """Return the approval that a command waits for; the same command again has the same one.

        Raises Denied if the command's id was used for something else.
        """
        self.sweep()
        wanted = hash_of(table, command)
        for kept in self._kept.values():
            if kept.command.id == command.id:
                if (kept.hash, kept.first) != (wanted, first):
                    raise Denied("approval.other")
                return kept
        made = Approval(secrets.token_urlsafe(9), table, command, wanted, first, self.clock.mono())
        self._kept[made.id] = made
        return made

    def waiting(self, ident: str, shown_hash: str, second: str, roles: Roles) -> Approval:
        """Return the pending approval that this person may decide.

        Raises Denied: decided or expired, another command than was shown, one's own, or a role that may not.
        """
        self.sweep()
        found = self._kept.get(ident)
        if found is None or not found.told or found.state is not State.PENDING:
            raise Denied("approval.gone")
        if found.first == second:
            raise Denied("approval.own")
        if not may_second(roles, found.kind):
            raise Denied("signin.role")
        if not hmac.compare_digest(found.hash.encode(), shown_hash.encode()):
            raise Denied("approval.other")
        return found

    def drop(self, approval: Approval) -> None:
        """Forget an approval that could not be recorded."""
        self._kept.pop(approval.id, None)

    def left_s(self, approval: Approval) -> float:
        """Return how long an approval still waits."""
        return max(0.0, approval.began + EXPIRES_S - self.clock.mono())

    def shown(self) -> Iterable[Approval]:
        """Return what waits, and what was decided a short while ago, latest first."""
        self.sweep()
        return sorted(self._kept.values(), key=lambda kept: -kept.began)

    def sweep(self) -> None:
        """Let what nobody decided in time expire, and forget what was decided long ago."""
        now = self.clock.mono()
        for kept in list(self._kept.values()):
            if kept.state is State.PENDING and now - kept.began >= EXPIRES_S:
                self._expire(kept)
            if now - kept.began >= 2 * EXPIRES_S:
                del self._kept[kept.id]

    def close(self) -> None:
        """Let everything that waits expire: nobody can decide it any more."""
        for kept in self._kept.values():
            if kept.state is State.PENDING:
                self._expire(kept)

    def _expire(self, kept: Approval) -> None:
        kept.state = State.EXPIRED
        self.expired.append(kept)
