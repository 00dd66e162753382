"""A disk that fills up: told in time, no further hand begins, and the hand in play is recorded to its end (B 33)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from controller.core.engine import Table
from controller.core.inputs import DiskRoom, Input, Room
from controller.core.snapshot import restore, taken
from controller.daemon.room import NEVER_LOW_BYTES, NEVER_SCARCE_BYTES, Free, room
from tests.faults.felt import BANKER_WINS, Felt, drawn, result

LITTLE = 1_000_000  # bytes free: so few that the share of the disk says what is left


def disk(felt: Felt, said: Room, percent: int = 4) -> list[str]:
    return [fact.name.value for fact in felt.put(Input(DiskRoom(said, percent), felt.now, "recorder"))]


def test_b33_a_disk_with_little_room_is_told_once_and_holds_nothing():
    """faults.md B 33: warn at 20 %."""
    felt = Felt()
    disk(felt, Room.LOW, 19)
    disk(felt, Room.LOW, 12)
    assert (felt.incidents, felt.holds, felt.view.phase) == (["disk-low"], [], "waiting")
    assert felt.pit.incidents[0].level == "alert"


def test_b33_between_two_hands_a_nearly_full_disk_holds_the_table_and_says_why():
    """faults.md B 33: HOLD at 5 %."""
    felt = Felt()
    disk(felt, Room.SCARCE)
    assert (felt.incidents, felt.holds, felt.view.phase) == (["disk-scarce"], ["disk-scarce"], "suspended")
    assert felt.view.prompt.id == "prompt.disk-scarce"


def test_b33_the_hand_in_play_finishes_on_a_nearly_full_disk_and_no_other_begins():
    """faults.md B 33: the reserve is for the end of the open hand."""
    felt = Felt()
    felt.draw("P1:9S B1:4H")
    disk(felt, Room.SCARCE)
    assert (felt.holds, felt.view.phase, felt.incidents) == ([], "dealing", ["disk-scarce"])
    felt.draw("P2:KD B2:2C")
    felt.call("player")
    assert (felt.results, felt.holds, felt.view.prompt.id) == (["player"], ["disk-scarce"], "prompt.disk-scarce")


def test_b33_a_hand_that_is_dealt_all_the_same_waits_for_a_supervisor():
    """faults.md B 33: a card is on the felt, whatever was said before."""
    felt = Felt()
    disk(felt, Room.SCARCE)
    felt.hand(BANKER_WINS, "banker")
    assert (felt.results, felt.view.phase, felt.view.prompt.id) == ([], "suspended", "prompt.wait-supervisor")
    felt.accept()
    assert felt.results == ["banker"]


def test_b33_a_hand_that_closes_with_the_next_ones_first_card_lets_that_one_not_begin_unheld():
    """faults.md B 33: the hold comes with the end of the hand, whatever ends it."""
    felt = Felt()
    felt.draw("P1:9S B1:4H P2:KD B2:2C")
    disk(felt, Room.SCARCE)
    before = felt.table.hand
    felt.say(result("player"), *drawn("P1:2S"))
    assert before is not None
    assert felt.table.hand is not None
    assert felt.table.hand.ref != before.ref
    assert "disk-scarce" in felt.holds


@pytest.mark.parametrize("better", [Room.LOW, Room.AMPLE])
def test_b33_with_room_again_the_table_goes_on_by_itself_and_the_incident_stays(better: Room):
    """faults.md B 33: nobody has to lift the hold; somebody has to have seen it."""
    felt = Felt()
    disk(felt, Room.SCARCE)
    assert "HandResumed" in disk(felt, better, 30)
    assert (felt.holds, felt.view.phase, felt.incidents[0]) == ([], "waiting", "disk-scarce")
    assert felt.hand(BANKER_WINS, "banker")
    assert felt.results == ["banker"]


def test_b33_room_that_comes_while_the_hand_is_in_play_lets_the_next_one_begin():
    """faults.md B 33."""
    felt = Felt()
    felt.draw("P1:9S B1:4H")
    disk(felt, Room.SCARCE)
    disk(felt, Room.AMPLE, 50)
    felt.draw("P2:KD B2:2C")
    felt.call("player")
    assert (felt.results, felt.holds, felt.view.phase) == (["player"], [], "waiting")


def test_b33_what_a_supervisor_let_go_on_is_not_held_again_by_the_same_disk():
    """faults.md B 33: the person was told, and has decided."""
    felt = Felt()
    disk(felt, Room.SCARCE)
    felt.accept()
    felt.hand(BANKER_WINS, "banker")
    assert (felt.results, felt.holds) == (["banker"], [])


def test_b33_a_segment_that_begins_on_a_nearly_full_disk_carries_that():
    """faults.md B 33: a start in mid-hand forgets nothing of it."""
    felt = Felt()
    felt.draw("P1:9S B1:4H")
    disk(felt, Room.SCARCE)
    again = Table(felt.table.house)
    restore(again, taken(felt.table))
    rest = [Input(signal, felt.now) for signal in (*drawn("P2:KD B2:2C"), result("player"))]
    assert [again.apply(item) for item in rest] == [felt.table.apply(item) for item in rest]
    assert (again.room, [hold.kind for hold in again.holds]) == (Room.SCARCE, ["disk-scarce"])


@pytest.mark.parametrize(
    ("percent", "before", "then"),
    [
        (20.0, Room.AMPLE, Room.AMPLE),
        (19.9, Room.AMPLE, Room.LOW),
        (21.9, Room.LOW, Room.LOW),
        (22.0, Room.LOW, Room.AMPLE),
        (5.0, Room.LOW, Room.LOW),
        (4.9, Room.LOW, Room.SCARCE),
        (4.9, Room.AMPLE, Room.SCARCE),
        (6.9, Room.SCARCE, Room.SCARCE),
        (7.0, Room.SCARCE, Room.LOW),
        (0.0, Room.SCARCE, Room.SCARCE),
        (22.0, Room.SCARCE, Room.AMPLE),
    ],
)
def test_b33_a_limit_counts_as_crossed_at_its_figure_and_as_left_a_little_above_it(percent, before, then):
    """faults.md B 33: 20 % and 5 %."""
    assert room(Free(LITTLE, percent), before) is then


def test_b33_a_few_hundredths_of_a_large_disk_are_enough():
    """faults.md B 33: years of records are no reason to hold a table."""
    assert room(Free(NEVER_LOW_BYTES, 1.0), Room.AMPLE) is Room.AMPLE
    assert room(Free(NEVER_LOW_BYTES - 1, 19.0), Room.AMPLE) is Room.LOW
    assert room(Free(NEVER_SCARCE_BYTES, 1.0), Room.LOW) is Room.LOW
    assert room(Free(NEVER_SCARCE_BYTES - 1, 4.0), Room.LOW) is Room.SCARCE


def test_b33_what_is_free_is_what_df_says(tmp_path: Path, tool):
    """faults.md B 33: free to this process, by the system's own tool."""
    said = subprocess.run([tool("df"), "-B1", "--output=avail,pcent", tmp_path], capture_output=True, check=True)
    avail, used = said.stdout.decode().split()[-2:]
    seen = Free.at(tmp_path)
    assert abs(seen.size - int(avail)) < 2**30
    assert seen.percent <= 100 - int(used.rstrip("%")) + 1
