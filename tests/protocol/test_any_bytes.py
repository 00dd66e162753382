"""Any bytes at all (trust.md T7): no exception, bounded memory, no card out of noise, quick recovery."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.tirage.codec import PayloadError, decode
from drivers.tirage.framing import MAX_FRAME_BYTES, NOISE_RUN_BYTES, BadFrame, Frame, Framing, Noise
from tests.protocol.line import Line
from tests.protocol.wire import CARD, HEARTBEAT, HELLO, OPTIONAL, Shoe, card_event, frame

INPUTS, INPUTS_LONG = 100_000, 2_000_000
KINDS = (0x00, 0x01, HELLO, 0x42, HEARTBEAT, 0x44, 0x45, 0x46, 0x80, CARD, 0x87, 0x8C, 0x8D, 0xC0, 0xFF)


def an_input(chance: random.Random) -> bytes:
    """Mostly nearly right: a frame, then bytes changed, cut out or put in."""
    if chance.random() < 0.2:
        return chance.randbytes(chance.randrange(60))
    payload = chance.randbytes(chance.choice((0, 1, 4, 5, 6, 7, 8, 96)))
    data = bytearray(
        frame(chance.choice(KINDS), payload, session=chance.getrandbits(16), counter=chance.getrandbits(8))
    )
    for _ in range(chance.randrange(3)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data[chance.randrange(3) :])


def fuzz(inputs: int, seed: int) -> None:
    chance = random.Random(seed)
    framing = Framing()
    fed = told = 0
    for _ in range(inputs):
        data = an_input(chance)
        fed += len(data)
        for piece in framing.feed(data):
            told += len(piece.raw)
            read(piece)
        assert framing.held_bytes <= MAX_FRAME_BYTES + NOISE_RUN_BYTES
    told += sum(len(piece.raw) for piece in framing.flush())
    assert told == fed  # each byte is told of, once


def read(piece: Frame | BadFrame | Noise) -> None:
    if isinstance(piece, Frame):
        try:
            decode(piece.type, piece.payload)
        except PayloadError:
            return


def test_no_input_breaks_the_decoder():
    """T7: 100,000 inputs."""
    fuzz(INPUTS, 7)


@pytest.mark.long
def test_no_input_breaks_the_decoder_in_a_long_run():
    """T7: 2,000,000 inputs."""
    fuzz(INPUTS_LONG, 70)


def test_no_input_breaks_a_session():
    """T7: in every state; the memory stays small and nothing is a card that was not sent."""
    chance = random.Random(77)
    for seed in range(60):
        line = Line(Shoe(nonce=seed.to_bytes(16, "big")))
        if seed % 3:
            line.connect()
        for _ in range(150):
            line.now_ms += chance.randrange(60)
            line.heard += line.session.tick(line.now_ns)
            line.feed(an_input(chance))
            assert line.session.held_bytes <= MAX_FRAME_BYTES + NOISE_RUN_BYTES
        assert line.cards == []


@given(st.lists(st.binary(max_size=40), max_size=30), st.randoms(use_true_random=False))
def test_chunks_make_no_difference(parts: list[bytes], chance: random.Random):
    """T7: the pieces depend on the bytes alone."""
    data = b"".join(part + frame(CARD, card_event(1, "player", 1, "8S"), counter=len(part)) for part in parts)
    whole = Framing()
    expected = whole.feed(data) + whole.flush()
    cut = Framing()
    found = []
    while data:
        size = chance.randint(1, 50)
        found += cut.feed(data[:size])
        data = data[size:]
    assert found + cut.flush() == expected


@given(st.binary(max_size=300) | st.lists(st.sampled_from(b"\xa7\x10\x12\x00\x07\x60"), max_size=120).map(bytes))
def test_garbage_costs_at_most_one_good_frame(garbage: bytes):
    """T7: resync within one good frame; here none is lost once the line falls silent."""
    framing = Framing()
    good = frame(CARD, card_event(1, "player", 1, "8S"), counter=1)
    pieces = framing.feed(garbage + good * 2) + framing.flush()
    assert [piece.raw for piece in pieces if isinstance(piece, Frame)].count(good) >= 2


def test_a_good_frame_inside_a_bad_one_is_found():
    """SPEC.md 2: a wrong CRC costs the start byte only."""
    good = frame(CARD, card_event(1, "player", 1, "8S"))
    framing = Framing()
    pieces = framing.feed(b"\xa7\x08\x10" + good * 2)
    assert [piece.raw for piece in pieces if isinstance(piece, Frame)] == [good, good]
    assert [piece.raw for piece in pieces if isinstance(piece, BadFrame)] == [b"\xa7\x08\x10"]


def test_an_optional_frame_of_any_private_type_is_left_out():
    """SPEC.md 9: makers' own types."""
    line = Line().connect()
    for kind in range(0xC0, 0xE0):
        line.feed(line.shoe.frame(kind, b"any", flags=OPTIONAL))
    assert line.session.live
    assert line.session.counts.ignored == 32
