"""Frames to signals and back, as tables (wire formats, Angel Eye, shoe to host)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from controller.core.cards import Card, Rank, Seat, Suit
from controller.core.signals import (
    BurnCardDrawn,
    BytesDamaged,
    Call,
    CardCarried,
    CardDrawn,
    CardShown,
    CutCardOut,
    Damage,
    ErrorCleared,
    ErrorRaised,
    Fault,
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
from drivers.angel_eye.framing import Frame


class Mode(StrEnum):
    """How the shoe is preset: in OPEN mode a drawn card without a face was not read, else its face is hidden."""

    OPEN = "open"
    HIDDEN = "hidden"
    AUTO = "auto"


SEATS = {0: Seat.PLAYER, 1: Seat.BANKER}
SEAT_INDICES = (1, 2, 3)
BURN_TARGETS = {2: False, 4: True, 5: False}  # True: the card sets the burn count
SUITS = {1: Suit.DIAMONDS, 2: Suit.CLUBS, 3: Suit.SPADES, 4: Suit.HEARTS}
CALLS = {
    1: (Call.PLAYER, False),
    2: (Call.TIE, False),
    4: (Call.BANKER, False),
    5: (Call.BANKER, True),
    7: (Call.FORCED_END, False),
}
PAIRS = {0: Pairs.NONE, 1: Pairs.PLAYER, 2: Pairs.BANKER, 3: Pairs.BOTH}
FAULTS = {
    1: Fault.CANNOT_READ,
    2: Fault.OVERDRAW,
    3: Fault.WRONG_BUTTON,
    4: Fault.REVERSE_AT_EXIT,
    5: Fault.REVERSE_MIDWAY,
    6: Fault.CARD_CODE,
    7: Fault.DRAW_TIMEOUT,
}
# One log has value 2 while the shoe is in error mode, so a reader of the mode must not rest on it alone.
OFF_GAME_MODES = {0: OffGameMode.LOCK, 1: OffGameMode.ERROR, 2: OffGameMode.SETTING}

NO_FACE = 0x00  # the card byte of a hidden face, without bit 7
NEVER_A_CARD = 0x0F
ERROR_MODE_BIT = 0x40
ERROR_CODE_BITS = 0x3F


def read_card(byte: int) -> Card | None:
    """Return the card of a card byte, None for anything that is not fully a card."""
    suit, rank = SUITS.get(byte >> 4 & 7), byte & 15
    if suit is None or not Rank.ACE <= rank <= Rank.KING:
        return None
    return Card.of(Rank(rank), suit)


def _read_drawn(data: bytes, mode: Mode) -> Signal | None:
    target, index = data[0] >> 4 & 7, data[0] & 15
    card = read_card(data[1])
    if target in BURN_TARGETS:
        return BurnCardDrawn(BURN_TARGETS[target], index, card)
    if target not in SEATS or index not in SEAT_INDICES:
        return None
    hidden = data[1] & 0x7F == NO_FACE and mode is not Mode.OPEN
    return CardDrawn(SEATS[target], index, card, unread=card is None and not hidden)


def _read_spot(data: bytes) -> tuple[Seat, int] | None:
    seat, index = SEATS.get(data[0] >> 4 & 7), data[0] & 15
    return None if seat is None or index not in SEAT_INDICES else (seat, index)


def _read_shown(data: bytes, _: Mode) -> Signal | None:
    spot = _read_spot(data)
    return spot and CardShown(*spot, read_card(data[1]))


def _read_carried(data: bytes, _: Mode) -> Signal | None:
    spot = _read_spot(data)
    return spot and CardCarried(*spot, read_card(data[1]))


def _read_off_game(data: bytes, _: Mode) -> Signal | None:
    mode = OFF_GAME_MODES.get(data[0] >> 4 & 7, OffGameMode.UNKNOWN)
    return OffGameCardDrawn(mode, data[0] & 15, read_card(data[1]))


def _read_result(data: bytes, _: Mode) -> Signal | None:
    call = CALLS.get(data[0] >> 4 & 7)
    if call is None or data[0] & 0x0C:
        return None
    return ResultCalled(call[0], PAIRS[data[0] & 3], call[1])


def _read_error(data: bytes, _: Mode) -> Signal | None:
    code = data[0] & ERROR_CODE_BITS
    return ErrorRaised(FAULTS.get(code, Fault.UNKNOWN), code, bool(data[0] & ERROR_MODE_BIT))


def _read_error_end(data: bytes, _: Mode) -> Signal | None:
    code = data[0] & ERROR_CODE_BITS
    return ErrorCleared(FAULTS.get(code, Fault.UNKNOWN), code)


def _read_preset(data: bytes, _: Mode) -> Signal | None:
    text = "".join(chr(byte & 0x7F) for byte in data)
    return PresetChanged(text[:2], text[2:]) if text.isprintable() else None


def _always(signal: Signal) -> Callable[[bytes, Mode], Signal]:
    return lambda _data, _mode: signal


@dataclass(frozen=True, slots=True)
class FrameType:
    """A kind of frame: its name for people, and how its data bytes become a signal (None: no known meaning)."""

    name: str
    read: Callable[[bytes, Mode], Signal | None]


TYPES = {
    "S": FrameType("power-up", _always(PoweredUp())),
    "P": FrameType("stand-by", _always(StoodBy())),
    "D": FrameType("card drawn", _read_drawn),
    "I": FrameType("card shown", _read_shown),
    "d": FrameType("card drawn outside the game", _read_off_game),
    "i": FrameType("overdrawn card shown", lambda data, _mode: OffGameCardShown(read_card(data[1]))),
    "R": FrameType("overdrawn card carried", _read_carried),
    "G": FrameType("result", _read_result),
    "C": FrameType("cut card", _always(CutCardOut())),
    "E": FrameType("error", _read_error),
    "e": FrameType("error ended", _read_error_end),
    "L": FrameType("lock", lambda data, _mode: LockTurned(bool(data[0] & 1))),
    "M": FrameType("preset changed", _read_preset),
}


def decode(frame: Frame, mode: Mode = Mode.AUTO) -> Signal:
    """Return what a frame says; BytesDamaged(UNKNOWN_FRAME), one event lost, where it has no known meaning."""
    kind = TYPES.get(frame.letter)
    numbered = frame.seq > 0 or frame.letter == "S"
    signal = kind.read(frame.data, mode) if kind and numbered else None
    if signal is None:
        return BytesDamaged(Damage.UNKNOWN_FRAME, len(frame.raw), lost=1, detail=frame.raw.hex(" "))
    return signal
