"""What shoes can say, in the controller's words. Drivers import this module and cards, nothing else from here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.core.cards import Card, Seat


class Call(Enum):
    """A result as the shoe or a person announces it.

    Where two sides play against the bank apart (banque), a result names the winner on the right, then on the left;
    `void` stands for a side that refused the coup.
    """

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"
    FORCED_END = "forced-end"
    PUNTER = "punter"
    RIGHT_LEFT = "right/left"
    RIGHT_BANKER = "right/banker"
    RIGHT_TIE = "right/tie"
    RIGHT_VOID = "right/void"
    BANKER_LEFT = "banker/left"
    BANKER_BANKER = "banker/banker"
    BANKER_TIE = "banker/tie"
    BANKER_VOID = "banker/void"
    TIE_LEFT = "tie/left"
    TIE_BANKER = "tie/banker"
    TIE_TIE = "tie/tie"
    TIE_VOID = "tie/void"
    VOID_LEFT = "void/left"
    VOID_BANKER = "void/banker"
    VOID_TIE = "void/tie"

    @property
    def winners(self) -> tuple[str, ...]:
        """The winner of each side in dealing order: the side's seat, `banker`, `tie` or `void`.

        >>> Call.RIGHT_TIE.winners, Call.PLAYER.winners
        (('right', 'tie'), ('player',))
        """
        return tuple(self.value.split("/"))


class Pairs(Enum):
    """Which sides hold a pair in their first two cards, as announced."""

    NONE = "none"
    PLAYER = "player"
    BANKER = "banker"
    BOTH = "both"


class Fault(Enum):
    """Errors a shoe reports."""

    CANNOT_READ = "cannot-read"
    OVERDRAW = "overdraw"
    WRONG_BUTTON = "wrong-button"
    REVERSE_AT_EXIT = "reverse-at-exit"
    REVERSE_MIDWAY = "reverse-midway"
    CARD_CODE = "card-code"
    DRAW_TIMEOUT = "draw-timeout"
    DOOR_OPEN = "door-open"
    MOVED = "moved"
    UNKNOWN = "unknown"


class OffGameMode(Enum):
    """The state a shoe was in when it gave a card outside the game."""

    LOCK = "lock"
    ERROR = "error"
    SETTING = "setting"
    UNKNOWN = "unknown"


class Damage(Enum):
    """What can be wrong with bytes."""

    NOISE = "noise"
    CHECKSUM = "checksum"
    GAP = "gap"
    COPIES = "copies"
    UNKNOWN_FRAME = "unknown-frame"
    STALE = "stale"
    BACKWARDS = "backwards"  # the shoe's own count went back
    ANSWER = "answer"  # to an order: no damage, and no message either


class WhyLost(Enum):
    """Why a link is lost where the port alone does not tell it; a person can do something about each."""

    OTHER_SHOE = "other-shoe"
    TOO_LOW = "too-low"
    PINNED = "pinned"
    NO_KEY = "no-key"
    SEALED = "sealed"
    READS_AHEAD = "reads-ahead"
    NO_RESULTS = "no-results"
    NO_BURN = "no-burn"
    NO_CUT_CARD = "no-cut-card"
    SCHEMA = "schema"
    VERSION = "version"
    MESSAGE = "message"
    BAD_TAGS = "bad-tags"
    FLOOD = "flood"
    SHOE_REFUSES = "shoe-refuses"
    NO_PROTOCOL = "no-protocol"
    NO_HEARTBEAT = "no-heartbeat"
    COUNT_BACK = "count-back"
    UNFIT = "unfit"


@dataclass(frozen=True, slots=True)
class PoweredUp:
    """The shoe started, or started again."""


@dataclass(frozen=True, slots=True)
class ShoeLoaded:
    """Fresh cards were put into the shoe; its card numbers begin anew."""

    decks: int


@dataclass(frozen=True, slots=True)
class StoodBy:
    """The shoe is ready for the next hand."""


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A card for the game left the shoe.

    ``seat`` and ``index`` (1..) are the spot as the shoe names it, None where it names none.
    ``card`` is None while the face is hidden; ``unread`` says that the shoe tried and failed.
    """

    seat: Seat | None
    index: int | None
    card: Card | None
    unread: bool = False


@dataclass(frozen=True, slots=True)
class CardShown:
    """The face of a card drawn earlier; ``card`` None means that it could not be read."""

    seat: Seat
    index: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class CardCarried:
    """The overdrawn card of the last hand opens this one at the named spot."""

    seat: Seat
    index: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class BurnCardDrawn:
    """A card of the burn group: the first sets the count (``sets_count``), the others count down in ``left``."""

    sets_count: bool
    left: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class OffGameCardDrawn:
    """A card left the shoe outside the game. ``code`` is the shoe's own detail."""

    mode: OffGameMode
    code: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class OffGameCardShown:
    """The face of an overdrawn card that is taken out; None if it could not be read."""

    card: Card | None


@dataclass(frozen=True, slots=True)
class ResultCalled:
    """The shoe announced the result; ``pairs`` None where the shoe does not announce pairs."""

    call: Call
    pairs: Pairs | None
    with_six: bool = False


@dataclass(frozen=True, slots=True)
class CutCardOut:
    """The cut card left the shoe."""


@dataclass(frozen=True, slots=True)
class ErrorRaised:
    """The shoe reports an error; ``code`` is its own number."""

    fault: Fault
    code: int
    error_mode: bool


@dataclass(frozen=True, slots=True)
class ErrorCleared:
    """The shoe ended an error."""

    fault: Fault
    code: int


@dataclass(frozen=True, slots=True)
class LockTurned:
    """The shoe's key was turned."""

    locked: bool


@dataclass(frozen=True, slots=True)
class PresetChanged:
    """A setting of the shoe was changed at the shoe."""

    address: str
    value: str


class OrderStage(Enum):
    """How far an order to the shoe came."""

    SENT = "sent"  # told before the bytes leave
    TAKEN = "taken"  # the shoe acknowledged it
    REFUSED = "refused"
    UNANSWERED = "unanswered"  # whether the shoe took it nobody knows


@dataclass(frozen=True, slots=True)
class ShoeOrdered:
    """A technician's order to the shoe itself; ``code`` is the error it clears, ``detail`` why it was refused."""

    order: str
    stage: OrderStage
    code: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class BytesDamaged:
    """Bytes that made no frame, frames missing, or copies that disagree.

    ``size`` counts bytes (noise, checksum, copies) or missing frames (gap), ``lost`` the events that may have been
    lost with them: 0 where the events around prove that none was. ``cards`` is how many cards left the shoe with them
    by its own count, None where nobody can know. ``detail`` is for surveillance.
    """

    damage: Damage
    size: int
    lost: int = 0
    detail: str = ""
    cards: int | None = None


@dataclass(frozen=True, slots=True)
class LinkOpened:
    """The link is open; ``identity`` is the stable name of the device.

    ``authenticated`` tells of a shoe that can prove what it says whether it does; None of any other. Such a shoe is
    live with LinkProved only.
    """

    identity: str
    authenticated: bool | None = None


@dataclass(frozen=True, slots=True)
class LinkResumed:
    """The shoe stands where it was heard last or has gone on from there: what it says now follows without a gap."""


@dataclass(frozen=True, slots=True)
class LinkProved:
    """All that the shoe has said is here, or it was told what is missing: the link is live."""


@dataclass(frozen=True, slots=True)
class LinkLost:
    """The link is gone, whatever the cause; ``reason`` is a sentence for the technician.

    ``held`` says that the shoe is not let in again until a person has looked at it.
    """

    reason: str
    why: WhyLost | None = None
    held: bool = False


Signal = (
    PoweredUp
    | ShoeLoaded
    | StoodBy
    | CardDrawn
    | CardShown
    | CardCarried
    | BurnCardDrawn
    | OffGameCardDrawn
    | OffGameCardShown
    | ResultCalled
    | CutCardOut
    | ErrorRaised
    | ErrorCleared
    | LockTurned
    | PresetChanged
    | ShoeOrdered
    | BytesDamaged
    | LinkOpened
    | LinkResumed
    | LinkProved
    | LinkLost
)


class Identifies(Enum):
    """When a shoe tells the face of a card."""

    AT_DRAW = "at-draw"
    AT_REVEAL = "at-reveal"
    EITHER = "either"


class Names(Enum):
    """How a shoe knows the seat of a card."""

    BY_ITS_RULE = "by-its-rule"
    BY_SENSOR = "by-sensor"
    NOT_AT_ALL = "not-at-all"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a driver's hardware can know (wire-formats.md section 3)."""

    identifies: Identifies
    names_seat: Names
    names_index: bool
    announces_result: bool
    announces_pairs: bool
    reports_errors: bool
    reports_cut_card: bool
    reports_burn: bool
    repeats_frames: int
    numbers_modulus: int | None
    can_resend: bool
    can_lock: bool
    can_clear_error: bool
    authenticates: bool
