"""Audit lines as JSON, as text for a person, and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import Any, TextIO

from controller.audit.cells import UNREAD
from controller.audit.lines import SEATS, SIDES, TAIL, Line, Plain, RowNote, Tally, compact
from controller.audit.texts import kind_text, one
from controller.catalogue import Catalogue

Sink = Callable[[Line | RowNote], object]
NUMBERED = ("shoe", "hand")


def printable(text: str) -> str:
    r"""Return text that cannot steer a terminal.

    >>> printable("a\x1b[2J")
    'a\\x1b[2J'
    """
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def json_sink(out: TextIO) -> Sink:
    """Write every line as a JSON object of its own."""
    return lambda line: out.write(f"{line.json}\n")


def text_sink(out: TextIO, words: Catalogue) -> Sink:
    """Write irregular hands and unreadable rows for a person."""

    def take(line: Line | RowNote) -> None:
        if isinstance(line, RowNote):
            out.write(f"{words.word('audit.row', row=line.row, why=printable(line.error))}\n")
        elif line.outcome.kinds:
            out.write(f"{printable(hand_text(line.plain, words))}\n")

    return take


def hand_text(line: Plain, words: Catalogue) -> str:
    """Return an irregular hand in one sentence."""
    sides = [f"{one(f'side-{seat}', words)} {' '.join(cards_of(line, seat)) or '-'}" for seat in seats_in(line)]
    said = line["recorded"] if line["recorded"] not in {None, line["result"]} else ""
    return words.word(
        "audit.hand",
        shoe=line["shoe"],
        number=line["hand"],
        sides=", ".join(sides),
        outcome=outcome_text(line["result"], words),
        recorded=words.word("audit.recorded", said=outcome_text(said, words)) if said else "",
        wrong="; ".join(irregularity_text(found, words) for found in line["irregularities"]),
    )


def seats_in(line: Plain) -> tuple[str, ...]:
    """Return the seats of a line, in dealing order: what stands between its number and its end.

    >>> seats_in({"shoe": "1", "hand": 7, "punter": [], "banker": [], "result": None})
    ('punter', 'banker')
    """
    return tuple(key for key in line if key not in NUMBERED and key not in TAIL)


def outcome_text(result: str | None, words: Catalogue) -> str:
    """Return a result in words, that of each side where there are two."""
    return "/".join(one(name, words) for name in result.split("/")) if result else one(None, words)


def cards_of(line: Plain, seat: str) -> list[str]:
    """Return the cards of a seat as text, `?` for one that is not known."""
    return [card or UNREAD for card in line[seat]]


def irregularity_text(found: Plain, words: Catalogue) -> str:
    """Return what is wrong, the seat where the kind does not name it, and the rule.

    >>> from controller.catalogue import load
    >>> irregularity_text({"kind": "extra-card", "seat": "player", "rule": "R-PB-11"}, load("en"))
    'extra-card, player (R-PB-11): a card too many'
    """
    seat = found["seat"]
    where = f", {one(seat, words)}" if seat and not found["kind"].startswith(seat) else ""
    disposal = f", {one(found['disposal'], words)}" if "disposal" in found else ""
    rule = f" ({found['rule']})" if found["rule"] else ""
    return f"{found['kind']}{where}{disposal}{rule}: {kind_text(found['kind'], words)}"


def csv_sink(out: TextIO, seats: tuple[str, ...] = SEATS) -> Sink:
    """Write every hand as a row of a table that `audit` reads again."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*NUMBERED, *seats, *TAIL))

    def take(line: Line | RowNote) -> None:
        if isinstance(line, Line):
            writer.writerow(csv_row(line.plain))

    return take


def csv_row(line: Plain) -> list[Any]:
    """Return a hand's cells; an irregularity is kind, seat, rule and disposal joined by `:`, blanks part several."""
    wrong = " ".join(":".join(str(part or "") for part in found.values()) for found in line["irregularities"])
    cards = [" ".join(cards_of(line, seat)) for seat in seats_in(line)]
    return [line["shoe"], line["hand"], *cards, line["result"], line["recorded"], wrong]


def summary_json(tally: Tally) -> str:
    """Return the last line of `audit --json`."""
    return compact(tally.summary())


def summary_text(tally: Tally, words: Catalogue) -> str:
    """Return the end of an audit for a person."""
    summary = tally.summary()["summary"]
    counts = grouped({"hands": summary["hands"], "irregular": summary["irregular_hands"]})
    results = grouped(summary["results"])
    if tally.named == SIDES:
        head = words.word("audit.summary", **counts, **results)
    else:
        listed = ", ".join(f"{outcome_text(name, words)} {count}" for name, count in results.items())
        head = words.word("audit.summary-of", **counts, listed=listed)
    kinds = [f"  {count:,} {kind}: {kind_text(kind, words)}" for kind, count in summary["by_kind"].items()]
    dirty = {name: summary[name] for name in ("skipped", "repeated", "unreadable")}
    return "\n".join([head, *kinds, *([words.word("audit.dirty", **grouped(dirty))] if tally.dirty else [])])


def grouped(counts: dict[str, int]) -> dict[str, str]:
    """Return numbers as people read them.

    >>> grouped({"hands": 20000})
    {'hands': '20,000'}
    """
    return {name: f"{count:,}" for name, count in counts.items()}
