"""Punto banco told a second time, flat, from the printed rules (rules.md C.1). Imports nothing from the project.

Cards are values 0..9. Faults are (kind, seat, rule).
"""

from __future__ import annotations

Fault = tuple[str, str | None, str | None]


def point(cards: list[int]) -> int:
    return sum(cards) % 10


def player_draws(p: int) -> bool:
    """R-PB-03."""
    return p <= 5


def banker_draws(b: int, third: int | None) -> bool:
    """R-PB-04 while Player has no third card, R-PB-05 after it."""
    if third is None:
        return b <= 5
    return (
        b <= 2
        or (b == 3 and third != 8)
        or (b == 4 and 2 <= third <= 7)
        or (b == 5 and 4 <= third <= 7)
        or (b == 6 and third in (6, 7))
    )


def winner(player: list[int], banker: list[int]) -> str:
    """R-PB-10."""
    p, b = point(player), point(banker)
    return "player" if p > b else "banker" if b > p else "tie"


def sort_of(values: list[int]) -> str:
    """Say what a coup that used exactly these cards, in shoe order, is.

    "lawful"; "too many": a card came after the end; "too few": closed while Banker owed a card;
    "unfinished": closed before Player's card.
    """
    p, b = point([values[0], values[2]]), point([values[1], values[3]])
    need = 4
    third = None
    if p < 8 and b < 8:
        if player_draws(p):
            if len(values) == 4:
                return "unfinished"
            third = values[4]
            need = 5
        if banker_draws(b, third):
            need += 1
    if len(values) > need:
        return "too many"
    return "lawful" if len(values) == need else "too few"


def seated(values: list[int]) -> tuple[list[int], list[int]]:
    """Lay a lawful coup on the felt: R-PB-01, then third cards to whoever draws."""
    player, banker = [values[0], values[2]], [values[1], values[3]]
    rest = list(values[4:])
    if rest and player_draws(point(player)):
        player.append(rest.pop(0))
    return player, banker + rest


def faults(player: list[int], banker: list[int]) -> list[Fault]:
    """List what is wrong with the cards of two seats of two or three cards each, in the order of proof."""
    p, b = point(player[:2]), point(banker[:2])
    p_third = player[2] if len(player) > 2 else None
    b_third = len(banker) > 2
    if p >= 8 or b >= 8:
        found: list[Fault] = []
        if p_third is not None:
            found.append(("player-false-draw", "player", "R-PB-02"))
        if b_third:
            found.append(("banker-false-draw", "banker", "R-PB-02"))
        return found
    found = []
    if player_draws(p) and p_third is None:
        found.append(("player-missed-draw", "player", "R-PB-03"))
    if not player_draws(p) and p_third is not None:
        found.append(("player-false-draw", "player", "R-PB-03"))
    rule = "R-PB-04" if p_third is None else "R-PB-05"
    if banker_draws(b, p_third) and not b_third:
        found.append(("banker-missed-draw", "banker", rule))
    if not banker_draws(b, p_third) and b_third:
        found.append(("banker-false-draw", "banker", rule))
    return found


def counting(player: list[int], banker: list[int]) -> tuple[list[int], list[int]]:
    """Keep only the cards that the rules ask for."""
    p, b = point(player[:2]), point(banker[:2])
    if p >= 8 or b >= 8:
        return player[:2], banker[:2]
    kept_player = player[:3] if player_draws(p) else player[:2]
    third = kept_player[2] if len(kept_player) > 2 else None
    return kept_player, banker[:3] if banker_draws(b, third) else banker[:2]
