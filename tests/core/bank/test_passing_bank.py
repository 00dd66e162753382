"""The bank that passes from player to player (rules.md A.1..A.3, D6, D7, A15, A16)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.core.bank import (
    Banco,
    CallBanco,
    CloseStakes,
    DeclineBank,
    Ended,
    Favour,
    LeavePlace,
    Money,
    NobodyTakes,
    PassBank,
    Penalise,
    Readmit,
    ReopenStakes,
    Result,
    SetCover,
    SetStake,
    SettleSides,
    ShowBank,
    Sit,
    Stage,
    Suivi,
    TakeBank,
    Ties,
    WithdrawBanco,
    opened,
    speaker,
)
from controller.core.bank.terms import CHEMIN, Terms
from controller.core.cards import Seat
from controller.core.sanctions import Sanction
from tests.core.bank.counter import Counter

FIVE = replace(CHEMIN, places=5)
NO_RAKE = replace(FIVE, rake_bp=0)


def shown(amount: int = 1000, terms: Terms = FIVE) -> Counter:
    return Counter(terms).do(ShowBank(amount))


def test_with_money_off_a_table_has_no_bank():
    """The default of every house is that nothing of this exists."""
    assert Terms().money is Money.OFF
    assert opened(Terms()) is None


def test_R_002_06_the_first_banker_sits_at_the_croupiers_right():
    """rules.md R-002-03, R-002-06."""
    assert Counter(FIVE).bank.banker == 1


def test_R_002_07_the_banker_shows_his_sum_before_anything_is_staked():
    """rules.md R-002-07."""
    counter = Counter(FIVE)
    assert counter.refused(CloseStakes()) == ("bank-owed", "R-000-07")
    assert counter.refused(ShowBank(0)) == ("bad-amount", "")
    counter.do(ShowBank(1000))
    assert (counter.bank.sum, counter.has("place:1"), counter.bank.stage) == (1000, -1000, Stage.OPEN)


def test_what_nobody_named_is_covered_in_full_at_the_first_card():
    """rules.md R-004-06: the stakes combine to the bank."""
    assert shown().do(CloseStakes()).bank.covered == 1000


def test_a_covered_sum_that_was_named_is_all_that_is_won():
    """rules.md R-002-16."""
    counter = shown(terms=NO_RAKE).do(SetCover(Seat.PUNTER, 300)).coup("banker")
    assert (counter.bank.sum, counter.has("punters")) == (1300, -300)


def test_a_cover_of_nothing_plays_for_nothing():
    """rules.md R-002-09: no punter has to stake."""
    assert shown().do(SetCover(Seat.PUNTER, 0)).coup("banker").bank.sum == 1000


def test_R_002_11_the_cover_is_never_over_the_bank():
    """rules.md R-002-11."""
    assert shown().refused(SetCover(Seat.PUNTER, 1001)) == ("over-the-bank", "R-002-11")


def test_R_002_17_punters_who_win_are_paid_and_the_rest_of_the_bank_is_the_bankers():
    """rules.md R-002-17, R-002-19, D14: the bank moves when its banker loses."""
    counter = shown().do(SetCover(Seat.PUNTER, 300)).coup("player")
    assert (counter.has("punters"), counter.has("place:1"), counter.has("rake")) == (300, -300, 0)
    assert (counter.bank.banker, counter.bank.stage, counter.bank.sum) == (2, Stage.AWAITING, 0)


@pytest.mark.parametrize(("favour", "rake"), [(Favour.PLAYER, 4), (Favour.HOUSE, 5)])
def test_R_FRC_05_five_per_cent_of_the_bankers_win_goes_to_the_house(favour: Favour, rake: int):
    """rules.md R-FRC-05; what is smaller than a unit goes where the house says: 5 per cent of 99 is 4.95."""
    counter = shown(99, replace(FIVE, odd_unit=favour)).coup("banker")
    assert (counter.has("rake"), counter.bank.sum) == (rake, 198 - rake)


def test_R_003_10_winnings_stay_in_the_bank_and_more_may_be_added():
    """rules.md R-003-10: no partial withdrawal."""
    counter = shown(terms=NO_RAKE).coup("banker")
    assert counter.bank.sum == 2000
    assert counter.refused(ShowBank(1999)) == ("winnings-stay", "R-003-10")
    assert counter.do(ShowBank(2500)).bank.sum == 2500


def test_R_002_29_a_tie_rides_to_the_next_hand_and_A15_the_banker_keeps_the_deal():
    """rules.md R-002-29, R-003-09, D6, A15."""
    counter = shown(terms=NO_RAKE).do(SetCover(Seat.PUNTER, 400)).coup("tie")
    assert (counter.bank.banker, counter.bank.covered, counter.bank.stage) == (1, 400, Stage.OPEN)
    assert counter.refused(SetCover(Seat.PUNTER, 399)) == ("stakes-ride", "R-002-29")
    assert counter.refused(CallBanco(2)) == ("stakes-ride", "R-002-29")
    assert counter.refused(PassBank()) == ("stakes-ride", "R-002-29")
    assert counter.coup("player").has("punters") == 400


def test_D6_where_ties_return_the_bets_are_free_again():
    """rules.md D6, R-000-42."""
    counter = shown(terms=replace(FIVE, ties=Ties.RETURN)).coup("tie")
    assert (counter.bank.covered, counter.has("punters"), counter.bank.banker) == (0, 0, 1)
    counter.do(PassBank())


def test_a_void_coup_returns_every_bet_even_one_that_rode():
    """rules.md 1.5 VOID: coup null, all bets returned."""
    counter = shown().coup("tie").coup("void")
    assert (counter.has("punters"), counter.bank.sum, counter.bank.banker, counter.bank.stakes) == (0, 1000, 1, ())


# ---- banco ---------------------------------------------------------------------------------------------------------


def test_R_002_08_banco_belongs_to_the_first_at_the_bankers_right():
    """rules.md R-002-08: a nearer call goes before, a farther one is refused."""
    counter = shown().do(CallBanco(4), CallBanco(2))
    assert counter.refused(CallBanco(3)) == ("banco-nearer", "R-002-08")
    assert (counter.has("place:4"), counter.has("place:2"), speaker(FIVE, counter.bank)) == (0, -1000, 2)


def test_D7_where_priority_starts_at_the_left_the_last_in_order_has_it():
    """rules.md D7, R-004-05."""
    counter = shown(terms=replace(FIVE, claims_from=Seat.LEFT)).do(CallBanco(2), CallBanco(5))
    assert counter.refused(CallBanco(4)) == ("banco-nearer", "R-004-05")


def test_a_banco_leaves_no_room_and_is_the_whole_bank():
    """rules.md R-002-08: to play against the whole of the bank."""
    counter = shown(terms=NO_RAKE).do(SetCover(Seat.PUNTER, 300), CallBanco(3))
    assert (counter.has("punters"), counter.bank.covered) == (0, 1000)
    assert counter.refused(SetCover(Seat.PUNTER, 1)) == ("banco-held", "R-002-08")
    assert counter.refused(ShowBank(1001)) == ("banco-held", "R-002-08")
    counter.coup("player")
    assert (counter.has("place:3"), counter.has("place:1")) == (1000, -1000)


def test_a_banco_that_did_not_hold_gives_the_stake_back():
    """A slip of the croupier's key is put right before the first card."""
    counter = shown().do(CallBanco(3), WithdrawBanco())
    assert (counter.has("place:3"), counter.bank.claim) == (0, None)
    assert counter.refused(WithdrawBanco()) == ("no-banco", "")


def test_the_banker_does_not_go_bank_and_nobody_from_outside():
    """rules.md R-002-07: all others are punters."""
    assert shown().refused(CallBanco(1)) == ("banker-sits", "R-002-07")
    assert shown().refused(CallBanco(6)) == ("not-seated", "")


def test_R_FRC_08_banco_and_the_passing_of_the_bank_come_before_a_card_is_dealt():
    """rules.md R-FRC-08, R-FRC-04."""
    counter = shown().do(CloseStakes())
    assert counter.refused(CallBanco(2)) == ("stakes-closed", "R-FRC-08")
    assert counter.refused(PassBank()) == ("stakes-closed", "R-FRC-08")


def test_R_003_15_who_went_bank_and_lost_may_again_before_a_nearer_banco():
    """rules.md R-003-15; that it goes before a banco is the house's."""
    counter = shown().do(CallBanco(4)).coup("banker").do(CallBanco(2), CallBanco(4, Banco.SUIVI))
    assert (counter.bank.claim.place, counter.bank.covered) == (4, 1950)  # 1000 + 1000 less 50


def test_where_the_house_ranks_a_suivi_in_order_the_nearer_banco_stands():
    """The priority of suivi over banco is house data."""
    counter = shown(terms=replace(FIVE, suivi=Suivi.IN_ORDER)).do(CallBanco(4)).coup("banker").do(CallBanco(2))
    assert counter.refused(CallBanco(4, Banco.SUIVI)) == ("banco-nearer", "R-002-08")


def test_R_003_15_a_suivi_holds_although_the_deal_has_passed():
    """rules.md R-003-15."""
    counter = shown().do(CallBanco(4)).coup("banker").do(PassBank(), TakeBank(3, 1950), CallBanco(4, Banco.SUIVI))
    assert (counter.bank.banker, counter.bank.claim.place) == (3, 4)


@pytest.mark.parametrize("result", ["banker", "player", "tie"])
def test_a_suivi_is_for_the_next_hand_only(result: str):
    """rules.md R-003-15: on the next hand."""
    terms = replace(FIVE, ties=Ties.RETURN)
    counter = shown(terms=terms).do(CallBanco(4)).coup("banker").coup(result)
    assert counter.bank.suivi == 0


def test_a_void_hand_leaves_the_suivi_where_it_was():
    """rules.md 1.5: a null coup changes nothing."""
    assert shown().do(CallBanco(4)).coup("banker").coup("void").bank.suivi == 4


def test_a_suivi_that_rides_and_is_then_void_may_be_called_again():
    """rules.md R-003-15, R-002-29: no hand has been decided since the banco was lost."""
    counter = shown().do(CallBanco(4)).coup("banker").do(CallBanco(4, Banco.SUIVI)).coup("tie").coup("void")
    assert counter.do(CallBanco(4, Banco.SUIVI)).bank.claim.place == 4


def test_nobody_else_has_a_suivi():
    """rules.md R-003-15."""
    counter = shown()
    assert counter.refused(CallBanco(2, Banco.SUIVI)) == ("no-suivi", "R-003-15")


def test_R_FRC_08_with_the_table_one_player_covers_half_and_the_others_the_rest():
    """rules.md R-FRC-08: half banco with the table; a whole banco goes before it."""
    counter = shown(1001).do(CallBanco(2, Banco.WITH_TABLE), CloseStakes())
    assert (counter.has("place:2"), counter.has("punters"), counter.bank.covered) == (-500, -501, 1001)
    other = shown(1001).do(CallBanco(2, Banco.WITH_TABLE), CallBanco(5))
    assert (other.has("place:2"), other.has("place:5")) == (0, -1001)


# ---- who has it next -----------------------------------------------------------------------------------------------


def test_R_003_12_a_passed_bank_is_taken_at_exactly_the_sum_it_stood_at_and_A16_rake_is_out_of_it():
    """rules.md R-003-11, R-003-12, A16."""
    counter = shown().coup("banker").do(PassBank())
    assert (counter.bank.stage, counter.bank.passed_at, counter.has("place:1")) == (Stage.PASSING, 1950, 950)
    assert counter.refused(TakeBank(3, 2000)) == ("not-the-sum", "R-003-12")
    assert counter.refused(TakeBank(3, 1949)) == ("not-the-sum", "R-003-12")
    assert counter.refused(TakeBank(1, 1950)) == ("banker-sits", "R-003-12")
    assert counter.do(TakeBank(3, 1950)).bank.banker == 3
    assert counter.bank.passed_at == 0


def test_R_003_14_the_late_banker_is_last_in_rotation_and_nobody_else_moves():
    """rules.md R-003-14: 3 took it, so 4, 5, 2 follow as they sit, and 1 comes after them."""
    counter = shown().do(PassBank(), TakeBank(3, 1000))
    assert counter.bank.order == (3, 4, 5, 2, 1)
    assert counter.coup("player").bank.order == (4, 5, 2, 1, 3)


def test_R_003_13_nobody_takes_it_so_the_right_hand_neighbour_has_it_at_any_sum():
    """rules.md R-003-13."""
    counter = shown().do(PassBank(), NobodyTakes())
    assert (counter.bank.banker, counter.bank.stage) == (2, Stage.AWAITING)
    assert counter.do(ShowBank(7)).bank.sum == 7


def test_a_bank_that_is_not_passed_is_not_to_be_taken():
    """rules.md R-003-12."""
    assert shown().refused(TakeBank(3, 1000)) == ("bank-not-passing", "R-003-12")
    assert shown().refused(NobodyTakes()) == ("bank-not-passing", "R-003-13")


def test_R_002_19_the_cards_go_on_to_the_next_until_somebody_wants_them():
    """rules.md R-002-19; one who does not want them lets them go on."""
    counter = shown().coup("player").do(DeclineBank(), DeclineBank())
    assert counter.bank.banker == 4
    assert counter.do(ShowBank(5)).refused(DeclineBank()) == ("bank-shown-already", "")


def test_who_passes_with_stakes_on_the_table_gives_them_back():
    """rules.md R-FRC-08: before a card is dealt."""
    counter = shown().do(CallBanco(2), PassBank())
    assert (counter.has("place:2"), counter.has("place:1"), counter.bank.claim) == (0, 0, None)


def test_R_FRC_06_a_barred_player_holds_no_cards_and_pays_nothing():
    """rules.md R-FRC-06: no money penalty; he may no longer hold the cards."""
    counter = shown().do(Penalise(2, Sanction.NO_HOLD, "FD-P1"))
    assert counter.refused(CallBanco(2)) == ("barred", "R-FRC-06")
    assert counter.coup("player").bank.banker == 3
    assert counter.do(Readmit(2)).bank.barred == ()
    assert counter.has("place:2") == 0


def test_R_FRC_06_a_barred_banker_gives_the_coup_he_began_and_no_other():
    """rules.md R-FRC-04, R-FRC-06."""
    before = shown().do(Penalise(1, Sanction.NO_HOLD, "FD-B1"))
    assert (before.bank.banker, before.has("place:1")) == (2, 0)
    during = shown(terms=NO_RAKE).do(CloseStakes(), Penalise(1, Sanction.NO_HOLD, "FD-B1"))
    assert during.bank.banker == 1
    during.do(SettleSides((Ended(Seat.PUNTER, Result.BANKER),)))
    assert (during.bank.banker, during.has("place:1")) == (2, 1000)


def test_R_FRC_06_a_barred_banker_gives_the_hand_that_stakes_abide():
    """rules.md R-002-29, R-FRC-06: the stakes wait for his next hand, and it is his last."""
    counter = shown().coup("tie").do(Penalise(1, Sanction.NO_HOLD, "FD-B1"))
    assert (counter.bank.banker, counter.bank.covered) == (1, 1000)
    assert counter.coup("banker").bank.banker == 2


def test_a_cover_that_was_cut_down_rides_as_it_is():
    """rules.md R-000-13 with D6 set to ride: what was withdrawn does not come back."""
    counter = shown(terms=replace(FIVE, reopens=("R-000-13",))).coup("tie")
    counter.do(CloseStakes(), ReopenStakes("R-000-13"), SetCover(Seat.PUNTER, 300))
    assert [(stake.amount, stake.riding) for stake in counter.bank.stakes] == [(300, 300)]


def test_what_a_ruling_let_go_is_not_covered_by_others():
    """rules.md R-000-13: a banco that is withdrawn after the first card leaves the bank uncovered."""
    counter = shown(terms=replace(FIVE, reopens=("R-000-13",))).do(CallBanco(3), CloseStakes())
    counter.do(ReopenStakes("R-000-13"), WithdrawBanco(), CloseStakes())
    assert (counter.bank.covered, counter.bank.amended) == (0, True)


def test_R_FRC_06_a_liability_is_refused_where_the_law_forbids_it_and_R_002_25_only_written_elsewhere():
    """rules.md R-FRC-06 against R-002-25, R-004-18 (D12)."""
    assert shown().refused(Penalise(2, Sanction.LIABLE, "FD-P1", 400)) == ("penalty-forbidden", "R-FRC-06")
    club = replace(FIVE, sanctions=(Sanction.LIABLE, Sanction.FINE))
    counter = shown(terms=club).do(Penalise(2, Sanction.LIABLE, "FD-P1", 400))
    assert [(one.place, one.penalty, one.rule, one.amount) for one in counter.bank.sanctions] == [
        (2, Sanction.LIABLE, "FD-P1", 400)
    ]
    assert counter.has("place:2") == 0


def test_a_newcomers_turn_comes_where_he_sits():
    """rules.md R-002-03: the others follow in order."""
    counter = Counter(FIVE, (1, 2, 5)).do(ShowBank(10), Sit(4))
    assert counter.bank.order == (1, 2, 4, 5)
    assert counter.refused(Sit(4)) == ("seat-taken", "")
    assert counter.refused(Sit(6)) == ("not-seated", "")


def test_who_leaves_takes_nothing_of_his_place_with_him():
    """A place given up has no suivi and no bar."""
    counter = shown().do(CallBanco(4)).coup("banker").do(LeavePlace(4))
    assert (counter.bank.suivi, counter.bank.order) == (0, (1, 2, 3, 5))
    assert counter.refused(LeavePlace(1)) == ("banker-sits", "")
    assert counter.do(CallBanco(2)).refused(LeavePlace(2)) == ("stakes-up", "")


def test_the_last_one_who_may_hold_cards_keeps_them_and_with_none_nobody_shows_a_bank():
    """rules.md R-FRC-06 taken to its end."""
    counter = Counter(replace(CHEMIN, places=2)).do(Penalise(2, Sanction.NO_HOLD, "FD-P1"), ShowBank(10)).coup("player")
    assert counter.bank.banker == 1
    counter.do(Penalise(1, Sanction.NO_HOLD, "FD-P1"))
    assert counter.refused(ShowBank(10)) == ("nobody-may-hold", "R-FRC-06")
    assert counter.do(Readmit(2)).bank.banker == 2


def test_single_stakes_are_not_kept_where_the_house_keeps_the_bank_only():
    """money = bank."""
    assert shown().refused(SetStake(2, "punter", 10)) == ("bank-not-kept", "")
