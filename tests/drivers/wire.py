"""The Angel Eye line as tests write it: bytes by hand, importing nothing from the code under test."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

FIELD_LOG = Path(__file__).with_name("data") / "field_log.events"


def frame(words: str) -> bytes:
    """Return one copy of a frame written as `number type data...`, such as `1 D 81 b8`."""
    seq, letter, *data = words.split()
    body = seq.encode() + letter.encode() + bytes.fromhex("".join(data)) + b"\x03"
    check = reduce(lambda total, byte: total ^ byte, body)
    return b"\x05" + body + f"{check:02X}".encode()


def thrice(*events: str) -> bytes:
    """Return each event three times, as a shoe sends it."""
    return b"".join(frame(words) * 3 for words in events)


def field_log() -> bytes:
    """Return the bytes of the log from the field, written again from its events."""
    lines = [line for line in FIELD_LOG.read_text().splitlines() if not line.startswith("#")]
    return b"".join(
        bytes.fromhex(line.removeprefix("noise ")) if line.startswith("noise ") else frame(line) * 3 for line in lines
    )
