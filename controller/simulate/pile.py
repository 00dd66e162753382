"""The cards of one shoe as they lie in it, and where each of them went."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from controller.core.cards import DECK, Card


@dataclass(slots=True)
class Pile:
    """A shuffled shoe; ``cards`` is what is still in it, the next one last.

    ``behind_cut`` cards lie behind the cut card. Every card ends in exactly one of the other lists.
    """

    cards: list[Card]
    behind_cut: int
    burnt: list[Card] = field(default_factory=list)
    dealt: list[Card] = field(default_factory=list)
    abandoned: list[Card] = field(default_factory=list)
    withdrawn: list[Card] = field(default_factory=list)
    carried: Card | None = None
    cut_out: bool = False

    @property
    def cut_is_next(self) -> bool:
        """Whether the cut card lies in front."""
        return not self.cut_out and len(self.cards) <= self.behind_cut

    def draw(self) -> Card:
        """Take the next card out; the caller has taken the cut card out before."""
        return self.cards.pop()

    def put_away(self) -> None:
        """End the shoe: a card kept for a hand that never came is taken out."""
        if self.carried is not None:
            self.withdrawn.append(self.carried)
            self.carried = None

    def counts(self) -> dict[str, int]:
        """Return how many cards went where; they add up to the whole shoe once it was put away."""
        return {
            "dealt": len(self.dealt),
            "abandoned": len(self.abandoned),
            "burnt": len(self.burnt),
            "withdrawn": len(self.withdrawn),
            "stub": len(self.cards),
        }


def shuffled(decks: int, behind_cut: int, chance: Random) -> Pile:
    """Return a full shoe of this many decks in an order that ``chance`` decides."""
    cards = list(DECK) * decks
    chance.shuffle(cards)
    return Pile(cards, behind_cut)
