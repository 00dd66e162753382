"""What people ask for: each act is checked first, and changes nothing where it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.core.facts import FactName
from controller.core.hand import Hand, Hold
from controller.core.inputs import Command, Post
from controller.core.reasons import lacks_reason, reason_of
from controller.core.table import COMMANDS_KEPT, Record, Table, handles
from controller.core.words import kind_of

Effect = Callable[[], None]
Ruling = Callable[[Table, Any, Command], Effect | str]  # what it would do, or why it is refused
RULINGS: dict[type, Ruling] = {}


def rules(act: type) -> Callable[[Ruling], Ruling]:
    """Register a function as the one that rules on this act."""

    def register(ruling: Ruling) -> Ruling:
        RULINGS[act] = ruling
        return ruling

    return register


@handles(Command)
def command(table: Table, asked: Command) -> None:
    """Rule on a command once; the same id again changes nothing."""
    if asked.id in table.commands:
        return
    ruled = RULINGS[type(asked.act)](table, asked.act, asked)
    if not isinstance(ruled, str) and lacks_reason(table, asked, closed(table, asked.hand)):
        ruled = "needs-reason"
    name = FactName.COMMAND_REJECTED if isinstance(ruled, str) else FactName.COMMAND_ACCEPTED
    table.commands[asked.id] = name
    if len(table.commands) > COMMANDS_KEPT:
        del table.commands[next(iter(table.commands))]
    hand = meant(table, asked.hand)
    act = kind_of(type(asked.act))
    if isinstance(ruled, str):
        table.tell(name, hand, id=asked.id, act=act, by=table.item.by, why=ruled)
        return
    why: dict[str, Any] = {"reason": reason} if (reason := reason_of(asked)) else {}
    table.tell(name, hand, id=asked.id, act=act, by=table.item.by, **why)
    ruled()


def meant(table: Table, ref: str) -> Hand | None:
    """Return the open or unsettled hand of this reference."""
    if table.hand is not None and table.hand.ref == ref:
        return table.hand
    return table.unsettled.get(ref)


def closed(table: Table, ref: str) -> Record | None:
    """Return the closed hand of this reference, in the shoe in play."""
    return next((record for record in table.records.values() if record.hand.ref == ref), None)


def not_the_deciders(table: Table, irregularity: str) -> str:
    """Why the person may not decide: who deals does not rule where a supervisor is to; with accounts roles say more."""
    day = table.day
    dealer_alone = table.item.by == f"staff:{day.dealer}" and day.dealer != day.supervisor
    supervisors = table.house.decider(irregularity) is Post.SUPERVISOR
    return "supervisor-decides" if supervisors and dealer_alone else ""


def ids(holds: tuple[Hold, ...]) -> frozenset[str]:
    """Return the ids of holds."""
    return frozenset(hold.id for hold in holds)
