"""A table: couples hand, shoe, link and incidents in one place. `Table.apply` is the only way in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from controller.core.bank import Bank, opened
from controller.core.cards import Card, Seat
from controller.core.facts import Audience, Fact, FactName
from controller.core.hand import Hand, Hold, Laid
from controller.core.holding import Holding
from controller.core.incidents import CLOCK_STEPPED, DISK_SCARCE, Incident
from controller.core.inputs import Input, Moment, Room, Sort, Started
from controller.core.machine import HandMachine, Phase, Standing, Trigger
from controller.core.profile import House
from controller.core.shoe import Shoe
from controller.core.signals import BytesDamaged, Call, Identifies, LinkLost, LinkOpened, Pairs, WhyLost

DOUBTFUL = "doubtful"  # beside a fact whose time may be wrong
COMMANDS_KEPT = 1_000  # ids remembered so that a repeated command changes nothing


class Link(Enum):
    """What the link to the shoe is worth."""

    CLOSED = "closed"
    SYNCING = "syncing"
    LIVE = "live"
    NOT_LIVE = "not-live"


class LinkLevel(Enum):
    """Whether a shoe that can prove what it says does so."""

    UNAUTHENTICATED = "unauthenticated"
    AUTHENTIC = "authentic"


@dataclass(frozen=True, slots=True)
class Record:
    """A closed hand: its result as recorded (None for a void hand), and who corrected it."""

    hand: Hand
    outcome: Call | None
    at: Moment
    void: bool = False
    corrected_by: str = ""
    stood: Bank | None = None  # the bank as it stood before this hand was settled
    by_hand: bool = False  # people settle between themselves what a later word changes of its money


@dataclass(slots=True)
class Overdraw:
    """An overdraw that the shoe has not ended: where its cards left the shoe, and whether one was shown."""

    places: list[int] = field(default_factory=list)
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Carry:
    """A card that opens the next hand; ``seen`` says that players know its face already."""

    place: int
    card: Card | None
    seen: bool = False


@dataclass(slots=True)
class Alarm:
    """Something that only faces tell: surveillance knows at once, the table is held when the faces are public."""

    kind: str
    detail: str
    hand: Hand | None
    at: Moment
    held: bool = False


@dataclass(frozen=True, slots=True)
class Day:
    """The table's day: whether it is open, its gaming day and limits, and who is on duty by staff number."""

    open: bool = True
    day: str = ""
    limits: str = ""
    dealer: str = ""
    supervisor: str = ""


@dataclass(frozen=True, slots=True)
class Previous:
    """The shoe whose roads stay on the board until a person confirms the next one."""

    shoe: int
    results: tuple[Record, ...]
    cut: bool = True  # whether its cut card had shown


Handler = Callable[["Table", Any], None]
HANDLERS: dict[type, Handler] = {}


def handles(*kinds: type) -> Callable[[Handler], Handler]:
    """Register a function as the one that applies these kinds of input."""

    def register(handler: Handler) -> Handler:
        for kind in kinds:
            HANDLERS[kind] = handler
        return handler

    return register


class Table(Holding):
    """The state of one table. Deterministic: the same inputs give the same facts, byte for byte."""

    link_why: WhyLost | None = None
    link_level: LinkLevel | None = None  # of a shoe that can prove what it says
    proved: tuple[str, ...] = ()  # the shoes that ever proved themselves here, by identity
    device: str = ""  # the shoe that named itself last, by identity

    missed: tuple[int, ...] = ()  # places of cards that left the shoe unheard and lie on no spot yet, in order
    unplaced: tuple[int, ...] = ()  # the same of hands that are closed: they were theirs, or the next one's
    catching_up = False  # while what waited for an answer is applied
    keyed: int = 0  # cards that people keyed since the shoe told of one
    kept: tuple[Carry, ...] = ()  # cards that open the next hand after `carry`
    maintained: str = ""  # who keeps a maintenance window of the shoe open
    half_drawn: bool = False  # the shoe told of a card that stays half drawn, and has not read it
    half_read_ns: int | None = None  # when it read that card, by the monotonic clock
    bets_closed: bool = False  # on the next hand, where an operator says so
    staked: str = ""  # the hand, by reference, for which stakes are closed
    room: Room = Room.AMPLE  # on the disk of the record, as it was told last
    hold_after: str = ""  # the hand, by reference, after which no other begins for want of room on the disk
    money_since: tuple[Input, ...] = ()  # what people did about money since the last hand was settled

    def leave_missed(self) -> None:
        """No card is missed any more in the hand that lay: where those were that left unheard nobody knows."""
        self.unplaced, self.missed = (*self.unplaced, *self.missed), ()

    def __init__(self, house: House, *, identifies: Identifies = Identifies.EITHER) -> None:
        self.house = house
        self.game = house.game
        self.identifies = identifies
        self.machine = HandMachine()
        self.shoe = Shoe(1, house)
        self.hand: Hand | None = None
        self.unsettled: dict[str, Hand] = {}  # earlier hands that a person must still close, by reference
        self.records: dict[int, Record] = {}  # closed hands of this shoe, by number
        self.closed_at: list[int] = []  # UTC nanoseconds of the latest closed hands
        self.holds: tuple[Hold, ...] = ()  # holds that belong to no hand
        self.errors: dict[str, int] = {}  # open errors of the shoe: incident kind to code
        self.overdraw: Overdraw | None = None
        self.carry: Carry | None = None
        self.moving: tuple[Laid, ...] = ()  # cards on their way from one hand to the next, within one input
        self.gap = self.game.most_out  # events that may be missing before the next card; a record may begin in mid-hand
        self.gap_kind = "link-gap"
        self.deferred: list[Input] = []  # what the shoe said while a person is asked whose cards these are
        self.counts_anew = False  # after a power-up the shoe names the rest of the hand from its first spot
        self.locked = False
        self.link = Link.CLOSED
        self.link_reason = ""
        self.incidents: dict[str, Incident] = {}
        self.incident_count = 0
        self.alarms: list[Alarm] = []  # what the faces alone tell; the table learns of it once they are public
        self.acknowledged: dict[str, Incident] = {}  # of this shoe, for surveillance to review
        self.commands: dict[str, FactName] = {}
        self.day = Day()
        self.next_sort = Sort.NORMAL
        self.previous: Previous | None = None
        self.bank: Bank | None = opened(house.money)
        self.now = Moment()
        self.item = Input(Started())  # the input being applied
        self._facts: list[Fact] = []

    def apply(self, item: Input) -> tuple[Fact, ...]:
        """Take one input and return the facts that came of it, in order."""
        self._facts = []
        self.now = item.at
        self._hear(item)
        self.take(item)
        self._hold_for_room()
        facts, self._facts = tuple(self._facts), []
        return facts

    def take(self, item: Input) -> None:
        """Let the handler of this kind of input do its work."""
        self.item = item
        HANDLERS[type(item.what)](self, item.what)

    def asks_whose(self) -> bool:
        """Whether a person is being asked whose the next cards are; what the shoe says then waits (faults.md A 10)."""
        return self.hand is not None and any(hold.kind == "powered-up" for hold in self.hand.holds)

    def deferring(self) -> bool:
        """Keep the input being applied if it has to wait for that answer."""
        asked = self.asks_whose()
        if asked:
            self.deferred.append(self.item)
        return asked

    def catch_up(self) -> None:
        """Apply what the shoe said while the question was open."""
        waiting, self.deferred = self.deferred, []
        now, self.catching_up = self.now, True
        for item in waiting:
            self.now = item.at  # it happened then, whenever it is judged
            self.take(item)
        self.now, self.catching_up = now, False

    @property
    def carried(self) -> tuple[Carry, ...]:
        """The cards that open the next hand, in the order in which they left the shoe."""
        return ((self.carry,) if self.carry else ()) + self.kept

    def carries(self, *cards: Carry) -> None:
        """Keep these cards, and no others, for the next hand."""
        ordered = tuple(sorted(cards, key=lambda one: one.place))
        self.carry, self.kept = (ordered[0], ordered[1:]) if ordered else (None, ())

    def _hear(self, item: Input) -> None:
        """The shoe's own word makes an open link live, and ends a silence."""
        opening = self.link is Link.SYNCING and self.link_level is None  # another says itself when it is live
        waits = opening or (self.link is Link.LIVE and self.link_reason)
        if waits and item.by == "shoe" and not isinstance(item.what, LinkOpened | LinkLost | BytesDamaged):
            self.link, self.link_reason = Link.LIVE, ""
            self.tell(FactName.LINK_CHANGED, self.hand, link=self.link, detail="")

    def _hold_for_room(self) -> None:
        """With the disk nearly full the hand in play finishes, and no other begins (faults.md B 33)."""
        if self.hold_after and (self.hand is None or self.hand.ref != self.hold_after):
            self.hold_after = ""
            self.hold(DISK_SCARCE)

    @property
    def clock_doubtful(self) -> bool:
        """Whether the clock was set and nobody has seen to it, so that times may be wrong (faults.md B 43)."""
        return any(incident.kind == CLOCK_STEPPED for incident in self.incidents.values())

    def adopt(self, house: House) -> None:
        """Take up other choices of the house, which it may make between shoes."""
        self.house = house
        self.game = house.game
        self.shoe.house = house

    # What handlers tell and change.

    def tell(
        self, name: FactName, hand: Hand | None = None, /, *, audience: Audience = Audience.PIT, **data: Any
    ) -> None:
        """State a fact; ``hand`` is the hand it belongs to."""
        shoe = hand.shoe if hand else self.shoe.number
        number = hand.number if hand else None
        if self.incidents and self.clock_doubtful:  # asked for every fact: mostly nothing is open
            data["clock"] = DOUBTFUL
        self._facts.append(Fact(name, shoe, number, self.now, tuple(data.items()), audience))

    def move(self, trigger: Trigger) -> Phase:
        """Let the machine follow what was just laid, shown, called, held, lifted or closed."""
        return self.machine.fire(trigger, self._standing())

    def _standing(self) -> Standing:
        hand = self.hand
        held = bool(self.holds or (hand and hand.holds))
        if hand is None:
            return Standing(open=False, held=held)
        step = hand.judged(self.game).step
        return Standing(
            open=True,
            step=step,
            dealt_out=len(hand.laid) >= hand.dealt_out(self.game),
            held=held,
            agreed=hand.called is not None or hand.ended,
        )

    @property
    def phase(self) -> Phase:
        """Where the table is in a hand."""
        return self.machine.phase

    @property
    def results(self) -> tuple[Record, ...]:
        """The closed hands of this shoe in the order of their numbers."""
        return tuple(self.records[number] for number in sorted(self.records))


def called_pairs(pairs: Pairs | None) -> dict[Seat, bool] | None:
    """Say of each seat whether a pair was announced; None where the shoe announces none."""
    if pairs is None:
        return None
    return {
        Seat.PLAYER: pairs in (Pairs.PLAYER, Pairs.BOTH),
        Seat.BANKER: pairs in (Pairs.BANKER, Pairs.BOTH),
    }
