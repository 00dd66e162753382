"""Audit lines as JSON, as text for a person, and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import Any, TextIO

from controller.audit.lines import TAIL, Line, Plain, RowNote, Tally, compact
from controller.audit.texts import DIRTY, KINDS, SUMMARY

Sink = Callable[[Line | RowNote], object]
CSV_HEADER = ("shoe", "hand", "player", "banker", *TAIL)
UNREAD = "?"


def printable(text: str) -> str:
    r"""Return text that cannot steer a terminal.

    >>> printable("a\x1b[2J")
    'a\\x1b[2J'
    """
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def json_sink(out: TextIO) -> Sink:
    """Write every line as a JSON object of its own."""
    return lambda line: out.write(f"{line.json}\n")


def text_sink(out: TextIO) -> Sink:
    """Write irregular hands and unreadable rows for a person."""

    def take(line: Line | RowNote) -> None:
        if isinstance(line, RowNote):
            out.write(f"row {line.row}: {printable(line.error)}\n")
        elif line.outcome.kinds:
            out.write(f"{printable(hand_text(line.plain))}\n")

    return take


def hand_text(line: Plain) -> str:
    """Return an irregular hand in one sentence."""
    sides = ", ".join(f"{seat.capitalize()} {' '.join(cards_of(line, seat)) or '-'}" for seat in ("player", "banker"))
    wrong = "; ".join(irregularity_text(found) for found in line["irregularities"])
    recorded = f" (recorded {line['recorded']})" if line["recorded"] not in {None, line["result"]} else ""
    return f"shoe {line['shoe']} hand {line['hand']}: {sides}, {line['result'] or 'no result'}{recorded}: {wrong}"


def cards_of(line: Plain, seat: str) -> list[str]:
    """Return the cards of a seat as text, `?` for one that is not known."""
    return [card or UNREAD for card in line[seat]]


def irregularity_text(found: Plain) -> str:
    """Return what is wrong, the seat where the kind does not name it, and the rule.

    >>> irregularity_text({"kind": "extra-card", "seat": "player", "rule": "R-PB-11"})
    'extra-card, player (R-PB-11): a card too many'
    """
    seat = found["seat"]
    where = f", {seat}" if seat and not found["kind"].startswith(seat) else ""
    disposal = f", {found['disposal']}" if "disposal" in found else ""
    rule = f" ({found['rule']})" if found["rule"] else ""
    return f"{found['kind']}{where}{disposal}{rule}: {KINDS.get(found['kind'], 'not in the catalogue')}"


def csv_sink(out: TextIO) -> Sink:
    """Write every hand as a row of a table that `audit` reads again."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_HEADER)

    def take(line: Line | RowNote) -> None:
        if isinstance(line, Line):
            writer.writerow(csv_row(line.plain))

    return take


def csv_row(line: Plain) -> list[Any]:
    """Return a hand's cells; an irregularity is kind, seat, rule and disposal joined by `:`, blanks part several."""
    wrong = " ".join(":".join(str(part or "") for part in found.values()) for found in line["irregularities"])
    cards = [" ".join(cards_of(line, seat)) for seat in ("player", "banker")]
    return [line["shoe"], line["hand"], *cards, line["result"], line["recorded"], wrong]


def summary_json(tally: Tally) -> str:
    """Return the last line of `audit --json`."""
    return compact(tally.summary())


def summary_text(tally: Tally) -> str:
    """Return the end of an audit for a person."""
    summary = tally.summary()["summary"]
    head = SUMMARY.format(**summary, **summary["results"])
    kinds = [f"  {count:,} {kind}: {KINDS.get(kind, '')}" for kind, count in summary["by_kind"].items()]
    return "\n".join([head, *kinds, *([DIRTY.format(**summary)] if tally.dirty else [])])
