"""Which game a command is about: its name or a variant's, and the switches of the house."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from controller.config import TableConfig
    from controller.core.games import Game
    from controller.sources.setting import Setting

Command = TypeVar("Command", bound=Callable[..., Any])

VARIANTS = ("chemin_free", "chemin_tableau", "chemin_tableau_no_option", "foster", "las_vegas")
NAMES = ("punto-banco", "chemin-de-fer", "banque", *VARIANTS)
USUAL = NAMES[0]
EXIT_CONFIG = 78


def of_a_game(command: Command) -> Command:
    """Give a command the options --game and --switch."""
    switch = click.option(
        "--switch",
        "switches",
        metavar="NAME=VALUE",
        multiple=True,
        help="A choice of the house where texts disagree, as in a configuration; may be repeated.",
    )
    game = click.option("--game", type=click.Choice(NAMES), default=USUAL, show_default=True,
                        help="The game, or a variant of one.")  # fmt: skip
    return game(switch(command))


def at_a_table(command: Command) -> Command:
    """Give a command the options --config and --table."""
    table = click.option("--table", "table_id", metavar="ID", help="The table of the configuration.")
    config = click.option("--config", "config_path", type=click.Path(),
                          help="Read and judge as the daemon does: game, house, shoe and codes of a configuration's "
                          "table, instead of --game.")  # fmt: skip
    return config(table(command))


def setting_of(
    game: str, switches: tuple[str, ...], config_path: str | None, table_id: str | None, decks: int | None
) -> Setting:
    """Return by what a capture is read and judged. Raises click.UsageError; ends with 78 for a bad configuration."""
    from controller.sources.setting import of_house, usual

    if config_path is None:
        if table_id is not None:
            raise click.UsageError("--table names a table of a configuration: add --config FILE")
        return usual(game_named(game, switches), decks)
    if switches or click.get_current_context().get_parameter_source("game") is ParameterSource.COMMANDLINE:
        raise click.UsageError("the configuration says which game: leave out --game and --switch, or --config")
    table = configured(config_path, table_id)
    from controller.config import house_of

    return of_house(house_of(table), table.shoe.driver, table.shoe.chosen, decks)


def configured(config_path: str, table_id: str | None) -> TableConfig:
    """Return a table of a configuration. Raises click.UsageError; ends with 78 for a bad configuration."""
    from controller.config import ConfigError, load

    try:
        tables = load(config_path).tables
    except ConfigError as error:
        click.echo("\n".join(map(str, error.problems)), err=True)
        raise click.exceptions.Exit(EXIT_CONFIG) from None
    return one_table(tables, table_id)


def one_table(tables: tuple[TableConfig, ...], table_id: str | None) -> TableConfig:
    """Return the table named, or the only one. Raises click.UsageError."""
    named = [table for table in tables if table_id in (None, table.id)]
    if len(named) != 1:
        raise click.UsageError(f"name one of the tables: --table {' | '.join(table.id for table in tables)}")
    return named[0]


def game_named(name: str, switches: tuple[str, ...]) -> Game:
    """Return the game under these switches. Raises click.BadParameter for a switch that it does not have."""
    from controller.core.games import GAMES, game_of

    base = GAMES.get(name)
    chosen = dict(base.choices) if base else {}
    for word in switches:
        key, equals, value = word.partition("=")
        if not equals:
            raise click.BadParameter(f"expected NAME=VALUE, got {word!r}", param_hint="--switch")
        chosen[key.strip()] = value.strip()
    try:
        return game_of(base.name if base else name, chosen)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--switch") from None
