"""Hand tables of chemin de fer and banque (rules.md A.4, A.5, B.1, B.2; docs/interfaces.md)."""

from __future__ import annotations

import pytest

CHEMIN = ("--json", "--game", "chemin-de-fer")
BANQUE = ("--json", "--game", "banque")


def coups(audit, *words: str, game=CHEMIN, head: str = "punter,banker", rows: str):
    return audit(*game, *words, table=f"{head}\n{rows}\n")


@pytest.mark.parametrize(
    ("punter", "banker", "wrong"),
    [
        ("2 2", "7 K", [("punter-missed-draw", "punter", "R-002-22")]),  # FD-P1
        ("3 3 5", "7 K", [("punter-false-draw", "punter", "R-002-23")]),  # FD-P2
        ("5 K", "7 K", []),  # R-002-26: only five is optional
        ("5 K 2", "7 K", []),
        ("8 K", "2 K 3", [("banker-false-draw", "banker", "R-002-15")]),  # FD-P3
        ("2 2 6", "6 K", [("banker-missed-draw", "banker", "FD-B1")]),
        ("2 2 2", "6 K 9", [("banker-false-draw", "banker", "FD-B2")]),
        ("2 2 9", "3 K", []),  # the optional cells of the tableau
        ("2 2 4", "5 K 9", []),
    ],
)
def test_false_and_missed_draws_of_chemin_de_fer(audit, punter, banker, wrong):
    """rules.md A.5: a row has no drawing order, so the punter drew first; FD-B3 cannot be seen in it."""
    values = [cell.replace("K", "0") for cell in (punter, banker)]
    assert coups(audit, rows=",".join(values)).wrong == [wrong]


def test_a_banker_without_a_table_draws_no_card_falsely(audit):
    """R-002-27; the switch is that of a configuration."""
    row = "2 2 2,6 0 9"
    assert coups(audit, rows=row).wrong == [[("banker-false-draw", "banker", "FD-B2")]]
    assert coups(audit, "--switch", "banker_table=free", rows=row).wrong == [[]]
    assert audit("--json", "--game", "chemin_free", table=f"punter,banker\n{row}\n").wrong == [[]]


def test_a_line_has_the_seats_of_the_game_and_the_result(audit):
    """docs/interfaces.md: the keys are the seats in dealing order, then the result."""
    done = coups(audit, head="punter,banker,result,shoe,hand", rows="9S KD,2C 5H,Punter wins,3,17")
    assert done.hands == [
        {
            "shoe": "3",
            "hand": 17,
            "punter": ["9S", "KD"],
            "banker": ["2C", "5H"],
            "result": "punter",
            "recorded": "punter",
            "irregularities": [],
        }
    ]
    assert done.code == 0
    assert done.summary["results"] == {"punter": 1, "banker": 0, "tie": 0}


V_004 = "5C 3C,9S 4C 8D,TS AH 8C"  # rules.md B.5


@pytest.mark.parametrize(
    ("variant", "result", "wrong"),
    [
        ("las_vegas", "right/banker", []),
        # All cards as dealt are compared; the two draws after a natural were none.
        ("foster", "banker/banker", [("left-false-draw", "left"), ("banker-false-draw", "banker")]),
    ],
)
def test_the_two_natural_flows_differ_on_the_same_cards(audit, variant, result, wrong):
    """Vector V-004."""
    done = audit("--json", "--game", variant, table=f"right,left,banker\n{V_004}\n")
    assert done.hands[0]["result"] == result
    assert [one[:2] for one in done.wrong[0]] == wrong


def test_all_at_once_the_left_side_wins_on_its_two_cards(audit):
    """Vector V-004: the coup ends at once on 8, 3 and 1."""
    done = audit("--json", "--game", "foster", table="right,left,banker\n5C 3C,9S 4C,TS AH\n")
    assert (done.hands[0]["result"], done.wrong) == ("right/left", [[]])


def test_both_refuse_and_the_banker_must_draw(audit):
    """Vector V-000-36: even at 7; in Las Vegas he is free (D5)."""
    table = "right,left,banker\n6 0,7 0,7 0\n"
    assert audit(*BANQUE, table=table).wrong == [[("banker-missed-draw", "banker", "R-000-36")]]
    assert audit("--json", "--game", "las_vegas", table=table).wrong == [[]]


@pytest.mark.parametrize("said", ["right/banker", "Right Banker", "R, B", "right - banco"])
def test_a_result_of_banque_is_two_words_the_right_side_first(audit, said):
    done = audit(*BANQUE, "--switch", "both_refuse=free", table=f'right,left,banker,result\n9 0,6 0,7 0,"{said}"\n')
    assert (done.hands[0]["recorded"], done.wrong) == ("right/banker", [[]])


@pytest.mark.parametrize("said", ["right", "right/right", "left/right", "player/banker", "right/banker/tie"])
def test_a_result_of_banque_that_is_not_one_of_each_side_is_unknown(audit, said):
    done = audit(*BANQUE, table=f"right,left,banker,result\n9 0,6 0,7 0,{said}\n")
    assert (done.hands[0]["recorded"], done.wrong) == ("unknown", [[]])


def test_a_wrong_result_of_one_side_is_a_mismatch(audit):
    """R-000-44: the sides are independent of each other."""
    done = audit(*BANQUE, table="right,left,banker,result\n9 0,6 0,7 0,right/tie\n")
    assert done.wrong == [[("result-mismatch", None, "R-000-43")]]


def test_more_words_for_results_name_the_sides_of_the_game(audit):
    table = "right,left,banker,result\n9 0,6 0,7 0,droite maison\n"
    done = audit(*BANQUE, "--results", "droite=right,maison=banker", table=table)
    assert done.hands[0]["recorded"] == "right/banker"
    refused = audit(*BANQUE, "--results", "joueur=player", table=table)
    assert refused.code == 2
    assert "right, left, banker, tie or void" in refused.err


def test_the_columns_of_the_game_are_needed(audit):
    done = audit(*BANQUE, table="player,banker\n9 0,6 0\n")
    assert done.code == 2
    assert "no column right, left; columns present: player, banker" in done.err


def test_a_pair_column_belongs_to_punto_banco(audit):
    """R-PB-12 is a bet of punto banco alone."""
    done = coups(audit, "--columns", "punter_pair=pair", head="punter,banker,pair", rows="9 9,6 0,yes")
    assert done.code == 2
    assert "no such column to map: punter_pair" in done.err


def test_a_total_that_the_cards_do_not_make_is_told(audit):
    done = coups(audit, head="punter,banker,punter_total", rows="9 9 1,6 0,8")
    assert done.wrong == [[("punter-false-draw", "punter", "R-002-15"), ("total-mismatch", "punter", None)]]


def test_copies_are_counted_over_all_seats(audit):
    """PBI-15 holds for any shoe: one deck has one ace of spades."""
    table = "right,left,banker,shoe\nAS 6D,2C 3D,AS 4H,1\n"
    done = audit(*BANQUE, "--decks", "1", table=table)
    assert ("impossible-card", "banker", "PBI-15") in done.wrong[0]


def test_an_unreadable_cell_names_its_column(audit):
    done = audit(*BANQUE, table="right,left,banker\n9 0,6 x,7 0\n")
    assert done.notes[0]["error"].startswith("left: expected a card")


@pytest.mark.parametrize("switch", ["five_rule", "five_rule=perhaps", "no_such=1", "banker_table=free"])
def test_a_switch_that_the_game_does_not_have_is_usage(audit, switch):
    done = audit(*BANQUE, "--switch", switch, table="right,left,banker\n9 0,6 0,7 0\n")
    assert (done.code, done.out) == (2, "")
    assert "--switch" in done.err


def test_text_and_csv_and_page_name_the_seats(audit, tmp_path):
    """What people read, and a table that audit reads again."""
    table = "right,left,banker,result\n2S 2D,6H KH,7C KC,banker/banker\n"
    page, out = tmp_path / "page.html", tmp_path / "again.csv"
    done = audit("--game", "las_vegas", "--report", str(page), "--csv", str(out), table=table)
    first = done.out.splitlines()[0]
    assert first.startswith("shoe 1 hand 1: Right 2S 2D, Left 6H KH, Banker 7C KC, banker/banker: right-missed-draw")
    assert out.read_text().splitlines()[0] == "shoe,hand,right,left,banker,result,recorded,irregularities"
    assert "<th>Right</th><th>Left</th><th>Banker</th>" in page.read_text()
    assert audit("--json", "--game", "las_vegas", str(out)).wrong == [[("right-missed-draw", "right", "R-004-21")]]


@pytest.mark.parametrize(
    ("recorded", "result", "wrong"),
    [
        ("right/void", "right/void", []),
        ("void/left", "void/left", []),
        ("banker/void", "right/void", ["result-mismatch"]),  # the other side is held against its cards as ever
        ("right/left", "right/left", []),
    ],
)
def test_a_side_that_refused_the_coup_has_no_result_to_be_wrong(audit, recorded, result, wrong):
    """IR-05, IR-06: the side gave up the hand, whatever its cards are worth."""
    row = f"9S KD,8C KH,6H KD,{recorded}"  # a natural ends the coup, whoever refused
    done = audit("--json", "--game", "banque", table=f"right,left,banker,result\n{row}\n")
    assert done.hands[0]["result"] == result
    assert [one[0] for one in done.wrong[0]] == wrong
