from __future__ import annotations

from pathlib import Path

import pytest

from controller.core.inputs import Input
from controller.core.signals import LinkOpened
from controller.journal.errors import JournalDamage
from controller.journal.reader import read_folder
from controller.journal.record import Span
from controller.journal.resume import resume
from tests.journal.samples import deal, flipped, open_sample, oracle_lines, write_sample

OPEN = "000003-idle.jsonl"


def folder_with(folder: Path, name: str, content: bytes) -> Path:
    write_sample(folder)
    (folder / name).write_bytes(content)
    return folder


def sample_file(tmp_path: Path, name: str) -> bytes:
    write_sample(tmp_path / "sample")
    return (tmp_path / "sample" / name).read_bytes()


def last_line(content: bytes) -> int:
    return content.rindex(b"\n", 0, -1) + 1


def test_a_last_line_torn_at_any_byte_is_cut_kept_and_recorded(tmp_path: Path):
    """faults.md B 38."""
    content = sample_file(tmp_path, OPEN)
    start = last_line(content)
    for size in range(start + 1, len(content)):
        folder = folder_with(tmp_path / str(size), OPEN, content[:size])
        open_sample(folder).close()
        lines = oracle_lines(folder)
        assert (folder / OPEN).read_bytes().startswith(content[:start])
        assert (folder / "000003-idle.torn-1").read_bytes() == content[start:size]
        torn = {"offset": start, "bytes": size - start, "file": "000003-idle.torn-1"}
        assert [line["data"] for line in lines if line["kind"] == "torn_tail_cut"] == [{"jsonl": torn}]
        assert lines[-1]["kind"] == "torn_tail_cut"


def test_a_tail_of_zeros_or_noise_after_the_last_line_is_cut(tmp_path: Path):
    """faults.md B 38: file systems leave zeros where a write had no time."""
    content = sample_file(tmp_path, OPEN)
    for number, torn in enumerate((bytes(4096), b"\n", b"\xff" * 9 + b"\n" + bytes(50), b"{}\n{}\n")):
        folder = folder_with(tmp_path / str(number), OPEN, content + torn)
        open_sample(folder).close()
        assert (folder / "000003-idle.torn-1").read_bytes() == torn
        assert oracle_lines(folder)[-1]["data"]["jsonl"]["bytes"] == len(torn)


def test_two_torn_tails_are_kept_in_two_files(tmp_path: Path):
    """faults.md B 38: no torn byte is thrown away."""
    write_sample(tmp_path)
    for torn in (b"first", b"second"):
        path = tmp_path / OPEN
        path.write_bytes(path.read_bytes() + torn)
        open_sample(tmp_path).close()
    assert (tmp_path / "000003-idle.torn-1").read_bytes() == b"first"
    assert (tmp_path / "000003-idle.torn-2").read_bytes() == b"second"
    assert [line["kind"] for line in oracle_lines(tmp_path)].count("torn_tail_cut") == 2


def test_a_raw_line_torn_at_any_byte_is_cut_kept_and_recorded(tmp_path: Path):
    """faults.md B 38, for raw bytes that no input names yet."""
    sample = tmp_path / "sample"
    with open_sample(sample) as journal:
        deal(journal)
        journal.append_raw(b"\x02ten\x03", journal._chain.clock())
    raw, journal_bytes = (sample / "000001-idle.raw").read_bytes(), (sample / "000001-idle.jsonl").read_bytes()
    start = last_line(raw)
    for size in range(start + 1, len(raw)):
        folder = tmp_path / str(size)
        folder.mkdir()
        (folder / "000001-idle.raw").write_bytes(raw[:size])
        (folder / "000001-idle.jsonl").write_bytes(journal_bytes)
        open_sample(folder).close()
        assert (folder / "000001-idle.raw").read_bytes() == raw[:start]
        assert (folder / "000001-idle.raw.torn-1").read_bytes() == raw[start:size]
        assert oracle_lines(folder)[-1]["data"] == {
            "raw": {"offset": start, "bytes": size - start, "file": "000001-idle.raw.torn-1"}
        }


def test_raw_bytes_that_a_record_names_are_never_cut(tmp_path: Path):
    """trust.md promise 3: missing evidence is damage, not a torn tail."""
    with open_sample(tmp_path) as journal:
        deal(journal)
    raw = tmp_path / "000001-idle.raw"
    content = raw.read_bytes()
    for changed in (content[:-1], content[: last_line(content)], flipped(content, (len(content) - 1) * 8)):
        raw.write_bytes(changed)
        with pytest.raises(JournalDamage, match="records name bytes up to"):
            open_sample(tmp_path)
        assert raw.read_bytes() == changed


def test_damage_in_the_middle_is_no_torn_tail_and_nothing_is_touched(tmp_path: Path):
    """faults.md B 39: bit rot is told with its line, never cut away."""
    content = sample_file(tmp_path, OPEN)
    with open_sample(tmp_path / "sample") as journal:
        deal(journal)
    path = tmp_path / "sample" / OPEN
    content = path.read_bytes()
    second = content.index(b"\n") + 1
    path.write_bytes(flipped(content, (second + 100) * 8))
    damaged = path.read_bytes()
    with pytest.raises(JournalDamage) as damage:
        open_sample(tmp_path / "sample")
    assert (damage.value.line_number, damage.value.path.name) == (2, OPEN)
    assert path.read_bytes() == damaged
    assert not list((tmp_path / "sample").glob("*.torn-*"))


def test_a_stop_between_two_segments_opens_the_one_that_was_announced(tmp_path: Path):
    """trust.md T3: what roll was told is not lost."""
    write_sample(tmp_path)
    for name in ("000003-idle.jsonl", "000003-idle.raw"):
        (tmp_path / name).unlink()
    (tmp_path / "000002-shoe.jsonl.new").write_bytes(b"a half")
    with open_sample(tmp_path) as journal:
        assert (journal.segment.name, journal.shoe) == ("000003-idle", 1)
    (tmp_path / "000002-shoe.jsonl").rename(tmp_path / "kept")
    for name in ("000003-idle.jsonl", "000003-idle.raw", "000002-shoe.raw"):
        (tmp_path / name).unlink()
    with open_sample(tmp_path) as journal:
        assert (journal.segment.name, journal.shoe) == ("000002-shoe", 1)
    assert list(read_folder(tmp_path))[-1].data["carry"] == {"incidents": ["I-3"]}


def test_raw_bytes_without_their_journal_are_never_overwritten(tmp_path: Path):
    """faults.md A, common rule: raw bytes are always kept."""
    write_sample(tmp_path)
    (tmp_path / "000003-idle.jsonl").unlink()
    raw = tmp_path / "000003-idle.raw"
    raw.write_bytes(raw.read_bytes() + b"2026-09-21T14:13:20.100000000Z 1 02\n")
    content = raw.read_bytes()
    with pytest.raises(JournalDamage, match="raw bytes without their journal"):
        open_sample(tmp_path)
    assert raw.read_bytes() == content


def test_facts_lost_with_the_last_commit_can_be_given_again(tmp_path: Path):
    """design.md section 1: facts are recomputable, also after a restart."""
    with open_sample(tmp_path) as journal:
        indices = deal(journal)
        journal._pending.clear()  # as a kill leaves it: facts that were waiting for a commit
    resumed = resume(tmp_path)
    assert resumed is not None
    assert [entry.facts is None for entry in resumed.inputs] == [False, False, False, True]
    with open_sample(tmp_path) as journal:
        journal.append_facts([], indices[-1])
    resumed = resume(tmp_path)
    assert resumed is not None
    assert resumed.inputs[-1].facts == ()
    assert oracle_lines(tmp_path)[-1]["kind"] == "facts"


def test_a_damaged_first_line_is_never_cut_away(tmp_path: Path):
    """faults.md B 38: a segment comes into place whole, so its first line cannot be torn by a stop."""
    content = sample_file(tmp_path, OPEN)
    first = content[: content.index(b"\n") + 1]
    for number, damaged in enumerate((first[:-1], flipped(first, 400))):
        folder = folder_with(tmp_path / str(number), OPEN, damaged)
        with pytest.raises(JournalDamage):
            open_sample(folder)
        assert (folder / OPEN).read_bytes() == damaged
        assert not list(folder.glob("*.torn-*"))


def test_bytes_after_segment_closed_are_damage(tmp_path: Path):
    """faults.md B 38: nothing is written to a closed segment, so nothing there can be torn by a stop."""
    write_sample(tmp_path)
    for path in tmp_path.glob("000003*"):
        path.unlink()
    for name in ("000002-shoe.jsonl", "000002-shoe.raw"):
        content = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(content + b"more")
        with pytest.raises(JournalDamage, match="added after segment_closed"):
            open_sample(tmp_path)
        (tmp_path / name).write_bytes(content)


def test_an_input_cannot_name_raw_bytes_that_are_not_there(tmp_path: Path):
    """trust.md promise 3: a record that a restart would take for damage is never written."""
    with open_sample(tmp_path) as journal:
        span = journal.append_raw(b"x", journal._chain.clock())
        with pytest.raises(ValueError, match="not in the raw file"):
            journal.append_input(Input(LinkOpened("x")), Span(span.offset, span.length + 1))
        journal.append_input(Input(LinkOpened("x")), span)
    open_sample(tmp_path).close()
