"""Cards that nobody heard of: how many they are, and which spots they have where that can be known."""

from __future__ import annotations

from controller.core.cards import Card, Seat
from controller.core.errors import again
from controller.core.hand import Hand, Laid, Source, Spot
from controller.core.judgement import Next
from controller.core.signals import BytesDamaged
from controller.core.stock import watch_count
from controller.core.table import Table

KIND = "link-gap"


def count_lost(table: Table, damaged: BytesDamaged) -> None:
    """Count out the cards that the shoe's own count proves to be gone; of any others only that they may be."""
    if damaged.cards is None:
        table.shoe.doubtful += damaged.lost
        return
    told, table.keyed = min(table.keyed, damaged.cards), 0  # by people, meanwhile
    table.missed = (*table.missed, *table.shoe.miss(damaged.cards - told))
    watch_count(table, table.hand)


def missed_places(table: Table, cards: int) -> tuple[int, ...]:
    """Return where so many cards left that lie just before the next one: those counted out already, else new ones."""
    counted = (*table.unplaced, *table.missed)
    known = counted[max(0, len(counted) - cards) :]
    table.missed = table.missed[: max(0, len(table.missed) - cards)]
    table.unplaced = table.unplaced[: len(counted) - len(known) - len(table.missed)]
    return (*known, *(table.shoe.take(None) for _ in range(cards - len(known))))


def missed_place(table: Table, card: Card | None) -> int:
    """Return where a card left of which a person or the reveal tells now: the first that was missed, else a new one."""
    if not table.missed:
        return table.shoe.take(card)
    place, *rest = table.missed
    table.missed = tuple(rest)
    table.shoe.identify(place, card)
    return place


def keyed_place(table: Table, card: Card) -> int:
    """Return where a card left that a person keys: one that was missed, or that the shoe's count will tell of later."""
    table.keyed += not table.missed
    return missed_place(table, card)


def spot_of(table: Table, hand: Hand, seat: Seat | None, index: int | None) -> Spot:
    """Return where a card lies: as the shoe names it, else by the game's order."""
    if seat is None or table.counts_anew:
        step = hand.judged(table.game).step
        seat = hand.taker or (step.seat if step.next is Next.CARD else None)
        index = None
    return seat, index or hand.next_index(seat)


def lay_missed(table: Table, hand: Hand) -> Hand:
    """Lay missed cards where order has them, before a card that the shoe does not place: it is not to lie on theirs.

    Before the first card of a hand nobody knows of which hand they were: the hand waits for a person.
    """
    if not table.missed:
        return hand
    table.raise_(table.gap_kind, hand)
    hand = table.current(hand)
    begun = any(not laid.carried for laid in hand.laid)
    while begun and table.missed and (spot := spot_of(table, hand, None, None))[0] is not None:
        if table.game.asks_taker and len(hand.laid) >= hand.dealt_out(table.game):
            break
        hand = hand.with_card(_faceless(spot, missed_place(table, None)))
    table.rewrite(hand)
    return hand


def fill_gap(table: Table, hand: Hand, laid: Laid) -> Hand:
    """After lost frames, put cards without a face on the spots that the shoe's next name proves were dealt."""
    gap, table.gap, table.keyed = table.gap, 0, 0
    if not hand.laid and laid.spot == (table.game.deal[0], 1):
        table.missed = table.unplaced = ()  # they were of the hand before, or of none
        return hand
    if not gap:
        return hand
    table.raise_(table.gap_kind, hand)
    hand = table.current(hand)
    skipped = _lost_of(table, hand, gap, _skipped_deal(table, hand, laid))
    for spot, place in zip(skipped, missed_places(table, len(skipped)), strict=True):
        hand = hand.with_card(_faceless(spot, place))
    table.rewrite(hand)
    return hand


def voided_names(table: Table, hand: Hand, *named: Spot) -> frozenset[Spot]:
    """The names that a shoe gave in its hand before people voided it, where it goes on with that hand in this one.

    ``named`` is the card that comes now: with the first spot of a hand the shoe begins another.
    """
    before = table.records.get(hand.number - 1)
    if before is None or not before.void:  # asked for every card
        return frozenset()
    first, names, number = (table.game.deal[0], 1), set[Spot](), hand.number
    told = _told(hand).union(named)
    while first not in told:
        number -= 1
        record = table.records.get(number)
        if record is None or not record.void or _ended_by_shoe(record.hand):
            break
        told = _told(record.hand)
        names |= told
    return frozenset(names)


def _ended_by_shoe(hand: Hand) -> bool:
    """Whether the shoe ended this hand itself, or never told of it: its next name is one of another hand."""
    stood_by = {("incomplete-hand", None), ("abandoned-hand", None)} & hand.said
    return hand.called is not None or bool(stood_by) or hand.source is not Source.SHOE


def _told(hand: Hand) -> frozenset[Spot]:
    """The names that the shoe gave to the cards of a hand, wherever a ruling put them since."""
    return frozenset(one.wire or one.spot for one in (*hand.laid, *hand.out))


def _lost_of(table: Table, hand: Hand, gap: int, skipped: list[Spot]) -> list[Spot]:
    """The skipped spots that lost events explain; too few for all of them did not hold those of a voided hand."""
    counted, cards = len(table.unplaced) + len(table.missed), len(skipped)
    if gap > cards or gap == cards <= counted:
        return skipped
    names = voided_names(table, hand)
    return [spot for spot in skipped if spot not in names][:gap]


def _skipped_deal(table: Table, hand: Hand, laid: Laid) -> list[Spot]:
    """The spots of the deal between the last card of a hand and one that the shoe places."""
    if laid.seat is None or table.counts_anew:
        return []
    spots: list[Spot] = []
    for seat in table.game.deal[len(hand.laid) :]:
        spot = (seat, hand.next_index(seat))
        if spot == laid.spot:
            break
        hand = hand.with_card(_faceless(spot, laid.place))
        spots.append(spot)
    return spots


def fill_skipped(table: Table, hand: Hand, laid: Laid) -> Hand:
    """Put cards without a face on the places that a card's own place skips: lost or misnamed, a person looks.

    A place that a voided hand had is none of them: its card was counted there, and this one is out of order here.
    """
    if laid.seat is None or laid.wire is not None or laid.keyed or laid.carried:
        return hand
    voided = voided_names(table, hand, laid.spot)
    if laid.index == 1 and not voided:
        return hand  # it skips nothing
    told = _told(hand)
    if voided and laid.spot not in told:
        table.raise_("wrong-order", hand, seat=laid.seat, rule=table.game.sources.order or "", place=len(hand.laid))
        hand = table.current(hand)
    skipped = [index for index in range(1, laid.index) if (laid.seat, index) not in told | voided]
    if not skipped or (laid.seat, laid.index) in told:
        return hand
    again(table, hand, KIND)
    table.raise_(KIND, hand, seat=laid.seat, detail=str(skipped[0]))
    for index, place in zip(skipped, missed_places(table, len(skipped)), strict=True):
        hand = table.current(hand).recovering(_faceless((laid.seat, index), place), table.game)
        table.rewrite(hand)
    return hand


def _faceless(spot: Spot, place: int) -> Laid:
    return Laid(*spot, place=place, card=None, exposed=False, unread=True)
