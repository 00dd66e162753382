"""Each kind of irregularity that a hand table can show, with its seat and rule."""

from __future__ import annotations

import pytest

P_FALSE = "player-false-draw", "player"
P_MISSED = "player-missed-draw", "player"
B_FALSE = "banker-false-draw", "banker"
B_MISSED = "banker-missed-draw", "banker"
MISMATCH = ("result-mismatch", None, "R-PB-10")
INCOMPLETE = ("incomplete-hand", None, None)

CASES = {
    "four cards, both stand": ("2H 4D", "3S 4C", []),
    "Player draws on 5, Banker on 3 after a 7": ("2H 3D 7S", "KH 3C AD", []),
    "Banker stands on 3 after an 8": ("2H 3D 8S", "KH 3C", []),
    "Player draws on 6": ("2H 4D KS", "3S 4C", [(*P_FALSE, "R-PB-03")]),
    "Player draws on 7": ("3H 4D KS", "3S 4C", [(*P_FALSE, "R-PB-03")]),
    "Banker draws on 6 after Player stood": ("2H 4D", "2S 4C AD", [(*B_FALSE, "R-PB-04")]),
    "Banker draws on 7 after Player stood": ("2H 4D", "3S 4C AD", [(*B_FALSE, "R-PB-04")]),
    "Banker draws on 7 after Player drew": ("2H 3D 9S", "3S 4C AD", [(*B_FALSE, "R-PB-05")]),
    "Player misses on 0, Banker stands on 6": ("KH QD", "2S 4C", [(*P_MISSED, "R-PB-03")]),
    "Banker misses on 5 after Player stood": ("2H 4D", "2S 3C", [(*B_MISSED, "R-PB-04")]),
    "Banker misses on 6 after a 6": ("2H 3D 6S", "2S 4C", [(*B_MISSED, "R-PB-05")]),
    "both miss": ("2H 3D", "2S 3C", [(*P_MISSED, "R-PB-03"), (*B_MISSED, "R-PB-04")]),
    "Player misses, Banker draws on 6 by R-PB-04": (
        "2H 3D", "2S 4C AD", [(*P_MISSED, "R-PB-03"), (*B_FALSE, "R-PB-04")],
    ),
    "a wrong third card of Player, then Banker rightly by it": ("2H 4D 6S", "2S 4C AD", [(*P_FALSE, "R-PB-03")]),
    "a wrong third card of Player, then Banker wrongly by it": (
        "2H 4D 8S", "2S 3C AD", [(*P_FALSE, "R-PB-03"), (*B_FALSE, "R-PB-05")],
    ),
    "a wrong third card of Player, then Banker misses by it": (
        "2H 4D 6S", "2S 4C", [(*P_FALSE, "R-PB-03"), (*B_MISSED, "R-PB-05")],
    ),
    "Player draws against a natural": ("2H 3D KS", "4S 4C", [(*P_FALSE, "R-PB-02")]),
    "Banker draws against a natural": ("4S 4C", "2H 3D KS", [(*B_FALSE, "R-PB-02")]),
    "both draw after a natural": ("4S 4C AH", "2H 3D KS", [(*P_FALSE, "R-PB-02"), (*B_FALSE, "R-PB-02")]),
    "a fourth card of Banker": ("2H 4D", "2S 3C AD AC", [("extra-card", "banker", "R-PB-11")]),
    "a fourth and a fifth card of Player are said once": (
        "2H 3D KS AH AC", "3S 4C", [("extra-card", "player", "R-PB-11")],
    ),
    "one card of Banker": ("2H 3D", "KS", [INCOMPLETE]),
    "no card of Player": ("", "KS 2C", [INCOMPLETE]),
    "three cards and one: a table says nothing of their order": ("2H 3D KS", "4S", [INCOMPLETE]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_hand_has_the_irregularities_of_its_cards(name, judged):
    """design.md section 6, audit; rules.md R-PB-02..05 and 11."""
    player, banker, wrong = CASES[name]
    assert judged(player, banker) == wrong


RECORDED = [
    ("2H 4D", "3S 4C", "banker", []),
    ("2H 4D", "3S 4C", "player", [MISMATCH]),
    ("2H 4D", "3S 4C", "tie", [MISMATCH]),
    ("2H 4D", "3S 4C", "nobody", []),
    ("2H 4D", "3S 4C", "", []),
    # As dealt Player has 9; Player's own two cards, 6, lose to 7: either record is right, a tie is not.
    ("2H 4D 3C", "3S 4C", "player", [(*P_FALSE, "R-PB-03")]),
    ("2H 4D 3C", "3S 4C", "banker", [(*P_FALSE, "R-PB-03")]),
    ("2H 4D 3C", "3S 4C", "tie", [(*P_FALSE, "R-PB-03"), MISMATCH]),
    ("2H", "3S 4C", "player", [INCOMPLETE]),
]


@pytest.mark.parametrize(("player", "banker", "result", "wrong"), RECORDED)
def test_a_recorded_result_is_a_mismatch_only_if_no_reading_of_the_cards_gives_it(
    player, banker, result, wrong, judged
):
    """design.md section 6, result-mismatch; R-PB-10."""
    assert judged(player, banker, result) == wrong


def test_the_example_of_the_contract_comes_out_byte_for_byte(audit):
    """design.md section 6, audit --json."""
    done = audit("--json", table="player,banker,result,hand\n9S 5S 3D,7H KD 2C,Banker,7\n")
    assert done.out == (
        '{"shoe":"1","hand":7,"player":["9S","5S","3D"],"banker":["7H","KD","2C"],"result":"banker",'
        '"recorded":"banker","irregularities":[{"kind":"banker-false-draw","seat":"banker","rule":"R-PB-05"}]}\n'
        '{"summary":{"hands":1,"irregular_hands":1,"by_kind":{"banker-false-draw":1},'
        '"results":{"player":0,"banker":1,"tie":0},"skipped":0,"repeated":0,"unreadable":0}}\n'
    )
    assert done.code == 1


PAIRS = [
    ("2H 2D 2S", "3S 4C", "1,0", []),
    ("2H 2D 2S", "3S 4C", "0,0", ["player"]),
    ("2H 2D 2S", "3S 4C", "no,yes", ["player", "banker"]),
    ("TH JD 2S", "3S 4C", "1,", ["player"]),  # ten and jack are no pair
    ("2? 2? 2?", "3S 4C", "false,", ["player"]),  # ranks are enough
    ("2 2 2", "3 4", "0,1", []),  # values only: no pair checks
]


@pytest.mark.parametrize(("player", "banker", "flags", "seats"), PAIRS)
def test_a_pair_flag_is_held_against_the_first_two_ranks(player, banker, flags, seats, audit):
    """design.md section 6, pair-mismatch; R-PB-12."""
    done = audit("--json", table=f"player,banker,player_pair,banker_pair\n{player},{banker},{flags}\n")
    assert done.wrong == [[("pair-mismatch", seat, "R-PB-12") for seat in seats]]


def test_mismatch_pair_and_impossible_card_follow_the_faults_of_the_draw(audit):
    """design.md section 6: the order of irregularities."""
    table = "player,banker,result,shoe,player_pair\n2H 2D,2S 4C,tie,x,0\n"
    kinds = [kind for kind, _, _ in audit("--json", "--decks", "1", table=table + "2H 2C,2D 4S,P,x,0\n").wrong[1]]
    assert kinds == ["player-missed-draw", "result-mismatch", "pair-mismatch", "impossible-card", "impossible-card"]


NINE_ACES = "".join(f"{shoe},AS 6H,KD 7C\n" for shoe in ("a", "b", "a", "a", "a", "a", "a", "a", "a", "a", "a"))


def test_a_ninth_copy_of_a_card_in_a_shoe_of_eight_decks_is_impossible(audit):
    """design.md section 6, impossible-card; rules.md PBI-15. Nine and ten aces of one shoe, one of another."""
    wrong = audit("--json", table=f"shoe,player,banker\n{NINE_ACES}").wrong
    both = [("impossible-card", "player", "PBI-15"), ("impossible-card", "banker", "PBI-15")]
    assert wrong == [[]] * 9 + [both] * 2


@pytest.mark.parametrize(
    ("header", "options"), [("shoe", ("--decks", "none")), ("other", ()), ("shoe", ("--decks", "10"))]
)
def test_copies_are_not_counted_without_a_named_shoe_or_when_told_not_to(header, options, audit):
    """A table of one generator's hands is no shoe: without a column for it nothing says which hands share one."""
    assert audit("--json", *options, table=f"{header},player,banker\n{NINE_ACES}").code == 0


def test_copies_are_counted_without_a_named_shoe_when_decks_are_given(audit):
    assert audit("--json", "--decks", "8", table=f"other,player,banker\n{NINE_ACES}").summary["by_kind"] == {
        "impossible-card": 6
    }


def test_a_row_that_stands_twice_does_not_make_a_card_impossible(audit):
    """A repeated (shoe, hand) is counted, not flagged."""
    done = audit("--json", "--decks", "1", table="shoe,hand,player,banker\n" + "1,1,AS 6H,KD 7C\n" * 3)
    assert (done.code, done.summary["repeated"], done.summary["hands"]) == (0, 2, 3)
