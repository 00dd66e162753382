"""One hand, flat: its cards in drawing order and what they prove. Imports nothing from the project.

Cards are texts such as "KD", None while the face is not known; seats are "player" and "banker".
"""

from __future__ import annotations

from typing import Any

from tests.oracle import punto_banco as oracle

DEAL = [("player", 1), ("banker", 1), ("player", 2), ("banker", 2)]
SPOTS = [*DEAL, ("player", 3), ("banker", 3)]
VALUES = {rank: place for place, rank in enumerate("A23456789", 1)}


def value(face: str) -> int:
    return VALUES.get(face[0], 0)


class Hand:
    def __init__(self, number: int) -> None:
        self.number = number
        self.cards: list[dict[str, Any]] = []
        self.wrong: list[tuple[str, str | None, str | None]] = []
        self.seen: set[tuple[str, str | None]] = set()
        self.problems: set[tuple[str, str | None]] = set()
        self.called: str | None = None

    def faces(self, seat: str) -> list[str | None]:
        return [card["face"] for card in self.cards if card["seat"] == seat]

    def has(self, spot: tuple[str, int]) -> bool:
        return any((card["seat"], card["index"]) == spot for card in self.cards)

    def values(self, seat: str) -> list[int | None]:
        return [None if face is None else value(face) for face in self.faces(seat)]

    def put(self, card: dict[str, Any]) -> None:
        """In drawing order, so that a card heard of late lies where it was drawn."""
        self.cards.append(card)
        self.cards.sort(key=lambda card: SPOTS.index((card["seat"], card["index"])))

    def proved(self, *, final: bool) -> list[tuple[str, str | None, str | None]]:
        """What the known faces prove; a missed draw only once a later card or the result came."""
        player, banker = self.values("player"), self.values("banker")
        if len(player) < 2 or len(banker) < 2:
            return []
        naturals = [None not in cards[:2] and oracle.point(cards[:2]) >= 8 for cards in (player, banker)]
        if any(naturals):
            thirds = [("player", player), ("banker", banker)]
            return [(f"{seat}-false-draw", seat, "R-PB-02") for seat, cards in thirds if len(cards) > 2]
        if None in player[:2] or None in banker[:2]:
            return []
        faults = oracle.faults(player, banker)
        if len(player) > 2 and player[2] is None:
            faults = [fault for fault in oracle.faults([*player[:2], 0], banker) if fault[1] == "player"]
        if final:
            return faults
        return [
            fault
            for fault in faults
            if "missed" not in fault[0] or (fault[0] == "player-missed-draw" and len(banker) > 2)
        ]

    def result(self) -> str | None:
        player, banker = self.values("player"), self.values("banker")
        if len(player) < 2 or len(banker) < 2 or None in player + banker:
            return None
        return oracle.winner(player, banker)

    def pairs(self) -> dict[str, bool | None]:
        firsts = {seat: self.faces(seat)[:2] for seat in ("player", "banker")}
        known = {seat: len(two) == 2 and None not in two for seat, two in firsts.items()}
        return {seat: two[0][0] == two[1][0] if known[seat] else None for seat, two in firsts.items()}
