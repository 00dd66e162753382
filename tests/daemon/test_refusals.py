"""What keeps the daemon from starting is one clear sentence and an exit code; what does not keep it is on the page."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from controller.core.inputs import CloseShoe, Command, Input
from controller.core.signals import PoweredUp, Signal
from controller.daemon.queued import now
from controller.journal.writer import Journal
from tests.daemon.daemon import HOST, Dealt, Stream, config_of, records, refused, run, table, until
from tests.daemon.dealing import script
from tests.drivers.terminals import LOCKING_HOLDER, held_by
from tests.journal.samples import write_sample

DEVICE, INTEGRITY, CONFIG, USAGE = 5, 4, 78, 2


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that a person gets; nothing of ours falls through it."""
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("tirage run: ")
    assert done.stdout == ""
    return line


@pytest.fixture
def busy():
    """A port that something else listens on."""
    with socket.socket() as line:
        line.bind((HOST, 0))
        line.listen()
        yield line.getsockname()[1]


def with_port(config: Path, key: str, port: int) -> Path:
    config.write_text(re.sub(rf'{key} = "{HOST}:\d+"', f'{key} = "{HOST}:{port}"', config.read_text()))
    return config


@pytest.mark.parametrize("key", ["pit", "metrics"])
def test_a_port_that_is_taken_is_named(tmp_path: Path, busy: int, key: str):
    """Promised: ports busy."""
    done = refused("--config", with_port(config_of(tmp_path), key, busy))
    assert done.returncode == DEVICE
    assert str(busy) in sentence(done)
    assert "in use" in sentence(done).lower()


def test_a_folder_that_another_daemon_records_into_is_left_alone(tmp_path: Path):
    """trust.md 2.2, faults.md A 9: one daemon a folder; the sentence names the other process."""
    with run("--config", config_of(tmp_path)) as daemon:
        (tmp_path / "two").mkdir()
        other = config_of(tmp_path / "two", data="../data")
        done = refused("--config", other)
        assert done.returncode == DEVICE
        assert f"in use by process {daemon.process.pid}" in sentence(done)
        assert daemon.process.poll() is None


def test_a_configuration_that_is_wrong_is_told_with_line_and_fix(tmp_path: Path):
    """Promised; faults.md B 53."""
    config = config_of(tmp_path)
    config.write_text(config.read_text().replace('mode = "hidden"', 'mode = "hiden"'))
    line = config.read_text().splitlines().index('mode = "hiden"') + 1
    done = refused("--config", config)
    assert done.returncode == CONFIG
    assert f"{config}:{line}" in done.stderr.replace(", line ", ":")
    assert '"open", "hidden" or "auto"' in done.stderr
    assert not (tmp_path / "data").exists()


def test_neither_or_both_of_configuration_and_demonstration_is_misuse(tmp_path: Path):
    for arguments in ((), ("--demo", "--config", str(tmp_path / "none.toml"))):
        done = refused(*arguments)
        assert (done.returncode, "give either --config FILE or --demo" in done.stderr) == (USAGE, True)


def test_a_journal_that_was_damaged_is_not_written_to(tmp_path: Path):
    """trust.md 2.2, faults.md A 52, B 39: the sentence names file and line."""
    folder = tmp_path / "data" / "b1"
    with run("--config", config_of(tmp_path)) as daemon:
        daemon.end()
    journal = next(folder.glob("*.jsonl"))
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([lines[0], lines[1].replace(b"started", b"stopped"), *lines[2:]]))
    before = journal.read_bytes()
    done = refused("--config", tmp_path / "tirage.toml")
    assert done.returncode == INTEGRITY
    assert f"{journal.name}, line 2" in sentence(done)
    assert journal.read_bytes() == before


def test_a_journal_of_a_newer_version_is_refused(tmp_path: Path):
    """faults.md B 54: an older reader must refuse a newer format loudly."""
    folder = tmp_path / "data" / "b1"
    folder.mkdir(parents=True)
    (folder / "000001-idle.jsonl").write_text('{"data":{"format":2}}\n')
    (folder / "000001-idle.raw").write_text("# tirage raw 2\n")
    done = refused("--config", config_of(tmp_path))
    assert done.returncode == INTEGRITY
    assert "journal format 2" in sentence(done)


def of_version(folder: Path, software: str, *told: Signal | Command) -> None:
    """Write anew what a daemon of another version would have recorded of such signals."""
    data = folder / "data" / "b1"
    first = records(folder)[0]["data"]
    shutil.rmtree(data)
    with Journal.open(data, table="b1", software=software, profile=first["profile"], driver=first["driver"]) as journal:
        for one in told:
            journal.append_input(Input(one, now()))


@pytest.mark.parametrize("software", ["0.0.9", "99.0"])
def test_another_version_does_not_take_up_an_open_shoe(tmp_path: Path, software: str):
    """faults.md B 54: upgrade and downgrade wait for the end of the shoe; before it and after it they are welcome."""
    with table(tmp_path) as (daemon, _, __):
        daemon.end()
    config = tmp_path / "tirage.toml"
    of_version(tmp_path, software, *script(5, "hidden", shoes=1, hands=1)[:13])
    for _ in range(2):
        done = refused("--config", config)
        assert done.returncode == INTEGRITY
        assert f"shoe 1 is open and version {software} began it" in sentence(done)
    of_version(tmp_path, software, *script(5, "hidden", shoes=1, hands=1)[:11], Command("c1", CloseShoe()))
    with run("--config", config) as daemon:
        assert daemon.end()[0] == 0


def test_a_folder_of_another_table_is_refused(tmp_path: Path):
    write_sample(tmp_path / "data" / "b1")
    done = refused("--config", config_of(tmp_path))
    assert done.returncode == INTEGRITY
    assert "belongs to table bac-7" in sentence(done)


def test_rules_changed_while_a_shoe_is_open_wait_for_its_end(tmp_path: Path):
    """faults.md B 53: changed only with the table closed; what only sets a timer may change at any time."""
    with table(tmp_path) as (daemon, shoe, stream):
        shoe.say(*script(5, "hidden", shoes=1, hands=1)[:13])
        stream.shows("prompt", "PLAYER: card 2")
        daemon.end()
    config = tmp_path / "tirage.toml"
    before = config.read_text()
    config.write_text(before + '[tables.rules]\nburn = "none"\n')
    done = refused("--config", config)
    assert done.returncode == CONFIG
    assert "burn changed while shoe 1 is open; start with the settings of before" in sentence(done)
    config.write_text(before + "[tables.rules]\nsilence_s = 30\n")
    with run("--config", config) as daemon:
        assert daemon.end()[0] == 0


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path):
    """faults.md B 55; a file in the place of the folder stops root too."""
    (tmp_path / "file").write_text("")
    done = refused("--config", config_of(tmp_path, data="file/data"))
    assert done.returncode == DEVICE
    assert str(tmp_path / "file") in sentence(done)
    assert "cannot record" in sentence(done)


def test_a_shoe_that_is_missing_is_told_and_comes_live_when_it_is_there(tmp_path: Path):
    """faults.md A 6 and B 6: the daemon runs on."""
    shoe = Dealt(tmp_path / "shoe")
    with run("--config", config_of(tmp_path)) as daemon:
        stream = Stream(daemon)
        stream.shows("prompt", "The shoe is not connected. Check its cable and its power.")
        assert "NOT LIVE" in stream.parts["status"]
        assert daemon.logged("link lost")["reason"].startswith(f"{tmp_path / 'shoe'} is not there: check the cable")
        shoe.plug()
        stream.shows("status", "CONNECTING")
        shoe.say(PoweredUp())
        stream.until(lambda parts: parts["status"].endswith(" LIVE") and "NOT" not in parts["status"])
        assert daemon.end()[0] == 0
    shoe.pty.unplug()


def losses(folder: Path) -> list[str]:
    """Why the link was lost, as it is recorded."""
    return [record["data"]["reason"] for record in records(folder) if record["kind"] == "link_lost"]


def test_a_shoe_that_another_program_holds_is_told_with_its_name(tmp_path: Path):
    """faults.md B 7: never share; say who has it."""
    shoe = Dealt(tmp_path / "shoe")
    shoe.pty.plug()
    with held_by(LOCKING_HOLDER, tmp_path / "shoe") as pid, run("--config", config_of(tmp_path)) as daemon:
        stream = Stream(daemon)
        stream.shows("status", "NOT LIVE")
        reason = daemon.logged("link lost")["reason"]
        assert f"(process {pid}): stop it, the port cannot be shared" in reason
        until(lambda: losses(tmp_path))  # the log is told first
        assert daemon.end()[0] == 0
        assert losses(tmp_path) == [reason]
        assert f"process {pid}" not in daemon.process.stderr.read()  # told once, not at each try
    shoe.pty.unplug()
