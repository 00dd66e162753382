"""`tirage simulate`: seeded shoes as scripts, as bytes, or played on a pseudo-terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, TypeVar, cast

import click

from controller.cli.gaming import game_named, of_a_game
from controller.cli.params import MOST_DECKS, FiniteRange, keep_apart, why_unread

if TYPE_CHECKING:
    from controller.core.games import Game
    from controller.simulate.coups.evening import Coups
    from controller.simulate.playing import Simulation
    from controller.simulate.script import KeyStep
    from drivers.emulators import ByteFault, Shoe, Step

Read = TypeVar("Read")
Tell = Callable[[str], object]

FORMATS = ("script", "hex", "raw", "bytes")
EXIT_UNREADABLE = 3
EXIT_DEVICE = 5

EPILOG = """\b
Examples:
  tirage simulate --seed 7 --hands 3
  tirage simulate --errors 0.02 --truth truth.jsonl --format hex --out shoe.hex
  tirage simulate --pty ./shoe --mode open --pace 0.2 --faults bit-flip=0.01
  tirage simulate --script shoe.jsonl --pty ./shoe
  tirage simulate --game chemin-de-fer --seed 3 --out evening.jsonl
  tirage simulate --game banque --switch five_rule=strict --errors 0.05 \\
      --format hex --out shoe.hex --keys keys.jsonl --truth truth.jsonl
  tirage audit --game banque --switch five_rule=strict --keys keys.jsonl shoe.hex

\b
Errors of the dealer (chance 0..1 for each hand that gives the occasion):
  overdraw-withdrawn overdraw-carried wrong-spot wrong-button early-stand-by
  card-re-slid card-unread wrong-result power-up
  and only with --seats by-sensor, instead of wrong-spot:
  player-false-draw player-missed-draw banker-false-draw banker-missed-draw
Faults of the bytes (chance for each signal, or @N for the Nth):
  bit-flip lost-copy lost-frame noise silence power-up unplug

\b
This shoe names the spot by its own reading of the rules: a surplus card is its
error 2, a card on the wrong spot is a lawful frame and stands in --truth only.

\b
Where people decide (chemin de fer, banque), the shoe is one that tells cards
alone, and the croupier presses as few keys as there can be: a script holds
them between the cards, --keys writes them beside the bytes. People play by
their rule, and by what wins more often where they are free. Errors:
  punter-false-draw punter-missed-draw (right-, left-, banker- alike)
  extra-card card-unread faced-card forgotten-close wrong-taker wrong-spot

\b
Exit codes: 0 done, 2 usage, 3 a script cannot be read, 5 no pseudo-terminal.
"""


@click.command("simulate", epilog=EPILOG)
@of_a_game
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed deals the same shoes.")
@click.option("--shoes", type=click.IntRange(1), default=1, show_default=True, help="How many shoes.")
@click.option("--hands", type=click.IntRange(1), help="At most so many hands a shoe [until its last hand].")
@click.option("--decks", type=click.IntRange(1, MOST_DECKS), help="[8; 6 where people decide]")
@click.option("--mode", type=click.Choice(("open", "hidden")), default="hidden", show_default=True,
              help="Whether faces come when drawn, or when the hand is complete.")  # fmt: skip
@click.option("--seats", type=click.Choice(("by-its-rule", "by-sensor")), default="by-its-rule", show_default=True,
              help="How the source knows where a card lies.")  # fmt: skip
@click.option("--errors", metavar="RATE|NAME=RATE", multiple=True, help="A dealer who errs; may be repeated.")
@click.option("--faults", metavar="NAME=RATE", multiple=True, help="Damage to the bytes; may be repeated.")
@click.option("--pace", type=FiniteRange(0), default=1.0, show_default=True, help="1 is true pace, 0 is at once.")
@click.option("--script", "script_path", metavar="FILE|-", help="Play this script instead of dealing.")
@click.option("--pty", "pty_path", type=click.Path(path_type=Path), help="Play on a pseudo-terminal at this path.")
@click.option("--out", "out_path", metavar="FILE|-", help="Write here [- unless --pty is given].")
@click.option("--format", "form", type=click.Choice(FORMATS), default="script", show_default=True,
              help="hex has one read a line, raw is the recorder's file.")  # fmt: skip
@click.option("--truth", "truth_path", type=click.Path(dir_okay=False), help="Write what really happened as JSON.")
@click.option("--keys", "keys_path", type=click.Path(dir_okay=False),
              help="Write the croupier's keys, a JSON line each, where the bytes hold none.")  # fmt: skip
def simulate(**given: Any) -> None:
    """Deal seeded shoes by the game's own table, with a dealer who errs if asked, and play them."""
    asked = Asked(**given)
    asked.check()
    if asked.out_path or asked.pty_path is None:
        asked.write()
    if asked.pty_path is not None:
        asked.play(asked.pty_path)


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of one call."""

    game: str
    switches: tuple[str, ...]
    seed: int
    shoes: int
    hands: int | None
    decks: int | None
    mode: str
    seats: str
    errors: tuple[str, ...]
    faults: tuple[str, ...]
    pace: float
    script_path: str | None
    pty_path: Path | None
    out_path: str | None
    form: str
    truth_path: str | None
    keys_path: str | None

    def check(self) -> None:
        """Refuse what cannot be before anything is written."""
        self.simulation()
        self.byte_faults()
        outputs = (("--out", self.out_path), ("--truth", self.truth_path), ("--keys", self.keys_path))
        self.check_people()
        keep_apart(outputs, [self.script_path] if self.script_path else [])
        if self.script_path and (self.errors or self.truth_path):
            raise click.UsageError("--errors and --truth belong to shoes that are dealt, not to --script")
        if self.faults and self.form == "script" and self.pty_path is None:
            raise click.UsageError("--faults damages bytes: add --format hex, raw or bytes, or --pty PATH")
        if self.pty_path and self.pty_path.exists() and not self.pty_path.is_symlink():
            raise click.UsageError(f"{self.pty_path} is there already and is no link: name another path for --pty")

    def check_people(self) -> None:
        """Refuse what only one kind of shoe has: byte faults an Angel Eye, keys one that tells cards alone."""
        if self.faults and self.played.asks_taker:
            raise click.UsageError("--faults are those of an Angel Eye: this game is dealt from a shoe of cards alone")
        if self.keys_path and not self.played.asks_taker:
            raise click.UsageError("--keys belongs to games in which people decide: add --game chemin-de-fer or banque")
        if self.keys_path and self.form == "script" and (self.out_path or self.pty_path is None):
            raise click.UsageError("a script holds the keys itself: --keys goes with --format hex, raw or bytes")

    @property
    def played(self) -> Game:
        """The game under its switches."""
        return game_named(self.game, self.switches)

    def simulation(self) -> Simulation | Coups:
        """Return what is to be dealt."""
        game = self.played
        return self.coups(game) if game.asks_taker else self.punto_banco()

    def coups(self, game: Game) -> Coups:
        """Return an evening of a game in which people decide."""
        from controller.simulate.coups.evening import Coups
        from controller.simulate.coups.shoes import USUAL_DECKS, Evening
        from controller.simulate.coups.wrongs import rates_of

        rates = read("--errors", lambda: rates_of(self.errors, game))
        return Coups(Evening(game, self.decks or USUAL_DECKS, rates), self.seed, self.shoes, self.hands)

    def punto_banco(self) -> Simulation:
        """Return shoes of a game in which nobody decides."""
        from controller.core.profile import House
        from controller.core.signals import Names
        from controller.simulate.dealer import rates_of
        from controller.simulate.dealing import Table
        from controller.simulate.hand import Mode
        from controller.simulate.playing import Simulation

        names = Names(self.seats)
        rates = read("--errors", lambda: rates_of(self.errors, names))
        table = Table(House(decks=self.decks or House().decks), Mode(self.mode), names, rates)
        return Simulation(table, self.seed, self.shoes, self.hands)

    def byte_faults(self) -> tuple[ByteFault, ...]:
        """Return what is to happen to the bytes."""
        from controller.simulate.playing import faults_of

        return read("--faults", lambda: faults_of(self.faults))

    def steps(self, tell: Tell | None) -> Iterator[Step | KeyStep]:
        """Return the steps of the script, or of shoes dealt now."""
        if self.script_path is None:
            yield from self.simulation().steps(tell)
            return
        from controller.simulate.script import ScriptError, read_all, signals_of

        with ExitStack() as stack:
            try:
                steps = read_all(stack.enter_context(click.open_file(self.script_path, "rb")))
                yield from steps if self.played.asks_taker else signals_of(steps)
            except ScriptError as error:
                fail(EXIT_UNREADABLE, f"{self.script_path}: {error}")
            except OSError as error:
                fail(EXIT_UNREADABLE, f"{self.script_path}: {why_unread(error)}")

    def write(self) -> None:
        """Write the steps, or their bytes, and the truth."""
        from controller.simulate.pace import rescaled
        from controller.simulate.playing import FORMATS as WRITERS

        with ExitStack() as stack:
            out = stack.enter_context(writable("--out", self.out_path or "-"))
            steps = rescaled(self.steps(self.teller(stack, "--truth", self.truth_path)), self.pace)
            told: Iterable[Any] = (
                steps if self.form == "script" else self.said(steps, self.teller(stack, "--keys", self.keys_path))
            )
            with unsayable():
                out.writelines(WRITERS[self.form](told, self.byte_faults(), self.seed, self.speaker()))

    def said(self, steps: Iterator[Step | KeyStep], tell: Tell | None) -> Iterator[Step]:
        """Return what the shoe says; the keys go to their own file, if one is wanted."""
        from controller.simulate.coups.evening import without_keys

        return without_keys(steps, tell)

    def speaker(self) -> Shoe | None:
        """Return the shoe that says the cards; None is an Angel Eye."""
        from drivers.emulators import LineShoe

        return LineShoe() if self.played.asks_taker else None

    def play(self, path: Path) -> None:
        """Play on a pseudo-terminal; truth and keys are written here if nothing else was."""
        from controller.simulate.playing import Performance

        with ExitStack() as stack, unsayable():
            written = bool(self.out_path)
            truth = None if written else self.teller(stack, "--truth", self.truth_path)
            keys = None if written else self.teller(stack, "--keys", self.keys_path)
            said = self.said(self.steps(truth), keys)
            faults = self.byte_faults()
            performance = Performance(path, said, self.pace, faults, self.seed, self.say_path, self.speaker())
            try:
                performance.run()
            except OSError as error:
                fail(EXIT_DEVICE, f"no pseudo-terminal at {path}: {error.strerror}")

    def say_path(self) -> None:
        """Print the path of the pseudo-terminal, which is there now; stdout may be taken by --out."""
        click.echo(str(self.pty_path), err=self.out_path == "-")

    def teller(self, stack: ExitStack, option: str, path: str | None) -> Tell | None:
        """Open a file of JSON lines, if one is wanted, and return what writes a line of it."""
        if path is None:
            return None
        file = stack.enter_context(writable(option, path))
        return lambda line: file.write(f"{line}\n".encode())


def read(option: str, parse: Callable[[], Read]) -> Read:
    """Return what ``parse`` reads; a ValueError is an answer to the operator."""
    try:
        return parse()
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=option) from None


@contextmanager
def writable(option: str, path: str) -> Iterator[BinaryIO]:
    """Open a file for bytes, or stdout for `-`; a file that cannot be is an answer to the operator."""
    try:
        file = click.open_file(path, "wb")
    except OSError as error:
        raise click.BadParameter(f"cannot write {path}: {error.strerror}", param_hint=option) from None
    with file:
        yield cast(BinaryIO, file)


@contextmanager
def unsayable() -> Iterator[None]:
    """A script may hold what this shoe has no frame for."""
    from drivers.angel_eye import UnsayableError

    try:
        yield
    except UnsayableError as error:
        fail(EXIT_UNREADABLE, str(error))


def fail(code: int, sentence: str) -> NoReturn:
    """Say what went wrong and end with this code."""
    click.echo(f"tirage simulate: {sentence}", err=True)
    raise click.exceptions.Exit(code)
