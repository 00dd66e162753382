"""Signals to the frames a shoe would send for them; for emulators and tests, never sent to a shoe."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import TypeVar

from controller.core.cards import Card, Seat
from controller.core.signals import (
    BurnCardDrawn,
    CardCarried,
    CardDrawn,
    CardShown,
    CutCardOut,
    ErrorCleared,
    ErrorRaised,
    LockTurned,
    OffGameCardDrawn,
    OffGameCardShown,
    OffGameMode,
    Pairs,
    PoweredUp,
    PresetChanged,
    ResultCalled,
    Signal,
    StoodBy,
)
from drivers.angel_eye.codec import (
    CALLS,
    ERROR_CODE_BITS,
    ERROR_MODE_BIT,
    NEVER_A_CARD,
    NO_FACE,
    OFF_GAME_MODES,
    PAIRS,
    SEAT_INDICES,
    SEATS,
    SUITS,
)
from drivers.angel_eye.framing import DATA_BYTES, ENQ, ETX, bcc

Meaning = TypeVar("Meaning")

MODULUS = 9
COPIES = 3


class DataBit7(IntEnum):
    """Bit 7 of data bytes as the shoe sends it."""

    SET = 0x80
    CLEAR = 0x00


class UnsayableError(ValueError):
    """This shoe has no frame for the signal."""


def next_seq(seq: int) -> int:
    """Return the sequence digit after ``seq``: 1 after 0 and after 9.

    >>> next_seq(0), next_seq(8), next_seq(9)
    (1, 9, 1)
    """
    return seq % MODULUS + 1


def encode(signal: Signal, seq: int, bit7: DataBit7 = DataBit7.SET) -> bytes:
    """Return one copy of the frame that says ``signal``; raises UnsayableError."""
    letter, data = _words(signal)
    if len(data) != DATA_BYTES[letter] or not all(0 <= byte < 0x80 for byte in data):
        raise UnsayableError(f"{signal} does not fit into the data of a frame {letter}")
    body = bytes([0x30 + seq, ord(letter), *(byte | bit7 for byte in data), ETX])
    return bytes([ENQ]) + body + bcc(body)


def _code(table: Mapping[int, Meaning], meaning: Meaning) -> int:
    """Return the code of ``meaning`` in a table of the codec."""
    for code, candidate in table.items():
        if candidate == meaning:
            return code
    raise UnsayableError(f"an Angel Eye shoe has no code for {meaning}")


def _face(card: Card | None) -> int:
    if card is None:
        return NO_FACE
    if card.rank is None or card.suit is None:
        raise UnsayableError(f"an Angel Eye shoe names rank and suit, and {card} has not both")
    return _code(SUITS, card.suit) << 4 | card.rank


def _spot(seat: Seat | None, index: int | None) -> int:
    if seat is None or index not in SEAT_INDICES:
        raise UnsayableError(f"an Angel Eye shoe has no spot {seat} {index}")
    return _code(SEATS, seat) << 4 | index


def _burn(signal: BurnCardDrawn) -> int:
    if not 0 <= signal.left <= 15:
        raise UnsayableError(f"an Angel Eye shoe counts 0 to 15 burn cards, not {signal.left}")
    return (4 if signal.sets_count else 5) << 4 | signal.left


def _off_game(mode: OffGameMode, code: int) -> int:
    bits = 7 if mode is OffGameMode.UNKNOWN else _code(OFF_GAME_MODES, mode)
    return bits << 4 | code & 15


def _error(code: int) -> int:
    if not 0 <= code <= ERROR_CODE_BITS:
        raise UnsayableError(f"an Angel Eye shoe has error codes 0 to {ERROR_CODE_BITS}, not {code}")
    return code


def _result(signal: ResultCalled) -> int:
    pairs = Pairs.NONE if signal.pairs is None else signal.pairs
    return _code(CALLS, (signal.call, signal.with_six)) << 4 | _code(PAIRS, pairs)


def _preset(text: str) -> bytes:
    if not (text.isascii() and text.isprintable()):
        raise UnsayableError(f"an Angel Eye shoe sends presets in printable ASCII, not {text!r}")
    return text.encode("ascii")


def _drawn_face(signal: CardDrawn) -> int:
    return NEVER_A_CARD if signal.unread else _face(signal.card)


def _words(signal: Signal) -> tuple[str, bytes]:  # noqa: C901, PLR0911, PLR0912 - one arm a signal
    """Return type and data bytes, bit 7 clear."""
    match signal:
        case PoweredUp():
            return "S", b""
        case StoodBy():
            return "P", b""
        case CutCardOut():
            return "C", b""
        case CardDrawn(seat, index):
            return "D", bytes([_spot(seat, index), _drawn_face(signal)])
        case BurnCardDrawn(card=card):
            return "D", bytes([_burn(signal), _face(card)])
        case CardShown(seat, index, card):
            return "I", bytes([_spot(seat, index), _face(card)])
        case CardCarried(seat, index, card):
            return "R", bytes([_spot(seat, index), _face(card)])
        case OffGameCardDrawn(mode, code, card):
            return "d", bytes([_off_game(mode, code), _face(card)])
        case OffGameCardShown(card):
            return "i", bytes([0x01, _face(card)])
        case ResultCalled():
            return "G", bytes([_result(signal)])
        case ErrorRaised(code=code, error_mode=error_mode):
            return "E", bytes([_error(code) | (ERROR_MODE_BIT if error_mode else 0)])
        case ErrorCleared(code=code):
            return "e", bytes([_error(code)])
        case LockTurned(locked):
            return "L", bytes([int(locked)])
        case PresetChanged(address, value):
            return "M", _preset(address + value)
        case _:
            raise UnsayableError(f"an Angel Eye shoe does not send {type(signal).__name__}")
