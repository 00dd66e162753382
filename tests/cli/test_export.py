"""`tirage export`: hands, facts and incidents from real journals, also while one is being written."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.main import main
from tests.recall.conftest import journal as evening_journal
from tests.recall.evening import NOTE

journal = evening_journal


def export(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["export", *map(str, arguments)])


def lines(result: Result) -> list[dict]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_hands_are_a_table_with_one_row_each(journal):
    """The evening: five hands of shoe 1, an open one of shoe 2. One of them has an irregularity: exit code 1."""
    result = export(journal, "--what", "hands")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert result.exit_code == 1
    assert [(row["shoe"], row["hand"], row["result"]) for row in rows] == [
        ("1", "1", "banker"), ("1", "2", "player"), ("1", "3", "player"), ("1", "4", "tie"), ("1", "5", "player"),
        ("2", "1", ""),
    ]  # fmt: skip
    assert (rows[0]["player"], rows[0]["banker"], rows[0]["player_total"]) == ("9S KD", "2C 4H", "9")
    assert rows[3]["source"] == "blind"
    assert rows[0]["corrections"].startswith("player until 2026-09-21T")


def test_the_table_of_hands_is_one_that_audit_reads(journal, tmp_path):
    """design.md section 6: a hand table has player, banker, result, shoe, hand and the totals."""
    table = tmp_path / "hands.csv"
    table.write_text(export(journal, "--shoe", "1").stdout)
    audited = CliRunner().invoke(main, ["audit", str(table), "--json"])
    judged = [json.loads(line) for line in audited.stdout.splitlines()]
    assert judged[1]["player"] == ["2S", "2D", "5H"]
    assert judged[0]["irregularities"][0]["kind"] == "result-mismatch", "hand 1 was corrected against its cards"


def test_json_lines_of_hands_have_the_keys_of_an_audit_line(journal):
    hand = lines(export(journal, "--format", "jsonl"))[1]
    assert {"shoe", "hand", "player", "banker", "result", "recorded", "irregularities"} <= hand.keys()
    assert hand["recorded"] == "player"
    assert hand["irregularities"] == []  # corrected: the result that stands is that of the cards; the incident remains


def test_incidents_come_with_their_acknowledgement(journal):
    """Requirement: export of incidents."""
    result = export(journal, "--what", "incidents", "--format", "jsonl", "--shoe", 1)
    found = {row["id"]: row for row in lines(result)}
    assert result.exit_code == 1
    assert (found["1-i1"]["acknowledged_by"], found["1-i1"]["note"]) == ("1042", NOTE)
    assert found["1-i1"]["kinds"] == ["result-mismatch"]


def test_facts_are_those_of_the_journal_in_its_order(journal):
    recorded = [
        fact
        for path in sorted(journal.glob("*.jsonl"))
        for line in path.read_text().splitlines()
        if json.loads(line)["kind"] == "facts"
        for fact in json.loads(line)["data"]["facts"]
    ]
    told = lines(export(journal, "--what", "facts", "--format", "jsonl"))
    assert [row["fact"] for row in told] == [fact["fact"] for fact in recorded]
    assert told[5] | recorded[5] == told[5]
    assert len(list(csv.reader(io.StringIO(export(journal, "--what", "facts").stdout)))) == len(recorded) + 1


def test_times_and_tables_leave_out_the_rest(journal, tmp_path):
    data = tmp_path / "data"
    shutil.copytree(journal, data / "b1")
    hands = lines(export(data, "--format", "jsonl"))
    begin = hands[1]["opened"][:26]
    some = lines(export(data, "--format", "jsonl", "--from", begin[:19], "--to", hands[2]["opened"][:19]))
    assert [row["hand"] for row in some] == [2]
    assert lines(export(data, "--format", "jsonl", "--table", "b1")) == hands
    assert lines(export(data, "--format", "jsonl", "--table", "b2")) == []


def test_one_segment_can_be_named(journal):
    assert len(lines(export(journal / "000002-shoe.jsonl", "--format", "jsonl"))) == 5


def test_a_line_that_is_being_written_is_left_for_later(journal, tmp_path):
    shutil.copytree(journal, tmp_path / "b1")
    last = max((tmp_path / "b1").glob("*.jsonl"))
    last.write_bytes(last.read_bytes() + b'{"i":99,"prev":"')
    result = export(tmp_path, "--format", "jsonl")
    assert (result.exit_code, len(lines(result))) == (1, 6)


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("{empty}",), 3, "holds no journal"),
        (("{empty}/nothing",), 3, "is not there"),
        (("{torn}",), 4, "line 20"),
        (("{empty}", "--what", "cards"), 2, "'cards' is not one of"),
        (("{empty}", "--from", "yesterday"), 2, "expected a UTC time"),
    ],
)
def test_what_cannot_be_exported_is_told_with_the_exit_code_of_the_contract(
    journal, tmp_path, arguments, code, sentence
):
    """design.md section 6: 2 usage, 4 integrity, 3 input unreadable."""
    (tmp_path / "empty").mkdir()
    shutil.copytree(journal, tmp_path / "torn" / "b1")
    path = tmp_path / "torn" / "b1" / "000002-shoe.jsonl"
    content = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*content[:19], content[19].replace(b'"i":20', b'"i":21'), *content[20:]]))
    result = export(*(part.format(empty=tmp_path / "empty", torn=tmp_path / "torn") for part in arguments))
    assert result.exit_code == code
    assert sentence in result.stderr


def test_help_has_an_example_and_the_exit_codes():
    result = export("--help")
    assert "tirage export /var/lib/tirage --what hands" in result.stdout
    assert "Exit codes" in result.stdout


def test_a_clean_shoe_exits_zero(tmp_path: Path):
    from controller.core.signals import Call
    from tests.recall.dealing import deal

    async def work(dealing):
        await dealing.shoe()
        await dealing.hand("9S KD", "2C 4H", Call.PLAYER)

    assert export(deal(tmp_path / "b1", work)).exit_code == 0
