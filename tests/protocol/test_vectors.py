"""The vectors in Python, in both directions (firmware-protocol/vectors)."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from drivers.tirage import keys
from drivers.tirage.codec import PayloadError, decode, encode
from drivers.tirage.framing import Frame, Framing, sealed, signed_part
from drivers.tirage.layouts import LAYOUTS
from tests.protocol import vectors_by_hand

FOLDER = vectors_by_hand.FOLDER


def read(name: str):
    return json.loads((FOLDER / f"{name}.json").read_text())


VALID, INVALID, UNPROVED, KEYS = read("valid"), read("invalid"), read("unproved"), read("keys")
named = {"ids": lambda vector: vector["name"]}


def only_frame(text: str) -> Frame:
    (frame,) = Framing().feed(bytes.fromhex(text))
    assert isinstance(frame, Frame)
    return frame


def plain(value):
    return value.hex() if isinstance(value, bytes) else int(value)


def key_of(vector) -> bytes | None:
    return bytes.fromhex(KEYS[f"from_{vector['from']}"]) if "from" in vector else None


def test_the_committed_vectors_are_those_written_by_hand():
    """SPEC.md 8: vectors come from no codec of ours."""
    assert {path.name: path.read_text() for path in FOLDER.glob("*.json")} == vectors_by_hand.documents()


def test_every_message_has_a_vector(repository):
    """A ratchet that stands at zero missing."""
    schema = tomllib.loads((repository / "firmware-protocol" / "protocol.toml").read_text())
    assert set(schema["messages"]) - {vector["message"] for vector in VALID} == set()


@pytest.mark.parametrize("vector", VALID, **named)
def test_a_valid_vector_is_read(vector):
    frame = only_frame(vector["hex"])
    assert (frame.type, frame.flags & ~2, frame.session) == (vector["type"], vector["flags"], vector["session"])
    assert (frame.counter, frame.card, frame.ms) == (vector["counter"], vector["card"], vector["ms"])
    message = decode(frame.type, frame.payload)
    assert {name: plain(value) for name, value in message._asdict().items()} == vector["fields"]
    if (key := key_of(vector)) is not None:
        assert keys.right(key, frame.signed, frame.tag)


@pytest.mark.parametrize("vector", VALID, **named)
def test_a_valid_vector_is_written(vector):
    key = key_of(vector)
    layout = LAYOUTS[vector["type"]][0]
    values = [bytes.fromhex(value) if isinstance(value, str) else value for value in vector["fields"].values()]
    type_, payload = encode(layout(*values))
    flags = vector["flags"] | (2 if key else 0)
    signed = signed_part(type_, flags, vector["session"], vector["counter"], vector["card"], vector["ms"], payload)
    assert sealed(signed, keys.tag(key, signed) if key else b"").hex() == vector["hex"]


@pytest.mark.parametrize("vector", INVALID, **named)
def test_an_invalid_vector_says_nothing(vector):
    framing = Framing()
    pieces = framing.feed(bytes.fromhex(vector["hex"])) + framing.flush()
    frames = [piece for piece in pieces if isinstance(piece, Frame)]
    if vector["none"] == "frame":
        assert frames == []
    else:
        with pytest.raises(PayloadError, match=vector["reason"]):
            decode(frames[0].type, frames[0].payload)


@pytest.mark.parametrize("vector", UNPROVED, **named)
def test_an_unproved_vector_is_not_believed(vector):
    frame = only_frame(vector["hex"])
    assert not keys.right(bytes.fromhex(KEYS["from_shoe"]), frame.signed, frame.tag)


def test_the_keys_of_a_session_are_those_computed_by_hand():
    """SPEC.md 5."""
    key, host, shoe, device = (bytes.fromhex(KEYS[name]) for name in ("key", "host_nonce", "shoe_nonce", "device"))
    derived = keys.derive(key, host, shoe, device, KEYS["wanted"])
    assert (derived.from_shoe.hex(), derived.from_host.hex()) == (KEYS["from_shoe"], KEYS["from_host"])
    assert keys.session_number(host, shoe) == KEYS["session"]


def test_the_level_asked_for_is_part_of_the_keys():
    """SPEC.md 5: unproved.json has the key of another level asked for."""
    (vector,) = [vector for vector in UNPROVED if vector["name"] == "the key of another level asked for"]
    frame = only_frame(vector["hex"])
    key, host, shoe, device = (bytes.fromhex(KEYS[name]) for name in ("key", "host_nonce", "shoe_nonce", "device"))
    assert keys.right(keys.derive(key, host, shoe, device, 0).from_shoe, frame.signed, frame.tag)


@pytest.mark.parametrize("key", [b"", bytes(32), bytes(31) + b"\x01\x00"])
def test_there_is_no_empty_key(key: bytes):
    """trust.md 3.2: no default key."""
    with pytest.raises(ValueError, match="32 random bytes"):
        keys.derive(key, bytes(16), bytes(16), bytes(8), 1)


def test_the_example_of_the_document_is_what_it_says(repository):
    """SPEC.md 2."""
    text = (repository / "firmware-protocol" / "SPEC.md").read_text()
    (example,) = re.findall(r"So `(A7[0-9A-F |]+)` is frame 5 of session 0x1A2B", text)
    frame = only_frame(example.replace("|", ""))
    assert (frame.session, frame.counter, frame.card, frame.ms) == (0x1A2B, 5, 7, 10_000)
    assert decode(frame.type, frame.payload)._asdict() == {"event": 7, "seat": 1, "place": 1, "card": 0x18}
