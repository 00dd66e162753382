"""A table: couples hand, shoe, link and incidents in one place. `Table.apply` is the only way in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from controller.core.cards import Card, Seat
from controller.core.facts import Audience, Fact, FactName, Irregularity
from controller.core.hand import Hand, Hold
from controller.core.incidents import KINDS, Incident, Lifts
from controller.core.inputs import Input, Moment, Started
from controller.core.judge import Finding
from controller.core.machine import HandMachine, Phase, Standing, Trigger
from controller.core.profile import House
from controller.core.shoe import Shoe
from controller.core.signals import BytesDamaged, Call, Identifies, LinkLost, LinkOpened, Pairs

SECRET_HOLD = "alarm"  # the pit learns that surveillance holds the table, not why
COMMANDS_KEPT = 1_000  # ids remembered so that a repeated command changes nothing


class Link(Enum):
    """What the link to the shoe is worth."""

    CLOSED = "closed"
    SYNCING = "syncing"
    LIVE = "live"
    NOT_LIVE = "not-live"


@dataclass(frozen=True, slots=True)
class Record:
    """A closed hand: its result as recorded (None for a void hand), and who corrected it."""

    hand: Hand
    outcome: Call | None
    at: Moment
    void: bool = False
    corrected_by: str = ""


@dataclass(slots=True)
class Overdraw:
    """An overdraw that the shoe has not ended: where its cards left the shoe, and whether one was shown."""

    places: list[int] = field(default_factory=list)
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Carry:
    """An overdrawn card that opens the next hand."""

    place: int
    card: Card | None


@dataclass(slots=True)
class Alarm:
    """Something that only faces tell: surveillance knows at once, the table is held when the faces are public."""

    kind: str
    detail: str
    hand: Hand | None
    at: Moment
    held: bool = False


Handler = Callable[["Table", Any], None]
HANDLERS: dict[type, Handler] = {}


def handles(*kinds: type) -> Callable[[Handler], Handler]:
    """Register a function as the one that applies these kinds of input."""

    def register(handler: Handler) -> Handler:
        for kind in kinds:
            HANDLERS[kind] = handler
        return handler

    return register


class Table:
    """The state of one table. Deterministic: the same inputs give the same facts, byte for byte."""

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
        self.gap = 0  # events that may be missing before the next card
        self.gap_kind = "link-gap"
        self.deferred: list[Input] = []  # what the shoe said while a person is asked whose cards these are
        self.counts_anew = False  # after a power-up the shoe names the rest of the hand from its first spot
        self.locked = False
        self.link = Link.CLOSED
        self.link_reason = ""
        self.incidents: dict[str, Incident] = {}
        self.incident_count = 0
        self.alarms: list[Alarm] = []  # what the faces alone tell; the table learns of it once they are public
        self.commands: dict[str, FactName] = {}
        self.now = Moment()
        self.item = Input(Started())  # the input being applied
        self._facts: list[Fact] = []

    def apply(self, item: Input) -> tuple[Fact, ...]:
        """Take one input and return the facts that came of it, in order."""
        self._facts = []
        self.now = item.at
        self._hear(item)
        self.take(item)
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
        for item in waiting:
            self.take(item)

    def _hear(self, item: Input) -> None:
        """The shoe's own word makes an open link live, and ends a silence."""
        spoke = item.by == "shoe" and not isinstance(item.what, LinkOpened | LinkLost | BytesDamaged)
        if spoke and (self.link is Link.SYNCING or (self.link is Link.LIVE and self.link_reason)):
            self.link, self.link_reason = Link.LIVE, ""
            self.tell(FactName.LINK_CHANGED, self.hand, link=self.link, detail="")

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
            dealt_out=len(hand.laid) >= len(self.game.deal),
            held=held,
            agreed=hand.called is not None,
        )

    @property
    def phase(self) -> Phase:
        """Where the table is in a hand."""
        return self.machine.phase

    def rewrite(self, hand: Hand) -> None:
        """Put a new value of an open or unsettled hand in the place of the old one."""
        if self.hand is not None and self.hand.ref == hand.ref:
            self.hand = hand
        else:
            self.unsettled[hand.ref] = hand

    def current(self, hand: Hand) -> Hand:
        """Return the newest value of this hand."""
        return self.hand if self.hand is not None and self.hand.ref == hand.ref else self.unsettled[hand.ref]

    def raise_(
        self,
        kind: str,
        hand: Hand | None,
        *,
        seat: Seat | None = None,
        rule: str = "",
        key: str = "",
        detail: str = "",
        place: int | None = None,
    ) -> None:
        """Open an incident, and the hold its kind asks for, once for each kind, seat and key of a hand.

        Without a hand the hold stands on the table itself. ``place`` is that of the card that proves it, from 0 in
        drawing order; None where no card does.
        """
        name = f"{kind}:{key}" if key else kind
        if hand is not None:
            hand = self.current(hand)
            if (name, seat) in hand.said:
                return
            hand = replace(hand, said=hand.said | {(name, seat)})
            if KINDS[kind].irregular:
                hand = self._note(hand, kind, seat, rule, place)
            self.rewrite(hand)
        self.report(kind, hand, seat, rule, detail)
        if KINDS[kind].lifts is not Lifts.NOTHING:
            self._hold(name, kind, hand, seat, rule)

    def _note(self, hand: Hand, kind: str, seat: Seat | None, rule: str, place: int | None) -> Hand:
        """Keep an irregularity that the cards do not prove by themselves, and tell of it."""
        audience = KINDS[kind].audience
        self.tell(FactName.IRREGULARITY_FOUND, hand, audience=audience, kind=kind, seat=seat, rule=rule or None)
        proved = {(found.kind, found.seat) for found in hand.judged(self.game).irregularities}
        if (kind, seat) in proved:
            return hand
        finding = Finding(len(hand.laid) if place is None else place, Irregularity(kind, seat, rule or None))
        return replace(hand, noted=(*hand.noted, finding))

    def report(self, kind: str, hand: Hand | None, seat: Seat | None = None, rule: str = "", detail: str = "") -> None:
        """Open an incident that holds nothing."""
        self.incident_count += 1
        how = KINDS[kind]
        incident = Incident(
            id=f"{self.shoe.number}-i{self.incident_count}",
            kind=kind,
            level=how.level,
            audience=how.audience,
            shoe=hand.shoe if hand else self.shoe.number,
            hand=hand.number if hand else None,
            hand_ref=hand.ref if hand else "",
            at=self.now,
            seat=seat,
            rule=rule,
            detail=detail,
        )
        self.incidents[incident.id] = incident
        self.tell(
            FactName.INCIDENT_OPENED,
            hand,
            audience=how.audience,
            id=incident.id,
            kind=kind,
            level=how.level,
            seat=seat,
            rule=rule or None,
            detail=detail,
        )

    def _hold(self, name: str, kind: str, hand: Hand | None, seat: Seat | None, rule: str) -> None:
        if KINDS[kind].audience is Audience.SURVEILLANCE:
            name = SECRET_HOLD
        ident = f"{name}:{seat.value}" if seat else name
        hold = Hold(ident, kind, KINDS[kind].lifts is Lifts.PERSON, rule, seat)
        if hand is None:
            self.holds = (*(held for held in self.holds if held.id != ident), hold)
        else:
            self.rewrite(hand.holding(hold))
        self.tell(FactName.HAND_SUSPENDED, hand, hold=ident, kind=SECRET_HOLD if name == SECRET_HOLD else kind)
        if hand is None or hand.ref not in self.unsettled:
            self.move(Trigger.HOLD)

    def lift(self, hand: Hand | None, ids: frozenset[str]) -> None:
        """Lift holds of a hand, or of the table where there is no hand, and let the hand go on if none is left."""
        held = self.current(hand).holds if hand else self.holds
        lifted = [hold.id for hold in held if hold.id in ids]
        if not lifted:
            return
        if hand is None:
            self.holds = tuple(hold for hold in held if hold.id not in ids)
        else:
            self.rewrite(self.current(hand).without(ids))
        self.tell(FactName.HAND_RESUMED, self.current(hand) if hand else None, lifted=tuple(lifted))
        if hand is None or hand.ref not in self.unsettled:
            self.move(Trigger.LIFT)

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
