"""Single stakes against a bank (rules.md R-002-09..18, R-000-07, 13, 18, R-FRC-03, A17, A18)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.core.bank import (
    Banco,
    CallBanco,
    CloseStakes,
    Ended,
    Money,
    Penalise,
    ReopenStakes,
    Result,
    SetCover,
    SetStake,
    SettleSides,
    ShowBank,
    Ties,
    speaker,
)
from controller.core.bank.terms import BANQUE_LIMITED, CHEMIN
from controller.core.cards import Seat
from controller.core.sanctions import Sanction
from tests.core.bank.counter import Counter

FULL = replace(CHEMIN, places=5, money=Money.FULL, rake_bp=0)
BANQUE = replace(BANQUE_LIMITED, money=Money.FULL, rake_bp=0)
STANDS, STANDS_TOO = 6, 7  # numbers above the places


def staked(*stakes: tuple[int, int], bank: int = 100, terms=FULL) -> Counter:
    counter = Counter(terms).do(ShowBank(bank))
    return counter.do(*(SetStake(who, "punter", amount) for who, amount in stakes))


def test_R_002_09_each_punter_stakes_for_himself_and_is_paid_his_stake():
    """rules.md R-002-09, R-002-17."""
    counter = staked((2, 10), (4, 30)).coup("player")
    assert (counter.has("place:2"), counter.has("place:4"), counter.has("place:1")) == (10, 30, -40)


def test_R_002_16_the_stakes_go_to_the_bank_and_R_002_18_are_made_afresh():
    """rules.md R-002-16, R-002-18, R-000-50."""
    counter = staked((2, 10), (4, 30)).coup("banker")
    assert (counter.bank.sum, counter.bank.stakes) == (140, ())


def test_a_stake_is_what_was_said_last():
    """Saying a stake again changes nothing, and nothing takes it back."""
    counter = staked((2, 10), (2, 25), (2, 25))
    assert counter.has("place:2") == -25
    assert counter.do(SetStake(2, "punter", 0)).bank.stakes == ()


def test_R_002_10_those_who_stand_add_what_the_seated_leave():
    """rules.md R-002-10: the seated go before, whoever came first."""
    counter = staked((STANDS, 80), (STANDS_TOO, 5), (2, 30), (3, 10)).do(CloseStakes())
    assert [counter.has(f"place:{who}") for who in (2, 3, STANDS, STANDS_TOO)] == [-30, -10, -60, 0]
    assert "stake-cut-back" in counter.reasons()


def test_who_stands_keeps_his_turn_when_he_changes_his_stake():
    """rules.md R-002-10: in the order in which they came."""
    counter = staked((STANDS, 80), (STANDS_TOO, 50), (STANDS, 90)).do(CloseStakes())
    assert [counter.has(f"place:{who}") for who in (STANDS, STANDS_TOO)] == [-90, -10]


def test_R_002_11_the_punters_nearest_the_banker_are_preferred():
    """rules.md R-002-11: cut back from the far end of the rotation."""
    counter = staked((5, 50), (4, 50), (2, 40), (3, 20)).do(CloseStakes())
    assert [counter.has(f"place:{who}") for who in (2, 3, 4, 5)] == [-40, -20, -40, 0]
    assert counter.bank.covered == 100


def test_R_002_11_a_banker_who_takes_the_excess_shows_as_much():
    """rules.md R-002-11: he may decline it, so he may accept it too, with money on the table."""
    counter = staked((2, 80), (3, 60)).do(ShowBank(140), CloseStakes())
    assert (counter.bank.covered, counter.has("place:1")) == (140, -140)


def test_R_002_13_the_highest_staker_plays_for_the_punters_and_A17_the_first_of_two():
    """rules.md R-002-13, A17; R-FRC-06 passes over a barred one."""
    counter = staked((5, 30), (3, 30), (2, 10))
    assert speaker(FULL, counter.bank) == 3
    club = staked((5, 30), (3, 30), (2, 10)).do(Penalise(3, Sanction.NO_HOLD, "FD-P1"))
    assert speaker(FULL, club.bank) == 5
    assert speaker(FULL, Counter(FULL).bank) == 0


def test_R_002_29_a_stake_that_rides_may_grow_and_not_shrink():
    """rules.md R-002-29: the stakes abide the result of the next hand."""
    counter = staked((2, 40)).coup("tie")
    assert counter.refused(SetStake(2, "punter", 39)) == ("stakes-ride", "R-002-29")
    assert counter.do(SetStake(2, "punter", 60)).coup("player").has("place:2") == 60


def test_a_banco_sends_other_stakes_back_and_one_with_the_table_goes_before_them():
    """rules.md R-002-08, R-FRC-08."""
    counter = staked((2, 40), (3, 20)).do(CallBanco(4))
    assert [counter.has(f"place:{who}") for who in (2, 3, 4)] == [0, 0, -100]
    assert counter.refused(SetStake(2, "punter", 1)) == ("banco-held", "R-002-08")
    half = staked((2, 40), (3, 20)).do(CallBanco(4, Banco.WITH_TABLE), CloseStakes())
    assert [half.has(f"place:{who}") for who in (2, 3, 4)] == [-40, -10, -50]


def test_the_banker_and_strangers_have_no_stake():
    """rules.md R-002-07."""
    counter = staked()
    assert counter.refused(SetStake(1, "punter", 5)) == ("banker-sits", "R-002-07")
    assert counter.refused(SetStake(0, "punter", 5)) == ("not-seated", "")
    assert counter.refused(SetStake(2, "right", 5)) == ("no-such-bet", "")
    assert counter.refused(SetStake(2, "punter", -5)) == ("bad-amount", "")
    assert counter.refused(SetCover(Seat.PUNTER, 5)) == ("bank-not-kept", "")


def test_R_000_07_no_bet_is_made_or_changed_after_the_first_card():
    """rules.md R-000-07, IR-01."""
    counter = staked((2, 10)).do(CloseStakes())
    assert counter.refused(SetStake(2, "punter", 20)) == ("stakes-closed", "R-000-07")
    assert counter.refused(CloseStakes()) == ("stakes-closed", "R-000-07")


@pytest.mark.parametrize("rule", ["R-000-13", "R-000-18"])
def test_R_000_13_and_18_a_ruling_lets_bets_be_amended_or_withdrawn(rule: str):
    """rules.md R-000-13, R-000-18, A2: nothing else reopens them; IR-08 asks whether one changed."""
    counter = Counter(BANQUE).do(ShowBank(100), SetStake(1, "right", 10), SetStake(7, "left", 20), CloseStakes())
    assert counter.refused(ReopenStakes("R-000-16")) == ("stakes-not-reopened", "R-000-07")
    counter.do(ReopenStakes(rule))
    assert not counter.bank.amended
    counter.do(SetStake(1, "right", 0), SetStake(7, "left", 90), CloseStakes())
    assert (counter.bank.amended, counter.has("place:1"), counter.has("place:7")) == (True, 0, -90)
    assert counter.refused(SetStake(1, "right", 5)) == ("stakes-closed", "R-000-07")
    ends = (Ended(Seat.RIGHT, Result.TIE), Ended(Seat.LEFT, Result.TIE))
    assert not counter.do(SettleSides(ends)).bank.amended


def test_R_FRC_03_where_a_card_is_out_for_good_stakes_are_never_reopened():
    """rules.md R-FRC-03, A18."""
    counter = staked((2, 10)).do(CloseStakes())
    assert counter.refused(ReopenStakes("R-000-13")) == ("stakes-not-reopened", "R-FRC-03")


def test_reopened_stakes_are_closed_before_the_coup_is_settled():
    """rules.md R-000-13: before the cards are seen."""
    counter = Counter(BANQUE).do(ShowBank(100), CloseStakes(), ReopenStakes("R-000-13"))
    ends = (Ended(Seat.RIGHT, Result.TIE), Ended(Seat.LEFT, Result.TIE))
    assert counter.refused(SettleSides(ends)) == ("stakes-open", "")


def test_a_riding_stake_may_be_lowered_when_a_ruling_reopens_stakes():
    """rules.md R-000-13 with D6 set to ride: what is left of it rides."""
    terms = replace(BANQUE, ties=Ties.RIDE)
    counter = Counter(terms).do(ShowBank(100), SetStake(1, "right", 10)).coups("tie", "tie")
    counter.do(CloseStakes(), ReopenStakes("R-000-13"), SetStake(1, "right", 4))
    assert [(stake.amount, stake.riding) for stake in counter.bank.stakes] == [(4, 4)]


def test_a_riding_stake_that_is_cut_back_rides_with_what_stands():
    """rules.md R-002-11 on D6: L1 stands against a bank that R1 has nearly broken."""
    terms = replace(BANQUE, ties=Ties.RIDE)
    counter = Counter(terms).do(ShowBank(100), SetStake(1, "right", 60), SetStake(6, "left", 40))
    counter.coups("player", "tie").do(SetStake(1, "right", 30), CloseStakes())
    assert [(stake.who, stake.amount, stake.riding) for stake in counter.bank.stakes] == [(6, 10, 10), (1, 30, 0)]
