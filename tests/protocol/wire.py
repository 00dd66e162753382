"""The tirage line as tests write it: bytes packed by hand from SPEC.md, importing nothing from the code under test."""

from __future__ import annotations

import hashlib
import hmac
import struct
import zlib
from dataclasses import dataclass, field

START = 0xA7
OPTIONAL, TAGGED, RESENT = 1, 2, 4
OPEN, BEGIN, RESEND, LOCK, LAMP = 0x01, 0x02, 0x03, 0x04, 0x06
HELLO, CAPABILITIES, HEARTBEAT, RESENDING, ANSWER, REFUSED = 0x41, 0x42, 0x43, 0x44, 0x45, 0x46
POWERED_UP, LOADED, CARD, UNREAD, RETURNED, BURNT, CUT = 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86
FROM_NOW = 0xFFFFFFFF
SUITS, RANKS = "?SHDC", "?A23456789TJQK"
SEATS = {"none": 0, "player": 1, "banker": 2}
DEVICE = bytes.fromhex("0102030405060708")
KEY = bytes(range(1, 33))
SCHEMA = bytes.fromhex("84fb1ee1d198fdf5")  # checked against SPEC.md by a test of its own
FIRMWARE = bytes(32)


def sha256_number(host_nonce: bytes, shoe_nonce: bytes) -> int:
    """SPEC.md 4: the number of a session."""
    return struct.unpack("<H", hashlib.sha256(host_nonce + shoe_nonce).digest()[:2])[0]


def session_keys(key: bytes, host_nonce: bytes, shoe_nonce: bytes, device: bytes, wanted: int) -> tuple[bytes, bytes]:
    """SPEC.md 5: from the shoe, from the host."""
    secret = hmac.new(host_nonce + shoe_nonce, key, hashlib.sha256).digest()
    keys = []
    for way in (b"S", b"H"):
        info = b"tirage" + bytes([1, wanted, 1]) + device + way
        keys.append(hmac.new(secret, info + b"\x01", hashlib.sha256).digest())
    return keys[0], keys[1]


def frame(
    kind: int,
    payload: bytes = b"",
    *,
    session: int = 0,
    counter: int = 0,
    card: int = 0,
    ms: int = 0,
    flags: int = 0,
    version: int = 1,
    key: bytes | None = None,
) -> bytes:
    """SPEC.md 2: one frame; with a key its tag too."""
    if key is not None:
        flags |= TAGGED
    body = struct.pack("<BBBHIHI", len(payload), version << 4 | flags, kind, session, counter, card, ms) + payload
    if key is not None:
        body += hmac.new(key, body, hashlib.sha256).digest()[:8]
    return bytes([START]) + body + struct.pack("<I", zlib.crc32(body))


def parsed(data: bytes) -> list[tuple[int, int, int, int, bytes]]:
    """Return (type, session, counter, flags, payload) of frames that follow each other without anything between."""
    found = []
    while data:
        assert data[0] == START
        length, flags, kind, session, counter = struct.unpack_from("<BBBHI", data, 1)
        end = 16 + length + (8 if flags & TAGGED else 0) + 4
        assert struct.unpack_from("<I", data, end - 4)[0] == zlib.crc32(data[1 : end - 4])
        found.append((kind, session, counter, flags & 15, data[16 : 16 + length]))
        data = data[end:]
    return found


def face(text: str) -> int:
    """SPEC.md 3: a card byte of text such as 8S."""
    return SUITS.index(text[1]) * 16 + RANKS.index(text[0])


def card_event(number: int, seat: str, place: int, text: str) -> bytes:
    """SPEC.md 3: the payload of card_drawn."""
    return struct.pack("<IBBB", number, SEATS[seat], place, face(text))


@dataclass
class Shoe:
    """A shoe written flat, for tests that must own the time and each byte."""

    key: bytes | None = None
    device: bytes = DEVICE
    schema: bytes = SCHEMA
    level: int | None = None  # what it says, if not what it does
    reads_ahead: int = 0
    boots: int = 1
    event: int = 0
    card: int = 0
    ms: int = 0
    nonce: bytes = bytes(range(100, 116))
    session: int = 0
    counter: int = 0
    tag_key: bytes | None = None
    host_key: bytes | None = None
    ring: dict[int, tuple[int, bytes, int, int]] = field(default_factory=dict)

    def frame(self, kind: int, payload: bytes = b"", *, card: int | None = None, **more: int) -> bytes:
        """Return the next frame of this session."""
        number, self.counter = self.counter, self.counter + 1
        more = {"session": self.session, "counter": number, "ms": self.ms} | more
        return frame(kind, payload, card=self.card if card is None else card, key=self.tag_key, **more)

    def hello(self, asked: bytes) -> bytes:
        """Answer the host's open."""
        ((kind, _, _, _, payload),) = parsed(asked)
        assert kind == OPEN
        echo, wanted = payload[:16], payload[16]
        self.nonce = hashlib.sha256(self.nonce).digest()[:16]
        level = 1 if self.key and wanted else 0
        self.session, self.counter = sha256_number(echo, self.nonce), 0
        self.tag_key = self.host_key = None
        if level and self.key:
            self.tag_key, self.host_key = session_keys(self.key, echo, self.nonce, self.device, wanted)
        said = level if self.level is None else self.level
        rest = struct.pack("<B", said) + struct.pack("<I", self.event)
        numbers = struct.pack("<I", self.boots)
        return self.frame(HELLO, self.device + self.schema + FIRMWARE + numbers + echo + self.nonce + rest)

    def started(self, asked: bytes) -> bytes:
        """Answer the host's start: capabilities, events, heartbeat."""
        kind, session, _, _, payload = parsed(asked)[-1]
        assert (kind, session) == (BEGIN, self.session)
        can = bytes([1, 1, 1, 1, 1, 1, 1, self.reads_ahead]) + struct.pack("<H", 64)
        return self.frame(CAPABILITIES, can) + self.resent(payload) + self.heartbeat()

    def resent(self, asked: bytes) -> bytes:
        """Answer a resend by its payload."""
        (first,) = struct.unpack("<I", asked)
        held = [number for number in self.ring if number >= first] if first <= self.event else []
        begin = min(held, default=self.event + 1)
        before = self.ring[begin][2] - (self.ring[begin][0] in (CARD, UNREAD, BURNT)) if held else self.card
        out = self.frame(RESENDING, struct.pack("<II", begin, self.event), card=before)
        for number in sorted(held):
            kind, payload, card, ms = self.ring[number]
            out += self.frame(kind, payload, card=card, ms=ms, flags=RESENT)
        return out

    def heartbeat(self) -> bytes:
        """Say where it stands."""
        return self.frame(HEARTBEAT, struct.pack("<IBB", self.event, 0, 0))

    def happen(self, kind: int, rest: bytes = b"", *, cards: int = 0) -> bytes:
        """Let an event happen, and return its frame."""
        self.event += 1
        self.card += cards
        payload = struct.pack("<I", self.event) + rest
        self.ring[self.event] = (kind, payload, self.card, self.ms)
        return self.frame(kind, payload)

    def draw(self, text: str, seat: str = "player", place: int = 1) -> bytes:
        """Let a card be drawn."""
        return self.happen(CARD, bytes([SEATS[seat], place, face(text)]), cards=1)
