"""What must come out of an evening, from its felt alone: hands, counts and roads. Imports nothing under test."""

from __future__ import annotations

from tests.browser.evening import AFTERNOON, BEFORE, EVENING, HANDS, Hand
from tests.simulate.oracle import lawful, pairs, points, winner

LETTER = {"player": "P", "banker": "B", "tie": "T"}
ROWS = 6
DERIVED = {"big-eye": 1, "small": 2, "cockroach": 3}


def felt(hand: Hand) -> tuple[list[str], list[str]]:
    """The faces of Player and Banker as they lie."""
    faces = hand.faces.split()
    if not hand.spots:
        return lawful(faces)
    spots = hand.spots.split()
    return tuple([face for face, spot in zip(faces, spots, strict=True) if spot[0] == seat] for seat in "PB")


def wire_spots(hand: Hand) -> list[str]:
    """The spots as a shoe names them that follows the rules."""
    player, _ = lawful(hand.faces.split())
    thirds = (["P3", "B3"] if len(player) > 2 else ["B3"])[: len(hand.faces.split()) - 4]
    return ["P1", "B1", "P2", "B2", *thirds]


def pairs_of(hand: Hand) -> str:
    return pairs(*felt(hand))


def sound(hand: Hand) -> bool:
    """Whether the felt gives the result that stands."""
    return winner(*felt(hand)) == hand.result


def audit_lines() -> list[dict]:
    """The hands of both shoes as an audit must give them."""
    return [line(shoe, number, hand) for shoe, hands in SHOES.items() for number, hand in enumerate(hands, 1)]


def line(shoe: int, number: int, hand: Hand) -> dict:
    player, banker = ([], []) if hand.blind else felt(hand)
    return {
        "shoe": str(shoe),
        "hand": number,
        "player": player,
        "banker": banker,
        "result": None if hand.blind else hand.result,
        "recorded": hand.result,
        "kinds": [*hand.found],
    }


def counts() -> dict[str, int]:
    """What the board counts after the evening; nobody knows pairs and naturals of hands that nobody saw."""
    seen = [hand for hand in HANDS if not hand.blind]
    held = [pairs_of(hand) for hand in seen]
    return {
        "hand": len(HANDS),
        **{name: sum(hand.result == name for hand in HANDS) for name in ("banker", "player", "tie")},
        "banker-pair": sum(one in ("banker", "both") for one in held),
        "player-pair": sum(one in ("player", "both") for one in held),
        "natural": sum(natural(hand) for hand in seen),
    }


def natural(hand: Hand) -> bool:
    player, banker = felt(hand)
    return max(points(player[:2]), points(banker[:2])) >= 8


def beads() -> str:
    return "".join(LETTER[hand.result] for hand in HANDS)


def columns(results: str) -> list[str]:
    """The streaks of a shoe, ties left out."""
    streaks: list[str] = []
    for mark in results.replace("T", ""):
        if streaks and streaks[-1][0] == mark:
            streaks[-1] += mark
        else:
            streaks.append(mark)
    return streaks


def laid(streaks: list[str]) -> set[tuple[int, int, str]]:
    """Streaks on six rows: down while there is room, then to the right (the dragon's tail)."""
    cells: dict[tuple[int, int], str] = {}
    for start, streak in enumerate(streaks):
        column, row, turned = start, 0, False
        while (column, 0) in cells:
            column += 1
        for mark in streak:
            cells[column, row] = mark
            turned = turned or row + 1 == ROWS or (column, row + 1) in cells
            column, row = (column + 1, row) if turned else (column, row + 1)
    return {(column, row, mark) for (column, row), mark in cells.items()}


def derived(streaks: list[str], back: int) -> str:
    """The marks of a derived road, R or B, in order: are the columns alike?"""
    marks = ""
    for column, streak in enumerate(streaks):
        for row in range(len(streak)):
            if column < back or (column == back and row == 0):
                continue
            if row == 0:
                alike = len(streaks[column - 1]) == len(streaks[column - 1 - back])
            else:
                alike = len(streaks[column - back]) != row
            marks += "R" if alike else "B"
    return marks


def roads() -> dict[str, set[tuple[int, int, str]]]:
    streaks = columns(beads())
    bead = {(place // ROWS, place % ROWS, mark) for place, mark in enumerate(beads())}
    return {"bead": bead, "big": laid(streaks)} | {
        name: laid(columns(derived(streaks, back))) for name, back in DERIVED.items()
    }


SHOES = {BEFORE: AFTERNOON, EVENING: HANDS}
