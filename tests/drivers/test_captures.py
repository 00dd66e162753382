"""Captures: hex, raw and bare bytes (design.md section 6: hex has one read a line)."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.ports import (
    HEADER,
    CaptureError,
    Chunk,
    Format,
    RawLine,
    TornLineError,
    format_line,
    parse_line,
    read_capture,
    sniff,
)

TIMES = st.integers(0, 4_000_000_000 * 10**9)
LINE = "2026-11-30T00:00:00.000000007Z 123 0530"


def read(data: bytes, form: Format):
    """Return what was read and what stopped it."""
    found = []
    try:
        found.extend(read_capture(BytesIO(data), form))
    except CaptureError as error:
        return found, error
    return found, None


def test_a_hex_capture_is_one_read_a_line_and_blank_lines_and_remarks_are_skipped():
    """The field captures: one read() a line."""
    found, error = read(b"0530\n\n# remark\r\n 53 03 \r\n3630", Format.HEX)
    assert error is None
    assert found == [Chunk(b"\x050", 0), Chunk(b"S\x03", 2), Chunk(b"60", 4)]


@pytest.mark.parametrize("line", [b"05g0", b"053", b"0x05", b"05\xff", "05é".encode()])
def test_bad_hex_names_the_line_what_was_expected_and_what_to_do(line):
    """design.md section 6: exit code 3, input unreadable."""
    found, error = read(b"0530\n" + line + b"\n0530\n", Format.HEX)
    assert found == [Chunk(b"\x050", 0)]
    assert not isinstance(error, TornLineError)
    assert str(error).startswith("line 2: expected pairs of hex digits, one read a line, got")
    assert "--format raw" in str(error)


def test_a_hex_capture_cut_in_the_middle_of_a_byte_is_torn():
    """design.md section 6: input cut in mid-record."""
    found, error = read(b"0530\n053", Format.HEX)
    assert found == [Chunk(b"\x050", 0)]
    assert isinstance(error, TornLineError)


def test_a_raw_file_gives_bytes_and_times():
    """trust.md 2.2: the raw file beside the journal."""
    found, error = read(f"{HEADER}\n{LINE}\n{LINE}\n".encode(), Format.RAW)
    utc_ns = 1_795_996_800 * 10**9 + 7
    assert error is None
    assert found == [Chunk(b"\x050", 0, utc_ns, 123), Chunk(b"\x050", 2, utc_ns, 123)]


@pytest.mark.parametrize("kept", range(1, len(LINE) + 1))
def test_a_raw_file_cut_anywhere_in_its_last_line_is_torn_and_loses_nothing_before(kept):
    """faults.md B 38: a torn last line after a power cut; it is told, not lost in silence."""
    found, error = read(f"{HEADER}\n{LINE}\n{LINE[:kept]}".encode(), Format.RAW)
    assert [chunk.data for chunk in found] == [b"\x050"]
    assert isinstance(error, TornLineError)
    assert error.line == 3


@pytest.mark.parametrize("kept", range(len(HEADER) + 1))
def test_a_raw_file_cut_in_its_first_line_is_torn(kept):
    """faults.md B 38."""
    found, error = read(HEADER[:kept].encode(), Format.RAW)
    assert (found, type(error)) == ([], TornLineError)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "2026-11-30T00:00:00Z 123 0530",
        "2026-13-30T00:00:00.000000007Z 123 0530",
        LINE[:-1],
        LINE + " ",
        LINE.replace("0530", "05G0"),
        LINE.replace("0530", "05AB"),
        LINE.replace("123", "-1"),
    ],
)
def test_a_changed_line_of_a_raw_file_is_an_error_and_not_a_torn_end(line):
    """faults.md B 39: the line is named."""
    found, error = read(f"{HEADER}\n{LINE}\n{line}\n{LINE}\n".encode(), Format.RAW)
    assert len(found) == 1
    assert (type(error), error.line) == (CaptureError, 3)


def test_a_file_that_is_no_raw_file_is_refused_with_the_other_formats_named():
    """design.md section 6: `--format`."""
    _, error = read(b"0530\n", Format.RAW)
    assert "--format hex" in str(error)


def test_a_line_without_an_end_does_not_fill_the_memory():
    """faults.md A 5: bounded."""
    found, error = read(b"0" * 3_000_000, Format.HEX)
    assert found == []
    assert "at most 1048576 bytes" in str(error)
    assert len(str(error)) < 200


@given(st.binary(min_size=1, max_size=40), TIMES, TIMES)
def test_a_raw_line_is_read_as_it_was_written(data, utc_ns, mono_ns):
    """One definition for writer and reader."""
    assert parse_line(format_line(data, utc_ns, mono_ns)) == RawLine(data, utc_ns, mono_ns)


@given(st.binary(max_size=200_000))
def test_bare_bytes_come_back_whole_and_in_place(data):
    """A stream without lines."""
    found, error = read(data, Format.BYTES)
    assert error is None
    assert b"".join(chunk.data for chunk in found) == data
    assert all(data[chunk.offset :].startswith(chunk.data) for chunk in found)


@given(st.binary(max_size=300), st.sampled_from(Format))
def test_any_file_is_read_or_refused_with_a_sentence(data, form):
    """design.md section 1: bad input is told, it is not our bug."""
    read(data, form)
    read(HEADER.encode() + b"\n" + data, form)


def test_the_format_is_told_by_the_first_bytes():
    """What a person need not say."""
    assert sniff(f"{HEADER}\n".encode()) is Format.RAW
    assert sniff(b"\n# remark\n053053033630\n") is Format.HEX
    assert sniff(bytes.fromhex("053053033630")) is Format.BYTES
    assert sniff(b"") is Format.BYTES
