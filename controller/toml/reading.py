"""A TOML file of a house, read: what cannot be read or is no TOML is told by line, with the fix."""

from __future__ import annotations

import re
import sys
import tomllib
from codecs import BOM_UTF8
from pathlib import Path
from typing import Any

from controller.toml.problems import ConfigError, Problem

SYNTAX = re.compile(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)")


def text_at(path: str | Path, wanted: str = "a configuration that can be read") -> str:
    """Return the text of a file, "-" for stdin. Raises ConfigError."""
    try:
        content = sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
    except OSError as error:
        came = (error.strerror or str(error)).lower()
        raise ConfigError(
            [Problem(str(path), None, "", wanted, came, "name a file that is there and readable")]
        ) from None
    try:
        content = content.removeprefix(BOM_UTF8)  # some editors begin a text with it; TOML knows none
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        came = f"the byte 0x{content[error.start]:02x}"
        raise ConfigError([Problem(str(path), line, "", "text in UTF-8", came, "save the file as UTF-8")]) from None


def document(path: str | Path, text: str) -> dict[str, Any]:
    """Return what a text says; ``path`` is the file it came from. Raises ConfigError."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([_syntax(path, text, str(error))]) from None


def _syntax(path: str | Path, text: str, message: str) -> Problem:
    found = SYNTAX.fullmatch(message)
    what = found["what"] if found else message
    line = int(found["line"]) if found and found["line"] else text.count("\n") + (not text.endswith("\n"))
    written = text.split("\n")[line - 1].strip() if line else ""
    fix = "write key = value, texts in double quotes, sections as [name]"
    return Problem(str(path), line, "", "TOML", f"`{written}` ({what[:1].lower()}{what[1:]})", fix)
