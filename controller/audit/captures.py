"""Audit lines of captures and journals: what the table judges in replay, one line a closed hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.audit.lines import EXIT_INTEGRITY, EXIT_IRREGULAR, EXIT_USAGE, TAIL, AuditError
from controller.audit.othergame import Fitting, sentence_of
from controller.audit.standing import CLOSING, Standing, unfinished
from controller.core.engine import Table
from controller.core.facts import Fact, FactName
from controller.core.games import PUNTO_BANCO, Game
from controller.core.words import fact_dict, hand_dict
from controller.journal.errors import JournalError, NoJournal, TornTail
from controller.simulate.script import ScriptError
from controller.simulate.scripted import dealt
from controller.sources.capture import CutCaptureError, NoFramesError, opened
from controller.sources.journal import replay
from controller.sources.keys import KeysError, NoKeysError
from controller.sources.setting import Setting
from controller.sources.unattended import Policy, WaitsForPersonError, play
from drivers.ports.capture import CaptureError

Plain = dict[str, Any]
UNREADABLE = (CaptureError, CutCaptureError, NoFramesError, WaitsForPersonError, JournalError, OSError, KeysError)


@dataclass(frozen=True, slots=True)
class Asked:
    """How captures and journals are read and judged, what closes holds, and the croupier's keys."""

    setting: Setting
    unattended: str = Policy.ACCEPT.value
    keys_path: str | None = None

    @property
    def game(self) -> Game:
        """The game whose seats the lines have."""
        return self.setting.game


def hand_lines(path: str, form: str, asked: Asked, standing: Standing) -> Iterator[Plain]:
    """Yield the audit line of each hand of a capture, a script or a journal, in the order of the shoe.

    ``standing`` learns of hands that have no line too. Raises AuditError after the lines of all that could be read.
    """
    try:
        judging = Judging(standing)
        facts = (
            journal_facts(path, asked.game, judging) if form == "journal" else capture_facts(path, form, asked, judging)
        )
        yield from latest(facts, asked.game)
        yield from judging.rest()
    except (CaptureError, CutCaptureError, NoFramesError, KeysError, ScriptError) as error:
        raise AuditError(f"{path}: {sentence_of(error, asked.game)}") from error
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


@dataclass(slots=True)
class Judging:
    """The table that judges an input, once there is one, and what stands of its hands."""

    standing: Standing
    table: Table | None = None

    def rest(self) -> Iterator[Plain]:
        """Yield the hands that are dealt and wait: nothing is recorded of them yet, what is wrong stands already."""
        table = self.table
        if table is None:
            return
        self.standing.end(table)
        for hand in unfinished(table):
            yield {"shoe": str(hand.shoe), "hand": hand.number, **hand_dict(hand.stopped(table.game))}


def capture_facts(path: str, form: str, asked: Asked, judging: Judging) -> Iterator[Fact]:
    """Yield the facts of a capture, or of a simulation's script."""
    with opened(path) as stream:
        heard = dealt(stream, form, asked.setting, asked.keys_path)
        judging.table = table = Table(asked.setting.judging(heard.keys))
        fitting = Fitting(heard.keys, asked.game)
        fitting.check_seats()
        for facts in play(table, heard.inputs, Policy(asked.unattended), heard.keys):
            for fact in facts:
                judging.standing.take(fact)
                judging.standing.misfits.take(fact)
                fitting.take(fact)
                yield fact
        fitting.check()


def journal_facts(path: str, game: Game, judging: Judging) -> Iterator[Fact]:
    """Yield the facts of a journal as it is judged today."""
    for replayed in replay(Path(path)):
        if replayed.table.game.name != game.name:
            name = replayed.table.game.name
            raise AuditError(f"{path}: this is a journal of {name}: add --game {name}", EXIT_USAGE)
        judging.table = replayed.table
        for fact in replayed.facts:
            judging.standing.take(fact)
            yield fact


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
