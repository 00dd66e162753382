"""Baccarat banque as in Las Vegas, each rule by its id (docs/rules.md R-004-01..21)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.core.bank import CallBanco, Money, Penalise, SetCover, ShowBank
from controller.core.cards import Card, Seat
from controller.core.facts import FactName
from controller.core.inputs import Sanction
from controller.core.remedies.situations import Remedy
from controller.core.views import Side
from controller.profiles import profile
from tests.rules.cloth import Cloth

NO_NATURAL = "2C 3C 4C 2D 3D 3S"  # right 4, left 6, banker 7
V_004 = "5C 9S TS 3C 4C AH"  # right 8, left 3, banker 1


def vegas(cards: str = "", **house: object) -> Cloth:
    return Cloth("las_vegas", **house).cards(cards)


def with_bank() -> Cloth:
    cloth = vegas(money=profile("banque_las_vegas", money=Money.BANK).money)
    assert cloth.press(ShowBank(1_000)) == ""
    return cloth


def test_r_004_01_eight_packs_in_las_vegas_and_six_elsewhere():
    """docs/rules.md R-004-01, D8."""
    assert profile("banque_las_vegas").decks == 8
    assert (vegas(decks=8).table.shoe.size, vegas(decks=6).table.shoe.size) == (416, 312)


@pytest.mark.parametrize(("rank", "points"), [*zip("A23456789", range(1, 10), strict=True), *((r, 0) for r in "TJQK")])
def test_r_004_02_courts_and_tens_count_nothing_and_others_their_pips(rank, points):
    """docs/rules.md R-004-02, 1.1."""
    assert Card.parse(f"{rank}S").points == points


def test_r_004_03_as_many_places_lie_on_each_side_of_the_banker():
    """docs/rules.md R-004-03."""
    with pytest.raises(ValueError, match="places is even"):
        replace(with_bank().table.house.money, places=9)


def test_r_004_04_05_any_player_may_go_bank_and_the_nearest_at_the_bankers_left_has_it():
    """docs/rules.md R-004-04, R-004-05, D7: places 6 to 10 lie at his left, the nearest first."""
    cloth = with_bank()
    assert cloth.press(CallBanco(2)) == ""
    assert cloth.press(CallBanco(7)) == ""
    assert cloth.press(CallBanco(6)) == ""
    assert cloth.press(CallBanco(1)) == "banco-nearer"
    assert cloth.table.bank is not None
    assert cloth.table.bank.claim is not None
    assert (cloth.table.bank.claim.place, cloth.table.bank.covered) == (6, 1_000)


def test_r_004_06_where_nobody_does_the_stakes_combine_to_the_bank():
    """docs/rules.md R-004-06."""
    cloth = with_bank()
    assert cloth.press(SetCover(Seat.RIGHT, 600)) == ""
    assert cloth.press(SetCover(Seat.LEFT, 401)) == "over-the-bank"
    assert cloth.press(SetCover(Seat.LEFT, 400)) == ""


def test_r_004_07_the_right_the_left_and_the_banker_are_dealt_face_down_twice():
    """docs/rules.md R-004-07."""
    cloth = vegas("2C 3C 4C 5C 6C 7C")
    assert cloth.lies() == {"R": "2C 5C", "L": "3C 6C", "B": "4C 7C"}
    assert {spot.side for seat in cloth.view.seats for spot in seat.spots} == {Side.BACK}


def test_r_004_08_09_19_the_banker_looks_first_and_gives_or_shows():
    """docs/rules.md R-004-08, R-004-09, R-004-19, R-FRB-06, D3: the console has the banker speak before the right."""
    cloth = vegas(NO_NATURAL)
    said = cloth.view.prompt
    assert (said.id, dict(said.blanks)) == ("prompt.looks-first", {"seat": "right", "then": "banker"})


def test_r_004_08_a_bankers_natural_ends_the_coup_and_wins():
    """docs/rules.md R-004-08."""
    cloth = vegas("2C 3C 4C 2D 3D 4S").close()
    assert (cloth.result, cloth.kinds) == ("banker/banker", [])
    for seat in ("right", "left", "banker"):
        drawn = vegas("2C 3C 4C 2D 3D 4S 2H").takes(seat[0].upper()).close()
        assert f"{seat}-false-draw" in drawn.holds


def test_r_004_10_20_a_players_natural_ends_his_own_draw_and_no_other():
    """docs/rules.md R-004-10, R-004-20."""
    drawn = vegas("5C 3C 4C 3D 2D 3S TH").takes("R").close()
    assert drawn.told(FactName.IRREGULARITY_FOUND)[0]["rule"] == "R-004-20"
    left = vegas("5C 3C 4C 3D AD 3S TH").takes("L").close()  # left 4 draws a ten against a banker's 7
    assert (left.kinds, left.result) == ([], "right/banker")


def test_r_004_11_12_each_player_may_ask_for_one_card_face_up_the_right_before_the_left():
    """docs/rules.md R-004-11, R-004-12, D4."""
    cloth = vegas("2C 2H 4C 2D 2S 3S").takes("R").cards("AC")
    right = next(seat for seat in cloth.view.seats if seat.seat is Seat.RIGHT)
    assert [spot.side for spot in right.spots] == [Side.BACK, Side.BACK, Side.FACE]
    cloth.takes("L").cards("AD")
    left = next(seat for seat in cloth.view.seats if seat.seat is Seat.LEFT)
    assert left.spots[2].side is Side.FACE
    assert cloth.view.takers == (Seat.BANKER,)
    assert cloth.close().kinds == []


@pytest.mark.parametrize("more", ["", " TC"], ids=["stands", "draws"])
def test_r_004_13_the_banker_takes_a_card_if_he_chooses(more):
    """docs/rules.md R-004-13, D5: also where both refused."""
    cloth = vegas("4C 3C 4S 3D 3D 2S" + more)
    if more:
        cloth.takes("B")
    assert cloth.close().kinds == []


@pytest.mark.parametrize(
    ("cards", "result"),
    [("4C 3C 3D 3S 3H 3C", "right/tie"), ("4C 2C 3D 3S 3H TC", "right/left"), ("4C 3C 4D 3S 3H 3C", "tie/banker")],
)
def test_r_004_14_each_side_settles_apart_and_equality_is_neutral(cards, result):
    """docs/rules.md R-004-14."""
    cloth = vegas(cards).close()
    assert (cloth.result, cloth.kinds) == (result, [])


def test_v_004_r_004_15_16_a_natural_eight_beats_a_drawn_nine_and_the_bank_wins_the_left():
    """docs/rules.md R-004-15, R-004-16, vector V-004, D1, D2: where naturals end one side only."""
    cloth = vegas(V_004 + " 8D 8C").takes("L").close()
    assert (cloth.points, cloth.kinds) == ({"R": 8, "L": 1, "B": 9}, [])
    assert cloth.result == "right/banker"


def test_v_004_r_000_27_the_same_cards_lose_the_bank_both_sides_where_a_natural_ends_everything():
    """docs/rules.md vector V-004, D1: the opposite result on the left."""
    cloth = Cloth("foster").cards(V_004).close()
    assert (cloth.points, cloth.result, cloth.kinds) == ({"R": 8, "L": 3, "B": 1}, "right/left", [])


def test_r_004_17_the_point_of_a_drawn_hand_is_secret_until_the_banker_faces():
    """docs/rules.md R-004-17."""
    cloth = vegas(V_004 + " 8D").takes("L")
    assert cloth.points == {"R": None, "L": None, "B": None}
    cloth.cards("8C")
    assert cloth.points == {"R": None, "L": None, "B": None}
    assert cloth.close().points == {"R": 8, "L": 1, "B": 9}


def test_r_004_18_who_departs_from_the_rule_is_written_down_as_liable_and_no_money_moves():
    """docs/rules.md R-004-18, D12."""
    cloth = with_bank()
    assert cloth.press(Penalise(3, Sanction.LIABLE, "R-004-18")) == ""
    assert cloth.table.bank is not None
    written = cloth.table.bank.sanctions[0]
    assert (written.place, written.penalty, cloth.table.bank.sum) == (3, Sanction.LIABLE, 1_000)
    wrong = vegas("4C 3C 4D 3D 4H 3S TC", sanctions=(Sanction.LIABLE,)).takes("R").close()
    assert wrong.apply("IR-15", Remedy.CORRECT, sanction=Sanction.LIABLE) == ""


@pytest.mark.parametrize(
    ("right", "draws", "kinds"),
    [
        ("AC 3D", True, []),
        ("AC 3D", False, ["right-missed-draw"]),
        ("2C 3D", True, []),
        ("2C 3D", False, []),
        ("3C 3D", True, ["right-false-draw"]),
        ("3C 3D", False, []),
        ("4C 3D", True, ["right-false-draw"]),
    ],
)
def test_r_004_21_a_player_draws_to_four_stands_from_six_and_chooses_at_five(right, draws, kinds):
    """docs/rules.md R-004-21, D11."""
    one, two = right.split()
    cloth = vegas(f"{one} 3H TC {two} 3S 7C")
    if draws:
        cloth.cards("TH").takes("R")
    cloth.close()
    if kinds:
        assert cloth.told(FactName.IRREGULARITY_FOUND)[0]["rule"] == "R-004-21"
        cloth.accept()
    assert cloth.kinds == kinds
