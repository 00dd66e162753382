"""The line shoe: one card a text line (wire-formats.md section 2)."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.cards import Card
from controller.core.signals import BytesDamaged, CardDrawn, Damage
from drivers.line import LONGEST_LINE_BYTES, CodesError, Session, code_table
from drivers.shoes import DRIVERS, Chosen

RANKS = ["A", *"23456789", "10", "T", "J", "Q", "K"]


def heard(data: bytes, session: Session | None = None) -> list:
    session = session or Session()
    return [one.signal for one in [*session.feed(data), *session.flush()]]


def faces(signals: list) -> list[str | None]:
    """The cards as text, None for one that was not read; anything but a card fails."""
    assert all(isinstance(signal, CardDrawn) for signal in signals), signals
    assert all((signal.card is None) == signal.unread for signal in signals)
    return [str(signal.card) if signal.card else None for signal in signals]


@pytest.mark.parametrize("end", ["\r\n", "\n"])
@pytest.mark.parametrize("case", [str.upper, str.lower])
def test_every_card_of_the_default_table_is_read_in_any_case(end, case):
    """wire-formats.md section 2: suit letter S H D C, then A 2-9 10 or T J Q K, any case; CR LF or LF."""
    codes = [suit + rank for suit, rank in product("SHDC", RANKS)]
    wanted = [code[1:].replace("10", "T") + code[0] for code in codes]
    assert faces(heard("".join(case(code) + end for code in codes).encode())) == wanted


def test_a_line_names_no_seat_and_no_index():
    """wire-formats.md sections 2 and 3: no side, index, result, error or count."""
    assert heard(b"H9\r\n") == [CardDrawn(None, None, Card.parse("9H"))]


def test_blank_lines_are_ignored():
    """wire-formats.md section 2."""
    assert faces(heard(b"\r\n \t\r\nSA\r\n\n\n")) == ["AS"]


@pytest.mark.parametrize("text", ["X9", "S1", "S11", "S0", "AS", "S", "SA SA", "JOKER", "S10X", "A" * 64])
def test_text_that_is_not_in_the_table_is_a_card_that_was_not_read(text):
    """wire-formats.md section 2: an unread card, never a default card."""
    session = Session()
    assert faces(heard(text.encode() + b"\r\nSK\r\n", session)) == [None, "KS"]
    assert (session.counts.frames, session.counts.unread) == (2, 1)


def test_a_line_longer_than_may_be_is_no_card():
    """wire-formats.md section 2: a line is at most 64 bytes; faults.md B 20."""
    session = Session()
    (damaged,) = heard(b"S" * (LONGEST_LINE_BYTES + 1) + b"\r\n", session)
    assert isinstance(damaged, BytesDamaged)
    assert (damaged.damage, damaged.lost) == (Damage.NOISE, 1)
    assert session.counts.overlong == 1


@pytest.mark.parametrize("bad", [b"\xd3A", b"S\x00A", b"S\x7f", b"\x05SA"])
def test_a_line_of_other_bytes_than_text_may_have_been_a_card(bad):
    """faults.md A 8: never mapped to a card; nothing on this wire proves that none was lost."""
    (damaged,) = heard(bad + b"\r\n")
    assert (damaged.damage, damaged.lost) == (Damage.NOISE, 1)
    assert bad.hex(" ") in damaged.detail


def test_half_a_line_at_the_end_is_told_and_no_card():
    """faults.md B 12: `S1` may be the beginning of `S10`."""
    card, damaged = heard(b"SA\r\nS1")
    assert (card.card, damaged.lost, damaged.size) == (Card.parse("AS"), 1, 2)


def test_where_things_stand_is_told():
    """design.md section 1: every input points at its bytes."""
    session = Session()
    data = b"SA\r\n\xff\r\n  H10\n"
    spans = [one.span for one in session.feed(data)]
    assert [data[span.offset : span.offset + span.length].strip() for span in spans] == [b"SA", b"\xff", b"H10"]


def test_damaged_lines_in_a_row_are_told_as_one_with_the_cards_that_may_be_lost():
    """faults.md B 21: a flood must not become a flood of inputs, each of which is made durable."""
    session = Session()
    (damaged,) = (one.signal for one in [*session.feed(b"\xff\n" * 100), *session.flush()])
    assert (damaged.size, damaged.lost) == (200, 100)
    assert len(session.feed(b"\xff\n" * 10_000)) < 20


@given(st.binary(max_size=3000), st.randoms(use_true_random=False))
def test_what_is_heard_does_not_depend_on_how_the_bytes_were_cut(data, chance):
    """faults.md B 12: one read may hold half a line or one and a half."""
    whole, cut = Session(), Session()
    told = [*whole.feed(data), *whole.flush()]
    pieces, at = [], 0
    while at < len(data):
        size = chance.randrange(1, 200)
        pieces += cut.feed(data[at : at + size])
        at += size
    assert [*pieces, *cut.flush()] == told
    assert cut.counts == whole.counts


@pytest.mark.parametrize("alphabet", [bytes(range(256)), b"\xff", b"S", b"A\n", b"\r", b"\x00\n"])
def test_any_flood_is_borne_with_little_memory(alphabet):
    """faults.md B 20, 21: bounded buffer whatever comes, and no exception."""
    session, chance = Session(), Random(4)
    for _ in range(200):
        session.feed(bytes(chance.choices(alphabet, k=997)))
        assert session.held_bytes <= 2 * LONGEST_LINE_BYTES
    session.flush()
    assert session.held_bytes == 0


def test_noise_is_never_taken_for_a_card():
    """faults.md B 15: never guess from garbage; bytes as a floating line or a wrong speed gives them."""
    session = Session()
    garbage = bytes(Random(8).choices(range(256), k=50_000))
    signals = heard(garbage + b"\nSA\r\nH9\r\n", session)
    assert not any(isinstance(signal, CardDrawn) for signal in signals)
    assert faces(heard(b"SK\r\n", session)) == ["KS"]  # after a silence the line is believed again


def test_a_card_after_one_damaged_line_is_read():
    """faults.md B 12, 13: a hit costs the line that it hit."""
    damaged, card = heard(b"\xff\xff\xff\xff\xc5\xfcS9\r\nH9\r\n")
    assert (damaged.lost, card.card) == (1, Card.parse("9H"))


@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
@pytest.mark.parametrize("size", [LONGEST_LINE_BYTES + 1, LONGEST_LINE_BYTES + 2, 500, 5_000])
@pytest.mark.parametrize("read_bytes", [1, 7, 10_000])
def test_a_line_of_text_that_is_too_long_ends_at_its_end_and_costs_no_other(size: int, end: bytes, read_bytes: int):
    """wire-formats.md section 2: a line is at most 64 bytes; faults.md B 12: the lines after it are whole."""
    session, signals = Session(), []
    data = b"A" * size + end + b"SA\r\nH9\r\nSK\r\n"
    for at in range(0, len(data), read_bytes):
        signals += [one.signal for one in session.feed(data[at : at + read_bytes])]
    damaged, cards = signals[:-3], signals[-3:]
    assert faces(cards) == ["AS", "9H", "KS"]
    assert sum(one.size for one in damaged) == size + len(end)
    assert (sum(one.lost for one in damaged), session.counts.overlong) == (1, 1)


@pytest.mark.parametrize("strange", [b"\xff", b"\x00", b"\x05"])
@pytest.mark.parametrize("at", [0, 64, 66, 299])
def test_a_long_line_with_one_byte_that_is_no_text_is_garbage_until_the_line_falls_silent(strange: bytes, at: int):
    """faults.md B 15: never guess from garbage."""
    session = Session()
    long = bytearray(b"A" * 300)
    long[at : at + 1] = strange
    (damaged,) = heard(bytes(long) + b"\r\nSA\r\n", session)
    assert (damaged.damage, damaged.lost) == (Damage.NOISE, 2)
    assert faces(heard(b"SK\r\n", session)) == ["KS"]


def test_a_long_line_of_text_is_no_proof_that_garbage_has_ended():
    """faults.md B 15: what was doubted before it is doubted after it."""
    (damaged,) = heard(b"\xff" * 100 + b"\n" + b"A" * 100 + b"\r\nSA\r\n")
    assert (damaged.damage, damaged.lost) == (Damage.NOISE, 3)


@pytest.mark.parametrize(
    ("data", "kept"), [(b"\xff" * 100 + b"\n", 0), (b"\xff\nH1", 2), (b"SA\r\n", 0), (b"SA\r\n ", 0), (b"S" * 300, 48)]
)
def test_only_a_line_without_its_end_is_unfinished(data: bytes, kept: int):
    """design, section 6: a capture that ends with whole lines is not cut, whatever stands in them."""
    session = Session()
    session.feed(data)
    assert session.held_bytes == kept


# Codes of a house's own.


def own_codes() -> dict[str, str]:
    return {f"{number:04}": rank + suit for number, (rank, suit) in enumerate(product("A23456789TJQK", "SHDC"))}


def test_a_house_may_have_codes_of_its_own():
    """wire-formats.md section 2: every deck maker prints its own codes."""
    session = DRIVERS["line"].session(Chosen(codes=own_codes()))
    signals = [one.signal for one in session.feed(b"0000\r\n0051\r\nSA\r\n")]
    assert faces(signals) == ["AS", "KC", None]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"0000": "1S"}, "no card"),
        ({"0000": "A?"}, "no card"),
        ({"0000": "5"}, "no card"),
        ({"0000": "KC"}, "no code for AS"),
        ({"": "AS"}, "printable"),
        ({"caf\u00e9": "AS"}, "printable"),
        ({"a1": "AS", "A1 ": "2S"}, "stands twice"),
        ({"90000": "AS"}, "'0000' is the end of the code '90000'"),
        ({"7" * 65: "AS"}, "1 to 64"),
    ],
)
def test_a_table_of_codes_that_could_mislead_is_refused(change, says):
    """wire-formats.md section 2: a cut line must not be read as another card, and no card may lack a code."""
    with pytest.raises(CodesError, match=says):
        code_table(own_codes() | change)
