"""One line of a journal, format 1 (trust.md section 2.2).

A line is JSON with the keys of KEYS in this order, without spaces, and a newline:

``{"i":17,"prev":"<64 hex>","kind":"card_drawn","boot":"..","mono":123,"utc":"..Z","by":"shoe","raw":[offset,length],``
``"data":{..},"crc":"<8 hex>"}``

- ``i`` is the number of the line in its file, from 1.
- ``prev`` is the SHA-256 of the line before as stored, newline included: ``sed -n 16p FILE | sha256sum`` gives the
  ``prev`` of line 17. The first line of a segment names the last line of the segment before, or GENESIS.
- ``crc`` is the CRC-32 of all bytes before ``,"crc"``. The chain needs a later line to prove a line; the checksum
  finds accidents in the last one too. It is no evidence against a forger.
- ``raw`` is a span of bytes in the raw file of the segment, or null.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple, get_args
from zlib import crc32

from controller.core.inputs import ClockStepped, Command, DiskRoom, Elapsed, RecordDamaged, Started
from controller.core.signals import Signal
from controller.core.words import kind_of
from controller.journal.errors import JournalDamage

FORMAT = 1
GENESIS = "0" * 64
KEYS = ("i", "prev", "kind", "boot", "mono", "utc", "by", "raw", "data", "crc")
RECORDER = "recorder"

SEGMENT_OPENED = "segment_opened"
SEGMENT_CLOSED = "segment_closed"
FACTS = "facts"
TORN_TAIL_CUT = "torn_tail_cut"
SETTINGS_CHANGED = "settings_changed"
CONTROL_KINDS = frozenset({SEGMENT_OPENED, SEGMENT_CLOSED, FACTS, TORN_TAIL_CUT, SETTINGS_CHANGED})
OWN = (Command, Elapsed, Started, DiskRoom, ClockStepped, RecordDamaged)
INPUT_KINDS = frozenset(kind_of(cls) for cls in (*get_args(Signal), *OWN))
KINDS = CONTROL_KINDS | INPUT_KINDS

SUM_MARK = b',"crc":"'
SUM_SIZE = len(b',"crc":"01234567"}\n')
KEY_SET = frozenset(KEYS)
# Exact types: in JSON a boolean is no number.
TYPES_OF: dict[str, tuple[type, ...]] = {
    "i": (int,),
    "prev": (str,),
    "kind": (str,),
    "boot": (str,),
    "mono": (int, NoneType),
    "utc": (str, NoneType),
    "by": (str,),
    "raw": (list, NoneType),
    "data": (dict,),
}


class Span(NamedTuple):
    """Bytes of the raw file: where they start and how many."""

    offset: int
    length: int

    @property
    def end(self) -> int:
        """The offset behind the last byte."""
        return self.offset + self.length


class Record(NamedTuple):
    """A verified line; ``hash`` is the SHA-256 that the next line must name."""

    i: int
    kind: str
    boot: str
    mono: int | None
    utc: str | None
    by: str
    raw: Span | None
    data: dict[str, Any]
    hash: str
    path: Path


def dumps(value: Any) -> str:
    """Return compact JSON in ASCII, so that no text can be unwritable; key order is kept.

    >>> dumps({"b": 1, "a": [None]})
    '{"b":1,"a":[null]}'
    """
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def hash_of(line: bytes) -> str:
    """Return the SHA-256 of a line as stored."""
    return sha256(line).hexdigest()


def sealed(fields: Mapping[str, Any]) -> bytes:
    """Return the line of these fields, checksum and newline added."""
    body = dumps(fields).encode()[:-1]
    return b'%b,"crc":"%08x"}\n' % (body, crc32(body))


def intact(line: bytes) -> bool:
    """Whether a line is whole by its own checksum."""
    return line[-SUM_SIZE:] == b'%b%08x"}\n' % (SUM_MARK, crc32(line[:-SUM_SIZE]))


def decode(line: bytes, path: Path, number: int, prev: str | None) -> Record:
    """Read and verify a line; ``prev`` None takes the link to the line before on trust.

    Raises JournalDamage.
    """
    if not line.endswith(b"\n"):
        raise JournalDamage(path, number, f"cut off after {len(line)} bytes")
    if not intact(line):
        raise JournalDamage(path, number, "checksum does not fit")
    fields = _fields(line, path, number)
    if reason := _misfit(fields, number, prev):
        raise JournalDamage(path, number, reason)
    raw = fields["raw"]
    return Record(
        number,
        fields["kind"],
        fields["boot"],
        fields["mono"],
        fields["utc"],
        fields["by"],
        None if raw is None else Span(*raw),
        fields["data"],
        hash_of(line),
        path,
    )


def _fields(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        fields = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        raise JournalDamage(path, number, f"not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise JournalDamage(path, number, "not a JSON object")
    if fields.keys() != KEY_SET:
        raise JournalDamage(path, number, f"keys {sorted(fields)} instead of {sorted(KEYS)}")
    return fields


def _misfit(fields: dict[str, Any], number: int, prev: str | None) -> str:
    """Return what is wrong with a line's fields, empty if nothing is."""
    for key, types in TYPES_OF.items():
        if type(fields[key]) not in types:
            return f"{key} is of the wrong type: {fields[key]!r}"
    if fields["i"] != number:
        return f"says that it is line {fields['i']}"
    if prev is not None and fields["prev"] != prev:
        return "chain broken: prev is not the hash of the line before"
    if fields["kind"] not in KINDS:
        return f"unknown kind {fields['kind']!r}: a newer version wrote it"
    return "" if fields["raw"] is None or _is_span(fields["raw"]) else "raw is no span"


def _is_span(value: list[Any]) -> bool:
    return len(value) == 2 and all(type(number) is int and number >= 0 for number in value)
