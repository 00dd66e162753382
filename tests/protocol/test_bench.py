"""Speed of the protocol's host side: frames a second, the price of proof, the handshake (trust.md T17)."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from drivers.tirage import Policy, Session
from drivers.tirage.codec import decode
from drivers.tirage.framing import Frame, Framing
from tests.firmware.peer import DEVICE, KEY, Firmware, Host, build
from tests.protocol.line import Line
from tests.protocol.wire import CARD, Shoe, card_event, frame

FRAMES = 60_000
READ_BYTES = 4096
ROUNDS = 5
DECODER_FLOOR = 200_000  # frames a second on an idle machine; see the assertion for a busy one
HANDSHAKES = 50
CARDS = 300
BETWEEN_CARDS_S = 0.01  # more than 200 frames a second are cut


def chunks(data: bytes) -> list[bytes]:
    return [data[at : at + READ_BYTES] for at in range(0, len(data), READ_BYTES)]


def best(work) -> float:
    """Return the shortest of some rounds, in seconds: noise only ever adds."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


@pytest.mark.bench
def test_frames_a_second_of_the_decoder():
    data = b"".join(frame(CARD, card_event(n, "player", 1, "8S"), counter=n, card=n % 416) for n in range(FRAMES))

    def work() -> None:
        framing = Framing()
        for chunk in chunks(data):
            for piece in framing.feed(chunk):
                assert isinstance(piece, Frame)
                decode(piece.type, piece.payload)

    rate = FRAMES / best(work)
    print(f"\ndecoder: {rate:,.0f} frames/s")
    assert rate > DECODER_FLOOR / 2


def session_time(key: bytes | None) -> float:
    """Seconds a frame through a whole session; a clock that runs fast keeps the rate limit out of it."""
    count = FRAMES // 10
    line = Line(Shoe(key=key), Policy(keys={DEVICE: KEY} if key else {})).connect()
    frames = [line.shoe.draw("8S" if number % 2 else "9D") for number in range(count)]
    heard = 0
    began = time.perf_counter()
    for number, data in enumerate(frames):
        heard += len(line.session.feed(data, line.now_ns + number * 6_000_000))
    passed = time.perf_counter() - began
    assert heard == count
    return passed / count


@pytest.mark.bench
def test_the_price_of_proof():
    """L1 over L0, frame by frame, in turns so that both see the same noise."""
    times = [(session_time(None), session_time(KEY)) for _ in range(ROUNDS)]
    plain, proved = (min(column) for column in zip(*times, strict=True))
    print(
        f"\nsession: L0 {1 / plain:,.0f} frames/s, L1 {1 / proved:,.0f} frames/s, "
        f"{1e6 * (proved - plain):.1f} us more, {proved / plain:.2f} times L0"
    )
    assert proved < 3 * plain


@pytest.mark.bench
def test_handshakes_and_the_way_from_the_terminal_to_the_signal(tmp_path: Path):
    """T17: handshake within 500 ms; the firmware process at a pseudo-terminal, without sanitizers."""
    program = build(tmp_path / "build", "shoe")
    with Firmware(program, tmp_path, "--key", KEY.hex()) as firmware:
        host = Host(firmware.port, Session(Policy(keys={DEVICE: KEY})))
        opening = []
        for _ in range(HANDSHAKES):
            began = time.perf_counter()
            host.live()
            opening.append(time.perf_counter() - began)
            host.close()
            host.session.flush()
        host.live()
        way = sorted(from_script_to_signal(firmware, host) for _ in range(CARDS))
        host.close()
    opening.sort()
    print(f"\nhandshake L1: median {opening[HANDSHAKES // 2] * 1e3:.1f} ms, longest {opening[-1] * 1e3:.1f} ms")
    print(f"script line to signal: median {way[CARDS // 2] * 1e3:.2f} ms, p99 {way[CARDS * 99 // 100] * 1e3:.2f} ms")
    assert opening[-1] < 0.5


def from_script_to_signal(firmware: Firmware, host: Host) -> float:
    due = time.monotonic() + BETWEEN_CARDS_S
    host.until(lambda: time.monotonic() >= due)
    before = len(host.heard)
    began = time.perf_counter()
    firmware.play("card PLAYER 1 8S")
    host.until(lambda: len(host.heard) > before)
    return time.perf_counter() - began
