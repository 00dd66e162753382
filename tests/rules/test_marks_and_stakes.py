"""Marking a hand free or normal is a word about the hand: it moves no stake that the first card closed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.core.bank import Bank, CallBanco, Money, SetCover, ShowBank, Stage, Terms
from controller.core.cards import Seat
from controller.core.games import GAMES
from controller.core.inputs import Correct, MarkHand, Sort
from controller.core.signals import Call
from controller.moneysettings import terms_of
from tests.rules.cloth import Cloth

COUP = "5C 5H 2C 4H"  # punter 7, banker 9: the banker wins what was covered
RAKE_PARTS = 20  # one in twenty


def terms() -> Terms:
    return terms_of(GAMES["chemin_tableau"], Money.BANK, {})


def chemin(stake: int) -> Cloth:
    cloth = Cloth("chemin_tableau", money=terms())
    assert cloth.press(ShowBank(1_000)) == ""
    assert cloth.press(SetCover(Seat.PUNTER, stake)) == ""
    return cloth


def bank(cloth: Cloth) -> Bank:
    assert cloth.table.bank is not None
    return cloth.table.bank


def marked(cloth: Cloth, marks: list[Sort]) -> None:
    for sort in marks:
        assert cloth.press(MarkHand(sort)) in {"", "nothing-to-do", "stakes-closed"}


marks = st.lists(st.sampled_from(Sort), max_size=3)


@settings(max_examples=60, deadline=None)
@given(stake=st.sampled_from((0, 20, 400)), at=st.lists(marks, min_size=4, max_size=4), late=st.sampled_from((0, 60)))
def test_no_sequence_of_marks_changes_what_a_closed_stake_pays(stake: int, at: list[list[Sort]], late: int):
    """R-000-07, IR-01: after each card anything may be marked; the bank wins the stake that lay at the first card."""
    cloth = chemin(stake)
    for card, then in zip(COUP.split(), at, strict=True):
        cloth.cards(card)
        marked(cloth, then)
        if late:
            assert cloth.press(SetCover(Seat.PUNTER, late)) == "stakes-closed"
    cloth.close()
    assert bank(cloth).sum == 1_000 + stake - stake // RAKE_PARTS
    assert bank(cloth).covered == 0
    assert bank(cloth).stage is Stage.OPEN


@settings(max_examples=40, deadline=None)
@given(at=st.lists(marks, min_size=4, max_size=4), late=st.sampled_from((0, 60)))
def test_a_hand_begun_without_bets_never_gets_one(at: list[list[Sort]], late: int):
    """IR-01: a free hand carries no bets; what is laid down meanwhile lies on the next one."""
    cloth = chemin(0)
    assert cloth.press(MarkHand(Sort.FREE)) == ""
    for card, then in zip(COUP.split(), at, strict=True):
        cloth.cards(card)
        marked(cloth, then)
        if late:
            assert cloth.press(SetCover(Seat.PUNTER, late)) == ""
    assert cloth.hand.sort is not Sort.NORMAL
    cloth.close()
    assert (bank(cloth).sum, bank(cloth).covered) == (1_000, late)


@pytest.mark.parametrize("stake", [SetCover(Seat.PUNTER, 400), CallBanco(2)])
def test_a_hand_with_stakes_is_not_marked_free_after_its_first_card(stake: SetCover | CallBanco):
    """R-000-07: every stake would go back by it."""
    cloth = chemin(0)
    assert cloth.press(stake) == ""
    cloth.cards("5C")
    assert cloth.press(MarkHand(Sort.FREE)) == "stakes-closed"
    assert cloth.hand.sort is Sort.NORMAL


def test_a_hand_without_stakes_is_marked_free_and_back():
    cloth = chemin(0).cards("5C")
    assert cloth.press(MarkHand(Sort.FREE)) == ""
    assert cloth.press(MarkHand(Sort.NORMAL)) == ""


def test_where_no_money_is_kept_any_hand_may_be_marked():
    cloth = Cloth("chemin_tableau").cards("5C")
    assert cloth.press(MarkHand(Sort.FREE)) == ""
    assert cloth.press(MarkHand(Sort.NORMAL)) == ""


def test_a_corrected_result_still_moves_the_stake_of_a_hand_that_somebody_tried_to_mark():
    """R-000-07, R-002-16: the mark was refused, so the hand's money is the hand's."""
    cloth = chemin(400).cards(COUP)
    marked(cloth, [Sort.FREE, Sort.DEMONSTRATION])
    ref = cloth.hand.ref
    cloth.close()
    assert cloth.press(Correct(Call.PUNTER), ref) == ""
    assert {one.name: one.amount for one in bank(cloth).accounts}["punters"] == 400
