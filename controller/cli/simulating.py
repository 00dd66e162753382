"""A simulation from its options to its files; apart from the command, so that its help needs none of this."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, TypeVar, cast

import click
from click.core import ParameterSource

from controller.cli.gaming import game_named
from controller.cli.params import keep_apart, why_unread

if TYPE_CHECKING:
    from controller.core.games import Game
    from controller.simulate.coups.evening import Coups
    from controller.simulate.playing import Simulation
    from controller.simulate.script import KeyStep
    from drivers.emulators import ByteFault, Shoe, Step
    from drivers.line import Session

Read = TypeVar("Read")
Tell = Callable[[str], object]

EXIT_UNREADABLE = 3
EXIT_DEVICE = 5


OF_AN_ANGEL_EYE = ("mode", "seats")


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
        self.check_wire()
        keep_apart(outputs, [self.script_path] if self.script_path else [])
        if self.script_path and (self.errors or self.truth_path):
            raise click.UsageError("--errors and --truth belong to shoes that are dealt, not to --script")
        if self.faults and self.form == "script" and self.pty_path is None:
            raise click.UsageError("--faults damages bytes: add --format hex, raw or bytes, or --pty PATH")
        if self.pty_path and self.pty_path.exists() and not self.pty_path.is_symlink():
            raise click.UsageError(f"{self.pty_path} is there already and is no link: name another path for --pty")

    def check_people(self) -> None:
        """Refuse what only one kind of shoe has: copies an Angel Eye, keys one that tells cards alone."""
        if self.played.asks_taker:
            self.check_faults()
        if self.keys_path and not self.played.asks_taker:
            raise click.UsageError("--keys belongs to games in which people decide: add --game chemin-de-fer or banque")
        if self.keys_path and self.form == "script" and self.writes:
            raise click.UsageError("a script holds the keys itself: --keys goes with --format hex, raw or bytes")

    def check_wire(self) -> None:
        """Refuse what an Angel Eye is told where none is dealt."""
        given = [option for option in OF_AN_ANGEL_EYE if is_given(option)]
        if given and self.played.asks_taker:
            raise click.UsageError(
                f"--{given[0]} belongs to an Angel Eye of punto banco: a shoe of {self.played.name} tells cards alone"
            )
        if given and self.script_path:
            raise click.UsageError(f"--{given[0]} belongs to shoes that are dealt, not to --script")

    def check_faults(self) -> None:
        """Refuse byte faults that a line of cards does not have."""
        from drivers.emulators import LINE_FAULTS

        if strange := [fault.kind for fault in self.byte_faults() if fault.kind not in LINE_FAULTS]:
            names = ", ".join(sorted(LINE_FAULTS))
            raise click.UsageError(f"a shoe that tells cards alone has no {strange[0]}: its --faults are {names}")
        if self.faults and self.keys_path and not self.writes:
            raise click.UsageError("damaged bytes shift what --keys counts: write both, with --format and --out")

    @property
    def writes(self) -> bool:
        """Whether something is written beside what is played."""
        return bool(self.out_path or self.pty_path is None)

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
        from controller.simulate.playing import Wire
        from drivers.line import Session

        with ExitStack() as stack:
            out = stack.enter_context(writable("--out", self.out_path or "-"))
            steps = rescaled(self.steps(self.teller(stack, "--truth", self.truth_path)), self.pace)
            reader = Session() if self.faults and self.played.asks_taker else None
            told: Iterable[Any] = (
                steps
                if self.form == "script"
                else self.said(steps, self.teller(stack, "--keys", self.keys_path), reader)
            )
            wire = Wire(self.byte_faults(), self.seed, self.speaker(), reader.feed if reader else None)
            with unsayable():
                out.writelines(WRITERS[self.form](told, wire))

    def said(self, steps: Iterator[Step | KeyStep], tell: Tell | None, reader: Session | None = None) -> Iterator[Step]:
        """Return what the shoe says; the keys go to their own file, if one is wanted.

        ``reader`` hears the bytes as they are damaged.
        """
        from controller.simulate.coups.evening import without_keys

        return without_keys(steps, tell, (lambda: reader.counts.events) if reader else None)

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


def is_given(option: str) -> bool:
    """Whether an option of this call was given, whatever its value."""
    return click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE


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
