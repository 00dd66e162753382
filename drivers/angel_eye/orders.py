"""What a host can tell an Angel Eye shoe, and what the shoe answers (wire formats, host to shoe; no I/O).

Nothing here is sent by the daemon: only `tirage order`, by hand, at a table whose configuration allows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum

from drivers.angel_eye.framing import ETX, Framing, Noise, Piece, bcc

STX = 0x02
ACK = 0x06
NAK = 0x15
OPERATION = b"OP"
LAST_CODE = 7  # of the errors that are known; above nine no source says whether the two digits are decimal


class Order(StrEnum):
    """An order by its name for people."""

    LOCK = "lock"
    UNLOCK = "unlock"
    CLEAR_ERROR = "clear-error"
    CONFIRM = "confirm"  # of the game process


# Type and data in the frame; where no data stand here, the code of an error stands in the frame.
WORDS = {
    Order.LOCK: (b"LK", b"02"),
    Order.UNLOCK: (b"LK", b"01"),
    Order.CLEAR_ERROR: (b"EC", b""),
    Order.CONFIRM: (b"GP", b"00"),
}


class Check(StrEnum):
    """Which bytes the check of an order covers: the description leaves STX out, its only example has it in."""

    WITH_STX = "with-stx"
    WITHOUT_STX = "without-stx"


class Refusal(Enum):
    """Why a shoe refuses, by the code behind NAK."""

    LINE = 0x01  # overrun, framing or parity
    CHECK = 0x02
    NO_END = 0x03
    FORMAT = 0x11
    ADDRESS = 0x12
    COMMAND = 0x13
    TYPE = 0x14
    BUSY = 0x21
    WRITING = 0x22
    OTHER = 0xFF


CODES = {refusal.value: refusal for refusal in Refusal}
HEX = frozenset(b"0123456789ABCDEF")
PASSING = frozenset({Refusal.BUSY, Refusal.WRITING})  # the shoe is about something else: it may be asked again


@dataclass(frozen=True, slots=True)
class Answer:
    """What a shoe answered: nothing refused means that it took the order."""

    refused: Refusal | None = None


def frame_of(order: Order, code: int = 0, check: Check = Check.WITH_STX) -> bytes:
    """Return the bytes of an order. Raises ValueError for a code that does not fit.

    >>> frame_of(Order.LOCK).hex(" ")
    '02 4f 50 4c 4b 30 32 03 31 42'
    """
    letters, data = WORDS[order]
    if code not in (range(1) if data else range(1, LAST_CODE + 1)):
        raise ValueError(f"{order} with code {code}")
    body = OPERATION + letters + (data or b"%02d" % code) + bytes([ETX])
    covered = bytes([STX]) + body if check is Check.WITH_STX else body
    return bytes([STX]) + body + bcc(covered)


class Answers:
    """Finds a shoe's answers among the frames that it goes on sending: an answer is all that lies between two."""

    def __init__(self) -> None:
        self._framing = Framing()

    def feed(self, data: bytes) -> list[Answer]:
        """Take the next bytes and return the answers that are now certain."""
        return _answers(self._framing.feed(data))

    def flush(self) -> list[Answer]:
        """The line fell silent: what came last is whole."""
        return _answers(self._framing.flush())


def _answers(pieces: list[Piece]) -> list[Answer]:
    found = (answer_of(piece.raw) for piece in pieces if isinstance(piece, Noise))
    return [answer for answer in found if answer is not None]


def answer_of(raw: bytes) -> Answer | None:
    """Read an answer, None if it is none.

    A refusal's code may be one byte or two digits: no source shows which it is.
    """
    if raw == bytes([ACK]):
        return Answer()
    if not raw or raw[0] != NAK:
        return None
    code = raw[1:]
    if len(code) == 2 and HEX.issuperset(code):
        code = bytes([int(code, 16)])
    return Answer(CODES.get(code[0], Refusal.OTHER)) if len(code) == 1 else None
