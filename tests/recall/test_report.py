"""The report of a shoe, its timeline and the quality of its line."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from controller.recall.ledger import hand_cells, total
from controller.recall.link import quality
from controller.recall.report import report
from controller.recall.story import tell
from controller.recall.timeline import GROUPS, timeline
from tests.recall.dealing import deal


@pytest.fixture(scope="module")
def story(journal):
    return tell(journal, 1)


@pytest.fixture(scope="module")
def found(story):
    return report(story)


def test_the_report_counts_results_corrections_and_kinds_of_hands(found):
    """Requirement. By hand: 1 corrected to Banker, 2 closed by a person, 3 relaid, 4 and 5 results only."""
    assert found.results == {"banker": 1, "player": 3, "tie": 1}
    assert (found.corrected, found.sources) == (2, {"shoe": 3, "blind": 2})
    assert next(row["corrections"] for row in found.hands if row["corrections"])[0]["was"] == "player"
    assert [row["hand"] for row in found.hands] == [1, 2, 3, 4, 5]


def test_the_cards_add_up_to_the_decks(found):
    """faults.md A 43. By hand: 2 burnt, 4 + 5 + 4 dealt = 15 left; 8 x 52 = 416; 400 counted back: one too few."""
    assert found.cards["size"] == 8 * 52
    assert (found.cards["out"], found.cards["burnt"], found.cards["stub"]) == (15, 2, 400)
    assert found.cards["difference"] == 416 - 15 - 400 == 1


def test_people_on_duty_are_told_with_their_changes(found):
    """faults.md A 47."""
    assert [(row["post"], row["staff"], row["before"]) for row in found.people] == [
        ("dealer", "2001", ""),
        ("dealer", "2002", "2001"),
    ]


def test_the_day_and_the_serial_stand_in_it(journal, found):
    assert (found.day, found.limits, found.closed) == ("2026-09-21", "100-10000", True)
    assert report(tell(journal, 2)).serial == "S-77"
    assert [row["staff"] for row in report(tell(journal, 2)).people] == ["2002"]


def test_a_shoe_that_has_no_proof_to_give_is_told_as_unauthenticated(found):
    """trust.md 3.2: L0 legacy, the shoe as it is; its record names the level, as the pages do while it is dealt."""
    assert found.levels == ("unauthenticated",)


def test_each_level_that_the_link_had_during_the_shoe_is_told(tmp_path):
    """trust.md 3.2: a link that proved its frames first and then did not had two levels; the time before counts not."""
    from controller.core.inputs import Input
    from controller.core.signals import Call, LinkLost, LinkOpened

    async def work(dealing):
        async def link(signal):
            await dealing.recorder.take(Input(signal, dealing.now(), "recorder"))

        await link(LinkOpened("tirage 0102030405060708", authenticated=True))
        await dealing.shoe()
        await link(LinkLost("unplugged"))
        await link(LinkOpened("tirage 0102030405060708", authenticated=False))
        await dealing.hand("9S KD", "2C 9S", Call.PLAYER)

    assert report(tell(deal(tmp_path / "b1", work), 1)).levels == ("authentic", "unauthenticated")


def test_the_hash_is_that_of_the_last_line_of_the_segments_named(journal, found):
    """trust.md 2.2: `sed -n Np FILE | sha256sum`; computed here from the file itself."""
    from hashlib import sha256

    lines = (journal / f"{found.evidence['segment']}.jsonl").read_bytes().splitlines(keepends=True)
    assert found.evidence["hash"] == sha256(lines[found.evidence["line"] - 1]).hexdigest()
    assert found.evidence["line"] == len(lines)
    assert found.evidence["short_hash"] == found.evidence["hash"][:8]
    assert found.evidence["differences"] == 0


def test_a_report_is_plain_json(found):
    assert json.loads(json.dumps(asdict(found)))["shoe"] == 1


def test_what_only_surveillance_may_read_is_an_alarm_in_the_report(tmp_path):
    """core/incidents.py: faces alone tell of an impossible card; the pit learns of the alarm, not of what it says."""
    from controller.core.profile import House
    from controller.core.signals import Call

    async def work(dealing):
        await dealing.shoe()
        await dealing.hand("9S KD", "2C 9S", Call.PLAYER)

    found = report(tell(deal(tmp_path / "b1", work, house=House(decks=1)), 1))
    assert "alarm" in found.incidents[0]["kinds"]
    assert "impossible" not in json.dumps(asdict(found)["incidents"])
    assert found.impossible == ()


def test_a_filter_leaves_only_its_kind_and_counts_all(story):
    """Requirement: shoe timeline, filters."""
    everything, people = timeline(story, [], most=10_000), timeline(story, ["people"], most=10_000)
    assert {entry.group for entry in people.entries} == {"people"}
    assert len(people.entries) == everything.numbers["people"]
    assert len(everything.entries) == sum(everything.numbers.values())
    times = [entry.at for entry in everything.entries]
    assert times == sorted(times, reverse=True)


def test_pages_of_the_timeline_join_without_gap_or_overlap(story):
    everything = timeline(story, [], most=10_000).entries
    parts = [timeline(story, [], most=20, skip=skip).entries for skip in range(0, len(everything) + 20, 20)]
    assert [entry for part in parts for entry in part] == everything


def test_every_fact_has_a_group():
    from controller.core.facts import FactName

    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(name.value for name in grouped) == sorted(name.value for name in FactName)


def test_the_line_counts_copies_checksums_and_gaps(tmp_path):
    """faults.md A 1-5: one message with two copies, one with one, a lost one, and a frame with a wrong checksum."""
    from controller.core.signals import StoodBy

    async def work(dealing):
        await dealing.shoe()
        await dealing.say(StoodBy(), copies=2)
        await dealing.say(StoodBy(), copies=1)
        dealing.emulator.says(StoodBy())  # said, and lost on the way
        await dealing.say(StoodBy())
        frame = bytearray(dealing.emulator.says(StoodBy())[0])
        frame[-1] ^= 1
        await dealing.read(bytes(frame), dealing.now())

    found = quality(tell(deal(tmp_path / "b1", work), 1))
    assert dict(found.counts.copies) == {1: 1, 2: 1, 3: 5, 4: 0}
    assert (found.counts.bad_checksums, found.counts.gaps, found.counts.missing) == (1, 1, 1)


def test_a_cell_that_a_spreadsheet_would_run_is_made_text():
    """CWE-1236: a note of a person goes into a table."""
    row = dict.fromkeys(("table", "shoe", "hand", "opened", "closed", "sort", "source"), "")
    row |= {"player": ["AS"], "banker": [None], "result": "player", "recorded": None, "void": False}
    row |= {"table": "=HYPERLINK(1)", "corrections": [], "irregularities": [], "ruled": []}
    assert hand_cells(row)[0] == "'=HYPERLINK(1)"


@pytest.mark.parametrize(("cards", "point"), [(["KH", "TS", "AD"], 1), (["9C", "9D"], 8), ([], None), (["5"], 5)])
def test_points_follow_the_cards(cards, point):
    """rules.md 1.1."""
    assert total(cards) == point
