"""Chemin de fer, each rule by its id (docs/rules.md R-002, R-003, FD)."""

from __future__ import annotations

import random

import pytest

from controller.core.bank import Money, ShowBank
from controller.core.cards import DECK, Seat
from controller.core.facts import FactName
from controller.core.games import GAMES
from controller.core.inputs import Command, Input, Moment, Takes, Turned
from controller.core.profile import NewShoes
from controller.core.remedies.situations import Remedy
from controller.core.showing import public_view
from controller.core.signals import BurnCardDrawn, CardDrawn
from controller.core.views import Side
from controller.moneysettings import terms_of
from controller.profiles import names, profile
from tests.rules.cloth import Cloth

SIX = "2C 3C 4C 3D"  # punter 6, banker 6
FOUR = "2C 3C 2D 3D"  # punter 4, banker 6
FIVE = "2C 3C 3D 3H"  # punter 5, banker 6
NATURAL = "5C 3C 3D 4D"  # punter 8, banker 7


def chemin(cards: str = "", game: str = "chemin_tableau") -> Cloth:
    return Cloth(game).cards(cards)


def broken(cloth: Cloth) -> list[tuple[str, str | None]]:
    """What was wrong, with the rule, let stand by a supervisor."""
    if cloth.table.hand is not None:
        cloth.accept()
    return cloth.rules


def test_r_002_01_six_packs_lie_in_the_shoe():
    """docs/rules.md R-002-01, D8."""
    assert {profile(name).decks for name in names() if profile(name).game.name == "chemin-de-fer"} == {6}
    assert chemin().table.shoe.size == 6 * 52


def test_r_002_02_used_cards_are_out_of_play():
    """docs/rules.md R-002-02: what was dealt stays counted out, whatever became of the hand."""
    cloth = chemin(SIX).close().cards("5C 5D").void()
    assert (len(cloth.table.shoe.faces), cloth.conserved()) == (6, True)


def test_r_002_12_the_punters_and_the_banker_are_dealt_face_down_in_turn():
    """docs/rules.md R-002-12."""
    cloth = chemin("2C 3C 4C 5C")
    assert cloth.lies() == {"P": "2C 4C", "B": "3C 5C"}
    assert {spot.side for seat in cloth.view.seats for spot in seat.spots} == {Side.BACK}


def test_r_002_14_both_look_once_four_cards_are_out_and_the_public_sees_nothing():
    """docs/rules.md R-002-14."""
    cloth = chemin("2C 3C 4C")
    assert (cloth.asks[0], cloth.view.takers) == ("card-next", ())
    cloth.cards("3D")
    assert (cloth.asks[0], cloth.points) == ("card-or-none", {"P": None, "B": None})


@pytest.mark.parametrize("cards", [NATURAL, "5C 3C 4D 4D", "2C 5C 3D 3D"], ids=["punter-8", "punter-9", "banker-8"])
def test_r_002_15_an_eight_or_nine_is_shown_and_the_hand_is_over(cards):
    """docs/rules.md R-002-15."""
    cloth = chemin(cards).close()
    assert (cloth.kinds, cloth.table.hand) == ([], None)


@pytest.mark.parametrize(("cards", "result"), [(NATURAL, "punter"), ("2C 5C 3D 3D", "banker"), ("5C 5D 3D 3H", "tie")])
def test_r_002_16_17_28_the_hands_are_exposed_and_the_better_point_wins(cards, result):
    """docs/rules.md R-002-16, R-002-17, R-002-28."""
    assert chemin(cards).close().result == result


def test_r_002_20_fd_p3_who_takes_a_card_has_said_that_nobody_holds_a_natural():
    """docs/rules.md R-002-20, FD-P3: one that was held comes out when the cards are turned, not before."""
    cloth = chemin(NATURAL + " TC")
    assert cloth.holds == set()
    assert broken(cloth.takes("P").close()) == [("punter-false-draw", "R-002-15")]
    assert broken(chemin(NATURAL + " TC").takes("B").close())[0] == ("banker-false-draw", "R-002-15")


def test_r_002_21_the_banker_offers_the_punter_a_third_card():
    """docs/rules.md R-002-21: the punter is asked first, then the banker."""
    said = chemin(SIX).view.prompt
    assert (said.id, dict(said.blanks)) == ("prompt.card-or-none", {"seat": "punter", "then": "banker"})


def test_r_002_22_the_card_that_the_punter_accepts_is_given_face_up():
    """docs/rules.md R-002-22, D4."""
    cloth = chemin(FOUR).takes("P").cards("9C")
    punter = cloth.view.seats[0]
    assert [spot.side for spot in punter.spots] == [Side.BACK, Side.BACK, Side.FACE]
    assert str(punter.spots[2].card) == "9C"


@pytest.mark.parametrize("total", range(5))
def test_r_002_22_24_fd_p1_a_punter_must_accept_on_nought_to_four(total):
    """docs/rules.md R-002-22, R-002-24, FD-P1."""
    first = "TC" if total == 0 else f"{'A234'[total - 1]}C"
    cloth = chemin(f"{first} 4C TD 3D").close()
    assert ("punter-missed-draw", "R-002-22") in broken(cloth)
    assert ("punter-missed-draw", "R-002-22") not in broken(chemin(f"{first} 4C TD 3D TH").takes("P").close())


@pytest.mark.parametrize("first", ["6C", "7C"])
def test_r_002_23_24_fd_p2_a_punter_must_refuse_on_six_and_seven(first):
    """docs/rules.md R-002-23, R-002-24, FD-P2."""
    assert broken(chemin(f"{first} 4C TD 3D").close()) == []
    assert ("punter-false-draw", "R-002-23") in broken(chemin(f"{first} 4C TD 3D TH").takes("P").close())


def test_r_002_25_what_a_false_draw_costs_is_the_houses_and_never_money_by_itself():
    """docs/rules.md R-002-25, D12: blame, liability or a fine by house; the result stands."""
    assert {one.value for one in profile("chemin_free").sanctions} == {"blame", "liable", "fine"}
    cloth = chemin("2C 4C 4D 3D TC").takes("P").close().accept()
    assert cloth.result == "banker"


def test_r_002_26_only_five_is_optional_and_the_console_gives_no_advice():
    """docs/rules.md R-002-26: the page is the same whatever the punter holds."""
    assert broken(chemin(FIVE).close()) == []
    assert broken(chemin(FIVE).takes("P").cards("TC").close()) == []
    pages = [chemin(cards).view for cards in (FIVE, FOUR, SIX)]
    assert pages[0] == pages[1] == pages[2]


@pytest.mark.parametrize("banker", ["TD KC", "7D KC"], ids=["nothing", "seven"])
@pytest.mark.parametrize("more", ["", " 2H"], ids=["stands", "draws"])
def test_r_002_27_a_free_banker_draws_or_stands_as_he_likes(banker, more):
    """docs/rules.md R-002-27: chemin_free has no false draw of the banker."""
    one, two = banker.split()
    cloth = chemin(f"4C {one} 2C {two}" + more, game="chemin_free")
    if more:
        cloth.takes("B")
    assert broken(cloth.close()) == []


def test_r_002_30_how_long_a_punter_thinks_shows_nowhere():
    """docs/rules.md R-002-30: the same hand played at once and with a pause of a minute looks the same."""
    views = []
    for pause in (0, 60_000_000_000):
        cloth = chemin(FOUR)
        at = Moment(pause, pause)
        ref = cloth.hand.ref
        cloth.table.apply(Input(Command("k", Takes(Seat.PUNTER), ref), at, "staff:7"))
        cloth.table.apply(Input(CardDrawn(None, None, None), at))
        views.append(public_view(cloth.table, ident="1", name="Table 1"))
    assert views[0] == views[1]


def test_r_003_16_a_fresh_supply_is_a_new_shoe_and_the_bank_stays_with_its_banker():
    """docs/rules.md R-003-16, D10: in place of a handful from the heap."""
    money = terms_of(GAMES["chemin_tableau"], Money.BANK, {})
    cloth = Cloth("chemin_tableau", money=money, new_shoe=NewShoes.WIRE)
    cloth.press(ShowBank(1_000))
    cloth.cards("2C 5C 3D 3D").close()
    before = cloth.table.bank
    cloth.table.apply(Input(BurnCardDrawn(sets_count=True, left=0, card=None)))
    assert (cloth.table.shoe.number, cloth.table.bank) == (2, before)


@pytest.mark.parametrize(("short", "told"), [(7, False), (6, True)])
def test_r_003_17_18_a_valid_deal_needs_seven_cards(short, told):
    """docs/rules.md R-003-17, R-003-18, D9, C.4: with fewer the deal is stopped and a fresh supply is asked for."""
    cloth = Cloth("chemin_tableau", decks=1, fewest_cards=7, cut_card_by=0)
    deck = [str(card) for card in DECK]
    random.Random(6).shuffle(deck)
    for at in range(0, 52 - short, 3):
        cloth.cards(" ".join(deck[at : min(at + 3, 52 - short)])).void()
    assert cloth.table.shoe.left == short
    cloth.cards(deck[-1])
    assert ("few-cards" in {kind for one in cloth.table.incidents.values() for kind in one.kinds}) is told
    assert cloth.apply("IR-13", Remedy.END_SHOE) == ""
    assert (cloth.table.hand, cloth.view.stage, cloth.asks[0]) == (None, "finished", "shoe-finished")


@pytest.mark.parametrize(
    ("cards", "taker", "found"),
    [
        ("6C 5C KC TD", "", ("banker-missed-draw", "FD-B1")),
        ("6C 6D KC TD TH", "B", ("banker-false-draw", "FD-B2")),
        ("4C 5C KC TD TH TS", "BP", ("wrong-order", "FD-B3")),
    ],
    ids=["FD-B1", "FD-B2", "FD-B3"],
)
def test_fd_b1_b2_b3_a_banker_is_bound_by_the_tableau_and_decides_last(cards, taker, found):
    """docs/rules.md FD-B1 had to draw, FD-B2 had to stand, FD-B3 before the punter."""
    cloth = chemin(cards)
    if taker == "BP":
        cloth.lie("P1 B1 P2 B2 B3 P3")
    elif taker:
        cloth.takes(taker)
    assert found in broken(cloth.close())


@pytest.mark.parametrize("cell", [("3", "9C"), ("5", "4C")], ids=["3-9", "5-4"])
@pytest.mark.parametrize("more", ["", " TS"], ids=["stands", "draws"])
def test_fd_b1_b2_an_optional_cell_is_no_false_draw_where_the_house_has_it(cell, more):
    """docs/rules.md A.4: the two optional cells, and their absence in chemin_tableau_no_option."""
    banker, third = cell
    cards = f"4C {banker}D KC TD"
    assert broken(chemin(cards).takes("P").cards(third + more).close()) == []
    bound = broken(chemin(cards, game="chemin_tableau_no_option").takes("P").cards(third + more).close())
    assert bound == ([] if more else [("banker-missed-draw", "FD-B1")])


def test_a_false_draw_shows_when_the_cards_are_turned_and_not_before():
    """docs/rules.md A.5: unproved until exposure."""
    cloth = chemin("6C 4C KC 3D TH").takes("P")
    assert (cloth.holds, cloth.told(FactName.IRREGULARITY_FOUND)) == (set(), [])
    assert cloth.press(Turned()) == ""
    assert "punter-false-draw" in cloth.holds
