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
    """How many cards are burnt after the first burn card (faults.md A 38)."""

    FACE_10 = "face-10"  # its pips, ten and figures count ten
    FACE_0 = "face-0"  # its value, ten and figures count nothing
    DECKS = "decks"  # one for each deck, whatever it is
    FIXED_1 = "fixed-1"  # so many, whatever it is
    FIXED_2 = "fixed-2"
    FIXED_3 = "fixed-3"
    FIXED_4 = "fixed-4"
    FIXED_5 = "fixed-5"
    FIXED_6 = "fixed-6"
    FIXED_7 = "fixed-7"
    FIXED_8 = "fixed-8"
    NONE = "none"  # not checked

    def fixed(self, decks: int) -> int | None:
        """How many cards are burnt whatever the first card is; None where its face says it, or nobody counts.

        >>> Burn.DECKS.fixed(6), Burn.FIXED_4.fixed(6), Burn.FACE_10.fixed(6)
        (6, 4, None)
        """
        if self is Burn.DECKS:
            return decks
        _, _, number = self.value.partition("fixed-")
        return int(number) if number else None


class Closes(Enum):
    """Who closes a complete hand."""

    SHOE = "shoe"  # the shoe's own result
    CONTROLLER = "controller"  # the judged result, as soon as the hand is complete and face up


class NewShoes(Enum):
    """What makes a new shoe out of the shoe's own signs of one."""

    WIRE = "wire"  # the signs themselves
    CONFIRM = "confirm"  # a person; the old roads stay until then


class BetsClosed(Enum):
    """How a table without money knows that bets are closed (faults.md A 25)."""

    OFF = "off"  # not at all: no wire tells of bets
    OPERATOR = "operator"  # by a key; a card drawn before it is an early draw


class VoidMark(Enum):
    """Where the board has a mark of a void hand (faults.md A 33)."""

    NONE = "none"
    BEAD = "bead"  # on the bead plate, where each hand has its place; no other road counts it


class SecondSlide(Enum):
    """Whether a card that was not read may be slid past the reader again (faults.md A 12)."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"  # its face is keyed


class Maintenance(Enum):
    """Whether settings of the shoe have a time in which they may be changed (faults.md A 22)."""

    OFF = "off"  # each change is an alert
    WINDOW = "window"  # not while a supervisor keeps a maintenance window open


class BurnTold(Enum):
    """How a table knows which cards were burnt."""

    SHOE = "shoe"  # the shoe says so
    COUNT = "count"  # it cannot: the first cards of a new shoe are, as many as the first asks for


@dataclass(frozen=True, slots=True)
class House:
    """A house's choices: rules.md C.4 for cut card and burn, design.md for the rest.

    ``hands_after_cut`` hands may still begin after the cut card showed. ``remedies`` and ``decides`` go by the id of
    the irregularity: where one is absent its source's own remedies hold, and a supervisor decides. ``reasons`` are
    offered for a correction or a new shoe, ``reason_needed`` says for which of the two one must be given.
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
    void_mark: VoidMark = VoidMark.NONE
    bets_closed: BetsClosed = BetsClosed.OFF
    second_slide: SecondSlide = SecondSlide.ALLOWED
    early_read_ms: int = 0  # behind a half-drawn card; 0 is not watched
    maintenance: Maintenance = Maintenance.OFF
    reasons: tuple[str, ...] = ()
    reason_needed: tuple[str, ...] = ()
    money: Terms = NO_MONEY

    @property
    def situations(self) -> dict[str, Situation]:
        """The irregularities that this game knows, by id."""
        return OF_PEOPLE if self.game.asks_taker else OF_THE_TABLE

    @property
    def possible(self) -> tuple[Situation, ...]:
        """The irregularities that a hand of this game can have, by its seats."""
        seats = set(self.game.seats)
        return tuple(one for one in self.situations.values() if seats.issuperset(one.seats))

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
