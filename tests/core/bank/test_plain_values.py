"""The bank and its acts are plain values: a snapshot holds the one, a journal the others (design.md section 1)."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import get_args

import pytest

from controller.core.bank import (
    Bank,
    CallBanco,
    CloseStakes,
    Money,
    Penalise,
    Refusal,
    SetStake,
    ShowBank,
    Terms,
    apply,
)
from controller.core.bank.acts import BankAct
from controller.core.bank.applying import ROWS
from controller.core.bank.terms import BANQUE_LIMITED, BANQUE_OPEN, BANQUE_VEGAS, CHEMIN
from controller.core.sanctions import Sanction
from controller.core.snapshot import frozen, thawed
from tests.core.bank.counter import Counter

PRESETS = (CHEMIN, BANQUE_LIMITED, BANQUE_OPEN, BANQUE_VEGAS)


def long_story() -> Counter:
    counter = Counter(replace(CHEMIN, money=Money.FULL)).do(ShowBank(100), CallBanco(4)).coup("banker")
    counter.do(SetStake(2, "punter", 50)).coup("tie").do(Penalise(3, Sanction.NO_HOLD, "FD-P1"))
    return counter


def test_a_bank_comes_back_from_a_snapshot_as_it_was():
    """design.md section 3: a table's state as plain values and back."""
    bank = long_story().bank
    assert thawed(Bank, json.loads(json.dumps(frozen(bank)))) == bank


@pytest.mark.parametrize("terms", PRESETS)
def test_a_house_s_choices_come_back_too(terms: Terms):
    """rules.md B.6: each disagreement is a switch, so it is data."""
    assert thawed(Terms, json.loads(json.dumps(frozen(terms)))) == terms


def test_every_act_has_its_row_and_every_row_its_act():
    """Nothing is silently ignored (design.md section 3)."""
    assert set(ROWS) == set(get_args(BankAct))


def test_a_refusal_is_a_value_and_changes_nothing():
    """design.md section 1: an operator's mistake changes nothing."""
    counter = long_story().do(CloseStakes())
    before = counter.bank
    outcome = apply(counter.terms, before, ShowBank(1))
    assert outcome.why is Refusal.STAKES_CLOSED
    assert counter.bank is before


def test_two_tables_with_the_same_acts_have_the_same_bank():
    """design.md section 1: pure."""
    assert [getattr(long_story().bank, field.name) for field in fields(Bank)] == [
        getattr(long_story().bank, field.name) for field in fields(Bank)
    ]
