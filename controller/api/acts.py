"""The acts of people (core/inputs.py) as JSON schema, made from the acts themselves."""

from __future__ import annotations

from dataclasses import MISSING, fields
from enum import Enum
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from controller.core.cards import Card
from controller.core.inputs import Act
from controller.core.words import kind_of
from controller.pit.bankacts import MOST_AMOUNT
from controller.pit.commands import MOST_NUMBER

Schema = dict[str, Any]
CARD: Schema = {"type": "string", "pattern": "^(?:[A2-9TJQK][SHDC?]|[0-9])$", "description": "Rank then suit."}
PLAIN: dict[type, Schema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer", "minimum": 0, "maximum": MOST_AMOUNT},
    str: {"type": "string", "maxLength": 500},
    Card: CARD,
}
# Numbers of what an act holds, such as the places of cards, are smaller (pit/commands.py).
INSIDE: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_NUMBER}
MOST_TEXTS, MOST_PARTS = 50, 12


def act_schema() -> Schema:
    """Return the schema of an act: one of all kinds.

    >>> [one["properties"]["kind"]["const"] for one in act_schema()["oneOf"]][:3]
    ['void', 'accept', 'correct']
    """
    return {"oneOf": [_object(act) for act in get_args(Act)]}


def _object(cls: Any, number: Schema = PLAIN[int]) -> Schema:
    kind, hints = kind_of(cls), get_type_hints(cls)
    needed = [field.name for field in fields(cls) if field.default is MISSING]
    return {
        "type": "object",
        "description": (cls.__doc__ or "").strip().splitlines()[0],
        "properties": {"kind": {"const": kind}} | {name: _value(hint, number) for name, hint in hints.items()},
        "required": ["kind", *needed],
        "additionalProperties": False,
    }


def _value(hint: Any, number: Schema) -> Schema:
    if get_origin(hint) is UnionType:
        options = [_value(option, number) for option in get_args(hint) if option is not type(None)]
        return {"anyOf": [*options, {"type": "null"}]}
    if get_origin(hint) is tuple:
        items = _value(get_args(hint)[0], INSIDE)
        most = MOST_PARTS if items.get("type") in ("object", "integer") else MOST_TEXTS
        return {"type": "array", "items": items, "maxItems": most}
    if hint is int:
        return number
    if hint in PLAIN:
        return PLAIN[hint]
    if issubclass(hint, Enum):
        return {"enum": [one.value for one in hint]}
    return _object(hint, INSIDE)
