"""Cards that a shoe's own count of a seat's places proves to be missing."""

from __future__ import annotations

from controller.core.errors import again
from controller.core.hand import Hand, Laid
from controller.core.table import Table

KIND = "link-gap"


def fill_skipped(table: Table, hand: Hand, laid: Laid) -> Hand:
    """Put cards without a face on the places that a card's own place skips: lost or misnamed, a person looks.

    A place counts as told by the name that the shoe gave it, wherever a ruling put its card since.
    """
    if laid.seat is None or laid.wire is not None or laid.keyed or laid.carried:
        return hand
    told = {one.wire or one.spot for one in (*hand.laid, *hand.out)}
    skipped = [index for index in range(1, laid.index) if (laid.seat, index) not in told]
    if not skipped or (laid.seat, laid.index) in told:
        return hand
    again(table, hand, KIND)
    table.raise_(KIND, hand, seat=laid.seat, detail=str(skipped[0]))
    for index in skipped:
        lost = Laid(laid.seat, index, place=table.shoe.take(None), card=None, exposed=False, unread=True)
        hand = table.current(hand).recovering(lost, table.game)
        table.rewrite(hand)
    return hand
