"""Bytes to frames, bad frames and noise (wire-formats.md 1.1; faults.md A 3, 5)."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.angel_eye.framing import NOISE_RUN_BYTES, BadFrame, Frame, Framing, Noise
from tests.drivers.wire import frame, thrice

CARD = frame("1 D 81 b8")


def pieces(*chunks: bytes):
    framing = Framing()
    return [piece for chunk in chunks for piece in framing.feed(chunk)] + framing.flush()


def broken(raw: bytes, at: int, bit: int = 0) -> bytes:
    return raw[:at] + bytes([raw[at] ^ 1 << bit]) + raw[at + 1 :]


def test_a_frame_is_certain_with_its_last_byte_and_not_before():
    """wire-formats.md 1.1: one read may return half a frame."""
    framing = Framing()
    assert [framing.feed(bytes([byte])) for byte in CARD[:-1]] == [[]] * 7
    assert framing.feed(CARD[-1:]) == [Frame(0, CARD)]


def test_an_03_and_an_05_among_the_data_end_and_begin_nothing():
    """wire-formats.md 1.1: parse by the known length of each type."""
    for words in ("3 e 03", "3 e 05", "3 D 03 05", "3 M 05 31 53 03 36 31"):
        assert pieces(frame(words)) == [Frame(0, frame(words))]


def test_a_bad_frame_costs_its_own_bytes_only():
    """faults.md A 3: drop that span only."""
    bad = broken(CARD, 4)
    assert pieces(bad + CARD) == [BadFrame(0, bad), Frame(8, CARD)]


def test_a_good_frame_inside_the_length_of_a_bad_one_is_found():
    """faults.md A 3: rescan from the next start byte inside the bad span."""
    error = frame("2 E 82")
    claims_more = error[:2] + b"M" + error[3:]  # E and M differ in one bit; an M has five data bytes more
    assert pieces(claims_more + error) == [BadFrame(0, claims_more), Frame(7, error)]


def test_a_start_byte_among_the_data_of_a_bad_frame_stays_with_it():
    """faults.md A 3: one bad frame is one damage."""
    bad = broken(frame("3 e 05"), 6)
    assert pieces(bad + CARD) == [BadFrame(0, bad), Frame(7, CARD)]


def test_a_lower_case_check_is_no_check():
    """wire-formats.md 1.1: two upper-case hex digits."""
    raw = frame("1 D 81 b8")
    assert raw.endswith(b"4F")
    assert pieces(raw[:-1] + b"f") == [BadFrame(0, raw[:-1] + b"f")]


def test_noise_is_one_run_with_its_place_and_size():
    """faults.md A 5."""
    noise = bytes.fromhex("ffffffffc5fc")
    assert pieces(CARD + noise + CARD) == [Frame(0, CARD), Noise(8, noise), Frame(14, CARD)]


def test_half_a_frame_at_the_start_or_the_end_is_noise():
    """faults.md B 12: a half frame at open or cut is resynchronised and counted."""
    assert pieces(CARD[3:] + CARD + CARD[:5]) == [Noise(0, CARD[3:]), Frame(5, CARD), Noise(13, CARD[:5])]


def test_a_lost_start_byte_does_not_cost_the_next_frame():
    """faults.md A 5: resync."""
    assert pieces(CARD[1:] + CARD)[1:] == [Frame(7, CARD)]


def test_a_frame_of_an_unknown_type_is_found_by_its_check():
    """faults.md B 19: a frame with an unknown type is told as such."""
    raw = frame("4 Z 81 82 83")
    assert pieces(raw + CARD) == [Frame(0, raw), Frame(9, CARD)]


def test_an_unknown_type_without_an_end_is_noise_and_swallows_nothing():
    """faults.md A 5, B 20: over-long is bounded and counted."""
    framing = Framing()
    overlong = b"\x054Z" + b"\x81" * 40
    assert framing.feed(overlong + CARD) == [Noise(0, overlong), Frame(43, CARD)]
    assert framing.overlong == 1


def test_an_unknown_type_cut_short_by_the_next_frame_waits_for_nothing():
    """faults.md A 5: never block."""
    assert Framing().feed(b"\x054Z\x81" + CARD) == [Noise(0, b"\x054Z\x81"), Frame(4, CARD)]


def test_endless_noise_is_told_in_parts_and_held_in_bounds():
    """faults.md A 5, B 15: garbage for ever is neither kept nor kept quiet."""
    framing = Framing()
    found = framing.feed(b"\xaa" * (3 * NOISE_RUN_BYTES + 10))
    assert [len(piece.raw) for piece in found] == [NOISE_RUN_BYTES] * 3
    assert framing.held_bytes == 10


LINES = st.lists(
    st.one_of(
        st.binary(max_size=12),
        st.sampled_from([thrice("1 D 81 b8"), frame("2 E 82"), frame("0 S"), frame("4 Z 81"), b"\x05", b"\x051M"]),
        st.integers(0, 63).map(lambda bit: broken(CARD, bit // 8, bit % 8)),
    ),
    max_size=20,
).map(b"".join)


@given(LINES, st.data())
def test_any_bytes_in_any_chunks_give_the_same_pieces_and_every_byte_once(line, data):
    """faults.md A 5, B 20: bounded, never raises; a read() may return any part of the line."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(line)), max_size=8)))
    chunks = [line[start:end] for start, end in zip([0, *cuts], [*cuts, len(line)], strict=True)]
    found = pieces(*chunks)
    assert found == pieces(line)
    assert b"".join(piece.raw for piece in found) == line
    assert all(line[piece.offset : piece.offset + len(piece.raw)] == piece.raw for piece in found)


@given(st.lists(st.binary(max_size=3000), max_size=4))
def test_the_buffer_stays_bounded_whatever_comes(chunks):
    """faults.md A 5: bounded buffer."""
    framing = Framing()
    for chunk in chunks:
        framing.feed(chunk)
        assert framing.held_bytes < NOISE_RUN_BYTES + 24
