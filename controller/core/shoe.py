"""The shoe: what left it, in which order, and how far it is from its end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from typing import Any

from transitions import EventData

from controller.core.cards import Card, Rank
from controller.core.lean import LeanMachine
from controller.core.profile import Burn, House

DECK_SIZE = 52
ORDER_WINDOW = 20  # cards from the start that are looked at for factory order (faults.md A 40)
SUCCESSORS_ONE_WAY = 5  # of 20 cards: chance 2.5e-5
SUCCESSORS_EITHER_WAY = 6  # of 20 cards: chance 5.8e-5


class Stage(Enum):
    """The life of a shoe."""

    LOADED = "loaded"
    IN_PLAY = "in-play"
    CUT_CARD_OUT = "cut-card-out"
    LAST_HAND = "last-hand"
    FINISHED = "finished"


def none_left(event: EventData) -> bool:
    """No hand may begin any more."""
    left: int = event.kwargs["hands_left"]
    return left <= 0


def one_left(event: EventData) -> bool:
    """One hand may begin."""
    left: int = event.kwargs["hands_left"]
    return left == 1


L, P, C, T, F = Stage.LOADED, Stage.IN_PLAY, Stage.CUT_CARD_OUT, Stage.LAST_HAND, Stage.FINISHED
# Total: every stage answers every trigger. `counted` falls after a hand, or at a cut card between hands.
STAGES: tuple[tuple[str, Stage, Stage, tuple[Any, ...]], ...] = (
    ("begun", L, P, ()),
    *(("begun", stage, stage, ()) for stage in (P, C, T, F)),
    ("cut", L, C, ()),
    ("cut", P, C, ()),
    *(("cut", stage, stage, ()) for stage in (C, T, F)),
    ("counted", C, F, (none_left,)),
    ("counted", C, T, (one_left,)),
    ("counted", C, C, ()),
    ("counted", T, F, (none_left,)),
    ("counted", T, T, ()),
    *(("counted", stage, stage, ()) for stage in (L, P, F)),
    *(("ended", stage, F, ()) for stage in Stage),
)


class _Cursor:
    state: Stage


@dataclass
class Shoe:
    """One shoe of a table. ``faces`` holds every card that left it, in order; None where the face is not known."""

    number: int
    house: House
    faces: list[Card | None] = field(default_factory=list)
    counts: Counter[Card] = field(default_factory=Counter)
    burnt: int = 0
    burn_asked: int | None = None
    off_game: int = 0
    cut_seen: bool = False
    openings: int = 0
    numbered: int = 0
    hands_left: int = 0
    order_alarmed: bool = False
    last_off_game: int | None = None
    closed: bool = False
    serial: str = ""
    blind: int = 0  # hands of which nobody knows the cards
    unheard: int = 0  # cards that its own count told of and no message; they stand in ``faces``
    doubtful: int = 0  # messages that were lost, each of them perhaps a card that is not counted
    _cursor: _Cursor = field(default_factory=_Cursor)

    def __post_init__(self) -> None:
        self._machine = LeanMachine(
            self._cursor,
            states=Stage,
            initial=Stage.LOADED,
            transitions=[
                {"trigger": trigger, "source": source, "dest": dest, "conditions": list(guards)}
                for trigger, source, dest, guards in STAGES
            ],
            auto_transitions=False,
            send_event=True,
        )

    @property
    def stage(self) -> Stage:
        """Where the shoe is in its life."""
        return self._cursor.state

    def resume(self, stage: Stage) -> None:
        """Stand in a stage that was reached before."""
        self._machine.set_state(stage, self._cursor)

    @property
    def begun(self) -> bool:
        """Whether what was loaded before has left it in part, so that a first burn card is that of the next shoe."""
        return bool(self.openings or self.burn_asked is not None or self.unheard)

    @property
    def size(self) -> int:
        """How many cards a full shoe has."""
        return DECK_SIZE * self.house.decks

    @property
    def left(self) -> int:
        """How many cards are still to come, if none went missing and none was put in."""
        return max(0, self.size - len(self.faces))

    @property
    def over(self) -> int:
        """How many cards more came out than the shoe holds: nothing that is counted of it is proved then."""
        return max(0, len(self.faces) - self.size)

    @property
    def unknown(self) -> int:
        """How many cards left without a full face."""
        return len(self.faces) - self.counts.total()

    def _fire(self, trigger: str) -> None:
        moved = self._machine.events[trigger].trigger(self._cursor, hands_left=self.hands_left)
        assert moved is True, f"{trigger} in {self.stage}"

    def take(self, card: Card | None) -> int:
        """Count one card out and return its place, from 0."""
        self.faces.append(None)
        place = len(self.faces) - 1
        self.identify(place, card)
        return place

    def miss(self, cards: int) -> tuple[int, ...]:
        """Count cards out that nobody heard of and return their places; beyond what it holds one says enough."""
        missed = tuple(self.take(None) for _ in range(min(cards, self.left + 1)))
        self.unheard += len(missed)
        return missed

    def identify(self, place: int, card: Card | None) -> None:
        """Say which card left at this place; a later word replaces an earlier one."""
        old = self.faces[place]
        if old is not None and old.suit is not None:
            self.counts[old] -= 1
        self.faces[place] = card
        if card is not None and card.suit is not None:
            self.counts[card] += 1

    def copies(self, card: Card) -> tuple[int, ...]:
        """The places, from 1, of all copies of a face."""
        return tuple(place for place, face in enumerate(self.faces, 1) if face == card)

    def impossible(self, card: Card | None) -> bool:
        """Whether more copies of this face left the shoe than it can hold (faults.md A 39)."""
        return card is not None and self.counts[card] > self.house.decks

    def burn_first(self, card: Card | None) -> None:
        """Take the card that sets how many are burnt."""
        self.take(card)
        self.burn_asked = asked(self.house, card)

    def burn(self, card: Card | None) -> None:
        """Take one burnt card."""
        self.take(card)
        self.burnt += 1

    def burn_short(self) -> int:
        """How many burns are missing; negative for too many, 0 where it is not checked."""
        return 0 if self.burn_asked is None else self.burn_asked - self.burnt

    def begin_hand(self) -> None:
        """A hand opens."""
        self.openings += 1
        self.hands_left -= self.cut_seen
        self._fire("begun")

    def unbegin_hand(self) -> None:
        """A hand opened with cards of the one before: it is none of those that may follow the cut card."""
        self.hands_left += self.cut_seen and self.hands_left < self.house.hands_after_cut

    def end_hand(self) -> None:
        """A hand is over."""
        self._fire("counted")

    def cut(self) -> None:
        """The cut card showed; ``hands_left`` counts the hands that may still begin."""
        if not self.cut_seen:
            self.cut_seen = True
            self.hands_left = self.house.hands_after_cut
        self._fire("cut")

    def end(self) -> None:
        """No more hands from this shoe."""
        self._fire("ended")

    @property
    def at_its_start(self) -> bool:
        """Whether the first cards may still be becoming known: hidden faces come with the hand's end."""
        return len(self.faces) <= ORDER_WINDOW + self.house.game.most_out

    def in_factory_order(self) -> bool:
        """Whether the first cards follow each other far more often than chance (faults.md A 40)."""
        up = down = 0
        for first, second in pairwise(self.faces[:ORDER_WINDOW]):
            if first and second and first.suit is second.suit and first.rank and second.rank:
                step = (second.rank - first.rank) % len(Rank)
                up += step == 1
                down += step == len(Rank) - 1
        return max(up, down) >= SUCCESSORS_ONE_WAY or up + down >= SUCCESSORS_EITHER_WAY


def asked(house: House, card: Card | None) -> int | None:
    """How many cards are burnt after the first; None where its face says it and is not known, or nobody counts.

    >>> asked(House(), Card.parse("KD"))
    10
    """
    burn = house.burn
    fixed = burn.fixed(house.decks)
    if fixed is not None or card is None or burn is Burn.NONE:
        return fixed
    if burn is Burn.FACE_10 and card.points == 0:
        return 10
    return card.points
