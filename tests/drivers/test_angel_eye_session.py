"""Copies folded into events, sequence and conflicts (wire-formats.md 1.1; faults.md A 1-5, 8)."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.cards import Card, Seat
from controller.core.signals import (
    BytesDamaged,
    CardCarried,
    CardDrawn,
    CardShown,
    CutCardOut,
    Damage,
    LockTurned,
    PoweredUp,
    PresetChanged,
    StoodBy,
)
from drivers.angel_eye import Session, records
from tests.drivers.wire import field_log, frame, thrice

P1_8S = CardDrawn(Seat.PLAYER, 1, Card.parse("8S"))
B1_KH = CardDrawn(Seat.BANKER, 1, Card.parse("KH"))
P2_2C = CardDrawn(Seat.PLAYER, 2, Card.parse("2C"))
D1, D2, D3 = "1 D 81 b8", "2 D 91 cd", "3 D 82 a2"
FLIPS_IN_A_NORMAL_RUN = 600


def hear(*chunks: bytes, mode: str = "auto"):
    session = Session(mode)
    heard = [item for chunk in chunks for item in session.feed(chunk)] + session.flush()
    return session, heard


def said(*chunks: bytes, mode: str = "auto"):
    return [item.signal for item in hear(*chunks, mode=mode)[1]]


def spoken(signals):
    """Leave the damage out."""
    return [signal for signal in signals if not isinstance(signal, BytesDamaged)]


def damage(signals):
    return [(s.damage, s.size, s.lost) for s in signals if isinstance(s, BytesDamaged)]


def spoilt(words: str) -> bytes:
    raw = frame(words)
    return raw[:-1] + bytes([raw[-1] ^ 1])


def test_an_event_is_heard_with_its_second_copy_and_once():
    """faults.md A 1: the second and third copy are the same event."""
    session = Session()
    copy = frame(D1)
    assert [[item.signal for item in session.feed(copy)] for _ in range(3)] == [[], [P1_8S], []]
    assert session.flush() == []


def test_a_single_copy_is_heard_when_another_number_comes():
    """wire-formats.md 1.1: fewer than three copies is a figure, not an error."""
    session = Session()
    assert session.feed(frame(D1)) == []
    assert [item.signal for item in session.feed(frame(D2))] == [P1_8S]
    assert [item.signal for item in session.flush()] == [B1_KH]
    assert session.counts.copies == {1: 2, 2: 0, 3: 0, 4: 0}


def test_a_fourth_copy_is_still_the_same_event():
    """wire-formats.md 1.1: one event, however many copies."""
    session, heard = hear(frame(D1) * 4 + frame(D2) * 5)
    assert [item.signal for item in heard] == [P1_8S, B1_KH]
    assert session.counts.copies == {1: 0, 2: 0, 3: 0, 4: 2}


def test_a_copy_after_the_line_fell_silent_is_still_the_same_event():
    """faults.md B 16: a duplicate is no second card."""
    session = Session()
    session.feed(frame(D1))
    assert [item.signal for item in session.flush()] == [P1_8S]
    assert session.feed(frame(D1) * 2) + session.flush() == []
    assert session.counts.copies == {1: 0, 2: 0, 3: 1, 4: 0}


@pytest.mark.parametrize("between", [spoilt(D1), b"\xff\xfe", frame("0 Z"), b"\x051"])
def test_damage_between_copies_does_not_double_a_card(between):
    """wire-formats.md 1.1, folding; faults.md A 3."""
    signals = said(frame(D1) + between + frame(D1) + between + frame(D1) + thrice(D2))
    assert spoken(signals) == [P1_8S, B1_KH]
    assert Damage.GAP not in [kind for kind, _, _ in damage(signals)]


def test_a_place_in_the_stream_goes_with_everything_heard():
    """design.md section 1: a signal leads back to its bytes."""
    line = b"\xff\xff" + thrice(D1) + spoilt(D2) + frame(D2)
    _, heard = hear(line[:7], line[7:])
    places = [(item.span.offset, item.span.length) for item in heard]
    assert places == [(0, 2), (2, 8), (26, 8), (34, 8)]


def test_equal_cards_with_other_numbers_are_two_cards():
    """faults.md A 36: the same rank and suit twice in a row is legal."""
    assert said(thrice("1 D 81 b8", "2 D 91 b8")) == [P1_8S, CardDrawn(Seat.BANKER, 1, Card.parse("8S"))]


def test_two_agreeing_copies_outvote_the_third():
    """faults.md A 2: majority, if it checks."""
    odd, right = frame("1 D 81 b9"), frame(D1)
    for copies in ([odd, right, right], [right, odd, right], [right, right, odd]):
        session, heard = hear(*copies, thrice(D2))
        signals = [item.signal for item in heard]
        assert spoken(signals) == [P1_8S, B1_KH]
        assert damage(signals) == [(Damage.COPIES, len(odd), 0)]
        assert session.counts.conflicts == 1


def test_copies_without_a_majority_are_no_card():
    """faults.md A 2: copy conflict; both versions are named for surveillance."""
    versions = ["1 D 81 b8", "1 D 81 b9", "1 D 81 ba"]
    for count in (2, 3):
        signals = said(*map(frame, versions[:count]), thrice(D2))
        assert spoken(signals) == [B1_KH]
        assert damage(signals) == [(Damage.COPIES, 8 * count, 1)]
        assert all(frame(words).hex(" ") in signals[0].detail for words in versions[:count])


def test_a_conflict_told_in_silence_can_still_be_settled_by_a_third_copy():
    """faults.md A 2: the late copy makes the majority."""
    session = Session()
    session.feed(frame(D1) + frame("1 D 81 b9"))
    assert damage(item.signal for item in session.flush()) == [(Damage.COPIES, 16, 1)]
    assert [item.signal for item in session.feed(frame(D1))] == [P1_8S]
    assert [item.signal for item in session.feed(thrice(D2))] == [B1_KH]


def test_an_odd_copy_that_comes_again_among_the_others_stays_odd():
    """faults.md A 2: only the majority is the event."""
    right, odd = frame(D1), frame("1 D 81 b9")
    for copies in ([right, right, right, odd, right, odd], [right, odd, right, odd]):
        signals = said(*copies, thrice(D2))
        assert spoken(signals) == [P1_8S, B1_KH]
        assert damage(signals) == [(Damage.COPIES, 8, 0)] * 2


def test_copies_in_conflict_have_a_number_and_leave_no_gap_of_their_own():
    """faults.md A 2, 4: what is missing is told once."""
    conflict = frame("1 D 81 b8") + frame("1 D 81 b9")
    assert damage(said(thrice("9 P") + conflict + thrice(D2))) == [(Damage.COPIES, 16, 1)]
    assert damage(said(thrice("8 P") + conflict + thrice(D2))) == [(Damage.GAP, 1, 1), (Damage.COPIES, 16, 1)]


def test_a_late_copy_after_a_lone_frame_told_in_silence_is_no_second_card():
    """faults.md B 16."""
    session = Session()
    heard = session.feed(frame(D1) * 2 + frame("5 D 82 a2")) + session.flush() + session.feed(frame(D1))
    assert spoken(item.signal for item in heard) == [P1_8S, P2_2C]


def test_a_lone_frame_among_the_copies_of_another_is_damage():
    """wire-formats.md 1.1: XOR is weak, so the number must fit as well."""
    stray = frame("5 D 82 a2")
    for copies in ([frame(D1), stray, frame(D1)], [frame(D1), frame(D1), stray, frame(D1)]):
        signals = said(*copies, thrice(D2))
        assert spoken(signals) == [P1_8S, B1_KH]
        assert damage(signals) == [(Damage.COPIES, 8, 0)]


@pytest.mark.parametrize(
    ("before", "after", "missing"),
    [(1, 3, 1), (1, 9, 7), (9, 2, 1), (8, 1, 1), (9, 1, 0), (5, 6, 0), (2, 1, 7), (1, 2, 0)],
)
def test_a_jump_in_the_numbers_is_a_gap_of_the_events_that_are_missing(before, after, missing):
    """faults.md A 4: also where the numbers wrap from 9 to 1."""
    session, heard = hear(thrice(f"{before} D 81 b8", f"{after} D 91 cd"))
    signals = [item.signal for item in heard]
    assert (session.counts.gaps, session.counts.missing) == (int(missing > 0), missing)
    assert spoken(signals) == [P1_8S, B1_KH]
    assert damage(signals) == ([(Damage.GAP, missing, missing)] if missing else [])
    assert isinstance(signals[1], BytesDamaged) == bool(missing)  # just before the event that shows it


def test_another_event_under_the_same_number_is_a_gap_of_eight():
    """wire-formats.md 1.1: the number comes round after nine events."""
    signals = said(thrice("4 D 81 b8") + frame("4 D 91 cd") * 2 + thrice("5 P"))
    assert spoken(signals) == [P1_8S, B1_KH, StoodBy()]
    assert damage(signals) == [(Damage.COPIES, 8, 0), (Damage.GAP, 8, 8)]


def test_nine_lost_events_are_suspected_when_as_many_bytes_were_damaged():
    """wire-formats.md 1.1: nine lost events in a row are invisible by the number alone."""
    signals = said(thrice("4 D 81 b8"), b"\xee" * 9 * 3 * 6, thrice("5 D 91 cd"))
    assert damage(signals) == [(Damage.NOISE, 162, 0), (Damage.GAP, 9, 9)]


def test_a_little_noise_again_and_again_hides_no_event():
    """wire-formats.md 1.1: the bytes since the last event count, not those of the whole day."""
    noisy = b"".join(thrice(f"{number} P") + b"\xee" * 100 for number in (1, 2, 3, 4, 5))
    assert damage(said(noisy)) == [(Damage.NOISE, 100, 0)] * 5


def test_an_event_of_which_no_copy_checks_is_a_gap():
    """faults.md A 3: if all copies fail, the sequence shows it."""
    signals = said(thrice(D1) + spoilt(D2) * 3 + thrice(D3))
    assert spoken(signals) == [P1_8S, P2_2C]
    assert damage(signals) == [(Damage.CHECKSUM, 8, 0)] * 3 + [(Damage.GAP, 1, 1)]


@pytest.mark.parametrize("first", range(1, 10))
def test_the_first_number_after_opening_is_taken_as_it_is(first):
    """wire-formats.md 1.1: a controller may come in at any number."""
    assert said(thrice(f"{first} D 81 b8")) == [P1_8S]


def test_the_next_number_after_a_power_up_is_one():
    """wire-formats.md 1.1: the sequence starts again after S."""
    assert said(thrice("7 D 81 b8", "0 S", "1 D 91 cd")) == [P1_8S, PoweredUp(), B1_KH]
    assert damage(said(thrice("7 D 81 b8", "0 S", "2 D 91 cd"))) == [(Damage.GAP, 1, 1)]


def test_a_power_up_in_the_middle_of_a_hand_is_heard_between_its_cards():
    """faults.md A 10."""
    assert said(thrice(D1, "0 S", "1 D 82 a2")) == [P1_8S, PoweredUp(), P2_2C]


@pytest.mark.parametrize(
    ("line", "power_ups"),
    [
        (frame("0 S"), 1),
        (frame("0 S") * 3, 1),
        (frame("0 S") * 4, 2),
        (frame("0 S") * 6, 2),
        (frame("0 S") * 3 + b"\xff\xff\xff\xff\xc5\xfc" + frame("0 S") * 3, 2),
        (frame("0 S") + b"\xff" + frame("0 S"), 2),
        (thrice("0 S", "1 P", "0 S"), 2),
        (frame("0 S") + frame("1 P") + frame("0 S"), 2),
        (thrice("1 P") + frame("0 S") + thrice("1 P"), 1),
        (frame("0 S") + frame("0 D 81 b8"), 1),
        (thrice("1 S", "1 P"), 1),
        (frame("0 S") + spoilt("0 S") + frame("0 S"), 1),
        (frame("0 S") * 2 + spoilt("0 S") + frame("0 S") * 3, 2),
    ],
)
def test_at_most_three_copies_make_one_power_up_and_foreign_bytes_end_it(line, power_ups):
    """wire-formats.md 1.1: S always has number 0."""
    assert said(line).count(PoweredUp()) == power_ups


def test_the_same_event_before_and_after_a_single_power_up_is_two_events():
    """wire-formats.md 1.1: the sequence starts again after S."""
    assert said(thrice("1 P") + frame("0 S") + thrice("1 P")) == [StoodBy(), PoweredUp(), StoodBy()]


def test_a_frame_that_should_have_a_number_and_has_none_is_no_card_and_no_gap():
    """faults.md A 8; wire-formats.md 1.1: only S has number 0."""
    signals = said(thrice(D1, "0 D 82 a2", D2))
    assert spoken(signals) == [P1_8S, B1_KH]
    assert damage(signals) == [(Damage.UNKNOWN_FRAME, 8, 1)]


def test_a_frame_of_an_unknown_type_is_told_once_and_keeps_its_number():
    """faults.md A 8, B 19."""
    signals = said(thrice(D1, "2 Z 81 82 83", D3))
    assert spoken(signals) == [P1_8S, P2_2C]
    assert damage(signals) == [(Damage.UNKNOWN_FRAME, 9, 1)]


def test_an_open_mode_hand_with_a_carried_card_cut_card_lock_and_preset():
    """wire-formats.md 1.1: R, C, L, M and open mode, which no log from the field holds."""
    line = thrice("8 P", "9 R 81 b8", "1 D 91 cd", "2 C", "3 L 81", "4 L 80", "5 M b0 c1 b1 b2 b3 b4", "6 D 82 80")
    assert said(line, mode="open") == [
        StoodBy(),
        CardCarried(Seat.PLAYER, 1, Card.parse("8S")),
        B1_KH,
        CutCardOut(),
        LockTurned(locked=True),
        LockTurned(locked=False),
        PresetChanged("0A", "1234"),
        CardDrawn(Seat.PLAYER, 2, None, unread=True),
    ]


def test_a_hidden_mode_hand_tells_its_faces_afterwards():
    """wire-formats.md 1.1, hidden mode."""
    assert said(thrice("1 D 81 80", "2 I 81 b8"), mode="hidden") == [
        CardDrawn(Seat.PLAYER, 1, None),
        CardShown(Seat.PLAYER, 1, Card.parse("8S")),
    ]


def figures(session: Session):
    c = session.counts
    return c.frames, c.events, c.noise_bytes, c.bad_checksums, c.gaps, c.conflicts, c.overlong, dict(c.copies)


FIELD_FIGURES = (474, 158, 6, 0, 0, 0, 0, {1: 0, 2: 0, 3: 158, 4: 0})


def test_the_log_from_the_field_gives_its_figures():
    """The README of the field captures: 474 frames, 158 events, 6 noise bytes, no bad check, no gap."""
    session, heard = hear(field_log())
    assert figures(session) == FIELD_FIGURES
    counts = dict.fromkeys("SPDIGEedi", 0)
    for record in records([field_log()]):
        if record.copy == 1:
            counts[record.letter] += 1
    assert counts == {"S": 5, "P": 10, "D": 62, "I": 57, "G": 12, "E": 4, "e": 3, "d": 3, "i": 2}
    assert len(heard) == 159


def test_the_capture_in_its_own_reads_says_what_our_fixture_says(captures):
    """The README of the field captures; one read a line."""
    reads = [bytes.fromhex(line) for line in (captures / "angel-eye-a.hex").read_text().split()]
    assert len(reads) == 417
    assert b"".join(reads) == field_log()
    session, heard = hear(*reads)
    assert figures(session) == FIELD_FIGURES
    assert heard == hear(field_log())[1]


@given(st.lists(st.integers(0, len(field_log())), max_size=40))
def test_the_log_from_the_field_in_random_reads_says_the_same(cuts):
    """wire-formats.md 1.1: one read may return half a frame or one and a half."""
    line, cuts = field_log(), sorted(cuts)
    chunks = [line[start:end] for start, end in zip([0, *cuts], [*cuts, len(line)], strict=True)]
    assert hear(*chunks)[1] == hear(line)[1]


def check_flip(line: bytes, bit: int, expected):
    flipped = bytearray(line)
    flipped[bit // 8] ^= 1 << bit % 8
    heard = said(bytes(flipped))
    # Two good copies of every event are left; foreign bytes between copies of an S are two power-ups by definition.
    without = [signal for signal in spoken(heard) if signal != PoweredUp()]
    assert without == [signal for signal in expected if signal != PoweredUp()], f"bit {bit}"
    assert spoken(heard).count(PoweredUp()) >= expected.count(PoweredUp()), f"bit {bit}"
    assert not {kind for kind, _, _ in damage(heard)} & {Damage.GAP, Damage.COPIES}, f"bit {bit}"
    assert damage(heard), f"bit {bit} was not noticed"


def test_no_flipped_bit_in_a_sample_yields_a_wrong_card_or_costs_one():
    """wire-formats.md 1.1: every one-bit flip is caught."""
    line = field_log()
    expected = spoken(said(line))
    for bit in Random(2026).sample(range(len(line) * 8), FLIPS_IN_A_NORMAL_RUN):
        check_flip(line, bit, expected)


@pytest.mark.long
def test_no_flipped_bit_anywhere_yields_a_wrong_card_or_costs_one():
    """wire-formats.md 1.1: every one-bit flip is caught."""
    line = field_log()
    expected = spoken(said(line))
    for bit in range(len(line) * 8):
        check_flip(line, bit, expected)


LINES = st.lists(
    st.one_of(
        st.binary(max_size=10),
        st.builds(
            lambda seq, letter, data, copies: frame(f"{seq} {letter} {data.hex()}") * copies,
            st.integers(0, 9),
            st.sampled_from("DI"),
            st.binary(min_size=2, max_size=2),
            st.integers(1, 4),
        ),
        st.builds(lambda seq, letter: frame(f"{seq} {letter}"), st.integers(0, 9), st.sampled_from("SPC")),
    ),
    max_size=25,
)


@given(LINES, st.data())
def test_any_line_in_any_chunks_says_the_same_and_raises_nothing(parts, data):
    """faults.md A 5, B 20."""
    line = b"".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(line)), max_size=8)))
    chunks = [line[start:end] for start, end in zip([0, *cuts], [*cuts, len(line)], strict=True)]
    (whole, heard), (parted, heard_in_parts) = hear(line), hear(*chunks)
    assert heard == heard_in_parts
    assert figures(whole) == figures(parted)
    assert sum(whole.counts.copies.values()) == whole.counts.events
    assert whole.held_bytes == 0
    assert all(0 <= item.span.offset <= item.span.offset + item.span.length <= len(line) for item in heard)


@given(st.lists(st.sampled_from([D1, D2, D3, "1 D 81 b9"]), max_size=8))
def test_no_card_is_said_that_no_frame_said(words):
    """faults.md, common rule: nothing is guessed or filled in."""
    lawful = {D1: P1_8S, D2: B1_KH, D3: P2_2C, "1 D 81 b9": CardDrawn(Seat.PLAYER, 1, Card.parse("9S"))}
    cards = spoken(said(*map(frame, words)))
    assert all(cards.count(lawful[word]) <= words.count(word) for word in lawful)
    assert set(cards) <= {lawful[word] for word in words}
