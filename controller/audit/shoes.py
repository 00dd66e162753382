"""What an audit keeps of each shoe of a hand table: its hands, and how often each card was seen."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.audit.cells import Cell
from controller.audit.lines import compact

DEFAULT_SHOE = "1"


@dataclass(slots=True)
class ShoeSeen:
    """One shoe; ``place`` is that of its latest hand, from 1."""

    json: str
    place: int = 0
    hands: set[int] = field(default_factory=set)
    copies: dict[str, int] = field(default_factory=dict)

    def over(self, cell: Cell, decks: int) -> bool:
        """Count the cards of a seat; say whether one of them is a copy more than ``decks`` decks hold."""
        copies = self.copies
        most = 0
        for face in cell.faces:
            copies[face] = count = copies.get(face, 0) + 1
            most = max(most, count)
        return most > decks


class ShoesSeen(dict[str, ShoeSeen]):
    """Shoes by the text of their cell; an empty cell is shoe 1."""

    def __missing__(self, text: str) -> ShoeSeen:
        name = text.strip() or DEFAULT_SHOE
        if name == text:
            return self.setdefault(text, ShoeSeen(compact(name)))
        return self.setdefault(text, self[name])
