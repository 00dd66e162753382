"""The link to the shoe is lost and comes back: shown at once, proved or unproved, never silent."""

from __future__ import annotations

from pathlib import Path
from random import Random

from controller.core.signals import PoweredUp, Signal, StoodBy
from tests.daemon.daemon import Dealt, Stream, facts, table, until
from tests.daemon.dealing import endless, first, script
from tests.daemon.told import nothing_is_doubled_and_every_gap_is_told

LOSS_S, BACK_S = 1.0, 2.0  # trust.md T5 and T6
OPENING = 11  # signals of the shoe with seed 5 before its first hand


def deal(shoe: Dealt, signals: list[Signal], stream: Stream) -> None:
    """Deal the opening and two cards, and wait until the page has them."""
    shoe.say(*signals[: OPENING + 2])
    stream.shows("prompt", "PLAYER: card 2")


def is_live(parts: dict[str, str]) -> bool:
    return parts["status"].endswith(" LIVE") and "NOT LIVE" not in parts["status"]


def test_a_shoe_unplugged_in_mid_hand_is_shown_at_once_and_the_hand_is_unproved(tmp_path: Path):
    """trust.md T5, faults.md A 6 and B 1."""
    signals = script(5, "hidden", shoes=1, hands=1)
    with table(tmp_path) as (_, shoe, stream):
        deal(shoe, signals, stream)
        shoe.pty.unplug()
        assert stream.shows("status", "NOT LIVE") < LOSS_S
        assert "deal by procedure" in stream.parts["prompt"]
        stream.shows("trouble", "The shoe was not connected during this hand")


def test_a_shoe_plugged_in_again_is_read_within_two_seconds_by_itself(tmp_path: Path):
    """trust.md T6: back under the same path; its next message makes it live and proves that none is missing."""
    signals = script(5, "hidden", shoes=1, hands=1)
    with table(tmp_path) as (daemon, shoe, stream):
        deal(shoe, signals, stream)
        shoe.pty.unplug()
        stream.shows("status", "NOT LIVE")
        shoe.pty.plug()
        assert until(shoe.pty.has_reader) < BACK_S
        shoe.plug()
        shoe.say(signals[OPENING + 2])
        stream.until(is_live)
        assert daemon.metrics()['tirage_link_live{table="b1"}'] == 1
        daemon.end()
    assert [fault["kind"] for fault in facts(tmp_path, "LinkFault")] == []
    assert [fact["link"] for fact in facts(tmp_path, "LinkChanged")] == [
        "syncing",
        "live",
        "not-live",
        "syncing",
        "live",
    ]


def test_a_shoe_unplugged_between_hands_is_an_incident_and_holds_nothing(tmp_path: Path):
    """faults.md A 6: there is no hand that could be unproved."""
    with table(tmp_path) as (daemon, shoe, stream):
        shoe.say(PoweredUp(), StoodBy())
        stream.until(lambda parts: parts and is_live(parts))
        shoe.pty.unplug()
        stream.shows("status", "NOT LIVE")
        pit = Stream(daemon, "pit")
        pit.until(lambda parts: "incidents" in parts)
        assert "the connection to the shoe was lost between hands" in pit.parts["incidents"].lower()
        assert stream.parts["trouble"] == ""
        daemon.end()
    assert [fact["kind"] for fact in facts(tmp_path, "IncidentOpened")] == ["link-down"]
    assert facts(tmp_path, "HandSuspended") == []


def lose_again_and_again(folder: Path, shoe: Dealt, chance: Random, times: int) -> list[Signal]:
    """Unplug at random byte offsets of what is dealt; a little of it is said to nobody. Return all that was said."""
    signals, said = endless(7, "hidden", 2), []
    for _ in range(times):
        shoe.plug()
        heard = first(1, signals)
        before = kept_bytes(folder)
        shoe.say(*heard)
        until(lambda before=before: kept_bytes(folder) > before)
        read, cut, unheard = (first(chance.randint(*number), signals) for number in ((0, 3), (1, 1), (0, 2)))
        shoe.say(*read)
        frame = b"".join(shoe.emulator.says(cut[0]))
        shoe.write(frame[: chance.randrange(len(frame))])
        shoe.pty.unplug()
        for one in unheard:
            shoe.emulator.says(one)  # to nobody
        said += [*heard, *read, *cut, *unheard]
    return said


def kept_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("data/b1/*.raw"))


def test_fifty_losses_at_random_bytes_double_nothing_and_each_gap_is_told(tmp_path: Path):
    """trust.md T6."""
    with table(tmp_path) as (daemon, shoe, _):
        said = lose_again_and_again(tmp_path, shoe, Random(9), 50)
        daemon.end()
    heard = nothing_is_doubled_and_every_gap_is_told(tmp_path / "data" / "b1", said)
    assert len(said) > heard > 50
    assert (
        len([fact for fact in facts(tmp_path, "LinkChanged") if fact["link"] == "not-live"]) >= 49
    )  # the last may meet the end
