"""A readable list of the frames on a tirage line, for decoding offline; tags are looked at where a key is given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from drivers.tirage.codec import CARDS, PayloadError, decode
from drivers.tirage.framing import BadFrame, Frame, Framing, Piece
from drivers.tirage.keys import Keys, derive, right
from drivers.tirage.layouts import CHECKED, FROM_HOST, LAYOUTS, TYPES
from drivers.tirage.messages import FLAG_RESENT, FLAG_TAGGED, VERSION, Hello, Level, Message, Open, Refused

Said = bool | int | str
CAPITALS = re.compile(r"(?<=[a-z])(?=[A-Z])")
UNPROVED = frozenset({TYPES[Open], TYPES[Refused]})  # that have no session to be proved in


class Status(StrEnum):
    """What a stretch of bytes is."""

    OK = "ok"
    UNKNOWN = "unknown"  # framed and summed as it must be, and says nothing known
    BAD = "bad"
    NOISE = "noise"


class Tag(StrEnum):
    """What the tag of a frame proves."""

    NONE = "none"
    UNCHECKED = "not checked"  # no key of this device, or the session's hello is not in the capture
    RIGHT = "right"
    WRONG = "wrong"
    MISSING = "missing"  # in a session whose every frame has one


@dataclass(frozen=True, slots=True)
class Record:
    """A stretch of the line; ``frame`` None where the bytes are none, ``fields`` as the message has them.

    ``why`` says what is unknown; ``cut`` that the input ended in it.
    """

    offset: int
    hex: str
    status: Status
    frame: Frame | None = None
    name: str = ""
    fields: Mapping[str, Said] = field(default_factory=dict)
    tag: Tag = Tag.NONE
    why: str = ""
    cut: bool = False

    @property
    def resent(self) -> bool:
        """Whether the shoe sends this event again."""
        return self.frame is not None and bool(self.frame.flags & FLAG_RESENT)


def records(chunks: Iterable[bytes], keys: Mapping[bytes, bytes] | None = None) -> Iterator[Record]:
    """Yield a record for every frame, bad frame and run of noise, in the order of the line.

    ``keys`` has 32 bytes for each device of 8; none of them comes out again.
    """
    framing, proofs = Framing(), _Proofs(keys or {})
    for chunk in chunks:
        for piece in framing.feed(chunk):
            yield _record(piece, proofs)
    unfinished = framing.waiting
    for piece in framing.flush():
        yield _record(piece, proofs, cut=unfinished)


def _record(piece: Piece, proofs: _Proofs, *, cut: bool = False) -> Record:
    if isinstance(piece, Frame):
        return _framed(piece, proofs)
    status = Status.BAD if isinstance(piece, BadFrame) else Status.NOISE
    return Record(piece.offset, piece.raw.hex(" "), status, cut=cut)


def _framed(frame: Frame, proofs: _Proofs) -> Record:
    message, why = _message(frame)
    if isinstance(message, Hello):
        proofs.meet(message, frame)
    return Record(
        frame.offset,
        frame.raw.hex(" "),
        Status.UNKNOWN if message is None else Status.OK,
        frame,
        _name(frame),
        {} if message is None else _fields(frame.type, message),
        proofs.tag(frame),
        why,
    )


def _message(frame: Frame) -> tuple[Message | None, str]:
    if frame.version != VERSION:
        return None, f"unknown version {frame.version}"
    try:
        return decode(frame.type, frame.payload), ""
    except PayloadError as error:
        return None, {"type": "unknown type"}.get(str(error), f"unknown {error} of the payload")


def _name(frame: Frame) -> str:
    if frame.version != VERSION or frame.type not in LAYOUTS:
        return ""
    return CAPITALS.sub("_", LAYOUTS[frame.type][0].__name__).lower()


def _fields(type_: int, message: Message) -> dict[str, Said]:
    """Return the fields of a message by name, enums and cards as they are called, bytes in hex."""
    faces = {place for place, kind in CHECKED.get(type_, ()) if kind is None}
    values = zip(message._fields, message, strict=True)
    return {name: _plain(value, face=place in faces) for place, (name, value) in enumerate(values)}


def _plain(value: object, *, face: bool) -> Said:
    match value:
        case IntEnum():
            return value.name.lower()
        case bytes():
            return value.hex()
        case int():
            return str(CARDS[value]) if face else value
    raise TypeError(type(value))


class _Proofs:
    """The sessions met so far, each with the keys that its hello is proved by; None where they are not known."""

    def __init__(self, keys: Mapping[bytes, bytes]) -> None:
        self._keys = keys
        self._sessions: dict[int, Keys | None] = {}

    def meet(self, hello: Hello, frame: Frame) -> None:
        """Take over the session of a hello."""
        self._sessions.pop(frame.session, None)
        if hello.level is not Level.PLAIN:
            self._sessions[frame.session] = self._derived(hello, frame)

    def _derived(self, hello: Hello, frame: Frame) -> Keys | None:
        """Return the session's keys: which level the host had asked for is tried, its question may not be here."""
        key = self._keys.get(hello.device)
        if key is None or hello.level is not Level.AUTHENTIC:
            return None
        asked = (Level.AUTHENTIC, Level.SEALED)
        tried = [derive(key, hello.echo, hello.nonce, hello.device, level) for level in asked]
        return next((one for one in tried if right(one.from_shoe, frame.signed, frame.tag)), tried[0])

    def tag(self, frame: Frame) -> Tag:
        """Say what the tag of a frame is worth."""
        if not frame.flags & FLAG_TAGGED:
            missing = frame.session in self._sessions and frame.type not in UNPROVED
            return Tag.MISSING if missing else Tag.NONE
        keys = self._sessions.get(frame.session)
        if keys is None:
            return Tag.UNCHECKED
        key = keys.from_host if frame.type in FROM_HOST else keys.from_shoe
        return Tag.RIGHT if right(key, frame.signed, frame.tag) else Tag.WRONG
