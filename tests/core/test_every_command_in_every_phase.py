"""Each thing a person may ask, in each phase of each game: it means something there, or is refused and changes nothing.

The table below was written by the texts and the faults, not by the program: what it does not name must be refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest

from controller.core.bank.acts import BankCommand
from controller.core.cards import Card, Seat
from controller.core.inputs import (
    Accept,
    Acknowledge,
    Act,
    Apply,
    BeginMaintenance,
    BlindHands,
    CloseBets,
    CloseShoe,
    CloseTable,
    Correct,
    EndMaintenance,
    Input,
    KeyCard,
    ManualHand,
    MarkHand,
    NewHand,
    NewShoe,
    OnDuty,
    OpenedNext,
    OpenTable,
    Placed,
    Post,
    Relay,
    RestOfHand,
    Review,
    Sort,
    Takes,
    Turned,
    Void,
)
from controller.core.profile import Deal
from controller.core.remedies.situations import OF_PEOPLE, OF_THE_TABLE, Remedy
from controller.core.signals import Call
from controller.core.words import kind_of
from tests.core.phases import FIRST, NO_ENDED, OLD, PHASES, SAID, answered, between, dealt_open, some, state
from tests.faults.felt import Felt
from tests.rules.cloth import Cloth


def seen_too_late(cloth: Cloth) -> Apply:
    return Apply("IR-05", Remedy.PLAY, seat=cloth.table.game.sides[0])


def tie(cloth: Cloth) -> Call:
    return Call.TIE_TIE if len(cloth.table.game.sides) == 2 else Call.TIE


def firsts(cloth: Cloth) -> tuple[Placed, ...]:
    deal = cloth.table.game.deal
    faces = FIRST[cloth.name].split()
    return tuple(
        Placed(at, seat, deal[: at + 1].count(seat), card=Card.parse(faces[at])) for at, seat in enumerate(deal)
    )


def as_they_lie(cloth: Cloth) -> Relay:
    """The cards of the open hand where they are; one that nobody named is laid with the banker."""
    laid = cloth.table.hand.laid if cloth.table.hand else ()
    return Relay(
        tuple(Placed(at, one.seat or Seat.BANKER, one.index if one.seat else 3) for at, one in enumerate(laid))
    )


def holds(cloth: Cloth) -> tuple[str, ...]:
    hand = cloth.table.hand
    return tuple(hold.id for hold in (*(hand.holds if hand else ()), *cloth.table.holds))


def old(cloth: Cloth) -> bool:
    return cloth.table.game.asks_taker


ACTS: dict[type, Callable[[Cloth], Act]] = {
    Void: lambda cloth: Void(),
    Accept: lambda cloth: Accept(holds(cloth)),
    Correct: lambda cloth: Correct(tie(cloth)),
    KeyCard: lambda cloth: KeyCard(cloth.table.game.deal[0], 1, Card.parse("2D")),
    RestOfHand: lambda cloth: RestOfHand(),
    NewHand: lambda cloth: NewHand(),
    Turned: lambda cloth: Turned(),
    Takes: lambda cloth: Takes(cloth.table.game.deal[0]),
    OpenedNext: lambda cloth: OpenedNext(len(cloth.table.game.deal)),
    Acknowledge: lambda cloth: Acknowledge(next(iter(cloth.table.incidents), "none")),
    Review: lambda cloth: Review(next(iter(cloth.table.incidents), "none")),
    CloseShoe: lambda cloth: CloseShoe(stub=0),
    NewShoe: lambda cloth: NewShoe("S-1"),
    Relay: as_they_lie,
    Apply: lambda cloth: seen_too_late(cloth) if old(cloth) else Apply("PBI-13", Remedy.CORRECT),
    CloseBets: lambda cloth: CloseBets(),
    BeginMaintenance: lambda cloth: BeginMaintenance(),
    EndMaintenance: lambda cloth: EndMaintenance(),
    MarkHand: lambda cloth: MarkHand(Sort.FREE),
    ManualHand: lambda cloth: ManualHand(firsts(cloth), tie(cloth)),
    BlindHands: lambda cloth: BlindHands((tie(cloth),)),
    OpenTable: lambda cloth: OpenTable("2026-05-01"),
    CloseTable: lambda cloth: CloseTable(),
    OnDuty: lambda cloth: OnDuty(Post.DEALER, "1042"),
}
OPEN = "begun nearly-dealt dealt drawn ended held unsettled"
ALWAYS = " ".join(PHASES)
IDLE = "fresh between shoe-closed"
# Where each means something; everywhere else it is refused.
MEANS: dict[type, str] = {
    Void: f"{OPEN} asked",
    Accept: "held",  # whose the cards are, or who took one, is a question: consent is no answer
    Correct: "ended held asked",
    KeyCard: "ended held asked",  # a face that is known is in doubt only while the hand is held
    RestOfHand: "asked",
    NewHand: "asked",
    Turned: "dealt drawn held",  # nobody looks before all have their cards (R-000-05, R-002-14, R-004-07)
    Takes: "dealt drawn ended held",
    OpenedNext: "drawn ended",
    Acknowledge: "held asked unsettled",
    Review: "",
    CloseShoe: "fresh between",
    NewShoe: IDLE,
    Relay: OPEN,
    Apply: OPEN,
    CloseBets: "",  # nobody asks for it unless the house does (test_table_bets.py)
    BeginMaintenance: "",  # the same (test_table_maintenance.py)
    EndMaintenance: "",
    MarkHand: ALWAYS,
    ManualHand: "fresh between",
    BlindHands: "fresh between",
    OpenTable: ALWAYS,
    CloseTable: IDLE,
    OnDuty: ALWAYS,
}
OF_PEOPLE_WHO_DECIDE = frozenset({Takes, Turned})  # in punto banco nobody refuses, and faces lie open here


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("act", ACTS, ids=kind_of)
@pytest.mark.parametrize("game", FIRST)
def test_every_command_means_something_in_its_phase_or_is_refused_with_a_sentence(game, act, phase):
    """design.md section 1: an operator's mistake is a Rejected answer that changes nothing and is recorded."""
    if phase in NO_ENDED.get(game, ()):
        return
    cloth = PHASES[phase](dealt_open(game))
    people = game in OLD or act not in OF_PEOPLE_WHO_DECIDE
    answered(cloth, ACTS[act](cloth), meant=people and phase in MEANS[act].split())


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("game", FIRST)
def test_what_the_page_offers_is_what_would_be_taken(game, phase):
    """design.md section 1: a key that is shown does something; of a hand that is closed `correct` and `void` too."""
    if phase in NO_ENDED.get(game, ()):
        return
    cloth = PHASES[phase](dealt_open(game))
    means = {kind_of(act) for act, phases in MEANS.items() if phase in phases.split()}
    assert set(cloth.view.acts) - means <= ({"correct", "void"} if cloth.table.records else set())


def test_pbi_07_cards_of_punto_banco_are_not_turned_before_the_deal_is_out():
    """rules.md PBI-07, R-PB-01: dealt face down they are turned together; one seen early is ruled on."""
    felt = Felt(deal=Deal.FACE_DOWN)
    felt.draw("P1:2C B1:3D P2:4H")
    assert felt.ask(Turned())[0]["why"] == "deal-first"
    assert [laid.exposed for laid in felt.table.hand.laid] == [False] * 3
    felt.draw("B2:2S")
    assert felt.ask(Turned())[0]["fact"] == "CommandAccepted"


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("remedy", Remedy)
@pytest.mark.parametrize("game", FIRST)
def test_every_remedy_is_applied_or_refused_with_a_sentence_and_every_card_stays_accounted_for(game, remedy, phase):
    """rules.md B.4, C.5, T5: whatever a supervisor tries, refused it changes nothing, taken it loses no card."""
    for situation in () if phase in NO_ENDED.get(game, ()) else situations(remedy, game):
        for places, seat in (((), None), ((0,), None), ((-1,), None), ((4, 5), None), ((), Seat.BANKER), ((), "side")):
            cloth = PHASES[phase](dealt_open(game))
            out = len(cloth.table.hand.laid) if cloth.table.hand else 0
            named = tuple(place % out if out and place < 0 else place for place in places)
            on = cloth.table.game.sides[0] if seat == "side" else seat
            before, told = state(cloth), len(cloth.facts)
            why = cloth.press(Apply(situation, remedy, named, on))
            if why:
                assert all(texts.get(why) for texts in SAID), why
                assert (state(cloth), len(cloth.facts)) == (before, told + 1)
            assert cloth.conserved()


def situations(remedy: Remedy, game: str) -> list[str]:
    """One situation of this game that knows the remedy, if any does."""
    known = OF_PEOPLE if game in OLD else OF_THE_TABLE
    return [one.id for one in known.values() if remedy in one.remedies][:1]


def test_the_table_above_names_every_command():
    """A new act needs a line that says where it means something."""
    assert ACTS.keys() == MEANS.keys() == {*get_args(Act)} - {*get_args(BankCommand)}


@pytest.mark.parametrize("stub", [-1, 313])
def test_a_stub_that_no_shoe_can_have_is_refused(stub):
    """faults.md A 43: six packs are 312 cards."""
    answered(between(Cloth("foster")), CloseShoe(stub), meant=False)


def test_marking_a_hand_as_what_it_is_changes_nothing():
    answered(Cloth("foster"), MarkHand(Sort.NORMAL), meant=False)


@pytest.mark.parametrize("remedy", [Remedy.BAR])
def test_nobody_can_have_announced_before_the_deal_is_out(remedy):
    """rules.md IR-10, R-000-05: who has not all his cards has not looked."""
    answered(some(-1)(Cloth("foster")), Apply("IR-10", remedy, seat=Seat.RIGHT), meant=False)
    answered(some(None)(Cloth("foster")), Apply("IR-10", remedy, seat=Seat.RIGHT), meant=True)


def test_a_repeated_refusal_is_still_one_answer():
    """design.md section 1: the same command again changes nothing, and says nothing."""
    cloth = some(1)(Cloth("foster"))
    cloth.press(Turned())
    before = state(cloth)
    cloth.keys -= 1
    assert cloth.table.apply(Input(cloth.last, by="staff:7")) == ()
    assert state(cloth) == before
