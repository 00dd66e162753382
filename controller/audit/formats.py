"""What kind of input a file is, by its name or its first bytes."""

from __future__ import annotations

import re
from pathlib import Path

from controller.audit.lines import EXIT_USAGE, AuditError

FORMATS = ("csv", "hex", "raw", "script", "journal")
BY_SUFFIX = {
    ".csv": "csv",
    ".tsv": "csv",
    ".hex": "hex",
    ".raw": "raw",
    ".bin": "raw",
    ".jsonl": "journal",
    ".journal": "journal",
}
HEAD_BYTES = 4096
UTF_16 = ((b"\xff\xfe", slice(3, 4)), (b"\xfe\xff", slice(2, 3)))  # byte order mark, and where ASCII has a zero
HEX_LINE = re.compile(rb"\s*(?:[0-9a-fA-F]{2}[ \t]*)+\r?")


def format_of(path: str, named: str | None) -> str:
    """Return the format: the one named, else by suffix, else by content; a folder is a journal.

    Raises AuditError with code 2 for stdin without a format, with 3 for a file that cannot be opened.
    """
    if named:
        return named
    if path == "-":
        raise AuditError("stdin needs its format: add --format csv, hex, raw or journal", EXIT_USAGE)
    if Path(path).is_dir():
        return "journal"
    return BY_SUFFIX.get(Path(path).suffix.lower()) or format_by_content(head_of(path))


def head_of(path: str) -> bytes:
    """Return the first bytes of a file."""
    try:
        with Path(path).open("rb") as file:
            return file.read(HEAD_BYTES)
    except OSError as error:
        raise AuditError(f"{path}: {error.strerror}") from error


def is_utf_16(head: bytes) -> bool:
    """Whether text begins here that was saved as UTF-16, as spreadsheets offer it."""
    return any(head.startswith(mark) and head[zero] == b"\0" for mark, zero in UTF_16)


def format_by_content(head: bytes) -> str:
    r"""Return the format that these first bytes look like; raw where nothing else fits.

    >>> format_by_content(b"player,banker"), format_by_content(b"02 44 03"), format_by_content(b"\x02D")
    ('csv', 'hex', 'raw')
    """
    first = head.split(b"\n", 1)[0]
    if is_utf_16(head):
        return "csv"
    if first.lstrip().startswith(b"{"):
        return "journal"
    if HEX_LINE.fullmatch(first):
        return "hex"
    printable = all(byte >= 0x20 or byte in b"\t\r\n" for byte in head)
    return "csv" if head and printable else "raw"
