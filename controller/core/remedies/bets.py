"""Whose bets may change after a remedy: one answer for the preview, the record and the bank."""

from __future__ import annotations

from controller.core.banking import may_reopen
from controller.core.hand import Hand
from controller.core.inputs import Apply
from controller.core.offers import amends
from controller.core.remedies.situations import Remedy
from controller.core.remedies.triggers import OPENED, dealt, over, seen
from controller.core.table import Table

EXPOSES = frozenset({Remedy.MIN_POINT})
VOIDS = frozenset({Remedy.VOID, Remedy.END_SHOE})  # then all bets go back


def reopens(table: Table, hand: Hand, act: Apply) -> str:
    """Return the rule by which this remedy lets bets be changed, empty where it lets none.

    It does where the house has such a rule, the stakes lie on this hand and nobody has seen it (R-000-13, R-000-18,
    R-FRC-03). The banker's card too many lies face up where it was named as drawn (R-000-39): that shows no hand.
    """
    rule = amends(table.house, table.house.situations[act.irregularity])
    looked = seen(dealt(table.game, hand) if act.remedy in EXPOSES else hand)
    if not rule or looked or over(hand) or act.remedy in VOIDS or OPENED in hand.said:
        return ""
    return rule if may_reopen(table, hand, rule) else ""


def bets_first(table: Table, hand: Hand, act: Apply) -> bool:
    """Whether bets are changed before the cards are shown: then the remedy is given once more (R-000-18, R-000-19)."""
    return act.remedy in EXPOSES and table.bank is not None and bool(reopens(table, hand, act))
