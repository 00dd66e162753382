"""From lines to cards (no I/O). The line says which card left the shoe and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from controller.core.cards import Card
from controller.core.signals import BytesDamaged, CardDrawn, Damage
from drivers.heard import Heard, Span, quoted
from drivers.line.codes import DEFAULT_CODES, folded
from drivers.line.framing import Damaged, Framing, Piece, Text


@dataclass(slots=True)
class Counts:
    """Figures of a session. ``bad_checksums`` counts damaged lines; this wire has no numbers, so no gap shows."""

    frames: int = 0
    events: int = 0
    unread: int = 0
    noise_bytes: int = 0
    bad_checksums: int = 0
    overlong: int = 0
    gaps: int = 0
    missing: int = 0


class Session:
    """What one line shoe says, from its bytes.

    A text that is not in the table is a card that could not be read, never a default card. Each line that is no text
    may have been a card: nothing on this wire could prove that none was lost. Damaged lines are heard when a whole line
    follows or with ``flush``.
    """

    def __init__(self, codes: Mapping[str, Card] = DEFAULT_CODES) -> None:
        self.counts = Counts()
        self._codes = codes
        self._framing = Framing()

    @property
    def held_bytes(self) -> int:
        """Bytes kept of a line that waits for its end; bounded whatever is fed."""
        return self._framing.held_bytes

    def feed(self, data: bytes) -> list[Heard]:
        """Take the next bytes, in chunks of any size, and return what is now certain."""
        return self._hear(self._framing.feed(data))

    def flush(self) -> list[Heard]:
        """Settle what is pending: the input ended, the line fell silent or the port was lost."""
        return self._hear(self._framing.flush())

    def end(self) -> list[Heard]:
        """Settle what is pending as nothing follows: such a shoe says nothing again."""
        return self.flush()

    def _hear(self, pieces: Iterable[Piece]) -> list[Heard]:
        return [self._text(piece) if isinstance(piece, Text) else self._damaged(piece) for piece in pieces]

    def _text(self, line: Text) -> Heard:
        card = self._codes.get(folded(line.raw.decode("ascii")))
        self.counts.frames += 1
        self.counts.events += 1
        self.counts.unread += card is None
        return Heard(CardDrawn(None, None, card, unread=card is None), Span(line.offset, len(line.raw)))

    def _damaged(self, piece: Damaged) -> Heard:
        self.counts.noise_bytes += piece.size
        self.counts.bad_checksums += piece.lines
        self.counts.overlong += piece.overlong
        signal = BytesDamaged(Damage.NOISE, piece.size, lost=piece.lines, detail=quoted(piece.head, piece.size))
        return Heard(signal, Span(piece.offset, piece.size))
