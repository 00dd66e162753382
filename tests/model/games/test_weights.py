"""Whole shoes counted to the integer: how often each decision comes up (rules.md A.4, A.5, B.3, C.5)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from controller.core.cards import Seat
from controller.core.games import GAMES, PUNTO_BANCO
from controller.core.judge import judge
from controller.core.judgement import Next
from tests.oracle import whole_shoe as shoe
from tests.oracle.old_games import RULES, STOOD, laid, table_draws, tell

FREE, TABLEAU = RULES["chemin_free"], RULES["chemin_tableau"]
GAME = GAMES["chemin_tableau"]
WORD = {Next.CARD: "must", Next.CHOICE: "may"}


def by_fold(player: int, banker: int, *thirds: int) -> tuple[str, str]:
    """Who is asked next and how, after cards of these points and the punter's third: ("", "") for nobody."""
    told = tell(TABLEAU, laid(TABLEAU, (0, 0, player, banker), *(("punter", third) for third in thirds)))
    return told.next[0] if told.next else ("", "")


def by_judge(player: int, banker: int, *thirds: int) -> tuple[str, str]:
    first = zip(GAME.deal, (0, 0, player, banker), strict=True)
    step = judge(GAME, (*first, *((Seat.PUNTER, third) for third in thirds))).step
    return (step.seat.value, WORD[step.next]) if step.next in WORD else ("", "")


BOTH = pytest.mark.parametrize("asked", [by_fold, by_judge])


@BOTH
def test_the_punter_of_six_packs_must_draw_choose_and_stand_as_often_as_published(asked):
    """rules.md A.5, weights."""
    said = {points: asked(*points) for points in product(range(10), repeat=2)}
    found: Counter[str] = Counter()
    for (player, banker, _, _), weight in shoe.two_hands(6).items():
        seat, word = said[player, banker]
        found["natural" if max(player, banker) >= 8 else word if seat == "punter" else "not"] += weight
    assert found == {
        "must": 374_711_398_915_392,
        "may": 67_652_013_090_816,
        "not": 134_951_179_499_136,
        "natural": 301_554_615_390_336,
    }
    assert sum(found.values()) == shoe.total(6) == 878_869_206_895_680


@BOTH
def test_a_natural_leaves_nobody_to_ask(asked):
    """R-002-15: what the weight of any natural counts."""
    naturals = [points for points in product(range(10), repeat=2) if max(points) >= 8]
    assert {asked(*points) for points in naturals} == {("", "")}


@pytest.mark.parametrize(
    ("cell", "published"),
    [
        ((3, 9), 3_998_283_277_824),
        ((5, 4), 3_988_657_251_072),
        ((4, 1), 3_967_882_320_384),
        ((6, STOOD), 15_694_174_919_808),
    ],
)
def test_each_optional_cell_of_the_banker_comes_as_often_as_published(cell, published):
    """rules.md A.5: six packs, a punter who draws at five."""
    banker, third = cell
    assert published == sum(
        weight
        for (player, point, fifth, _), weight in shoe.without_natural(6)
        if point == banker and (fifth if player <= 5 else STOOD) == third
    )


def played(six: shoe.Six, *, takes: bool) -> tuple[int, int]:
    """Who wins (-1 the punter, 0, 1 the banker), and with how many cards, by a banker who follows the table."""
    player, banker, *left = six
    third = left.pop(0) if takes else None
    draws = table_draws(banker, third)
    after = (banker + left[0]) % 10 if draws else banker
    return shoe.sign((player + (third or 0)) % 10, after), 4 + (third is not None) + draws


@pytest.fixture(scope="module")
def wrongs() -> Counter[tuple[str, bool, bool]]:
    """Six packs: (must draw or must not, the other result, as many cards) of a punter who did the contrary."""
    found: Counter[tuple[str, bool, bool]] = Counter()
    for six, weight in shoe.without_natural(6):
        if six[0] != 5:
            drawn, stood = played(six, takes=True), played(six, takes=False)
            found["stand" if six[0] < 5 else "draw", drawn[0] != stood[0], drawn[1] == stood[1]] += weight
    return found


def test_a_false_stand_and_a_false_draw_change_the_result_as_often_as_published(wrongs):
    """rules.md A.5."""
    changed = {sort: sum(w for (s, other, _), w in wrongs.items() if s == sort and other) for sort in ("stand", "draw")}
    assert changed == {"stand": 182_003_012_280_000, "draw": 58_938_527_528_064}


def test_of_false_draws_153_in_a_thousand_use_no_card_more_and_no_card_less(wrongs):
    """rules.md A.5: what a shoe that only counts cannot see."""
    unseen = sum(weight for (_, _, same), weight in wrongs.items() if same)
    assert round(Fraction(unseen, sum(wrongs.values())) * 1000) == 153


def test_with_five_cards_out_the_cards_alone_never_tell_who_took_the_fifth():
    """rules.md A.5: both readings are lawful at a punter's five, and often they name another winner."""
    differ = total = 0
    for (player, banker, fifth, _), weight in shoe.without_natural(6):
        if player != 5:
            continue
        first = laid(FREE, (0, 0, player, banker))
        readings = [tell(FREE, (*first, (seat, fifth))) for seat in ("punter", "banker")]
        assert all(not one.faults and not one.owed for one in readings)
        total += weight
        differ += weight * (readings[0].sides != readings[1].sides)
    assert total == 67_652_013_090_816
    assert 0 < differ < total


FOUR_CELLS = {
    (3, 9): (Fraction(-71, 28_561), Fraction(105, 28_561)),
    (4, 1): (Fraction(-107, 28_561), Fraction(5, 28_561)),
    (5, 4): (Fraction(-1, 28_561), Fraction(15, 28_561)),
    (6, STOOD): (Fraction(-144, 2_197), Fraction(32, 2_197)),
}


@pytest.mark.parametrize("decks", [6, None])
def test_the_bankers_best_reply_changes_with_the_punters_five_in_four_cells_only(decks):
    """rules.md A.4, totals-only play; every other cell is the table's."""
    gains = shoe.gains(decks)
    changing = {cell for cell, (never, always) in gains.items() if (never > 0) != (always > 0)}
    assert changing == set(FOUR_CELLS)
    for (banker, third), (never, _) in gains.items():
        if (banker, third) not in changing:
            assert (never > 0) == table_draws(banker, None if third == STOOD else third), (banker, third)


@pytest.mark.parametrize("cell", FOUR_CELLS)
def test_what_drawing_gains_in_a_shoe_without_end_is_the_published_fraction(cell):
    """rules.md A.4, infinite packs."""
    assert shoe.gains(None)[cell] == FOUR_CELLS[cell]


def test_a_banker_with_six_is_indifferent_where_the_punter_draws_nine_fives_in_eleven():
    """rules.md A.4: the gain is linear in that share."""
    never, always = shoe.gains(None)[6, STOOD]
    assert never + Fraction(9, 11) * (always - never) == 0


@pytest.mark.parametrize(("decks", "published"), [(3, 6_954_876_010_368), (6, 467_811_531_340_992)])
def test_three_hands_hold_no_natural_as_often_as_published(decks, published):
    """rules.md B.3."""
    assert shoe.no_natural_in_three_hands(decks) == published


def test_three_packs_and_six_have_the_published_number_of_deals():
    """rules.md B.3."""
    assert (shoe.total(3), shoe.total(6)) == (13_076_423_680_320, 878_869_206_895_680)


def test_a_card_pulled_for_a_player_who_stands_is_the_bankers_in_the_published_share():
    """PBI-01, rules.md C.5 and T10, eight decks: the Player stands on 6 or 7 and the Banker owes a card up to 5."""
    split: Counter[bool] = Counter()
    for (player, banker, _, _), weight in shoe.without_natural(8):
        if player <= 5:
            continue
        step = judge(PUNTO_BANCO, tuple(zip(PUNTO_BANCO.deal, (0, 0, player, banker), strict=True))).step
        assert (step.next is Next.CARD) == table_draws(banker, None)
        split[step.next is Next.CARD] += weight
    assert split == {True: 588_400_143_851_520, False: 179_039_594_942_976}
    assert sum(split.values()) == 767_439_738_794_496
    assert shoe.total(8) == 4_998_398_275_503_360


def test_a_point_says_all_that_the_fold_needs_to_know_of_two_cards():
    """The weights ask for one pair of each point: every pair of a point is told the same."""
    for pair in combinations_with_replacement(range(10), 2):
        for other in range(10):
            one = tell(TABLEAU, laid(TABLEAU, (pair[0], 0, pair[1], other)))
            twin = tell(TABLEAU, laid(TABLEAU, (0, 0, sum(pair) % 10, other)))
            assert one == twin
