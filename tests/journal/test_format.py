from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from controller.core.inputs import Input
from controller.core.signals import LinkOpened, PoweredUp
from controller.journal.errors import FolderLocked, JournalTooNew, WrongTable
from controller.journal.reader import read_folder, read_segment
from controller.journal.record import sealed
from controller.journal.writer import Journal
from tests.journal.samples import SETTINGS, deal, moment, open_sample, oracle_lines, write_sample


def test_the_stored_lines_form_one_chain_across_all_segments(tmp_path: Path):
    """trust.md 2.2, faults.md B 42: SHA-256 of the line before, as stored, also over the seam of two segments."""
    write_sample(tmp_path)
    lines = oracle_lines(tmp_path)
    assert [path.name for path in sorted(tmp_path.glob("0*"))] == [
        "000001-idle.jsonl",
        "000001-idle.raw",
        "000002-shoe.jsonl",
        "000002-shoe.raw",
        "000003-idle.jsonl",
        "000003-idle.raw",
    ]
    assert [record.i for record in read_folder(tmp_path)] == [line["i"] for line in lines]
    assert [record.kind for record in read_folder(tmp_path)] == [line["kind"] for line in lines]


def test_a_line_has_the_keys_of_format_1_in_their_order(tmp_path: Path):
    """trust.md 2.2, names, format 1."""
    write_sample(tmp_path)
    card = next(line for line in oracle_lines(tmp_path) if line["kind"] == "card_drawn")
    assert list(card) == ["i", "prev", "kind", "boot", "mono", "utc", "by", "raw", "data", "crc"]
    assert (card["mono"], card["utc"], card["by"]) == (100_000_000, "2026-09-21T14:13:20.100000000Z", "shoe")
    assert card["data"] == {"seat": "player", "index": 1, "card": "9S", "unread": False}
    offset, length = card["raw"]
    raw = (tmp_path / "000002-shoe.raw").read_bytes()[offset : offset + length]
    assert raw == b"2026-09-21T14:13:20.100000000Z 100000000 02395303\n"


def test_a_segment_opens_with_its_format_and_settings_and_closes_with_its_counts(tmp_path: Path):
    """trust.md 2.2: first and last line of a segment."""
    write_sample(tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "000002-shoe.jsonl").read_bytes().splitlines()]
    opened, closed = lines[0]["data"], lines[-1]["data"]
    assert lines[0]["kind"] == "segment_opened"
    assert (opened["format"], opened["table"], opened["shoe"], opened["software"]) == (1, "bac-7", 1, "0.1.0")
    assert (opened["raw"], opened["carry"]) == ("000002-shoe.raw", {"incidents": ["I-3"]})
    assert lines[-1]["kind"] == "segment_closed"
    assert (closed["records"], closed["inputs"], closed["facts"]) == (len(lines) - 1, 5, 4)
    assert closed["raw"]["bytes"] == (tmp_path / "000002-shoe.raw").stat().st_size


def test_a_newer_format_is_refused_loudly_by_reader_and_writer(tmp_path: Path):
    """faults.md B 54: an older reader refuses a newer log version."""
    write_sample(tmp_path)
    path = tmp_path / "000003-idle.jsonl"
    first = json.loads(path.read_bytes().splitlines()[0])
    del first["crc"]
    first["data"]["format"] = 2
    for newer in (sealed(first), json.dumps({"format": 9, "other": "layout"}).encode() + b"\n"):
        path.write_bytes(newer)
        with pytest.raises(JournalTooNew, match=r"format [29], this version reads up to format 1"):
            list(read_segment(path))
        with pytest.raises(JournalTooNew):
            open_sample(tmp_path)
        assert path.read_bytes() == newer


def test_a_second_recorder_of_a_folder_is_told_who_holds_it(tmp_path: Path):
    """trust.md 2.2: one daemon a folder."""
    with open_sample(tmp_path) as journal:
        with pytest.raises(FolderLocked, match=f"process {os.getpid()}") as refusal:
            open_sample(tmp_path)
        assert refusal.value.pid == os.getpid()
        deal(journal)
    open_sample(tmp_path).close()


def test_the_folder_of_another_table_is_refused(tmp_path: Path):
    """trust.md 2.2: a table's folder."""
    write_sample(tmp_path)
    with pytest.raises(WrongTable, match="belongs to table bac-7, not bac-8"):
        Journal.open(tmp_path, **SETTINGS | {"table": "bac-8"})
    open_sample(tmp_path).close()


def test_changed_settings_inside_a_segment_are_recorded_once(tmp_path: Path):
    """faults.md B 53: what judges is written in the journal."""
    write_sample(tmp_path)
    for _ in range(2):
        Journal.open(tmp_path, **SETTINGS | {"software": "0.2.0"}).close()
    changes = [record.data for record in read_folder(tmp_path) if record.kind == "settings_changed"]
    assert [change["software"] for change in changes] == ["0.2.0"]


def test_text_that_no_encoding_holds_is_still_recorded(tmp_path: Path):
    """trust.md promise 3: an odd device name must not stop the recorder."""
    name = "shoe \udcff ü \u2028 \n"
    with open_sample(tmp_path) as journal:
        journal.append_input(Input(LinkOpened(name), moment(1)))
    assert [line["data"] for line in oracle_lines(tmp_path)][-1] == {"identity": name, "authenticated": None}


def test_each_commit_is_timed(tmp_path: Path):
    """The commit histogram counts every fdatasync of an append, and no buffered facts."""
    seconds: list[float] = []
    with Journal.open(tmp_path, **SETTINGS, on_commit=seconds.append) as journal:
        deal(journal)
        assert len(seconds) == 8
    assert len(seconds) == 9
    assert all(0 < second < 30 for second in seconds)


def test_facts_go_to_the_disk_with_the_next_commit_and_only_for_the_last_input(tmp_path: Path):
    """design.md section 1: facts are recomputable."""
    with open_sample(tmp_path) as journal:
        index = journal.append_input(Input(PoweredUp(), moment(1)))
        journal.append_facts([], index)
        assert [line["kind"] for line in oracle_lines(tmp_path)] == ["segment_opened", "powered_up"]
        with pytest.raises(ValueError, match="facts of input 2"):
            journal.append_facts([], index)
        journal.append_input(Input(PoweredUp(), moment(2)))
        assert [line["kind"] for line in oracle_lines(tmp_path)][1:] == ["powered_up", "facts", "powered_up"]
