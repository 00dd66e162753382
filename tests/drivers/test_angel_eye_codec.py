"""Frames to signals and back (wire-formats.md section 1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.cards import Card, Rank, Seat, Suit
from controller.core.signals import (
    BurnCardDrawn,
    BytesDamaged,
    Call,
    CardCarried,
    CardDrawn,
    CardShown,
    CutCardOut,
    Damage,
    ErrorCleared,
    ErrorRaised,
    Fault,
    LinkLost,
    LockTurned,
    OffGameCardDrawn,
    OffGameCardShown,
    OffGameMode,
    Pairs,
    PoweredUp,
    PresetChanged,
    ResultCalled,
    StoodBy,
)
from drivers.angel_eye import CAPABILITIES, DataBit7, Mode, UnsayableError, decode, encode, next_seq
from drivers.angel_eye.codec import TYPES
from drivers.angel_eye.framing import DATA_BYTES, Frame, Framing
from tests.drivers.wire import frame

SHOE_CALLS = (Call.PLAYER, Call.BANKER, Call.TIE, Call.FORCED_END)  # the results that punto banco knows
EIGHT_OF_SPADES = Card.of(Rank.EIGHT, Suit.SPADES)
KING_OF_HEARTS = Card.of(Rank.KING, Suit.HEARTS)

VECTORS = [
    (1, PoweredUp(), "05 31 53 03 36 31"),
    (1, CutCardOut(), "05 31 43 03 37 31"),
    (1, CardDrawn(Seat.PLAYER, 1, EIGHT_OF_SPADES), "05 31 44 81 B8 03 34 46"),
    (7, ResultCalled(Call.PLAYER, Pairs.PLAYER), "05 37 47 91 03 45 32"),
    (3, ErrorRaised(Fault.OVERDRAW, 2, error_mode=True), "05 33 45 C2 03 42 37"),
]

# One row or more for every type that a shoe sends.
SAYINGS = {
    "S": [PoweredUp()],
    "P": [StoodBy()],
    "C": [CutCardOut()],
    "D": [CardDrawn(seat, index, None) for seat in (Seat.PLAYER, Seat.BANKER) for index in (1, 2, 3)]
    + [CardDrawn(Seat.PLAYER, 1, Card.of(rank, suit)) for suit in Suit for rank in Rank]
    + [CardDrawn(Seat.BANKER, 3, None, unread=True)]
    + [BurnCardDrawn(sets, left, KING_OF_HEARTS) for sets in (True, False) for left in range(16)],
    "I": [CardShown(Seat.PLAYER, 2, EIGHT_OF_SPADES), CardShown(Seat.BANKER, 3, None)],
    "d": [OffGameCardDrawn(mode, code, None) for mode in OffGameMode for code in (0, 15)],
    "i": [OffGameCardShown(EIGHT_OF_SPADES), OffGameCardShown(None)],
    "R": [CardCarried(Seat.PLAYER, 1, KING_OF_HEARTS), CardCarried(Seat.BANKER, 1, None)],
    "G": [ResultCalled(call, pairs) for call in SHOE_CALLS for pairs in Pairs]
    + [ResultCalled(Call.BANKER, pairs, with_six=True) for pairs in Pairs],
    "E": [
        ErrorRaised(fault, code, mode)
        for code, fault in enumerate([Fault.UNKNOWN, *list(Fault)[:7], Fault.UNKNOWN])
        for mode in (True, False)
    ],
    "e": [ErrorCleared(Fault.OVERDRAW, 2), ErrorCleared(Fault.UNKNOWN, 63)],
    "L": [LockTurned(locked=True), LockTurned(locked=False)],
    "M": [PresetChanged("0A", "12 z")],
}


def heard(words: str, mode: Mode = Mode.AUTO):
    return decode(Frame(0, frame(words)), mode)


@pytest.mark.parametrize(("seq", "signal", "expected"), VECTORS)
def test_a_vector_is_written_byte_for_byte_and_read_back(seq, signal, expected):
    """wire-formats.md 1.3."""
    raw = bytes.fromhex(expected)
    assert encode(signal, seq) == raw
    assert Framing().feed(raw) == [Frame(0, raw)]
    assert decode(Frame(0, raw)) == signal


def test_the_vector_with_bit_7_clear_in_the_card_alone_is_read():
    """wire-formats.md 1.3: D Banker 1, king of hearts, seq 2."""
    raw = bytes.fromhex("05 32 44 91 4D 03 41 39")
    [found] = Framing().feed(raw)
    assert decode(found) == CardDrawn(Seat.BANKER, 1, KING_OF_HEARTS)


def test_every_declared_type_has_a_length_a_meaning_and_a_saying():
    """wire-formats.md 1.1, the table of types."""
    assert DATA_BYTES.keys() == TYPES.keys() == SAYINGS.keys()


@pytest.mark.parametrize("bit7", DataBit7)
@pytest.mark.parametrize("letter", SAYINGS)
def test_every_saying_goes_to_the_wire_and_back_with_bit_7_set_or_clear(letter, bit7):
    """wire-formats.md 1.1: data bytes with bit 7 set and clear are both accepted."""
    for signal in SAYINGS[letter]:
        raw = encode(signal, 5, bit7)
        assert raw == frame(f"5 {letter} {raw[3:-3].hex()}")
        assert decode(Frame(0, raw)) == signal


@pytest.mark.parametrize("byte", [suit << 4 | rank for suit in range(8) for rank in range(16)])
def test_a_card_byte_is_a_card_only_with_a_real_rank_and_suit(byte):
    """faults.md A 8, wire-formats.md 1.1: rank 0, 14, 15 or suit 0, 5..7 is never a card."""
    suit, rank = byte >> 4, byte & 15
    shown = heard(f"1 I 81 {byte | 0x80:02x}")
    drawn = heard(f"1 D 81 {byte | 0x80:02x}")
    if suit in (1, 2, 3, 4) and 1 <= rank <= 13:
        card = Card.of(Rank(rank), {1: Suit.DIAMONDS, 2: Suit.CLUBS, 3: Suit.SPADES, 4: Suit.HEARTS}[suit])
        assert (shown, drawn) == (CardShown(Seat.PLAYER, 1, card), CardDrawn(Seat.PLAYER, 1, card))
    else:
        assert shown == CardShown(Seat.PLAYER, 1, None)
        assert drawn == CardDrawn(Seat.PLAYER, 1, None, unread=byte != 0)


@pytest.mark.parametrize(("mode", "unread"), [("open", True), ("hidden", False), ("auto", False)])
def test_a_drawn_card_without_a_face_is_hidden_except_in_open_mode(mode, unread):
    """wire-formats.md 1.1, the two operating modes."""
    assert heard("1 D 81 80", Mode(mode)) == CardDrawn(Seat.PLAYER, 1, None, unread=unread)


@pytest.mark.parametrize(
    "words",
    ["1 D 80 b8", "1 D 84 b8", "1 D b1 b8", "1 D e1 b8", "1 I c1 b8", "1 R a1 b8", "1 I 90 b8"]
    + [f"1 G {code:02x}" for code in (0x80, 0xB0, 0xE0, 0x94, 0x98)]
    + ["1 M 81 82 83 84 85 86", "1 Z", "1 x 81", "0 D 81 b8", "0 P"],
)
def test_a_frame_without_a_known_meaning_is_damage_and_never_a_card(words):
    """faults.md A 8: an unknown code never maps to a card or a result."""
    raw = frame(words)
    assert heard(words) == BytesDamaged(Damage.UNKNOWN_FRAME, len(raw), lost=1, detail=raw.hex(" "))


@pytest.mark.parametrize(
    "signal",
    [
        LinkLost("unplugged"),
        CardDrawn(None, None, EIGHT_OF_SPADES),
        CardDrawn(Seat.PUNTER, 1, EIGHT_OF_SPADES),
        CardDrawn(Seat.PLAYER, 4, EIGHT_OF_SPADES),
        CardShown(Seat.PLAYER, 1, Card.of_value(8)),
        CardShown(Seat.PLAYER, 1, Card.of(Rank.EIGHT, None)),
        BurnCardDrawn(sets_count=False, left=16, card=None),
        ErrorRaised(Fault.UNKNOWN, 64, error_mode=False),
        PresetChanged("A", "1"),
        PresetChanged("é1", "0000"),
        ResultCalled(Call.PLAYER, Pairs.NONE, with_six=True),
    ],
)
def test_what_this_shoe_has_no_frame_for_is_refused(signal):
    """wire-formats.md 1.1: the emulator sends only what a shoe could send."""
    with pytest.raises(UnsayableError):
        encode(signal, 1)


@given(st.sampled_from(sorted(DATA_BYTES)), st.data())
def test_any_data_in_any_known_frame_has_a_meaning_or_is_damage(letter, data):
    """faults.md A 8: no row may raise."""
    size = DATA_BYTES[letter]
    words = f"3 {letter} {data.draw(st.binary(min_size=size, max_size=size)).hex()}"
    for mode in Mode:
        signal = heard(words, mode)
        if not isinstance(signal, BytesDamaged):
            assert decode(Frame(0, encode(signal, 3)), mode) == signal


def test_numbers_run_from_1_to_9_and_begin_again_at_1():
    """wire-formats.md 1.1, seq."""
    assert [next_seq(seq) for seq in range(10)] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]


def test_the_driver_declares_that_it_only_listens():
    """wire-formats.md 1.2 and 3."""
    assert (CAPABILITIES.repeats_frames, CAPABILITIES.numbers_modulus) == (3, 9)
    assert not any([CAPABILITIES.can_resend, CAPABILITIES.can_lock, CAPABILITIES.can_clear_error])
