"""The chain as it grows: each line numbered, linked to the line before, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.core.inputs import Moment
from controller.core.words import iso
from controller.journal.record import FACTS, GENESIS, INPUT_KINDS, RECORDER, Record, Span, hash_of, sealed

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Entry:
    """What a line says, before it has its place; ``mono`` and ``utc`` as records hold them."""

    kind: str
    data: dict[str, Any]
    mono: int | None
    utc: str | None
    by: str = RECORDER
    raw: Span | None = None


@dataclass(slots=True)
class Chain:
    """Where a segment's chain stands; ``unjudged`` is the last input if its facts are not written yet."""

    boot: str
    clock: Callable[[], Moment]
    prev: str = GENESIS
    index: int = 0
    unjudged: int | None = None
    kinds: Counter[str] = field(default_factory=Counter)

    def take_up(self, records: Iterable[Record]) -> None:
        """Go on behind records that are stored."""
        for record in records:
            self._count(record.kind, record.i, record.hash)

    def control(self, kind: str, data: dict[str, Any]) -> bytes:
        """Return the next line, one of the recorder's own, at this moment."""
        now = self.clock()
        return self.line(Entry(kind, data, now.mono_ns, iso(now.utc_ns)))

    def line(self, entry: Entry) -> bytes:
        """Return the next line."""
        line = sealed(
            {
                "i": self.index + 1,
                "prev": self.prev,
                "kind": entry.kind,
                "boot": self.boot,
                "mono": entry.mono,
                "utc": entry.utc,
                "by": entry.by,
                "raw": entry.raw,
                "data": entry.data,
            }
        )
        self._count(entry.kind, self.index + 1, hash_of(line))
        return line

    def _count(self, kind: str, index: int, line_hash: str) -> None:
        self.prev, self.index = line_hash, index
        self.kinds[kind] += 1
        if kind in INPUT_KINDS:
            self.unjudged = index
        elif kind == FACTS:
            self.unjudged = None

    def next_segment(self) -> Chain:
        """Return the chain of the segment that follows."""
        return Chain(self.boot, self.clock, self.prev)

    def counts(self) -> dict[str, int]:
        """Return what `segment_closed` counts: the lines before it, and of them inputs and facts."""
        inputs = sum(number for kind, number in self.kinds.items() if kind in INPUT_KINDS)
        return {"records": self.index, "inputs": inputs, "facts": self.kinds[FACTS]}


def boot_id() -> str:
    """Return the kernel's name for this run of the machine: monotonic times compare only within one."""
    return BOOT_ID.read_text().strip()
