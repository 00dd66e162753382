"""A table, and short words for what a shoe says and a person asks: `P1:KS` is a card drawn for Player's first spot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller.core.cards import Card, Seat
from controller.core.engine import Table
from controller.core.facts import Audience, Fact
from controller.core.inputs import Accept, Command, Elapsed, Input, Moment, Timer
from controller.core.profile import Deal, House, NewShoes
from controller.core.showing import public_view
from controller.core.signals import (
    BurnCardDrawn,
    Call,
    CardCarried,
    CardDrawn,
    CardShown,
    Identifies,
    Pairs,
    ResultCalled,
    StoodBy,
)
from controller.core.views import PitView, PublicView, SurveillanceView
from controller.core.watching import pit_view, surveillance_view
from controller.core.words import fact_dict

SEATS = {"P": Seat.PLAYER, "B": Seat.BANKER}
P, B = Seat.PLAYER, Seat.BANKER

# Lawful hands by the rules of rules.md C.1, worked out on paper; each with its result and no pair.
BANKER_WINS = "P1:2S B1:3H P2:4C B2:5D"  # 6 stands, natural 8
PLAYER_WINS = "P1:9S B1:2H P2:KC B2:4D"  # natural 9 against 6
TIE_OF_SIX = "P1:2C B1:KH P2:4H B2:6D"  # both stand on 6
SIX_CARDS = "P1:2D B1:AH P2:3C B2:2D P3:4S B3:5C"  # Player 5 draws to 9; Banker 3 draws on a 4, to 8


def spot(token: str) -> tuple[Seat, int, Card | None]:
    where, _, face = token.partition(":")
    return SEATS[where[0]], int(where[1:]), Card.parse(face) if face else None


def drawn(text: str) -> list[CardDrawn]:
    return [CardDrawn(*spot(token)) for token in text.split()]


def shown(text: str) -> list[CardShown]:
    return [CardShown(*spot(token)) for token in text.split()]


def result(text: str, pairs: Pairs | None = Pairs.NONE) -> ResultCalled:
    return ResultCalled(Call(text), pairs)


class Felt:
    """One table with all facts it told; ``at`` counts a second for each input."""

    def __init__(self, *, deal: Deal = Deal.FACE_UP, identifies: Identifies = Identifies.EITHER, **choices: Any):
        house = replace(House(deal=deal, new_shoe=NewShoes.WIRE), **choices)
        self.table = Table(house, identifies=identifies)
        self.facts: list[Fact] = []
        self.inputs: list[Input] = []

    def put(self, item: Input) -> tuple[Fact, ...]:
        facts = self.table.apply(item)
        self.inputs.append(item)
        self.facts += facts
        return facts

    @property
    def now(self) -> Moment:
        return Moment(len(self.inputs) * 1_000_000_000, len(self.inputs))

    def say(self, *signals: Any) -> list[dict[str, Any]]:
        return [fact_dict(fact) for signal in signals for fact in self.put(Input(signal, self.now))]

    def draw(self, text: str) -> list[dict[str, Any]]:
        return self.say(*drawn(text))

    def show(self, text: str) -> list[dict[str, Any]]:
        return self.say(*shown(text))

    def carry(self, token: str) -> list[dict[str, Any]]:
        return self.say(CardCarried(*spot(token)))

    def call(self, text: str, pairs: Pairs | None = Pairs.NONE) -> list[dict[str, Any]]:
        return self.say(result(text, pairs))

    def hand(self, text: str, call: str, pairs: Pairs | None = Pairs.NONE) -> list[dict[str, Any]]:
        return self.draw(text) + self.call(call, pairs)

    def burn(self, first: str, others: int) -> None:
        self.say(BurnCardDrawn(sets_count=True, left=others, card=Card.parse(first)))
        self.say(*(BurnCardDrawn(sets_count=False, left=others - n - 1, card=None) for n in range(others)))

    def stand_by(self) -> list[dict[str, Any]]:
        return self.say(StoodBy())

    def run_out(self, timer: Timer) -> list[dict[str, Any]]:
        return [fact_dict(fact) for fact in self.put(Input(Elapsed(timer), self.now, "timer"))]

    def ask(
        self, act: Any, hand: str | None = None, *, ident: str = "", by: str = "staff:1042"
    ) -> list[dict[str, Any]]:
        """Ask for an act on the open hand unless another is named."""
        ref = hand if hand is not None else self.table.hand.ref if self.table.hand else ""
        item = Input(Command(ident or f"c{len(self.inputs)}", act, ref), self.now, by)
        return [fact_dict(fact) for fact in self.put(item)]

    def accept(self, hand: str | None = None) -> list[dict[str, Any]]:
        """Accept all that holds the open hand (or the earlier one named), as the page shows it."""
        earlier = {view.hand_ref: view.holds for view in self.view.unsettled}
        holds = earlier.get(hand or "", self.view.holds)
        return self.ask(Accept(tuple(hold.id for hold in holds)), hand)

    @property
    def view(self) -> PublicView:
        return public_view(self.table, ident="1", name="Table 1")

    @property
    def pit(self) -> PitView:
        return pit_view(self.table, self.view)

    @property
    def eye(self) -> SurveillanceView:
        return surveillance_view(self.table, self.pit)

    @property
    def holds(self) -> list[str]:
        return [hold.id for hold in self.view.holds]

    @property
    def incidents(self) -> list[str]:
        said = (one for view in self.pit.incidents for one in (view.sentence, *view.more))
        return [one.id.removeprefix("incident.") for one in said]

    @property
    def results(self) -> list[str | None]:
        return [view.call.value if view.call else None for view in self.view.results]

    @property
    def out(self) -> int:
        return self.eye.out

    def told(self, name: str) -> list[dict[str, Any]]:
        return [fact_dict(fact) for fact in self.facts if fact.name.value == name]

    def line(self) -> dict[str, Any]:
        """The last hand that was completed, as an audit line."""
        return self.told("HandCompleted")[-1]

    def below(self, audience: Audience) -> list[Fact]:
        """What those see who see less than this audience."""
        return [fact for fact in self.facts if fact.audience.value < audience.value]


def kinds(line: dict[str, Any]) -> list[tuple[str, str | None, str | None]]:
    return [(found["kind"], found["seat"], found["rule"]) for found in line["irregularities"]]


def names(facts: list[dict[str, Any]]) -> list[str]:
    return [fact["fact"] for fact in facts]
