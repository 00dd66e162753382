"""The cards of a hand as they lie on the felt: what a person says of them, and what the judge says to that."""

from __future__ import annotations

from dataclasses import replace

from controller.core.closing import check_result, close, close_if_due
from controller.core.facts import Audience, FactName, Irregularity
from controller.core.hand import Hand, Laid
from controller.core.inputs import Command, Fate, Placed, Relay
from controller.core.judgement import Finding
from controller.core.machine import Trigger
from controller.core.rulings import Effect, closed, meant, rules
from controller.core.settling import supersede
from controller.core.table import Carry, Record, Table

OF_THE_CALL = frozenset({"result-mismatch", "pair-mismatch"})  # what was called is held against the cards anew


@rules(Relay)
def ruling_relay(table: Table, act: Relay, asked: Command) -> Effect | str:
    """Lay the cards of an open, an unsettled or a closed hand anew."""
    hand, record = meant(table, asked.hand), closed(table, asked.hand)
    of = hand or (record.hand if record else None)
    if of is None:
        return "moved-on"
    if hand is not None and hand is table.hand and table.asks_whose():
        return "not-now"  # first whose the next cards are: what the shoe said since then waits
    if not _whole(table, of, act.cards):
        return "bad-layout"
    carried = [placed for placed in act.cards if placed.fate is Fate.NEXT]
    if len(carried) > 1 or (carried and (of is not table.hand or table.carry is not None)):
        return "bad-layout"
    if hand is not None:
        return lambda: _relay_open(table, hand, act)
    assert record is not None
    return lambda: _relay_closed(table, record, act)


def _whole(table: Table, hand: Hand, cards: tuple[Placed, ...]) -> bool:
    """Whether every card is named once, and each spot holds one card."""
    spots = [(placed.seat, placed.index) for placed in cards if placed.fate is Fate.HAND]
    seats = [placed.seat in table.game.seats and placed.index >= 1 for placed in cards if placed.fate is Fate.HAND]
    faces = [placed.card is None or placed.card.suit is not None for placed in cards]
    places = sorted(placed.place for placed in cards)
    return places == list(range(len(hand.laid))) and len(set(spots)) == len(spots) and all(seats) and all(faces)


def relaid(hand: Hand, cards: tuple[Placed, ...]) -> Hand:
    """Return the hand with its cards where a person says they lie, in drawing order."""
    kept = [(hand.laid[placed.place], placed) for placed in sorted(cards, key=lambda placed: placed.place)]
    laid = tuple(_laid(old, placed) for old, placed in kept if placed.fate is Fate.HAND)
    burnt = tuple(old for old, placed in kept if placed.fate is Fate.BURNT)
    return replace(
        hand,
        laid=laid,
        out=(*hand.out, *burnt),
        noted=tuple(one for one in hand.noted if one.irregularity.kind not in OF_THE_CALL),
        said=frozenset(name for name in hand.said if name[0] not in OF_THE_CALL),
    )


def _laid(old: Laid, placed: Placed) -> Laid:
    spot = (placed.seat, placed.index)
    card = placed.card or old.card
    return replace(
        old,
        seat=placed.seat,
        index=placed.index,
        card=card,
        exposed=old.exposed or (placed.seen and card is not None),
        unread=card is None and old.unread,
        keyed=old.keyed or placed.card is not None,
        wire=old.wire or (old.spot if old.spot != spot else None),
    )


def _relay_open(table: Table, hand: Hand, act: Relay) -> None:
    _faces(table, hand, act)
    table.rewrite(relaid(hand, act.cards))
    _tell(table, table.current(hand))
    _admit(table, hand, act.accepts)
    # What the shoe itself has still to end stays: telling the cards does not end its error.
    table.lift(hand, frozenset(hold.id for hold in hand.holds if hold.kind not in table.errors))
    for found in table.current(hand).judged(table.game).irregularities:
        table.raise_(found.kind, hand, seat=found.seat, rule=found.rule or "")
    if table.current(hand).called is not None:
        check_result(table, table.current(hand))
    shown = frozenset(hold.id for hold in table.current(hand).holds if hold.kind in act.accepts)
    table.lift(hand, shown)
    if hand.ref not in table.unsettled:
        table.move(Trigger.SHOW)
        close_if_due(table)
        return
    now = table.current(hand)
    if now.called is not None and not now.holds:
        close(table, now, now.called.call)


def _relay_closed(table: Table, record: Record, act: Relay) -> None:
    _faces(table, record.hand, act)
    hand = _against_call(table, relaid(record.hand, act.cards), record)
    new = replace(record, hand=hand, corrected_by=table.item.by)
    _tell(table, hand)
    before = set(record.hand.irregularities(table.game))
    for found in hand.irregularities(table.game):
        if found not in before:
            table.report(found.kind, hand, found.seat, found.rule or "")
    supersede(table, new)


def _against_call(table: Table, hand: Hand, record: Record) -> Hand:
    """Note on a closed hand that its record is not the result of the cards as they lie now."""
    judged = hand.judged(table.game)
    if record.outcome is None or judged.result in (None, record.outcome) or judged.counted is record.outcome:
        return hand
    finding = Finding(len(hand.laid), Irregularity("result-mismatch", None, table.game.sources.result))
    return replace(hand, noted=(*hand.noted, finding))


def _faces(table: Table, hand: Hand, act: Relay) -> None:
    """Take what was said of faces and fates to the shoe."""
    if hand.shoe != table.shoe.number:
        return
    for placed in act.cards:
        old = hand.laid[placed.place]
        if placed.card is not None:
            table.shoe.identify(old.place, placed.card)
        if placed.fate is Fate.NEXT:
            card = placed.card or old.card
            table.carry = Carry(old.place, card, old.exposed or (placed.seen and card is not None))
        if placed.fate is Fate.BURNT:
            table.shoe.off_game += 1


def _admit(table: Table, hand: Hand, accepts: tuple[str, ...]) -> None:
    """Note the irregularities that the person was shown: they are told, but hold nothing any more."""
    now = table.current(hand)
    for found in now.judged(table.game).irregularities:
        name = (found.kind, found.seat)
        if found.kind in accepts and name not in now.said:
            _note(table, now, found)
            now = replace(table.current(hand), said=table.current(hand).said | {name})
            table.rewrite(now)


def _note(table: Table, hand: Hand, found: Irregularity) -> None:
    table.tell(FactName.IRREGULARITY_FOUND, hand, kind=found.kind, seat=found.seat, rule=found.rule)
    table.report(found.kind, hand, found.seat, found.rule or "")


def _tell(table: Table, hand: Hand) -> None:
    laid = tuple(f"{card.seat.value if card.seat else '-'} {card.index}" for card in hand.laid)
    table.tell(FactName.HAND_RELAID, hand, audience=Audience.PIT, by=table.item.by, laid=laid)
