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

    def over(self, seats: tuple[str, ...], held: tuple[Cell, ...], decks: int) -> tuple[str, ...]:
        """Count the cards of a hand; return the seats that hold a copy more than ``decks`` decks have."""
        copies, seen = self.copies, self.copies.get
        over: tuple[str, ...] = ()
        for place, cell in enumerate(held):
            for face in cell.faces:
                copies[face] = count = seen(face, 0) + 1
                if count > decks and seats[place] not in over:
                    over += (seats[place],)
        return over


class ShoesSeen(dict[str, ShoeSeen]):
    """Shoes by the text of their cell; an empty cell is shoe 1."""

    def __missing__(self, text: str) -> ShoeSeen:
        name = text.strip() or DEFAULT_SHOE
        if name == text:
            return self.setdefault(text, ShoeSeen(compact(name)))
        return self.setdefault(text, self[name])
