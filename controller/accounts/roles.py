"""Who may do what: one table of pages and one of commands (the house's division of duties)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from controller.accounts.errors import AccountsError
from controller.core.inputs import OnDuty, Post


class Role(Enum):
    """What a person is at the house; one person may have several, but for the account admin."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    SURVEILLANCE = "surveillance"
    AUDITOR = "auditor"
    TECHNICIAN = "technician"
    ACCOUNT_ADMIN = "account-admin"


Roles = frozenset[Role]
NOBODY: Roles = frozenset()
EVERYBODY: Roles = frozenset(Role)
AT_TABLES: Roles = EVERYBODY - {Role.ACCOUNT_ADMIN}
DEALING: Roles = frozenset({Role.DEALER, Role.SUPERVISOR})
RULING: Roles = frozenset({Role.SUPERVISOR})
WATCHING: Roles = frozenset({Role.SURVEILLANCE})
FLOOR: Roles = RULING | WATCHING
READING: Roles = FLOOR | {Role.AUDITOR}  # export, verify, reports


def fitting(names: Iterable[str]) -> Roles:
    """Return the roles of these names.

    Raises AccountsError for an unknown one, for none, and for an account admin with table rights.
    """
    known = {role.value: role for role in Role}
    wanted = tuple(dict.fromkeys(names))
    if unknown := [name for name in wanted if name not in known]:
        raise AccountsError(f"there is no role {unknown[0]}; there are {', '.join(known)}")
    roles = frozenset(known[name] for name in wanted)
    if not roles:
        raise AccountsError(f"an account needs a role: {', '.join(known)}")
    if Role.ACCOUNT_ADMIN in roles and len(roles) > 1:
        raise AccountsError("an account admin has no rights at tables: give that person a second number")
    return roles


# What may be looked at, by the kind of page. The board and the dealer's page show public facts only, so a display
# without a person may have them; composition and hidden faces are for surveillance alone.
PAGES: dict[str, Roles] = {
    "board": AT_TABLES,
    "table": DEALING | WATCHING,
    "pit": FLOOR,
    "surveillance": WATCHING,
    "recall": READING | DEALING,  # it shows what players saw
    "incidents": READING,
    "reports": READING,
    "link": FLOOR | {Role.TECHNICIAN},
    "own": EVERYBODY,  # a person's own account
    "approvals": FLOOR,
}
DISPLAYS = frozenset({"board", "table"})  # what a display's read-only token opens
LOGGED = frozenset({"surveillance", "recall", "incidents", "reports"})  # each access to logs and exports is recorded


@dataclass(frozen=True, slots=True)
class Right:
    """Who may give a command, and who may be its second person; ``second`` is empty where none is ever asked."""

    first: Roles
    second: Roles = NOBODY


RULED = Right(RULING, FLOOR)  # overrides what the shoe said: two names where the house asks for them
MONEY = (  # what the croupier does about the bank
    "show_bank",
    "decline_bank",
    "pass_bank",
    "take_bank",
    "nobody_takes",
    "set_stake",
    "set_cover",
    "call_banco",
    "withdraw_banco",
    "close_stakes",
    "sit",
    "leave_place",
)
COMMANDS: dict[str, Right] = {
    "turned": Right(DEALING),
    "takes": Right(DEALING),
    "opened_next": Right(DEALING),
    "close_bets": Right(DEALING),
    "apply": Right(DEALING, FLOOR),  # and `may_decide`: a house may leave an irregularity to its dealers
    **dict.fromkeys(MONEY, Right(DEALING)),
    "penalise": Right(RULING),
    "readmit": Right(RULING),
    "void": RULED,
    "accept": RULED,
    "correct": RULED,
    "key_card": RULED,
    "rest_of_hand": RULED,
    "new_hand": RULED,
    "relay": RULED,
    "mark_hand": RULED,
    "manual_hand": RULED,
    "blind_hands": RULED,
    "acknowledge": Right(FLOOR),
    "review": Right(WATCHING),
    "new_shoe": Right(RULING),
    "close_shoe": Right(RULING),
    "begin_maintenance": Right(RULING),
    "end_maintenance": Right(RULING),
    "open_table": Right(RULING),
    "close_table": Right(RULING),
    "on_duty": Right(DEALING),
}
DECIDING: dict[Post, Roles] = {Post.DEALER: DEALING, Post.SUPERVISOR: RULING}
LETTING_DOWN = Right(FLOOR | {Role.TECHNICIAN}, FLOOR)  # a shoe that may prove less than before: always two persons
DUAL = frozenset(kind for kind, right in COMMANDS.items() if right.second)


def may_open(roles: Roles, page: str) -> bool:
    """Whether one of the roles opens a page of this kind; an unknown kind is closed to all."""
    return bool(PAGES.get(page, NOBODY) & roles)


def may_give(roles: Roles, kind: str) -> bool:
    """Whether one of the roles gives a command of this kind; an unknown kind nobody gives.

    >>> may_give(frozenset({Role.DEALER}), "turned"), may_give(frozenset({Role.DEALER}), "void")
    (True, False)
    """
    right = COMMANDS.get(kind)
    return right is not None and bool(right.first & roles)


def may_decide(roles: Roles, post: Post) -> bool:
    """Whether one of the roles may decide what a house leaves to this post.

    >>> may_decide(frozenset({Role.DEALER}), Post.SUPERVISOR)
    False
    """
    return bool(DECIDING[post] & roles)


def may_post(number: str, roles: Roles, act: OnDuty) -> bool:
    """Whether a person may fill a post so: nobody takes the supervisor's for another, a dealer only the own one.

    >>> may_post("7", frozenset({Role.DEALER}), OnDuty(Post.DEALER, "8"))
    False
    """
    if act.post is Post.DEALER and Role.SUPERVISOR in roles:
        return True
    wanted = Role.SUPERVISOR if act.post is Post.SUPERVISOR else Role.DEALER
    return wanted in roles and act.staff in {"", number}


def may_second(roles: Roles, kind: str) -> bool:
    """Whether one of the roles may be the second person for a command of this kind."""
    right = COMMANDS.get(kind)
    return right is not None and bool(right.second & roles)
