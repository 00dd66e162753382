"""One hand followed through its shoe: where and what each card was said to be, when, and by whom."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from controller.core.cards import Card
from controller.core.facts import Fact, FactName, HandLine
from controller.core.hand import Hand, Laid, Spot
from controller.core.inputs import Command, Input, Moment
from controller.core.reasons import reason_of

VERDICTS = frozenset({FactName.HAND_COMPLETED, FactName.HAND_VOIDED, FactName.HAND_CORRECTED})


@dataclass(frozen=True, slots=True)
class Earlier:
    """What was said of a card before it was corrected: face and spot, until when, and who changed it."""

    spot: Spot
    card: Card | None
    exposed: bool
    at: Moment
    by: str


@dataclass(slots=True)
class CardTrack:
    """A card by its place in the shoe; ``gone`` once it was said not to lie in this hand."""

    laid: Laid
    drawn: Moment
    shown: Moment | None = None
    earlier: list[Earlier] = field(default_factory=list)
    gone: bool = False

    def follow(self, laid: Laid, item: Input) -> None:
        """Take a newer value."""
        was = self.laid
        moved = was.spot != laid.spot and was.seat is not None
        faced = was.card is not None and was.card != laid.card
        if moved or faced:
            self.earlier.append(Earlier(was.spot, was.card, was.exposed, item.at, item.by))
        if self.shown is None and laid.exposed and (laid.card is not None or laid.unread):
            self.shown = item.at
        self.laid = laid


@dataclass(frozen=True, slots=True)
class Verdict:
    """A result as it was closed or corrected: ``outcome`` player, banker, tie, or None for a void hand."""

    outcome: str | None
    void: bool
    at: Moment
    by: str
    line: HandLine
    reason: str = ""  # why a person closed or corrected it so, as that person wrote it


@dataclass(slots=True)
class Track:
    """A hand: its newest value, its cards by place, its verdicts in order (the last one counts)."""

    hand: Hand
    cards: dict[int, CardTrack] = field(default_factory=dict)
    verdicts: list[Verdict] = field(default_factory=list)
    opened: Moment = field(default_factory=Moment)
    abandoned: bool = False
    _followed: Hand | None = None

    @property
    def closed(self) -> bool:
        """Whether the hand has ended."""
        return bool(self.verdicts) or self.abandoned

    @property
    def secret(self) -> bool:
        """Whether a face of it is known that players have not seen: only surveillance may see that."""
        return any(laid.card is not None and not laid.exposed for laid in self.hand.laid)

    def follow(self, hand: Hand, item: Input) -> None:
        """Take a newer value of the hand."""
        if hand is self._followed:
            return
        if self._followed is None:
            self.opened = item.at
        self.hand = self._followed = hand
        lying = {laid.place: laid for laid in hand.laid}
        for place, laid in lying.items():
            if place not in self.cards:
                self.cards[place] = CardTrack(laid, item.at, item.at if laid.exposed and laid.card else None)
            self.cards[place].follow(laid, item)
        for place, card in self.cards.items():
            if place not in lying and not card.gone:
                card.earlier.append(Earlier(card.laid.spot, card.laid.card, card.laid.exposed, item.at, item.by))
            card.gone = place not in lying

    def told(self, item: Input, facts: Iterable[Fact]) -> None:
        """Take the facts of an input: how the hand ended, and who ended it where a person did."""
        for fact in facts:
            if fact.hand != self.hand.number:
                continue
            if fact.name in VERDICTS:
                self._end(fact.name, dict(fact.data), item)

    def _end(self, name: FactName, data: dict[str, Any], item: Input) -> None:
        line: HandLine = data["line"]
        void = name is FactName.HAND_VOIDED or bool(data.get("void"))
        outcome = None if void else line.recorded or (line.result.value if line.result else None)
        asked = item.what if isinstance(item.what, Command) else None
        person, reason = (item.by, reason_of(asked)) if asked else ("", "")
        self.verdicts.append(Verdict(outcome, void, item.at, person, line, reason))
        if name is FactName.HAND_COMPLETED and self.secret:
            self.hand = self.hand.exposed()  # closed in a later shoe, which kept no record of it
