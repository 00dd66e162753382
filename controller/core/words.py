"""Signals, inputs and facts as plain dictionaries and back: the one spelling of journals, scripts and outputs."""

from __future__ import annotations

import re
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from controller.core.cards import Card
from controller.core.facts import Fact, HandLine, Irregularity
from controller.core.inputs import (
    Act,
    ClockStepped,
    Command,
    Correct,
    DiskRoom,
    Elapsed,
    Input,
    Moment,
    NewShoe,
    Placed,
    RecordDamaged,
    Relay,
    Started,
    Void,
)
from controller.core.sanctions import FORMER, Sanction
from controller.core.signals import Signal

MARK = "mark"  # beside the fields of a signal; no signal has a field of this name
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def kind_of(cls: type) -> str:
    """Return the written name of a class.

    >>> kind_of(Started)
    'started'
    """
    return kind_named(cls.__name__)


def kind_named(name: str) -> str:
    """Return the written name of a class by its own, as some facts have it; a written name stays.

    >>> kind_named("SetCover"), kind_named("set_cover")
    ('set_cover', 'set_cover')
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


REASONED = frozenset({Correct, NewShoe, Relay, Void})  # without a reason they are written as before there were any
PARTS = (Command, Elapsed, Started, DiskRoom, ClockStepped, RecordDamaged, Placed)
TYPES: dict[str, type] = {kind_of(cls): cls for cls in (*get_args(Signal), *get_args(Act), *PARTS)}


@cache
def _fields(cls: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls))


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls)


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: cards and enums as text, tuples as lists."""
    match value:
        case Enum():
            return value.value
        case None | bool() | int() | str():
            return value
        case Card():
            return str(value)
        case tuple():
            return [plain(item) for item in value]
        case Irregularity():
            return irregularity_dict(value)
        case _:
            return to_dict(value)


def to_dict(thing: Any) -> dict[str, Any]:
    """Return a signal, command, timer or act with its ``kind`` first."""
    cls: Any = type(thing)
    written = {name: plain(getattr(thing, name)) for name in _fields(cls)}
    if cls in REASONED and not thing.reason:
        del written["reason"]
    return {"kind": kind_of(cls)} | written


def from_dict(data: dict[str, Any]) -> Any:
    """Read what `to_dict` wrote.

    Raises ValueError naming the kind or the field that does not fit.
    """
    kind = data.get("kind")
    cls = TYPES.get(str(kind))
    if cls is None:
        raise ValueError(f"expected a known kind, got {kind!r}; known: {', '.join(sorted(TYPES))}")
    hints = _hints(cls)
    given = {name: value for name, value in data.items() if name != "kind"}
    if unknown := given.keys() - hints.keys():
        raise ValueError(f"{kind} has no field {', '.join(sorted(unknown))}; it has {', '.join(hints)}")
    try:
        return cls(**{name: _read(hints[name], value) for name, value in given.items()})
    except (TypeError, KeyError) as error:
        raise ValueError(f"{kind}: {error}") from error


def _read(hint: Any, value: Any) -> Any:
    origin = get_origin(hint)
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise ValueError(f"expected a list, got {value!r}")
        return tuple(_read(get_args(hint)[0], item) for item in value)
    if isinstance(value, dict):
        return _part(hint, value)
    if origin is UnionType:
        if value is None and type(None) in get_args(hint):
            return None
        hint = next(option for option in get_args(hint) if option is not type(None))
    if hint is Card and isinstance(value, str):
        return Card.parse(value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return member(hint, value)
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        raise ValueError(f"expected {hint.__name__}, got {value!r}")
    return value


def member(hint: type[Enum], value: Any) -> Enum:
    """Return the member of this value, or of the one that a former version wrote for it."""
    return hint(FORMER.get(value, value) if hint is Sanction else value)


def _part(hint: Any, value: dict[str, Any]) -> Any:
    part = from_dict(value)
    if not isinstance(part, hint):
        raise ValueError(f"{kind_of(type(part))} cannot stand here")  # noqa: TRY004 - callers wait for one exception
    return part


def iso(utc_ns: int | None) -> str | None:
    """Return UTC as ISO 8601 with nine decimals.

    >>> iso(1)
    '1970-01-01T00:00:00.000000001Z'
    """
    if utc_ns is None:
        return None
    seconds, ns = divmod(utc_ns, 1_000_000_000)
    return f"{EPOCH + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%S}.{ns:09d}Z"


def utc_ns(text: str) -> int:
    """Read what `iso` wrote, in nanoseconds."""
    whole, _, fraction = text.removesuffix("Z").partition(".")
    stamp = datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=UTC)
    return int((stamp - EPOCH).total_seconds()) * 1_000_000_000 + int(fraction.ljust(9, "0")[:9] or 0)


def irregularity_dict(found: Irregularity) -> dict[str, Any]:
    """Return an irregularity as audit lines write it; ``disposal`` only where it has one."""
    line = {"kind": found.kind, "seat": plain(found.seat), "rule": found.rule}
    return line | ({"disposal": found.disposal.value} if found.disposal else {})


def hand_dict(line: HandLine) -> dict[str, Any]:
    """Return the keys of an audit line that a closed hand has."""
    cards = {seat.value: [plain(card) for card in laid] for seat, laid in line.cards}
    return cards | {
        "result": plain(line.result),
        "recorded": line.recorded,
        "irregularities": [irregularity_dict(found) for found in line.irregularities],
    }


def fact_dict(fact: Fact) -> dict[str, Any]:
    """Return a fact as `replay --json` writes it."""
    head = {"fact": fact.name.value, "shoe": str(fact.shoe), "hand": fact.hand, "at": iso(fact.at.utc_ns)}
    for name, value in fact.data:
        if isinstance(value, HandLine):
            head |= hand_dict(value)
        else:
            head[name] = plain(value)
    return head


def input_dict(item: Input) -> dict[str, Any]:
    """Return an input as a journal line holds it, without its place in the chain."""
    what = to_dict(item.what) | ({MARK: item.mark} if item.mark else {})
    return {"kind": what.pop("kind"), "mono": item.at.mono_ns, "utc": iso(item.at.utc_ns), "by": item.by, "data": what}


def input_of(line: dict[str, Any]) -> Input:
    """Read what `input_dict` wrote; other keys of the line are left alone."""
    data = dict(line["data"])
    mark = str(data.pop(MARK, ""))
    what = from_dict({"kind": line["kind"], **data})
    utc = line["utc"]
    return Input(what, Moment(None if utc is None else utc_ns(utc), line["mono"]), line["by"], mark)
