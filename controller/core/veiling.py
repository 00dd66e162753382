"""A copy of a table that knows no more than the players do, so that what is tried on it tells no face."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller.core.cards import NOT_SHOWN
from controller.core.hand import Hand
from controller.core.table import Table


def unseen(state: dict[str, Any]) -> dict[str, Any]:
    """Return a state of `snapshot.taken` without what players do not know: hidden faces, alarms, composition."""
    hands = [state["hand"], *state["unsettled"].values(), *(record["hand"] for record in state["records"].values())]
    for hand in hands:
        for laid in hand["laid"] if hand else ():
            laid["card"] = laid["card"] if laid["exposed"] else None
    state["shoe"]["faces"] = [None] * len(state["shoe"]["faces"])
    if state["carry"]:
        state["carry"]["card"] = None
    for kept in state["kept"]:
        kept["card"] = None
    return state | {"alarms": [], "deferred": []}


def veil(copy: Table, table: Table) -> None:
    """Let the copy know of each hidden face that it is there, as the table does, and nothing more."""
    if copy.hand is not None and table.hand is not None:
        copy.hand = _veiled(copy.hand, table.hand)
    copy.unsettled = {ref: _veiled(hand, table.unsettled[ref]) for ref, hand in copy.unsettled.items()}
    copy.records = {
        number: replace(record, hand=_veiled(record.hand, table.records[number].hand))
        for number, record in copy.records.items()
    }
    copy.carries(*(replace(one, card=one.card if one.seen else one.card and NOT_SHOWN) for one in table.carried))


def _veiled(hand: Hand, known: Hand) -> Hand:
    faces = (one.card or (real.card and NOT_SHOWN) for one, real in zip(hand.laid, known.laid, strict=True))
    return replace(hand, laid=tuple(replace(one, card=face) for one, face in zip(hand.laid, faces, strict=True)))


def turned(copy: Table) -> bool:
    """Whether a face that nobody may know became public on the copy."""
    hands = (copy.hand, *copy.unsettled.values(), *(record.hand for record in copy.records.values()))
    return any(laid.exposed and laid.card is NOT_SHOWN for hand in hands if hand for laid in hand.laid)
