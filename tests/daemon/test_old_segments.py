"""A running daemon reads its old segments again: rotten bits are found before somebody needs them (faults.md B 39)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from controller.core.inputs import RecordDamaged
from controller.daemon.verifying import flaws
from tests.daemon.daemon import Stream, records, run, table, until
from tests.daemon.dealing import script
from tests.faults.felt import Felt
from tests.journal.samples import write_sample

SHOE, IDLE = "000002-shoe", "000001-idle"


def flip(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


def found(folder: Path) -> list[tuple[str, int]]:
    return [(flaw.path.name, flaw.line_number) for flaw in flaws(folder) if flaw is not None]


def test_b39_a_whole_record_has_no_flaw(tmp_path: Path):
    """faults.md B 39: no false alarm."""
    write_sample(tmp_path)
    assert found(tmp_path) == []


@pytest.mark.parametrize("name", [IDLE, SHOE])
def test_b39_a_flipped_bit_of_any_line_is_named_with_its_file_and_line(tmp_path: Path, name: str):
    """faults.md B 39: the verifier names the line."""
    write_sample(tmp_path)
    path = tmp_path / f"{name}.jsonl"
    whole, starts = path.read_bytes(), [0]
    starts += [place + 1 for place, byte in enumerate(whole[:-1]) if byte == ord("\n")]
    for number, start in enumerate(starts, 1):
        flip(path, start + 20)
        assert found(tmp_path)[0] == (path.name, number)
        path.write_bytes(whole)


def test_b39_a_flipped_bit_of_the_raw_bytes_is_found_by_their_hash(tmp_path: Path):
    """faults.md B 39: the bytes as they came are part of the record."""
    write_sample(tmp_path)
    path = tmp_path / f"{SHOE}.raw"
    flip(path, path.stat().st_size // 2)
    assert found(tmp_path) == [(path.name, 1)]


def cut_the_end(folder: Path) -> None:
    path = folder / f"{SHOE}.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def exchange(folder: Path) -> None:
    other = folder.parent / "other"
    write_sample(other)
    text = (other / f"{SHOE}.jsonl").read_bytes().splitlines(keepends=True)
    (folder / f"{SHOE}.jsonl").write_bytes(text[0])


@pytest.mark.parametrize("harm", [cut_the_end, exchange], ids=["cut", "another file"])
def test_b39_a_segment_that_lost_its_end_is_found(tmp_path: Path, harm: Callable[[Path], None]):
    """faults.md B 39: what is whole by itself and not the whole file."""
    folder = tmp_path / "b1"
    write_sample(folder)
    harm(folder)
    assert found(folder)[0][0] == f"{SHOE}.jsonl"


def test_b39_a_segment_that_was_archived_is_no_damage(tmp_path: Path):
    """faults.md B 39: the first one that is there may continue one that is not."""
    write_sample(tmp_path)
    for kind in ("jsonl", "raw"):
        (tmp_path / f"{IDLE}.{kind}").unlink()
    assert found(tmp_path) == []


def test_b39_one_flaw_is_told_once_as_long_as_nobody_has_seen_it():
    """faults.md B 39: a daily round makes no list of its own."""
    felt = Felt()
    for line in (7, 7, 8):
        felt.say(RecordDamaged("000002-shoe.jsonl", line))
    assert felt.incidents == ["record-damaged"] * 2
    assert (felt.holds, felt.view.phase) == ([], "waiting")


def test_b39_the_daemon_tells_of_a_shoe_that_rots_and_deals_on(tmp_path: Path):
    """faults.md B 39: on pit and surveillance, in the log with the line, and nothing is written over it."""
    signals = script(5, "hidden", shoes=6, hands=1)  # a start reads the last four segments itself
    with table(tmp_path, more='[tables.rules]\nnew_shoe = "wire"\n') as (daemon, shoe, _):
        for one in signals:
            shoe.say(one)
        until(lambda: sum(record["by"] == "shoe" for record in records(tmp_path)) >= len(signals))
        daemon.end()
    oldest = min((tmp_path / "data" / "b1").glob("*-shoe.jsonl"))
    flip(oldest, oldest.stat().st_size // 2)
    rotten = oldest.read_bytes()
    with run("--config", tmp_path / "tirage.toml") as daemon:
        Stream(daemon, "pit").until(lambda parts: "An old record is damaged" in str(parts))
        assert oldest.name in daemon.logged("record damaged")["reason"]
        assert daemon.end()[0] == 0
    assert oldest.read_bytes() == rotten
