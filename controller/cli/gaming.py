"""Which game a command is about: its name or a variant's, and the switches of the house."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from controller.core.games import Game

Command = TypeVar("Command", bound=Callable[..., Any])

VARIANTS = ("chemin_free", "chemin_tableau", "chemin_tableau_no_option", "foster", "las_vegas")
NAMES = ("punto-banco", "chemin-de-fer", "banque", *VARIANTS)
USUAL = NAMES[0]


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
