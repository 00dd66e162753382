"""Audit lines of captures and journals: what the table judges in replay, one line a closed hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

from controller.audit.lines import EXIT_INTEGRITY, EXIT_IRREGULAR, AuditError
from controller.core.engine import Table
from controller.core.facts import Fact, FactName
from controller.core.profile import House
from controller.core.words import fact_dict, hand_dict
from controller.journal.errors import JournalError, NoJournal, TornTail
from controller.sources.capture import Capture, CutCaptureError, NoFramesError, form_of, opened
from controller.sources.journal import replay
from controller.sources.unattended import Policy, WaitsForPersonError, play
from drivers.ports.capture import CaptureError

Plain = dict[str, Any]
KEYS = ("shoe", "hand", "player", "banker", "result", "recorded", "irregularities")
CLOSING = frozenset({FactName.HAND_COMPLETED, FactName.HAND_VOIDED, FactName.HAND_CORRECTED})
UNREADABLE = (CaptureError, CutCaptureError, NoFramesError, WaitsForPersonError, JournalError, OSError)
NOT_CHECKED_DECKS = 1_000  # more copies than any shoe holds: no card is impossible


def hand_lines(path: str, form: str, unattended: str, decks: int | None = None) -> Iterator[Plain]:
    """Yield the audit line of each hand of a capture or a journal, in the order of the shoe.

    Raises AuditError after the lines of all that could be read.
    """
    try:
        if form == "journal":
            yield from journal_lines(path)
        else:
            yield from latest(capture_facts(path, form, unattended, decks))
    except (CaptureError, CutCaptureError, NoFramesError) as error:
        raise AuditError(f"{path}: {error}") from error
    except WaitsForPersonError as error:
        raise AuditError(f"{path}: {error}", EXIT_IRREGULAR) from error
    except (NoJournal, TornTail) as error:
        raise AuditError(str(error)) from error
    except JournalError as error:
        raise AuditError(str(error), EXIT_INTEGRITY) from error
    except OSError as error:
        raise AuditError(f"{path}: {error.strerror}") from error


def capture_facts(path: str, form: str, unattended: str, decks: int | None) -> Iterator[Fact]:
    """Yield the facts of a capture; ``decks`` 0 checks no copies."""
    house = House() if decks is None else changed(House(), decks=decks or NOT_CHECKED_DECKS)
    with opened(path) as stream:
        table = Table(house)
        for facts in play(table, Capture(stream, form_of(stream, form)), Policy(unattended)):
            yield from facts


def journal_lines(path: str) -> Iterator[Plain]:
    """Yield the lines of a journal as it is judged today; last the hands that still wait for a person."""
    table: Table | None = None

    def facts() -> Iterator[Fact]:
        nonlocal table
        for replayed in replay(Path(path)):
            table = replayed.table
            yield from replayed.facts

    yield from latest(facts())
    if table is not None:
        yield from waiting_lines(table)


def waiting_lines(table: Table) -> Iterator[Plain]:
    """Yield the hands that are dealt and held: nothing is recorded of them yet, what is wrong stands already."""
    held = [hand for hand in (*table.unsettled.values(), table.hand) if hand is not None and hand.holds]
    for hand in held:
        yield {"shoe": str(hand.shoe), "hand": hand.number, **hand_dict(hand.line(table.game, None))}


def latest(facts: Iterable[Fact]) -> Iterator[Plain]:
    """Yield the line of each closed hand, the last word on it, once its shoe is over.

    Where reading fails, what could be read is given before the error goes on.
    """
    lines: dict[tuple[int, int | None], Plain] = {}
    try:
        for fact in facts:
            if fact.name in CLOSING:
                whole = fact_dict(fact)
                lines[fact.shoe, fact.hand] = {key: whole[key] for key in KEYS}
            elif fact.name is FactName.SHOE_OPENED:
                yield from in_order(lines)
                lines.clear()
    except UNREADABLE:
        yield from in_order(lines)
        raise
    yield from in_order(lines)


def in_order(lines: dict[tuple[int, int | None], Plain]) -> Iterator[Plain]:
    """Yield lines by shoe and hand."""
    return (lines[key] for key in sorted(lines, key=lambda key: (key[0], key[1] or 0)))
