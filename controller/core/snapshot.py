"""A table's whole state as plain values and back, so that a shoe's journal stands on its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from controller.core.bank import Bank
from controller.core.cards import Card
from controller.core.facts import FactName
from controller.core.hand import Hand, Hold
from controller.core.incidents import Incident
from controller.core.inputs import Input, Room, Sort
from controller.core.machine import Phase
from controller.core.shoe import Shoe, Stage
from controller.core.signals import WhyLost
from controller.core.table import Alarm, Carry, Day, Link, LinkLevel, Overdraw, Previous, Record, Table
from controller.core.words import input_dict, input_of, member, plain

# What a table remembers besides its machine and shoe, with the types that bring it back.
REMEMBERED: dict[str, Any] = {
    "hand": Hand | None,
    "unsettled": dict[str, Hand],
    "records": dict[int, Record],
    "closed_at": list[int],
    "holds": tuple[Hold, ...],
    "errors": dict[str, int],
    "overdraw": Overdraw | None,
    "carry": Carry | None,
    "kept": tuple[Carry, ...],
    "gap": int,
    "gap_kind": str,
    "missed": tuple[int, ...],
    "unplaced": tuple[int, ...],
    "keyed": int,
    "deferred": list[Input],
    "counts_anew": bool,
    "locked": bool,
    "link": Link,
    "link_reason": str,
    "link_why": WhyLost | None,
    "link_level": LinkLevel | None,
    "proved": tuple[str, ...],
    "device": str,
    "incidents": dict[str, Incident],
    "incident_count": int,
    "alarms": list[Alarm],
    "acknowledged": dict[str, Incident],
    "commands": dict[str, FactName],
    "day": Day,
    "next_sort": Sort,
    "previous": Previous | None,
    "bank": Bank | None,
    "staked": str,
    "bets_closed": bool,
    "maintained": str,
    "half_drawn": bool,
    "half_read_ns": int | None,
    "money_since": tuple[Input, ...],
    "room": Room,
    "hold_after": str,
}
OF_SHOE = (
    "number",
    "burnt",
    "burn_asked",
    "off_game",
    "cut_seen",
    "openings",
    "numbered",
    "hands_left",
    "order_alarmed",
    "last_off_game",
    "closed",
    "serial",
    "blind",
    "unheard",
    "doubtful",
)


def taken(table: Table) -> dict[str, Any]:
    """Return the state of a table as JSON can hold it."""
    shoe = {name: getattr(table.shoe, name) for name in OF_SHOE}
    shoe |= {"stage": table.shoe.stage.value, "faces": [frozen(face) for face in table.shoe.faces]}
    rest = {name: frozen(getattr(table, name)) for name in REMEMBERED}
    return {"phase": table.phase.value, "shoe": shoe, **rest}


def restore(table: Table, state: Mapping[str, Any]) -> None:
    """Bring a fresh table to a state taken earlier.

    Raises KeyError, TypeError or ValueError where the state is not one that `taken` gave.
    """
    table.machine.resume(Phase(state["phase"]))
    shoe = Shoe(state["shoe"]["number"], table.house)
    for face in state["shoe"]["faces"]:
        shoe.take(thawed(Card | None, face))
    for name in OF_SHOE:
        if name in state["shoe"]:
            setattr(shoe, name, state["shoe"][name])
    shoe.resume(Stage(state["shoe"]["stage"]))
    table.shoe = shoe
    for name, hint in REMEMBERED.items():
        if name in state:  # a later version remembers more
            setattr(table, name, thawed(hint, state[name]))


def frozen(value: Any) -> Any:
    """Return a value of the core as JSON can hold it."""
    match value:
        case dict() | Counter():
            return {str(key): frozen(item) for key, item in value.items()}
        case tuple() | list():
            return [frozen(item) for item in value]
        case frozenset():
            return sorted((frozen(item) for item in value), key=repr)
        case Input():
            return input_dict(value)
        case _ if is_dataclass(value) and not isinstance(value, Card):
            return _frozen_parts(value, type(value))
        case _:
            return plain(value)


def _frozen_parts(value: Any, cls: Any) -> dict[str, Any]:
    return {name: frozen(getattr(value, name)) for name in _hints(cls)}


def thawed(hint: Any, value: Any) -> Any:
    """Read what `frozen` wrote, as the type named."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is UnionType:
        return None if value is None else thawed(args[0], value)
    if origin is tuple:
        kinds = args[:1] * len(value) if args[-1] is Ellipsis else args
        return tuple(thawed(kind, item) for kind, item in zip(kinds, value, strict=True))
    if origin in {list, frozenset}:
        return origin(thawed(args[0], item) for item in value)
    if origin is dict:
        return {args[0](key): thawed(args[1], item) for key, item in value.items()}
    return _thawed_plain(hint, value)


def _thawed_plain(hint: Any, value: Any) -> Any:
    if hint is Card:
        return Card.parse(value)
    if hint is Input:
        return input_of(value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return member(hint, value)
    return _thawed_parts(hint, value) if is_dataclass(hint) else hint(value)


def _thawed_parts(cls: Any, value: dict[str, Any]) -> Any:
    # A field that a later version added has its default where the state is older.
    return cls(**{name: thawed(kind, value[name]) for name, kind in _hints(cls).items() if name in value})


@cache
def _hints(cls: Any) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls) if field.init}
