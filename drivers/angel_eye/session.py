"""From copies of frames to what the shoe said once: folding, sequence, conflicts (no I/O)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from controller.core.signals import BytesDamaged, Damage, Signal
from drivers.angel_eye.codec import Mode, decode
from drivers.angel_eye.folding import COPIES_SENT, Run, Versions
from drivers.angel_eye.framing import AROUND_DATA_BYTES, BadFrame, Frame, Framing, Noise, Piece
from drivers.heard import Heard, Span, quoted

MODULUS = 9
# Nine lost events in a row leave no jump; this many damaged bytes may have been nine events of the shortest kind.
NINE_EVENTS_BYTES = MODULUS * COPIES_SENT * AROUND_DATA_BYTES


@dataclass(slots=True)
class Counts:
    """Figures of a session. ``copies`` counts events by the number of copies that came (4 stands for more too)."""

    frames: int = 0
    events: int = 0
    noise_bytes: int = 0
    bad_checksums: int = 0
    gaps: int = 0
    missing: int = 0
    conflicts: int = 0
    overlong: int = 0
    copies: Counter[int] = field(default_factory=lambda: Counter({1: 0, 2: 0, 3: 0, 4: 0}))


class Session:
    """What one Angel Eye shoe says, from its bytes.

    An event is heard when its second agreeing copy is in, or, if only one copy came, when a frame with another
    number or ``flush`` shows that no more are coming. Copies that differ without a majority are no event at all.
    """

    def __init__(self, mode: Mode | str = Mode.AUTO) -> None:
        self.mode = Mode(mode)
        self.counts = Counts()
        self._framing = Framing()
        self._run: Run | None = None
        self._before: Run | None = None  # the run before, which a stray frame may have cut in two
        self._last_seq: int | None = None
        self._damaged_bytes = 0  # since the last event
        self._out: list[Heard] = []

    @property
    def held_bytes(self) -> int:
        """Bytes kept until more arrive; bounded whatever is fed."""
        return self._framing.held_bytes

    def feed(self, data: bytes) -> list[Heard]:
        """Take the next bytes, in chunks of any size, and return what is now certain."""
        return self._hear(self._framing.feed(data))

    def flush(self) -> list[Heard]:
        """Settle what is pending: the input ended, the line fell silent or the port was lost."""
        heard = self._hear(self._framing.flush())
        self._settle()
        return heard + self._taken()

    def end(self) -> list[Heard]:
        """Settle what is pending as nothing follows: such a shoe says nothing again."""
        return self.flush()

    def _taken(self) -> list[Heard]:
        out, self._out = self._out, []
        return out

    def _hear(self, pieces: Iterable[Piece]) -> list[Heard]:
        for piece in pieces:
            match piece:
                case Frame():
                    self._hear_frame(piece)
                case BadFrame(offset, raw):
                    self.counts.bad_checksums += 1
                    self._damaged(Damage.CHECKSUM, offset, raw)
                case Noise(offset, raw):
                    self.counts.noise_bytes += len(raw)
                    self._damaged(Damage.NOISE, offset, raw)
        self.counts.overlong = self._framing.overlong
        return self._taken()

    def _damaged(self, damage: Damage, offset: int, raw: bytes) -> None:
        if self._run is not None:
            self._run.meet(damage, len(raw))
        self._damaged_bytes += len(raw)
        signal = BytesDamaged(damage, len(raw), detail=quoted(raw))
        self._say(signal, Span(offset, len(raw)))

    def _hear_frame(self, frame: Frame) -> None:
        self.counts.frames += 1
        run = self._run
        if run is not None and run.admits(frame):
            self._copy(run, frame)
        elif run is not None and self._before is not None and self._before.cut_by(run, frame):
            self._rejoin(self._before, run, frame)
        else:
            self._begin(frame)

    def _begin(self, frame: Frame) -> None:
        self._settle()
        self._before = self._run
        self._run = Run(frame)

    def _rejoin(self, before: Run, stray: Run, frame: Frame) -> None:
        """Take one frame among the copies of another for damage, not for an event."""
        self._conflict(stray.first, 0, "a single frame among the copies of another: ")
        self._run, self._before = before, None
        self._copy(before, frame)

    def _copy(self, run: Run, frame: Frame) -> None:
        count = run.add(frame)
        if run.said is None:
            if count > 1:
                self._event(run, frame.raw)
            return
        if frame.raw == run.said:
            self._recount(count - 1, count)
            run.keep_only(frame.raw)
        elif count > 1:
            # Something else under the same number, twice in a row: eight events were lost between.
            self._run, self._before = Run.of(run.first[frame.raw], count), None
            self._event(self._run, frame.raw)
        else:
            self._conflict({frame.raw: frame}, 0, "a copy unlike the event already heard: ")

    def _settle(self) -> None:
        """No more copies of the current run are expected."""
        run = self._run
        if run is None or run.said is not None:
            return
        if len(run.first) == 1:
            self._event(run, next(iter(run.first)))
        elif run.unreported:
            frame = next(iter(run.first.values()))
            self._judge_sequence(run, frame, Span(frame.offset, len(frame.raw)))
            self._conflict(run.first, 1, "copies differ and none has a majority: ")
            run.reported.update(run.first)

    def _event(self, run: Run, raw: bytes) -> None:
        frame = run.first[raw]
        run.said = raw
        span = Span(frame.offset, len(raw))
        self._judge_sequence(run, frame, span)
        self.counts.events += 1
        self._recount(0, run.copies[raw])
        self._say(decode(frame, self.mode), span)
        if odd := run.unreported:
            self._conflict(odd, 0, "a copy unlike the other two: ")
        run.keep_only(raw)

    def _judge_sequence(self, run: Run, frame: Frame, span: Span) -> None:
        if run.in_sequence or (frame.seq == 0 and not run.starts):
            return  # a frame that should be numbered and is not says nothing about the sequence
        if self._last_seq is not None and not run.starts:
            self._judge_gap(self._last_seq, frame.seq, span)
        run.in_sequence = True
        self._last_seq = frame.seq
        self._damaged_bytes = 0

    def _judge_gap(self, last: int, seq: int, span: Span) -> None:
        missing = (seq - last - 1) % MODULUS
        detail = f"number {seq} after {last}"
        if not missing and self._damaged_bytes >= NINE_EVENTS_BYTES:
            missing = MODULUS
            detail += f", but {self._damaged_bytes} damaged bytes between"
        if missing:
            self.counts.gaps += 1
            self.counts.missing += missing
            self._say(BytesDamaged(Damage.GAP, missing, lost=missing, detail=detail), span)

    def _conflict(self, odd: Versions, lost: int, why: str) -> None:
        self.counts.conflicts += 1
        size = sum(len(raw) for raw in odd)
        frames = sorted(odd.values())
        span = Span(frames[0].offset, frames[-1].offset + len(frames[-1].raw) - frames[0].offset)
        detail = why + " | ".join(frame.raw.hex(" ") for frame in frames)
        self._say(BytesDamaged(Damage.COPIES, size, lost, detail), span)

    def _recount(self, before: int, now: int) -> None:
        if before:
            self.counts.copies[min(before, COPIES_SENT + 1)] -= 1
        self.counts.copies[min(now, COPIES_SENT + 1)] += 1

    def _say(self, signal: Signal, span: Span) -> None:
        self._out.append(Heard(signal, span))
