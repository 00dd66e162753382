"""What is simulated, as bytes of the line and back."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from controller.core.signals import BurnCardDrawn, BytesDamaged, CardDrawn, Damage, PoweredUp, ResultCalled
from controller.simulate.dealer import Slip
from controller.simulate.hand import Mode
from controller.simulate.playing import FORMATS, Simulation, Wire, faults_of
from controller.simulate.script import read_script
from drivers.angel_eye import Session
from drivers.ports.capture import Format, read_capture
from tests.simulate.shoes import table

DEADLINE_S = 30
OF_CARDS = (CardDrawn, BurnCardDrawn, ResultCalled)  # a frame of a power-up has no number to be known again by
SIMULATE = "from controller.cli.simulate import simulate; simulate()"
DECODE = "from controller.cli.decode import decode; decode()"


def heard(reads, mode):
    session = Session(mode.value)
    told = [one.signal for data in reads for one in session.feed(data)]
    return told + [one.signal for one in session.flush()]


def simulation(mode, seed=1):
    return Simulation(table(*Slip, mode=mode, rate=0.1), seed)


def called(code, *words: str, stdin=None, check=True):
    return subprocess.run(
        [sys.executable, "-c", code, *words], input=stdin, capture_output=True, check=check, timeout=DEADLINE_S
    )


@pytest.mark.parametrize("form", ["hex", "raw", "bytes"])
@pytest.mark.parametrize("mode", Mode)
def test_the_bytes_say_again_what_was_simulated(mode, form):
    """wire-formats.md 1.1: every signal in three copies, folded into one."""
    made = simulation(mode)
    file = io.BytesIO(b"".join(FORMATS[form](made.steps(), Wire())))
    reads = [chunk.data for chunk in read_capture(file, Format(form))]
    assert heard(reads, mode) == [step.signal for step in made.steps()]


def test_a_sensor_shoe_with_wrong_draws_says_again_what_was_simulated():
    """Seats as the cards really lie fit the same frames."""
    made = Simulation(table(*Slip, sensor=True, rate=0.3), seed=2)
    assert heard(FORMATS["bytes"](made.steps(), Wire()), Mode.OPEN) == [step.signal for step in made.steps()]


def test_a_raw_file_keeps_the_waits():
    """Seconds of the script are seconds of the capture, whose clock starts at zero."""
    steps = list(Simulation(table(), seed=1, hands=2).steps())
    chunks = list(read_capture(io.BytesIO(b"".join(FORMATS["raw"](steps, Wire()))), Format.RAW))
    assert chunks[-1].mono_ns == chunks[-1].utc_ns == pytest.approx(sum(step.wait_s for step in steps) * 1e9, abs=1000)


@pytest.mark.parametrize(
    ("fault", "shows"),
    [
        ("lost-frame=0.05", lambda signals: BytesDamaged in types(signals) and Damage.GAP in damages(signals)),
        ("noise=0.05", lambda signals: Damage.NOISE in damages(signals)),
        ("bit-flip=0.2", lambda signals: damages(signals) & {Damage.CHECKSUM, Damage.NOISE}),
        ("power-up@40", lambda signals: Counter(map(type, signals))[PoweredUp] == 2),
        ("lost-copy=1", lambda signals: not damages(signals)),
    ],
)
def test_a_named_fault_strikes_the_bytes(fault, shows):
    """faults.md A 1-5 and 10."""
    made = Simulation(table(), seed=1)
    assert shows(heard(FORMATS["bytes"](made.steps(), Wire(faults_of([fault]), 1)), Mode.OPEN))


def types(signals):
    return set(map(type, signals))


def damages(signals):
    return {one.damage for one in signals if isinstance(one, BytesDamaged)}


def test_no_flipped_bit_changes_a_card():
    """wire-formats.md 1.1: a copy that does not check is left out, the other two agree."""
    made = Simulation(table(), seed=5)
    told = heard(FORMATS["bytes"](made.steps(), Wire(faults_of(["bit-flip=1"]), 1)), Mode.OPEN)
    assert [one for one in told if not isinstance(one, BytesDamaged)] == [step.signal for step in made.steps()]


def test_the_command_writes_a_script_bytes_and_the_truth(tmp_path):
    """design.md section 6: the truth is in the form of audit lines."""
    truth = tmp_path / "truth.jsonl"
    words = ["--seed", "4", "--hands", "12", "--errors", "0.2", "--truth", str(truth)]
    script = called(SIMULATE, *words).stdout.decode().splitlines()
    hexed = called(SIMULATE, *words, "--format", "hex").stdout.decode().split()
    steps = list(read_script(script))
    assert heard([bytes.fromhex(read) for read in hexed], Mode.HIDDEN) == [step.signal for step in steps]
    *hands, summary = map(json.loads, truth.read_text().splitlines())
    assert [hand["hand"] for hand in hands if hand["hand"]] == list(range(1, 13))
    assert hands[0].keys() >= {"shoe", "hand", "player", "banker", "result", "recorded", "irregularities"}
    labels = Counter(label for hand in hands for label in hand["labels"])
    assert summary["summary"]["labels"] == labels
    assert sum(summary["summary"]["cards"]["1"].values()) == 416


def test_a_script_is_played_as_it_stands(tmp_path):
    """--script FILE gives the bytes of the very shoe it was written from."""
    script = tmp_path / "shoe.jsonl"
    called(SIMULATE, "--hands", "3", "--out", str(script))
    assert (
        called(SIMULATE, "--script", str(script), "--format", "hex").stdout
        == called(SIMULATE, "--hands", "3", "--format", "hex").stdout
    )


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--errors", "2"], 2, b"a rate is a number from 0 to 1"),
        (["--faults", "fire=1", "--format", "hex"], 2, b"expected NAME=RATE, or NAME@N"),
        (["--faults", "noise=1"], 2, b"--faults damages bytes"),
        (["--script", "-"], 3, b"line 1: expected a known kind"),
        (["--pty", "/dev/null/shoe"], 5, b"no pseudo-terminal at /dev/null/shoe"),
        (["--out", "/dev/null/file"], 2, b"cannot write /dev/null/file"),
        (["--pty", "/dev/null"], 2, b"is there already and is no link"),
    ],
)
def test_the_command_says_in_a_sentence_what_cannot_be(words, code, sentence):
    """design.md section 6: exit codes."""
    done = called(SIMULATE, *words, stdin=b'{"kind":"nope"}\n', check=False)
    assert done.returncode == code
    assert sentence in b" ".join(done.stderr.split())
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("mode", Mode)
def test_a_reader_of_the_pseudo_terminal_hears_the_whole_shoe(tmp_path, mode):
    """The whole path: emulator, pseudo-terminal, decoder."""
    path = tmp_path / "shoe"
    words = ["--hands", "5", "--mode", mode.value, "--errors", "overdraw-carried=0.5", "--pace", "0"]
    playing = subprocess.Popen(
        [sys.executable, "-c", SIMULATE, *words, "--pty", str(path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert playing.stdout.readline().strip() == str(path)
        data = read_until_hang_up(path)
        assert playing.wait(DEADLINE_S) == 0
    finally:
        playing.kill()
        playing.stdout.close()
        playing.wait(DEADLINE_S)
    steps = read_script(called(SIMULATE, *words).stdout.decode().splitlines())
    assert heard([data], mode) == [step.signal for step in steps]
    assert not path.is_symlink()


def read_until_hang_up(path: Path) -> bytes:
    fd = os.open(path, os.O_RDONLY | os.O_NOCTTY)
    data, deadline = b"", time.monotonic() + DEADLINE_S
    try:
        while time.monotonic() < deadline:
            part = os.read(fd, 4096)
            if not part:
                break
            data += part
    except OSError:  # EIO: the other end is gone
        pass
    finally:
        os.close(fd)
    return data


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_end_unplugs_the_shoe(tmp_path, number):
    """Nothing is left at the path, and the exit code is clean."""
    path = tmp_path / "shoe"
    playing = subprocess.Popen([sys.executable, "-c", SIMULATE, "--pty", str(path)], stdout=subprocess.PIPE, text=True)
    try:
        playing.stdout.readline()
        assert path.is_symlink()
        playing.send_signal(number)
        assert playing.wait(DEADLINE_S) == 0
    finally:
        playing.kill()
        playing.stdout.close()
        playing.wait(DEADLINE_S)
    assert not path.is_symlink()


def test_decode_lists_every_byte_of_a_capture_once(tmp_path):
    """wire-formats.md 1.1: frames, bad frames and noise cover the line without a hole."""
    words = ["--hands", "4", "--faults", "noise=0.1", "--faults", "bit-flip=0.1", "--format", "hex"]
    capture = called(SIMULATE, *words).stdout
    lines = [json.loads(line) for line in called(DECODE, "-", "--json", stdin=capture).stdout.splitlines()]
    assert " ".join(line["bytes"] for line in lines).replace(" ", "") == capture.decode().replace("\n", "")
    starts = [line["offset"] for line in lines]
    assert starts == sorted(set(starts))
    assert {line["fault"] for line in lines} >= {None, "noise", "bad checksum"}


def test_decode_says_in_words_what_a_frame_means():
    """wire-formats.md 1.3: the vector of an eight of spades on Player 1."""
    line = called(DECODE, "-", stdin=b"053144 81B8033446\n").stdout.decode()
    assert " ".join(line.split()) == "0 1 D x1 card drawn: Player 1, 8S 05 31 44 81 b8 03 34 46"


def test_decode_of_the_field_log_finds_its_frames_and_its_noise(captures):
    """The captures' own figures: 474 frames, all checksums right, 6 noise bytes."""
    done = called(DECODE, str(captures / "angel-eye-a.hex"), "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert sum(line["fault"] is None for line in lines) == 474
    assert done.returncode == 0
    assert [line["bytes"] for line in lines if line["fault"]] == ["ff ff ff ff c5 fc"]


@pytest.mark.parametrize(
    ("words", "capture", "sentence"),
    [
        (["-"], b"053053033630\n0531", b"ends inside a frame"),
        (["-", "--format", "hex"], b"053053033630\n05315", b"line 2"),
        (["-", "--format", "raw"], b"\x050S\x0360\x05", b"ends inside a frame"),
        (["-"], b"053053033630\nxyz\n", b"line 2"),
    ],
)
def test_decode_shows_what_is_whole_and_ends_with_3_where_a_capture_is_cut(words, capture, sentence):
    """design.md section 6: 3 is input cut in mid-record."""
    done = called(DECODE, *words, stdin=capture, check=False)
    assert done.returncode == 3
    assert b"power-up" in done.stdout
    assert sentence in done.stderr


@pytest.mark.parametrize("code", [SIMULATE, DECODE])
def test_help_has_an_example_and_loads_nothing_of_the_work(code):
    """design.md section 6: each --help has an example and answers fast."""
    probe = f"import sys, atexit; atexit.register(lambda: print('LOADED', sorted(sys.modules)))\n{code}"
    done = called(probe, "--help").stdout.decode()
    assert "Examples:" in done
    assert "'controller.core.judge'" not in done
    assert "'drivers.angel_eye'" not in done


@pytest.mark.parametrize("fault", ["doubled=1", "lost-byte@9"])
def test_what_comes_twice_or_lacks_a_byte_makes_no_card_that_was_not_dealt(fault):
    """faults.md, common rule: copies of a frame are one event however many come; one that is cut is no frame."""
    made = simulation(Mode.OPEN)
    told = heard(FORMATS["bytes"](made.steps(), Wire(faults_of([fault]), 1)), Mode.OPEN)
    assert [one for one in told if isinstance(one, OF_CARDS)] == [
        step.signal for step in made.steps() if isinstance(step.signal, OF_CARDS)
    ]
