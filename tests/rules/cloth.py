"""A table of an old game with a card-only shoe: cards by the wire, everything else by the croupier's keys."""

from __future__ import annotations

from typing import Any

from controller.core.cards import Card, Seat
from controller.core.engine import Table
from controller.core.facts import Fact, FactName
from controller.core.games import GAMES, Game
from controller.core.hand import Hand, Laid
from controller.core.inputs import (
    Accept,
    Act,
    Apply,
    Command,
    Fate,
    Input,
    OpenedNext,
    Placed,
    Relay,
    Sanction,
    Takes,
    Turned,
    Void,
)
from controller.core.profile import Burn, Closes, Deal, House
from controller.core.remedies.situations import Remedy
from controller.core.showing import public_view
from controller.core.signals import CardDrawn, Identifies, LinkOpened, Signal
from controller.core.views import PublicView
from controller.core.words import fact_dict

SEATS = {"P": Seat.PUNTER, "B": Seat.BANKER, "R": Seat.RIGHT, "L": Seat.LEFT, "Y": Seat.PLAYER}


class Cloth:
    """Speaks to one table as shoe and croupier; `keys` counts what the croupier pressed."""

    def __init__(self, game: str | Game, *, decks: int = 6, **house: Any) -> None:
        usual: dict[str, Any] = {"deal": Deal.FACE_DOWN, "closes": Closes.CONTROLLER, "burn": Burn.NONE}
        usual["sanctions"] = tuple(Sanction)
        played = GAMES[game] if isinstance(game, str) else game
        self.name = game if isinstance(game, str) else game.name
        self.table = Table(House(game=played, decks=decks, **(usual | house)), identifies=Identifies.AT_DRAW)
        self.facts: list[Fact] = []
        self.keys = 0
        self.last = Command("k0", Turned())
        self._apply(Input(LinkOpened("test")))

    def _apply(self, item: Input) -> tuple[Fact, ...]:
        facts = self.table.apply(item)
        self.facts += facts
        return facts

    def cards(self, text: str) -> Cloth:
        """Let cards leave the shoe, such as `5C 9S TS`."""
        for word in text.split():
            self._apply(Input(CardDrawn(None, None, Card.parse(word))))
        return self

    def hear(self, signal: Signal) -> None:
        """Let the shoe say something else than a card."""
        self._apply(Input(signal))

    def press(self, act: Act, hand: str | None = None) -> str:
        """Give a command for the open hand and return why it was refused, empty where it was taken."""
        self.keys += 1
        ref = hand if hand is not None else self.table.hand.ref if self.table.hand else ""
        self.last = Command(f"k{self.keys}", act, ref)
        facts = self._apply(Input(self.last, by="staff:7"))
        answer = dict(facts[0].data)
        assert facts[0].name in {FactName.COMMAND_ACCEPTED, FactName.COMMAND_REJECTED}
        return str(answer.get("why", ""))

    def takes(self, seat: str, hand: str | None = None) -> Cloth:
        assert self.press(Takes(SEATS[seat]), hand) == ""
        return self

    def close(self) -> Cloth:
        assert self.press(Turned()) == ""
        return self

    def opened_next(self, place: int) -> Cloth:
        assert self.press(OpenedNext(place)) == ""
        return self

    def apply(
        self, ident: str, remedy: Remedy, *places: int, seat: str = "", sanction: Sanction = Sanction.NONE
    ) -> str:
        return self.press(Apply(ident, remedy, places, SEATS.get(seat), sanction))

    def lie(self, spots: str) -> Cloth:
        """Say how the open hand's cards lie, in drawing order, such as `R1 L1 B1 R2 B2`; `x` is a burnt card."""
        placed = tuple(
            Placed(place, fate=Fate.BURNT, seen=False) if spot == "x" else self._placed(place, spot)
            for place, spot in enumerate(spots.split())
        )
        assert self.press(Relay(placed)) == ""
        return self

    @staticmethod
    def _placed(place: int, spot: str) -> Placed:
        return Placed(place, SEATS[spot[0]], int(spot[1:]), seen=False)

    def accept(self) -> Cloth:
        """Let what holds the hand stand."""
        hand = self.hand
        assert self.press(Accept(tuple(hold.id for hold in (*hand.holds, *self.table.holds)))) == ""
        return self

    def void(self) -> Cloth:
        assert self.press(Void()) == ""
        return self

    @property
    def hand(self) -> Hand:
        assert self.table.hand is not None
        return self.table.hand

    @property
    def holds(self) -> set[str]:
        """The kinds of what holds the open hand."""
        return {hold.kind for hold in self.hand.holds}

    def told(self, name: FactName) -> list[dict[str, Any]]:
        """The facts of a name as an integrator reads them."""
        return [fact_dict(fact) for fact in self.facts if fact.name is name]

    @property
    def line(self) -> dict[str, Any]:
        """The last closed hand as an integrator reads it."""
        return self.told(FactName.HAND_COMPLETED)[-1]

    def lines(self) -> list[dict[str, Any]]:
        """Every closed hand as an integrator reads it."""
        return self.told(FactName.HAND_COMPLETED)

    def told_incidents(self, kind: str) -> int:
        """How many times an incident of this kind was told, whatever became of it."""
        names = (FactName.INCIDENT_OPENED, FactName.INCIDENT_ADDED)
        return sum(one["kind"] == kind for name in names for one in self.told(name))

    @property
    def result(self) -> str | None:
        found: str | None = self.line["result"]
        return found

    @property
    def kinds(self) -> list[str]:
        """What was wrong with the last closed hand."""
        return [one["kind"] for one in self.line["irregularities"]]

    @property
    def view(self) -> PublicView:
        return public_view(self.table, ident="1", name="Table 1")

    @property
    def asks(self) -> tuple[str, str, str]:
        """The sentence that the console shows, the seat in it, and the rule that it rests on."""
        said = self.view.prompt
        return said.id.removeprefix("prompt."), dict(said.blanks).get("seat", ""), said.rule

    @property
    def points(self) -> dict[str, int | None]:
        """The points that everybody may see."""
        letters = {seat: letter for letter, seat in SEATS.items()}
        return {letters[one.seat]: one.points for one in self.view.seats}

    @property
    def rules(self) -> list[tuple[str, str | None]]:
        """What was wrong with the last closed hand, with the rule broken."""
        return [(one["kind"], one["rule"]) for one in self.line["irregularities"]]

    def lies(self) -> dict[str, str]:
        """The open hand's cards by seat, whatever is public."""
        return {
            letter: " ".join(_face(laid) for laid in self.hand.laid if laid.seat is seat)
            for letter, seat in SEATS.items()
            if seat in self.table.game.seats
        }

    def basket(self, hand: Hand | None = None) -> list[str]:
        """The cards that a ruling put to the basket."""
        return [_face(laid) for laid in (hand or self.hand).out]

    def conserved(self) -> bool:
        """Whether every card that left the shoe lies in a hand, was put aside, or waits to open the next hand."""
        table = self.table
        open_hands = (*table.unsettled.values(), *([table.hand] if table.hand else []))
        hands = (*open_hands, *(record.hand for record in table.records.values()))
        places = [laid.place for hand in hands for laid in (*hand.laid, *hand.out)]
        places += [carry.place for carry in table.carried]
        return sorted(places) == list(range(len(table.shoe.faces)))


def _face(laid: Laid) -> str:
    return str(laid.card)
