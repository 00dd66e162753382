"""Chemin de fer and banque at a real daemon: a shoe that tells cards only, and the keys of a croupier."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.daemon.daemon import Daemon, Dealt, facts, records, text_of, until
from tests.daemon.line_table import line_table

# Dealing order, then the third cards. Points beside them.
CHEMIN = ("S2 DK S3 D7", "H3")  # punter 5, then 8; banker 7
FOSTER = ("S5 H9 DK S2 H5 D6", "C8")  # right 7 refuses; left 4, then 2; banker 6
VEGAS = ("S5 H9 DT S3 H4 DA", "D8 C8")  # right 8; left 3, then 1; banker 1, then 9


def deal(folder: Path, shoe: Dealt, codes: str) -> None:
    """Send cards as the shoe does and wait until the journal has them."""
    before = drawn(folder)
    shoe.write("".join(f"{code}\r\n" for code in codes.split()).encode())
    until(lambda: drawn(folder) == before + len(codes.split()))


def drawn(folder: Path) -> int:
    return sum(record["kind"] == "card_drawn" for record in records(folder))


def press(daemon: Daemon, **act: object) -> None:
    status, answer = daemon.give(act, "1-1")
    assert (status, answer["accepted"]) == (200, True), answer


@pytest.mark.parametrize(
    ("profile", "cards", "taker", "result"),
    [
        ("chemin_tableau", CHEMIN, "punter", "punter"),
        ("banque_foster", FOSTER, "left", "right/banker"),
        ("banque_las_vegas", VEGAS, "left", "right/banker"),
    ],
    ids=["chemin", "foster", "las-vegas"],
)
def test_a_coup_dealt_in_bytes_is_closed_by_the_croupiers_keys_across_a_kill(
    tmp_path: Path, profile: str, cards: tuple[str, str], taker: str, result: str
):
    """R-002-12 to 28, R-000-01 to 43, V-004: killed in mid-hand; then one key names the taker and one closes."""
    with line_table(tmp_path, profile, Dealt) as table:
        daemon = table.start()
        deal(tmp_path, table.shoe, cards[0][:8])
        daemon.kill()
        daemon = table.start()
        press(daemon, kind="accept", holds=["restarted"])
        deal(tmp_path, table.shoe, cards[0][9:])
        press(daemon, kind="takes", seat=taker)
        deal(tmp_path, table.shoe, cards[1])
        press(daemon, kind="turned")
        deal(tmp_path, table.shoe, "SA")
        until(lambda: "Hand 2" in text_of(daemon.get("/table/b1")))  # a card is judged after it is written
        daemon.end()
    (done,) = facts(tmp_path, "HandCompleted")
    assert (done["hand"], done["result"], done["irregularities"]) == (1, result, [])
    assert [fact["hand"] for fact in facts(tmp_path, "HandOpened")] == [1, 2]
