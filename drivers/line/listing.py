"""A readable list of what stands on a line of texts, for decoding offline (no I/O)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from controller.core.cards import Card
from drivers.line.codes import DEFAULT_CODES, folded
from drivers.line.framing import Framing, Piece, Text


@dataclass(frozen=True, slots=True)
class Record:
    """A line of text, with the card that it is a code of, or a run of bytes that are none.

    ``hex`` of a run is its beginning, ``size`` how many bytes it has; ``cut`` says that its stretch ended in it.
    """

    offset: int
    hex: str
    size: int
    text: str | None = None
    card: Card | None = None
    cut: bool = False


def records(stretches: Iterable[Iterable[bytes]], codes: Mapping[str, Card] = DEFAULT_CODES) -> Iterator[Record]:
    """Yield a record for every text and every run of damage, in the order of the line.

    A stretch is reads that follow each other, after which the line fell silent or the input ended.
    """
    framing = Framing()
    for chunks in stretches:
        for chunk in chunks:
            for piece in framing.feed(chunk):
                yield _record(piece, codes)
        unfinished = framing.line_waits
        for piece in framing.flush():
            yield _record(piece, codes, cut=unfinished)


def _record(piece: Piece, codes: Mapping[str, Card], *, cut: bool = False) -> Record:
    if isinstance(piece, Text):
        text = piece.raw.decode("ascii")
        return Record(piece.offset, piece.raw.hex(" "), len(piece.raw), text.strip(), codes.get(folded(text)))
    return Record(piece.offset, piece.head.hex(" "), piece.size, cut=cut)
