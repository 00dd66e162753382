"""Captured shoe logs through `replay` and `audit`: the field capture, and a golden one of our own (tests/golden)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from controller.cli.main import main

GOLDEN = Path(__file__).with_name("golden")
SHOE_LOG = GOLDEN / "two-shoes.hex"
FIELD_SHA = {"frames": 474, "events": 158, "noise_bytes": 6, "bad_checksums": 0, "gaps": 0, "hands": 12}


def tirage(*arguments: str | Path, stdin: bytes | None = None):
    """Return exit code, the JSON lines and what was said on stderr."""
    done = CliRunner().invoke(main, [str(word) for word in arguments], input=stdin, catch_exceptions=False)
    return done.exit_code, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def facts_of(path: Path) -> list[dict]:
    return tirage("replay", "--json", path)[1]


@pytest.fixture(scope="module")
def field(captures: Path) -> Path:
    return captures / "angel-eye-a.hex"


@pytest.fixture(scope="module")
def field_facts(field: Path) -> list[dict]:
    return facts_of(field)


def test_the_field_capture_has_the_figures_of_its_description(field_facts: list[dict]):
    """The README of the captures: 474 frames, all checksums right, no gap, 6 noise bytes, 158 events after folding."""
    assert field_facts[-1] == {"summary": FIELD_SHA}


def test_the_158_events_of_the_field_capture_are_facts(field_facts: list[dict]):
    """The same: 5 S, 10 P, 62 D, 57 I, 12 results, 4 E, 3 e, 3 d and 2 i."""
    named = Counter(fact.get("fact") for fact in field_facts)
    seen = ("PoweredUp", "StoodBy", "CardShown", "ResultCalled", "ShoeErrorRaised", "ShoeErrorCleared")
    assert [named[name] for name in seen] == [5, 10, 57, 12, 4, 3]
    assert named["CardDrawn"] + named["BurnCardSeen"] == 62
    assert named["OffGameCardSeen"] == 3 + 2
    assert sum(named[name] for name in (*seen, "CardDrawn", "BurnCardSeen", "OffGameCardSeen")) == 158
    assert named["HandAbandoned"] == 1
    assert [(fact["kind"], fact["bytes"]) for fact in field_facts if fact.get("fact") == "LinkFault"] == [("noise", 6)]
    assert [fact["disposal"] for fact in field_facts if fact.get("fact") == "OverdrawSettled"] == [
        "withdrawn",
        "withdrawn",
        "carried",
    ]


def test_every_announced_result_and_pair_of_the_field_capture_agrees(field_facts: list[dict]):
    found = {one["kind"] for fact in field_facts for one in fact.get("irregularities", ())}
    assert found == {"overdraw"}
    done = [fact for fact in field_facts if fact.get("fact") == "HandCompleted"]
    assert all(fact["recorded"] == fact["result"] for fact in done)
    assert len(done) == 12


def test_the_field_capture_is_audited_to_the_same_hands(field: Path, field_facts: list[dict]):
    """Design, section 6: exits 1, 12 hands, three with an overdraw, and no line for the abandoned hand."""
    code, lines, _ = tirage("audit", "--json", field)
    done = [fact for fact in field_facts if fact.get("fact") == "HandCompleted"]
    assert (code, len(lines) - 1) == (1, 12)
    assert lines[:-1] == [{key: fact[key] for key in lines[0]} for fact in done]


def chunked(data: bytes, sizes: list[int]) -> str:
    """Write bytes as hex with one read a line."""
    lines, place = [], 0
    for size in sizes:
        lines.append(data[place : place + size].hex())
        place += size
    return "\n".join(line for line in lines if line) + "\n"


def chunkings(data: bytes, seed: int) -> dict[str, list[int]]:
    chance = Random(seed)
    return {
        "byte by byte": [1] * len(data),
        "in one piece": [len(data)],
        "in random chunks": [chance.randint(1, 40) for _ in range(len(data))],
        "in large random chunks": [chance.randint(1, 700) for _ in range(len(data))],
    }


def bytes_of(path: Path) -> bytes:
    return b"".join(bytes.fromhex(line) for line in path.read_text().splitlines() if not line.startswith("#"))


@pytest.mark.parametrize("how", ["byte by byte", "in one piece", "in random chunks", "in large random chunks"])
def test_the_facts_do_not_depend_on_how_the_bytes_were_read(how: str, tmp_path: Path, field: Path, field_facts):
    """Promised of the captures."""
    copy = tmp_path / "copy.hex"
    for path, facts in ((field, field_facts), (SHOE_LOG, facts_of(SHOE_LOG))):
        data = bytes_of(path)
        copy.write_text(chunked(data, chunkings(data, 7)[how]))
        assert facts_of(copy) == facts


def test_bare_bytes_give_the_same_facts(tmp_path: Path):
    copy = tmp_path / "copy.bin"
    copy.write_bytes(bytes_of(SHOE_LOG))
    assert facts_of(copy) == facts_of(SHOE_LOG)


# The golden capture.


def test_the_golden_capture_is_the_script_in_bytes(tmp_path: Path):
    """The script beside it says in words what the bytes say."""
    again = tmp_path / "again.hex"
    script = GOLDEN / "two-shoes.script.jsonl"
    tirage("simulate", "--script", script, "--pace", "0", "--format", "hex", "--out", again)
    assert bytes_of(again) == bytes_of(SHOE_LOG)


def test_the_golden_capture_is_audited_to_the_hands_that_were_dealt():
    """The lines were written from the simulation's own truth: a wrong result, an unread card, overdraws both ways."""
    code, lines, _ = tirage("audit", "--json", SHOE_LOG)
    assert code == 1
    assert lines == [json.loads(line) for line in (GOLDEN / "two-shoes.audit.jsonl").read_text().splitlines()]


def test_stdin_is_read_where_the_file_is_a_hyphen():
    """Design, section 6."""
    code, lines, _ = tirage("replay", "--json", "--format", "hex", "-", stdin=SHOE_LOG.read_bytes())
    assert (code, lines) == (1, facts_of(SHOE_LOG))


def commands_of(lines: list[dict]) -> Counter:
    told = [fact for fact in lines if fact.get("fact") == "CommandAccepted"]
    assert {fact["by"] for fact in told} == {"replay"}
    return Counter(fact["act"] for fact in told)


def test_unattended_accept_lets_stand_what_waits_for_a_person():
    """Design, section 6: the default; a hand cut by a power-up before its first cards were out is dropped."""
    code, lines, _ = tirage("replay", "--json", SHOE_LOG)
    assert (code, lines[-1]["summary"]["hands"]) == (1, 10)
    assert commands_of(lines) == {"accept": 2, "new_hand": 2}


def test_unattended_void_closes_such_hands_without_a_result():
    code, lines, _ = tirage("replay", "--json", "--unattended", "void", SHOE_LOG)
    assert (code, lines[-1]["summary"]["hands"]) == (1, 8)
    assert commands_of(lines) == {"void": 2, "new_hand": 2}
    audit = tirage("audit", "--json", "--unattended", "void", SHOE_LOG)[1]
    assert [(line["shoe"], line["hand"]) for line in audit[:-1] if line["recorded"] is None] == [("1", 2), ("1", 4)]


@pytest.mark.parametrize("command", ["replay", "audit"])
def test_unattended_stop_ends_at_the_first_of_them_and_says_where(command: str):
    code, lines, said = tirage(command, "--json", "--unattended", "stop", SHOE_LOG)
    assert code == 1
    assert "hand 2 of shoe 1 waits for a person: result-mismatch" in said
    assert lines[-1]["summary"]["hands"] == 1


@pytest.mark.parametrize("command", ["replay", "audit"])
def test_a_capture_cut_inside_a_frame_is_read_as_far_as_it_goes(command: str, tmp_path: Path):
    """Design, section 6: exit 3, whatever else was found."""
    cut = tmp_path / "cut.hex"
    cut.write_text(chunked(bytes_of(SHOE_LOG)[:-5], [64] * 100))
    code, lines, said = tirage(command, "--json", cut)
    assert code == 3
    assert "ends inside a frame" in said
    assert lines[-1]["summary"]["hands"] == 10


@pytest.mark.parametrize("command", ["replay", "audit"])
def test_a_capture_cut_inside_a_byte_is_read_as_far_as_it_goes(command: str, tmp_path: Path):
    cut = tmp_path / "cut.hex"
    cut.write_text(SHOE_LOG.read_text().rstrip("\n")[:-1])
    code, lines, said = tirage(command, "--json", cut)
    assert code == 3
    assert "the last byte is cut in half" in said
    assert "summary" in lines[-1]
