"""Bets where the house pays, and their pays (rules.md R-PB-07, R-PB-12, C.3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.core.bank import (
    Bet,
    Clause,
    CloseStakes,
    Favour,
    Final,
    Holds,
    Money,
    Pair,
    SetStake,
    SettleBets,
    ShowBank,
    Terms,
)
from controller.core.bank.bets import COMMISSION, COMMISSION_FREE, EZ, PAIRS, PREDICATES
from controller.core.bank.terms import CHEMIN
from controller.core.cards import Card
from controller.core.signals import Call
from tests.core.bank.counter import Counter


def layout(*bets: Bet, favour: Favour = Favour.PLAYER) -> Terms:
    return Terms(money=Money.FULL, holds=Holds.HOUSE, sides=(), bets=bets, odd_unit=favour)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(one) for one in text.split())


def final(player: str, banker: str) -> Final:
    hands = cards(player), cards(banker)
    p, b = (sum(card.points for card in hand) % 10 for hand in hands)
    return Final.of(Call.PLAYER if p > b else Call.BANKER if b > p else Call.TIE, *hands)


def won(terms: Terms, bet: str, amount: int, end: Final) -> int:
    counter = Counter(terms).do(SetStake(1, bet, amount), CloseStakes(), SettleBets(end))
    assert counter.bank.covered == 0
    return counter.has("place:1")


PLAYER_WINS, BANKER_WINS = final("9S KD", "2H 5C"), final("2H 5C", "9S KD")
TIE_ENDS = final("7S KD", "2H 5C")
DRAGON = final("2S 2D 2H", "KH 3C 4D")
PANDA = final("2S 3D 3H", "KH 3C KD")
SIX_WINS = final("2S 3D KH", "KH 2C 4D")


@pytest.mark.parametrize(
    ("bet", "end", "gain"),
    [
        ("player", PLAYER_WINS, 100),
        ("player", BANKER_WINS, -100),
        ("player", TIE_ENDS, 0),
        ("banker", BANKER_WINS, 95),
        ("banker", PLAYER_WINS, -100),
        ("banker", TIE_ENDS, 0),
        ("tie", TIE_ENDS, 800),
        ("tie", PLAYER_WINS, -100),
    ],
)
def test_R_PB_07_player_pays_1_to_1_banker_19_to_20_tie_8_to_1(bet: str, end: Final, gain: int):
    """rules.md R-PB-07: a tie returns Player and Banker bets."""
    assert won(layout(*COMMISSION), bet, 100, end) == gain


@pytest.mark.parametrize(("favour", "gain"), [(Favour.PLAYER, 10), (Favour.HOUSE, 9)])
def test_a_commission_of_half_a_unit_goes_where_the_house_says(favour: Favour, gain: int):
    """rules.md R-PB-07 in whole units: 5 per cent of 10 is half a unit; by default it is not taken."""
    assert won(layout(*COMMISSION, favour=favour), "banker", 10, BANKER_WINS) == gain


def test_without_commission_a_banker_who_wins_with_6_is_paid_half():
    """rules.md C.3: Super 6 / commission-free."""
    terms = layout(*COMMISSION_FREE)
    assert (won(terms, "banker", 100, SIX_WINS), won(terms, "banker", 100, BANKER_WINS)) == (50, 100)
    assert (won(terms, "super-6", 10, SIX_WINS), won(terms, "super-6", 10, BANKER_WINS)) == (120, -10)


def test_a_dragon_7_pays_40_to_1_and_the_banker_bet_of_its_layout_pushes():
    """rules.md C.3."""
    terms = layout(*EZ)
    assert (won(terms, "dragon-7", 10, DRAGON), won(terms, "banker", 100, DRAGON)) == (400, 0)
    two_cards = final("2S 4D", "3C 4D")
    assert (won(terms, "dragon-7", 10, two_cards), won(terms, "banker", 100, two_cards)) == (-10, 100)


def test_a_panda_8_is_a_player_who_wins_with_three_cards():
    """rules.md C.3."""
    terms = layout(*EZ)
    natural = final("KS 8D", "3C 4D")
    assert (won(terms, "panda-8", 10, PANDA), won(terms, "panda-8", 10, natural)) == (250, -10)


@pytest.mark.parametrize(
    ("player", "banker", "gains"),
    [
        ("4S 4D", "KH 9C", (110, -10, 50, -10)),
        ("4S 4S", "KH 9C", (110, -10, 50, 250)),
        ("KS 4D", "9H 9C", (-10, 110, 50, -10)),
        ("KS 4D", "9H 9H", (-10, 110, 50, 250)),
        ("TS JS", "9H KC", (-10, -10, -10, -10)),  # ten and jack are no pair
        ("2S 3D 3D", "9H KC", (-10, -10, -10, -10)),  # the first two cards only
    ],
)
def test_R_PB_12_a_pair_is_two_of_one_rank_as_the_first_two(player: str, banker: str, gains: tuple[int, ...]):
    """rules.md R-PB-12, C.3: 11, 11, 5 and 25 to 1."""
    end = final(player, banker)
    names = ("player-pair", "banker-pair", "either-pair", "perfect-pair")
    assert tuple(won(layout(*PAIRS), name, 10, end) for name in names) == gains


@pytest.mark.parametrize(
    ("first", "second", "pair"),
    [
        ("4", "4", Pair.SUITS_UNKNOWN),
        ("0", "K?", Pair.UNKNOWN),
        ("4?", "4S", Pair.SUITS_UNKNOWN),
        ("4", "5", Pair.NONE),
        ("T?", "K?", Pair.NONE),
    ],
)
def test_a_pair_is_known_as_far_as_the_faces_are(first: str, second: str, pair: Pair):
    """rules.md R-PB-12 with values only: ten, jack, queen and king share a value."""
    assert Pair.of(Card.parse(first), Card.parse(second)) is pair


def test_a_bet_that_the_known_faces_do_not_decide_waits_and_nothing_moves():
    """rules.md R-PB-12: values alone do not say what two tens are."""
    counter = Counter(layout(*PAIRS)).do(SetStake(1, "player-pair", 10), CloseStakes())
    unknown = final("0 0", "4 5")
    assert counter.refused(SettleBets(unknown)) == ("faces-unknown", "R-PB-12")
    counter.do(SettleBets(replace(unknown, player_pair=Pair.RANK)))  # a person said so
    assert counter.has("place:1") == 110


def test_a_pair_on_one_side_decides_either_pair_whatever_the_other_is():
    """rules.md C.3."""
    end = final("0 0", "4 4")
    assert PREDICATES["either-pair"](end) is True
    assert PREDICATES["perfect-pair"](end) is None


def test_a_forced_end_returns_every_bet():
    """rules.md 1.5 VOID."""
    terms = layout(*COMMISSION, *PAIRS)
    end = replace(BANKER_WINS, result=Call.FORCED_END, player_pair=Pair.UNKNOWN)
    assert [won(terms, bet.name, 10, end) for bet in terms.bets] == [0] * len(terms.bets)


def test_the_house_has_no_bank_to_show_and_a_banker_no_bets():
    """The tables say what a house may not mix."""
    assert Counter(layout(*COMMISSION)).refused(ShowBank(100)) == ("bank-not-kept", "")
    for wrong in (
        {"money": Money.BANK, "holds": Holds.HOUSE, "sides": (), "bets": COMMISSION},
        {"bets": COMMISSION},
        {"rake_bp": 10_001},
        {"a_cheval": True},
        {"sides": ()},
    ):
        with pytest.raises(ValueError):
            replace(CHEMIN, **wrong)


@pytest.mark.parametrize(("when", "pays", "per"), [("dragon-9", 1, 1), ("tie", -1, 1), ("tie", 1, 0)])
def test_a_clause_names_a_known_event_and_pays_that_can_be(when: str, pays: int, per: int):
    """Pays are house data, and checked as such."""
    with pytest.raises(ValueError):
        Clause(when, pays, per)
