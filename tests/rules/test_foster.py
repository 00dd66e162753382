"""Baccarat banque as Foster has it, each rule by its id (docs/rules.md R-000-01..58)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.core.bank import Money, SetCover, ShowBank, Stage, spots
from controller.core.cards import Seat
from controller.core.facts import FactName
from controller.core.games import banque
from controller.core.games.banque import FOSTER, FiveRule
from controller.core.views import Side
from controller.moneysettings import terms_of
from tests.rules.cloth import Cloth

NO_NATURAL = "2C 3C 4C 2D 3D 3S"  # right 4, left 6, banker 7


def foster(cards: str = "") -> Cloth:
    return Cloth("foster").cards(cards)


def with_bank(right: int = 300, left: int = 200) -> Cloth:
    """A table with 1,000 in the bank and these sums against it."""
    cloth = Cloth("foster", money=terms_of(Cloth("foster").table.game, Money.BANK, {"rake_bp": 0}))
    assert cloth.press(ShowBank(1_000)) == ""
    assert cloth.press(SetCover(Seat.RIGHT, right)) == cloth.press(SetCover(Seat.LEFT, left)) == ""
    return cloth


def sides(cards: str) -> str | None:
    """The result of a hand in which nobody takes a card; first cards as RIGHT LEFT BANKER, twice."""
    return foster(cards).close().result


def test_r_000_01_03_04_two_rounds_go_to_right_left_and_banker_face_down():
    """docs/rules.md R-000-01, R-000-03, R-000-04."""
    cloth = foster()
    for letter, card in zip("RLBRLB", ["2C", "3C", "4C", "5C", "6C", "7C"], strict=True):
        assert cloth.asks[:2] in {("waiting", ""), ("card-next", {"R": "right", "L": "left", "B": "banker"}[letter])}
        cloth.cards(card)
        assert cloth.lies()[letter].endswith(card)
    assert {spot.side for seat in cloth.view.seats for spot in seat.spots} == {Side.BACK}


def test_r_000_05_nobody_is_asked_before_both_rounds_are_out():
    """docs/rules.md R-000-05: hands are taken up after the sixth card."""
    cloth = foster()
    for card in NO_NATURAL.split()[:-1]:
        cloth.cards(card)
        assert (cloth.view.takers, "turned" in cloth.view.acts, cloth.asks[0]) == ((), False, "card-next")
    cloth.cards("3S")
    assert cloth.view.takers == (Seat.RIGHT, Seat.LEFT, Seat.BANKER)


def test_r_000_07_ir_01_no_bet_is_made_or_changed_after_the_first_card():
    """docs/rules.md R-000-07, IR-01: the change is rejected."""
    cloth = with_bank().cards("2C")
    assert cloth.press(SetCover(Seat.RIGHT, 400)) == "stakes-closed"
    assert cloth.table.bank is not None
    assert cloth.table.bank.covered == 500


def test_r_000_10_a_card_that_left_the_stock_is_never_put_back():
    """docs/rules.md R-000-10: no act gives a card back to the shoe; it lies in a hand or in the basket."""
    cloth = foster(NO_NATURAL + " 9C")
    left = cloth.table.shoe.left
    cloth.takes("B").close()
    assert (cloth.table.shoe.left, cloth.conserved()) == (left, True)


@pytest.mark.parametrize(
    ("cards", "letter"),
    [("4C 3C 4S 4D 3D 3S", "R"), ("2C 5C 4C 2D 4D 3S", "L"), ("2C 3C 4C 2D 3D 4S", "B")],
    ids=["right-8", "left-9", "banker-8"],
)
def test_r_000_26_27_after_an_eight_or_nine_all_hands_are_shown_and_nobody_draws(cards, letter):
    """docs/rules.md R-000-26, R-000-27, D1."""
    cloth = foster(cards).close()
    assert (cloth.kinds, set(cloth.points.values()) & {None}) == ([], set())
    for seat in "RLB":
        drawn = foster(cards + " 2H").takes(seat).close()
        assert drawn.told(FactName.IRREGULARITY_FOUND)[-1]["rule"] == "R-000-27", (letter, seat)


def test_r_000_28_a_bankers_natural_that_neither_player_has_wins_both_sides():
    """docs/rules.md R-000-28."""
    assert sides("2C 3C 4C 2D 3D 4S") == "banker/banker"


@pytest.mark.parametrize(
    ("cards", "result"),
    [
        ("5C 3C 4C 4D 3D 4S", "right/banker"),  # 9, 6 against 8
        ("5C 4C 4S 3D 4D 4H", "tie/tie"),  # 8, 8 against 8
        ("2C 5C 4C 2D 4D 3S", "banker/left"),  # 4, 9 against 7
    ],
)
def test_r_000_29_30_31_43_44_each_side_is_compared_with_the_banker_alone(cards, result):
    """docs/rules.md R-000-29 paid, R-000-30 off, R-000-31 lost, R-000-43, R-000-44."""
    assert sides(cards) == result


def test_r_000_33_without_a_natural_a_card_is_offered_to_the_right_first():
    """docs/rules.md R-000-33."""
    cloth = foster(NO_NATURAL)
    assert cloth.asks == ("offer", "right", "R-000-33")


def test_r_000_34_39_the_card_is_offered_face_down_and_turned_where_it_is_taken():
    """docs/rules.md R-000-34, R-000-39, D4."""
    cloth = foster(NO_NATURAL + " 9C")
    assert [spot.side for spot in cloth.view.loose] == [Side.BACK]
    cloth.takes("L")
    left = next(seat for seat in cloth.view.seats if seat.seat is Seat.LEFT)
    assert [spot.side for spot in left.spots] == [Side.BACK, Side.BACK, Side.FACE]
    assert str(left.spots[2].card) == "9C"
    assert cloth.view.loose == ()


def test_v_000_35_r_000_35_38_the_card_that_the_right_refuses_goes_to_the_left_and_the_banker_is_free():
    """docs/rules.md R-000-35, R-000-38, vector V-000-35."""
    stands = foster(NO_NATURAL + " 9C").takes("L").close()
    assert (stands.kinds, stands.result) == ([], "banker/banker")
    draws = foster(NO_NATURAL + " 9C 2H").takes("L").close()
    assert (draws.kinds, draws.result) == ([], "banker/banker")


@pytest.mark.parametrize("banker", ["4C 3S", "TC KS"], ids=["seven", "nothing"])
def test_v_000_36_r_000_11_36_what_both_refuse_the_banker_must_take(banker):
    """docs/rules.md R-000-11, R-000-36, vector V-000-36: even at seven."""
    one, two = banker.split()
    deal = f"2C 3C {one} 2D 3D {two}"
    stood = foster(deal).close()
    assert "banker-missed-draw" in stood.holds
    stood.accept()
    assert stood.rules == [("banker-missed-draw", "R-000-36")]
    took = foster(deal + " AC").takes("B").close()
    assert took.kinds == []


def test_r_000_37_the_left_may_ask_for_a_card_where_the_right_took_the_first():
    """docs/rules.md R-000-37: one key for the right; the next card is the left's or the banker's."""
    cloth = foster(NO_NATURAL + " TC").takes("R").cards("AC")
    assert cloth.view.takers == (Seat.LEFT, Seat.BANKER)
    cloth.takes("L").close()
    assert (cloth.kinds, cloth.result) == ([], "banker/tie")


def test_r_000_40_one_card_more_is_the_most_of_a_hand():
    """docs/rules.md R-000-40: nine cards are out, and a tenth belongs to nobody."""
    cloth = foster(NO_NATURAL + " TC TD TH TS")
    assert "extra-card" in cloth.holds
    assert cloth.told(FactName.IRREGULARITY_FOUND)[-1]["rule"] == "R-000-40"


def test_r_000_41_one_key_exposes_all_hands_and_ends_the_coup():
    """docs/rules.md R-000-41."""
    cloth = foster(NO_NATURAL + " TC").takes("R")
    assert cloth.points == {"R": None, "L": None, "B": None}
    cloth.close()
    assert cloth.points == {"R": 4, "L": 6, "B": 7}
    assert cloth.table.hand is None


def test_r_000_42_50_a_tie_stands_off_and_the_stakes_are_placed_anew():
    """docs/rules.md R-000-42, R-000-50, D6."""
    cloth = with_bank().cards("5C 4C 4S 3D 4D 4H").close()
    bank = cloth.table.bank
    assert bank is not None
    assert (cloth.result, bank.sum, bank.covered, bank.stage) == ("tie/tie", 1_000, 0, Stage.OPEN)


def test_r_000_45_46_tens_drop_and_nobody_goes_bust():
    """docs/rules.md R-000-45, R-000-46: a four that draws a nine holds three."""
    cloth = foster("2C 3C 4C 2D 3D 3S 9C").takes("R").close()
    assert (cloth.points["R"], cloth.kinds) == (3, [])


def test_r_000_49_51_used_cards_leave_and_the_next_coup_goes_on_from_the_top():
    """docs/rules.md R-000-49, R-000-51: no shuffle and no cut between two coups."""
    cloth = foster("5C 3C 4C 4D 3D 4S").close().cards("2C")
    assert cloth.lies() == {"R": "2C", "L": "", "B": ""}
    assert (cloth.table.shoe.number, len(cloth.table.shoe.faces), cloth.conserved()) == (1, 7, True)
    assert cloth.told(FactName.SHOE_OPENED) == []


RIGHT_LOSES, LEFT_LOSES = "2C 5C 4C 2D 4D 3S", "5C 2C 4C 4D 2D 3S"
BOTH_LOSE = "2C 3C 4C 2D 3D 4S"


def holders(cloth: Cloth) -> list[int]:
    assert cloth.table.bank is not None
    return [one.place for one in cloth.table.bank.holders]


def test_v_000_52_r_000_52_53_54_55_who_loses_hands_the_cards_on_after_every_coup():
    """docs/rules.md R-000-52..55, vector V-000-52: ten places, the right 1 to 5, the left 6 to 10."""
    cloth = with_bank(0, 0)
    assert holders(cloth) == [1, 6]
    assert holders(cloth.cards(LEFT_LOSES).close()) == [1, 7]
    assert holders(cloth.cards(RIGHT_LOSES).close()) == [2, 7]
    for seats in ([3, 8], [4, 9], [5, 10], [1, 6]):
        assert holders(cloth.cards(BOTH_LOSE).close()) == seats


def test_r_000_56_two_players_are_active_and_every_stake_rides_on_them():
    """docs/rules.md R-000-56."""
    cloth = with_bank()
    assert len(holders(cloth)) == 2
    assert spots(cloth.table.house.money) == ("right", "left")


@pytest.mark.parametrize("cards", ["TC 3C 4C AD 3D 3S", "4C 3C 4C 3D 3D 3S"], ids=["one", "seven"])
@pytest.mark.parametrize("draws", ["", "2H"], ids=["stands", "draws"])
def test_r_000_57_drawing_below_five_is_advice_that_nobody_is_held_to(cards, draws):
    """docs/rules.md R-000-57, D11."""
    cloth = foster(f"{cards} {draws or '2S'}").takes("R" if draws else "L").close()
    assert cloth.kinds == []


@pytest.mark.parametrize(
    ("cards", "taker", "kind"),
    [("TC 3C 4C AD 3D 3S", "L", "right-missed-draw"), ("4C 3C 4C 3D 3D 3S", "R", "right-false-draw")],
    ids=["stands-on-one", "draws-on-seven"],
)
def test_r_000_58_a_clubs_law_binds_the_player_under_and_over_five(cards, taker, kind):
    """docs/rules.md R-000-58, D11; what it costs is the house's sanction."""
    cloth = Cloth(banque(replace(FOSTER, five_rule=FiveRule.CLUB_LAW))).cards(cards + " AS").takes(taker).close()
    assert cloth.told(FactName.IRREGULARITY_FOUND)[0]["kind"] == kind
    assert cloth.told(FactName.IRREGULARITY_FOUND)[0]["rule"] == "R-000-58"
