"""The hand tables from the field (the README beside them says what must come out)."""

from __future__ import annotations

import csv
import re

IRREGULAR = ("--columns", "player=player_cards,banker=banker_cards,result=outcome", "--results", "it's=tie")
LIVE = ("--columns", "player=player_cards,banker=banker_cards,result=winner,hand=seq")


def test_exactly_the_179_marked_hands_of_the_generator_are_irregular(audit, captures):
    path = captures / "irregular-hands.csv"
    done = audit("--json", *IRREGULAR, path)
    assert done.summary == {
        "hands": 500,
        "irregular_hands": 179,
        "by_kind": {"player-false-draw": 129, "banker-false-draw": 49, "banker-missed-draw": 1},
        "results": {"player": 149, "banker": 291, "tie": 60},
        "skipped": 0,
        "repeated": 0,
        "unreadable": 0,
    }
    assert done.code == 1
    rows = csv.DictReader(path.read_text().splitlines())
    for row, hand in zip(rows, done.hands, strict=True):
        marked = re.match(r"(player|banker) (false draw|missed draw|\w+)", row["irregularity"])
        kinds = [one["kind"] for one in hand["irregularities"]]
        assert [kind.split("-")[0] for kind in kinds] == ([marked[1]] if marked else []), row
        assert hand["recorded"] == hand["result"], row


def test_the_live_table_is_clean_with_five_rows_skipped_and_thirteen_repeated(audit, captures):
    done = audit("--json", *LIVE, captures / "live-dealer-hands.csv")
    assert (done.summary["hands"], done.summary["irregular_hands"], done.code) == (389, 0, 0)
    assert (done.summary["skipped"], done.summary["repeated"], done.summary["unreadable"]) == (5, 13, 0)


def test_the_shoe_log_has_twelve_hands_three_of_them_with_an_overdraw(audit, captures):
    """design.md section 6; the hand abandoned by a power-up has no line."""
    done = audit("--json", captures / "angel-eye-a.hex")
    assert (done.code, len(done.hands), done.summary["by_kind"]) == (1, 12, {"overdraw": 3})
    disposals = [one["disposal"] for hand in done.hands for one in hand["irregularities"]]
    assert sorted(disposals) == ["carried", "withdrawn", "withdrawn"]
    assert all(hand["recorded"] == hand["result"] for hand in done.hands)
