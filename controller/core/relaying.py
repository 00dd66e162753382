"""The cards of a hand as they lie on the felt: what a person says of them, and what the judge says to that."""

from __future__ import annotations

from dataclasses import replace

from controller.core.cards import Seat
from controller.core.closing import check_result, close_if_due, close_unsettled, finish
from controller.core.expecting import strange_seat
from controller.core.facts import Audience, FactName, Irregularity
from controller.core.games import Game
from controller.core.hand import Hand, Hold, Laid, Source
from controller.core.inputs import Command, Fate, Placed, Relay
from controller.core.judgement import Finding
from controller.core.laying import lay_whole_deal
from controller.core.machine import Trigger
from controller.core.rulings import Effect, closed, meant, rules
from controller.core.settling import supersede
from controller.core.signals import Call
from controller.core.table import Carry, Record, Table
from controller.core.watch import watch_face

OF_THE_CALL = frozenset({"result-mismatch", "pair-mismatch"})  # what was called is held against the cards anew


@rules(Relay)
def ruling_relay(table: Table, act: Relay, asked: Command) -> Effect | str:
    """Lay the cards of an open, an unsettled or a closed hand anew."""
    hand, record = meant(table, asked.hand), closed(table, asked.hand)
    of = hand or (record.hand if record else None)
    if of is None:
        return "moved-on"
    if refused := _not_layable(table, of, act.cards):
        return refused
    if hand is not None:
        return lambda: _relay_open(table, hand, act)
    assert record is not None
    return lambda: _relay_closed(table, record, act)


def _not_layable(table: Table, hand: Hand, cards: tuple[Placed, ...]) -> str:
    """Why the cards of this hand cannot be laid so; empty where they can."""
    if hand is table.hand and table.asks_whose():
        return "answer-first"  # what the shoe said since then waits
    if refused := strange_seat(table.game, (placed.seat for placed in cards if placed.fate is Fate.HAND)):
        return refused
    carried = any(placed.fate is Fate.NEXT for placed in cards)
    too_late = carried and hand is not table.hand and not _came_last(table, hand)
    return "bad-layout" if too_late or not _whole(hand, cards) else ""


def _came_last(table: Table, hand: Hand) -> bool:
    """Whether this closed hand is the last that the shoe dealt, and none was begun since: its last card may be that."""
    closed_last = table.hand is None and hand.ref not in table.unsettled and hand.source is Source.SHOE
    return closed_last and hand.ref == f"{table.shoe.number}-{table.shoe.openings}"


def _whole(hand: Hand, cards: tuple[Placed, ...]) -> bool:
    """Whether every card is named once, and each spot holds one card."""
    spots = [(placed.seat, placed.index) for placed in cards if placed.fate is Fate.HAND]
    seats = [placed.index >= 1 for placed in cards if placed.fate is Fate.HAND]
    faces = [placed.card is None or placed.card.suit is not None for placed in cards]
    places = sorted(placed.place for placed in cards)
    return places == list(range(len(hand.laid))) and len(set(spots)) == len(spots) and all(seats) and all(faces)


def relaid(game: Game, hand: Hand, cards: tuple[Placed, ...]) -> Hand:
    """Return the hand with its cards where a person says they lie, in drawing order.

    What was noted of a call is noted anew, and of cards that the hand lacked only as it was thought to lie nothing
    stays: no card proved it.
    """
    kept = [(hand.laid[placed.place], placed) for placed in sorted(cards, key=lambda placed: placed.place)]
    laid = tuple(_laid(old, placed) for old, placed in kept if placed.fate is Fate.HAND)
    burnt = tuple(old for old, placed in kept if placed.fate is Fate.BURNT)
    lies = replace(hand, laid=laid, out=(*hand.out, *burnt))
    judged = lies.judged(game)
    lacked = _names(hand.judged(game).owed) - _names((*judged.irregularities, *judged.owed))
    return replace(
        lies,
        noted=tuple(one for one in lies.noted if not _of_before(one.irregularity, lacked)),
        said=frozenset(name for name in lies.said if name[0] not in OF_THE_CALL and name not in lacked),
    )


def _names(found: tuple[Irregularity, ...]) -> frozenset[tuple[str, Seat | None]]:
    return frozenset((one.kind, one.seat) for one in found)


def _of_before(found: Irregularity, lacked: frozenset[tuple[str, Seat | None]]) -> bool:
    return found.kind in OF_THE_CALL or (found.kind, found.seat) in lacked


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
        inferred=False,
        wire=old.wire or (old.spot if old.spot != spot else None),
    )


def _relay_open(table: Table, hand: Hand, act: Relay) -> None:
    _faces(table, hand, act)
    table.rewrite(relaid(table.game, hand, act.cards))
    _tell(table, table.current(hand))
    _admit(table, hand, act.accepts)
    table.lift(hand, _settled(table, table.current(hand)))
    for found in _wrong(table, table.current(hand)):
        table.raise_(found.kind, hand, seat=found.seat, rule=found.rule or "")
    if table.current(hand).called is not None:
        check_result(table, table.current(hand))
    shown = frozenset(hold.id for hold in table.current(hand).holds if hold.kind in act.accepts)
    table.lift(hand, shown)
    _watch(table, hand, act)
    _go_on(table, hand)


def _wrong(table: Table, hand: Hand) -> tuple[Irregularity, ...]:
    """What is wrong with the cards as they lie; what they lack counts once the hand is over."""
    judged = hand.judged(table.game)
    return judged.irregularities + (judged.owed if hand.ended else ())


def _settled(table: Table, hand: Hand) -> frozenset[str]:
    """The holds that telling the cards lifts: not an error that the shoe has to end, nor what is as wrong as before."""
    wrong = {(found.kind, found.seat) for found in _wrong(table, hand)}
    stays = [hold.kind in table.errors or (hold.kind, hold.seat) in wrong for hold in hand.holds]
    stays = [stay or _lacks_its_end(table, hand, hold) for stay, hold in zip(stays, hand.holds, strict=True)]
    return frozenset(hold.id for stay, hold in zip(stays, hand.holds, strict=True) if not stay)


def _lacks_its_end(table: Table, hand: Hand, hold: Hold) -> bool:
    """Whether the hold asks how an earlier hand ended, which its cards do not say."""
    return hold.kind == "incomplete-hand" and hand.ref in table.unsettled and not (hand.ended or hand.called)


def _go_on(table: Table, hand: Hand) -> None:
    """Go on in the same machine with the hand as it lies now: to its next card, or to its end if it was ended."""
    if hand.ref in table.unsettled:
        now = table.current(hand)
        if now.ended:
            finish(table, hand)
        elif now.called is not None:
            close_unsettled(table, hand)
        return
    table.move(Trigger.SHOW)
    if table.current(hand).ended:
        finish(table, hand)
    else:
        close_if_due(table)
    lay_whole_deal(table)


def _relay_closed(table: Table, record: Record, act: Relay) -> None:
    _faces(table, record.hand, act)
    hand = relaid(table.game, record.hand, act.cards)
    outcome = _outcome(table, record, hand)
    hand = _against_call(table, hand, replace(record, outcome=outcome))
    new = replace(record, hand=hand, outcome=outcome, corrected_by=table.item.by)
    _tell(table, hand)
    before = set(record.hand.irregularities(table.game))
    for found in hand.irregularities(table.game):
        if found not in before:
            table.report(found.kind, hand, found.seat, found.rule or "")
    supersede(table, new)
    _watch(table, hand, act)


def _outcome(table: Table, record: Record, hand: Hand) -> Call | None:
    """The result of a closed hand as its cards lie now: theirs, where they alone had given the one on record."""
    by_cards = record.hand.judged(table.game).result
    if record.hand.called is not None or record.void or record.outcome is not by_cards:
        return record.outcome
    return hand.judged(table.game).result


def _against_call(table: Table, hand: Hand, record: Record) -> Hand:
    """Note on a closed hand that its record is not the result of the cards as they lie now."""
    judged = hand.judged(table.game)
    if record.outcome is None or judged.result in (None, record.outcome) or judged.counted is record.outcome:
        return hand
    finding = Finding(len(hand.laid), Irregularity("result-mismatch", None, table.game.sources.result))
    return replace(hand, noted=(*hand.noted, finding))


def _faces(table: Table, hand: Hand, act: Relay) -> None:
    """Take what was said of faces and fates to the shoe, and keep what opens the next hand."""
    if hand.shoe != table.shoe.number:
        return
    for placed in act.cards:
        old = hand.laid[placed.place]
        if placed.card is not None:
            table.shoe.identify(old.place, placed.card)
        if placed.fate is Fate.NEXT:
            card = placed.card or old.card
            seen = old.exposed or (placed.seen and card is not None)
            table.carries(*table.carried, Carry(old.place, card, seen))
        if placed.fate is Fate.BURNT:
            table.shoe.off_game += 1


def _watch(table: Table, hand: Hand, act: Relay) -> None:
    """Look at the faces that a person told as at any other: a copy too many holds the table (faults.md A 39)."""
    told = [placed.card for placed in act.cards if placed.card] if hand.shoe == table.shoe.number else []
    for face in told:
        watch_face(table, hand, None, known=face)


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
