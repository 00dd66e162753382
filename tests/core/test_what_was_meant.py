"""An act of the bank means a coup, a banker and a speaker; who takes a card means that card. Nothing flows on."""

from __future__ import annotations

import pytest

from controller.core.bank import (
    BankCommand,
    CallBanco,
    DeclineBank,
    Money,
    PassBank,
    Penalise,
    SetCover,
    SetStake,
    ShowBank,
)
from controller.core.cards import Seat
from controller.core.games import GAMES
from controller.core.inputs import OpenedNext, Takes
from controller.core.sanctions import Sanction
from controller.moneysettings import terms_of
from tests.rules.cloth import Cloth

TIE = "5C 5H 3C 3H"
DEAL = {"chemin_tableau": "2C 3D 4H 2S", "foster": "2C 3D 4H 2S 2D 3H"}


def kept(game: str = "chemin_tableau", money: Money = Money.FULL) -> Cloth:
    return Cloth(game, money=terms_of(GAMES[game], money, {}))


def ref(cloth: Cloth) -> str:
    assert cloth.view.bank is not None
    return cloth.view.bank.ref


def sum_of(cloth: Cloth) -> tuple[int, int, int]:
    assert cloth.view.bank is not None
    return cloth.view.bank.banker, cloth.view.bank.sum, cloth.view.bank.covered


def test_a_bank_typed_for_one_banker_is_not_given_to_the_next():
    """R-002-07: who holds the bank shows what he risks; he had declined meanwhile."""
    cloth = kept()
    opened = ref(cloth)
    assert cloth.press(DeclineBank(), opened) == ""
    before = sum_of(cloth)
    assert cloth.press(ShowBank(700), opened) == "moved-on"
    assert sum_of(cloth) == before
    assert cloth.press(ShowBank(700), ref(cloth)) == ""


@pytest.mark.parametrize("act", [SetStake(3, "punter", 500), CallBanco(3), PassBank(), ShowBank(2_000)])
def test_an_act_opened_before_a_coup_is_not_given_to_the_next_coup(act: BankCommand):
    """R-000-07: a bet is made on a hand before its first card."""
    cloth = kept()
    cloth.press(ShowBank(1_000))
    opened = ref(cloth)
    cloth.cards(TIE).close()
    before = sum_of(cloth)
    assert cloth.press(act, opened) == "moved-on"
    assert cloth.press(act, opened.partition(":")[0]) == "moved-on"
    assert sum_of(cloth) == before


def test_a_stake_typed_before_somebody_else_covered_the_bank_is_asked_anew():
    """R-002-13: who speaks for the punters changed with the call."""
    cloth = kept()
    cloth.press(ShowBank(1_000))
    opened = ref(cloth)
    assert cloth.press(CallBanco(4), opened) == ""
    assert cloth.press(SetStake(3, "punter", 500), opened) == "moved-on"


def test_the_first_card_refuses_by_its_own_rule():
    """R-000-07: it is the same coup still, so the sentence says what forbids it."""
    cloth = kept(money=Money.BANK)
    cloth.press(ShowBank(1_000))
    cloth.press(SetCover(Seat.PUNTER, 100))
    opened = ref(cloth)
    cloth.cards("5C")
    assert ref(cloth) == opened
    assert cloth.press(SetCover(Seat.PUNTER, 200), opened) == "stakes-closed"


def test_without_a_reference_or_with_the_coup_alone_an_act_means_what_stands():
    """docs/interfaces.md: programs may leave `hand` empty, or name the coup."""
    cloth = kept()
    assert cloth.press(ShowBank(1_000), "") == ""
    assert cloth.press(SetStake(3, "punter", 500), "1-1") == ""


def test_a_penalty_names_whom_it_concerns_and_stays():
    """Whoever holds the bank by then, the player is the same."""
    cloth = kept()
    opened = ref(cloth)
    cloth.press(DeclineBank(), opened)
    assert cloth.press(Penalise(3, Sanction.BLAME, "R-000-32"), opened) == ""


@pytest.mark.parametrize("game", DEAL)
def test_a_second_word_on_a_card_is_none_on_the_card_after_it(game: str):
    """Promised: order, count and one key; two people pressed at once, and the first of them was heard."""
    cloth = Cloth(game).cards(DEAL[game]).cards("9S")
    place = cloth.view.taker_of
    assert place == len(cloth.hand.laid) - 1
    first, second = cloth.view.takers[:2]
    assert cloth.press(Takes(first, place)) == ""
    for other in (second, Seat.BANKER, first):
        assert cloth.press(Takes(other, place)) == "taker-told"
    assert cloth.hand.taker is None
    assert [laid.seat for laid in cloth.hand.laid[place:]] == [first]


def test_before_the_card_a_second_word_amends_the_first():
    """R-000-36: no card is out yet, so the word is about the same card."""
    cloth = Cloth("foster").cards(DEAL["foster"])
    assert cloth.press(Takes(Seat.RIGHT, 6)) == cloth.press(Takes(Seat.LEFT, 6)) == ""
    cloth.cards("9S")
    assert cloth.hand.laid[6].seat is Seat.LEFT
    assert cloth.press(Takes(Seat.RIGHT, 6)) == "taker-told"


def test_a_word_on_a_card_that_went_to_the_next_hand_is_refused():
    cloth = Cloth("chemin_tableau").cards(DEAL["chemin_tableau"]).cards("9S")
    of = cloth.hand.ref
    assert cloth.press(OpenedNext(4)) == ""
    assert cloth.press(Takes(Seat.BANKER, 4), of) == "bad-taker"  # that hand has no fifth card any more


@pytest.mark.parametrize("place", [-1, 5, 60])
def test_a_card_that_is_not_asked_for_has_no_taker(place: int):
    cloth = Cloth("chemin_tableau").cards(DEAL["chemin_tableau"]).cards("9S")
    assert cloth.press(Takes(Seat.PUNTER, place)) == "moved-on"
