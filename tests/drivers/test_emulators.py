"""The shoe that plays scripts on a pseudo-terminal, and its byte faults (hardware-tests.md 0, rung A)."""

import asyncio
import os
import termios
import time
from random import Random

import pytest

from controller.core.cards import Card, Seat
from controller.core.signals import (
    BytesDamaged,
    Call,
    CardDrawn,
    CardShown,
    Damage,
    LinkLost,
    LinkOpened,
    Pairs,
    PoweredUp,
    ResultCalled,
    StoodBy,
)
from drivers.angel_eye import DataBit7, Session, UnsayableError
from drivers.emulators import ByteFault, FaultKind, Pty, Shoe, Step, actions, play
from drivers.emulators.angel_eye import SILENCE_S, Plug, Send, Unplug, Wait
from drivers.emulators.faults import flip_a_bit
from drivers.ports import Link, PortOpened, serial_link
from drivers.ports.serial_port import SerialPort
from tests.drivers.terminals import DEADLINE_S, Reader, kinds
from tests.drivers.wire import thrice

CARDS = [Card.parse(text) for text in ("8S", "KH", "2C", "9D")]
SPOTS = [(Seat.PLAYER, 1), (Seat.BANKER, 1), (Seat.PLAYER, 2), (Seat.BANKER, 2)]
RESULT = ResultCalled(Call.BANKER, Pairs.NONE)
OPEN_HAND = [StoodBy(), *(CardDrawn(*spot, card) for spot, card in zip(SPOTS, CARDS, strict=True)), RESULT]
HIDDEN_HAND = [
    StoodBy(),
    *(CardDrawn(*spot, None) for spot in SPOTS),
    *(CardShown(*spot, card) for spot, card in zip(SPOTS, CARDS, strict=True)),
    RESULT,
]
SCRIPT = [Step(PoweredUp()), *(Step(signal, 0.5) for signal in OPEN_HAND * 3)]


def sent(*faults: str, seed: int = 0, script=SCRIPT) -> bytes:
    return b"".join(
        action.data for action in actions(script, map(ByteFault.parse, faults), seed) if isinstance(action, Send)
    )


def heard(line: bytes):
    session = Session()
    return [item.signal for item in session.feed(line) + session.flush()]


def damage(signals):
    return [signal.damage for signal in signals if isinstance(signal, BytesDamaged)]


def spoken(signals):
    return [signal for signal in signals if not isinstance(signal, BytesDamaged)]


SAID = [step.signal for step in SCRIPT]


def test_a_script_is_sent_in_three_copies_with_running_numbers():
    """wire-formats.md 1.1: every frame three times, numbers 1..9 after the 0 of S."""
    script = [Step(PoweredUp()), *(Step(StoodBy()) for _ in range(10))]
    assert sent(script=script) == thrice("0 S", *(f"{number} P" for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 1)))


def test_a_shoe_goes_on_with_its_number_in_the_next_script_and_clears_bit_7_when_told():
    """wire-formats.md 1.1: data with bit 7 clear."""
    shoe = Shoe(DataBit7.CLEAR)
    played = [*actions([Step(StoodBy())], shoe=shoe), *actions([Step(CardDrawn(*SPOTS[0], CARDS[0]))], shoe=shoe)]
    assert b"".join(action.data for action in played) == thrice("1 P", "2 D 01 38")


@pytest.mark.parametrize("hand", [OPEN_HAND, HIDDEN_HAND], ids=["open", "hidden"])
def test_a_script_without_faults_is_heard_as_it_was_written(hand):
    """wire-formats.md 1.1: open and hidden mode, as the script's signals say."""
    assert heard(sent(script=[Step(signal) for signal in hand])) == hand


def test_a_flipped_bit_costs_one_copy_and_no_event():
    """faults.md A 3, B 13."""
    signals = heard(sent("bit-flip@3"))
    assert spoken(signals) == SAID
    assert len(damage(signals)) >= 1


def test_a_flipped_bit_is_one_bit():
    """hardware-tests.md 1.3: corrupt in the simulator itself."""
    frame = thrice("1 P")
    for seed in range(50):
        flipped = flip_a_bit(frame, Random(seed))
        assert sum((a ^ b).bit_count() for a, b in zip(frame, flipped, strict=True)) == 1


def test_a_lost_copy_is_no_error():
    """wire-formats.md 1.1: fewer than three copies is a figure."""
    assert heard(sent("lost-copy:1")) == SAID
    assert len(sent("lost-copy:1")) * 3 == len(sent()) * 2


def test_a_lost_frame_is_a_gap():
    """faults.md A 4."""
    signals = heard(sent("lost-frame@3"))
    assert damage(signals) == [Damage.GAP]
    assert spoken(signals) == SAID[:2] + SAID[3:]


def test_noise_is_told_and_costs_nothing():
    """faults.md A 5."""
    signals = heard(sent("noise@4"))
    assert set(damage(signals)) == {Damage.NOISE}
    assert spoken(signals) == SAID


def test_a_power_up_comes_before_the_step_and_starts_the_numbers_again():
    """faults.md A 10."""
    signals = heard(sent("power-up@4"))
    assert signals == [*SAID[:3], PoweredUp(), *SAID[3:]]


def test_a_silence_is_a_long_wait():
    """faults.md A 7."""
    waits = [
        action.seconds for action in actions(SCRIPT, [ByteFault(FaultKind.SILENCE, step=2)]) if isinstance(action, Wait)
    ]
    assert waits == [0.5, SILENCE_S] + [0.5] * (len(SCRIPT) - 2)


def test_an_unplugging_loses_the_frame_of_its_step():
    """faults.md A 6."""
    done = list(actions(SCRIPT, [ByteFault(FaultKind.UNPLUG, step=3)]))
    at = done.index(Unplug())
    assert isinstance(done[at + 1], Wait)
    assert done[at + 2] == Plug()
    assert damage(heard(sent("unplug@3"))) == [Damage.GAP]


def test_a_script_can_unplug_plug_in_and_make_noise_by_itself():
    """A script of signals says everything that a table may see."""
    script = [Step(LinkLost("x")), Step(LinkOpened("x")), Step(BytesDamaged(Damage.NOISE, 6))]
    first, second, noise = actions(script)
    assert (first, second) == (Unplug(), Plug())
    assert len(noise.data) == 6


def test_the_same_seed_makes_the_same_faults_and_another_seed_others():
    """design.md section 1: chance comes from outside."""
    faults = ["bit-flip:0.3", "noise:0.3", "lost-copy:0.3"]
    assert sent(*faults, seed=7) == sent(*faults, seed=7)
    assert sent(*faults, seed=7) != sent(*faults, seed=8)


@pytest.mark.parametrize("seed", range(20))
def test_faults_never_make_a_card_that_was_not_dealt(seed):
    """faults.md, common rule: no row may lose a card without a word, or double one."""
    signals = heard(sent("bit-flip:0.3", "noise:0.2", "lost-copy:0.3", "lost-frame:0.05", seed=seed))
    rest = iter(SAID)
    words = [signal for signal in spoken(signals) if signal != PoweredUp()]
    assert all(signal in rest for signal in words)  # in order, each at most as often as it was said
    if len(words) < len(SAID) - 1:
        assert Damage.GAP in damage(signals) or words[-1] != SAID[-1]


@pytest.mark.parametrize("text", ["", "bit-flip", "rain:0.1", "noise:2", "noise:x", "noise@0", "noise@x", "noise:-0.1"])
def test_a_fault_that_cannot_be_read_is_refused_with_the_names(text):
    """A person types these."""
    with pytest.raises(ValueError, match="expected one of bit-flip, lost-copy, lost-frame, noise, silence, power-up"):
        ByteFault.parse(text)


def test_what_the_shoe_has_no_frame_for_stops_the_script():
    """wire-formats.md 1.1."""
    with pytest.raises(UnsayableError):
        sent(script=[Step(CardDrawn(Seat.LEFT, 1, None))])


@pytest.mark.parametrize("hand", [OPEN_HAND, HIDDEN_HAND], ids=["open", "hidden"])
def test_a_script_played_on_a_terminal_is_heard_at_the_other_end(tmp_path, hand):
    """hardware-tests.md rung A: the real tty layer between."""

    async def table():
        script = [Step(signal, 1.0) for signal in hand * 20]
        with Pty(tmp_path / "shoe") as pty:
            reader = Reader(serial_link(str(pty.path), 4800))
            await play(script, pty, pace=0)
            expected = sent(script=script)
            await reader.until(lambda _: len(reader.data) >= len(expected))
            await reader.close()
        assert reader.data == expected
        assert heard(reader.data) == hand * 20

    asyncio.run(table())


def test_a_script_goes_on_after_it_was_unplugged_when_the_reader_is_back(tmp_path):
    """faults.md A 6, B 1."""

    async def table():
        with Pty(tmp_path / "shoe") as pty:
            reader = Reader(serial_link(str(pty.path), 4800))
            await play(SCRIPT, pty, pace=0, faults=[ByteFault(FaultKind.UNPLUG, step=4)])
            expected = sent("unplug@4")
            rest = len(b"".join(thrice("4 P") for _ in range(2)))
            await reader.until(lambda _: expected.endswith(reader.data[-rest:]) and len(reader.data) >= rest)
            await reader.until(lambda events: kinds(events).count("PortOpened") == 2)
            await reader.close()
        assert kinds(reader.events).count("PortLost") in (1, 2)
        assert expected.endswith(reader.data[-rest:])

    asyncio.run(table())


def test_the_pace_multiplies_every_wait(tmp_path):
    """0 is at once, 1 is true pace."""

    async def table():
        with Pty(tmp_path / "shoe") as pty:
            script = [Step(StoodBy(), 1.0)] * 4
            times = []
            for pace in (0.0, 0.05):
                started = time.monotonic()
                await play(script, pty, pace=pace, reader_wait_s=0)
                times.append(time.monotonic() - started)
        assert times[0] < 0.2 <= times[1]

    asyncio.run(table())


def test_a_terminal_that_nobody_reads_does_not_block_for_ever(tmp_path):
    """hardware-tests.md 1.3: an unread terminal takes some 13.8 kB, then nothing."""

    async def table():
        with Pty(tmp_path / "shoe") as pty:
            playing = asyncio.create_task(play([Step(StoodBy())] * 2000, pty, pace=0, reader_wait_s=0))
            done, _ = await asyncio.wait([playing], timeout=0.3)
            assert not done  # 36 kB do not fit
            playing.cancel()
            with pytest.raises(asyncio.CancelledError):
                async with asyncio.timeout(DEADLINE_S):
                    await playing

    asyncio.run(table())


def test_a_full_terminal_goes_on_when_somebody_reads(tmp_path):
    """hardware-tests.md 1.3."""

    async def table():
        with Pty(tmp_path / "shoe") as pty:
            reader = Reader(serial_link(str(pty.path), 4800))
            await reader.until(lambda events: events)
            await pty.write(bytes(100_000))
            await reader.until(lambda _: len(reader.data) == 100_000)
            await reader.close()

    asyncio.run(table())


def test_what_the_reader_writes_is_thrown_away_and_never_echoed(tmp_path):
    """wire-formats.md 1.2: nothing that a host says moves this shoe."""

    async def table():
        with Pty(tmp_path / "shoe") as pty:
            port = SerialPort(str(pty.path), 4800)
            reader = Reader(Link(lambda: port))
            lock = b"\x02OPLK02\x031B" * 100
            for _ in range(200):  # far more than a terminal holds
                assert os.write(port.fileno(), lock) == len(lock)
                await pty.write(b"x")
            await reader.until(lambda _: len(reader.data) >= 200)
            await reader.close()
            assert reader.data == b"x" * 200

    asyncio.run(table())


def test_an_unplugged_terminal_is_gone_from_its_path(tmp_path):
    """faults.md B 2: the path is the identity."""
    pty = Pty(tmp_path / "shoe")
    pty.plug()
    assert pty.path.is_symlink()
    pty.unplug()
    pty.unplug()
    assert not pty.path.is_symlink()
    assert not pty.plugged
    assert list(tmp_path.iterdir()) == []


def test_the_shoe_knows_when_somebody_reads(tmp_path):
    """What is said without a reader is lost, as at a table."""

    async def table():
        with Pty(tmp_path / "shoe") as pty:
            assert not await pty.wait_for_reader(0.01)
            port = SerialPort(str(pty.path), 4800)
            assert await pty.wait_for_reader(DEADLINE_S)
            port.close()
            assert not pty.has_reader()

    asyncio.run(table())


def test_the_shoe_waits_until_the_reader_has_thrown_away_old_input(tmp_path, monkeypatch):
    """hardware-tests.md 1.3: pyserial flushes its input when it opens."""
    monkeypatch.setattr("drivers.emulators.pty.FLUSH_GRACE_S", 60.0)

    async def table():
        with Pty(tmp_path / "shoe") as pty:
            fd = os.open(pty.path, os.O_RDWR | os.O_NOCTTY)
            waiting = asyncio.create_task(pty.wait_for_reader(DEADLINE_S))
            done, _ = await asyncio.wait([waiting], timeout=0.05)
            assert not done
            termios.tcflush(fd, termios.TCIFLUSH)
            async with asyncio.timeout(DEADLINE_S):
                assert await waiting
            os.close(fd)

    asyncio.run(table())


def test_nothing_is_lost_between_the_opening_and_the_first_frame(tmp_path):
    """faults.md B 11: the reader throws away old input when it opens; the shoe waits for that."""

    async def table():
        for _ in range(20):
            with Pty(tmp_path / "shoe") as pty:
                reader = Reader(serial_link(str(pty.path), 4800))
                await play([Step(StoodBy())], pty, pace=0)
                await reader.until(lambda _, reader=reader: len(reader.data) == 18)
                await reader.close()
                assert isinstance(reader.events[0], PortOpened)

    asyncio.run(table())
