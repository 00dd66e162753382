"""Descriptors of USB devices: where the bytes come out, and nothing from garbage (USB 2.0 section 9.6)."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.ports.usb_descriptors import Pipe, pipe_of
from drivers.ports.usb_devices import usb_address

DEVICE = struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x0200, 0, 0, 0, 64, 0x1209, 1, 0x0100, 1, 2, 3, 1)


def configuration(number: int = 1) -> bytes:
    return bytes((9, 2, 0, 0, 1, number, 0, 0x80, 50))


def interface(number: int, kind: int, subclass: int = 0, alternate: int = 0) -> bytes:
    return bytes((9, 4, number, alternate, 2, kind, subclass, 0, 0))


def endpoint(address: int, kind: int, packet: int = 64) -> bytes:
    return struct.pack("<BBBBHB", 7, 5, address, kind, packet, 1)


BULK, INTERRUPT, VENDOR, CDC, CDC_DATA, STORAGE = 2, 3, 0xFF, 2, 0x0A, 8
PAIR = endpoint(0x03, BULK) + endpoint(0x82, BULK)


def test_a_vendor_specific_pair_is_found_among_other_endpoints():
    """The first bulk endpoint of each direction; interrupts are none, whatever their numbers."""
    told = DEVICE + configuration(3) + interface(0, VENDOR) + endpoint(0x81, INTERRUPT, 8) + PAIR
    assert pipe_of(told) == Pipe(3, 0, inward=0x82, outward=0x03, packet_bytes=64)


def test_a_serial_line_has_its_speed_set_at_another_interface():
    """CDC 1.2: control interface with an interrupt endpoint, data interface with the pair."""
    told = (
        DEVICE + configuration() + interface(4, CDC, 2) + endpoint(0x81, INTERRUPT, 8) + interface(5, CDC_DATA) + PAIR
    )
    assert pipe_of(told) == Pipe(1, 5, inward=0x82, outward=0x03, packet_bytes=64, line=4)


@pytest.mark.parametrize(
    "body",
    [
        interface(0, STORAGE) + PAIR,
        interface(0, VENDOR) + endpoint(0x82, BULK),
        interface(0, VENDOR) + endpoint(0x82, INTERRUPT) + endpoint(0x03, INTERRUPT),
        interface(0, VENDOR) + interface(0, VENDOR, alternate=1) + PAIR,
        interface(0, VENDOR) + endpoint(0x03, BULK, 0) + endpoint(0x82, BULK, 0),
        PAIR,
    ],
    ids=["a disk", "one direction", "interrupts", "only an alternate setting", "no packets", "no interface"],
)
def test_what_has_no_such_pair_is_no_shoe(body: bytes):
    assert pipe_of(DEVICE + configuration() + body) is None


@given(st.binary(max_size=300))
def test_garbage_is_no_shoe_and_no_exception(garbage: bytes):
    """faults.md B 20: bounded, no exception."""
    found = pipe_of(garbage)
    assert found is None or (found.inward & 0x80 and not found.outward & 0x80 and found.packet_bytes)


def test_descriptors_that_are_cut_anywhere_before_the_pair_is_whole_name_none():
    whole = DEVICE + configuration() + interface(0, VENDOR) + PAIR
    assert [pipe_of(whole[:size]) for size in range(len(whole))] == [None] * len(whole)


@pytest.mark.parametrize(
    "text",
    ["usb:", "usb:1209", "usb:1209:1", "usb:1209:0001:", "usb:1209:0001:A B", "usb:1209:0001@x", "usb:12g9:0001"],
)
def test_what_is_no_usb_address_is_refused(text: str):
    with pytest.raises(ValueError, match="usb"):
        usb_address(text)
