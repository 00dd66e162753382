"""How a card was pulled: a second slide where the house forbids one, and two cards at once (faults.md A 12, A 18)."""

from __future__ import annotations

from controller.core.hand import Hand
from controller.core.profile import SecondSlide
from controller.core.signals import CardDrawn
from controller.core.table import Table

NOT_READ, HALF_DRAWN = "cannot-read", "draw-timeout"
NO_SLIDE = "no-second-slide"
NOT_READ_HOLDS = frozenset({NOT_READ, NO_SLIDE})  # they end with the face that a person keys
NS_PER_MS = 1_000_000


def incident_of(table: Table, kind: str) -> str:
    """Return the kind of incident that an error of the shoe is in this house."""
    if kind == HALF_DRAWN:
        table.half_drawn, table.half_read_ns = True, None
    return NO_SLIDE if kind == NOT_READ and table.house.second_slide is SecondSlide.FORBIDDEN else kind


def watch_read(table: Table, hand: Hand, drawn: CardDrawn) -> None:
    """Say what the way in which a card came tells of it."""
    forbidden = table.house.second_slide is SecondSlide.FORBIDDEN
    if forbidden and NOT_READ in table.errors and not drawn.unread:
        table.raise_("second-slide", hand, seat=drawn.seat)
    if _early(table):
        table.raise_("two-cards", hand, seat=drawn.seat)


def _early(table: Table) -> bool:
    """Whether this read follows that of a half-drawn card sooner than anybody draws two."""
    now, half = table.now.mono_ns, table.half_read_ns
    if table.half_drawn:  # this is the half-drawn card itself
        table.half_drawn, table.half_read_ns = False, now
        return False
    table.half_read_ns = None
    return now is not None and half is not None and 0 <= now - half < table.house.early_read_ms * NS_PER_MS
