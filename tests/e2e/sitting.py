"""A table as people sit at it: a shoe on a real terminal, the real daemon, and the pages in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from controller.core.cards import Card, Seat
from controller.core.signals import CardCarried, CardDrawn, CardShown, Signal
from tests.daemon.daemon import HOST, Daemon, Dealt, config_of, run
from tests.e2e.programs import FEED

SEATS = {"P": Seat.PLAYER, "B": Seat.BANKER}
ORDER = ("P1", "B1", "P2", "B2")
T = TypeVar("T")


def aside(work: Callable[[], T]) -> T:
    """Do something in a thread of its own: the browser's event loop occupies this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


class Speaking(Dealt):
    """A shoe on a terminal that can speak beside a browser."""

    def plug(self) -> None:
        aside(super().plug)

    def write(self, data: bytes) -> None:
        aside(lambda: Dealt.write(self, data))


@dataclass
class Sitting:
    """A daemon with one table, and its shoe."""

    folder: Path
    daemon: Daemon
    shoe: Speaking

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.daemon.pit}"

    def say(self, *signals: Signal) -> None:
        self.shoe.say(*signals)


@contextmanager
def sitting(folder: Path, *, decks: int = 8, **options: str) -> Iterator[Sitting]:
    """Start a daemon whose shoe is plugged in and read."""
    folder.mkdir(exist_ok=True)
    path = config_of(folder, **options)
    path.write_text(path.read_text().replace("[tables.shoe]", f"decks = {decks}\n[tables.shoe]") + FEED)
    with ExitStack() as stack:
        shoe = Speaking(folder / "shoe")
        stack.callback(shoe.pty.unplug)
        shoe.pty.plug()
        daemon = stack.enter_context(run("--config", path))
        shoe.plug()
        yield Sitting(folder, daemon, shoe)


def spot(name: str) -> tuple[Seat, int]:
    return SEATS[name[0]], int(name[1])


def card(text: str) -> Card | None:
    return None if text == "?" else Card.parse(text)


def drawn(name: str, face: str) -> CardDrawn:
    """A card drawn; `?` for a face that is hidden."""
    return CardDrawn(*spot(name), card(face))


def unread(name: str) -> CardDrawn:
    return CardDrawn(*spot(name), None, unread=True)


def shown(name: str, face: str) -> CardShown:
    return CardShown(*spot(name), card(face))


def carried(name: str, face: str) -> CardCarried:
    return CardCarried(*spot(name), card(face))


def dealt(faces: str, *thirds: str) -> list[Signal]:
    """The first four cards in dealing order, then thirds such as `P3=6D`."""
    rest = [drawn(*third.split("=")) for third in thirds]
    return [*(drawn(name, face) for name, face in zip(ORDER, faces.split(), strict=True)), *rest]
