"""What a house has chosen for a table, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.core.bank import Terms
from controller.core.games import PUNTO_BANCO, Game
from controller.core.inputs import Post, Sanction
from controller.core.remedies.situations import OF_PEOPLE, OF_THE_TABLE, Remedy, Situation

NO_MONEY = Terms()


class Deal(Enum):
    """Whether players see the faces as the cards are dealt."""

    FACE_UP = "face_up"
    FACE_DOWN = "face_down"


class Burn(Enum):
    """How many cards the first burn card asks for (faults.md A 38)."""

    FACE_10 = "face-10"  # its pips, ten and figures count ten
    FACE_0 = "face-0"  # its value, ten and figures count nothing
    NONE = "none"  # not checked


class Closes(Enum):
    """Who closes a complete hand."""

    SHOE = "shoe"  # the shoe's own result
    CONTROLLER = "controller"  # the judged result, as soon as the hand is complete and face up


class NewShoes(Enum):
    """What makes a new shoe out of the shoe's own signs of one."""

    WIRE = "wire"  # the signs themselves
    CONFIRM = "confirm"  # a person; the old roads stay until then


class BurnTold(Enum):
    """How a table knows which cards were burnt."""

    SHOE = "shoe"  # the shoe says so
    COUNT = "count"  # it cannot: the first cards of a new shoe are, as many as the first asks for


@dataclass(frozen=True, slots=True)
class House:
    """A house's choices: rules.md C.4 for cut card and burn, design.md for the rest.

    ``hands_after_cut`` hands may still begin after the cut card showed. ``remedies`` and ``decides`` go by the id of
    the irregularity: where one is absent its source's own remedies hold, and a supervisor decides.
    """

    game: Game = PUNTO_BANCO
    decks: int = 8
    deal: Deal = Deal.FACE_DOWN
    hands_after_cut: int = 1
    burn: Burn = Burn.FACE_10
    closes: Closes = Closes.SHOE
    fewest_cards: int = 6
    cut_card_by: int = 14  # cards left by which the cut card must have shown
    silence_s: int = 300
    no_result_s: int = 20
    escalate_s: int = 120
    remedies: tuple[tuple[str, tuple[Remedy, ...]], ...] = ()
    decides: tuple[tuple[str, Post], ...] = ()
    sanctions: tuple[Sanction, ...] = ()
    new_shoe: NewShoes = NewShoes.CONFIRM
    burn_told: BurnTold = BurnTold.SHOE
    money: Terms = NO_MONEY

    @property
    def situations(self) -> dict[str, Situation]:
        """The irregularities that this game knows, by id."""
        return OF_PEOPLE if self.game.asks_taker else OF_THE_TABLE

    def allowed(self, situation: Situation) -> tuple[Remedy, ...]:
        """Return the remedies of this house for an irregularity, the preferred one first (rules.md 1.6)."""
        return dict(self.remedies).get(situation.id, situation.remedies)

    def decider(self, irregularity: str) -> Post:
        """Return who may decide what is done about an irregularity."""
        return dict(self.decides).get(irregularity, Post.SUPERVISOR)

    @property
    def fewest_behind_cut(self) -> int:
        """How deep the cut card must lie so that no hand runs out of cards (rules.md C.4).

        It may show with the first card of a hand: the rest of that hand and all that may still begin lie behind it,
        and no less than what a deal must begin with (rules.md B.6 D9).
        """
        most = self.game.most_out
        return max(most * self.hands_after_cut + most - 1, self.fewest_cards)
