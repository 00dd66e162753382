"""The one table of what a person can do: the kind of command, its key, and whether it must be held."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Press(Enum):
    """How an act is given."""

    TAP = "tap"
    HOLD = "hold"  # one second, with progress: it takes something away or cannot be undone at once
    ASK = "ask"  # opens a question first; ends with a tap
    ASK_HOLD = "ask-hold"  # opens a question first; ends with a hold


@dataclass(frozen=True, slots=True)
class ActKey:
    """An act by its kind (core/inputs.py), the key that gives it on the dealer's page, and how it is pressed."""

    kind: str
    key: str
    press: Press


ACTS = (
    ActKey("turned", "T", Press.TAP),
    ActKey("key_card", "K", Press.ASK),
    ActKey("accept", "A", Press.HOLD),
    ActKey("correct", "C", Press.ASK_HOLD),
    ActKey("void", "V", Press.HOLD),
    ActKey("rest_of_hand", "R", Press.TAP),
    ActKey("new_hand", "N", Press.TAP),
    ActKey("new_shoe", "W", Press.HOLD),
    ActKey("close_shoe", "E", Press.ASK_HOLD),
)

# What closes an earlier hand; a card of it is keyed from the recall, not here.
SETTLING = tuple(act for act in ACTS if act.kind in {"accept", "correct", "void"})


def offered(kinds: Iterable[str]) -> tuple[ActKey, ...]:
    """Return the acts of these kinds in the table's order; a kind may be spelt with hyphens.

    >>> [act.key for act in offered(["void", "key-card"])]
    ['K', 'V']
    """
    wanted = {kind.replace("-", "_") for kind in kinds}
    return tuple(act for act in ACTS if act.kind in wanted)
