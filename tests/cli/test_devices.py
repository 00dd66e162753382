"""`tirage devices`: what is plugged in, by identity (wire-formats.md section 4; faults.md B 2, 3, 7)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.cli.devices import devices, lines, listed, missing
from controller.config import load
from drivers.ports.plugged import Plugged, plugged

FTDI = {"idVendor": "0403", "idProduct": "6001", "serial": "A10KZP45", "product": "FT232R USB UART"}
CH340 = {"idVendor": "1a86", "idProduct": "7523", "product": "USB Serial"}


class Machine:
    """The parts of /sys and /dev that tell of serial devices, laid out as Linux does."""

    def __init__(self, root: Path) -> None:
        self.sys, self.dev = root / "sys", root / "dev"
        (self.sys / "class" / "tty").mkdir(parents=True)
        (self.dev / "serial" / "by-id").mkdir(parents=True)
        (self.dev / "serial" / "by-path").mkdir()

    def usb(self, name: str, socket: str, tells: dict[str, str], by_id: str) -> None:
        plug = self.sys / "devices" / "usb1" / socket
        port = plug / f"{socket}:1.0" / name
        (port / "tty" / name).mkdir(parents=True)
        for attribute, text in tells.items():
            (plug / attribute).write_text(f"{text}\n")
        (port / "tty" / name / "device").symlink_to(port)
        (self.sys / "class" / "tty" / name).symlink_to(port / "tty" / name)
        (self.dev / name).touch()
        link = self.dev / "serial" / "by-id" / by_id
        link.unlink(missing_ok=True)  # udev gives a name that two want to one of them
        link.symlink_to(self.dev / name)
        (self.dev / "serial" / "by-path" / f"pci-0000:00:14.0-usb-0:{socket}:1.0-port0").symlink_to(self.dev / name)

    def built_in(self, name: str, kind: str) -> None:
        port = self.sys / "devices" / "platform" / "serial8250" / name
        (port / "device").mkdir(parents=True)
        (port / "type").write_text(f"{kind}\n")
        (self.sys / "class" / "tty" / name).symlink_to(port)
        (self.dev / name).touch()

    def found(self) -> list[Plugged]:
        return plugged(self.sys, self.dev)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    made.built_in("ttyS0", "4")
    made.built_in("ttyS1", "0")  # a place that the kernel keeps, with no chip behind it
    (made.sys / "class" / "tty" / "tty1").mkdir()  # a console
    made.usb("ttyUSB0", "1-1", FTDI, "usb-FTDI_FT232R_USB_UART_A10KZP45-if00-port0")
    return made


def names(found: list[Plugged], machine: Machine) -> list[str]:
    return [one.identity.removeprefix(f"{machine.dev}/") for one in found]


def test_a_device_is_named_by_its_serial_number(machine: Machine):
    """faults.md B 2: bind to by-id, never to the name that may change."""
    assert names(machine.found(), machine) == ["ttyS0", "serial/by-id/usb-FTDI_FT232R_USB_UART_A10KZP45-if00-port0"]
    _, ftdi = machine.found()
    assert (ftdi.vid, ftdi.pid, ftdi.serial, ftdi.product) == ("0403", "6001", "A10KZP45", "FT232R USB UART")


@pytest.mark.parametrize("twins", [1, 2])
def test_an_adapter_without_a_serial_number_is_named_by_its_socket(machine: Machine, twins: int):
    """faults.md B 3: two adapters with no serial number, by-path; the by-id name leads to either."""
    for number in range(1, twins + 1):
        machine.usb(f"ttyUSB{number}", f"1-{number + 1}", CH340, "usb-1a86_USB_Serial-if00-port0")
    found = machine.found()[2:]
    assert names(found, machine) == [
        f"serial/by-path/pci-0000:00:14.0-usb-0:1-{number + 1}:1.0-port0" for number in range(1, twins + 1)
    ]
    assert [one.twin for one in found] == [twins == 2] * twins
    assert all("socket it is plugged into" in "".join(lines(item)) for item in listed(found, ()))


def test_adapters_of_one_serial_number_are_named_by_their_sockets(machine: Machine):
    """faults.md B 3: an identity that two have is none."""
    machine.usb("ttyUSB1", "1-2", FTDI, "usb-FTDI_FT232R_USB_UART_A10KZP45-if00-port0")
    assert all("by-path" in one.identity and one.twin for one in machine.found()[1:])


def test_each_device_says_which_table_reads_it(machine: Machine, tmp_path: Path):
    """Promised: what would match; a table may name the device by any of its names."""
    table = '[[tables]]\nid = "{}"\nname = "x"\nshoe = {{ driver = "angel-eye", port = "{}" }}\n'
    ports = {
        "b1": machine.dev / "serial" / "by-path" / "pci-0000:00:14.0-usb-0:1-1:1.0-port0",
        "b2": machine.dev / "ttyUSB7",
        "b3": "socket://192.0.2.7:4001",
    }
    file = tmp_path / "tirage.toml"
    file.write_text('data = "d"\n' + "".join(table.format(*one) for one in ports.items()))
    tables = load(file).tables
    found = list(listed(machine.found(), tables))
    assert [one["table"] for one in found] == [None, "b1"]
    assert [(one["table"], one["note"]) for one in missing(found, tables)] == [
        ("b2", "is not there"),
        ("b3", "is a serial server: try `tirage doctor`"),
    ]


def test_a_holder_is_named():
    """faults.md B 7: a message naming the holder."""
    (line,) = [
        line for line in lines(next(listed([Plugged("/dev/x", held_by=("mm (process 7)",))], ()))) if "mm" in line
    ]
    assert line.strip() == "held by mm (process 7)"


def test_a_port_that_is_no_hardware_names_who_holds_it_too(tmp_path: Path):
    """faults.md B 7: a second program on the port is named, on a pseudo-terminal as on a cable."""
    ours, theirs = os.openpty()
    port, file = tmp_path / "shoe", tmp_path / "tirage.toml"
    port.symlink_to(os.ttyname(theirs))
    file.write_text(
        'data = "d"\n[[tables]]\nid = "b1"\nname = "x"\nshoe = { driver = "angel-eye", port = "' + str(port) + '" }\n'
    )
    reader = subprocess.Popen(["sleep", "60"], stdin=theirs)
    try:
        told = CliRunner().invoke(devices, ["--config", str(file)]).stdout
        as_json = CliRunner().invoke(devices, ["--config", str(file), "--json"]).stdout
    finally:
        reader.kill()
        reader.wait()
        os.close(ours)
        os.close(theirs)
    assert f"table b1: {port} is there, and no hardware; held by sleep (process {reader.pid})" in told
    *_, away, _ = map(json.loads, as_json.splitlines())
    assert away["held_by"] == [f"sleep (process {reader.pid})"]


def test_the_command_lists_this_machine_as_json():
    """Design, section 6: JSON lines, the summary last; nothing is opened, so it works on any machine."""
    result = CliRunner().invoke(devices, ["--json"])
    *found, last = map(json.loads, result.stdout.splitlines())
    assert (result.exit_code, last) == (0, {"summary": {"devices": len(found), "missing": 0}})
    assert all(one["identity"].startswith("/") for one in found)


def test_a_bad_configuration_is_exit_78(tmp_path: Path):
    """Design, section 6."""
    assert CliRunner().invoke(devices, ["--config", str(tmp_path / "none.toml")]).exit_code == 78


def test_help_has_an_example():
    """Design, section 6: each --help has an example."""
    assert "tirage devices --json" in CliRunner().invoke(devices, ["--help"]).stdout
