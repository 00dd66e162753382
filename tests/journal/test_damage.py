from __future__ import annotations

import json
import random
from hashlib import sha256
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.journal.errors import JournalDamage, JournalError, TornTail
from controller.journal.reader import inputs, judged, read_folder, read_segment
from controller.journal.record import KEYS, sealed
from controller.journal.resume import resume
from tests.journal.samples import flipped, open_sample, write_sample

SEED = 7


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("journal")
    write_sample(folder)
    return folder


def uncaught_flips(path: Path, scratch: Path, bits: list[int]) -> list[int]:
    content = path.read_bytes()
    return [bit for bit in bits if not is_caught(scratch, flipped(content, bit))]


def is_caught(scratch: Path, content: bytes) -> bool:
    scratch.write_bytes(content)
    try:
        list(read_segment(scratch))
    except JournalError:
        return True
    return False


@pytest.mark.parametrize("name", ["000002-shoe.jsonl", "000003-idle.jsonl"])
def test_a_flipped_bit_is_caught(folder: Path, tmp_path: Path, name: str):
    """trust.md T8, a seeded sample; the second segment is open, its last line has no line after it."""
    bits = range((folder / name).stat().st_size * 8)
    assert uncaught_flips(folder / name, tmp_path / name, random.Random(SEED).sample(bits, 3_000)) == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["000002-shoe.jsonl", "000003-idle.jsonl"])
def test_every_flipped_bit_is_caught(folder: Path, tmp_path: Path, name: str):
    """trust.md T8: every bit."""
    bits = list(range((folder / name).stat().st_size * 8))
    assert uncaught_flips(folder / name, tmp_path / name, bits) == []


def test_every_truncation_is_caught_or_leaves_the_segment_open(folder: Path, tmp_path: Path):
    """trust.md T8: a cut inside a line is a torn tail; a cut between lines takes segment_closed away."""
    content = (folder / "000002-shoe.jsonl").read_bytes()
    path = tmp_path / "000002-shoe.jsonl"
    for size in range(1, len(content)):
        path.write_bytes(content[:size])
        if content[size - 1 : size] == b"\n":
            assert "segment_closed" not in {record.kind for record in read_segment(path)}
            continue
        with pytest.raises(TornTail) as tail:
            list(read_segment(path))
        assert tail.value.line_number == content.count(b"\n", 0, size) + 1
        assert tail.value.offset == content.rfind(b"\n", 0, size) + 1


def test_an_empty_segment_is_damage(tmp_path: Path):
    """trust.md T8: a segment is never without its first line, for it comes into place whole."""
    (tmp_path / "000001-idle.jsonl").touch()
    with pytest.raises(JournalDamage, match="empty"):
        list(read_folder(tmp_path))


def test_a_segment_that_lost_whole_lines_is_caught_by_the_next_one(folder: Path, tmp_path: Path):
    """trust.md 2.3, cut tail."""
    shoe = copied(folder, tmp_path) / "000002-shoe.jsonl"
    lines = shoe.read_bytes().splitlines(keepends=True)
    for kept in range(1, len(lines)):
        shoe.write_bytes(b"".join(lines[:kept]))
        with pytest.raises(JournalDamage, match="not closed, but 000003-idle follows"):
            list(read_folder(tmp_path))


def copied(folder: Path, target: Path) -> Path:
    for path in folder.glob("0*"):
        (target / path.name).write_bytes(path.read_bytes())
    return target


@pytest.mark.parametrize("attack", ["delete", "duplicate", "swap", "edit"])
def test_a_line_moved_or_edited_with_a_fresh_checksum_breaks_the_chain(folder: Path, tmp_path: Path, attack: str):
    """trust.md 2.3: edit, delete, duplicate, swap; the checksum is no evidence, the chain is. faults.md A 52."""
    shoe = copied(folder, tmp_path) / "000002-shoe.jsonl"
    lines = shoe.read_bytes().splitlines(keepends=True)
    match attack:
        case "delete":
            del lines[4]
        case "duplicate":
            lines.insert(4, lines[4])
        case "swap":
            lines[4], lines[6] = lines[6], lines[4]
        case _:
            lines[4] = resealed(lines[4].replace(b'"4H"', b'"5H"'))
            assert b"5H" in lines[4]
    shoe.write_bytes(b"".join(lines))
    with pytest.raises(JournalDamage) as damage:
        list(read_folder(tmp_path))
    assert damage.value.line_number in (5, 6)


def resealed(line: bytes) -> bytes:
    fields = json.loads(line)
    del fields["crc"]
    return sealed(fields)


def test_a_whole_segment_replaced_by_another_is_caught(folder: Path, tmp_path: Path):
    """trust.md 2.2, faults.md A 52: the chain goes across segments."""
    copied(folder, tmp_path)
    lines = (tmp_path / "000001-idle.jsonl").read_bytes().splitlines(keepends=True)
    lines[-1] = resealed(lines[-1].replace(b'"records":2', b'"records":3'))
    (tmp_path / "000001-idle.jsonl").write_bytes(b"".join(lines))
    with pytest.raises(JournalDamage, match="chain broken") as damage:
        list(read_folder(tmp_path))
    assert damage.value.path.name == "000002-shoe.jsonl"


def read_all(path: Path) -> str:
    """Read a file in every way there is and return what came out."""
    try:
        records = list(read_segment(path))
        list(inputs(records))
        list(judged(records))
    except JournalError as refusal:
        return type(refusal).__name__
    return "whole"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused_with_a_typed_error(tmp_path_factory: pytest.TempPathFactory, content: bytes):
    """trust.md 2.3: no KeyError out of a reader."""
    path = tmp_path_factory.getbasetemp() / "fuzz-bytes.jsonl"
    path.write_bytes(content)
    assert read_all(path) in {"JournalDamage", "TornTail"}


@given(
    place=st.integers(0, 11),
    key=st.sampled_from((*KEYS, "more")),
    value=JSON,
    place_in=st.sampled_from(["line", "data"]),
)
def test_any_value_under_a_right_checksum_is_read_or_refused_with_a_typed_error(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, place: int, key: str, value: object, place_in: str
):
    """trust.md 2.3: fields of any type, in the line or in its data."""
    lines = (folder / "000002-shoe.jsonl").read_bytes().splitlines(keepends=True)
    fields = json.loads(lines[min(place, len(lines) - 1)])
    del fields["crc"]
    target = fields["data"] if place_in == "data" else fields
    names = list(target) or [key]
    target[names[place % len(names)] if place_in == "data" else key] = value
    lines[min(place, len(lines) - 1)] = sealed({name: fields[name] for name in fields if name != "crc"})
    path = tmp_path_factory.getbasetemp() / "fuzz-values.jsonl"
    path.write_bytes(b"".join(lines[: place + 1]))
    assert read_all(path) in {"whole", "JournalDamage", "TornTail", "JournalTooNew"}


def test_deep_nesting_and_endless_numbers_are_damage(folder: Path, tmp_path: Path):
    """Reader fuzz: what makes a JSON parser itself give up."""
    for inner in (b"[" * 200_000, b"9" * 10_000, b'{"a":' * 100_000):
        body = b'{"i":' + inner
        path = tmp_path / "000001-idle.jsonl"
        path.write_bytes(body + b',"crc":"%08x"}\n' % crc32(body))
        assert read_all(path) == "JournalDamage"


def rewritten(path: Path, lines: list[dict]) -> None:
    """Store lines as a forger would: each checksum and each link made anew."""
    prev, stored = lines[0]["prev"], b""
    for fields in lines:
        line = sealed({key: value for key, value in fields.items() if key != "crc"} | {"prev": prev})
        prev, stored = sha256(line).hexdigest(), stored + line
    path.write_bytes(stored)


FORGERIES = {
    "says that it is line": lambda lines: lines[3].update(i=9),
    "unknown kind": lambda lines: lines[3].update(kind="card_guessed"),
    "segment_opened inside a segment": lambda lines: lines[3].update(kind="segment_opened"),
    "after segment_closed": lambda lines: lines.append(lines[3] | {"i": len(lines) + 1}),
    "does not open with a whole segment_opened": lambda lines: lines[0].update(kind="powered_up"),
    "raw is no span": lambda lines: lines[3].update(raw=[-1, 5]),
}


@pytest.mark.parametrize("reason", FORGERIES)
def test_a_line_out_of_place_is_damage_even_in_a_whole_chain(folder: Path, tmp_path: Path, reason: str):
    """trust.md 2.2: what a segment is made of."""
    path = tmp_path / "000002-shoe.jsonl"
    lines = [json.loads(line) for line in (folder / path.name).read_bytes().splitlines()]
    rewritten(path, lines)
    assert len(list(read_segment(path))) == len(lines)
    FORGERIES[reason](lines)
    rewritten(path, lines)
    with pytest.raises(JournalDamage, match=reason):
        list(read_segment(path))


def test_a_last_line_that_is_whole_and_of_a_newer_kind_is_refused_and_never_cut_as_torn(folder: Path, tmp_path: Path):
    """faults.md B 54, 38: a torn write has no checksum that fits; what a newer version wrote is kept."""
    copied(folder, tmp_path)
    path = tmp_path / "000003-idle.jsonl"
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    lines.append(lines[-1] | {"i": len(lines) + 1, "kind": "card_guessed"})
    rewritten(path, lines)
    before = path.read_bytes()
    with pytest.raises(JournalDamage, match="'card_guessed': a newer version wrote it"):
        open_sample(tmp_path)
    assert path.read_bytes() == before


def test_a_format_number_with_a_flipped_bit_is_damage_and_no_newer_format(folder: Path, tmp_path: Path):
    """faults.md B 39 and 54: bit rot must not send anybody to look for a newer version."""
    path = tmp_path / "000003-idle.jsonl"
    content = (folder / path.name).read_bytes()
    path.write_bytes(content.replace(b'"format":1', b'"format":3', 1))
    with pytest.raises(JournalDamage, match="checksum"):
        list(read_segment(path))


def test_two_segments_of_one_number_are_damage(folder: Path, tmp_path: Path):
    """trust.md 2.2: the number gives the order."""
    copied(folder, tmp_path)
    (tmp_path / "000003-shoe.jsonl").write_bytes((tmp_path / "000003-idle.jsonl").read_bytes())
    with pytest.raises(JournalDamage, match="same number"):
        list(read_folder(tmp_path))


def test_a_table_does_not_resume_over_a_segment_that_lost_its_end(folder: Path, tmp_path: Path):
    """trust.md T3: the exact point, or a refusal."""
    shoe = copied(folder, tmp_path) / "000002-shoe.jsonl"
    shoe.write_bytes(b"".join(shoe.read_bytes().splitlines(keepends=True)[:-1]))
    with pytest.raises(JournalDamage, match="not closed"):
        resume(tmp_path)
