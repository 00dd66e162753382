"""Non-interference: what only faces decide does not leave surveillance before I, G or the key turned."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from controller.core.cards import DECK, Card
from controller.core.engine import Table
from controller.core.facts import Audience, Fact
from controller.core.inputs import Command, Input, Moment, Turned, Void
from controller.core.profile import Deal, House
from controller.core.showing import public_view
from controller.core.signals import (
    BytesDamaged,
    CardDrawn,
    CutCardOut,
    Damage,
    ErrorCleared,
    ErrorRaised,
    Fault,
    Identifies,
    LinkLost,
    OffGameCardDrawn,
    OffGameMode,
    PoweredUp,
    StoodBy,
)
from controller.core.watching import pit_view, surveillance_view
from tests.faults.felt import B, P

ORDER = [(P, 1), (B, 1), (P, 2), (B, 2), (P, 3), (B, 3)]
NOISES = [
    [ErrorRaised(Fault.DRAW_TIMEOUT, 7, error_mode=True)],
    [ErrorRaised(Fault.CANNOT_READ, 1, error_mode=True), ErrorCleared(Fault.CANNOT_READ, 1)],
    [BytesDamaged(Damage.GAP, 1, lost=1)],
    [CutCardOut()],
    [LinkLost("unplugged")],
    [PoweredUp()],
]


def table() -> Table:
    return Table(House(decks=1, deal=Deal.FACE_DOWN), identifies=Identifies.AT_DRAW)


def script(rng: random.Random) -> list[object]:
    """Hidden hands with troubles between, every face left to a blank; none is turned and no result is called."""
    signals: list[object] = []
    for _ in range(rng.randrange(1, 3)):
        for seat, index in ORDER[: rng.randrange(4, 7)]:
            signals.append(("face", seat, index))
            if rng.random() < 0.15:
                signals += rng.choice(NOISES)
            if rng.random() < 0.1:
                signals.append(("off", None, None))
        if rng.random() < 0.2:
            signals.append(("second", P, 2))
        if rng.random() < 0.5:
            signals.append(StoodBy())
    return signals


def filled(signals: list[object], faces: Iterator[Card]) -> Iterator[object]:
    for what in signals:
        match what:
            case ("face" | "second", seat, index):
                yield CardDrawn(seat, index, next(faces))
            case ("off", _, _):
                yield OffGameCardDrawn(OffGameMode.ERROR, 0, next(faces))
            case _:
                yield what


def public(facts: tuple[Fact, ...]) -> list[Fact]:
    return [fact for fact in facts if fact.audience is not Audience.SURVEILLANCE]


def seen(of: Table) -> tuple:
    view = public_view(of, ident="1", name="Table 1")
    return view, pit_view(of, view)


def deal(of: Table, what: object, number: int) -> tuple[Fact, ...]:
    return of.apply(Input(what, Moment(number, number)))


@pytest.mark.parametrize("seed", range(60))
def test_two_shoes_that_differ_in_hidden_faces_alone_look_the_same_until_the_reveal(seed):
    """One shoe of mixed cards, one in factory order or of one face again and again: alarms, pairs, false draws."""
    rng = random.Random(seed)
    signals = script(rng)
    mixed = rng.sample(DECK, len(DECK))
    strange = rng.choice([sorted(DECK, key=str), [DECK[7]] * len(DECK), [*DECK[:13]] * 4])
    one, other = table(), table()
    for number, pair in enumerate(zip(filled(signals, iter(mixed)), filled(signals, iter(strange)), strict=True)):
        left, right = deal(one, pair[0], number), deal(other, pair[1], number)
        assert public(left) == public(right), pair
        assert seen(one) == seen(other), pair


def test_the_comparison_can_fail_for_surveillance_sees_the_difference():
    one, other = table(), table()
    deal(one, CardDrawn(P, 1, DECK[0]), 1)
    deal(other, CardDrawn(P, 1, DECK[1]), 1)
    eyes = [surveillance_view(of, seen(of)[1]) for of in (one, other)]
    assert eyes[0].faces != eyes[1].faces
    assert eyes[0].composition != eyes[1].composition


def test_the_comparison_can_fail_for_turning_makes_the_difference_public():
    one, other = table(), table()
    for of, faces in ((one, DECK[:4]), (other, DECK[4:8])):
        for (seat, index), face in zip(ORDER, faces, strict=False):
            deal(of, CardDrawn(seat, index, face), index)
        of.apply(Input(Command("1", Turned(), of.hand.ref), Moment(9, 9), "staff:1"))
    assert seen(one) != seen(other)


def test_a_hand_voided_face_down_looks_the_same_whatever_it_held():
    views = []
    for faces in (DECK[:4], DECK[20:24]):
        of = table()
        for (seat, index), face in zip(ORDER, faces, strict=False):
            deal(of, CardDrawn(seat, index, face), index)
        facts = of.apply(Input(Command("1", Void(), of.hand.ref), Moment(9, 9), "staff:1"))
        views.append((public(facts), seen(of)))
    assert views[0] == views[1]


def test_a_public_view_has_no_field_for_what_is_secret():
    """A public view cannot hold composition, face-down cards or alarms (design.md section 1)."""
    from dataclasses import fields

    from controller.core.views import PitView, PublicView, SurveillanceView

    secret = {field.name for field in fields(SurveillanceView)} - {"pit"}
    for view in (PublicView, PitView):
        assert not secret & {field.name for field in fields(view)}
