"""A replay from its input to its exit code; apart from the command, so that its help needs none of this."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from controller.audit.formats import format_of
from controller.audit.lines import EXIT_INTEGRITY, EXIT_IRREGULAR, EXIT_UNREADABLE, EXIT_USAGE, AuditError
from controller.audit.othergame import Fitting, sentence_of
from controller.audit.standing import Standing
from controller.core.engine import Table
from controller.core.facts import Fact, FactName
from controller.core.words import fact_dict
from controller.journal.errors import JournalError, NoJournal, TornTail
from controller.simulate.script import ScriptError
from controller.simulate.scripted import dealt
from controller.sources.capture import CutCaptureError, NoFramesError, opened
from controller.sources.journal import Replayed
from controller.sources.journal import replay as replay_journal
from controller.sources.keys import KeysError, NoKeysError
from controller.sources.setting import Setting
from controller.sources.unattended import Policy, WaitsForPersonError, play
from controller.textlines import fact_text
from drivers.angel_eye import Counts
from drivers.ports.capture import CaptureError

FORMATS = ("hex", "raw", "script", "journal")
NS_PER_S = 1_000_000_000


@dataclass(slots=True)
class Pace:
    """Waits so that facts come as far apart as they were recorded, divided by ``speed``; 0 never waits."""

    speed: float
    last_ns: int | None = None

    def wait_for(self, fact: Fact) -> None:
        """Wait until this fact is due."""
        now = fact.at.mono_ns
        if self.speed and now is not None:
            if self.last_ns is not None and now > self.last_ns:
                time.sleep((now - self.last_ns) / NS_PER_S / self.speed)
            self.last_ns = now


# The first that fits counts: what cannot be read at all, then what was changed.
FAILURES: dict[type[Exception], int] = {
    CaptureError: EXIT_UNREADABLE,
    CutCaptureError: EXIT_UNREADABLE,
    NoFramesError: EXIT_UNREADABLE,
    KeysError: EXIT_UNREADABLE,
    ScriptError: EXIT_UNREADABLE,
    NoJournal: EXIT_UNREADABLE,
    TornTail: EXIT_UNREADABLE,
    JournalError: EXIT_INTEGRITY,
    WaitsForPersonError: EXIT_IRREGULAR,
}


@dataclass(slots=True)
class Replay:
    """One replay, from its input to its exit code."""

    path: str
    policy: Policy
    setting: Setting
    keys_path: str | None
    tell: Callable[[dict[str, Any]], None]
    pace: Pace
    hands: int = 0
    standing: Standing = field(default_factory=Standing)
    table: Table | None = None
    inputs: int = 0
    differences: int = 0
    summary: dict[str, Any] = field(default_factory=dict)
    losses: str = ""  # what its text says of messages that were lost

    def go(self, named: str | None, *, as_json: bool) -> int:
        """Tell every fact and the summary; return the exit code."""
        code = self._read(named)
        if code == EXIT_USAGE:
            return code
        if self.standing.misfits.sentence:
            self._say(f"warning: {self.path}: {self.standing.misfits.sentence}", EXIT_IRREGULAR)
        summary = self.summary | {"hands": self.hands}
        text = _summary_text(summary) + self.losses
        print(json.dumps({"summary": summary}, separators=(",", ":")) if as_json else text)
        return max(code, EXIT_INTEGRITY if self.differences else 0) or (
            EXIT_IRREGULAR if self.standing.irregular else 0
        )

    def _read(self, named: str | None) -> int:
        try:
            self._tell_all(named)
        except OSError as error:
            if error.filename is None:
                raise  # it is our own output that failed
            return self._say(f"{self.path} cannot be read: {error.strerror}", EXIT_UNREADABLE)
        except NoKeysError as error:
            return self._say(f"{self.path}: {error}", EXIT_USAGE)
        except AuditError as error:
            return self._say(str(error), error.code)
        except tuple(FAILURES) as error:
            code = next(code for kind, code in FAILURES.items() if isinstance(error, kind))
            return self._say(f"{self.path}: {sentence_of(error, self.setting.game)}", code)
        return 0

    def _tell_all(self, named: str | None) -> None:
        form = format_of(self.path, named)
        if form not in FORMATS:
            raise AuditError(
                f"{self.path} is no shoe log and no journal: is it a table for `tirage audit`?", EXIT_USAGE
            )
        for facts in self._journal() if form == "journal" else self._capture(form):
            for fact in facts:
                self._take(fact)
        if self.table is not None:
            self.standing.end(self.table)

    def _say(self, sentence: str, code: int) -> int:
        click.echo(f"tirage replay: {sentence}", err=True)
        return code

    def _capture(self, form: str) -> Iterator[tuple[Fact, ...]]:
        with opened(self.path) as stream:
            heard = dealt(stream, form, self.setting, self.keys_path)
            self.table = Table(self.setting.judging(heard.keys))
            fitting = Fitting(heard.keys, self.setting.game)
            try:
                fitting.check_seats()
                for facts in play(self.table, heard.inputs, self.policy, heard.keys):
                    for fact in facts:
                        fitting.take(fact)
                        self.standing.misfits.take(fact)
                    yield facts
                fitting.check()
            finally:
                counts = heard.capture.counts if heard.capture else Counts()
                self.summary = {
                    "frames": counts.frames,
                    "events": counts.events,
                    "noise_bytes": counts.noise_bytes,
                    "bad_checksums": counts.bad_checksums,
                    "gaps": counts.gaps,
                }
                if heard.capture is not None:
                    self.losses = _losses(counts.missing, heard.capture.tells_losses_up_to)

    def _journal(self) -> Iterator[tuple[Fact, ...]]:
        for replayed in replay_journal(Path(self.path)):
            self.inputs += 1
            self.table = replayed.table
            yield replayed.facts
            self._compare(replayed)
        self.summary = {"inputs": self.inputs, "differences": self.differences}

    def _compare(self, replayed: Replayed) -> None:
        for found in replayed.differences:
            self.differences += 1
            self.tell({"difference": {"line": found.index, "recorded": found.then, "now": found.now}})

    def _take(self, fact: Fact) -> None:
        self.pace.wait_for(fact)
        self.hands += fact.name is FactName.HAND_COMPLETED
        self.standing.take(fact)
        self.tell(fact_dict(fact))


def printer(as_json: bool) -> Callable[[dict[str, Any]], None]:
    """Return what prints a fact or a difference, as JSON or as text."""
    encode = json.JSONEncoder(separators=(",", ":")).encode  # json.dumps would make one for every line

    def tell_json(line: dict[str, Any]) -> None:
        sys.stdout.write(encode(line) + "\n")

    def tell_text(line: dict[str, Any]) -> None:
        sys.stdout.write(fact_text(line) + "\n")

    return tell_json if as_json else tell_text


def _losses(missing: int, most: int | None) -> str:
    """Return how many messages are missing, and which losses the shoe's numbers show at all."""
    shown = {0: "no loss shows on this wire", None: "its numbers show every loss"}
    bounded = f"its numbers show losses of up to {most} in a row"
    return f"; messages missing {missing:,}: {shown.get(most, bounded)}"


def _summary_text(summary: dict[str, Any]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value:,}" for name, value in summary.items())
