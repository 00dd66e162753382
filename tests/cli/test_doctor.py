"""`tirage doctor`: the first rung that fails, and what to do (design.md section 6; faults.md A 6, 7 and B 7, 9, 15)."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner, Result

from controller.cli.doctor import doctor
from drivers.emulators import Pty
from tests.drivers.terminals import DEADLINE_S, PLAIN_HOLDER, held_by
from tests.drivers.wire import frame, thrice

NOISE = bytes(range(0x80, 0xC0))
CARD = thrice("0 S", "1 D 81 80")  # hidden: Player 1, face not told
COMMAND = [sys.executable, "-m", "controller", "doctor"]


def called(*arguments: str | Path) -> Result:
    return CliRunner().invoke(doctor, list(map(str, arguments)))


@pytest.fixture
def pty(tmp_path: Path):
    with Pty(tmp_path / "shoe") as pty:
        yield pty


def listening(pty: Pty, said: bytes, *arguments: str | Path, seconds: float = 0.8) -> tuple[int, list[dict]]:
    """Let the doctor listen while a shoe speaks; return exit code and what it says in JSON."""
    command = [*COMMAND, "--json", "--seconds", str(seconds), *map(str, arguments)]
    if not {"--port", "--config"} & set(command):
        command += ["--port", str(pty.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as process:
        try:
            assert asyncio.run(pty.wait_for_reader(DEADLINE_S))
            asyncio.run(pty.write(said))
            told = process.communicate(timeout=DEADLINE_S)[0]
        finally:
            process.kill()
    return process.returncode, [json.loads(line) for line in told.splitlines()]


@pytest.mark.parametrize(
    ("said", "arguments", "rung", "advice"),
    [
        (b"", (), "bytes", "check that the shoe has power"),
        (NOISE, (), "frames", "4800 baud is set, try --baud 9600"),
        (NOISE, ("--baud", "9600"), "frames", "9600 baud is set, try --baud 4800"),
        (NOISE, ("--driver", "line"), "frames", "try --baud 4800"),
        (b"SA\r\nH9\r\n", (), "frames", 'set driver = "line"'),
        (CARD, ("--driver", "line"), "frames", 'set driver = "angel-eye"'),
        (frame("1 D 81 b8") + frame("1 D 82 b8"), (), "events", "damaged or contradict each other"),
        (thrice("0 S", "1 P"), (), "cards", "draw a card while this listens"),
        (b"card 17\r\n", ("--driver", "line"), "cards", "[tables.shoe.codes]"),
    ],
)
def test_the_first_rung_that_fails_is_named_with_what_to_do(pty, said, arguments, rung, advice):
    """Promised: port, bytes, frames, events, cards; wrong baud is bytes but no frames (faults.md A 7)."""
    code, told = listening(pty, said, *arguments)
    *reached, failed, summary = told
    assert (code, failed["name"], failed["ok"]) == (5, rung, False)
    assert all(one["ok"] for one in reached)
    assert advice in failed["advice"]
    assert summary == {"summary": {"failed": rung, "advice": failed["advice"], "shoe": None}}


@pytest.mark.parametrize(("said", "driver"), [(CARD, "angel-eye"), (b"SA\r\n", "line")])
def test_a_card_ends_the_listening_and_all_is_well(pty, said, driver):
    """Design, section 6: exit 0."""
    code, told = listening(pty, said, "--driver", driver, seconds=60)
    assert (code, [one["name"] for one in told[:-1]]) == (0, ["port", "bytes", "frames", "events", "cards"])
    assert told[-1]["summary"]["failed"] is None


def test_a_missing_device_is_told_without_waiting(tmp_path: Path):
    """faults.md A 6: missing port; exit 5 is a device."""
    result = called("--port", tmp_path / "none", "--seconds", "60")
    assert (result.exit_code, result.stdout.split()[:2]) == (5, ["port", "FAIL"])
    assert "check the cable, and that the adapter has power" in result.stdout


def test_a_serial_server_that_hangs_is_named_with_what_to_look_at():
    """faults.md B 9: a server that takes the connection and says nothing; more patience would not help."""
    with socket.create_server(("127.0.0.1", 0)) as frozen:
        result = called("--port", f"rfc2217://127.0.0.1:{frozen.getsockname()[1]}", "--seconds", "0.5")
    assert (result.exit_code, result.stdout.split()[:2]) == (5, ["port", "FAIL"])
    assert "the serial server does not answer" in result.stdout
    assert "check that this port of it serves rfc2217" in result.stdout
    assert "--seconds" not in result.stdout


def test_a_program_that_holds_the_port_is_named(pty):
    """faults.md B 7: a clear message naming the holder."""
    with held_by(PLAIN_HOLDER, pty.path) as pid:
        result = called("--port", pty.path, "--seconds", "60")
    assert (result.exit_code, f"(process {pid})" in result.stdout) == (5, True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every device")
def test_a_missing_permission_names_the_group(pty):
    """faults.md B 55."""
    pty.path.resolve().chmod(0)
    result = called("--port", pty.path)
    assert (result.exit_code, "no permission" in result.stdout) == (5, True)


def test_the_table_of_a_configuration_may_be_named(pty, tmp_path: Path):
    """Promised: --config FILE --table ID."""
    file = tmp_path / "tirage.toml"
    table = '[[tables]]\nid = "{}"\nname = "x"\nshoe = {{ driver = "angel-eye", port = "{}" }}\n'
    file.write_text('data = "d"\n' + table.format("b1", "/dev/none") + table.format("b2", pty.path))
    assert listening(pty, CARD, "--config", file, "--table", "b2", seconds=60)[0] == 0
    assert called("--config", file).exit_code == 2
    assert "--table b1 | b2" in called("--config", file).stderr


@pytest.mark.parametrize("arguments", [(), ("--port", "ttyUSB0"), ("--port", "socket://host"), ("--driver", "x")])
def test_wrong_usage_is_exit_2(arguments):
    """Design, section 6."""
    assert called(*arguments).exit_code == 2


def test_a_bad_configuration_is_exit_78(tmp_path: Path):
    """Design, section 6."""
    assert called("--config", tmp_path / "none.toml").exit_code == 78


def test_a_bundle_has_no_faces_of_the_shoe(pty, tmp_path: Path):
    """Promised: no faces of an open shoe, neither as text nor as the bytes of the line."""
    bundle = tmp_path / "out.zip"
    said = thrice("0 S", "1 P") + thrice("2 G 91")
    listening(pty, said + thrice("3 D 81 b8"), "--bundle", bundle)
    with ZipFile(bundle) as made:
        text = "".join(made.read(name).decode() for name in made.namelist())
        report = json.loads(made.read("report.json"))
    assert report["heard"][:2] == ["PoweredUp", "StoodBy"]
    assert "CardDrawn" in report["heard"]
    assert report["figures"]["frames"] >= 9
    assert not [face for face in ("8S", "b8", "B8", "spades", "eight", "\\u00b8") if face in text.replace("0x", "")]


def test_a_bundle_has_no_address(tmp_path: Path):
    """Promised: no addresses; a name of a host is one."""
    bundle = tmp_path / "out.zip"
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = f"socket://127.0.0.1:{closed.getsockname()[1]}"
    result = called("--port", port, "--bundle", bundle)
    assert (result.exit_code, "127.0.0.1" in result.stdout) == (5, True)
    with ZipFile(bundle) as made:
        text = "".join(made.read(name).decode() for name in made.namelist())
    assert ("127.0.0.1" in text, "socket://(address):" in text) == (False, True)


def test_a_bundle_says_nothing_of_the_configuration_that_is_secret(tmp_path: Path):
    """Promised: no secrets, no addresses."""
    file, bundle = tmp_path / "tirage.toml", tmp_path / "out.zip"
    file.write_text(
        'data = "d"\n[server]\ntoken = "correct-horse-battery"\nhosts = ["pit.example"]\n'
        '[[tables]]\nid = "b1"\nname = "x"\nshoe = { driver = "angel-eye", port = "/dev/none" }\n'
    )
    called("--config", file, "--bundle", bundle)
    with ZipFile(bundle) as made:
        text = "".join(made.read(name).decode() for name in made.namelist())
    assert not [secret for secret in ("correct-horse", "pit.example", socket.gethostname()) if secret in text]


def test_help_has_an_example():
    """Design, section 6: each --help has an example."""
    assert "tirage doctor --port /dev/serial/by-id" in called("--help").stdout


def test_a_port_that_is_misspelt_plainly_is_answered_with_the_right_spelling():
    """RFC 3986 3.2.2: an IPv6 address stands in brackets before a port number."""
    done = called("--port", "rfc2217://::1:4001")
    assert done.exit_code == 2
    assert "did you mean rfc2217://[::1]:4001?" in done.stderr
