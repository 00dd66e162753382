"""What is wrong with a configuration, as sentences: where, what was expected, what came, and the fix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from enum import Enum
from typing import Any, NamedTuple, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from controller.core.sanctions import FORMER
from controller.toml.places import Path, places

FORMER_KEYS = {"penalties": "sanctions"}  # keys of versions before
SECRETS = frozenset({"token"})
PLAIN = {bool: "true or false", str: "a list of names"}
LIKE_A_KEY = re.compile(r"[0-9A-Fa-f]{32,}")  # also where a file of keys is read as something else
LONGEST_QUOTE = 60  # characters of a wrong value that are repeated


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake. ``line`` is None and ``key`` empty where the mistake has none."""

    file: str
    line: int | None
    key: str
    expected: str
    came: str
    fix: str

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        return ": ".join(filter(None, (place, self.key, f"expected {self.expected}, came {self.came}; {self.fix}")))

    def as_dict(self) -> dict[str, Any]:
        """Return the problem as JSON values."""
        return asdict(self)


def masked(text: str) -> str:
    """Return what is told to people without anything that may be a key.

    >>> masked('"00112233445566778899aabbccddeeff": no such file')
    '"(32 hex digits)": no such file'
    """
    return LIKE_A_KEY.sub(lambda found: f"({len(found[0])} hex digits)", text)


class ConfigError(Exception):
    """A configuration that cannot be used; its text has one problem a line."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(replace(one, came=masked(one.came), fix=masked(one.fix)) for one in problems)
        super().__init__("\n".join(map(str, self.problems)))


class Fault(NamedTuple):
    """A mistake before its line is known."""

    path: Path
    expected: str
    came: str
    fix: str


def located(file: str, text: str, faults: Iterable[Fault]) -> list[Problem]:
    """Give every fault its line: its key's, or that of the section that lacks the key."""
    lines = places(text)
    problems = [Problem(file, _line(lines, fault.path), dotted(fault.path), *fault[1:]) for fault in faults]
    return sorted(problems, key=lambda problem: problem.line or 0)


def _line(lines: Mapping[Path, int], path: Path) -> int:
    known = (lines[path[:length]] for length in range(len(path), 0, -1) if path[:length] in lines)
    return next(known, 1)


def dotted(path: Path) -> str:
    """Return a path as people write it, places in arrays from 1.

    >>> dotted(("tables", 0, "shoe", "port"))
    'tables[1].shoe.port'
    """
    return "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def faults_of(model: type[BaseModel], error: ValidationError) -> Iterator[Fault]:
    """Turn what pydantic found into faults. Every field of the models says what it expects and gives an example."""
    return (_fault(model, found) for found in error.errors(include_url=False))


def _fault(model: type[BaseModel], found: ErrorDetails) -> Fault:
    path: Path = tuple(found["loc"])
    match found["type"]:
        case "extra_forbidden":
            return _unknown(path, _section(model, path[:-1]))
        case "missing":
            field = _field(model, path)
            return Fault(path, field.description or "", "nothing", f"add {_example(path, field)}")
        case _:
            wrong = _wrong(path, found["input"], _field(model, path))
            meant = getattr(found.get("ctx", {}).get("error"), "meant", "")  # of a port that is misspelt plainly
            return wrong._replace(fix=f'did you mean "{meant}"?') if meant else wrong


def _unknown(path: Path, section: type[BaseModel]) -> Fault:
    name, known = str(path[-1]), list(section.model_fields)
    near = get_close_matches(name, known, n=1)
    fix = f"did you mean {near[0]}?" if near else "take it out, or look for its section"
    fix = f"it is called {FORMER_KEYS[name]} now" if FORMER_KEYS.get(name) in known else fix
    return Fault(path, f"one of the keys {', '.join(known)}", f"the unknown key {name}", fix)


def _wrong(path: Path, came: object, field: FieldInfo) -> Fault:
    expected = field.description or _by_type(field.annotation) or "a section"
    key = next((part for part in reversed(path) if isinstance(part, str)), "")
    choices = [word.strip('"') for word in expected.replace(" or ", ", ").split(", ") if word.startswith('"')]
    near = get_close_matches(str(came), choices, n=1)
    fix = f'did you mean "{near[0]}"?' if near else f"write {_example(path, field)}"
    if not field.description and _by_type(field.annotation):
        fix = f"write {key} as is expected, or take the key out"
    fix = f'it is called "{FORMER[str(came)]}" now' if FORMER.get(str(came)) in choices else fix
    return Fault(path, expected, _quoted(key, came), fix)


def _by_type(annotation: Any) -> str:
    """Return what a key without a description may be, by its type; empty for a section."""
    parts = [part for part in (annotation, *get_args(annotation), *_inner(annotation)) if isinstance(part, type)]
    choices = [f'"{member.value}"' for part in parts if issubclass(part, Enum) for member in part]
    if choices:
        return " or ".join(filter(None, (", ".join(choices[:-1]), choices[-1])))
    return next((PLAIN[part] for part in parts if part in PLAIN), "")


def _inner(annotation: Any) -> Iterator[Any]:
    for part in get_args(annotation):
        yield from get_args(part)


def _example(path: Path, field: FieldInfo) -> str:
    keys = [part for part in path if isinstance(part, str)]
    written = str(field.examples[0]) if field.examples else f"[{'.'.join(keys)}]"
    return written if _is_section(field) else f"{keys[-1]} = {written}"


def _is_section(field: FieldInfo) -> bool:
    return field.description is None or field.description.startswith("a section")


def _quoted(key: str, came: object) -> str:
    """Return a value as TOML writes it, but never a secret."""
    if key in SECRETS:
        return f"a text of {len(came)} characters" if isinstance(came, str) else "no text"
    match came:
        case str():
            return f'"{came}"' if len(came) <= LONGEST_QUOTE else f'"{came[:LONGEST_QUOTE]}..."'
        case dict():
            return "a section in single brackets" if came else "an empty section"
        case list():
            return f"a list of {len(came)}"
        case _:
            return str(came).lower()


def _section(model: type[BaseModel], path: Path) -> type[BaseModel]:
    """Return the model of the section at a path."""
    for part in path:
        if isinstance(part, str):
            model = next(_models(model.model_fields[part].annotation))
    return model


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)


def _field(model: type[BaseModel], path: Path) -> FieldInfo:
    """Return the field of a path; a place in a list has the list's field."""
    keys = [part for part in path if isinstance(part, str)]
    field = _section(model, tuple(keys[:-1])).model_fields[keys[-1]]
    inside = (note for part in get_args(field.annotation) for note in getattr(part, "__metadata__", ()))
    described = (note for note in inside if isinstance(note, FieldInfo) and note.description)
    # Of `Annotated[...] | None` and of an element of a list the part inside knows what it may be.
    return field if field.description and keys[-1] == path[-1] else next(described, field)
