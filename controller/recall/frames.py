"""The shoe's own bytes from the raw file: each frame with its copies, its time and its meaning."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from controller.core.signals import BytesDamaged, Damage, Signal
from controller.core.views import Sentence
from controller.journal.errors import JournalDamage
from controller.journal.raw import RAW_HEADER
from controller.journal.record import Span
from controller.recall.meaning import meaning
from controller.recall.timeline import Word
from controller.recall.wire import Wire
from drivers.angel_eye import Mode, Record, Status, decode, records
from drivers.angel_eye.framing import Frame, Framing
from drivers.heard import Heard
from drivers.ports.rawline import RawLine, parse_line

BEFORE_BYTES = 8_192  # of the raw file: where the first copy of a hand's first frame may stand
COPIES_WAIT_NS = 250_000_000  # after this silence no further copy is coming
TAIL_BYTES = 65_536
READS_A_FRAME = 6  # three copies, each in two reads at most
SAID_OF = {Status.BAD: "fault.checksum", Status.NOISE: "fault.noise"}
STATUS_OF = {Damage.NOISE: Status.NOISE, Damage.CHECKSUM: Status.BAD}


@dataclass(frozen=True, slots=True)
class FrameLine:
    """A frame as it stood on the line; ``copies`` is how often it came, 0 where the bytes are no frame.

    ``status`` is ok, unknown, bad or noise; ``read`` is the offset of the read that completed it, ``words`` what it
    means.
    """

    utc_ns: int
    read: int
    hex: str
    status: str
    words: tuple[Word, ...]
    copies: int
    signal: Signal | None = None


def reads_from(path: Path, offset: int) -> Iterator[tuple[RawLine, Span]]:
    """Yield the whole reads of a raw file from the first line that begins at or after an offset.

    A last line that is still being written is left out. Raises OSError; JournalDamage for a line that is damaged.
    """
    with path.open("rb") as file:
        start = max(offset, len(RAW_HEADER))
        file.seek(start - 1)
        start += len(file.readline()) - 1  # the rest of a line that was cut into; its newline alone if none was
        for line in file:
            if not line.endswith(b"\n"):
                return
            yield _read(path, line, start), Span(start, len(line))
            start += len(line)


def _read(path: Path, line: bytes, offset: int) -> RawLine:
    try:
        return parse_line(line[:-1].decode("ascii"))
    except ValueError as error:
        number = path.read_bytes().count(b"\n", 0, offset) + 1
        raise JournalDamage(path, number, "not a read as it was written") from error


def frames(reads: Iterable[tuple[RawLine, Span]], wire: Wire) -> Iterator[FrameLine]:
    """Yield the frames of reads as their driver reads them, copies that follow each other as one line."""
    return _copied(reads, Mode(wire.mode)) if wire.name == "angel-eye" else _heard(reads, wire)


def _copied(reads: Iterable[tuple[RawLine, Span]], mode: Mode) -> Iterator[FrameLine]:
    """A shoe that says everything three times: its own list tells copies apart."""
    latest: list[tuple[RawLine, Span]] = []

    def fed() -> Iterator[bytes]:
        for read in reads:
            latest[:] = [read]
            yield read[0].data

    pending: FrameLine | None = None
    for record in records(fed(), mode):
        line, span = latest[0]
        if pending is not None and record.copy > 1 and record.hex == pending.hex:
            pending = replace(pending, copies=record.copy)
            continue
        if pending is not None:
            yield pending
        pending = _line(record, line.utc_ns, span.offset, mode)
    if pending is not None:
        yield pending


def _line(record: Record, utc_ns: int, read: int, mode: Mode) -> FrameLine:
    signal: Signal | None = None
    if record.status in {Status.OK, Status.UNKNOWN}:
        piece = Framing().feed(bytes.fromhex(record.hex))[0]
        signal = decode(piece, mode) if isinstance(piece, Frame) else None
    said = meaning(signal) if signal else (Sentence(SAID_OF[record.status]),)
    return FrameLine(utc_ns, read, record.hex, record.status.value, said, record.copy, signal)


def _heard(reads: Iterable[tuple[RawLine, Span]], wire: Wire) -> Iterator[FrameLine]:
    """Any other shoe: what its session hears, each with the bytes that it was heard in."""
    session, stream = wire.session(), bytearray()
    before: tuple[RawLine, Span] | None = None
    for line, span in reads:
        if before is not None and line.mono_ns - before[0].mono_ns > COPIES_WAIT_NS:
            yield from (_said(one, stream, *before) for one in session.flush())
        stream += line.data
        yield from (_said(one, stream, line, span) for one in session.feed(line.data))
        before = line, span
    if before is not None:
        yield from (_said(one, stream, *before) for one in session.end())


def _said(heard: Heard, stream: bytearray, line: RawLine, span: Span) -> FrameLine:
    begin, size = heard.span
    raw = bytes(stream[begin : begin + size])
    damage = heard.signal.damage if isinstance(heard.signal, BytesDamaged) else None
    status = STATUS_OF.get(damage, Status.UNKNOWN) if damage else Status.OK
    text = (raw.decode("ascii"),) if raw.isascii() and raw.decode("ascii").isprintable() else ()
    said = (*text, *meaning(heard.signal))
    return FrameLine(line.utc_ns, span.offset, raw.hex(" "), status.value, said, int(damage is None), heard.signal)


def quoted(path: Path, wanted: Sequence[tuple[int, Signal, Span]], wire: Wire) -> dict[int, list[FrameLine]]:
    """Return the frames that told each input, by the number given with it; what cannot be told apart goes to the next.

    ``wanted`` are the inputs of one hand in order: a number, the signal, and the span of the read that told it.
    Nothing is quoted that came after the last of them but its own copies.
    """
    if not wanted:
        return {}
    first, last = wanted[0][2], wanted[-1][2]
    lines = list(frames(_around(path, first, last), wire))
    found: dict[int, list[FrameLine]] = {}
    place = _begin(lines, wanted[0])
    for number, signal, span in wanted:
        at = next((at for at in range(place, len(lines)) if tells(lines[at], signal)), None)
        if at is not None and lines[at].read <= span.offset:
            found[number] = lines[place : at + 1]
            place = at + 1
    return found


def _around(path: Path, first: Span, last: Span) -> Iterator[tuple[RawLine, Span]]:
    """Yield the reads from some time before the first one to the last copy of the last one."""
    ended: int | None = None
    for line, span in reads_from(path, first.offset - BEFORE_BYTES):
        if span.offset > last.offset and (ended is None or line.mono_ns - ended > COPIES_WAIT_NS):
            return
        yield line, span
        ended = line.mono_ns


def _begin(lines: Sequence[FrameLine], first: tuple[int, Signal, Span]) -> int:
    """Return the place of the frame that told the first input: the last one like it up to its read."""
    _, signal, span = first
    like = [at for at, line in enumerate(lines) if line.read <= span.offset and tells(line, signal)]
    return like[-1] if like else 0


def tells(line: FrameLine, signal: Signal) -> bool:
    """Whether a frame, or bytes that are none, are what an input was made of."""
    if line.signal is not None:
        return line.signal == signal
    return isinstance(signal, BytesDamaged) and signal.detail.startswith(line.hex[: len(signal.detail)])


def latest(paths: Sequence[Path], wire: Wire, most: int) -> list[FrameLine]:
    """Return the last frames of raw files that follow each other, the newest first. Raises OSError, JournalDamage."""
    seen: dict[RawLine, Span] = {}  # a read in which a shoe began stands in two files
    for path in reversed(paths):
        begin = max(path.stat().st_size - TAIL_BYTES, 0)
        seen = dict(reads_from(path, begin)) | seen
        if len(seen) >= most * READS_A_FRAME:
            break
    return list(reversed(deque(frames(seen.items(), wire), most)))
