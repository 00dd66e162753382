"""An evening as it was asked for: its cards and keys at a table's pace, its truth, and the file of its keys."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import Any

from controller.core.inputs import Command
from controller.core.signals import CardDrawn
from controller.simulate.coups.shoes import Evening, Shoe, next_shoe, shoes
from controller.simulate.coups.truth import Truth
from controller.simulate.pace import BETTING_S, WAITS_S
from controller.simulate.script import KeyStep
from controller.sources.keys import keys_line
from drivers.emulators.script import Step

Tell = Callable[[str], object]
KEY_S = (0.5, 1.5)


@dataclass(slots=True)
class Tally:
    """What a truth file ends with."""

    labels: Counter[str] = field(default_factory=Counter)
    keys: Counter[int] = field(default_factory=Counter)
    cards: dict[str, dict[str, int]] = field(default_factory=dict)

    def take(self, truth: Truth) -> None:
        """Count one coup."""
        self.labels.update(label.value for label in truth.labels)
        self.keys[truth.keys] += 1

    def as_line(self) -> dict[str, Any]:
        """Return the last line of a truth file; ``keys`` are those that the croupier pressed a coup."""
        hands = self.keys.total()
        pressed = sum(keys * count for keys, count in self.keys.items())
        keys = {"most": max(self.keys, default=0), "mean": round(pressed / hands, 3) if hands else 0}
        labels = dict(sorted(self.labels.items()))
        return {"summary": {"hands": hands, "keys": keys, "labels": labels, "cards": self.cards}}


@dataclass(frozen=True, slots=True)
class Coups:
    """So many seeded shoes of an evening, each with at most so many coups (None: until the shoe ends)."""

    evening: Evening
    seed: int
    shoes: int = 1
    hands: int | None = None

    def steps(self, tell: Tell | None = None) -> Iterator[Step | KeyStep]:
        """Deal at true pace; ``tell`` gets the truth in JSON lines as the coups are dealt, a summary last."""
        tally, chance = Tally(), Random(f"{self.seed}/pace")  # noqa: S311 - repeatable
        for shoe in islice(shoes(self.evening, self.seed), self.shoes):
            if shoe.number > 1:
                yield KeyStep(next_shoe(shoe.number), _wait(KEY_S, chance))
            yield from self._coups(shoe, tally, tell, chance)
            tally.cards[str(shoe.number)] = shoe.pile.counts()
        if tell:
            tell(json.dumps(tally.as_line()))

    def _coups(self, shoe: Shoe, tally: Tally, tell: Tell | None, chance: Random) -> Iterator[Step | KeyStep]:
        for played in shoe.coups(self.hands):
            tally.take(played.truth)
            if tell:
                tell(json.dumps(played.truth.as_line()))
            span = BETTING_S
            for event in played.events:
                yield _step(event, span, chance)
                span = WAITS_S[CardDrawn]


def _step(event: CardDrawn | Command, span: tuple[float, float], chance: Random) -> Step | KeyStep:
    if isinstance(event, CardDrawn):
        return Step(event, _wait(span, chance))
    return KeyStep(event, _wait(KEY_S, chance))


def _wait(span: tuple[float, float], chance: Random) -> float:
    return round(chance.uniform(*span), 3)


def without_keys(
    steps: Iterable[Step | KeyStep], tell: Tell | None = None, heard: Callable[[], int] | None = None
) -> Iterator[Step]:
    """Pass the cards on; ``tell`` gets each key as a line of a keys file.

    ``heard`` says how many cards a reader of damaged bytes has heard so far: the keys then stand after those, and mean
    the hand that is open to that reader. A key before the first such card is left out.
    """
    cards, waited_s = 0, 0.0
    for step in steps:
        waited_s += step.wait_s
        if isinstance(step, KeyStep):
            if tell and heard is None:
                tell(keys_line(cards, step.command))
            elif tell and heard and (after := heard()):
                tell(keys_line(after, replace(step.command, hand="")))
            continue
        cards += isinstance(step.signal, CardDrawn)
        yield Step(step.signal, round(waited_s, 3))
        waited_s = 0.0
