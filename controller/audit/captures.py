"""Audit lines of captures and journals: what the table judges in replay, one line a closed hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.audit.lines import EXIT_INTEGRITY, EXIT_IRREGULAR, EXIT_USAGE, TAIL, AuditError
from controller.core.engine import Table
from controller.core.facts import Fact, FactName
from controller.core.games import PUNTO_BANCO, Game
from controller.core.profile import House
from controller.core.words import fact_dict, hand_dict
from controller.journal.errors import JournalError, NoJournal, TornTail
from controller.simulate.script import ScriptError
from controller.simulate.scripted import dealt
from controller.sources.capture import CutCaptureError, NoFramesError, opened
from controller.sources.journal import replay
from controller.sources.keys import KeysError, NoKeysError
from controller.sources.unattended import Policy, WaitsForPersonError, house_of, play
from drivers.ports.capture import CaptureError

Plain = dict[str, Any]
CLOSING = frozenset({FactName.HAND_COMPLETED, FactName.HAND_VOIDED, FactName.HAND_CORRECTED})
UNREADABLE = (CaptureError, CutCaptureError, NoFramesError, WaitsForPersonError, JournalError, OSError, KeysError)
NOT_CHECKED_DECKS = 1_000  # more copies than any shoe holds: no card is impossible


@dataclass(frozen=True, slots=True)
class Asked:
    """How captures and journals are read: the game, what closes holds, the croupier's keys, the decks (0 for any)."""

    game: Game = PUNTO_BANCO
    unattended: str = Policy.ACCEPT.value
    keys_path: str | None = None
    decks: int | None = None

    @property
    def house(self) -> House:
        """The house by which a capture is judged."""
        return house_of(self.game, NOT_CHECKED_DECKS if self.decks == 0 else self.decks)


def hand_lines(path: str, form: str, asked: Asked) -> Iterator[Plain]:
    """Yield the audit line of each hand of a capture, a script or a journal, in the order of the shoe.

    Raises AuditError after the lines of all that could be read.
    """
    try:
        if form == "journal":
            yield from journal_lines(path, asked.game)
        else:
            yield from latest(capture_facts(path, form, asked), asked.game)
    except (CaptureError, CutCaptureError, NoFramesError, KeysError, ScriptError) as error:
        raise AuditError(f"{path}: {error}") from error
    except NoKeysError as error:
        raise AuditError(f"{path}: {error}", EXIT_USAGE) from error
    except WaitsForPersonError as error:
        raise AuditError(f"{path}: {error}", EXIT_IRREGULAR) from error
    except (NoJournal, TornTail) as error:
        raise AuditError(str(error)) from error
    except JournalError as error:
        raise AuditError(str(error), EXIT_INTEGRITY) from error
    except OSError as error:
        raise AuditError(f"{error.filename or path}: {error.strerror}") from error


def capture_facts(path: str, form: str, asked: Asked) -> Iterator[Fact]:
    """Yield the facts of a capture, or of a simulation's script."""
    with opened(path) as stream:
        heard = dealt(stream, form, asked.game, asked.keys_path)
        for facts in play(Table(asked.house), heard.inputs, Policy(asked.unattended), heard.keys):
            yield from facts
        heard.keys.check()


def journal_lines(path: str, game: Game) -> Iterator[Plain]:
    """Yield the lines of a journal as it is judged today; last the hands that still wait for a person."""
    table: Table | None = None

    def facts() -> Iterator[Fact]:
        nonlocal table
        for replayed in replay(Path(path)):
            if replayed.table.game.name != game.name:
                name = replayed.table.game.name
                raise AuditError(f"{path}: this is a journal of {name}: add --game {name}", EXIT_USAGE)
            table = replayed.table
            yield from replayed.facts

    yield from latest(facts(), game)
    if table is not None:
        yield from waiting_lines(table)


def waiting_lines(table: Table) -> Iterator[Plain]:
    """Yield the hands that are dealt and held: nothing is recorded of them yet, what is wrong stands already."""
    held = [hand for hand in (*table.unsettled.values(), table.hand) if hand is not None and hand.holds]
    for hand in held:
        yield {"shoe": str(hand.shoe), "hand": hand.number, **hand_dict(hand.line(table.game, None))}


def latest(facts: Iterable[Fact], game: Game = PUNTO_BANCO) -> Iterator[Plain]:
    """Yield the line of each closed hand, the last word on it, once its shoe is over.

    Where reading fails, what could be read is given before the error goes on.
    """
    keys = ("shoe", "hand", *(seat.value for seat in game.seats), *TAIL)
    lines: dict[tuple[int, int | None], Plain] = {}
    try:
        for fact in facts:
            if fact.name in CLOSING:
                whole = fact_dict(fact)
                lines[fact.shoe, fact.hand] = {key: whole[key] for key in keys}
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
