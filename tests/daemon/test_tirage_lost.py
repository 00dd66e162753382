"""Cards that the open protocol's shoe cannot tell any more, at a live table: counted out, and never replaced."""

from __future__ import annotations

from pathlib import Path

from tests.daemon.daemon import facts, records, run, until
from tests.daemon.tirage_table import bench, faces, lost, script, table, tirage, told
from tests.firmware.conftest import built  # noqa: F401 - a fixture

RING_EVENTS = 64


def test_cards_that_the_ring_lost_are_counted_as_unknown_in_the_shoe(built, tmp_path: Path):  # noqa: F811
    """faults.md B 17, A 43: seen and unheard make what left the shoe, so that a counted stub leaves no difference."""
    lines = script(5, 30)
    first, rest = lines[:20], lines[20:]
    with table(tmp_path, built("shoe")) as (shoe, daemon, _):
        shoe.play(*first)
        shoe.until_told()
        shoe.firmware.play("fault unplug")
        until(lambda: not shoe.firmware.port.exists())
        shoe.firmware.play(*rest, "fault plug")
        heard = [*first, *rest[-RING_EVENTS:]]
        until(lambda: told(tmp_path) == heard)
        missing = len(faces(lines)) - len(faces(heard))
        assert [damage["cards"] for damage in lost(tmp_path)] == [missing]
        stub = 416 - len(faces(lines))
        assert daemon.give({"kind": "close_shoe", "stub": stub})[0] == 200
        until(lambda: list(facts(tmp_path, "ShoeClosed")))
        daemon.end()
    (closed,) = facts(tmp_path, "ShoeClosed")
    assert (closed["cards_out"], closed["unheard"], closed["difference"]) == (len(faces(lines)), missing, 0)


def test_after_lost_cards_and_a_brown_out_the_rest_of_the_hand_lies_behind_them(built, tmp_path: Path):  # noqa: F811
    """faults.md B 27, A 10: two cards left the shoe unheard, then it started again: the next one is the fourth."""
    with table(tmp_path, built("shoe")) as (shoe, daemon, stream):
        shoe.play("loaded 8", "card PLAYER 1 8S")
        shoe.until_told()
        shoe.firmware.play("fault unplug")
        until(lambda: not shoe.firmware.port.exists())
        shoe.firmware.play("card BANKER 1 2H", "card PLAYER 2 5D", "fault reboot", "fault plug")
        until(lambda: any(record["kind"] == "powered_up" for record in records(tmp_path)))
        stream.until(lambda parts: "Rest of old hand" in parts["acts"])
        assert daemon.give({"kind": "rest_of_hand"}, "1-1")[0] == 200
        shoe.firmware.play("card PLAYER 1 7H")
        until(lambda: told(tmp_path)[-1] == "card PLAYER 1 7H")
        daemon.end()
    assert [damage["cards"] for damage in lost(tmp_path)] == [2]
    last = list(facts(tmp_path, "CardDrawn"))[-1]
    assert (last["seat"], last["index"], last["card"]) == ("banker", 2, "7H")


def test_a_count_that_goes_back_holds_the_table_in_words_of_its_own(built, tmp_path: Path):  # noqa: F811
    """faults.md B 5: no silent re-base, and no word of missing messages."""
    with table(tmp_path, built("shoe")) as (shoe, daemon, stream):
        shoe.play("loaded 8", "card PLAYER 1 8S", "card BANKER 1 2H", "card PLAYER 2 5D")
        shoe.until_told()
        shoe.firmware.play("fault back 2", "card BANKER 2 7H")
        stream.until(lambda parts: "own count went back" in " ".join(parts.values()))
        daemon.end()
    assert [damage["damage"] for damage in lost(tmp_path)] == ["backwards"]
    assert {fact["kind"] for fact in facts(tmp_path, "IncidentOpened", "IncidentAdded")} >= {"count-back"}


def test_a_shoe_met_in_mid_shoe_has_a_record_of_its_own_that_begins_with_the_cards_nobody_heard(built, tmp_path: Path):  # noqa: F811
    """trust.md promise 2, faults.md B 42: a segment for each shoe; the replay of it gives the same facts."""
    with bench(tmp_path, built("shoe"), "plain") as shoe:
        shoe.firmware.play("loaded 8", "card PLAYER 1 8S", "card BANKER 1 2H", "card PLAYER 2 5D", "card BANKER 2 7H")
        shoe.firmware.play("button BANKER 0")
        with run("--config", shoe.config) as daemon:
            until(lambda: lost(tmp_path))
            shoe.firmware.play("card PLAYER 1 9C")
            until(lambda: told(tmp_path) == ["card PLAYER 1 9C"])
            daemon.end()
    segments = sorted((tmp_path / "data" / "b1").glob("*-shoe.jsonl"))
    assert len(segments) == 1
    assert [record["data"]["cards"] for record in records(tmp_path) if record["kind"] == "bytes_damaged"] == [4]
    assert tirage("replay", "--format", "journal", tmp_path / "data" / "b1").returncode in (0, 1)
