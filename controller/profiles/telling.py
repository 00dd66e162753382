"""What a profile holds, value by value with its source, and where two profiles differ."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from controller.core.profile import House
from controller.core.remedies.situations import Remedy
from controller.core.signals import Identifies
from controller.profiles.checking import SILENT
from controller.settings import settings_dict
from controller.toml.places import places

COMMENT = re.compile(r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|[^"'#])*#\s*(?P<text>.*)""")
BY_ID = ("remedies", "decides")
NO_CHOICES = frozenset({"identifies", "burn_told"})  # the shoe's driver says these


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a profile by its dotted key; ``source`` is what its line says, empty for a default."""

    key: str
    value: Any
    source: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A key or an irregularity about which two profiles say different things; None where one has no such key."""

    key: str
    one: Any
    other: Any


def about(text: str) -> str:
    """Return the first sentence of a profile's own words."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# "))
    return " ".join(lines).partition(". ")[0].rstrip(".")


def sources(text: str) -> dict[str, str]:
    """Return what the line of each key says of it, by dotted key."""
    lines = text.split("\n")
    return {".".join(map(str, path)): _comment(lines[line - 1]) for path, line in places(text).items()}


def _comment(line: str) -> str:
    found = COMMENT.match(line)
    return found["text"].strip() if found else ""


def values(house: House, text: str) -> Iterator[Value]:
    """Yield every value that a house has, the profile's own with its source."""
    written = sources(text)
    for key, value in flat(house, text).items():
        yield Value(key, value, written.get(key, ""))


def flat(house: House, text: str) -> dict[str, Any]:
    """Return every choice of a house by dotted key: what a table would keep, and each irregularity of its game.

    What the text says of a bank is among them also where no money is kept.
    """
    said = settings_dict(house, Identifies.EITHER)
    bank = {f"bank.{key}": value for key, value in (tomllib.loads(text).get("bank", {}) | said.pop("bank")).items()}
    plain = {key: value for key, value in said.items() if key not in NO_CHOICES.union(BY_ID)}
    known = house.situations.values()
    remedies = {f"remedies.{one.id}": _named(house.allowed(one)) for one in known}
    decides = {f"decides.{one.id}": house.decider(one.id).value for one in known}
    return plain | bank | remedies | decides


def _named(allowed: tuple[Remedy, ...]) -> list[str] | str:
    return SILENT if allowed == (Remedy.SUPERVISOR,) else [remedy.value for remedy in allowed]


def differences(one: tuple[House, str], other: tuple[House, str]) -> Iterator[Difference]:
    """Yield where two houses, each with its text, differ; keys first."""
    first, second = flat(*one), flat(*other)
    for key in _keys(first, second):
        if first.get(key) != second.get(key):
            yield Difference(key, first.get(key), second.get(key))


def _keys(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    every = dict.fromkeys((*first, *second))
    return sorted(every, key=lambda key: key.split(".")[0] in BY_ID)
