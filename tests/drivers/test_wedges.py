"""Keyboard-wedge scanners: what they type as the lines of a `line` shoe (wire-formats.md section 2)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.line import DEFAULT_CODES, LONGEST_LINE_BYTES, Session
from drivers.ports import PortLostError, port_address
from drivers.ports.keys import Keys
from drivers.ports.plugged import plugged
from drivers.ports.wedge import WedgePort
from tests.drivers.beds import DATA, ENVIRONMENT, Bed, Heard, bed, reader, reading, replaying, running

SCANNER = "wedge:/dev/input/by-id/usb-Scanner_SCAN7-event-kbd"
# linux/input-event-codes.h, written out here: key names of a US keyboard.
CODES = {
    **{text: (2 + place, False) for place, text in enumerate("1234567890")},
    **{text: (16 + place, False) for place, text in enumerate("qwertyuiop")},
    **{text: (30 + place, False) for place, text in enumerate("asdfghjkl")},
    **{text: (44 + place, False) for place, text in enumerate("zxcvbnm")},
    "-": (12, False),
    "_": (12, True),
    "*": (9, True),
    "#": (4, True),
    ":": (39, True),
    "/": (53, False),
    ".": (52, False),
    " ": (57, False),
}
CODES |= {text.upper(): (code, True) for text, (code, _) in list(CODES.items()) if text.isalpha()}
SHIFT, CONTROL, ENTER, CAPS, F1, KEYPAD_7, KEYPAD_ENTER = 42, 29, 28, 58, 59, 71, 96


def event(kind: int, code: int, value: int) -> bytes:
    return struct.pack("@llHHi", 1, 2, kind, code, value)


REPORT, DROPPED = event(0, 0, 0), event(0, 3, 0)


def press(code: int) -> bytes:
    return event(4, 4, 458_756) + event(1, code, 1) + REPORT + event(1, code, 0) + REPORT


def with_key(held: int, events: bytes) -> bytes:
    return event(1, held, 1) + REPORT + events + event(1, held, 0) + REPORT


def typed(text: str) -> bytes:
    keys = (CODES[one] for one in text)
    return b"".join(with_key(SHIFT, press(code)) if shifted else press(code) for code, shifted in keys)


def cards(events: bytes) -> list[str]:
    """What a line shoe hears."""
    session = Session()
    heard = [*session.feed(Keys().feed(events)), *session.flush()]
    return [str(getattr(one.signal, "card", None) or type(one.signal).__name__) for one in heard]


def test_a_scan_is_a_line():
    assert Keys().feed(typed("H10") + press(ENTER)) == b"H10\r\n"
    assert cards(typed("H10") + press(ENTER)) == ["TH"]


def test_every_code_of_the_default_table_can_be_scanned():
    """wire-formats.md section 2: suit letter, then the rank."""
    for code, card in DEFAULT_CODES.items():
        assert cards(typed(code) + press(ENTER)) == [str(card)]


@given(st.text(sorted(CODES), min_size=1, max_size=LONGEST_LINE_BYTES), st.data())
def test_text_comes_through_however_the_reads_cut_it(text: str, data: st.DataObject):
    """faults.md B 12: a read may hold half an event."""
    events, keys, out = typed(text) + press(ENTER), Keys(), b""
    while events:
        size = data.draw(st.integers(1, len(events)))
        out += keys.feed(events[:size])
        events = events[size:]
    assert out == text.encode() + b"\r\n"


@given(st.binary(max_size=600))
def test_garbage_makes_no_exception_and_no_more_text_than_events(garbage: bytes):
    """faults.md B 20."""
    assert len(Keys().feed(garbage)) <= 2 * (len(garbage) // 24)


def test_a_key_that_is_held_types_once():
    """The kernel repeats a key that is held down; a scanner never means that."""
    held = event(1, CODES["s"][0], 1) + event(1, CODES["s"][0], 2) * 5 + event(1, CODES["s"][0], 0)
    assert Keys().feed(held) == b"s"


def test_the_block_of_figures_and_its_enter_type_too():
    assert Keys().feed(press(KEYPAD_7) + press(KEYPAD_ENTER)) == b"7\r\n"


def test_a_lock_of_capitals_changes_no_code():
    """wire-formats.md section 2: case varies."""
    assert cards(press(CAPS) + typed("sa") + press(ENTER)) == ["AS"]


@pytest.mark.parametrize(
    "hole",
    [press(F1), with_key(CONTROL, press(CODES["0"][0])), DROPPED + typed("0") + REPORT],
    ids=["key without a text", "control", "events that the kernel dropped"],
)
def test_what_cannot_be_text_spoils_its_line_and_no_other(hole: bytes):
    """wire-formats.md section 2: never a default card. Without the hole the line would read as the ace of hearts."""
    told = cards(typed("SK") + press(ENTER) + typed("H1") + hole + press(ENTER) + typed("DA") + press(ENTER))
    assert told == ["KS", "BytesDamaged", "AD"]
    assert "AH" not in told


def test_events_are_taken_again_after_the_report_that_follows_a_drop():
    """Kernel, event codes: all up to the next SYN_REPORT is to be left out, a shift that was held too."""
    lost = event(1, SHIFT, 1) + DROPPED + press(CODES["a"][0]) + press(CODES["b"][0])
    assert Keys().feed(lost) == b"\x1ab"


# The port.


@pytest.mark.parametrize("what", ["a file", "nothing", "a folder"])
def test_what_is_no_scanner_is_told_in_a_sentence(tmp_path: Path, what: str):
    path = tmp_path / "event7"
    if what == "a file":
        path.touch()
    path = tmp_path if what == "a folder" else path
    with pytest.raises(PortLostError) as lost:
        WedgePort(str(path))
    assert {"nothing": "is not there"}.get(what, "is no input device") in lost.value.reason


def test_a_terminal_is_no_scanner():
    with pytest.raises(PortLostError, match="is no input device"):
        WedgePort("/dev/ptmx")


def test_the_port_is_written_with_its_kind():
    assert port_address(SCANNER).path == SCANNER.removeprefix("wedge:")
    with pytest.raises(ValueError, match="wedge"):
        port_address("wedge:event7")


# A recording, replayed by umockdev.


@pytest.fixture
def usb() -> Iterator[Bed]:
    with bed() as made:
        yield made


def test_a_recorded_scanner_deals_its_cards():
    """hardware-tests.md 2.2: recorded at a HID keyboard behind dummy_hcd, under Debian's 6.1 kernel."""
    command = replaying(reader("wedge:/dev/input/event1"), "scanner.umockdev", "-e", "/dev/input/event1=scanner.events")
    with running(command, ENVIRONMENT) as lines:
        heard = Heard(lines).until(lambda one: one.data.count(b"\n") == 3)
        assert heard.data == b"SA\r\nH10\r\ndk\r\n"


def test_rows_1_and_2_a_scanner_that_comes_back_under_another_number_is_read_again(usb: Bed):
    """faults.md B 1, 2, 6: by its name under by-id; the pulling is one loss."""
    with reading(usb, SCANNER) as heard:
        assert "is not there" in heard.event("lost")
        for number in (7, 8):
            usb.ask(f"scanner {number} {DATA / 'scanner.events'}")
            known = len(heard.data)
            heard.until(lambda one: one.data.endswith(b"dk\r\n") and len(one.data) > known)  # noqa: B023
            usb.ask(f"pull {number}")
            assert "unplugged" in heard.event("lost")
        assert heard.data == b"SA\r\nH10\r\ndk\r\n" * 2
        assert heard.kinds == ["opened", "lost"] * 2


@pytest.mark.parametrize(("serial", "name"), [("SCAN7", "by-id/usb-Scanner_SCAN7"), ("", "by-path/pci-usb-1-3")])
def test_a_scanner_is_listed_by_the_name_for_a_configuration(tmp_path: Path, serial: str, name: str):
    """faults.md B 2, 3: by its serial number, by its socket where it has none; laid out as Linux does."""
    plug, device = tmp_path / "sys/devices/usb1/1-3", tmp_path / "dev/input/event7"
    entry = plug / "1-3:1.0/input/input7/event7"
    (entry / "device").mkdir(parents=True)
    for attribute, text in {"idVendor": "1209", "idProduct": "0002", "product": "Scanner", "serial": serial}.items():
        (plug / attribute).write_text(f"{text}\n")
    (tmp_path / "sys/class/input").mkdir(parents=True)
    (tmp_path / "sys/class/input/event7").symlink_to(entry)
    for folder, link in (("by-id", "usb-Scanner_SCAN7"), ("by-path", "pci-usb-1-3")):
        (tmp_path / "dev/input" / folder).mkdir(parents=True)
        (tmp_path / "dev/input" / folder / f"{link}-event-kbd").symlink_to(device)
    device.touch()
    (found,) = plugged(tmp_path / "sys", tmp_path / "dev")
    assert found.identity == f"wedge:{tmp_path}/dev/input/{name}-event-kbd"
    assert port_address(found.identity).device == found.device
