"""What a frame of the shoe says, in sentences of the catalogue."""

from __future__ import annotations

from collections.abc import Iterable

from controller.core.cards import Card, Seat
from controller.core.signals import (
    BurnCardDrawn,
    BytesDamaged,
    CardCarried,
    CardDrawn,
    CardShown,
    CutCardOut,
    ErrorCleared,
    ErrorRaised,
    LockTurned,
    OffGameCardDrawn,
    OffGameCardShown,
    Pairs,
    PoweredUp,
    PresetChanged,
    ResultCalled,
    ShoeLoaded,
    ShoeOrdered,
    Signal,
    StoodBy,
)
from controller.core.views import Sentence
from controller.recall.timeline import Word

# A frame is called as the fact that comes of it.
NAMES: dict[type, str] = {
    PoweredUp: "timeline.PoweredUp",
    ShoeLoaded: "timeline.ShoeLoaded",
    StoodBy: "timeline.StoodBy",
    CardDrawn: "timeline.CardDrawn",
    CardShown: "timeline.CardShown",
    CardCarried: "card.carried",
    BurnCardDrawn: "timeline.BurnCardSeen",
    OffGameCardDrawn: "timeline.OffGameCardSeen",
    OffGameCardShown: "timeline.OffGameCardSeen",
    ResultCalled: "timeline.ResultCalled",
    CutCardOut: "timeline.CutCardSeen",
    ErrorRaised: "timeline.ShoeErrorRaised",
    ErrorCleared: "timeline.ShoeErrorCleared",
    LockTurned: "timeline.LockTurned",
    PresetChanged: "timeline.PresetChanged",
    ShoeOrdered: "timeline.ShoeOrdered",
    BytesDamaged: "timeline.LinkFault",
}
HIDDEN, UNREAD = Sentence("card.back"), Sentence("card.unread")


def meaning(signal: Signal) -> tuple[Word, ...]:
    """Return what a signal says: its name, then its particulars.

    >>> meaning(LockTurned(locked=True))[1].id
    'frame.locked'
    """
    name = NAMES.get(type(signal))
    return (*([Sentence(name)] if name else ()), *_particulars(signal))


def _particulars(signal: Signal) -> Iterable[Word]:
    match signal:
        case CardDrawn(seat, index, card, unread):
            return (*_spot(seat, index), _face(card, UNREAD if unread else HIDDEN))
        case CardShown(seat, index, card) | CardCarried(seat, index, card):
            return (*_spot(seat, index), _face(card, UNREAD))
        case BurnCardDrawn(sets_count, left, card):
            place = Sentence("frame.sets-burn") if sets_count else Sentence("frame.burn-left", (("n", str(left)),))
            return (_face(card, HIDDEN), place)
        case OffGameCardDrawn(mode, code, card):
            return (Sentence(f"frame.mode-{mode.value}"), str(code), _face(card, HIDDEN))
        case OffGameCardShown(card):
            return (_face(card, UNREAD),)
        case _:
            return _other(signal)


def _other(signal: Signal) -> Iterable[Word]:
    match signal:
        case ResultCalled(call, pairs, with_six):
            said = [Sentence(f"result.{call.value}"), *([Sentence("frame.with-six")] if with_six else ())]
            return said if pairs in (None, Pairs.NONE) else [*said, Sentence(f"pairs.{pairs.value}")]
        case ErrorRaised(fault, code, _) | ErrorCleared(fault, code):
            mode = [Sentence("frame.mode-error")] if getattr(signal, "error_mode", False) else []
            return (str(code), Sentence(f"fault.{fault.value}"), *mode)
        case LockTurned(locked):
            return (Sentence("frame.locked" if locked else "frame.unlocked"),)
        case PresetChanged(address, value):
            return (f"{address} = {value}",)
        case BytesDamaged(damage):
            return (Sentence(f"fault.{damage.value}"),)
        case _:
            return ()


def _face(card: Card | None, otherwise: Sentence) -> Word:
    return str(card) if card else otherwise


def _spot(seat: Seat | None, index: int | None) -> Iterable[Word]:
    return () if seat is None else (Sentence("card.spot", (("seat", seat.value), ("n", str(index or "")))),)
