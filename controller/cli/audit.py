"""`tirage audit`: many hands at once, from tables, captures and journals."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from controller.audit.cells import results_of, sides_of
from controller.audit.columns import seats_of
from controller.audit.formats import FORMATS
from controller.audit.handtable import Reading
from controller.audit.inputs import NOT_CHECKED_DECKS, Advance, Played, audit_file
from controller.audit.lines import (
    EXIT_IRREGULAR,
    EXIT_UNREADABLE,
    EXIT_USAGE,
    AuditError,
    Line,
    RowNote,
    Tally,
)
from controller.audit.output import Sink, csv_sink, json_sink, printable, summary_json, summary_text, text_sink
from controller.audit.report import Report
from controller.catalogue import ENGLISH, LANGUAGES, Catalogue, load
from controller.cli.gaming import at_a_table, game_named, of_a_game, setting_of
from controller.cli.params import MOST_DECKS, keep_apart
from controller.core.games import Game

if TYPE_CHECKING:
    from controller.sources.setting import Setting

SEVEREST_FIRST = (2, 78, 5, 4, 3, 1, 0)
UNATTENDED = ("accept", "void", "stop")

EPILOG = """\b
Examples:
  tirage audit hands.csv
  tirage audit --json --columns player=player_cards,banker=banker_cards hands.csv
  tirage audit --json --results "it's=tie" --report audit.html hands.csv
  tirage audit - --format csv < hands.csv
  tirage audit --game chemin-de-fer --switch banker_table=free coups.csv
  tirage audit --json --game las_vegas coups.csv
  tirage audit --json --game banque --keys keys.jsonl shoe.hex
  tirage audit --config /etc/tirage/tirage.toml --table b1 shoe.raw

\b
Exit codes: 0 clean, 1 irregularities found, 3 an input cannot be read (on), 78 bad configuration, 2 usage.
"""


def pairs(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Read `a=b,c=d`, given any number of times; the last word on a name wins."""
    parts = [part.partition("=") for value in values for part in value.split(",")]
    if wrong := ["".join(part) for part in parts if not (part[0].strip() and part[2].strip())]:
        raise click.BadParameter(f"expected NAME=VALUE, several with commas between, got {wrong[0]!r}")
    return {name.strip(): value.strip() for name, _, value in parts}


def result_words(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Read `word=side,...`."""
    return {word: side.lower() for word, side in pairs(ctx, param, values).items()}


def check_words(words: dict[str, str], game: Game) -> None:
    """Refuse a word for a side that the game does not have."""
    *sides, last = sides_of(game)
    if wrong := [side for side in words.values() if side not in {*sides, last}]:
        sentence = f"a word stands for {', '.join(sides)} or {last}, not {wrong[0]!r}"
        raise click.BadParameter(sentence, param_hint="'--results'")


def deck_count(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | None:
    """Read a number from 1 to 16, or `none` as 0."""
    if value is None or value.lower() == "none":
        return None if value is None else 0
    if value not in map(str, range(1, MOST_DECKS + 1)):
        raise click.BadParameter(f"expected a number of decks from 1 to {MOST_DECKS}, or none, got {value!r}")
    return int(value)


@click.command("audit", epilog=EPILOG)
@of_a_game
@at_a_table
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--json", "style", flag_value="json", help="One JSON object a hand, then one summary.")
@click.option("--summary", "summary_only", is_flag=True, help="Only the summary at the end.")
@click.option("--format", "named", type=click.Choice(FORMATS), help="What FILE is; needed for - (stdin).")
@click.option(
    "--columns",
    metavar="NAME=COLUMN,...",
    multiple=True,
    callback=pairs,
    help="Where a table names its columns otherwise.",
)
@click.option(
    "--results",
    metavar="WORD=SIDE,...",
    multiple=True,
    callback=result_words,
    help='More words for results: "it\'s=tie".',
)
@click.option(
    "--decks",
    metavar="N|none",
    callback=deck_count,
    help="Copies of one card a shoe holds [8 where a column names the shoe].",
)
@click.option("--strict", is_flag=True, help="Exit 3 for skipped, repeated or unreadable rows.")
@click.option("--unattended", type=click.Choice(UNATTENDED), default="accept", show_default=True,
              help="How a capture's holds that wait for a person are closed.")  # fmt: skip
@click.option("--keys", "keys_path", type=click.Path(exists=True, dir_okay=False),
              help="The croupier's keys to a capture of cards alone.")  # fmt: skip
@click.option("--csv", "csv_path", type=click.Path(dir_okay=False), help="Write the hands as CSV too.")
@click.option("--report", "report_path", type=click.Path(dir_okay=False), help="Write a page (HTML) too.")
@click.option("--language", type=click.Choice(LANGUAGES), default=ENGLISH, show_default=True,
              help="Of the text and the page.")  # fmt: skip
def audit(
    files: tuple[str, ...], columns: dict[str, str], results: dict[str, str], decks: int | None, **options: Any
) -> None:
    """Judge the hands of tables (CSV), shoe captures and journals.

    A hand table has a header and a row a hand: columns player and banker (cards parted by spaces), optional
    result, shoe, hand, player_total, banker_total, player_pair and banker_pair.
    Of chemin de fer the cards stand in punter and banker, of banque in right, left and banker; a result of banque
    is two words, that of the right side first: banker/tie. A capture of these games needs the croupier's keys.
    A row with void is judged as a hand that was closed without a result, one with ruled by what was ruled (as export
    writes it); ? is a card that was not read. Rows are numbered from 1, the header. A row that cannot be read is
    listed and counted, and not judged. Text is in UTF-8.
    """
    game, setting = game_and_table(options, decks)
    check_words(results, game)
    reading, asked = Reading(columns, results, decks, game), Options(**options, setting=setting)
    run = Run(files, reading, asked, Tally(named=results_of(game)))
    click.get_current_context().exit(run.go())


def game_and_table(options: dict[str, Any], decks: int | None) -> tuple[Game, Setting | None]:
    """Take the game out of the options, and the table of a configuration if one is named."""
    game, switches = options.pop("game"), options.pop("switches")
    config_path, table_id = options.pop("config_path"), options.pop("table_id")
    if config_path is None and table_id is None:
        return game_named(game, switches), None
    setting = setting_of(game, switches, config_path, table_id, NOT_CHECKED_DECKS if decks == 0 else decks)
    return setting.game, setting


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for besides the reading of tables."""

    style: str | None
    summary_only: bool
    named: str | None
    strict: bool
    unattended: str
    keys_path: str | None
    csv_path: str | None
    report_path: str | None
    language: str
    setting: Setting | None

    @property
    def played(self) -> Played:
        """What captures ask for."""
        return Played(self.unattended, self.keys_path, self.setting)

    @property
    def words(self) -> Catalogue:
        """The sentences of the language asked for."""
        return load(self.language)


@dataclass(slots=True)
class Run:
    """One audit, from its inputs to its exit code."""

    files: tuple[str, ...]
    reading: Reading
    options: Options
    tally: Tally = field(default_factory=Tally)

    def go(self) -> int:
        """Write what was asked for; return the exit code."""
        options = self.options
        inputs = [*self.files, *([options.keys_path] if options.keys_path else [])]
        keep_apart((("--csv", options.csv_path), ("--report", options.report_path)), inputs)
        with ExitStack() as stack:
            sinks = [*self._stdout(), *self._csv(stack), *self._page(stack)]
            codes = [self._file(path, sinks) for path in self.files]
            if EXIT_USAGE not in codes:
                as_json = options.style == "json"
                said = summary_json(self.tally) if as_json else summary_text(self.tally, options.words)
                sys.stdout.write(f"{said}\n")
        return min([*codes, *self._found()], key=SEVEREST_FIRST.index)

    def _stdout(self) -> list[Sink]:
        if self.options.summary_only:
            return []
        return [json_sink(sys.stdout) if self.options.style == "json" else text_sink(sys.stdout, self.options.words)]

    def _csv(self, stack: ExitStack) -> list[Sink]:
        path = self.options.csv_path
        return [csv_sink(stack.enter_context(writable(path)), seats_of(self.reading.game))] if path else []

    def _page(self, stack: ExitStack) -> list[Sink]:
        if self.options.report_path is None:
            return []
        report = Report(seats_of(self.reading.game))
        page = stack.enter_context(writable(self.options.report_path))
        stack.callback(report.write, page, self.files, self.tally, self.options.words)
        return [report.take]

    def _file(self, path: str, sinks: list[Sink]) -> int:
        options = self.options
        try:
            with progress(path) as advance:
                lines = audit_file(path, options.named, self.reading, options.played, self.tally, advance)
                hand_out(lines, sinks)
        except AuditError as stopped:
            click.echo(f"tirage audit: {printable(str(stopped))}", err=True)
            return stopped.code
        finally:
            self._remark(path)
        return 0

    def _remark(self, path: str) -> None:
        for remark in self.tally.remarks:
            click.echo(f"tirage audit: warning: {printable(f'{path}: {remark}')}", err=True)
        self.tally.remarks.clear()

    def _found(self) -> Iterator[int]:
        yield EXIT_IRREGULAR if self.tally.irregular_hands or self.tally.dropped or self.tally.misfits else 0
        if self.options.strict and self.tally.dirty:
            yield EXIT_UNREADABLE


def hand_out(lines: Iterator[Line | RowNote], sinks: list[Sink]) -> None:
    """Give every line to every sink."""
    if not sinks:
        deque(lines, maxlen=0)
        return
    for line in lines:
        for sink in sinks:
            sink(line)


@contextmanager
def writable(path: str) -> Iterator[TextIO]:
    """Open a file for text. Ends with exit code 2 and a sentence where that cannot be."""
    with ExitStack() as stack:
        try:
            file = stack.enter_context(Path(path).open("w", encoding="utf-8", newline=""))
        except OSError as error:
            raise click.UsageError(f"cannot write {path}: {error.strerror}") from error
        yield file


@contextmanager
def progress(path: str) -> Iterator[Advance]:
    """Show a bar on stderr while a file is read, if that is a terminal and stdout is none."""
    if path == "-" or not sys.stderr.isatty() or sys.stdout.isatty() or not Path(path).is_file():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(Path(path).name, total=Path(path).stat().st_size)
        yield lambda place: bar.update(task, completed=place)
