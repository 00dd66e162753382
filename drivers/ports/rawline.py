"""One line of a raw file: one read of a port, with its times and bytes. Writer and reader share this definition."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import NamedTuple

HEADER = "# tirage raw 1"
NS_PER_S = 1_000_000_000

_LINE = re.compile(
    r"(?P<second>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(?P<ns>\d{9})Z (?P<mono>\d+) (?P<hex>(?:[0-9a-f]{2})+)",
    re.ASCII,
)


class RawLine(NamedTuple):
    """Bytes of one read, with UTC and monotonic nanoseconds."""

    data: bytes
    utc_ns: int
    mono_ns: int


def format_utc(utc_ns: int) -> str:
    """Return UTC nanoseconds as ISO 8601 with nine decimals.

    >>> format_utc(1_000_000_001)
    '1970-01-01T00:00:01.000000001Z'
    """
    seconds, ns = divmod(utc_ns, NS_PER_S)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{ns:09d}Z"


def format_line(data: bytes, utc_ns: int, mono_ns: int) -> str:
    """Return the line of one read, without its line end; ``data`` is not empty.

    >>> format_line(bytes([5, 0x30]), 0, 7)
    '1970-01-01T00:00:00.000000000Z 7 0530'
    """
    return f"{format_utc(utc_ns)} {mono_ns} {data.hex()}"


def parse_line(text: str) -> RawLine:
    """Read a line without its line end; raises ValueError if it is anything but what ``format_line`` writes."""
    match = _LINE.fullmatch(text)
    if match is None:
        raise ValueError("expected `<UTC with 9 decimals>Z <monotonic ns> <bytes in hex>`")
    second = datetime.fromisoformat(match["second"]).replace(tzinfo=UTC)
    utc_ns = int(second.timestamp()) * NS_PER_S + int(match["ns"])
    return RawLine(bytes.fromhex(match["hex"]), utc_ns, int(match["mono"]))
