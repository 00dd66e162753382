"""A fact as one line of text for a person at a terminal."""

from __future__ import annotations

import re
from typing import Any

HEAD = frozenset({"fact", "shoe", "hand", "at", "player", "banker", "irregularities"})


def fact_text(line: dict[str, Any]) -> str:
    """Return time, shoe and hand, the fact in words, and what belongs to it.

    >>> fact_text({"fact": "CardDrawn", "shoe": "1", "hand": 2, "at": None, "seat": "player", "index": 1, "card": None})
    'shoe 1 hand 2  card drawn: seat player, index 1'
    """
    if "fact" not in line:
        return f"DIFFERENCE in line {line['difference']['line']}: {line['difference']}"
    where = f"shoe {line['shoe']}" + (f" hand {line['hand']}" if line["hand"] is not None else "")
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", line["fact"]).lower()
    parts = [*_cards(line), *_rest(line), *(found["kind"] for found in line.get("irregularities", ()))]
    time = f"{line['at']}  " if line["at"] else ""
    return f"{time}{where}  {words}" + (f": {', '.join(parts)}" if parts else "")


def _cards(line: dict[str, Any]) -> list[str]:
    return [f"{seat} {' '.join(card or '?' for card in line[seat])}" for seat in ("player", "banker") if seat in line]


def _rest(line: dict[str, Any]) -> list[str]:
    kept = ((name, value) for name, value in line.items() if name not in HEAD and value not in (None, "", []))
    return [f"{name} {_text(value)}" for name, value in kept]


def _text(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
