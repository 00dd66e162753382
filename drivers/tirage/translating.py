"""Messages of the shoe in the controller's words (no I/O)."""

from __future__ import annotations

from controller.core import signals
from controller.core.cards import Seat as Spot
from controller.core.signals import Call, Fault, Signal
from drivers.tirage.codec import CARDS
from drivers.tirage.messages import (
    Button,
    CardBurnt,
    CardDrawn,
    CardReturned,
    CardUnread,
    CutCard,
    Door,
    Error,
    ErrorCleared,
    Key,
    LockTurned,
    Message,
    Pairs,
    PoweredUp,
    Seat,
    ShoeLoaded,
    Tilt,
    Trouble,
)

SPOTS = {
    Seat.NONE: None,
    Seat.PLAYER: Spot.PLAYER,
    Seat.BANKER: Spot.BANKER,
    Seat.PUNTER: Spot.PUNTER,
    Seat.RIGHT: Spot.RIGHT,
    Seat.LEFT: Spot.LEFT,
}
CALLS = {
    Key.PLAYER: Call.PLAYER,
    Key.BANKER: Call.BANKER,
    Key.TIE: Call.TIE,
    Key.FORCED_END: Call.FORCED_END,
}
PAIRS = {
    Pairs.NONE: signals.Pairs.NONE,
    Pairs.PLAYER: signals.Pairs.PLAYER,
    Pairs.BANKER: signals.Pairs.BANKER,
    Pairs.BOTH: signals.Pairs.BOTH,
    Pairs.UNSAID: None,
}
FAULTS = {
    Trouble.OTHER: Fault.UNKNOWN,
    Trouble.CANNOT_READ: Fault.CANNOT_READ,
    Trouble.OVERDRAW: Fault.OVERDRAW,
    Trouble.WRONG_BUTTON: Fault.WRONG_BUTTON,
    Trouble.REVERSE_AT_EXIT: Fault.REVERSE_AT_EXIT,
    Trouble.REVERSE_MIDWAY: Fault.REVERSE_MIDWAY,
    Trouble.CARD_CODE: Fault.CARD_CODE,
    Trouble.DRAW_TIMEOUT: Fault.DRAW_TIMEOUT,
}
# Codes of the faults that are no error of the mechanism; above those that the shoe numbers itself.
DOOR_CODE = 0x88
TILT_CODE = 0x89


def signal(event: Message) -> Signal | None:  # noqa: C901, PLR0911, PLR0912 - one case a message
    """Return what an event means; None for a message that is no event."""
    match event:
        case CardDrawn(_, seat, place, face):
            return signals.CardDrawn(SPOTS[seat], place or None, CARDS[face])
        case CardUnread(_, seat, place):
            return signals.CardDrawn(SPOTS[seat], place or None, None, unread=True)
        case CardBurnt(_, sets_count, left, face):
            return signals.BurnCardDrawn(sets_count, left, CARDS[face])
        case CardReturned():
            return signals.ErrorRaised(Fault.REVERSE_AT_EXIT, Trouble.REVERSE_AT_EXIT, error_mode=False)
        case Button(_, Key.STAND_BY, _):
            return signals.StoodBy()
        case Button(_, key, pairs):
            return signals.ResultCalled(CALLS[key], PAIRS[pairs])
        case CutCard():
            return signals.CutCardOut()
        case Error(_, trouble, stopped):
            return signals.ErrorRaised(FAULTS[trouble], trouble, stopped)
        case ErrorCleared(_, trouble):
            return signals.ErrorCleared(FAULTS[trouble], trouble)
        case Door(_, is_open):
            return _switch(Fault.DOOR_OPEN, DOOR_CODE, is_open)
        case Tilt(_, moving):
            return _switch(Fault.MOVED, TILT_CODE, moving)
        case LockTurned(_, locked):
            return signals.LockTurned(locked)
        case PoweredUp():
            return signals.PoweredUp()
        case ShoeLoaded(_, decks):
            return signals.ShoeLoaded(decks)
    return None


def _switch(fault: Fault, code: int, on: int) -> Signal:
    if on:
        return signals.ErrorRaised(fault, code, error_mode=False)
    return signals.ErrorCleared(fault, code)
