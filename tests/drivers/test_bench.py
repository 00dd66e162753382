"""Speed of the drivers that only listen: frames a second, and the way from a terminal to a signal (performance.md)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest

from controller.core.cards import DECK, Seat
from controller.core.signals import CardDrawn
from drivers import angel_eye, line
from drivers.angel_eye import COPIES_SENT, encode, next_seq
from drivers.emulators import Pty
from drivers.heard import Session
from drivers.ports import PortBytes, PortEvent, link_to

FRAMES = 60_000
READ_BYTES = 4096
ROUNDS = 5
FLOOR = 200_000  # frames a second on an idle machine; half of it on a busy one
CARDS = 1_000
BETWEEN_CARDS_S = 0.002
P99_AIM_MS = 5.0
SPOTS = [(Seat.PLAYER, 1), (Seat.BANKER, 1), (Seat.PLAYER, 2), (Seat.BANKER, 2)]
FACES = [DECK[(7 * number) % len(DECK)] for number in range(len(DECK))]


def angel_eye_frames(count: int) -> list[bytes]:
    """Each card as the shoe sends it, three times; a whole number of cards."""
    frames, seq = [], 0
    for number, face in zip(range(count // COPIES_SENT), cycle(FACES), strict=False):
        seq = next_seq(seq)
        frames.append(encode(CardDrawn(*SPOTS[number % len(SPOTS)], face), seq) * COPIES_SENT)
    return frames


def lines(count: int) -> list[bytes]:
    texts = (str(face) for _, face in zip(range(count), cycle(FACES), strict=False))
    return [f"{text[1]}{text[0]}\r\n".encode() for text in texts]


DRIVERS: dict[str, tuple[Callable[[], Session], Callable[[int], list[bytes]]]] = {
    "angel_eye": (angel_eye.Session, angel_eye_frames),
    "line": (line.Session, lines),
}


@pytest.mark.bench
@pytest.mark.parametrize("driver", DRIVERS)
def test_frames_a_second_of_the_whole_session(driver: str):
    """From bytes in reads of 4 KiB to signals, folding and sequence included."""
    session, frames = DRIVERS[driver]
    data = b"".join(frames(FRAMES))
    chunks = [data[at : at + READ_BYTES] for at in range(0, len(data), READ_BYTES)]
    took = []
    for _ in range(ROUNDS):
        made = session()
        began = time.perf_counter()
        for chunk in chunks:
            made.feed(chunk)
        took.append(time.perf_counter() - began)
        assert made.counts.frames == FRAMES
    rate = FRAMES / min(took)  # noise only ever adds
    print(f"\n{driver}: {rate:,.0f} frames/s")
    assert rate > FLOOR / 2


async def ways(path: Path, driver: str) -> list[float]:
    """Seconds from each write at the shoe's end of a terminal to the signal at ours."""
    session, frames = DRIVERS[driver]
    made, took = session(), []
    async with link_to(str(path), 9600) as link:
        with Pty(path) as pty:
            events = link.events()
            await anext(events)
            assert await pty.wait_for_reader(5)
            for sent in frames(CARDS * (COPIES_SENT if driver == "angel_eye" else 1)):
                began = time.perf_counter()
                await pty.write(sent)
                while not heard(made, await anext(events)):
                    pass
                took.append(time.perf_counter() - began)
                await asyncio.sleep(BETWEEN_CARDS_S)
    return took


def heard(session: Session, event: PortEvent) -> bool:
    assert isinstance(event, PortBytes)
    return any(isinstance(one.signal, CardDrawn) for one in session.feed(event.data))


@pytest.mark.bench
@pytest.mark.parametrize("driver", DRIVERS)
def test_the_way_from_the_terminal_to_the_signal(tmp_path: Path, driver: str):
    """hardware-tests.md 1.1: p99 is below a millisecond on a quiet machine."""
    took = sorted(asyncio.run(ways(tmp_path / "shoe", driver)))
    p50, p99 = (1e3 * took[len(took) * part // 100] for part in (50, 99))
    print(f"\n{driver}, terminal write to signal, {len(took)} cards: p50 {p50:.2f} ms, p99 {p99:.2f} ms")
    assert p50 < P99_AIM_MS
