"""What is left for the next hand: whether it is enough to begin one, and whether a shoe gave more than it holds."""

from __future__ import annotations

from controller.core.hand import Hand
from controller.core.shoe import Stage
from controller.core.table import Table


def at_hand(table: Table) -> int:
    """Return how many cards a next hand can have: those in the shoe, and those that were kept for it."""
    return table.shoe.left + len(table.carried) + len(table.moving)


def too_few(table: Table) -> bool:
    """Whether no hand may begin for want of cards (R-000-06: ten; R-003-17: seven), before card 1."""
    return table.hand is None and at_hand(table) < table.house.fewest_cards


def stage(table: Table) -> Stage:
    """Return where the shoe is in its life: with too few cards for a hand it is finished, closed by nobody yet."""
    return Stage.FINISHED if too_few(table) else table.shoe.stage


def ended(table: Table) -> bool:
    """Whether no hand is to follow in this shoe, and so no bet either."""
    return table.hand is None and stage(table) is Stage.FINISHED


def watch_count(table: Table, hand: Hand | None) -> None:
    """Say that more cards came than the shoe holds: other decks, or a shoe filled up; its counts prove nothing."""
    if table.shoe.over:
        table.raise_("too-many-cards", hand, detail=str(table.shoe.over))
