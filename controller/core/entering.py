"""Hands that the shoe did not tell of: keyed by a person card by card, or by their results alone (faults.md A 49)."""

from __future__ import annotations

from dataclasses import replace

from controller.core.closing import close
from controller.core.expecting import strange_result, strange_seat
from controller.core.facts import Audience, FactName, Irregularity
from controller.core.hand import Hand, Laid, Source
from controller.core.inputs import BlindHands, Command, Fate, ManualHand
from controller.core.judgement import Finding
from controller.core.rulings import Effect, rules
from controller.core.signals import Call, ResultCalled
from controller.core.skipped import keyed_place
from controller.core.table import Table

MOST_BLIND_HANDS = 30  # more is no cable pulled for a while


@rules(ManualHand)
def ruling_manual_hand(table: Table, act: ManualHand, asked: Command) -> Effect | str:
    """Enter a hand with its cards; the judge looks at it as at any other."""
    refused = _not_between_hands(table) or strange_result(table.game, (act.result,))
    refused = refused or strange_seat(table.game, (placed.seat for placed in act.cards)) or _not_dealt(table, act)
    return refused or (lambda: _enter(table, act))


def _not_between_hands(table: Table) -> str:
    """Why no whole hand can be entered now: one is open, or its shoe has been counted already."""
    if table.hand is not None:
        return "hand-open"
    return "shoe-closed" if table.shoe.closed else ""


def _not_dealt(table: Table, act: ManualHand) -> str:
    """Why the cards are no whole hand: known faces on spots of their own, with every seat's first cards there."""
    spots = [(placed.seat, placed.index) for placed in act.cards]
    lie = all(placed.fate is Fate.HAND and 1 <= placed.index <= table.game.most_cards for placed in act.cards)
    if not lie or len(set(spots)) != len(spots):
        return "bad-layout"
    known = all(placed.card and placed.card.suit for placed in act.cards)
    first = {(seat, index) for seat in table.game.seats for index in range(1, table.game.initial + 1)}
    return "" if known and first <= set(spots) else "first-cards"


def _enter(table: Table, act: ManualHand) -> None:
    hand = _begin(table, Source.MANUAL, act.result)
    for placed in act.cards:
        assert placed.card is not None
        laid = Laid(placed.seat, placed.index, keyed_place(table, placed.card), placed.card, exposed=True, keyed=True)
        hand = hand.with_card(laid)
        table.tell(
            FactName.CARD_KEYED,
            hand,
            audience=Audience.PUBLIC,
            seat=placed.seat,
            index=placed.index,
            card=placed.card,
            by=table.item.by,
        )
    judgement = hand.judged(table.game)
    for found in (*judgement.irregularities, *judgement.owed):
        table.tell(FactName.IRREGULARITY_FOUND, hand, kind=found.kind, seat=found.seat, rule=found.rule)
        table.report(found.kind, hand, found.seat, found.rule or "")
    if act.result not in (judgement.result, judgement.counted):
        rule = table.game.sources.result
        hand = replace(hand, noted=(Finding(len(hand.laid), Irregularity("result-mismatch", None, rule)),))
        table.tell(FactName.IRREGULARITY_FOUND, hand, kind="result-mismatch", seat=None, rule=rule)
        table.report("result-mismatch", hand, None, rule)
    table.hand = hand
    close(table, hand, act.result)


@rules(BlindHands)
def ruling_blind_hands(table: Table, act: BlindHands, asked: Command) -> Effect | str:
    """Enter hands of which only the results are known."""
    refused = _not_between_hands(table) or strange_result(table.game, act.results)
    if not refused and not 0 < len(act.results) <= MOST_BLIND_HANDS:
        refused = "blind-count"
    return refused or (lambda: _enter_blind(table, act))


def _enter_blind(table: Table, act: BlindHands) -> None:
    for result in act.results:
        table.hand = hand = _begin(table, Source.BLIND, result)
        table.shoe.blind += 1
        close(table, hand, result)


def _begin(table: Table, source: Source, result: Call) -> Hand:
    shoe = table.shoe
    shoe.begin_hand()
    hand = Hand(
        shoe.number,
        shoe.openings,
        shoe.numbered + 1,
        called=ResultCalled(result, None),
        turned=True,
        sort=table.next_sort,
        source=source,
    )
    table.tell(FactName.HAND_OPENED, hand, audience=Audience.PUBLIC, source=source, by=table.item.by)
    return hand
