"""A readable list of what stands on the line, frame by frame, for decoding offline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from controller.core.cards import Card, Seat
from controller.core.signals import (
    BurnCardDrawn,
    BytesDamaged,
    CardCarried,
    CardDrawn,
    CardShown,
    Damage,
    ErrorCleared,
    ErrorRaised,
    LockTurned,
    OffGameCardDrawn,
    OffGameCardShown,
    Pairs,
    PresetChanged,
    ResultCalled,
    Signal,
)
from drivers.angel_eye.codec import TYPES, Mode, decode
from drivers.angel_eye.folding import Run
from drivers.angel_eye.framing import BadFrame, Frame, Framing, Piece


class Status(StrEnum):
    """What a stretch of bytes is."""

    OK = "ok"
    UNKNOWN = "unknown"
    BAD = "bad"
    NOISE = "noise"


@dataclass(frozen=True, slots=True)
class Record:
    """A stretch of the line: ``copy`` counts equal frames in a row from 1, 0 where the bytes are no frame."""

    offset: int
    hex: str
    status: Status
    seq: int | None = None
    letter: str = ""
    name: str = ""
    meaning: str = ""
    copy: int = 0


def records(chunks: Iterable[bytes], mode: Mode | str = Mode.AUTO) -> Iterator[Record]:
    """Yield a record for every frame, bad frame and run of noise, in the order of the line."""
    lister = _Lister(Mode(mode))
    framing = Framing()
    for chunk in chunks:
        yield from map(lister.record, framing.feed(chunk))
    yield from map(lister.record, framing.flush())


class _Lister:
    def __init__(self, mode: Mode) -> None:
        self._mode = mode
        self._run: Run | None = None

    def record(self, piece: Piece) -> Record:
        if isinstance(piece, Frame):
            return self._frame(piece)
        damage = Damage.CHECKSUM if isinstance(piece, BadFrame) else Damage.NOISE
        if self._run is not None:
            self._run.meet(damage, len(piece.raw))
        status = Status.BAD if damage is Damage.CHECKSUM else Status.NOISE
        return Record(piece.offset, piece.raw.hex(" "), status)

    def _frame(self, frame: Frame) -> Record:
        signal = decode(frame, self._mode)
        unknown = isinstance(signal, BytesDamaged)
        kind = TYPES.get(frame.letter)
        return Record(
            offset=frame.offset,
            hex=frame.raw.hex(" "),
            status=Status.UNKNOWN if unknown else Status.OK,
            seq=frame.seq,
            letter=frame.letter,
            name=kind.name if kind else "unknown type",
            meaning=meaning(signal),
            copy=self._copy(frame),
        )

    def _copy(self, frame: Frame) -> int:
        run = self._run
        if run is not None and run.admits(frame) and frame.raw in run.first:
            return run.add(frame)
        self._run = Run(frame)
        return 1


def _face(card: Card | None, otherwise: str) -> str:
    return str(card) if card else otherwise


def _spot(seat: Seat | None, index: int | None) -> str:
    return f"{seat.value.title() if seat else '?'} {index}"


def _result(signal: ResultCalled) -> str:
    six = " with six" if signal.with_six else ""
    pairs = "" if signal.pairs in (None, Pairs.NONE) else f", pair: {signal.pairs.value}"
    return f"{signal.call.value}{six}{pairs}"


def meaning(signal: Signal) -> str:  # noqa: C901, PLR0911 - one arm a signal
    """Return in a few words what a signal says beyond its name."""
    match signal:
        case CardDrawn(seat, index, card, unread):
            return f"{_spot(seat, index)}, {_face(card, 'not read' if unread else 'face hidden')}"
        case CardShown(seat, index, card) | CardCarried(seat, index, card):
            return f"{_spot(seat, index)}, {_face(card, 'not read')}"
        case BurnCardDrawn(sets_count, left, card):
            place = "sets the burn count" if sets_count else f"burned, {left} left"
            return f"{_face(card, 'no face')} {place}"
        case OffGameCardDrawn(mode, code, card):
            return f"{mode.value} mode, code {code}, {_face(card, 'no face')}"
        case OffGameCardShown(card):
            return _face(card, "not read")
        case ResultCalled():
            return _result(signal)
        case ErrorRaised(fault, code, error_mode):
            return f"{code} {fault.value}{', error mode' if error_mode else ''}"
        case ErrorCleared(fault, code):
            return f"{code} {fault.value}"
        case LockTurned(locked):
            return "locked" if locked else "unlocked"
        case PresetChanged(address, value):
            return f"{address} = {value}"
        case BytesDamaged():
            return "no known meaning"
        case _:
            return ""
