"""A game out of a house's choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, EnumType
from typing import Any

from controller.core.games.banque import BANQUE, SWITCHES, BanqueSwitches, banque
from controller.core.games.chemin_de_fer import CHEMIN, CHEMIN_USUAL, BankerTable, cells_of, chemin_de_fer
from controller.core.games.punto_banco import PUNTO_BANCO
from controller.core.games.tables import Game

Readers = Mapping[str, Callable[[str], Any]]

PUNTO = PUNTO_BANCO.name
# Of each game: what its choices are, and how each is read.
READERS: dict[str, Readers] = {
    PUNTO: {},
    CHEMIN: {"banker_table": BankerTable, "optional_cells": cells_of},
    BANQUE: SWITCHES,
}
NAMES = tuple(READERS)
CHOICES = tuple(key for readers in READERS.values() for key in readers)


def game_of(name: str, choices: Mapping[str, str]) -> Game:
    """Return a game by its name under a house's choices; a choice that is absent has the game's usual value.

    Raises ValueError naming the choice that the game does not have, or the value that the choice does not know.

    >>> [turn.rule for turn in game_of("banque", {"five_rule": "club_law"}).turns]
    ['R-000-58', 'R-000-58', 'R-000-36']
    """
    readers = READERS[name]
    if strange := choices.keys() - readers.keys():
        raise ValueError(f"{name} has no choice {', '.join(sorted(strange))}; it has {', '.join(readers) or 'none'}")
    made = {key: _chosen(key, readers[key], value) for key, value in choices.items()}
    match name:
        case "chemin-de-fer":
            return chemin_de_fer(*(made.get(key, usual) for key, usual in CHEMIN_USUAL.items()))
        case "banque":
            return banque(BanqueSwitches(**made))
        case _:
            return PUNTO_BANCO


def _chosen(key: str, read: Callable[[str], Any], value: str) -> Any:
    try:
        return read(value)
    except ValueError:
        raise ValueError(f"{key} is {_allowed(read)}, not {value!r}") from None


def _allowed(read: object) -> str:
    if not isinstance(read, EnumType):
        return 'a list of cells such as "3,9 5,4 6,-"'
    items: list[Enum] = list(read)
    return "one of " + ", ".join(item.value for item in items)
