"""Punto banco, each rule by its id (docs/rules.md R-PB-01..12)."""

from __future__ import annotations

import pytest

from controller.core.bank import Final, Money, Pair, SetStake
from controller.core.cards import Card, Seat
from controller.core.games import PUNTO_BANCO
from controller.core.games.punto_banco import BANKER_ROWS
from controller.core.inputs import Turned
from controller.core.profile import Deal
from controller.core.signals import Call, CardDrawn, Identifies
from controller.core.views import Side
from controller.moneysettings import terms_of
from tests.faults.felt import Felt
from tests.oracle import punto_banco as oracle
from tests.rules.cloth import Cloth

FACES = "TA23456789"  # by point


def felt(cards: str) -> Felt:
    table = Felt()
    table.draw(cards)
    return table


def asks(table: Felt) -> tuple[str, str, str]:
    said = table.view.prompt
    return said.id.removeprefix("prompt."), dict(said.blanks).get("seat", ""), said.rule


def test_r_pb_01_cards_go_to_player_and_banker_in_turn_twice():
    """docs/rules.md R-PB-01."""
    cloth = Cloth("punto-banco", deal=Deal.FACE_UP).cards("2C 3C 3D KD")
    assert cloth.lies() == {"Y": "2C 3D", "B": "3C KD"}


@pytest.mark.parametrize("cards", ["P1:5S B1:2H P2:3C B2:3D", "P1:2S B1:5H P2:3C B2:4D"], ids=["player-8", "banker-9"])
@pytest.mark.parametrize("more", ["P3:2C", "B3:2C"])
def test_r_pb_02_after_a_natural_nobody_gets_a_card(cards, more):
    """docs/rules.md R-PB-02."""
    table = felt(cards)
    assert (table.view.phase, asks(table)[0::2]) == ("complete", ("natural", "R-PB-02"))
    table.draw(more)
    assert any(hold.rule == "R-PB-02" for hold in table.table.hand.holds)


@pytest.mark.parametrize("point", range(8))
def test_r_pb_03_player_draws_to_five_and_stands_on_six_and_seven(point):
    """docs/rules.md R-PB-03."""
    table = felt(f"P1:{FACES[point]}S B1:TH P2:KC B2:7D")
    draws = point <= 5
    assert (table.view.phase, asks(table)[1:]) == (
        ("drawing", ("player", "R-PB-03")) if draws else ("complete", ("banker", "R-PB-04"))
    )


@pytest.mark.parametrize("point", range(8))
def test_r_pb_04_where_player_stood_banker_draws_to_five(point):
    """docs/rules.md R-PB-04."""
    table = felt(f"P1:6S B1:{FACES[point]}H P2:KC B2:KD")
    assert table.view.phase == ("drawing" if point <= 5 else "complete")
    assert asks(table)[1:] == ("banker", "R-PB-04")


@pytest.mark.parametrize("third", range(10))
@pytest.mark.parametrize("point", range(8))
def test_r_pb_05_where_player_drew_banker_goes_by_the_table(point, third):
    """docs/rules.md R-PB-05, all 80 cells, against a table written out apart."""
    table = felt(f"P1:2S B1:{FACES[point]}H P2:KC B2:KD P3:{FACES[third]}C")
    assert (table.view.phase == "drawing") is oracle.banker_draws(point, third)
    assert asks(table)[1:] == ("banker", "R-PB-05")
    assert (BANKER_ROWS[point][third] == "D") is oracle.banker_draws(point, third)


def test_r_pb_06_player_is_decided_before_banker():
    """docs/rules.md R-PB-06: a card for Banker first is out of order and Player's is still owed."""
    table = felt("P1:2S B1:3H P2:3C B2:KD B3:8H")
    assert "player-missed-draw:player" in table.holds


@pytest.mark.parametrize(
    ("cards", "gains"),
    [
        ("2C 3C 5C 2D", {1: 100, 2: -100, 3: -10}),  # 7 against 5, Banker draws a nine: 4
        ("2C 5C 4C 4D", {1: -100, 2: 95, 3: -10}),
        ("2C 3C 4C 3D", {1: 0, 2: 0, 3: 80}),
    ],
    ids=["player", "banker", "tie"],
)
def test_r_pb_07_player_1_to_1_banker_19_to_20_tie_8_to_1_and_a_tie_returns_the_others(cards, gains):
    """docs/rules.md R-PB-07."""
    cloth = Cloth("punto-banco", decks=8, deal=Deal.FACE_UP, money=terms_of(PUNTO_BANCO, Money.FULL, {}))
    for who, (bet, stake) in enumerate([("player", 100), ("banker", 100), ("tie", 10)], 1):
        assert cloth.press(SetStake(who, bet, stake)) == ""
    cloth.cards(cards)
    if cloth.table.hand is not None:
        cloth.cards("9C")
    accounts = {one.name: one.amount for one in cloth.table.bank.accounts}
    assert {who: accounts.get(f"place:{who}", 0) for who in gains} == gains


def test_r_pb_08_a_third_card_lies_face_up_and_the_first_four_as_the_house_deals():
    """docs/rules.md R-PB-08: once the first four were turned, the third card's face is public as it is drawn."""
    cloth = Cloth("punto-banco", deal=Deal.FACE_DOWN).cards("2C 3C 3D KD")
    assert {spot.side for seat in cloth.view.seats for spot in seat.spots} == {Side.BACK}
    assert cloth.press(Turned()) == ""
    cloth.cards("8C")
    assert cloth.view.seats[0].spots[2].side is Side.FACE
    up = Felt(deal=Deal.FACE_UP)
    up.draw("P1:2S B1:3H P2:3C B2:KD")
    assert {spot.side for seat in up.view.seats for spot in seat.spots} == {Side.FACE}


@pytest.mark.parametrize(
    ("cards", "call"),
    [
        ("P1:2S B1:3H P2:5C B2:KD B3:2D", "player"),
        ("P1:2S B1:3H P2:4C B2:4D", "banker"),
        ("P1:2S B1:2H P2:4C B2:4D", "tie"),
    ],
)
def test_r_pb_10_the_side_nearer_nine_wins_and_equal_points_tie(cards, call):
    """docs/rules.md R-PB-10: and a result called otherwise holds the hand with the rule."""
    table = felt(cards)
    table.call(call)
    assert table.results == [call]
    wrong = felt(cards)
    wrong.call("tie" if call != "tie" else "player")
    assert [hold.rule for hold in wrong.table.hand.holds] == ["R-PB-10"]


def test_r_pb_11_no_side_has_more_than_three_cards():
    """docs/rules.md R-PB-11."""
    table = felt("P1:2S B1:3H P2:3C B2:KD P3:8H P4:9C")
    assert [(hold.kind, hold.rule) for hold in table.table.hand.holds] == [("extra-card", "R-PB-11")]


@pytest.mark.parametrize(
    ("first", "second", "pair"),
    [("TS", "JS", Pair.NONE), ("KS", "KD", Pair.RANK), ("4S", "4S", Pair.PERFECT), ("AS", "2S", Pair.NONE)],
)
def test_r_pb_12_a_pair_is_two_first_cards_of_one_rank_and_ten_and_jack_are_none(first, second, pair):
    """docs/rules.md R-PB-12."""
    cards = (Card.parse(first), Card.parse(second))
    assert Final.of(Call.PLAYER, cards, cards).player_pair is pair


def test_r_pb_12_a_third_card_makes_no_pair():
    """docs/rules.md R-PB-12."""
    table = Felt(identifies=Identifies.AT_DRAW)
    table.say(
        *(
            CardDrawn(seat, index, Card.parse(face))
            for seat, index, face in [
                (Seat.PLAYER, 1, "2S"),
                (Seat.BANKER, 1, "3H"),
                (Seat.PLAYER, 2, "3C"),
                (Seat.BANKER, 2, "KD"),
                (Seat.PLAYER, 3, "3S"),
            ]
        )
    )
    table.draw("B3:3D") if table.view.phase == "drawing" else None
    table.call("player" if table.table.hand.judged(PUNTO_BANCO).result is Call.PLAYER else "banker")
    assert table.view.results[0].pairs.value == "none"
