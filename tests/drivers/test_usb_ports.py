"""USB shoes: real libusb and real pyusb at a simulated bus (hardware-tests.md 2.1; faults.md B)."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.drivers.beds import (
    DEADLINE_S,
    ENVIRONMENT,
    REPOSITORY,
    VID_PID,
    Bed,
    Heard,
    bed,
    reader,
    reading,
    replaying,
    running,
)

SHOE = f"usb:{VID_PID}:SHOE7"
CYCLES = 50
USABLE_S = 2.0  # from the plug to the first byte
CARDS = b"SA\r\nH10\r\nDK\r\nC4\r\n"


@pytest.fixture
def usb() -> Iterator[Bed]:
    with bed() as made:
        yield made


def test_what_a_shoe_says_is_read_at_the_endpoint_that_its_descriptors_name(usb: Bed):
    """hardware-tests.md 2.3: endpoints may be numbered anew, so none goes by its number."""
    usb.plug()
    with reading(usb, SHOE) as heard:
        assert heard.event("opened") == SHOE
        usb.say(b"SA\r\n")
        heard.until(lambda one: one.data == b"SA\r\n")


def test_a_long_burst_comes_whole_and_in_order(usb: Bed):
    """faults.md B 10: what was late comes in order, none is lost; also where the last packet is full."""
    burst = Random(7).randbytes(64 * 150)
    usb.plug()
    usb.say(burst)
    with reading(usb, SHOE) as heard:
        heard.until(lambda one: len(one.data) >= len(burst))
        assert heard.data == burst


def test_nothing_is_ever_sent_to_the_shoe(usb: Bed):
    """wire-formats.md section 4: read-only; it is not even configured anew, which resets many devices (B 8)."""
    usb.plug()
    with reading(usb, SHOE) as heard:
        usb.say(b"SA\r\n")
        heard.until(lambda one: one.data)
        assert set(usb.told()) <= {"claim-0", "timeout"}


def test_a_shoe_that_is_silent_is_not_lost(usb: Bed):
    """hardware-tests.md 2.1: a read that runs out is no error of the device."""
    usb.plug()
    with reading(usb, SHOE) as heard:
        heard.event("opened")
        until = time.monotonic() + DEADLINE_S
        while usb.told().get("timeout", 0) < 3:
            assert time.monotonic() < until
        usb.say(b"SA\r\n")
        heard.until(lambda one: one.data == b"SA\r\n")
        assert heard.kinds == ["opened"]


def test_a_stall_is_cleared_and_costs_no_byte(usb: Bed):
    """hardware-tests.md 2.1: EPIPE; three in a row are borne."""
    usb.plug()
    with reading(usb, SHOE) as heard:
        heard.event("opened")
        usb.ask("stall 1-1 3")
        usb.say(b"SA\r\n")
        heard.until(lambda one: one.data == b"SA\r\n")
        assert heard.kinds == ["opened"]
        assert usb.told()["clear"] == 3


def test_a_shoe_that_stalls_without_end_is_lost_and_tried_again(usb: Bed):
    """Bounded retries: after the third clearing in a row the port is given up, and opened anew."""
    usb.plug()
    with reading(usb, SHOE) as heard:
        heard.event("opened")
        usb.ask("stall 1-1 4")
        assert "stalls again and again" in heard.event("lost")
        usb.say(b"SA\r\n")
        heard.until(lambda one: one.data == b"SA\r\n")
        assert heard.kinds == ["opened", "lost", "opened"]


@pytest.mark.parametrize("number", [5, 19, 71, 108])
def test_each_way_of_telling_an_unplugging_is_one_loss(usb: Bed, number: int):
    """hardware-tests.md 2.3: EIO, ENODEV, EPROTO and ESHUTDOWN; faults.md B 6: one loss, no exception loop."""
    usb.plug()
    with reading(usb, SHOE) as heard:
        heard.event("opened")
        usb.ask(f"fail 1-1 {number}")
        assert heard.event("lost") == f"{SHOE} was unplugged, or lost its power"
        usb.say(b"SA\r\n")
        heard.until(lambda one: one.data == b"SA\r\n")
        assert heard.kinds == ["opened", "lost", "opened"]


def test_an_error_that_nobody_knows_is_a_loss_too(usb: Bed):
    """hardware-tests.md 5: any error is a loss; EOVERFLOW stands for the rest."""
    usb.plug()
    with reading(usb, SHOE) as heard:
        heard.event("opened")
        usb.ask("fail 1-1 75")
        assert "was lost" in heard.event("lost")


def test_rows_1_2_and_6_a_shoe_that_comes_back_under_another_number_is_usable_within_two_seconds(usb: Bed):
    """faults.md B 1, 2, 6: found by its identity; each pulling is one loss, at a random byte of a random packet."""
    chance, everything = Random(11), b""
    with reading(usb, SHOE) as heard:
        heard.until(lambda one: one.events)  # it is not there yet
        for number in range(2, 2 + CYCLES):
            usb.plug(socket="1-1", number=number)
            plugged = time.monotonic()
            said = chance.randbytes(chance.randrange(1, 200))
            everything += said
            usb.say(said)
            heard.until(lambda one: one.data == everything)  # noqa: B023 - asked in this round only
            assert time.monotonic() - plugged < USABLE_S
            usb.ask("unplug 1-1")
            assert heard.event("lost") == f"{SHOE} was unplugged, or lost its power"
        assert heard.kinds == ["opened", "lost"] * CYCLES


def test_udev_tells_of_a_plug_so_that_nobody_waits_for_the_next_try(usb: Bed):
    """Hot-plug by pyudev: the next try would be in an hour."""
    with reading(usb, SHOE, 9600, 3600) as heard:
        assert "is not there" in heard.event("lost")
        usb.plug()
        heard.event("opened")


def test_row_3_two_shoes_without_a_serial_number_are_told_apart_by_their_sockets(usb: Bed):
    """faults.md B 3: refuse when the identity is ambiguous, and name what is not."""
    usb.plug("1-1", 2, serial="-")
    usb.plug("1-1.4", 3, serial="-")
    with reading(usb, f"usb:{VID_PID}") as heard:
        lost = heard.event("lost")
        assert f"could be 2 devices: name one, usb:{VID_PID}@1-1 or usb:{VID_PID}@1-1.4" in lost
    with reading(usb, f"usb:{VID_PID}@1-1.4") as heard:
        heard.event("opened")
        usb.say(b"wrong", "1-1")
        usb.say(b"right", "1-1.4")
        heard.until(lambda one: one.data)
        assert heard.data == b"right"


def test_row_3_a_serial_number_that_two_shoes_have_is_none(usb: Bed):
    """faults.md B 3."""
    usb.plug("1-1", 2)
    usb.plug("1-2", 3)
    with reading(usb, SHOE) as heard:
        assert "could be 2 devices" in heard.event("lost")


def test_row_4_another_shoe_in_the_same_socket_is_not_taken_for_the_one_that_was_there(usb: Bed):
    """faults.md B 4: a port that names its shoe reads no other, and goes on when the right one is back."""
    usb.plug()
    with reading(usb, SHOE) as heard:
        heard.event("opened")
        usb.ask("unplug 1-1")
        heard.event("lost")
        usb.plug(number=3, serial="SHOE8")
        usb.say(b"of another shoe")
        assert "is not there" in heard.event("lost")
        usb.ask("unplug 1-1")
        usb.plug(number=4)
        usb.say(b"SA\r\n")
        heard.until(lambda one: one.data)
        assert heard.data == b"SA\r\n"


def test_row_7_a_shoe_that_another_program_reads_is_never_shared(usb: Bed):
    """faults.md B 7: told as held, taken once it is free."""
    usb.plug()
    with reading(usb, SHOE) as second_comer, reading(usb, SHOE) as first:
        held, waits = sorted((first, second_comer), key=lambda one: one.until(lambda it: it.events).events[0])[::-1]
        assert [held.kinds, waits.kinds] == [["opened"], ["lost"]]
        assert "is held by" in waits.events[0][1]
        if held is first:
            usb.say(b"SA\r\n")
            held.until(lambda one: one.data == b"SA\r\n")


@pytest.mark.parametrize("baud", [4800, 115_200])
def test_a_serial_line_on_usb_is_taken_from_the_kernel_and_set_to_its_speed(usb: Bed, baud: int):
    """CDC 1.2 PSTN 6.3.10; faults.md B 8: neither DTR nor RTS is touched."""
    usb.plug(kind="acm")
    with reading(usb, SHOE, baud) as heard:
        heard.event("opened")
        usb.say(b"SA\r\n")
        heard.until(lambda one: one.data == b"SA\r\n")
        told = usb.told()
        line = "2120000000000700" + baud.to_bytes(4, "little").hex() + "000008"
        assert {what for what in told if what.startswith("control ")} == {f"control {line}"}
        assert told["detach"] >= 1
        assert told["claim-1"] == 1


def test_a_shoe_that_is_not_there_and_a_port_that_is_none(usb: Bed):
    """Every reason is a sentence; another device on the bus is not taken for it."""
    usb.plug(serial="SHOE8")
    with reading(usb, SHOE) as heard:
        assert heard.event("lost") == f"{SHOE} is not there: check the cable, and that the shoe has power"


# A recording.

RECORDED_AT = "/sys/devices/platform/dummy_hcd.0/usb1/1-1"


def test_a_recorded_shoe_is_heard_byte_for_byte():
    """hardware-tests.md 2.2: recorded by usbmon at a gadget behind dummy_hcd, under Debian's 6.1 kernel.

    It has five writes of the shoe, one of them longer than a packet, and reads that ran out between them.
    """
    said = ["SA", "H10", "DK", *(suit + rank for suit in "SHC" for rank in "23456789TJ"), "C4"]
    everything = "".join(f"{one}\r\n" for one in said).encode()
    command = replaying(reader(SHOE), "shoe.umockdev", "-p", f"{RECORDED_AT}=shoe.pcap")
    with running(command, ENVIRONMENT) as lines:
        heard = Heard(lines).until(lambda one: len(one.data) >= len(everything))
        assert heard.data == everything
        assert heard.kinds == ["opened"]


# The programs.


def test_devices_lists_a_usb_shoe_by_the_name_for_a_configuration(usb: Bed, tmp_path: Path):
    """The issue's words: what is plugged in, by identity, and what would match; twins by their sockets."""
    usb.plug("1-1", 2, serial="SHOE7")
    usb.plug("1-2", 3, serial="-")
    config = tmp_path / "tirage.toml"
    config.write_text(configured(SHOE))
    told = [json.loads(line) for line in usb.run("devices", "--config", str(config), "--json").stdout.splitlines()]
    assert [(one["identity"], one["table"]) for one in told[:-1]] == [(SHOE, "b1"), (f"usb:{VID_PID}@1-2", None)]
    assert told[-1] == {"summary": {"devices": 2, "missing": 0}}
    assert "no serial number" in usb.run("devices").stdout


def test_check_config_says_whether_the_shoe_is_there(usb: Bed, tmp_path: Path):
    """A shoe that is not connected now is no problem; two tables at one shoe are."""
    config = tmp_path / "tirage.toml"
    config.write_text(configured(SHOE))
    assert "(not connected now)" in usb.run("check-config", str(config)).stdout
    usb.plug()
    assert "(not connected now)" not in usb.run("check-config", str(config)).stdout


def test_doctor_climbs_to_the_cards_of_a_usb_shoe(usb: Bed):
    """The issue's words: port, bytes, frames, events, cards."""
    usb.plug()
    usb.say(CARDS)
    done = usb.run("doctor", "--port", SHOE, "--driver", "line")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split()[:2] for line in done.stdout.splitlines()[:5]] == [
        [rung, "ok"] for rung in ("port", "bytes", "frames", "events", "cards")
    ]


def test_doctor_says_what_to_do_about_a_usb_shoe_that_is_not_there(usb: Bed):
    done = usb.run("doctor", "--port", SHOE, "--driver", "line")
    assert done.returncode == 5
    assert "check the cable, and that the shoe has power" in done.stdout


def configured(port: str) -> str:
    return f"""data = "data"
[[tables]]
id = "b1"
name = "Baccarat 1"
deal = "face_up"
[tables.shoe]
driver = "line"
port = "{port}"
[tables.rules]
closes = "controller"
burn = "none"
"""


WITHOUT_THE_SYSTEMS = """
import ctypes.util
ctypes.util.find_library = lambda name: None
from drivers.ports.usb import _backend
print(_backend().lib._name)
"""


def test_where_the_system_has_no_libusb_the_one_of_a_package_serves():
    """The issue's words: system libusb with libusb-package as fallback. Only loading it can be seen without a bus."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_THE_SYSTEMS], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert "libusb_package" in done.stdout, done.stderr
