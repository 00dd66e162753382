"""What a keyboard-wedge scanner types: key events of the kernel into the text of its lines (no I/O)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

EVENT = struct.Struct("@llHHi")  # linux/input.h: seconds, microseconds, type, code, value; 24 bytes on 64-bit machines

# linux/input-event-codes.h
EV_SYN, EV_KEY = 0x00, 0x01
SYN_REPORT, SYN_DROPPED = 0, 3
RELEASED, PRESSED = 0, 1  # 2 is a key held down: a scanner does not mean that
SHIFTS, ENTERS = frozenset({42, 54}), frozenset({28, 96})
OTHER_MODIFIERS = frozenset({29, 56, 97, 100, 125, 126})  # control, alt and the logo keys
LOCKS = frozenset({58, 69, 70})  # capitals do not matter in a code; figures come the same way
LINE_END, NO_TEXT = b"\r\n", b"\x1a"  # ASCII SUB: no text, so that a line with a hole in it is damaged as a whole

# Rows of a US keyboard from their first code on, without and with shift. Scanners leave the factory set to it.
_ROWS = (
    (2, "1234567890-=", "!@#$%^&*()_+"),
    (16, "qwertyuiop[]", "QWERTYUIOP{}"),
    (30, "asdfghjkl;'`", 'ASDFGHJKL:"~'),
    (43, "\\zxcvbnm,./", "|ZXCVBNM<>?"),
    (57, " ", " "),
    (55, "*", "*"),
    (71, "789-456+1230.", "789-456+1230."),  # the block of figures
    (98, "/", "/"),
)
TEXTS = {
    (first + place, shifted): text.encode()
    for first, *rows in _ROWS
    for shifted, row in zip((False, True), rows, strict=True)
    for place, text in enumerate(row)
}


class Keys:
    """Turns events into text. A key without a text, and events that the kernel had no room for, spoil their line."""

    def __init__(self) -> None:
        self._down: set[int] = set()
        self._dropped = False
        self._rest = b""

    def feed(self, data: bytes) -> bytes:
        """Take the next bytes of an input device and return the text that was typed."""
        data = self._rest + data
        whole = len(data) - len(data) % EVENT.size
        self._rest = data[whole:]
        return b"".join(self._typed(*event[2:]) for event in _events(data[:whole]))

    def _typed(self, type_: int, code: int, value: int) -> bytes:
        if type_ == EV_SYN:
            return self._synchronised(code)
        if type_ != EV_KEY or self._dropped:
            return b""
        if code in SHIFTS | OTHER_MODIFIERS:
            (self._down.discard if value == RELEASED else self._down.add)(code)
            return b""
        return self._pressed(code) if value == PRESSED else b""

    def _synchronised(self, code: int) -> bytes:
        """After SYN_DROPPED everything up to the next report is old (kernel: Documentation/input/event-codes)."""
        if code == SYN_DROPPED:
            self._dropped = True
            self._down.clear()
            return NO_TEXT
        self._dropped = self._dropped and code != SYN_REPORT
        return b""

    def _pressed(self, code: int) -> bytes:
        if code in LOCKS:
            return b""
        if self._down & OTHER_MODIFIERS:
            return NO_TEXT
        if code in ENTERS:
            return LINE_END
        return TEXTS.get((code, bool(self._down & SHIFTS)), NO_TEXT)


def _events(data: bytes) -> Iterator[tuple[int, int, int, int, int]]:
    yield from EVENT.iter_unpack(data)
