"""The table against an independent fold, event by event; restarts, repetition and the count of cards with it."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from typing import Any

import pytest

from controller.core import snapshot
from controller.core.cards import Card, Seat
from controller.core.engine import Table
from controller.core.inputs import Accept, Act, Command, Input, Moment, NewHand, RestOfHand, Void
from controller.core.machine import Phase
from controller.core.profile import Deal, House, NewShoes
from controller.core.showing import public_view
from controller.core.signals import (
    BytesDamaged,
    Call,
    CardCarried,
    CardDrawn,
    CardShown,
    Damage,
    ErrorCleared,
    ErrorRaised,
    Fault,
    Identifies,
    OffGameCardDrawn,
    OffGameCardShown,
    OffGameMode,
    Pairs,
    PoweredUp,
    ResultCalled,
    Signal,
    StoodBy,
)
from controller.core.words import fact_dict, input_dict, input_of
from tests.model.fold import Fold
from tests.model.stories import Event, Stories

HANDS = 40


def face(text: str | None) -> Card | None:
    return None if text is None else Card.parse(text)


SIGNALS: dict[str, Any] = {
    "draw": lambda seat, index, card: CardDrawn(Seat(seat), index, face(card)),
    "carry": lambda seat, index, card: CardCarried(Seat(seat), index, face(card)),
    "show": lambda seat, index, card: CardShown(Seat(seat), index, face(card)),
    "call": lambda call, pairs: ResultCalled(Call(call), Pairs(pairs)),
    "over": lambda: ErrorRaised(Fault.OVERDRAW, 2, error_mode=False),
    "over-end": lambda: ErrorCleared(Fault.OVERDRAW, 2),
    "off": lambda card: OffGameCardDrawn(OffGameMode.UNKNOWN, 0, face(card)),
    "taken": lambda card: OffGameCardShown(face(card)),
    "gap": lambda lost: BytesDamaged(Damage.GAP, lost, lost),
    "power": PoweredUp,
    "stand": StoodBy,
}
ACTS: dict[str, Act] = {"rest": RestOfHand(), "new": NewHand(), "void": Void()}


def what(table: Table, event: Event, number: int) -> Signal | Command:
    name, *rest = event
    if name in SIGNALS:
        return SIGNALS[name](*rest)
    hand = table.hand
    if name == "accept-earlier":
        hand = next(iter(table.unsettled.values()))
    act = ACTS.get(name) or Accept(tuple(hold.id for hold in hand.holds))
    return Command(f"c{number}", act, hand.ref)


def lines(table: Table) -> dict[int, tuple]:
    found = {}
    for record in table.results:
        called = record.hand.called.call if record.hand.called else None
        line = record.hand.stopped(table.game) if record.void else record.hand.line(table.game, called)
        cards = [[str(card) if card else None for card in laid] for _, laid in line.cards]
        wrong = [(one.kind, one.seat.value if one.seat else None, one.rule) for one in line.irregularities]
        outcome = record.outcome.value if record.outcome else None
        found[record.hand.number] = (*cards, line.recorded, outcome, sorted(wrong, key=repr))
    return found


def compare(table: Table, fold: Fold, event: Event) -> None:
    assert (table.phase is Phase.SUSPENDED) == fold.held, event
    assert len(table.shoe.faces) == fold.out, event
    assert Counter({str(card): n for card, n in table.shoe.counts.items() if n}) == fold.known, event
    assert table.shoe.counts.total() + table.shoe.unknown == fold.out
    assert lines(table) == fold.closed, event
    open_hand = table.hand.number if table.hand else None
    assert open_hand == (fold.hand.number if fold.hand else None), event
    if fold.hand:
        for seat in ("player", "banker"):
            laid = [str(card.card) if card.card else None for card in table.hand.laid if card.seat is Seat(seat)]
            assert laid == fold.hand.faces(seat), event
    view = public_view(table, ident="1", name="1")
    assert "".join(cell.mark for cell in view.roads.bead) == fold.board(), event


def play(seed: int, *, hidden: bool, deal: Deal) -> None:
    mode = Identifies.AT_REVEAL if hidden else Identifies.AT_DRAW
    house = House(deal=deal, new_shoe=NewShoes.WIRE)
    table, fold, said, told = Table(house, identifies=mode), Fold(), [], []
    for number, event in enumerate(Stories(seed, hidden=hidden).events(HANDS)):
        if event[0] == "accept" and not fold.held:
            continue
        item = Input(what(table, event, number), Moment(number * 10**9, number))
        said.append(item)
        told += table.apply(item)
        fold.take((*event, next(iter(fold.waiting))) if event[0] == "accept-earlier" else event)
        compare(table, fold, event)
    repeat(said, told, house, mode)


def repeat(said: list[Input], told: list, house: House, mode: Identifies) -> None:
    """A restart replays what was written: the same facts byte for byte, also from a snapshot half way."""
    written = [json.dumps(fact_dict(fact)) for fact in told]
    fresh = Table(house, identifies=mode)
    read = [input_of(json.loads(json.dumps(input_dict(item)))) for item in said]
    again = [json.dumps(fact_dict(fact)) for item in read for fact in fresh.apply(item)]
    assert again == written
    half = Table(house, identifies=mode)
    first = [json.dumps(fact_dict(fact)) for item in read[: len(read) // 2] for fact in half.apply(item)]
    resumed = Table(house, identifies=mode)
    snapshot.restore(resumed, json.loads(json.dumps(snapshot.taken(half))))
    second = [json.dumps(fact_dict(fact)) for item in read[len(read) // 2 :] for fact in resumed.apply(item)]
    assert first + second == written


@pytest.mark.parametrize("deal", list(Deal))
@pytest.mark.parametrize("seed", range(5))
def test_hidden_mode_agrees_with_the_fold_after_every_event(seed, deal):
    play(seed, hidden=True, deal=deal)


@pytest.mark.parametrize("seed", range(5))
def test_open_mode_dealt_face_up_agrees_with_the_fold_after_every_event(seed):
    play(seed, hidden=False, deal=Deal.FACE_UP)


def test_the_stories_of_the_normal_run_hold_every_fault_that_a_hand_can_have():
    """Else the agreement above would say nothing."""
    found = set()
    for seed, hidden in product(range(5), (True, False)):
        fold = Fold()
        for event in Stories(seed, hidden=hidden).events(HANDS):
            if event[0] != "accept" or fold.held:
                fold.take((*event, next(iter(fold.waiting))) if event[0] == "accept-earlier" else event)
        found |= {kind for line in fold.closed.values() for kind, *_ in line[4]}
    assert found == {
        "player-false-draw",
        "player-missed-draw",
        "banker-false-draw",
        "banker-missed-draw",
        "result-mismatch",
        "pair-mismatch",
        "overdraw",
        "unread-card",
        "incomplete-hand",
        "link-gap",
    }


@pytest.mark.long
@pytest.mark.parametrize("hidden", [True, False], ids=["hidden", "open"])
@pytest.mark.parametrize("batch", range(20))
def test_a_thousand_shoes_agree_with_the_fold(batch, hidden):
    for seed in range(1_000 + batch * 25, 1_000 + (batch + 1) * 25):
        play(seed, hidden=hidden, deal=Deal.FACE_UP)
