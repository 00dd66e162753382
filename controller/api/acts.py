"""The acts of people (core/inputs.py) as JSON schema, made from the acts themselves."""

from __future__ import annotations

from dataclasses import MISSING, fields
from enum import Enum
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from controller.core.cards import Card
from controller.core.inputs import Act
from controller.core.words import kind_of

Schema = dict[str, Any]
CARD: Schema = {"type": "string", "pattern": "^(?:[A2-9TJQK][SHDC?]|[0-9])$", "description": "Rank then suit."}
PLAIN: dict[type, Schema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer", "minimum": 0, "maximum": 10_000},
    str: {"type": "string", "maxLength": 500},
    Card: CARD,
}
MOST_TEXTS, MOST_PARTS = 50, 12


def act_schema() -> Schema:
    """Return the schema of an act: one of all kinds.

    >>> [one["properties"]["kind"]["const"] for one in act_schema()["oneOf"]][:3]
    ['void', 'accept', 'correct']
    """
    return {"oneOf": [_object(act) for act in get_args(Act)]}


def _object(cls: Any) -> Schema:
    kind, hints = kind_of(cls), get_type_hints(cls)
    needed = [field.name for field in fields(cls) if field.default is MISSING]
    return {
        "type": "object",
        "description": (cls.__doc__ or "").strip().splitlines()[0],
        "properties": {"kind": {"const": kind}} | {name: _value(hint) for name, hint in hints.items()},
        "required": ["kind", *needed],
        "additionalProperties": False,
    }


def _value(hint: Any) -> Schema:
    if get_origin(hint) is UnionType:
        return {"anyOf": [_value(option) for option in get_args(hint) if option is not type(None)] + [{"type": "null"}]}
    if get_origin(hint) is tuple:
        items = _value(get_args(hint)[0])
        most = MOST_PARTS if items.get("type") == "object" else MOST_TEXTS
        return {"type": "array", "items": items, "maxItems": most}
    if hint in PLAIN:
        return PLAIN[hint]
    if issubclass(hint, Enum):
        return {"enum": [one.value for one in hint]}
    return _object(hint)
