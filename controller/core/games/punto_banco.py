"""Punto banco: nobody decides anything (rules.md C.1)."""

from __future__ import annotations

from controller.core.cards import Seat
from controller.core.games.tables import Game, Sources, Turn

PLAYER_ROWS = ("D", "D", "D", "D", "D", "D", "S", "S", "S", "S")
BANKER_ROWS = (
    # 0123456789-     the Player's third card
    "DDDDDDDDDDD",
    "DDDDDDDDDDD",
    "DDDDDDDDDDD",
    "DDDDDDDDSDD",
    "SSDDDDDDSSD",
    "SSSSDDDDSSD",
    "SSSSSSDDSSS",
    "SSSSSSSSSSS",
    "SSSSSSSSSSS",
    "SSSSSSSSSSS",
)

PUNTO_BANCO = Game(
    name="punto-banco",
    deal=(Seat.PLAYER, Seat.BANKER, Seat.PLAYER, Seat.BANKER),
    turns=(
        Turn(Seat.PLAYER, rows=PLAYER_ROWS, rule="R-PB-03"),
        Turn(Seat.BANKER, after=(Seat.PLAYER,), rule="R-PB-04", rule_after="R-PB-05", rows=BANKER_ROWS),
    ),
    natural=8,
    most_cards=3,
    sources=Sources(order="R-PB-01", natural="R-PB-02", most_cards="R-PB-11", result="R-PB-10", pair="R-PB-12"),
)
