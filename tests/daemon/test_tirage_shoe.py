"""The open protocol at a live table: the real daemon, and the reference firmware on a pseudo-terminal."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tests.daemon.daemon import Stream, facts, records, run, until
from tests.daemon.tirage_table import (
    LEVELS,
    OTHER_KEY,
    bench,
    config,
    endless,
    faces,
    is_live,
    kept_faces,
    keys_file,
    lost,
    objects,
    script,
    table,
    tirage,
    told,
)
from tests.firmware.conftest import built  # noqa: F401 - a fixture
from tests.firmware.peer import DEVICE, KEY, Firmware

USABLE_S = 2.0
HANDS = 3
PAGES = {"table/b1": "status", "board/b1": "status", "surveillance/b1": "status", "pit": "tiles"}


@pytest.mark.parametrize("level", LEVELS)
def test_a_dealt_shoe_is_told_card_by_card(built, tmp_path: Path, level: str):  # noqa: F811
    """SPEC.md 1: a card that left the shoe is heard once."""
    dealt = script(5, 4)
    with table(tmp_path, built("shoe"), level) as (shoe, daemon, _):
        shoe.play(*dealt)
        shoe.until_told()
        assert lost(tmp_path) == []
        for topic, part in PAGES.items():
            page = Stream(daemon, topic)
            page.until(lambda parts, part=part: live(parts.get(part, "")))
            assert ("UNAUTHENTICATED" in page.parts[part]) == (level == "plain"), topic
        assert daemon.metrics()['tirage_link_authenticated{table="b1"}'] == (level == "authentic")
        daemon.end()
    assert told(tmp_path) == dealt


def pull_the_plug(program: Path, folder: Path, level: str, times: int, seed: int) -> float:
    """Deal while the plug is pulled at random bytes; return the seconds in which nine of ten were told after that.

    The tenth is for what else this machine has to do.
    """
    chance = Random(seed)
    dealt, took = endless(seed), list[float]()
    with table(folder, program, level) as (shoe, daemon, stream):
        for _ in range(times):
            said = list(islice(dealt, chance.randint(1, 5)))
            plugged = shoe.firmware.said.count("plugged")
            if chance.random() < 0.3:  # away while cards are drawn, and pulled again in the handshake
                shoe.play("fault unplug", *said, f"fault cut {chance.randint(1, 300)} 2", "fault plug")
            else:
                shoe.play(f"fault cut {chance.randint(1, 27 * len(said))} 2", *said)
            shoe.firmware.until(lambda plugged=plugged: shoe.firmware.said.count("plugged") > plugged)
            took.append(until(lambda: len(told(folder)) >= len(shoe.said)))
        stream.until(is_live)
        stream.until(lambda parts: parts["trouble"] == "")
        daemon.end()
    assert told(folder) == shoe.said
    assert lost(folder) == []
    assert kept_faces(folder) == faces(shoe.said)
    return sorted(took)[times * 9 // 10]


@pytest.mark.parametrize("level", LEVELS)
def test_nothing_is_lost_or_doubled_when_the_plug_is_pulled_at_any_byte(built, tmp_path: Path, level: str):  # noqa: F811
    """trust.md T6, faults.md B 1: asked for again, and usable within two seconds without a person."""
    assert pull_the_plug(built("shoe"), tmp_path, level, 50, 6) < USABLE_S


@pytest.mark.long
def test_nothing_is_lost_or_doubled_in_a_thousand_pulls(built, tmp_path: Path):  # noqa: F811
    """trust.md T6."""
    assert pull_the_plug(built("shoe"), tmp_path, "authentic", 1_000, 66) < USABLE_S


def test_a_daemon_that_is_killed_in_mid_hand_goes_on_where_it_stopped(built, tmp_path: Path):  # noqa: F811
    """faults.md B 30: kill -9; what the shoe said meanwhile is asked for by the number of the last event judged."""
    chance, dealt = Random(7), iter(script(7, HANDS))
    with bench(tmp_path, built("shoe"), "authentic") as shoe:
        while said := list(islice(dealt, chance.randint(4, 12))):
            with run("--config", shoe.config) as daemon:
                Stream(daemon).until(is_live)
                shoe.until_told()
                shoe.play(*said)
                if chance.random() < 0.5:
                    shoe.until_told()
                daemon.kill()
            shoe.play(*islice(dealt, chance.randint(0, 4)))  # nobody hears it
        with run("--config", shoe.config) as daemon:
            stream = Stream(daemon)
            stream.until(is_live)
            shoe.until_told()
            assert stream.parts["trouble"] == ""
            daemon.end()
    assert lost(tmp_path) == []
    assert_hands_are_whole(tmp_path / "data" / "b1", shoe.config)


def assert_hands_are_whole(journal: Path, configured: Path) -> None:
    """Each hand has the result that was called, by the journal and by the bytes it was made of alike."""
    audited = [one for one in objects(tirage("audit", "--json", journal).stdout) if "hand" in one]
    assert [one["hand"] for one in audited] == list(range(1, HANDS + 1))
    assert all(one["result"] == one["recorded"] and not one["irregularities"] for one in audited)
    replay = tirage("replay", "--json", journal)  # 4 where a fact comes out otherwise than it was recorded
    assert replay.returncode == 0, replay.stderr
    completed = [one for one in objects(replay.stdout) if one.get("fact") == "HandCompleted"]
    (recorded,) = journal.glob("*-shoe.raw")
    by_bytes = objects(tirage("audit", "--json", "--config", configured, recorded).stdout)
    for others in (completed, [one for one in by_bytes if "hand" in one]):
        assert [one["player"] + one["banker"] for one in others] == [one["player"] + one["banker"] for one in audited]


@dataclass(frozen=True)
class Refusal:
    """A shoe that is not let in: how it was started, how the table is configured, what the dealer's page says."""

    shoe: tuple[str, ...]
    lines: tuple[str, ...]
    says: str
    why: str
    key: bytes = KEY


KEYED = ("--key", KEY.hex())
REFUSALS = {
    "a wrong key": Refusal(KEYED, (), "Messages with false proof came", "bad-tags", OTHER_KEY),
    "no proof from a shoe whose key is known": Refusal(
        (), ('level = "plain"',), "This shoe proved itself before", "pinned"
    ),
    "another shoe than the one named": Refusal(
        KEYED, ('device = "1112131415161718"', 'level = "plain"'), "Another shoe is on this port", "other-shoe"
    ),
    "a shoe that reads ahead": Refusal(
        (*KEYED, "--reads-ahead"), (), "reads cards before they are drawn", "reads-ahead"
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_shoe_that_may_not_speak_is_refused_in_a_sentence_and_makes_no_card(built, tmp_path: Path, name: str):  # noqa: F811
    """trust.md 3.2; faults.md B 4, 19, 23."""
    how = REFUSALS[name]
    with Firmware(built("shoe"), tmp_path, *how.shoe) as firmware:
        lines = (*how.lines, f'keys = "{keys_file(tmp_path, how.key)}"')
        with run("--config", config(tmp_path, firmware.port, *lines)) as daemon:
            stream = Stream(daemon, "pit")
            stream.shows("tiles", how.says)
            assert "NOT LIVE" in stream.parts["tiles"]
            firmware.play("card PLAYER 1 8S")
            firmware.until(lambda: firmware.said)
            daemon.end()
            assert daemon.logged("link lost")["why"] == how.why
    assert told(tmp_path) == []
    assert incident(tmp_path, "shoe-refused" if how.why == "bad-tags" else "shoe-turned-away")


def test_a_shoe_that_proved_itself_is_not_let_in_with_less_after_a_restart(built, tmp_path: Path):  # noqa: F811
    """trust.md 3.2: a lower level is refused until two people change the policy, whatever the key file has by then."""
    with bench(tmp_path, built("shoe"), "authentic") as shoe:
        with run("--config", shoe.config) as daemon:
            Stream(daemon).until(is_live)
            shoe.play(*script(5, 1))
            shoe.until_told()
            daemon.end()
        plain = config(tmp_path, shoe.firmware.port, 'level = "plain"')
        with run("--config", plain) as daemon:  # twice: what one start knows, the next one has to know too
            Stream(daemon, "pit").shows("tiles", "This shoe proved itself before")
            assert daemon.give({"kind": "close_shoe", "stub": None})[0] == 200
            daemon.end()
        with run("--config", plain) as daemon:
            Stream(daemon, "pit").shows("tiles", "This shoe proved itself before")
            daemon.end()
        assert incident(tmp_path, "shoe-turned-away")
        let_down = config(tmp_path, shoe.firmware.port, 'level = "plain"', f'let_down = "{DEVICE.hex()}"')
        with run("--config", let_down) as daemon:
            pit = Stream(daemon, "pit")
            pit.until(lambda parts: live(parts.get("tiles", "")))
            assert "UNAUTHENTICATED" in pit.parts["tiles"]
            daemon.end()
    changed = [record["data"]["driver"] for record in records(tmp_path) if record["kind"] == "settings_changed"]
    assert changed[-1]["let_down"] == DEVICE.hex()


def test_a_shoe_that_babbles_is_cut_off_until_a_person_has_looked_at_it(built, tmp_path: Path):  # noqa: F811
    """faults.md B 21: 200 frames a second; neither the plug nor a restart of the daemon lets it in again."""
    with bench(tmp_path, built("shoe"), "authentic") as shoe:
        with run("--config", shoe.config) as daemon:
            pit = Stream(daemon, "pit")
            pit.until(lambda parts: live(parts.get("tiles", "")))
            shoe.play("card PLAYER 1 8S", "fault flood 300")
            Stream(daemon).shows("prompt", "says more than a shoe can")
            shoe.play("fault unplug", "fault plug")
            until(lambda: incident(tmp_path, "shoe-refused"))
            daemon.end()
        with run("--config", shoe.config) as daemon:
            pit = Stream(daemon, "pit")
            Stream(daemon).shows("prompt", "says more than a shoe can")
            until(lambda: daemon.metrics()['tirage_link_live{table="b1"}'] == 0)
            shoe.play("card BANKER 1 KH")
            status, _ = daemon.give({"kind": "acknowledge", "incident": incident(tmp_path, "shoe-refused"), "note": ""})
            assert status == 200
            pit.until(lambda parts: live(parts.get("tiles", "")))
            shoe.until_told()
            daemon.end()
    assert lost(tmp_path) == []


def incident(folder: Path, kind: str) -> str:
    """The id of the latest incident of a kind, empty if there is none."""
    opened = [fact["id"] for fact in facts(folder, "IncidentOpened", "IncidentAdded") if fact["kind"] == kind]
    return opened[-1] if opened else ""


def live(text: str) -> bool:
    return " LIVE" in text and "NOT LIVE" not in text


def test_a_card_on_the_third_place_without_a_second_holds_the_hand(built, tmp_path: Path):  # noqa: F811
    """SPEC.md 0x82: a place is 1 to 3 at the spot; one that is skipped is a card that may be lost."""
    with table(tmp_path, built("shoe")) as (shoe, daemon, _):
        shoe.play("loaded 8", "card PLAYER 1 8S", "card BANKER 1 2H", "card PLAYER 3 5D", "card BANKER 3 7H")
        shoe.play("button BANKER 0")
        shoe.until_told()
        until(lambda: incident(tmp_path, "link-gap"))
        daemon.end()
    assert not list(facts(tmp_path, "HandCompleted"))


def test_another_shoe_in_mid_shoe_waits_until_the_record_is_closed(built, tmp_path: Path):  # noqa: F811
    """faults.md B 4: close the shoe record first; never continue the old shoe."""
    program, level = built("shoe"), ('level = "plain"',)
    with Firmware(program, tmp_path) as firmware:
        configured = config(tmp_path, firmware.port, *level)
        with run("--config", configured) as daemon:
            pit = Stream(daemon, "pit")
            pit.until(lambda parts: live(parts.get("tiles", "")))
            firmware.play("loaded 8", "button STAND_BY 0", *HAND)
            until(lambda: told(tmp_path)[2:] == HAND)
            daemon.end()
    other = tmp_path / "other"
    other.mkdir()
    with Firmware(program, other, device=bytes(range(17, 25))) as firmware:
        firmware.play("loaded 8")
        configured.write_text(configured.read_text().replace(str(tmp_path / "tty-shoe"), str(firmware.port)))
        with run("--config", configured) as daemon:
            pit = Stream(daemon, "pit")
            pit.shows("tiles", "Another shoe is on this port")
            firmware.play("card PLAYER 1 9S")
            assert daemon.give({"kind": "close_shoe", "stub": None})[0] == 200
            pit.until(lambda parts: live(parts["tiles"]))
            firmware.play(*HAND)
            until(lambda: told(tmp_path)[-len(HAND) :] == HAND and len(told(tmp_path)) > 2 * len(HAND))
            daemon.end()
    assert [line for line in told(tmp_path) if line.startswith("card")] == [line for line in HAND if "card" in line] * 2
    drawn = [fact["shoe"] for fact in facts(tmp_path, "CardDrawn")]
    assert drawn == ["1"] * 4 + ["2"] * 4, "the new shoe has a record of its own"


HAND = ["card PLAYER 1 8S", "card BANKER 1 KH", "card PLAYER 2 TD", "card BANKER 2 7C", "button PLAYER 0"]
