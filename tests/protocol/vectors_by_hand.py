"""The vectors of the protocol, written by hand and packed by wire.py; run it to write firmware-protocol/vectors/."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.protocol import wire

FOLDER = Path(__file__).resolve().parents[2] / "firmware-protocol" / "vectors"
HOST_NONCE, SHOE_NONCE = bytes(range(0xA0, 0xB0)), bytes(range(0xC0, 0xD0))
SESSION = wire.sha256_number(HOST_NONCE, SHOE_NONCE)
FROM_SHOE, FROM_HOST = wire.session_keys(wire.KEY, HOST_NONCE, SHOE_NONCE, wire.DEVICE, 1)
NONCE_HEX = HOST_NONCE.hex()
LOCK_FRAME = wire.frame(0x04, b"", session=7, counter=3)
CARD_PAYLOAD = "07000000 01 02 18"

# Type, message, payload in hex, and what the payload says: numbers as numbers, bytes as hex.
MESSAGES: list[tuple[int, str, str, dict[str, Any]]] = [
    (0x01, "open", NONCE_HEX + "01", {"nonce": NONCE_HEX, "level": 1}),
    (0x02, "start", "ffffffff", {"first": 4294967295}),
    (0x03, "resend", "2a010000", {"first": 298}),
    (0x04, "lock", "", {}),
    (0x05, "unlock", "", {}),
    (0x06, "lamp", "02", {"light": 2}),
    (0x07, "tone", "b801 2c01", {"hertz": 440, "length": 300}),
    (
        0x41,
        "hello",
        wire.DEVICE.hex()
        + "1122334455667788"
        + "5a" * 32
        + "05000000"
        + NONCE_HEX
        + SHOE_NONCE.hex()
        + "00"
        + "09000000",
        {
            "device": wire.DEVICE.hex(),
            "schema": "1122334455667788",
            "firmware": "5a" * 32,
            "boots": 5,
            "echo": NONCE_HEX,
            "nonce": SHOE_NONCE.hex(),
            "level": 0,
            "event": 9,
        },
    ),
    (
        0x42,
        "capabilities",
        "01 00 01 00 01 00 01 00 4000",
        {
            "names_seat": 1,
            "names_index": 0,
            "announces_result": 1,
            "announces_pairs": 0,
            "reports_cut_card": 1,
            "reports_burn": 0,
            "can_lock": 1,
            "reads_ahead": 0,
            "ring": 64,
        },
    ),
    (0x43, "heartbeat", "00010000 01 00", {"event": 256, "locked": 1, "troubled": 0}),
    (0x44, "resending", "05000000 09000000", {"first": 5, "last": 9}),
    (0x45, "answer", "03000000 01", {"command": 3, "outcome": 1}),
    (0x46, "refused", "01 03000000", {"refusal": 1, "detail": 3}),
    (0x80, "powered_up", "01000000 02000000", {"event": 1, "boots": 2}),
    (0x81, "shoe_loaded", "02000000 08", {"event": 2, "decks": 8}),
    (0x82, "card_drawn", CARD_PAYLOAD, {"event": 7, "seat": 1, "place": 2, "card": 0x18}),
    (0x83, "card_unread", "08000000 02 03", {"event": 8, "seat": 2, "place": 3}),
    (0x84, "card_returned", "09000000 9f01", {"event": 9, "number": 415}),
    (0x85, "card_burnt", "0a000000 01 0a 2d", {"event": 10, "sets_count": 1, "left": 10, "card": 0x2D}),
    (0x86, "cut_card", "0b000000", {"event": 11}),
    (0x87, "button", "0c000000 03 02", {"event": 12, "key": 3, "pairs": 2}),
    (0x88, "door", "0d000000 01", {"event": 13, "open": 1}),
    (0x89, "tilt", "0e000000 00", {"event": 14, "moving": 0}),
    (0x8A, "lock_turned", "0f000000 01", {"event": 15, "locked": 1}),
    (0x8B, "error", "10000000 06 01", {"event": 16, "trouble": 6, "stopped": 1}),
    (0x8C, "error_cleared", "11000000 06", {"event": 17, "trouble": 6}),
]


def spoilt(data: bytes, at: int, bits: int = 1) -> str:
    """Return the bytes with some bits of one of them changed."""
    changed = bytearray(data)
    changed[at] ^= bits
    return changed.hex()


def valid() -> list[dict[str, Any]]:
    """Every message, without a tag and with one."""
    out = []
    for place, (kind, name, text, fields) in enumerate(MESSAGES):
        payload, host = bytes.fromhex(text), kind < 0x40
        head = {
            "session": SESSION,
            "counter": 1000 + place,
            "card": 0 if host else place,
            "ms": 0 if host else 70_000 + place,
        }
        flags = wire.RESENT if kind == 0x83 else 0
        plain = wire.frame(kind, payload, flags=flags, **head)
        tagged = wire.frame(kind, payload, flags=flags, key=FROM_HOST if host else FROM_SHOE, **head)
        common = {"message": name, "type": kind, "flags": flags, **head, "fields": fields}
        out.append({"name": name, **common, "hex": plain.hex()})
        out.append({"name": f"{name}, tagged", **common, "from": "host" if host else "shoe", "hex": tagged.hex()})
    return out


def invalid() -> list[dict[str, str]]:
    """What must be taken for nothing, each with the reason; `frame`: no frame, `message`: a frame without a message."""
    card = wire.frame(0x82, bytes.fromhex(CARD_PAYLOAD), session=7, counter=3, card=7, ms=9)

    def says(kind: int, text: str) -> str:
        return wire.frame(kind, bytes.fromhex(text), session=7, counter=3).hex()

    return [
        {"name": "one bit of the payload changed", "none": "frame", "reason": "crc", "hex": spoilt(card, 20)},
        {"name": "one bit of the CRC changed", "none": "frame", "reason": "crc", "hex": spoilt(card, -1, 0x80)},
        {"name": "one bit of the counter changed", "none": "frame", "reason": "crc", "hex": spoilt(card, 6)},
        {"name": "another start", "none": "frame", "reason": "start", "hex": spoilt(card, 0)},
        {"name": "the last byte is missing", "none": "frame", "reason": "truncated", "hex": card[:-1].hex()},
        {"name": "the tagged flag without a tag", "none": "frame", "reason": "truncated", "hex": spoilt(card, 2, 2)},
        {"name": "longer than any payload", "none": "frame", "reason": "length", "hex": (b"\xa7\x61" + card[2:]).hex()},
        {"name": "nothing but starts", "none": "frame", "reason": "length", "hex": "a7" * 130},
        {"name": "a type that nobody knows", "none": "message", "reason": "type", "hex": says(0x7E, "")},
        {
            "name": "a card event one byte short",
            "none": "message",
            "reason": "length",
            "hex": says(0x82, "070000000102"),
        },
        {"name": "a lock with a payload", "none": "message", "reason": "length", "hex": says(0x04, "00")},
        {"name": "rank 0", "none": "message", "reason": "value", "hex": says(0x82, "07000000010210")},
        {"name": "rank 14", "none": "message", "reason": "value", "hex": says(0x82, "0700000001021e")},
        {"name": "suit 0", "none": "message", "reason": "value", "hex": says(0x82, "07000000010208")},
        {"name": "suit 5", "none": "message", "reason": "value", "hex": says(0x82, "07000000010258")},
        {"name": "a seat that is none", "none": "message", "reason": "value", "hex": says(0x82, "07000000060218")},
        {"name": "a door neither open nor shut", "none": "message", "reason": "value", "hex": says(0x88, "0d00000002")},
        {"name": "a key that is none", "none": "message", "reason": "value", "hex": says(0x87, "0c0000000500")},
        {"name": "level 3", "none": "message", "reason": "value", "hex": says(0x01, NONCE_HEX + "03")},
    ]


def unproved() -> list[dict[str, str]]:
    """Frames that are whole and must not be believed under the key from the shoe."""
    payload, head = bytes.fromhex(CARD_PAYLOAD), {"session": SESSION, "counter": 3, "card": 7, "ms": 9}
    good = wire.frame(0x82, payload, key=FROM_SHOE, **head)
    other = wire.session_keys(wire.KEY, HOST_NONCE, SHOE_NONCE, wire.DEVICE, 0)[0]
    nonce = wire.session_keys(wire.KEY, HOST_NONCE, HOST_NONCE, wire.DEVICE, 1)[0]
    device = wire.session_keys(wire.KEY, HOST_NONCE, SHOE_NONCE, bytes(8), 1)[0]

    def patched(at: int, value: int) -> str:
        body = bytearray(good[:-4])
        body[at] ^= value
        return (bytes(body) + wire.zlib.crc32(bytes(body[1:])).to_bytes(4, "little")).hex()

    return [
        {"name": "no tag", "reason": "untagged", "hex": wire.frame(0x82, payload, **head).hex()},
        {
            "name": "the key of the other direction",
            "reason": "key",
            "hex": wire.frame(0x82, payload, key=FROM_HOST, **head).hex(),
        },
        {
            "name": "the key of another level asked for",
            "reason": "key",
            "hex": wire.frame(0x82, payload, key=other, **head).hex(),
        },
        {
            "name": "the key of another session",
            "reason": "key",
            "hex": wire.frame(0x82, payload, key=nonce, **head).hex(),
        },
        {
            "name": "the key of another device",
            "reason": "key",
            "hex": wire.frame(0x82, payload, key=device, **head).hex(),
        },
        {"name": "another face", "reason": "tag", "hex": patched(22, 1)},
        {"name": "another counter", "reason": "tag", "hex": patched(6, 1)},
        {"name": "another card number", "reason": "tag", "hex": patched(10, 1)},
        {"name": "another time", "reason": "tag", "hex": patched(12, 1)},
        {"name": "another type", "reason": "tag", "hex": patched(3, 1)},
        {"name": "the resent flag set", "reason": "tag", "hex": patched(2, 4)},
        {"name": "one bit of the tag", "reason": "tag", "hex": patched(-1, 1)},
    ]


def documents() -> dict[str, str]:
    """Return the text of each file."""
    keys = {
        "key": wire.KEY.hex(),
        "device": wire.DEVICE.hex(),
        "host_nonce": HOST_NONCE.hex(),
        "shoe_nonce": SHOE_NONCE.hex(),
        "wanted": 1,
        "session": SESSION,
        "from_shoe": FROM_SHOE.hex(),
        "from_host": FROM_HOST.hex(),
    }
    found = {"keys": keys, "valid": valid(), "invalid": invalid(), "unproved": unproved()}
    return {f"{name}.json": json.dumps(data, indent=1) + "\n" for name, data in found.items()}


if __name__ == "__main__":
    for name, text in documents().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
