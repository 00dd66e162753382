"""Messages of the tirage shoe protocol. Generated from protocol.toml by generate.py: do not edit."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

VERSION = 1
START = 167
HEADER_BYTES = 16
TAG_BYTES = 8
CRC_BYTES = 4
MAX_PAYLOAD_BYTES = 96
HEARTBEAT_MS = 250
RING_EVENTS = 64
WINDOW_FRAMES = 64
FRAMES_PER_SECOND = 200
BAD_TAGS = 3
FROM_NOW = 4294967295
FIRST_EVENT_TYPE = 128
FIRST_PRIVATE_TYPE = 192
LAST_PRIVATE_TYPE = 223
FLAG_OPTIONAL = 1
FLAG_TAGGED = 2
FLAG_RESENT = 4
SCHEMA = bytes([0x84, 0xFB, 0x1E, 0xE1, 0xD1, 0x98, 0xFD, 0xF5])


class Level(IntEnum):
    """How a session is protected."""

    PLAIN = 0  # L0: nothing is proved, shown as UNAUTHENTICATED
    AUTHENTIC = 1  # L1: each frame has a tag
    SEALED = 2  # L2: specified, not built


class Seat(IntEnum):
    """The spot of a card as the shoe knows it."""

    NONE = 0  # the shoe does not say
    PLAYER = 1  # Player
    BANKER = 2  # Banker
    PUNTER = 3  # the punter of chemin de fer
    RIGHT = 4  # right tableau of banque
    LEFT = 5  # left tableau of banque


class Suit(IntEnum):
    """The high half of a card byte."""

    SPADES = 1  # S
    HEARTS = 2  # H
    DIAMONDS = 3  # D
    CLUBS = 4  # C


class Key(IntEnum):
    """A button on the shoe."""

    STAND_BY = 0  # ready for the next hand
    PLAYER = 1  # Player wins
    BANKER = 2  # Banker wins
    TIE = 3  # tie
    FORCED_END = 4  # the hand is ended without a result


class Pairs(IntEnum):
    """Pairs announced with a result."""

    NONE = 0  # no pair
    PLAYER = 1  # Player pair
    BANKER = 2  # Banker pair
    BOTH = 3  # both
    UNSAID = 4  # the shoe announces no pairs


class Trouble(IntEnum):
    """Errors of the mechanism."""

    OTHER = 0  # anything else
    CANNOT_READ = 1  # a face cannot be read
    OVERDRAW = 2  # a card after the hand was over
    WRONG_BUTTON = 3  # a result button out of turn
    REVERSE_AT_EXIT = 4  # a card moved back at the exit
    REVERSE_MIDWAY = 5  # a card moved back inside
    CARD_CODE = 6  # a foreign or damaged card
    DRAW_TIMEOUT = 7  # a half-drawn card


class Light(IntEnum):
    """The lamp on the shoe."""

    OFF = 0  # dark
    READY = 1  # the next card may be drawn
    STOP = 2  # no card may be drawn
    ATTENTION = 3  # a person is wanted


class Outcome(IntEnum):
    """What became of a command."""

    DONE = 0  # carried out
    BUSY = 1  # not now; it may be sent again
    UNABLE = 2  # this shoe cannot do that


class Refusal(IntEnum):
    """Why the shoe opens no session, or ends it."""

    LEVEL = 0  # the level is not to be had
    BAD_TAGS = 1  # three frames with a wrong tag
    VERSION = 2  # the version of the frame is not spoken


class Open(NamedTuple):
    """From the host: asks for a session."""

    nonce: bytes  # fresh for each try
    level: Level  # the highest that the host accepts


class Start(NamedTuple):
    """From the host: proves the host and names the first event that it wants."""

    first: int  # event number, or from_now


class Resend(NamedTuple):
    """From the host: asks for events again."""

    first: int  # event number


class Lock(NamedTuple):
    """From the host: locks the exit."""


class Unlock(NamedTuple):
    """From the host: frees the exit."""


class Lamp(NamedTuple):
    """From the host: sets the lamp."""

    light: Light  # what it shows


class Tone(NamedTuple):
    """From the host: sounds a tone."""

    hertz: int  # pitch
    length: int  # milliseconds


class Hello(NamedTuple):
    """From the shoe: answers open: who the shoe is and where it stands."""

    device: bytes  # identity, never changes
    schema: bytes  # digest of this schema
    firmware: bytes  # SHA-256 of the program
    boots: int  # starts since it was made
    echo: bytes  # the host's nonce
    nonce: bytes  # the shoe's nonce
    level: Level  # the level of this session
    event: int  # number of the last event


class Capabilities(NamedTuple):
    """From the shoe: what the shoe can know and do."""

    names_seat: bool  # a seat stands with each card
    names_index: bool  # an index stands with each card
    announces_result: bool  # result buttons
    announces_pairs: bool  # pairs with the result
    reports_cut_card: bool  # it sees the cut card
    reports_burn: bool  # it knows burn cards
    can_lock: bool  # it has a lock
    reads_ahead: bool  # it reads a card before it is drawn: needs L2
    ring: int  # events kept for asking again


class Heartbeat(NamedTuple):
    """From the shoe: every 250 ms, and at once after a start."""

    event: int  # number of the last event
    locked: bool  # the exit is locked
    troubled: bool  # an error stands


class Resending(NamedTuple):
    """From the shoe: answers start and resend; its header has the card number before the first."""

    first: int  # oldest that is held, not before what was asked
    last: int  # number of the last event


class Answer(NamedTuple):
    """From the shoe: answers a command."""

    command: int  # frame counter of the command
    outcome: Outcome  # what became of it


class Refused(NamedTuple):
    """From the shoe: no session, or its end."""

    refusal: Refusal  # why
    detail: int  # number for a technician


class PoweredUp(NamedTuple):
    """From the shoe: the shoe started."""

    event: int  # event number
    boots: int  # starts since it was made


class ShoeLoaded(NamedTuple):
    """From the shoe: fresh cards: the card number is 0."""

    event: int  # event number
    decks: int  # decks by the shoe's setting, 0 unknown


class CardDrawn(NamedTuple):
    """From the shoe: a card for the game left the shoe."""

    event: int  # event number
    seat: Seat  # spot
    place: int  # 1 to 3 at the spot, 0 unknown
    card: int  # face


class CardUnread(NamedTuple):
    """From the shoe: a card left the shoe and its face could not be read."""

    event: int  # event number
    seat: Seat  # spot
    place: int  # 1 to 3 at the spot, 0 unknown


class CardReturned(NamedTuple):
    """From the shoe: a drawn card was pushed back; its number stays used."""

    event: int  # event number
    number: int  # which card


class CardBurnt(NamedTuple):
    """From the shoe: a card of the burn group left the shoe."""

    event: int  # event number
    sets_count: bool  # its value sets how many
    left: int  # how many are to come
    card: int  # face


class CutCard(NamedTuple):
    """From the shoe: the cut card left the shoe."""

    event: int  # event number


class Button(NamedTuple):
    """From the shoe: a button was pressed."""

    event: int  # event number
    key: Key  # which
    pairs: Pairs  # pairs announced


class Door(NamedTuple):
    """From the shoe: the door or lid moved."""

    event: int  # event number
    open: bool  # 1 open, 0 shut


class Tilt(NamedTuple):
    """From the shoe: the shoe was moved or has come to rest."""

    event: int  # event number
    moving: bool  # 1 moved, 0 at rest


class LockTurned(NamedTuple):
    """From the shoe: the exit was locked or freed, by key or by command."""

    event: int  # event number
    locked: bool  # 1 locked


class Error(NamedTuple):
    """From the shoe: an error of the mechanism began."""

    event: int  # event number
    trouble: Trouble  # which
    stopped: bool  # the shoe gives no card until it is cleared


class ErrorCleared(NamedTuple):
    """From the shoe: an error of the mechanism ended."""

    event: int  # event number
    trouble: Trouble  # which


Message = (
    Open
    | Start
    | Resend
    | Lock
    | Unlock
    | Lamp
    | Tone
    | Hello
    | Capabilities
    | Heartbeat
    | Resending
    | Answer
    | Refused
    | PoweredUp
    | ShoeLoaded
    | CardDrawn
    | CardUnread
    | CardReturned
    | CardBurnt
    | CutCard
    | Button
    | Door
    | Tilt
    | LockTurned
    | Error
    | ErrorCleared
)
