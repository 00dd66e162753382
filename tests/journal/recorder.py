"""A recorder to be killed: records without end, and says on its output what has been acknowledged.

``python -m tests.journal.recorder FOLDER RUN COUNT`` prints `opening`, `opened`, then `raw FILE OFFSET LENGTH HEX` and
`input ID` after each returned append, and `refused REASON` with exit code 3 when it cannot record.
"""

from __future__ import annotations

import os
import sys
from itertools import count as numbers
from itertools import islice
from pathlib import Path

from controller.core.facts import Fact, FactName
from controller.core.inputs import Input
from controller.core.signals import LinkOpened
from controller.journal.errors import CannotRecord
from controller.journal.segment import SegmentKind
from controller.journal.writer import Journal, system_clock
from tests.journal.samples import SETTINGS

ROLL_EVERY = 7


def say(text: str) -> None:
    os.writev(1, [text.encode(), b"\n"])  # writev, so that faults put into write meet only the journal


def record(folder: Path, run: str, count: int | None) -> None:
    say("opening")
    with Journal.open(folder, **SETTINGS) as journal:
        say("opened")
        for number in islice(numbers(1), count):
            name, at = f"{run}-{number}", system_clock()
            span = journal.append_raw(name.encode(), at)
            say(f"raw {journal.segment.raw.name} {span.offset} {span.length} {name.encode().hex()}")
            index = journal.append_input(Input(LinkOpened(name), at), span)
            say(f"input {name}")
            journal.append_facts([Fact(FactName.LINK_CHANGED, journal.shoe, None, at)], index)
            if number % ROLL_EVERY == 0:
                kind = SegmentKind.SHOE if journal.segment.kind is SegmentKind.IDLE else SegmentKind.IDLE
                journal.roll(kind, shoe=journal.shoe + 1)


if __name__ == "__main__":
    try:
        record(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else None)
    except CannotRecord as error:
        say(f"refused {error}")
        sys.exit(3)
