"""What several commands ask of their arguments, and how they say that a file cannot be read."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import click

STDIO = "-"
MOST_DECKS = 16


class FiniteRange(click.FloatRange):
    """A number in a range that is neither nan nor infinite, which compare with no bound as people mean it."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read a number. Raises click.BadParameter."""
        found = float(super().convert(value, param, ctx))
        if not math.isfinite(found):
            self.fail(f"expected a finite number, got {value}", param, ctx)
        return found


def keep_apart(outputs: Iterable[tuple[str, str | Path | None]], inputs: Sequence[str | Path]) -> None:
    """Refuse an output, given with the name of its option, that is an input, lies in one, or is another output.

    Raises click.UsageError, before anything is opened for writing.
    """
    given = [(option, str(path)) for option, path in outputs if path is not None and str(path) != STDIO]
    for option, path in given:
        if took := next((str(source) for source in inputs if reads(source, path)), None):
            source = "standard input" if took == STDIO else took
            raise click.UsageError(f"{option} {path} would overwrite the input {source}: name another file")
    for (first, path), (second, other) in combinations(given, 2):
        if same(path, other):
            raise click.UsageError(f"{first} and {second} name the same file, {path}: name two")


def reads(source: str | Path, path: str) -> bool:
    """Whether reading ``source`` would read the file at ``path``; a folder is read with all that is in it."""
    try:
        if str(source) == STDIO:
            return Path(path).is_file() and os.path.samestat(os.fstat(sys.stdin.fileno()), Path(path).stat())
        if Path(source).is_dir():
            return Path(source).resolve() in Path(path).resolve().parents
        return Path(path).is_file() and Path(path).samefile(source)
    except (OSError, ValueError):  # not there, or no descriptor
        return False


def same(path: str, other: str) -> bool:
    """Whether two paths are one file, there or not; devices may be written twice."""
    special = Path(path).exists() and not Path(path).is_file()
    return not special and (Path(path).resolve() == Path(other).resolve() or reads(path, other))


def why_unread(error: OSError | UnicodeDecodeError) -> str:
    """Return why a file cannot be read, and what to do about text in another encoding."""
    if isinstance(error, UnicodeDecodeError):
        line = error.object.count(b"\n", 0, error.start) + 1
        return f"line {line}: {no_utf8(error)}"
    return error.strerror or "it cannot be read"


def no_utf8(error: UnicodeDecodeError) -> str:
    """Return what was expected of text, what came, and what to do."""
    return f"expected text in UTF-8, got the byte 0x{error.object[error.start]:02x}; save the file as UTF-8"
