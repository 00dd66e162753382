"""How long a durable append takes beside a bare fdatasync, and how fast a journal is read; ratios of one run.

``python -m tests.bench.journal_bench [FOLDER] [--appends N]``: FOLDER is on the disk to measure, a new one by default.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from controller.core.cards import Card, Seat
from controller.core.facts import Fact, FactName
from controller.core.inputs import Input
from controller.core.signals import CardDrawn
from controller.journal.reader import inputs, judged, read_folder
from controller.journal.segment import SegmentKind
from controller.journal.writer import Journal, system_clock

LINE_BYTES = 400  # about what an input with the facts before it writes
TELEGRAM = bytes(range(24))


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def bare(folder: Path) -> Callable[[], None]:
    fd = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def once() -> None:
        os.write(fd, b"x" * LINE_BYTES)
        os.fdatasync(fd)

    return once


def append(journal: Journal) -> tuple[float, float]:
    """Record a card as the daemon does and return the seconds of its bytes and of its input."""
    at = system_clock()
    start = time.perf_counter()
    span = journal.append_raw(TELEGRAM, at)
    kept = time.perf_counter()
    index = journal.append_input(Input(CardDrawn(Seat.PLAYER, 1, Card.parse("9S")), at), span)
    done = time.perf_counter()
    data = (("seat", Seat.PLAYER), ("card", Card.parse("9S")))
    journal.append_facts([Fact(FactName.CARD_DRAWN, 1, 1, at, data)], index)
    return kept - start, done - kept


def measure_appends(folder: Path, appends: int) -> dict[str, float]:
    """Take a bare write and an append in turn, so that both meet the same disk."""
    once, bares, raws, cards = bare(folder), [], [], []
    with Journal.open(folder / "journal", table="bench", software="0", profile={}) as journal:
        journal.roll(SegmentKind.SHOE, shoe=1)
        for _ in range(appends):
            bares.append(seconds(once))
            raw, card = append(journal)
            raws.append(raw)
            cards.append(card)
    both = [raw + card for raw, card in zip(raws, cards, strict=True)]
    figures: dict[str, float] = {}
    for name, times in (("bare", bares), ("raw", raws), ("input", cards), ("both", both)):
        for label, share in (("p50", 0.5), ("p99", 0.99)):
            figures[f"{name}_{label}_ms"] = round(percentile(times, share) * 1000, 3)
    for name in ("raw", "input", "both"):
        figures[f"{name}_p50_ratio"] = round(figures[f"{name}_p50_ms"] / figures["bare_p50_ms"], 2)
        figures[f"{name}_p99_over_bare_ms"] = round(figures[f"{name}_p99_ms"] - figures["bare_p99_ms"], 3)
    return figures


def measure_reading(folder: Path) -> dict[str, float]:
    """Read what was written, often enough to be worth a clock."""
    journal = folder / "journal"
    lines = sum(path.read_bytes().count(b"\n") for path in journal.glob("*.jsonl"))
    ways: dict[str, Callable[[], object]] = {
        "verified": lambda: sum(1 for _ in read_folder(journal)),
        "inputs": lambda: sum(1 for _ in inputs(read_folder(journal))),
        "judged": lambda: sum(1 for _ in judged(read_folder(journal))),
    }
    return {f"{name}_lines_per_s": round(lines / min(seconds(way) for _ in range(5))) for name, way in ways.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the journal.")
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--appends", type=int, default=2_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        print(json.dumps(measure_appends(Path(folder), options.appends) | measure_reading(Path(folder)), indent=1))


if __name__ == "__main__":
    main()
