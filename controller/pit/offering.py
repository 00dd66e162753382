"""Which acts a page offers now, and what it sends along with each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from controller.core.views import PublicView, SeatView, Side
from controller.pit import acts

SPOTS = 3
ENDING = ("cut-card-out", "last-hand", "finished")


def doing(view: PublicView) -> dict[str, Any]:
    """What may be done now and has its button on the page, with what the page must send along."""
    return {"acts": [act for act in given(view) if on_page(act, view)], **sent_along(view)}


def listing(view: PublicView) -> dict[str, Any]:
    """All that may be done now."""
    return {"acts": given(view), **sent_along(view)}


def given(view: PublicView) -> list[acts.ActKey]:
    """Return the acts of a view, one for each seat or card where an act means one of several."""
    return [one for act in acts.offered(view.acts) for one in one_each(act, view)]


def one_each(act: acts.ActKey, view: PublicView) -> tuple[acts.ActKey, ...]:
    """Return an act for each seat that may be named; of the cards that may have opened a hand the last one."""
    match act.kind:
        case "takes":
            return acts.taking([seat.seat for seat in view.seats], view.takers, view.taker_of)
        case "opened_next":
            return tuple(replace(act, at=place) for place in view.openers[:1])
        case _:
            return (act if view.game.asks_taker else replace(act, pad=""),)


def on_page(act: acts.ActKey, view: PublicView) -> bool:
    """Whether an act has its button on the page itself: always, or because it is due now."""
    if act.place is acts.Place.FOOT:
        return True
    due = (
        (acts.DEAD_SHOE, view.link != "live"),
        (acts.SHOE_ENDS, view.proposed or view.stage in ENDING),
        ({"open_table"}, not view.open),
        ({"apply"}, bool(view.holds)),  # the house's remedies, once something holds the hand
    )
    return any(act.kind in kinds and now for kinds, now in due)


def sent_along(view: PublicView) -> dict[str, Any]:
    """What the page sends with an act: the hand that was seen, its holds and its spots."""
    return {
        "hand_ref": view.hand_ref,
        # Between hands an act means the hand that was closed last: the button says so.
        "earlier": view.result.number if view.hand is None and view.result else None,
        "holds": [hold.id for hold in view.holds],
        "spots": doubtful(view.seats),
    }


def doubtful(seats: Iterable[SeatView]) -> list[list[str | int]]:
    """Return the spots that a keyed card may be for: the unread ones, or else every spot of every seat.

    Each is [seat, index]; a lost card may lie on the spot after the last one, so that is offered too.
    """
    every = [(seat.seat.value, number, spot) for seat in seats for number, spot in enumerate(seat.spots, start=1)]
    unread: list[list[str | int]] = [[seat, number] for seat, number, spot in every if spot.side is Side.UNREAD]
    if unread:
        return unread
    return [[seat.seat.value, number] for seat in seats for number in range(1, min(len(seat.spots) + 1, SPOTS) + 1)]
