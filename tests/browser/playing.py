"""Serve one real table in a process of its own: `python -m tests.browser.playing --port=0 [--hidden]`.

With `--profile=NAME` it is a table of that house, `--money=full` keeps its money. Prints its port. A line on standard
input is what the shoe says, in the short words of tests/faults/felt.py:
`draw P1:KS B1:2H`, `show ...`, `call banker`, `burn KS 3`, `stand_by`; each line is answered by a line `done`.
`cards 5C 9S` come from a shoe that names no seats, `kept` is an overdraw that nobody saw.
`hands N` deals N lawful hands, `settle` accepts what holds, acknowledges all and begins a new shoe after 60 hands.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from dataclasses import dataclass, field, fields
from typing import Any

from controller import catalogue
from controller.core.bank import Money
from controller.core.cards import Card
from controller.core.facts import FactName
from controller.core.inputs import (
    Acknowledge,
    Command,
    Elapsed,
    Input,
    Moment,
    NewShoe,
    OpenTable,
    Post,
    Sanction,
    Timer,
)
from controller.core.offers import Offers, offers
from controller.core.previewing import HandView, Preview, hand_views, preview
from controller.core.profile import BetsClosed, Burn, Closes, Deal, House, NewShoes
from controller.core.signals import (
    CardDrawn,
    ErrorCleared,
    ErrorRaised,
    Fault,
    LinkLost,
    LinkOpened,
    OffGameCardDrawn,
    OffGameMode,
)
from controller.core.views import PitView, PublicView, Sentence, SurveillanceView
from controller.pit.floor import Answer
from controller.pit.server import WebServer
from controller.pit.stream import Hub
from controller.pit.web import create_app
from controller.profiles import profile
from tests.faults.felt import BANKER_WINS, PLAYER_WINS, SIX_CARDS, TIE_OF_SIX, Felt, spot

# A card too many, that stays in the shoe's mouth unseen and opens the next hand.
KEPT = (
    ErrorRaised(Fault.OVERDRAW, 2, error_mode=False),
    OffGameCardDrawn(OffGameMode.UNKNOWN, 0, None),
    ErrorCleared(Fault.OVERDRAW, 2),
)
MOST_HANDS = 60  # of a shoe
LAWFUL = ((BANKER_WINS, "banker"), (PLAYER_WINS, "player"), (SIX_CARDS, "player"), (TIE_OF_SIX, "tie"))


@dataclass
class TableFloor:
    """The floor of one real table, judged in place."""

    felt: Felt
    demo: bool = False
    token: str | None = None
    version: str = "0.1.0"
    hub: Hub = field(default_factory=Hub)

    @property
    def tables(self) -> list[tuple[str, str]]:
        return [("1", "Table 1")]

    def public(self, table: str) -> PublicView:
        return self.felt.view

    def pit(self, table: str) -> PitView:
        return self.felt.pit

    def surveillance(self, table: str) -> SurveillanceView:
        return self.felt.eye

    def heard(self, table: str) -> int | None:
        return None

    def hands(self, table: str) -> tuple[HandView, ...]:
        return hand_views(self.felt.table)

    def decider(self, table: str, irregularity: str) -> Post:
        return self.felt.table.house.decider(irregularity)

    def offers(self, table: str) -> Offers:
        return offers(self.felt.table.house)

    def preview(self, table: str, command: Command, by: str) -> Preview:
        return preview(self.felt.table, Input(command, self.felt.now, by), ident="1", name="Table 1")

    async def command(self, table: str, command: Command, by: str) -> Answer:
        if isinstance(command.act, OpenTable):
            command = Command(command.id, OpenTable("2026-11-30", command.act.limits), command.hand)
        facts = self.felt.put(Input(command, self.felt.now, by))
        self.hub.publish("1")
        why = [dict(fact.data)["why"] for fact in facts if fact.name is FactName.COMMAND_REJECTED]
        return Answer(not why, Sentence(f"rejected.{why[0]}") if why else None)

    def hear(self, line: str) -> None:
        """Take a line of what the shoe says."""
        word, _, rest = line.partition(" ")
        match word:
            case "burn":
                first, others = rest.split()
                self.felt.burn(first, int(others))
            case "hands":
                for number in range(int(rest)):
                    self.felt.hand(*LAWFUL[number % len(LAWFUL)])
            case "stand_by":
                self.felt.stand_by()
            case "settle":
                self.felt.accept()
                for view in self.felt.pit.incidents:
                    self.felt.ask(Acknowledge(view.id), "")
                if len(self.felt.view.results) > MOST_HANDS:
                    self.felt.ask(NewShoe(), "")
            case "escalate":
                late = Moment((len(self.felt.inputs) + 3_600) * 1_000_000_000, len(self.felt.inputs))
                self.felt.put(Input(Elapsed(Timer.ESCALATION), late, "timer"))
            case "unread":
                seat, index, _ = spot(rest)
                self.felt.say(CardDrawn(seat, index, None, unread=True))
            case "kept":
                self.felt.say(*KEPT)
            case "cards":
                self.felt.say(*(CardDrawn(None, None, Card.parse(face)) for face in rest.split()))
            case "unplug":
                self.felt.put(Input(LinkLost("unplugged"), self.felt.now, "recorder"))
            case _:
                getattr(self.felt, word)(rest)
        self.hub.publish("1")


def choices(options: list[str]) -> dict[str, Any]:
    """Return what the options choose for the house."""
    said = dict(option.removeprefix("--").split("=") for option in options if "=" in option)
    confirm = NewShoes.CONFIRM if "--confirm" in options else NewShoes.WIRE
    usual = {"deal": Deal.FACE_DOWN if "--hidden" in options else Deal.FACE_UP, "new_shoe": confirm, "decks": 400}
    usual |= {"bets_closed": BetsClosed(said["bets_closed"])} if "bets_closed" in said else {}
    usual |= {"reason_needed": ("correct",), "reasons": (said["reason"],)} if "reason" in said else {}
    if "profile" not in said:
        return usual
    house = profile(said["profile"], money=Money(said.get("money", "off")))
    chosen = {one.name: getattr(house, one.name) for one in fields(House)} | usual
    people = {"deal": Deal.FACE_DOWN, "closes": Closes.CONTROLLER} if house.game.asks_taker else {}
    return chosen | people | {"burn": Burn.NONE, "sanctions": tuple(Sanction)[1:]}


async def serve(port: int, options: list[str]) -> None:
    floor = TableFloor(Felt(**choices(options)))
    floor.felt.put(Input(LinkOpened("/dev/shoe"), floor.felt.now, "recorder"))
    floor.felt.stand_by()
    words = catalogue.load(missing=catalogue.refuse)
    web = WebServer(create_app(floor, floor.hub, words), floor.hub, "127.0.0.1", port)
    await web.start()
    print(web.port, flush=True)
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()

    def told() -> None:
        line = sys.stdin.readline().strip()
        if not line:
            loop.remove_reader(sys.stdin)
            return
        floor.hear(line)
        print("done", flush=True)

    loop.add_reader(sys.stdin, told)
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    await stop.wait()
    await web.stop()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1].removeprefix("--port=")), sys.argv[2:]))
