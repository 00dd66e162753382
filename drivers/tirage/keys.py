"""Session keys and tags of level L1 (SPEC.md, section 5; no I/O)."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256

from drivers.tirage.messages import TAG_BYTES, VERSION, Level

KEY_BYTES = 32
NONCE_BYTES = 16


@dataclass(frozen=True, slots=True)
class Keys:
    """One key a direction, for one session."""

    from_shoe: bytes
    from_host: bytes

    def __repr__(self) -> str:
        return "Keys(...)"  # a traceback or a log must not hold them


def session_number(host_nonce: bytes, shoe_nonce: bytes) -> int:
    """Return the 16 bits by which frames of an older session are known; no secret and no proof."""
    return int.from_bytes(sha256(host_nonce + shoe_nonce).digest()[:2], "little")


def derive(key: bytes, host_nonce: bytes, shoe_nonce: bytes, device: bytes, wanted: Level) -> Keys:
    """Return the session's keys by HKDF-SHA-256 (RFC 5869); ``wanted`` is what the host asked for.

    Raises ValueError if the device's key has not 32 bytes or is all zero.
    """
    if len(key) != KEY_BYTES or not any(key):
        raise ValueError(f"a device key has {KEY_BYTES} random bytes")
    secret = hmac.digest(host_nonce + shoe_nonce, key, "sha256")
    shared = b"tirage" + bytes([VERSION, wanted, Level.AUTHENTIC]) + device
    from_shoe, from_host = (hmac.digest(secret, shared + way + b"\x01", "sha256") for way in (b"S", b"H"))
    return Keys(from_shoe, from_host)


def tag(key: bytes, signed: bytes) -> bytes:
    """Return the tag of the signed part of a frame."""
    return hmac.digest(key, signed, "sha256")[:TAG_BYTES]


def right(key: bytes, signed: bytes, claimed: bytes) -> bool:
    """Tell whether a tag fits, in a time that does not depend on where it differs."""
    return hmac.compare_digest(tag(key, signed), claimed)
