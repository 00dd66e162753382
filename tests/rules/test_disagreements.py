"""Where the texts disagree a profile chooses: the same cards, another switch, another outcome (rules.md B.6)."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from controller.core.bank import CallBanco, Money, SetCover, ShowBank
from controller.core.cards import Seat
from controller.core.games import GAMES, game_of
from controller.moneysettings import BankChoices, terms_of
from controller.profiles import names, profile, text_of
from tests.rules.cloth import Cloth
from tests.rules.table import read

NO_NATURAL = "2C 3C 4C AC 2D 3D"  # right 3, left 5, banker 7
REQUEST = {"thirds": "by_request", "both_refuse": "free"}
V_004 = "5C 9S TC 3C 4C AH"  # right 8, left 3, banker 1


def banque(**switches: str) -> Cloth:
    return Cloth(game_of("banque", switches))


def money(**choices: Any) -> Cloth:
    """Chemin de fer with 1,000 in the bank."""
    cloth = Cloth("chemin_tableau", money=terms_of(GAMES["chemin_tableau"], Money.BANK, choices))
    assert cloth.press(ShowBank(1_000)) == ""
    return cloth


def test_d1_a_natural_ends_the_hand_for_all_or_for_its_own_side():
    """rules.md D1, V-004: the same cards, the opposite left-hand result."""
    assert banque(natural_flow="all_at_once", **REQUEST).cards(V_004).close().result == "right/left"
    sequential = banque(natural_flow="sequential", **REQUEST).cards(V_004)
    assert sequential.takes("L").cards("8D").takes("B").cards("8C").close().result == "right/banker"
    assert sequential.kinds == []


def test_d2_a_natural_beats_a_drawn_nine_where_it_can_meet_one():
    """rules.md D2, R-004-16: right's eight against the banker's nine of three cards."""
    cloth = banque(natural_flow="sequential", **REQUEST).cards(V_004).takes("L").cards("8D").takes("B").cards("8C")
    assert cloth.close().result.split("/")[0] == "right"
    assert not game_of("banque", {"natural_flow": "all_at_once"}).outranks


@pytest.mark.parametrize(("looks", "asks"), [("together", "card-or-none"), ("banker_first", "looks-first")])
def test_d3_the_console_says_who_looks_first(looks, asks):
    """rules.md D3."""
    assert banque(looks=looks, **REQUEST).cards(NO_NATURAL).asks[0] == asks


@pytest.mark.parametrize(("thirds", "asks"), [("travelling", "offer"), ("by_request", "card-or-none")])
def test_d4_a_third_card_is_offered_or_asked_for(thirds, asks):
    """rules.md D4."""
    assert banque(thirds=thirds).cards(NO_NATURAL).asks[0] == asks


@pytest.mark.parametrize(("both_refuse", "wrong"), [("forced", ["banker-missed-draw"]), ("free", [])])
def test_d5_both_refuse_and_the_banker_must_or_may(both_refuse, wrong):
    """rules.md D5, V-000-36: even at seven."""
    cloth = banque(both_refuse=both_refuse).cards(NO_NATURAL).close()
    assert (sorted(cloth.holds) if cloth.table.hand else []) == wrong


@pytest.mark.parametrize(("ties", "covered"), [("ride", 400), ("return", 0)])
def test_d6_stakes_of_a_tie_ride_or_are_free_again(ties, covered):
    """rules.md D6."""
    cloth = money(**BankChoices(ties=ties).model_dump(exclude_none=True))
    assert cloth.press(SetCover(Seat.PUNTER, 400)) == ""
    cloth.cards("5C 5H 3C 3H").close()
    assert cloth.table.bank is not None
    assert cloth.table.bank.covered == covered


@pytest.mark.parametrize(("side", "nearer", "further"), [(Seat.RIGHT, 2, 9), (Seat.LEFT, 9, 2)])
def test_d7_banco_goes_round_from_the_right_or_from_the_left(side, nearer, further):
    """rules.md D7: the first place is the banker's."""
    cloth = money(claims_from=side)
    assert cloth.press(CallBanco(further)) == ""
    assert cloth.press(CallBanco(nearer)) == ""
    assert cloth.press(CallBanco(further)) == "banco-nearer"


@pytest.mark.parametrize("decks", [3, 6])
def test_d8_the_shoe_holds_as_many_packs_as_the_house_says(decks):
    """rules.md D8."""
    assert Cloth("foster", decks=decks).table.shoe.left == 52 * decks


@pytest.mark.parametrize(("fewest", "told"), [(10, True), (7, False)])
def test_d9_a_deal_needs_as_many_cards_as_the_house_says(fewest, told):
    """rules.md D9: nine are left."""
    cloth = Cloth("chemin_tableau", decks=1, fewest_cards=fewest)
    for _ in range(43):
        cloth.table.shoe.take(None)
    cloth.cards("5C")
    assert any("few-cards" in one.kinds for one in cloth.table.incidents.values()) is told


@pytest.mark.parametrize(("rule", "wrong"), [("advice", []), ("club_law", ["R-000-58"]), ("strict", ["R-004-21"])])
def test_d11_a_card_on_seven_is_foolish_or_false(rule, wrong):
    """rules.md D11: right holds seven and takes one."""
    cloth = banque(five_rule=rule, **REQUEST).cards("3C 3D 4C 4D 2D 3S TC").takes("R").close()
    assert [hold.rule for hold in (cloth.hand.holds if cloth.table.hand else ())] == wrong


@pytest.mark.parametrize(("choice", "result"), [("compare", "right/banker"), ("wins", "banker/banker")])
def test_d13_a_bankers_eight_against_a_nine_is_compared_or_wins(choice, result):
    """rules.md D13, R-004-08."""
    assert banque(banker_natural=choice).cards("5C 2D 4C 4D 2S 4H").close().result == result


@pytest.mark.parametrize(("holds", "banker", "left"), [("passes", 2, 0), ("stays", -1, 600)])
def test_d14_a_banker_who_lost_passes_the_bank_or_stays(holds, banker, left):
    """rules.md D14, R-002-19: he pays 400 out of 1,000."""
    cloth = money(**BankChoices(holds=holds).model_dump(exclude_none=True))
    assert cloth.press(SetCover(Seat.PUNTER, 400)) == ""
    cloth.cards("5C 2C 3C 3H").close()
    bank = cloth.table.bank
    assert bank is not None
    assert (bank.banker, bank.sum) == (banker, left)
    assert sum(one.amount for one in bank.accounts) == 0


def test_d14_a_bank_passes_only_where_one_hand_plays_against_it():
    """rules.md D14, R-000-52: with two sides it is the seats that move."""
    with pytest.raises(ValueError, match="D14"):
        terms_of(GAMES["foster"], Money.BANK, BankChoices(holds="passes").model_dump(exclude_none=True))


@pytest.mark.parametrize("name", [name for name in names() if profile(name).game.asks_taker])
def test_d14_every_profile_of_an_old_game_says_what_moves_on_a_loss(name):
    """rules.md 1.6: one file a profile, each row with its source."""
    assert tomllib.loads(text_of(name))["bank"]["holds"] == ("passes" if name.startswith("chemin") else "stays")


def test_every_disagreement_is_a_switch_or_says_why_it_is_none():
    """rules.md B.6 D1..D15."""
    rules = read()[1]
    for number in range(1, 16):
        row = rules[f"D{number}"]
        assert bool(row.get("switch")) != bool(row.get("reason")), number
