"""Punto banco as a plain fold over faces such as "TS", importing nothing under test (rules.md R-PB-01..12)."""

from __future__ import annotations

VALUE = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(pips): pips for pips in range(2, 10)}
# The Player's third cards on which the Banker draws, by the Banker's two-card total (R-PB-05).
DRAWS_ON = {0: "0123456789", 1: "0123456789", 2: "0123456789", 3: "012345679", 4: "234567", 5: "4567", 6: "67", 7: ""}


def points(cards: list[str]) -> int:
    return sum(VALUE[card[0]] for card in cards) % 10


def lawful(cards: list[str]) -> tuple[list[str], list[str]]:
    """Lay faces in drawing order by the rules; fails unless the hand takes exactly these cards."""
    stock = list(cards)
    first = [stock.pop(0) for _ in range(4)]
    player, banker = [first[0], first[2]], [first[1], first[3]]
    at_first = points(player), points(banker)
    if max(at_first) < 8:
        third = None
        if at_first[0] < 6:
            third = stock.pop(0)
            player.append(third)
        draws = at_first[1] < 6 if third is None else str(VALUE[third[0]]) in DRAWS_ON[at_first[1]]
        if draws:
            banker.append(stock.pop(0))
    assert not stock, f"{cards}: {stock} too many"
    return player, banker


def kinds(player: list[str], banker: list[str]) -> list[str]:
    """What is wrong with a hand in which the Player decided first."""
    p, b = points(player[:2]), points(banker[:2])
    drew, answered = len(player) > 2, len(banker) > 2
    if max(p, b) >= 8:
        due, owed = False, False
    else:
        due = p < 6
        owed = str(VALUE[player[2][0]]) in DRAWS_ON[b] if drew else b < 6
    player_said = {(True, False): ["player-missed-draw"], (False, True): ["player-false-draw"]}.get((due, drew), [])
    banker_said = {(True, False): ["banker-missed-draw"], (False, True): ["banker-false-draw"]}.get(
        (owed, answered), []
    )
    return player_said + banker_said


def winner(player: list[str], banker: list[str]) -> str:
    p, b = points(player), points(banker)
    return "tie" if p == b else "player" if p > b else "banker"


def pairs(player: list[str], banker: list[str]) -> str:
    held = player[0][0] == player[1][0], banker[0][0] == banker[1][0]
    return {(0, 0): "none", (1, 0): "player", (0, 1): "banker", (1, 1): "both"}[held]
