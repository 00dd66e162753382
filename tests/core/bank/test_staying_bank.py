"""The bank that stays while the players' seats move (rules.md R-000-50..56, R-004, R-FRB, D6, D7, D14, A11, A12)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.core.bank import (
    A_CHEVAL,
    CallBanco,
    CloseStakes,
    DeclineBank,
    Ended,
    Favour,
    LeavePlace,
    Money,
    PassBank,
    Penalise,
    RakeOn,
    Result,
    SetCover,
    SetStake,
    SettleSides,
    ShowBank,
    Sit,
    Stage,
    TakeBank,
    Ties,
)
from controller.core.bank.terms import BANQUE_LIMITED, BANQUE_OPEN, BANQUE_VEGAS, Terms
from controller.core.cards import Seat
from controller.core.sanctions import Sanction
from tests.core.bank.counter import Counter

PLAIN = replace(BANQUE_LIMITED, rake_bp=0)
R, L = 0, 5  # R1 is place 1, L1 is place 6


def shown(terms: Terms = PLAIN, amount: int = 1000, places: tuple[int, ...] = ()) -> Counter:
    return Counter(terms, places).do(ShowBank(amount))


def seats(counter: Counter) -> tuple[int, ...]:
    return tuple(holder.place for holder in counter.bank.holders)


def test_D14_the_banker_stays_when_he_loses():
    """rules.md D14: in banque the player's seat moves, the bank does not."""
    counter = shown().do(SetCover(Seat.RIGHT, 300), SetCover(Seat.LEFT, 200)).coups("player", "player")
    assert (counter.bank.banker, counter.bank.sum, counter.bank.stage) == (-1, 500, Stage.OPEN)
    assert counter.refused(TakeBank(1, 500)) == ("bank-not-kept", "")
    assert counter.refused(DeclineBank()) == ("bank-not-kept", "")


def test_R_000_44_the_sides_settle_apart():
    """rules.md R-000-43, R-000-44, R-004-14."""
    counter = shown().do(SetCover(Seat.RIGHT, 300), SetCover(Seat.LEFT, 200)).coups("player", "banker")
    assert (counter.bank.sum, counter.has("punters")) == (900, 100)


def test_V_000_52_right_wins_and_left_loses_so_R1_and_L2_hold_next():
    """rules.md V-000-52, R-000-52, R-000-53."""
    assert seats(shown().coups("player", "banker")) == (R + 1, L + 2)


def test_R_000_55_after_the_fifth_has_lost_the_nearest_holds_again():
    """rules.md R-000-54, R-000-55: after L5 loses, L1."""
    counter = shown()
    held = [seats(counter.coups("tie", "banker"))[1] for _ in range(5)]
    assert held == [L + 2, L + 3, L + 4, L + 5, L + 1]
    assert seats(counter)[0] == R + 1


@pytest.mark.parametrize("result", ["player", "tie", "void", "refused"])
def test_A11_whoever_does_not_lose_keeps_the_cards(result: str):
    """rules.md R-000-52, A11; a coup refused or void was not lost."""
    assert seats(shown().coups(result, result)) == (R + 1, L + 1)


def test_A12_the_cards_go_round_the_occupied_seats():
    """rules.md A12."""
    counter = shown(places=(R + 2, R + 5, L + 4))
    assert seats(counter) == (R + 2, L + 4)
    assert seats(counter.coups("banker", "banker")) == (R + 5, L + 4)
    assert seats(counter.coups("banker", "banker")) == (R + 2, L + 4)


def test_a_side_without_players_has_no_holder_until_somebody_sits():
    """rules.md A12 taken to its end."""
    counter = shown(places=(R + 1, R + 2))
    assert seats(counter) == (R + 1, 0)
    assert seats(counter.do(Sit(L + 3))) == (R + 1, L + 3)
    assert seats(counter.do(LeavePlace(R + 1))) == (R + 2, L + 3)


def test_R_FRC_06_a_barred_player_no_longer_holds_the_cards_of_his_side():
    """rules.md R-FRC-06, R-FRB-04: at once between coups, after the coup within one."""
    assert seats(shown().do(Penalise(R + 1, Sanction.NO_HOLD, "IR-15"))) == (R + 2, L + 1)
    counter = shown().do(CloseStakes(), Penalise(R + 1, Sanction.NO_HOLD, "IR-15"))
    assert seats(counter) == (R + 1, L + 1)
    counter.do(SettleSides((Ended(Seat.RIGHT, Result.PLAYER), Ended(Seat.LEFT, Result.PLAYER))))
    assert seats(counter) == (R + 2, L + 1)


def test_R_000_15_a_refused_coup_returns_the_bets_of_that_side_only():
    """rules.md R-000-14, R-000-15, IR-05, IR-06."""
    counter = shown().do(SetCover(Seat.RIGHT, 300), SetCover(Seat.LEFT, 200)).coups("refused", "banker")
    assert (counter.bank.sum, counter.has("punters")) == (1200, -200)


def test_D6_a_tie_returns_here_and_rides_where_the_house_says_so():
    """rules.md R-000-42, D6."""
    assert shown().do(SetCover(Seat.RIGHT, 300)).coups("tie", "tie").bank.covered == 0
    riding = shown(replace(PLAIN, ties=Ties.RIDE)).do(SetCover(Seat.RIGHT, 900), SetCover(Seat.LEFT, 100))
    assert riding.coups("tie", "player").bank.covered == 900
    assert riding.coups("player", "void").bank.sum == 0


def test_a_stake_that_rides_is_cut_back_to_a_bank_that_has_shrunk():
    """rules.md R-002-11 on D6: nobody plays against money that is not there."""
    counter = shown(replace(PLAIN, ties=Ties.RIDE)).do(SetCover(Seat.RIGHT, 600), SetCover(Seat.LEFT, 400))
    counter.coups("player", "tie").do(CloseStakes())
    assert (counter.bank.sum, counter.bank.covered) == (400, 400)
    low = shown(replace(PLAIN, ties=Ties.RIDE)).do(SetCover(Seat.RIGHT, 400), SetCover(Seat.LEFT, 600))
    low.coups("tie", "player").coups("tie", "void")
    assert (low.bank.sum, low.bank.covered) == (400, 400)


def test_a_broken_bank_asks_for_a_new_sum():
    """rules.md R-002-07."""
    counter = shown().do(SetCover(Seat.LEFT, 1000)).coups("tie", "player")
    assert (counter.bank.sum, counter.bank.stage) == (0, Stage.AWAITING)


def test_a_banker_who_goes_takes_the_bank_with_him():
    """rules.md R-003-10: the whole of it or nothing."""
    counter = shown().do(SetCover(Seat.LEFT, 100)).coups("tie", "banker").do(PassBank())
    assert (counter.has("banker"), counter.bank.stage) == (100, Stage.AWAITING)


def test_every_side_has_one_end_and_no_other():
    """One result for each side."""
    counter = shown().do(CloseStakes())
    assert counter.refused(SettleSides((Ended(Seat.RIGHT, Result.TIE),))) == ("bad-ends", "")
    twice = (Ended(Seat.RIGHT, Result.TIE), Ended(Seat.RIGHT, Result.TIE))
    assert counter.refused(SettleSides(twice)) == ("bad-ends", "")


@pytest.mark.parametrize(("terms", "rake"), [(BANQUE_LIMITED, 20), (BANQUE_OPEN, 12)])
def test_R_FRB_03_the_rake_is_two_per_cent_or_one_and_a_quarter(terms: Terms, rake: int):
    """rules.md R-FRB-03: of 1000 won, in whole units."""
    assert shown(terms).do(SetCover(Seat.RIGHT, 1000)).coups("banker", "tie").has("rake") == rake


@pytest.mark.parametrize(("rake_on", "rake"), [(RakeOn.NET, 4), (RakeOn.SIDE, 10)])
def test_the_rake_is_on_the_coup_or_on_each_side_as_the_house_says(rake_on: RakeOn, rake: int):
    """rules.md R-FRB-03: what a win of two sides is, the text at hand does not say."""
    counter = shown(replace(BANQUE_LIMITED, rake_on=rake_on)).do(SetCover(Seat.RIGHT, 500), SetCover(Seat.LEFT, 300))
    assert counter.coups("banker", "player").has("rake") == rake


def test_R_FRB_05_an_open_bank_has_no_maximum_and_the_banker_makes_good():
    """rules.md R-FRB-05."""
    counter = shown(BANQUE_OPEN).do(SetCover(Seat.RIGHT, 5000)).coups("player", "tie")
    assert (counter.has("punters"), counter.has("banker"), counter.bank.sum) == (5000, -5000, 0)
    assert shown().refused(SetCover(Seat.RIGHT, 1001)) == ("over-the-bank", "R-002-11")


def test_an_open_bank_makes_good_the_rake_of_the_side_it_won_too():
    """rules.md R-FRB-03, R-FRB-05: 10 of 800 won, 1000 and 800 lost and won against a bank of 200."""
    terms = replace(BANQUE_OPEN, rake_on=RakeOn.SIDE)
    counter = shown(terms, 200).do(SetCover(Seat.RIGHT, 1000), SetCover(Seat.LEFT, 800)).coups("player", "banker")
    assert (counter.has("rake"), counter.has("banker"), counter.bank.sum) == (10, -210, 0)


def test_R_004_05_of_several_who_call_banco_the_nearest_at_the_bankers_left_has_it():
    """rules.md R-004-04, R-004-05, D7: the left side from the near end, then the right from the far one."""
    counter = shown(BANQUE_VEGAS).do(CallBanco(R + 1), CallBanco(R + 5), CallBanco(L + 4), CallBanco(L + 2))
    assert counter.refused(CallBanco(L + 3)) == ("banco-nearer", "R-004-05")
    assert counter.coups("tie", "player").has(f"place:{L + 2}") == 1000


def test_where_the_text_knows_no_banco_nobody_calls_it():
    """rules.md B.1: seed 000 has none."""
    assert shown().refused(CallBanco(R + 1)) == ("bank-not-kept", "")


# ---- single stakes -------------------------------------------------------------------------------------------------

FULL = replace(PLAIN, money=Money.FULL, a_cheval=True)


def test_R_002_11_the_stakes_of_both_sides_are_cut_back_from_the_far_ends():
    """rules.md R-002-11 read for two sides: R1, L1, R2, L2 and on."""
    counter = shown(FULL, 100).do(
        SetStake(L + 2, "left", 50), SetStake(R + 2, "right", 50), SetStake(L + 1, "left", 60), CloseStakes()
    )
    assert [counter.has(f"place:{who}") for who in (L + 1, R + 2, L + 2)] == [-60, -40, 0]


@pytest.mark.parametrize(
    ("right", "left", "gain"),
    [
        ("player", "player", 10),
        ("banker", "banker", -10),
        ("player", "banker", 0),
        ("banker", "player", 0),
        ("player", "tie", 5),
        ("tie", "player", 5),
        ("tie", "banker", -5),
        ("tie", "tie", 0),
        ("void", "void", 0),
        ("refused", "player", 5),
    ],
)
def test_R_FRB_08_a_stake_a_cheval_needs_both_sides(right: str, left: str, gain: int):
    """rules.md R-FRB-08: both win or lose, split is frozen, a win and a tie win half."""
    counter = shown(FULL).do(SetStake(R + 1, A_CHEVAL, 10)).coups(right, left)
    assert (counter.has(f"place:{R + 1}"), counter.bank.covered) == (gain, 0)


@pytest.mark.parametrize(("favour", "won", "lost"), [(Favour.PLAYER, 6, -5), (Favour.HOUSE, 5, -6)])
def test_R_FRB_08_half_of_an_odd_stake_goes_where_the_house_says(favour: Favour, won: int, lost: int):
    """rules.md R-FRB-08 in whole units."""
    terms = replace(FULL, odd_unit=favour)
    for left, gain in (("player", won), ("banker", lost)):
        counter = shown(terms).do(SetStake(R + 1, A_CHEVAL, 11)).coups("tie", left)
        assert counter.has(f"place:{R + 1}") == gain


def test_R_FRB_08_is_not_in_the_texts_and_only_where_the_house_has_it():
    """rules.md R-FRB-08."""
    terms = replace(FULL, a_cheval=False)
    assert shown(terms).refused(SetStake(R + 1, A_CHEVAL, 10)) == ("no-such-bet", "")
