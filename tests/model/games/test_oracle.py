"""The vectors of the texts, against the fold that is held against the judge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.oracle.banque_table import next_holder, surplus
from tests.oracle.old_games import CHEMIN_DEAL, FOSTER, LAS_VEGAS, PLAIN, RULES, Rules, Terms, laid, tell

CLUB = replace(FOSTER, five="club_law")
FREE, TABLEAU, NO_OPTION = (RULES[name] for name in ("chemin_free", "chemin_tableau", "chemin_tableau_no_option"))
V_004 = (5, 9, 0, 3, 4, 1)  # R L B R L B


def kinds(rules, values, thirds=(), terms=PLAIN):
    told = tell(rules, laid(rules, values, *thirds), terms)
    return [(kind, source) for kind, _, source in told.faults], [(kind, source) for kind, _, source in told.owed]


def test_v_004_a_players_natural_ends_his_side_only_and_beats_the_bankers_drawn_nine():
    """rules.md B.5, R-004-15, R-004-16."""
    told = tell(LAS_VEGAS, laid(LAS_VEGAS, V_004, ("left", 8), ("banker", 8)))
    assert (told.faults, told.owed, told.over) == ((), (), True)
    assert told.points == {"right": 8, "left": 1, "banker": 9}
    assert told.sides == told.counted == {"right": "right", "left": "banker"}


def test_v_004_all_at_once_the_bank_loses_both_sides():
    """rules.md B.5, R-000-27: the same cards, the opposite result on the left."""
    told = tell(FOSTER, laid(FOSTER, V_004))
    assert (told.over, told.sides) == (True, {"right": "right", "left": "left"})
    drawn = tell(FOSTER, laid(FOSTER, V_004, ("left", 8), ("banker", 8)))
    assert [fault[0] for fault in drawn.faults] == ["left-false-draw", "banker-false-draw"]
    assert drawn.counted == {"right": "right", "left": "left"}


def test_v_000_35_a_card_taken_by_the_left_leaves_the_banker_free():
    """R-000-35, R-000-38."""
    told = tell(FOSTER, laid(FOSTER, (3, 2, 3, 3, 3, 0), ("left", 4)))
    assert (told.next, told.over, told.faults, told.owed) == ((("banker", "may"),), False, (), ())


@pytest.mark.parametrize("banker", range(8))
def test_v_000_36_the_banker_takes_the_card_that_both_refused_even_at_seven(banker):
    """R-000-36."""
    values = (3, 2, 0, 4, 4, banker)
    waiting = tell(FOSTER, laid(FOSTER, values))
    assert waiting.next == (("right", "may"), ("left", "may"), ("banker", "must"))
    assert kinds(FOSTER, values) == ([], [("banker-missed-draw", "R-000-36")])
    taken = tell(FOSTER, laid(FOSTER, values, ("banker", 5)))
    assert (taken.over, taken.faults, taken.owed) == (True, (), ())


def test_v_000_52_only_a_loss_moves_a_sides_cards():
    """R-000-52..55, A11, A12."""
    assert (next_holder(1, "right"), next_holder(1, "banker")) == (1, 2)
    assert next_holder(5, "banker") == 1
    assert next_holder(3, "tie") == next_holder(3, None) == 3
    assert (next_holder(2, "banker", (2, 4)), next_holder(4, "banker", (2, 4))) == (4, 2)


@pytest.mark.parametrize(
    ("cards", "place", "point"), [((7, 1, 5), 1, 2), ((0, 9, 3), 0, 2), ((4, 4, 9), 1, 3), ((0, 2, 0), 1, 0)]
)
def test_the_banker_loses_the_card_whose_loss_leaves_least(cards, place, point):
    """IR-07: 7 A 5 loses the ace; K 9 3 the king; of equal minima the last dealt goes."""
    assert surplus(cards) == place
    assert sum(card for at, card in enumerate(cards) if at != place) % 10 == point


def test_of_equal_minima_the_last_dealt_goes():
    """IR-07: losing either seven leaves nought."""
    assert surplus((7, 3, 7)) == 2
    assert surplus((5, 5, 5)) == 2


def test_a_banker_of_one_card_does_not_draw_even_where_both_refuse():
    """IR-08, A7."""
    terms = Terms(one_card=frozenset({"banker"}))
    dealt = (("right", 2), ("left", 5), ("right", 1), ("left", 1), ("banker", 7))
    told = tell(FOSTER, dealt, terms)
    assert told.owed == ()
    assert told.next == (("right", "may"), ("left", "may"))
    assert told.sides == {"right": "banker", "left": "banker"}
    drawn = tell(FOSTER, (*dealt, ("right", 6), ("banker", 1)), terms)
    assert [fault[0::2] for fault in drawn.faults] == [("banker-false-draw", "IR-08")]
    assert (drawn.points["banker"], drawn.counted["right"]) == (8, "right")


def test_a_banker_who_lost_his_single_card_plays_on_as_with_two_tens():
    """IR-09, A8."""
    terms = Terms(two_tens=frozenset({"banker"}))
    dealt = (("right", 2), ("left", 5), ("right", 1), ("left", 1), ("right", 4), ("banker", 9))
    told = tell(FOSTER, dealt, terms)
    assert (told.faults, told.owed, told.over) == ((), (), True)
    assert (told.points["banker"], told.sides) == (9, {"right": "banker", "left": "banker"})


def test_a_player_who_announced_falsely_draws_on_nought_only():
    """IR-10, R-000-32."""
    terms = Terms(liars=frozenset({"right"}))
    assert kinds(CLUB, (1, 5, 0, 2, 1, 6), [("right", 4)], terms)[0] == [("right-false-draw", "IR-10")]
    assert tell(CLUB, laid(CLUB, (1, 5, 0, 2, 1, 6)), terms).next == (("banker", "must"),)
    assert tell(CLUB, laid(CLUB, (0, 5, 0, 0, 1, 6)), terms).next == (("right", "must"),)


def test_a_side_that_refused_the_coup_has_no_result_and_gets_no_card():
    """IR-05, IR-06, R-000-15, R-000-44."""
    terms = Terms(refused=frozenset({"right"}))
    told = tell(FOSTER, laid(FOSTER, (9, 5, 0, 0, 1, 6)), terms)
    assert told.next == (("left", "may"), ("banker", "must"))
    assert told.sides == {"right": None, "left": "tie"}
    both = tell(FOSTER, laid(FOSTER, (9, 5, 0, 0, 1, 6)), Terms(refused=frozenset({"right", "left"})))
    assert (both.over, both.owed) == (True, ())


@pytest.mark.parametrize(
    ("rules", "values", "thirds", "faults", "owed"),
    [
        pytest.param(FREE, (1, 2, 2, 4), (), [], [("punter-missed-draw", "FD-P1")], id="FD-P1 at the close"),
        pytest.param(FREE, (1, 2, 2, 4), [("banker", 1)], [("punter-missed-draw", "FD-P1")], [], id="FD-P1"),
        pytest.param(FREE, (4, 2, 2, 4), [("punter", 1)], [("punter-false-draw", "FD-P2")], [], id="FD-P2"),
        pytest.param(FREE, (4, 4, 2, 4), [("punter", 1)], [("punter-false-draw", "FD-P3")], [], id="FD-P3 by punter"),
        pytest.param(FREE, (4, 2, 5, 4), [("banker", 1)], [("banker-false-draw", "FD-P3")], [], id="FD-P3 by banker"),
        pytest.param(FREE, (2, 2, 3, 4), [("banker", 1)], [], [], id="a banker who is free"),
        pytest.param(FREE, (2, 2, 3, 4), [("banker", 1), ("punter", 2)], [("wrong-order", "FD-B3")], [], id="FD-B3"),
        pytest.param(TABLEAU, (4, 2, 2, 3), [], [], [("banker-missed-draw", "FD-B1")], id="FD-B1"),
        pytest.param(TABLEAU, (4, 4, 2, 2), [("banker", 1)], [("banker-false-draw", "FD-B2")], [], id="FD-B2"),
        pytest.param(TABLEAU, (4, 1, 0, 2), [("punter", 9)], [], [], id="3,9 is optional"),
        pytest.param(
            NO_OPTION, (4, 1, 0, 2), [("punter", 9)], [], [("banker-missed-draw", "FD-B1")], id="3,9 is bound"
        ),
        pytest.param(
            FREE,
            (1, 2, 2, 4),
            [("punter", 1), ("punter", 1)],
            [("extra-card", "R-000-40")],
            [],
            id="R-000-40: one drawn card a hand",
        ),
        pytest.param(
            CLUB,
            (1, 1, 0, 1, 1, 6),
            [("left", 1)],
            [("right-missed-draw", "FD-P1")],
            [],
            id="R-000-58: right refused with 2",
        ),
        pytest.param(
            LAS_VEGAS,
            (4, 1, 4, 4, 1, 5),
            [("left", 1)],
            [("left-false-draw", "FD-P3")],
            [],
            id="R-004-08: the banker's natural ends all",
        ),
        pytest.param(
            LAS_VEGAS,
            (4, 1, 4, 4, 1, 0),
            [("right", 1), ("left", 1), ("banker", 1)],
            [("right-false-draw", "FD-P3")],
            [],
            id="R-004-10: right's natural ends his own draw",
        ),
    ],
)
def test_each_false_draw_has_its_kind_and_its_seat(rules, values, thirds, faults, owed):
    """rules.md A.5, R-000-36, R-000-40."""
    assert kinds(rules, values, thirds) == (faults, owed)


def test_a_free_banker_of_las_vegas_may_stand_where_both_refused():
    """D5, R-004-13."""
    told = tell(LAS_VEGAS, laid(LAS_VEGAS, (3, 2, 0, 4, 4, 7)))
    assert (told.next, told.owed) == ((("banker", "may"),), ())


def test_a_bankers_eight_is_compared_with_a_players_nine_unless_the_house_reads_it_literally():
    """D13, R-004-08."""
    values = (9, 4, 8, 0, 4, 0)
    assert tell(LAS_VEGAS, laid(LAS_VEGAS, values)).sides == {"right": "right", "left": "tie"}
    literal = replace(LAS_VEGAS, banker_natural="wins")
    assert tell(literal, laid(literal, values)).sides["right"] == "banker"


def test_the_table_is_punto_bancos_but_for_its_optional_cells():
    """rules.md A.4 and T2: the rows as printed, D S O."""
    printed = """
        DDDDDDDDDDD
        DDDDDDDDDDD
        DDDDDDDDDDD
        DDDDDDDDSOD
        SSDDDDDDSSD
        SSSSODDDSSD
        SSSSSSDDSSS
        SSSSSSSSSSS
    """
    letters = {"must": "D", "may": "O"}
    for total, row in enumerate(printed.split()):
        for column, letter in enumerate(row):
            thirds = [] if column == 10 else [("punter", column)]
            first = (2, 3) if column < 10 else (3, 4)
            told = tell(TABLEAU, laid(TABLEAU, (first[0], total, first[1], 0), *thirds))
            assert letters.get(dict(told.next).get("banker", ""), "S") == letter, (total, column)


def test_any_set_of_cells_may_be_optional():
    """rules.md A.4, optional_cells."""
    rules = Rules(CHEMIN_DEAL, optional=frozenset({(4, 1), (6, "-")}))
    for first, third in (((0, 1, 2, 3), [("punter", 1)]), ((3, 2, 4, 4), [])):
        assert tell(rules, laid(rules, first, *third)).next == (("banker", "may"),)
