"""Incidents and holds: how a table says that something is wrong, waits for it, and goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller.core.cards import Seat
from controller.core.facts import Audience, FactName, Irregularity
from controller.core.games import Game
from controller.core.hand import Hand, Hold
from controller.core.incidents import KINDS, Incident, Item, Lifts
from controller.core.inputs import Moment
from controller.core.judgement import Finding
from controller.core.machine import Phase, Trigger
from controller.core.shoe import Shoe

SECRET_HOLD = "alarm"  # the pit learns that surveillance holds the table, not why


class Holding:
    """The part of a table that knows its hands, their holds and its incidents."""

    game: Game
    shoe: Shoe
    hand: Hand | None
    unsettled: dict[str, Hand]
    holds: tuple[Hold, ...]
    incidents: dict[str, Incident]
    incident_count: int
    now: Moment

    def tell(
        self, name: FactName, hand: Hand | None = None, /, *, audience: Audience = Audience.PIT, **data: Any
    ) -> None:
        """State a fact."""
        raise NotImplementedError

    def move(self, trigger: Trigger) -> Phase:
        """Let the machine follow."""
        raise NotImplementedError

    def rewrite(self, hand: Hand) -> None:
        """Put a new value of an open or unsettled hand in the place of the old one."""
        if self.hand is not None and self.hand.is_of(hand):
            self.hand = hand
        else:
            self.unsettled[hand.ref] = hand

    def current(self, hand: Hand) -> Hand:
        """Return the newest value of this hand."""
        return self.hand if self.hand is not None and self.hand.is_of(hand) else self.unsettled[hand.ref]

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
        """Open an incident that holds nothing, or add to the open one of the hand."""
        item = Item(kind, self.now, seat, rule, detail)
        known = self._incident_of(hand) if hand else None
        if known is None:
            self.incident_count += 1
            number = hand.number if hand else None
            shoe, ref = (hand.shoe, hand.ref) if hand else (self.shoe.number, "")
            known = Incident(f"{self.shoe.number}-i{self.incident_count}", shoe, number, ref, ())
        incident = replace(known, items=(*known.items, item))
        self.incidents[incident.id] = incident
        self.tell(
            FactName.INCIDENT_ADDED if known.items else FactName.INCIDENT_OPENED,
            hand,
            audience=KINDS[kind].audience,
            id=incident.id,
            kind=kind,
            level=KINDS[kind].level,
            seat=seat,
            rule=rule or None,
            detail=detail,
        )

    def report_again(self, kind: str) -> bool:
        """Count once more in the open incident of a kind between hands; False where there is none.

        Its last item says when that was, and how often in all.
        """
        found = (one for one in self.incidents.values() if not one.hand_ref and one.kind == kind)
        known = next(found, None)
        if known is None:
            return False
        first, *again = known.items
        times = str(int(again[-1].detail) + 1 if again else 2)
        self.incidents[known.id] = replace(known, items=(first, Item(kind, self.now, detail=times)))
        self.tell(
            FactName.INCIDENT_ADDED,
            None,
            audience=KINDS[kind].audience,
            id=known.id,
            kind=kind,
            level=KINDS[kind].level,
            seat=None,
            rule=None,
            detail=times,
        )
        return True

    def _incident_of(self, hand: Hand) -> Incident | None:
        return next((incident for incident in self.incidents.values() if incident.hand_ref == hand.ref), None)

    def ask(self, hand: Hand, kind: str) -> None:
        """Hold a hand for an answer; that it is asked for is no fault."""
        self._hold(kind, kind, hand, None, "")

    def hold(self, kind: str) -> None:
        """Hold the table for a person without an incident: it is no fault."""
        self._hold(kind, kind, None, None, "")

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
