"""The games as frozen tables. The engine holds no game's name; where the texts disagree there is a switch."""

from __future__ import annotations

from controller.core.games.banque import BANQUE, FOSTER, LAS_VEGAS, BanqueSwitches, banque
from controller.core.games.chemin_de_fer import CHEMIN, BankerTable, chemin_de_fer
from controller.core.games.making import CHOICES, NAMES, game_of
from controller.core.games.punto_banco import PUNTO_BANCO
from controller.core.games.tables import NO_THIRD, Flow, Game, Looks, Sources, Thirds, Turn, Verdict

# By the name of the variant; `game_of` makes any other.
GAMES: dict[str, Game] = {
    "punto-banco": PUNTO_BANCO,
    "chemin_free": chemin_de_fer(BankerTable.FREE, ()),
    "chemin_tableau": game_of(CHEMIN, {}),
    "chemin_tableau_no_option": chemin_de_fer(BankerTable.TABLEAU, ()),
    "foster": banque(FOSTER),
    "las_vegas": banque(LAS_VEGAS),
}

__all__ = [
    "BANQUE",
    "CHEMIN",
    "CHOICES",
    "GAMES",
    "NAMES",
    "NO_THIRD",
    "PUNTO_BANCO",
    "BankerTable",
    "BanqueSwitches",
    "Flow",
    "Game",
    "Looks",
    "Sources",
    "Thirds",
    "Turn",
    "Verdict",
    "banque",
    "chemin_de_fer",
    "game_of",
]
