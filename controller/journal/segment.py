"""Segments: the files of a table's folder, their names, and what their first and last lines say.

One segment a shoe (`000042-shoe.jsonl`), one for the time between shoes (`000043-idle.jsonl`), each with its raw file
(`000042-shoe.raw`). The number counts segments; the chain of hashes goes on across them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import Any

from controller.journal.errors import JournalDamage
from controller.journal.record import FORMAT, SEGMENT_OPENED, Record, dumps, hash_of

NAME = re.compile(r"(?P<number>\d{6,})-(?P<kind>shoe|idle)\.jsonl")


class SegmentKind(Enum):
    """What a segment spans."""

    SHOE = "shoe"
    IDLE = "idle"


@dataclass(frozen=True, slots=True)
class Segment:
    """The place of a segment."""

    folder: Path
    number: int
    kind: SegmentKind

    @property
    def name(self) -> str:
        """The common part of its files' names."""
        return f"{self.number:06d}-{self.kind.value}"

    @property
    def journal(self) -> Path:
        """The file of records."""
        return self.folder / f"{self.name}.jsonl"

    @property
    def raw(self) -> Path:
        """The file of raw bytes."""
        return self.folder / f"{self.name}.raw"


def segments(folder: Path) -> list[Segment]:
    """Return the segments of a folder in their order.

    Raises JournalDamage if two have one number.
    """
    matches = [found for path in folder.iterdir() if (found := NAME.fullmatch(path.name))]
    place = [Segment(folder, int(found["number"]), SegmentKind(found["kind"])) for found in matches]
    place.sort(key=lambda segment: segment.number)
    for before, after in pairwise(place):
        if before.number == after.number:
            raise JournalDamage(after.journal, 1, f"has the same number as {before.name}")
    return place


@dataclass(frozen=True, slots=True)
class Settings:
    """What judges: the table, the version of the software and the settings of the house's profile.

    ``driver`` is what reads the raw file, a name and its options; empty in journals of before it was written down.
    """

    table: str
    software: str
    profile: Mapping[str, Any] = field(default_factory=dict)
    driver: Mapping[str, Any] = field(default_factory=dict)

    @property
    def profile_sha256(self) -> str:
        """The hash of the profile as compact JSON in the order given."""
        return hash_of(dumps(self.profile).encode())

    def as_data(self) -> dict[str, Any]:
        """Return the settings as records hold them."""
        named = {"driver": dict(self.driver)} if self.driver else {}
        return {"software": self.software, "profile": dict(self.profile), "profile_sha256": self.profile_sha256} | named


@dataclass(frozen=True, slots=True)
class Opening:
    """What the first line of a segment says; ``carry`` is what its caller took over from earlier segments."""

    shoe: int
    settings: Settings
    raw: str
    carry: dict[str, Any]

    def as_data(self) -> dict[str, Any]:
        """Return the data of `segment_opened`."""
        head = {"format": FORMAT, "table": self.settings.table, "shoe": self.shoe}
        return head | self.settings.as_data() | {"raw": self.raw, "carry": self.carry}


def driver_of(record: Record) -> dict[str, Any]:
    """Return the driver that a record of settings names; empty where it names none."""
    named = record.data.get("driver")
    return named if isinstance(named, dict) else {}


def opening_of(record: Record) -> Opening:
    """Read the first record of a segment.

    Raises JournalDamage.
    """
    match record.kind, record.data:
        case (
            kind,
            {
                "format": int(),
                "table": str() as table,
                "shoe": int() as shoe,
                "software": str() as software,
                "profile": dict() as profile,
                "profile_sha256": str(),
                "raw": str() as raw,
                "carry": dict() as carry,
            },
        ) if kind == SEGMENT_OPENED:
            return Opening(shoe, Settings(table, software, profile, driver_of(record)), raw, carry)
        case _:
            raise JournalDamage(record.path, record.i, "the segment does not open with a whole segment_opened")


@dataclass(frozen=True, slots=True)
class Following:
    """The segment that a closed one announces, so that a stop between the two loses nothing."""

    kind: SegmentKind
    shoe: int
    carry: dict[str, Any]

    def as_data(self) -> dict[str, Any]:
        """Return what `segment_closed` holds of it."""
        return {"kind": self.kind.value, "shoe": self.shoe, "carry": self.carry}


def following_of(closed: Record) -> Following:
    """Read what a `segment_closed` announces.

    Raises JournalDamage.
    """
    match closed.data.get("next"):
        case {"kind": "shoe" | "idle" as kind, "shoe": int() as shoe, "carry": dict() as carry}:
            return Following(SegmentKind(kind), shoe, carry)
        case _:
            raise JournalDamage(closed.path, closed.i, "segment_closed does not say what follows")
