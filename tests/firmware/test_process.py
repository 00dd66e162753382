"""The reference firmware as a process on a pseudo-terminal, and our session at its port."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.core.signals import (
    BurnCardDrawn,
    BytesDamaged,
    Call,
    CardDrawn,
    CutCardOut,
    Damage,
    ErrorCleared,
    ErrorRaised,
    Fault,
    LinkLost,
    LinkOpened,
    LinkProved,
    LockTurned,
    Pairs,
    PoweredUp,
    ResultCalled,
    ShoeLoaded,
    StoodBy,
)
from drivers.tirage import Level, Policy, Session, State, Why
from drivers.tirage.messages import Lamp, Light, Lock, Outcome, Tone, Unlock
from tests.firmware.peer import DEVICE, KEY, Firmware, Host

CYCLES, CYCLES_LONG = 50, 1_000
RANKS, SUITS = "A23456789TJQK", "SHDC"
LEVELS = {"plain": ([], {}), "authentic": (["--key", KEY.hex()], {DEVICE: KEY})}


@contextmanager
def joined(program: Path, folder: Path, level: str = "authentic", *options: str) -> Iterator[tuple[Firmware, Host]]:
    """A running shoe, and a host that is live."""
    arguments, keys = LEVELS[level]
    with Firmware(program, folder, *arguments, *options) as firmware:
        host = Host(firmware.port, Session(Policy(keys=keys)))
        try:
            host.live()
            yield firmware, host
        finally:
            host.close()


def cards(host: Host) -> list[str]:
    return [str(signal.card) for signal in host.signals if isinstance(signal, CardDrawn)]


def spoken(host: Host) -> list[object]:
    """What the shoe said, without the link's own words: a starved machine may lose and find it."""
    return [signal for signal in host.signals if not isinstance(signal, LinkLost | LinkOpened | LinkProved)]


def damage(host: Host, kind: Damage) -> list[BytesDamaged]:
    return [signal for signal in host.signals if isinstance(signal, BytesDamaged) and signal.damage is kind]


def draw(*faces: str) -> list[str]:
    return [f"card PLAYER 1 {face}" for face in faces]


@pytest.mark.parametrize("level", LEVELS)
def test_the_firmware_says_every_signal(built, tmp_path: Path, level: str):
    """One line of script for each message; nothing is damaged on the way."""
    script = {
        "loaded 8": ShoeLoaded(8),
        "button STAND_BY 0": StoodBy(),
        "button BANKER 3": ResultCalled(Call.BANKER, Pairs.BOTH),
        "button TIE 4": ResultCalled(Call.TIE, None),
        "cut": CutCardOut(),
        "key 1": LockTurned(locked=True),
        "error 6 1": ErrorRaised(Fault.CARD_CODE, 6, error_mode=True),
        "cleared 6": ErrorCleared(Fault.CARD_CODE, 6),
        "returned": ErrorRaised(Fault.REVERSE_AT_EXIT, 4, error_mode=False),
        "door 1": ErrorRaised(Fault.DOOR_OPEN, 0x88, error_mode=False),
        "door 0": ErrorCleared(Fault.DOOR_OPEN, 0x88),
        "tilt 1": ErrorRaised(Fault.MOVED, 0x89, error_mode=False),
    }
    with joined(built("shoe"), tmp_path, level) as (firmware, host):
        firmware.play(*script, "burn 1 2 2C", "card BANKER 2 TD", "unread PLAYER 3")
        host.until(lambda: len(spoken(host)) >= len(script) + 3)
        said = spoken(host)
        assert said[: len(script)] == list(script.values())
        burnt, card, unread = said[len(script) :]
        assert isinstance(burnt, BurnCardDrawn)
        assert (burnt.sets_count, burnt.left, str(burnt.card)) == (True, 2, "2C")
        assert (card.seat.value, card.index, str(card.card), card.unread) == ("banker", 2, "TD", False)
        assert (unread.seat.value, unread.index, unread.card, unread.unread) == ("player", 3, None, True)
        assert host.session.level is (Level.AUTHENTIC if level == "authentic" else Level.PLAIN)


def test_commands_are_carried_out_and_answered(built, tmp_path: Path):
    """SPEC.md 3: lock, unlock, lamp, tone."""
    with joined(built("shoe"), tmp_path) as (firmware, host):
        commands = (Lock(), Lamp(Light.STOP), Tone(440, 300), Unlock())
        numbers = [host.session.command(message) for message in commands]
        host.until(lambda: set(numbers) <= set(host.session.standing.answers))
        assert set(host.session.standing.answers.values()) == {Outcome.DONE}
        firmware.until(lambda: "lock 0" in firmware.said)
        assert [line for line in firmware.said if not line.startswith("p")] == [
            "lock 1",
            "lamp 2",
            "tone 440 300",
            "lock 0",
        ]
        assert [s for s in host.signals if isinstance(s, LockTurned)] == [
            LockTurned(locked=True),
            LockTurned(locked=False),
        ]


@pytest.mark.parametrize(
    ("fault", "row", "kind"),
    [
        ("fault lose 1", 17, None),
        ("fault flip 1", 13, Damage.CHECKSUM),
        ("fault duplicate 3", 16, None),
        ("fault reorder", 18, None),
        ("fault noise 200", 12, Damage.NOISE),
        ("fault stall 600", 10, None),
        ("fault optional", 19, None),
        ("fault replay", 11, None),
        ("fault silence 1300", 9, None),
    ],
)
def test_no_card_is_lost_or_doubled_by_a_fault_of_the_line(built, tmp_path: Path, fault: str, row: int, kind):
    """faults.md B: the row named; the shoe can be asked again, so nothing is missing in the end."""
    del row  # it names the test
    dealt = ["8S", "KH", "2C", "3D", "9S", "TD"]
    with joined(built("shoe"), tmp_path) as (firmware, host):
        firmware.play(*draw(*dealt[:2]), fault, *draw(*dealt[2:]))
        host.until(lambda: len(cards(host)) >= len(dealt))
        host.live()
        assert cards(host) == dealt
        assert sum(signal.lost for signal in host.signals if isinstance(signal, BytesDamaged)) == 0
        if kind is not None:
            assert damage(host, kind) or damage(host, Damage.CHECKSUM)


@pytest.mark.parametrize(
    ("fault", "why"),
    [("fault unknown", Why.TYPE), ("fault version", Why.VERSION), ("fault flood 300", Why.FLOOD)],
)
def test_rows_19_and_21_what_must_not_go_on_is_refused(built, tmp_path: Path, fault: str, why: Why):
    """faults.md B 19, 21."""
    with joined(built("shoe"), tmp_path) as (firmware, host):
        firmware.play(fault)
        host.until(lambda: host.session.state is State.REFUSED)
        assert host.session.reason == why.value


def test_row_27_a_brown_out_in_mid_hand_is_told_and_no_card_is_missing(built, tmp_path: Path):
    """faults.md B 27: the RAM is gone, the count is not."""
    with joined(built("shoe"), tmp_path) as (firmware, host):
        firmware.play(*draw("8S", "KH"))
        host.until(lambda: len(cards(host)) == 2)
        firmware.play("fault reboot", *draw("2C"))
        host.until(lambda: len(cards(host)) == 3)
        assert [s for s in host.signals if isinstance(s, PoweredUp)] == [PoweredUp()]
        assert damage(host, Damage.GAP) == damage(host, Damage.BACKWARDS) == []
        assert host.session.memory.boots == 2


def test_row_5_a_count_that_went_back_is_told(built, tmp_path: Path):
    """faults.md B 5: a memory that wore out."""
    with joined(built("shoe"), tmp_path) as (firmware, host):
        firmware.play(*draw("8S", "KH", "2C", "3D"))
        host.until(lambda: len(cards(host)) == 4)
        firmware.play("fault back 3", *draw("9D"))
        host.until(lambda: len(cards(host)) == 5)
        (gap,) = damage(host, Damage.BACKWARDS)
        assert "shoe restarted" in gap.detail
        assert gap.lost > 0
        assert cards(host)[-1] == "9D"


def test_row_28_a_drifting_clock_stays_anchored(built, tmp_path: Path):
    """faults.md B 28: times of cards are times of the host."""
    with joined(built("shoe"), tmp_path) as (firmware, host):
        firmware.play("fault drift 180", *draw("8S"))
        host.until(lambda: cards(host))
        assert abs(host.heard[-1].at_ns - time.monotonic_ns()) < 500_000_000


def test_a_shoe_that_reads_ahead_is_refused(built, tmp_path: Path):
    """trust.md 4.2."""
    with Firmware(built("shoe"), tmp_path, "--reads-ahead") as firmware:
        host = Host(firmware.port, Session())
        host.until(lambda: host.session.state is State.REFUSED)
        host.close()
        assert host.session.reason == Why.READS_AHEAD.value


def test_a_wrong_key_opens_nothing(built, tmp_path: Path):
    """trust.md 3.2: neither side believes the other."""
    with Firmware(built("shoe"), tmp_path, "--key", KEY.hex()) as firmware:
        host = Host(firmware.port, Session(Policy(keys={DEVICE: bytes(reversed(KEY))})))
        host.until(lambda: host.session.state is State.REFUSED)
        host.close()
        assert host.session.reason == Why.BAD_TAGS.value
        assert host.session.counts.connections == 0


def test_a_shoe_that_wants_proof_gives_none_to_a_host_without_a_key(built, tmp_path: Path):
    """SPEC.md 4: refused."""
    with Firmware(built("shoe"), tmp_path, "--key", KEY.hex(), "--lowest", "1") as firmware:
        host = Host(firmware.port, Session())
        host.until(lambda: "refuses this level" in host.session.reason)
        host.close()
        assert not host.session.live


def test_the_count_of_cards_outlives_the_process(built, tmp_path: Path):
    """SPEC.md 6: non-volatile; the next start goes on, and a host with a memory sees no gap."""
    with joined(built("shoe"), tmp_path) as (firmware, host):
        firmware.play(*draw("8S", "KH"))
        host.until(lambda: len(cards(host)) == 2)
        memory = host.session.memory
    with Firmware(built("shoe"), tmp_path, "--key", KEY.hex()) as firmware:
        host = Host(firmware.port, Session(Policy(keys={DEVICE: KEY}), memory))
        host.live()
        firmware.play(*draw("2C"))
        host.until(lambda: cards(host))
        host.close()
        assert cards(host) == ["2C"]
        assert damage(host, Damage.GAP) == []
        assert host.session.memory.card == 3


def heard_of(firmware: Firmware) -> int:
    """How often the plug has come back by itself."""
    firmware.listen()
    return firmware.said.count("plugged")


def pull_the_plug(program: Path, folder: Path, cycles: int, level: str, seed: int) -> list[float]:
    """Deal while the plug is pulled at random bytes; return how long the shoe was away from the host, in seconds."""
    chance = random.Random(seed)
    dealt: list[str] = []
    away: list[float] = []
    with joined(program, folder, level) as (firmware, host):
        for _ in range(cycles):
            faces = [chance.choice(RANKS) + chance.choice(SUITS) for _ in range(chance.randint(1, 5))]
            dealt += faces
            plugged = firmware.said.count("plugged")
            if chance.random() < 0.3:  # away while cards are drawn, and pulled again in the handshake
                firmware.play("fault unplug", *draw(*faces), f"fault cut {chance.randint(1, 300)} 2", "fault plug")
            else:
                firmware.play(f"fault cut {chance.randint(1, 27 * len(faces))} 2", *draw(*faces))
            host.until(lambda plugged=plugged: heard_of(firmware) > plugged)
            back = time.monotonic()
            host.live()
            away.append(time.monotonic() - back)
        host.until(lambda: len(cards(host)) >= len(dealt))
        assert cards(host) == dealt
        assert [signal for signal in host.signals if isinstance(signal, BytesDamaged) and signal.lost] == []
        assert host.session.counts.connections >= cycles
    return away


@pytest.mark.parametrize("level", LEVELS)
def test_no_card_is_lost_or_doubled_when_the_plug_is_pulled_at_any_byte(built, tmp_path: Path, level: str):
    """trust.md T6: usable 2 s after the device is back."""
    away = pull_the_plug(built("shoe"), tmp_path, CYCLES, level, 6)
    assert max(away) < 2.0


@pytest.mark.long
def test_no_card_is_lost_or_doubled_in_a_thousand_pulls(built, tmp_path: Path):
    """trust.md T6."""
    away = pull_the_plug(built("shoe"), tmp_path, CYCLES_LONG, "authentic", 66)
    assert max(away) < 2.0


@pytest.mark.parametrize("level", LEVELS)
def test_what_was_recorded_says_the_same_again(built, tmp_path: Path, level: str):
    """SPEC.md 7: a tap, or a recording, needs the key and no more; it sends nothing."""
    with joined(built("shoe"), tmp_path, level) as (firmware, host):
        firmware.play("loaded 8", *draw("8S", "KH"), "fault lose 1", *draw("2C", "3D"), "button TIE 0")
        host.until(lambda: len(spoken(host)) == 6)
        keys = LEVELS[level][1]
        tap = Session.tap(Policy(keys=keys))
        heard = [item.signal for item in tap.feed(bytes(host.raw), 1)]
        assert [signal for signal in heard if not isinstance(signal, LinkOpened | LinkProved)] == spoken(host)
        assert tap.outgoing() == b""
        assert tap.live


def test_every_card_that_the_ring_lost_is_told(built, tmp_path: Path):
    """trust.md T6: a gap that cannot be filled is raised, and says which cards."""
    with joined(built("shoe"), tmp_path) as (firmware, host):
        firmware.play("fault unplug")
        host.until(lambda: not firmware.port.exists())
        firmware.play(*draw(*["5D"] * 100), "fault plug")
        host.until(lambda: len(cards(host)) == 64)
        (gap,) = damage(host, Damage.GAP)
        assert (gap.lost, gap.cards) == (36, 36)
        assert re.search(r"cards 1 to 36 unknown", gap.detail)
