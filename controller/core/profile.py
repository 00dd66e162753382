"""What a house has chosen for a table, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.core.games import PUNTO_BANCO, Game
from controller.core.inputs import Sanction
from controller.core.remedies.situations import OF_PEOPLE, OF_THE_TABLE, Remedy, Situation


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


@dataclass(frozen=True, slots=True)
class House:
    """A house's choices: rules.md C.4 for cut card and burn, design.md for the rest.

    ``hands_after_cut`` hands may still begin after the cut card showed.
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
    remedies: tuple[tuple[str, tuple[Remedy, ...]], ...] = ()  # by id of the irregularity; absent: its source's own
    sanctions: tuple[Sanction, ...] = ()
    new_shoe: NewShoes = NewShoes.CONFIRM

    @property
    def situations(self) -> dict[str, Situation]:
        """The irregularities that this game knows, by id."""
        return OF_PEOPLE if self.game.asks_taker else OF_THE_TABLE

    def allowed(self, situation: Situation) -> tuple[Remedy, ...]:
        """Return the remedies of this house for an irregularity, the preferred one first (rules.md 1.6)."""
        return dict(self.remedies).get(situation.id, situation.remedies)
