"""What kind of input a file is, by its name or its first bytes."""

from __future__ import annotations

import re
from pathlib import Path

from controller.audit.lines import EXIT_USAGE, AuditError

FORMATS = ("csv", "hex", "raw", "journal")
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


def format_by_content(head: bytes) -> str:
    r"""Return the format that these first bytes look like; raw where nothing else fits.

    >>> format_by_content(b"player,banker"), format_by_content(b"02 44 03"), format_by_content(b"\x02D")
    ('csv', 'hex', 'raw')
    """
    first = head.split(b"\n", 1)[0]
    if first.lstrip().startswith(b"{"):
        return "journal"
    if HEX_LINE.fullmatch(first):
        return "hex"
    printable = all(byte >= 0x20 or byte in b"\t\r\n" for byte in head)
    return "csv" if head and printable else "raw"
