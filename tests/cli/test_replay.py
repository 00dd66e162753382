"""`tirage replay` of journals: the facts recorded then, byte for byte, or each difference; and true pace."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from zlib import crc32

import pytest
from click.testing import CliRunner, Result

from controller.cli.main import main
from tests.daemon.dealing import reads_of, script
from tests.daemon.test_stop_points import give, recorder_of
from tests.journal.samples import oracle_lines

SEED = 5


def replay(*arguments: str | int | Path) -> Result:
    return CliRunner().invoke(main, ["replay", *map(str, arguments)], catch_exceptions=False)


def lines_of(done: Result) -> list[dict]:
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of two shoes, with a restart in the middle of a hand."""
    folder = tmp_path_factory.mktemp("journal") / "b1"
    reads = reads_of(script(SEED, "hidden", shoes=2, hands=2), SEED)

    async def record(some: list) -> None:
        recorder = recorder_of(folder, "hidden")
        await recorder.open()
        for read in some:
            await give(recorder, read, timer=True)
        await recorder.close()

    asyncio.run(record(reads[: len(reads) // 2]))
    asyncio.run(record(reads[len(reads) // 2 :]))
    return folder


@pytest.fixture
def copy(recorded: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "b1"
    folder.mkdir()
    for path in recorded.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


def stored_facts(folder: Path) -> list[dict]:
    return [fact for line in oracle_lines(folder) if line["kind"] == "facts" for fact in line["data"]["facts"]]


def forge(folder: Path, change: Callable[[dict], None]) -> tuple[str, int]:
    """Change the first line that ``change`` takes, and make sums and chain fit again, as a forger would."""
    prev, where = "0" * 64, ("", 0)
    for path in sorted(folder.glob("*.jsonl")):
        forged = b""
        for text in path.read_text().splitlines():
            line = json.loads(text)
            before = json.dumps(line)
            if not where[1] and line["kind"] == "facts":
                change(line)
                where = (path.name, line["i"]) if json.dumps(line) != before else where
            line["prev"] = prev
            del line["crc"]
            body = json.dumps(line, separators=(",", ":")).encode()[:-1]
            whole = b'%b,"crc":"%08x"}\n' % (body, crc32(body))
            prev = sha256(whole).hexdigest()
            forged += whole
        path.write_bytes(forged)
    return where


def test_a_journal_gives_its_facts_back_byte_for_byte(recorded: Path):
    """Promised: journal facts given back."""
    done = replay("--json", recorded)
    assert done.exit_code == 0, "a restart holds the hand, and is no irregularity of it"
    *facts, last = done.stdout.splitlines()
    assert facts == [json.dumps(fact, separators=(",", ":")) for fact in stored_facts(recorded)]
    assert json.loads(last)["summary"]["differences"] == 0


def test_each_segment_stands_on_its_own(recorded: Path):
    """The first line of a segment carries what its table must know of earlier ones."""
    segments = sorted(recorded.glob("*.jsonl"))
    told = [lines_of(replay("--json", path)) for path in segments]
    assert all(lines[-1]["summary"]["differences"] == 0 for lines in told)
    assert [fact for lines in told for fact in lines[:-1]] == stored_facts(recorded)


def test_an_edited_fact_is_a_difference_and_exits_4(copy: Path):
    """Promised: or each difference listed; design.md section 6: 4 is integrity."""

    def lie(line: dict) -> None:
        for fact in line["data"]["facts"]:
            if fact["fact"] == "HandCompleted":
                fact["recorded"] = "tie" if fact["recorded"] != "tie" else "player"

    assert forge(copy, lie) != ("", 0)
    done = replay("--json", copy)
    assert done.exit_code == 4
    (found,) = [line["difference"] for line in lines_of(done) if line.keys() == {"difference"}]
    assert found["recorded"]["recorded"] != found["now"]["recorded"]
    assert lines_of(done)[-1]["summary"]["differences"] == 1


def test_a_fact_taken_out_is_a_difference(copy: Path):
    def hide(line: dict) -> None:
        facts = line["data"]["facts"]
        if any(fact["fact"] == "CardShown" for fact in facts):
            facts.clear()

    forge(copy, hide)
    done = replay("--json", copy)
    missing = [line["difference"] for line in lines_of(done) if line.keys() == {"difference"}]
    assert done.exit_code == 4
    assert [found["recorded"] for found in missing] == [None] * len(missing) != []


def test_the_text_of_a_difference_names_its_line(copy: Path):
    def lie(line: dict) -> None:
        for fact in line["data"]["facts"]:
            if fact["fact"] == "BurnCardSeen":
                fact["card"] = "AS" if fact["card"] != "AS" else "KS"

    forge(copy, lie)
    done = replay(copy)
    assert done.exit_code == 4
    assert "DIFFERENCE in line " in done.stdout


def test_a_journal_with_a_broken_chain_is_damaged(copy: Path):
    """trust.md T8: the first bad line is named; nothing after it is told."""
    path = min(copy.glob("*-shoe.jsonl"))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:5], *lines[6:]]))
    done = replay("--json", copy)
    assert done.exit_code == 4
    assert f"{path.name}, line 6" in done.stderr


def test_a_folder_without_a_journal_and_a_file_that_is_none_are_told(tmp_path: Path):
    (tmp_path / "hands.csv").write_text("player,banker\n9,8\n")
    assert replay(tmp_path).exit_code == 3
    assert replay(tmp_path / "none.hex").exit_code == 3
    done = replay(tmp_path / "hands.csv")
    assert (done.exit_code, "`tirage audit`" in done.stderr) == (2, True)


def raw_of(recorded: Path) -> Path:
    return max(recorded.glob("*.raw"), key=lambda path: path.stat().st_size)


def test_a_raw_file_is_a_capture_with_times(recorded: Path):
    """The recorder's own bytes, judged anew; each fact has the time at which its bytes came."""
    lines = lines_of(replay("--json", raw_of(recorded)))
    assert lines[-1]["summary"]["bad_checksums"] == 0
    assert all(line["at"] is not None for line in lines[:-1])


def test_true_pace_takes_as_long_as_the_table_took(recorded: Path):
    """Promised: at true pace or at once."""
    path, times = raw_of(recorded), []
    at_once = replay("--json", path)
    for speed in (8, 4):
        start = time.monotonic()
        done = replay("--json", "--pace", speed, path)
        times.append(time.monotonic() - start)
        assert done.stdout == at_once.stdout
    mono = [int(line.split()[1]) for line in path.read_text().splitlines()[1:]]
    took = (mono[-1] - mono[0]) / 1_000_000_000
    assert took > 2
    assert times[0] > 0.9 * took / 8
    assert times[1] > 0.9 * took / 4


@pytest.mark.parametrize("content", [b"", b"\n\n", b"ff ff 00 12\n"], ids=["empty", "blank", "no frame"])
def test_a_capture_without_one_frame_cannot_be_read(tmp_path: Path, content: bytes):
    """design.md section 6: exit code 3; nothing heard is not a clean shoe."""
    log = tmp_path / "shoe.hex"
    log.write_bytes(content)
    done = replay(log)
    assert (done.exit_code, "expected frames" in done.stderr) == (3, True)


def test_a_changed_raw_file_of_a_closed_segment_is_damage(recorded: Path):
    """trust.md 2.2: the raw bytes are evidence, and the segment was closed with their hash."""
    closed = next(path for path in sorted(recorded.glob("*.jsonl")) if '"kind":"segment_closed"' in path.read_text())
    raw = closed.with_suffix(".raw")
    whole = raw.read_bytes()
    raw.write_bytes(whole[:-2] + bytes([whole[-2] ^ 1]) + b"\n")
    assert replay(recorded).exit_code == 4
    raw.unlink()
    assert replay(recorded).exit_code == 4
    raw.write_bytes(whole)
    assert replay(recorded).exit_code in {0, 1}


def test_a_folder_whose_newest_segment_is_gone_is_damage(recorded: Path):
    """trust.md 2.3, cut tail: the segment before says that one follows."""
    newest = max(recorded.glob("*.jsonl"))
    newest.unlink()
    newest.with_suffix(".raw").unlink()
    assert replay(recorded).exit_code == 4
