"""A captured shoe log as inputs: bytes through the shoe's own session."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import BinaryIO, cast

from controller.core.inputs import Input, Moment
from controller.sources.setting import ANGEL_EYE, AS_USUAL, LINE
from controller.sources.spoken import OtherShoes
from drivers.heard import Counts, Session
from drivers.ports.capture import Chunk, Format, read_capture, sniff
from drivers.shoes import DRIVERS, Chosen

SNIFF_BYTES = 4096
SILENCE_NS = 250_000_000  # as at a table: after it no copy of a frame and no rest of a line is coming
NO_FRAMES = {
    ANGEL_EYE: "expected frames of an Angel Eye line, found {found} see `tirage decode`, and --format",
    LINE: "expected lines with a card each, found {found} see --format",
}
NO_OTHERS = "expected frames of the shoe, found {found} see --format"
OF_ANOTHER = "what a {name} shoe says, by its looks: name its table with --config FILE --table ID; else"


class NoFramesError(Exception):
    """There is not one frame in the capture."""


class CutCaptureError(Exception):
    """The capture ends inside a frame; all before it was read."""


@dataclass(slots=True)
class Capture:
    """A capture of one shoe; iterating gives its inputs in order, ``counts`` the figures of its bytes."""

    stream: BinaryIO
    form: Format
    driver: str = ANGEL_EYE
    chosen: Chosen = AS_USUAL
    session: Session = field(init=False)

    def __post_init__(self) -> None:
        self.session = DRIVERS[self.driver].session(self.chosen)

    @property
    def counts(self) -> Counts:
        """What the session has counted so far."""
        return self.session.counts

    @property
    def tells_losses_up_to(self) -> int | None:
        """How many messages lost in a row the shoe's numbers show at the most; None where there is no such bound.

        Where they begin anew, one more is none; where there are no numbers, no loss shows.
        """
        able = DRIVERS[self.driver].capabilities
        if able.numbers_modulus is not None:
            return able.numbers_modulus - 1
        return None if able.can_resend else 0

    def __iter__(self) -> Iterator[Input]:
        at, others = Moment(), OtherShoes(self.driver)
        for stretch in stretches(read_capture(self.stream, self.form)):
            for heard in self.session.flush():
                yield Input(heard.signal, at)
            for chunk in stretch:
                at = Moment(chunk.utc_ns, chunk.mono_ns)
                for heard in self.session.feed(chunk.data):
                    yield Input(heard.signal, at)
                if not self.counts.frames:
                    others.feed(chunk.data)
        cut = self.session.held_bytes
        for heard in self.session.end():
            yield Input(heard.signal, at)
        if not self.counts.frames:
            raise NoFramesError(NO_FRAMES.get(self.driver, NO_OTHERS).format(found=self._found_instead(others.name)))
        if cut:
            raise CutCaptureError(f"the capture ends inside a frame: {cut} byte(s) of it are left over")

    def _found_instead(self, other: str | None) -> str:
        if other is not None:
            return OF_ANOTHER.format(name=other)
        noise = self.counts.noise_bytes
        return f"{noise} byte(s) without one:" if noise else "nothing:"


def stretches(chunks: Iterable[Chunk]) -> Iterator[Iterator[Chunk]]:
    """Yield reads in stretches, between which the line fell silent; all is one stretch where a capture has no times."""
    number = 0
    before: int | None = None

    def numbered(chunk: Chunk) -> int:
        nonlocal number, before
        if before is not None and chunk.mono_ns is not None and abs(chunk.mono_ns - before) > SILENCE_NS:
            number += 1
        before = chunk.mono_ns
        return number

    return (stretch for _, stretch in groupby(chunks, numbered))


def opened(path: str) -> AbstractContextManager[BinaryIO]:
    """Open a file for bytes, `-` for stdin."""
    return nullcontext(sys.stdin.buffer) if path == "-" else closing(cast(BinaryIO, Path(path).open("rb")))


def form_of(stream: BinaryIO, named: str) -> Format:
    """Return how a capture is written: `hex`, or of `raw` our own raw file or bare bytes."""
    if named == "hex":
        return Format.HEX
    head = stream.peek(SNIFF_BYTES)[:SNIFF_BYTES] if hasattr(stream, "peek") else b""
    return Format.RAW if sniff(head) is Format.RAW else Format.BYTES
