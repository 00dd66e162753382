"""On which line each key of a TOML document stands; tomllib does not tell."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Generator, Iterator

Path = tuple[str | int, ...]  # keys, and places from 0 in arrays
Place = tuple[Path, int]

BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
SPACE = re.compile(r"[ \t]*")
STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'  # up to two quotes may stand before the closing three
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
CLOSING = re.compile(r"\]\]?")
SCALAR = re.compile(r"[^,\]}#\n]*")
ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
SHORT = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b"}


def places(text: str) -> dict[Path, int]:
    r"""Return the line, from 1, of every key, table header and array element; the first where a path stands twice.

    ``text`` must be TOML that tomllib takes.

    >>> places('a.b = 1\n[[t]]\nx = {y = [2,\n3]}')["t", 0, "x", "y", 1]
    4
    """
    found: dict[Path, int] = {}
    for path, line in _Scan(text).document():
        found.setdefault(path, line)
    return found


class _Scan:
    """One walk through a document; ``at`` is the offset of the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.newlines = [match.start() for match in re.finditer("\n", text)]
        self.lengths: dict[Path, int] = {}  # arrays of tables, and how many tables each holds so far

    @property
    def line(self) -> int:
        return bisect_left(self.newlines, self.at) + 1

    def skip(self, what: re.Pattern[str]) -> str:
        found = what.match(self.text, self.at)
        if found is None:
            raise ValueError(f"no TOML at {self.text[self.at : self.at + 20]!r}")
        self.at = found.end()
        return found[0]

    def document(self) -> Iterator[Place]:
        table: Path = ()
        self.skip(BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = yield from self.header()
            else:
                yield from self.pair(table)
            self.skip(BLANK)

    def header(self) -> Generator[Place, None, Path]:
        """Read `[a.b]` or `[[a.b]]` and return the table that the next keys belong to."""
        line, element = self.line, self.text.startswith("[[", self.at)
        self.at += 2 if element else 1
        path: Path = ()
        for part in self.key():
            path = (*self.newest(path), part)
            yield path, line
        if element:
            self.lengths[path] = self.lengths.get(path, 0) + 1
            path = self.newest(path)
            yield path, line
        self.skip(CLOSING)
        return path

    def newest(self, path: Path) -> Path:
        """Return the newest table of an array of tables, or what is no array as it is."""
        return (*path, self.lengths[path] - 1) if path in self.lengths else path

    def pair(self, table: Path) -> Iterator[Place]:
        line, path = self.line, table
        for part in self.key():
            path = (*path, part)
            yield path, line
        self.at += 1  # =
        yield from self.value(path)

    def key(self) -> list[str]:
        """Read a dotted key and stop at what follows it."""
        parts = [self.part()]
        while self.text[self.at] == ".":
            self.at += 1
            parts.append(self.part())
        return parts

    def part(self) -> str:
        self.skip(SPACE)
        quote = self.text[self.at]
        raw = self.skip(STRING if quote in "\"'" else BARE_KEY)
        self.skip(SPACE)
        match quote:
            case '"':
                return ESCAPE.sub(_unescaped, raw[1:-1])
            case "'":
                return raw[1:-1]
            case _:
                return raw

    def value(self, path: Path) -> Iterator[Place]:
        self.skip(SPACE)
        match self.text[self.at]:
            case "[":
                yield from self.array(path)
            case "{":
                yield from self.inline(path)
            case '"' | "'":
                self.skip(STRING)
            case _:
                self.skip(SCALAR)

    def array(self, path: Path) -> Iterator[Place]:
        place = 0
        self.at += 1
        while self.next_in("]"):
            yield (*path, place), self.line
            yield from self.value((*path, place))
            place += 1

    def inline(self, path: Path) -> Iterator[Place]:
        self.at += 1
        while self.next_in("}"):
            yield from self.pair(path)

    def next_in(self, end: str) -> bool:
        """Go to the next element, over a comma; False, and past the bracket, where there is none."""
        self.skip(BLANK)
        if self.text[self.at] == ",":
            self.at += 1
            self.skip(BLANK)
        if self.text[self.at] != end:
            return True
        self.at += 1
        return False


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    return chr(int(code, 16)) if code else SHORT.get(found[3], found[3])
