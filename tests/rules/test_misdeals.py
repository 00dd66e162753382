"""Every irregularity of the old texts with its remedy, its waste basket and the bets it opens (rules.md B.4)."""

from __future__ import annotations

import random

import pytest

from controller.core.cards import DECK, Seat
from controller.core.facts import FactName
from controller.core.inputs import Sanction
from controller.core.remedies.situations import Remedy
from tests.rules.cloth import Cloth


def foster(cards: str = "") -> Cloth:
    return Cloth("foster").cards(cards)


def bets_opened(cloth: Cloth) -> bool:
    opened: bool = cloth.told(FactName.REMEDY_APPLIED)[-1]["bets_open"]
    return opened


def test_ir_02_r_000_09_a_faced_card_goes_to_the_basket_and_the_next_one_serves():
    """rules.md IR-02, R-000-09: the card is replaced by the next, so the order of the deal goes on (A1)."""
    cloth = foster("2C 3C 4C")
    assert cloth.apply("IR-02", Remedy.BURN, 1) == ""
    assert cloth.lies() == {"B": "", "R": "2C", "L": "4C"}
    cloth.cards("5C 6C 7C 8C")
    assert cloth.lies() == {"B": "5C 8C", "R": "2C 6C", "L": "4C 7C"}
    assert (cloth.basket(), bets_opened(cloth), cloth.holds) == (["3C"], False, set())
    assert cloth.conserved()


def test_ir_03_r_000_10_11_a_detached_card_that_both_refuse_is_the_bankers():
    """rules.md IR-03, R-000-10, R-000-11, R-000-36."""
    cloth = foster("2C 3C 4C 4D 3D 3S 9C")
    assert cloth.apply("IR-03", Remedy.TO_BANKER, 6) == ""
    assert cloth.lies()["B"] == "4C 3S 9C"
    cloth.close()
    assert (cloth.result, cloth.kinds, bets_opened(cloth)) == ("tie/tie", [], False)


def test_ir_04_r_000_12_13_a_misdeal_seen_before_anybody_looked_is_put_right_and_bets_open():
    """rules.md IR-04, R-000-12, R-000-13."""
    cloth = foster("2C 3C 4C AC 2D 3D").lie("R1 R2 B1 L1 L2 B2")
    assert "wrong-order" in cloth.holds
    assert cloth.apply("IR-04", Remedy.MOVE) == ""
    assert cloth.lies() == {"R": "2C AC", "L": "3C 2D", "B": "4C 3D"}
    assert (cloth.basket(), bets_opened(cloth), cloth.holds) == ([], True, set())
    cloth.cards("TC").takes("R").close()
    assert cloth.kinds == ["wrong-order", "wrong-order"]  # that it happened stays in the record


@pytest.mark.parametrize(
    ("remedy", "result"), [(Remedy.PLAY, "right/banker"), (Remedy.REFUSE, "void/banker")], ids=["plays", "refuses"]
)
def test_ir_05_r_000_14_15_after_somebody_looked_the_holder_plays_or_gives_up_and_binds_his_side(remedy, result):
    """rules.md IR-05, R-000-14, R-000-15; nothing goes to the basket and no bet is opened."""
    cloth = foster("4C 2D 4H 5C TC 4S").lie("R1 L1 B1 R2 L2 B2").lie("R2 L1 B1 R1 L2 B2")
    assert cloth.apply("IR-05", remedy, seat="R") == ""
    cloth.close()
    assert (cloth.result, bets_opened(cloth)) == (result, False)


def test_ir_06_r_000_16_17_a_player_with_a_card_too_many_keeps_two_and_the_third_goes_unseen():
    """rules.md IR-06, R-000-16, R-000-17."""
    cloth = foster("9C 3C 4C 8C TC 6C 5C").lie("R1 L1 B1 R2 L2 B2 R3")
    assert cloth.apply("IR-06", Remedy.PICK, 0) == ""
    assert cloth.lies()["R"] == "8C 5C"
    assert cloth.basket() == ["9C"]
    assert cloth.told(FactName.REMEDY_APPLIED)[-1]["out"] == [None]  # not shown
    assert not bets_opened(cloth)
    assert cloth.conserved()


def test_ir_06_r_000_16_or_he_refuses_the_coup():
    """rules.md IR-06, R-000-16."""
    cloth = foster("9C 3C 4C 8C TC 6C 5C").lie("R1 L1 B1 R2 L2 B2 R3")
    assert cloth.apply("IR-06", Remedy.REFUSE, seat="R") == ""
    cloth.cards("2C").takes("L").close()
    assert cloth.result is not None
    assert cloth.result.startswith("void/")


@pytest.mark.parametrize(
    ("cards", "lost", "point"),
    [("7C AC 5C", "AC", 2), ("KC 9C 3C", "KC", 2), ("2C 2D 2H", "2H", 4)],
    ids=["7-A-5", "K-9-3", "equal-minima"],
)
def test_ir_07_r_000_18_19_20_a_banker_with_too_many_loses_the_card_that_leaves_him_least(cards, lost, point):
    """rules.md IR-07 and its worked examples, R-000-18..20; of equal minima the last dealt."""
    first, second, third = cards.split()
    cloth = foster(f"9H 9D {first} TH TD {second} {third}").lie("R1 L1 B1 R2 L2 B2 B3")
    assert cloth.apply("IR-07", Remedy.MIN_POINT) == ""
    assert (cloth.basket(), bets_opened(cloth)) == ([lost], True)
    own = [laid for laid in cloth.hand.laid if laid.seat is Seat.BANKER]
    assert all(laid.exposed for laid in own)
    assert sum(laid.card.points for laid in own if laid.card) % 10 == point


def test_ir_08_r_000_21_22_23_a_banker_who_took_two_too_early_has_one_card_for_his_whole_point():
    """rules.md IR-08, R-000-21..23, A7: both get another, the first two go out, the third is final and he stands."""
    cloth = foster("4C 3C TD 4D 9S 5C 6C").lie("R1 L1 B1 R2 B2 L2 B3")
    assert cloth.apply("IR-08", Remedy.ONE_CARD) == ""
    assert cloth.lies() == {"R": "4C 4D", "L": "3C 5C", "B": "6C"}
    assert cloth.basket() == ["TD", "9S"]
    cloth.close()
    assert (cloth.result, cloth.told(FactName.REMEDY_APPLIED)[-1]["bets_open"]) == ("right/left", False)
    assert cloth.conserved()


def test_ir_08_that_banker_may_not_draw():
    """rules.md A7."""
    cloth = foster("4C 3C TD TH 9S 5C 2C").lie("R1 L1 B1 R2 B2 L2 B3")
    assert cloth.apply("IR-08", Remedy.ONE_CARD) == ""
    cloth.cards("AC").takes("B").close()
    assert "banker-false-draw" in cloth.holds


def test_ir_08b_where_a_bet_was_amended_he_loses_the_card_that_leaves_him_least():
    """rules.md IR-08b."""
    cloth = foster("4C 3C TD 4D 9S 5C 6C").lie("R1 L1 B1 R2 B2 L2 B3")
    assert cloth.apply("IR-08b", Remedy.MIN_POINT) == ""  # loses the ten: 5, where the nine leaves 6, the six 9
    assert (cloth.basket(), bets_opened(cloth)) == (
        ["TD"],
        True,
    )


def test_ir_09_r_000_24_25_a_banker_who_got_his_first_card_too_late_plays_on_with_nothing():
    """rules.md IR-09, R-000-24, R-000-25, A8: his single card goes out, he counts two tens and may draw."""
    cloth = foster("4C 3C 2D 4H 9S").lie("R1 L1 R2 L2 B1")
    assert cloth.apply("IR-09", Remedy.ZERO_HAND) == ""
    assert (cloth.basket(), cloth.lies()["B"], cloth.holds) == (["9S"], "", set())
    cloth.cards("7C").takes("B").close()
    assert cloth.result == "banker/tie"  # right 6, left 7, banker 0 + 7
    assert cloth.conserved()


def test_ir_10_r_000_32_who_announced_a_natural_falsely_may_not_draw():
    """rules.md IR-10, R-000-32."""
    cloth = foster("2C 3C 4C AD 3D 3S")
    assert cloth.apply("IR-10", Remedy.BAR, seat="R") == ""
    cloth.cards("5C").takes("R")
    assert "right-false-draw" in cloth.holds


def test_ir_10_r_000_32_unless_his_point_was_nothing():
    """rules.md IR-10, R-000-32."""
    cloth = foster("TC 3C 4C KD 3D 3S")
    assert cloth.apply("IR-10", Remedy.BAR, seat="R") == ""
    cloth.cards("5C").takes("R")
    assert cloth.holds == set()


def test_ir_11_r_000_47_of_two_cards_faced_up_the_right_keeps_one_and_the_other_goes_out():
    """rules.md IR-11, R-000-47."""
    cloth = foster("2C 3C 4C 2D 3D 3S 5C 9C").lie("R1 L1 B1 R2 L2 B2 R3 R4")
    assert cloth.apply("IR-11", Remedy.PICK, 6) == ""
    assert (cloth.lies()["R"], cloth.basket()) == ("2C 2D 9C", ["5C"])
    assert cloth.conserved()


def test_ir_12_r_000_48_of_two_cards_faced_up_the_left_keeps_one_and_the_banker_must_take_the_other():
    """rules.md IR-12, R-000-48."""
    cloth = foster("2C 3C 4C 2D 3D 3S 5C 9C").lie("R1 L1 B1 R2 L2 B2 L3 L4")
    assert cloth.apply("IR-12", Remedy.TO_BANKER, 6) == ""
    assert (cloth.lies()["L"], cloth.lies()["B"], cloth.basket()) == ("3C 3D 9C", "4C 3S 5C", [])


def test_ir_13_r_000_06_with_fewer_than_ten_cards_no_hand_follows():
    """rules.md IR-13, R-000-06."""
    cloth = Cloth("foster", decks=1, fewest_cards=10)
    deck = [str(card) for card in DECK]
    random.Random(6).shuffle(deck)
    for at in range(0, 42, 6):
        cloth.cards(" ".join(deck[at : at + 6])).void()
    cloth.cards(deck[42]).void()
    assert cloth.table.shoe.left == 9
    cloth.cards(deck[43])
    assert "few-cards" in {kind for incident in cloth.table.incidents.values() for kind in incident.kinds}
    assert cloth.apply("IR-13", Remedy.END_SHOE) == ""
    assert cloth.table.shoe.stage.value == "finished"


def test_ir_14_r_000_40_a_second_drawn_card_is_treated_as_two_faced_up():
    """rules.md IR-14, R-000-40."""
    cloth = foster("2C 3C 4C 2D 3D 3S 5C 9C").lie("R1 L1 B1 R2 L2 B2 R3 R4")
    assert cloth.apply("IR-14", Remedy.PICK, 7) == ""
    assert (cloth.lies()["R"], cloth.basket()) == ("2C 2D 5C", ["9C"])


def test_ir_15_r_000_58_a_players_false_draw_stands_and_is_sanctioned_as_the_house_has_it():
    """rules.md IR-15, R-000-58, D12."""
    cloth = Cloth("las_vegas", sanctions=(Sanction.LIABLE,)).cards("4C 3C 4D 3D 4H 3S TC").takes("R").close()
    assert cloth.holds == {"right-false-draw"}
    assert cloth.apply("IR-15", Remedy.CORRECT, sanction=Sanction.FINE) == "not-of-this-house"
    assert cloth.apply("IR-15", Remedy.CORRECT, sanction=Sanction.LIABLE) == ""
    assert (cloth.result, cloth.kinds) == ("tie/tie", ["right-false-draw"])
    assert cloth.told(FactName.REMEDY_APPLIED)[-1]["sanction"] == "liable"


@pytest.mark.parametrize("place", [0, 3, 6])
def test_ir_06_whichever_he_throws_away_the_hand_goes_on_without_another_fault(place):
    """docs/rules.md IR-06: the order of the cards that are left proves nothing any more."""
    cloth = foster("2C 3C 4C 2D TC 3S TH").lie("R1 L1 B1 R2 L2 B2 R3")
    assert cloth.apply("IR-06", Remedy.PICK, place) == ""
    assert cloth.holds == set()
    cloth.cards("AC").takes("L").close()
    assert cloth.kinds == []


def test_ir_07_a_natural_that_is_left_ends_nothing_before_all_hands_are_shown():
    """docs/rules.md IR-07, R-000-27: the banker's cards lie open, the others' still have to be turned."""
    cloth = foster("2C 3C 4C 2D 3D 4D 4H").lie("R1 L1 B1 R2 L2 B2 B3")
    assert cloth.apply("IR-07", Remedy.MIN_POINT) == ""
    assert cloth.asks[0] == "natural"
    cloth.close()
    assert (cloth.result, cloth.points) == ("banker/banker", {"R": 4, "L": 6, "B": 8})


def test_ir_02_a_replacement_lies_where_the_deal_has_it_whoever_was_named_for_the_next_card():
    """docs/rules.md IR-02, A1."""
    cloth = Cloth("chemin_tableau").cards("2C 3C 4C 3D").takes("B")
    assert cloth.apply("IR-02", Remedy.BURN, 0) == ""
    cloth.cards("9C")
    assert cloth.lies() == {"P": "3C 3D", "B": "4C 9C"}
    assert cloth.points == {"P": None, "B": None}


def test_ir_02_cards_that_can_have_gone_to_one_seat_only_are_not_asked_for():
    """docs/rules.md IR-02: seven cards, one burnt out of the deal, so punter and banker each took one."""
    cloth = Cloth("chemin_tableau").cards("2C 3C 4C 3D TC TD 9C")
    assert cloth.apply("IR-02", Remedy.BURN, 0) == ""
    assert cloth.lies() == {"P": "3C 3D TD", "B": "4C TC 9C"}


def test_a_close_that_was_pressed_late_may_still_turn_out_to_be_forgotten():
    """Promised: one key says that a card opened the next hand; what was asked about that card is asked no more."""
    cloth = Cloth("chemin_tableau").cards("6C 7C TC TD 5C").close()
    assert cloth.holds == {"taker-unknown"}
    cloth.opened_next(4)
    assert (cloth.result, cloth.kinds, cloth.lies()) == ("banker", [], {"P": "5C", "B": ""})


def test_ir_03_a_card_of_the_deal_is_nobodys_third():
    """docs/rules.md IR-03: only a card that was detached after the deal can be refused."""
    cloth = foster("2C 3C 4C 2D 3D 3S 9C")
    assert cloth.apply("IR-03", Remedy.TO_BANKER, 0) == "bad-layout"
    assert Cloth("punto-banco").cards("2C 3C 4C").apply("PBI-01", Remedy.TO_BANKER, 2) == "bad-layout"
