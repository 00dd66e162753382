"""kill -9 of the whole daemon: the pages of the next one show what the last ones did."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from drivers.emulators import Shoe as Emulator
from tests.daemon.daemon import Daemon, Dealt, Stream, config_of, facts, records, run, table, until
from tests.daemon.dealing import script
from tests.daemon.told import nothing_is_doubled_and_every_gap_is_told

OPENING = 11  # signals of the shoe with seed 5 before its first hand


def test_the_pages_after_a_kill_show_the_same_cards_unproved_and_go_on_once_accepted(tmp_path: Path):
    """trust.md T2 and T3: a stream that showed a card has made it known; a person lets the hand stand."""
    signals = script(5, "hidden", shoes=1, hands=1)
    config, shoe = config_of(tmp_path), Dealt(tmp_path / "shoe")
    shoe.pty.plug()
    with ExitStack() as stack:
        stack.callback(shoe.pty.unplug)
        daemon = stack.enter_context(run("--config", config))
        shoe.plug()
        shoe.say(*signals[:OPENING])
        for number, signal in enumerate(signals[OPENING : OPENING + 5], 1):
            stream = Stream(daemon)
            stream.until(lambda parts: parts)
            before = stream.parts["felt"]
            shoe.say(signal)
            stream.until(lambda parts, before=before: parts["felt"] != before)
            felt = stream.parts["felt"]
            daemon.kill()
            daemon = stack.enter_context(run("--config", config))
            back = Stream(daemon)
            back.shows("trouble", "The recorder was started again during this hand")
            assert (back.parts["felt"], number) == (felt, number)
            assert daemon.give({"kind": "accept", "holds": ["restarted"]}, "1-1")[0] == 200
            back.until(lambda parts: parts["trouble"] == "")
            shoe.plug()
        shoe.say(*signals[OPENING + 5 :])
        back.shows("result", "Hand 1")
        daemon.end()
    assert [fact["irregularities"] for fact in facts(tmp_path, "HandCompleted")] == [[]]
    heard = nothing_is_doubled_and_every_gap_is_told(tmp_path / "data" / "b1", signals)
    assert heard == len(signals)


def kill_behind(folder: Path, daemon: Daemon, shoe: Dealt, rest: bytes) -> None:
    """Deal the first card of a hand and a few bytes more, and kill the daemon once it has recorded them."""
    shoe.say(*script(5, "hidden", shoes=1, hands=1)[: OPENING + 1])
    Stream(daemon).until(lambda parts: "BANKER: card 1" in parts.get("prompt", ""))
    before = kept(folder)
    shoe.write(rest)
    until(lambda: kept(folder) > before)
    daemon.kill()


def kept(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("data/b1/*.raw"))


def test_a_kill_in_the_middle_of_a_message_is_no_bar_to_a_start_without_the_shoe(tmp_path: Path):
    """faults.md B 12 and 30: half a message is told as bytes of no use, wherever the port is by then."""
    with table(tmp_path) as (killed, shoe, _):
        kill_behind(tmp_path, killed, shoe, b"\x054D")
        shoe.pty.unplug()
        with run("--config", tmp_path / "tirage.toml") as daemon:
            Stream(daemon).shows("trouble", "The recorder was started again during this hand")
            until(lambda: any(record["kind"] == "bytes_damaged" for record in records(tmp_path)))
            assert daemon.end()[0] == 0
    (damage,) = facts(tmp_path, "LinkFault")
    assert (damage["kind"], damage["bytes"]) == ("noise", 3)


def test_a_message_of_which_one_copy_came_before_the_kill_is_judged_by_itself(tmp_path: Path):
    """trust.md T2: kept is not lost, although the shoe says nothing more; and nothing is counted twice."""
    with table(tmp_path) as (killed, shoe, _):
        emulator = Emulator()
        frames = [emulator.says(signal)[0] for signal in script(5, "hidden", shoes=1, hands=1)]
        kill_behind(tmp_path, killed, shoe, frames[OPENING + 1])
        with run("--config", tmp_path / "tirage.toml") as daemon:
            Stream(daemon).until(lambda parts: "felt" in parts and parts["felt"].count(" t ") == 2)
            assert shoe.pty.plugged
            metrics = daemon.metrics()
            daemon.end()
    assert [record["kind"] for record in records(tmp_path)].count("card_drawn") == 2
    assert metrics['tirage_cards_total{table="b1"}'] == 1
    assert metrics['tirage_frames_repeated_total{table="b1"}'] == 0
