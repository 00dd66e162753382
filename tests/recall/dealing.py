"""A journal as the daemon makes it: the real recorder, real bytes in reads, and people's commands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

from controller.core.cards import Card, Seat
from controller.core.inputs import Act, Command, Input, Moment
from controller.core.profile import House
from controller.core.signals import (
    BurnCardDrawn,
    Call,
    CardDrawn,
    CardShown,
    Identifies,
    LinkOpened,
    Pairs,
    PoweredUp,
    ResultCalled,
    Signal,
    StoodBy,
)
from controller.daemon.recorder import Recorder
from controller.recall.wire import driver_dict
from controller.settings import settings_dict
from drivers.angel_eye import Session
from drivers.emulators import Shoe as Emulator
from drivers.live import one_way
from drivers.shoes import DRIVERS, Chosen

NS_PER_S = 1_000_000_000
UTC_NS = 1_790_000_000 * NS_PER_S  # 2026-09-21T13:33:20Z
COPY_NS = 10_000_000
P, B = Seat.PLAYER, Seat.BANKER


def card(text: str) -> Card:
    return Card.parse(text)


class Dealing:
    """A table with its recorder; ``chosen`` makes it one at a line shoe.

    Time goes on one second a message, so every moment has its own.
    """

    def __init__(self, folder: Path, *, mode: str = "hidden", house: House | None = None,
                 chosen: Chosen | None = None) -> None:  # fmt: skip
        self.folder, self.house = folder, house or House()
        identifies = {"open": Identifies.AT_DRAW, "hidden": Identifies.AT_REVEAL}[mode]
        settings = settings_dict(self.house, identifies)
        live = DRIVERS["line"].live(chosen) if chosen else one_way(lambda: Session(mode))
        driver = driver_dict("line", chosen) if chosen else None  # as journals were before drivers were named
        self.recorder = Recorder(folder, "b1", self.house, identifies, settings, live, lambda _seconds: None, driver)
        self.emulator, self.mono, self.ids = Emulator(), NS_PER_S, count(1)

    @property
    def table(self):
        return self.recorder.table

    def now(self) -> Moment:
        self.mono += NS_PER_S
        return Moment(UTC_NS + self.mono, self.mono)

    async def begin(self) -> None:
        await self.recorder.open()
        await self.recorder.take(Input(LinkOpened("a shoe"), self.now(), "recorder"))

    async def say(self, *signals: Signal, copies: int = 3) -> None:
        """Let the shoe say something: each copy of a frame comes as a read of its own."""
        for signal in signals:
            self.now()
            for number, frame in enumerate(self.emulator.says(signal)[:copies]):
                await self.read(frame, Moment(UTC_NS + self.mono + number * COPY_NS, self.mono + number * COPY_NS))
            for heard in self.recorder.session.flush():
                await self.recorder.hear(heard)

    async def read(self, data: bytes, at: Moment) -> None:
        await self.recorder.keep(data, at)
        for heard in self.recorder.decode():
            await self.recorder.hear(heard)

    async def ask(self, act: Act, hand: str = "", by: str = "staff:1042") -> None:
        await self.recorder.take(Input(Command(f"c{next(self.ids)}", act, hand), self.now(), by))

    async def shoe(self) -> None:
        """Open a shoe: power, then a burn card that asks for one more."""
        await self.say(PoweredUp(), StoodBy(), BurnCardDrawn(sets_count=True, left=1, card=card("AS")))
        await self.say(BurnCardDrawn(sets_count=False, left=0, card=None))

    async def hand(self, player: str, banker: str, call: Call, pairs: Pairs = Pairs.NONE) -> None:
        """Deal a hand in hidden mode: cards, then the faces, then the result."""
        await self.draw(player, banker)
        await self.show(player, banker)
        await self.say(ResultCalled(call, pairs))

    async def draw(self, player: str, banker: str) -> None:
        for seat, index in spots(player, banker):
            await self.say(CardDrawn(seat, index, None))

    async def show(self, player: str, banker: str) -> None:
        faces = {P: player.split(), B: banker.split()}
        for seat, index in spots(player, banker):
            await self.say(CardShown(seat, index, card(faces[seat][index - 1])))

    async def end(self) -> None:
        await self.recorder.close()


def spots(player: str, banker: str) -> list[tuple[Seat, int]]:
    """The spots in drawing order."""
    third = [(P, 3)] * (len(player.split()) > 2) + [(B, 3)] * (len(banker.split()) > 2)
    return [(P, 1), (B, 1), (P, 2), (B, 2), *third]


def deal(folder: Path, work: Callable[[Dealing], object], **options: object) -> Path:
    """Make a journal and return its folder; the recorder is closed at the end."""

    async def run() -> None:
        dealing = Dealing(folder, **options)
        await dealing.begin()
        try:
            await work(dealing)
        finally:
            with suppress(Exception):
                await dealing.end()

    asyncio.run(run())
    return folder
