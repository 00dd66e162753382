"""The hand machine: the authority on what may follow what."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from transitions import EventData

from controller.core.judgement import Next, Step
from controller.core.lean import LeanMachine


class Phase(Enum):
    """Where a table is in a hand."""

    WAITING = "waiting"  # no hand is open
    DEALING = "dealing"  # the first cards are being laid
    DRAWING = "drawing"  # a card, a choice or the faces are owed
    COMPLETE = "complete"  # no more cards: the result is owed
    SUSPENDED = "suspended"  # a hold is open


class Trigger(Enum):
    """What moves the machine."""

    LAY = "lay"  # a card was laid for the hand
    SHOW = "show"  # faces became known
    CALL = "call"  # the result was called
    HOLD = "hold"  # a hold was opened
    LIFT = "lift"  # a hold was lifted
    CLOSE = "close"  # the hand was closed, voided or abandoned


@dataclass(frozen=True, slots=True)
class Standing:
    """What the guards look at: is a hand open, what does it wait for, is it held, is a called result agreed to."""

    open: bool
    step: Step | None = None
    dealt_out: bool = False  # the first cards are all out
    held: bool = False
    agreed: bool = False


def sound(event: EventData) -> bool:
    """Nothing is wrong with the hand or the table."""
    return not _standing(event).held


def no_hand(event: EventData) -> bool:
    """No hand is open."""
    return not _standing(event).open


def dealing(event: EventData) -> bool:
    """The first cards are not all out."""
    return not _standing(event).dealt_out


def owing(event: EventData) -> bool:
    """A card, a choice or the faces are owed."""
    step = _standing(event).step
    return step is not None and step.next is not Next.OVER


def over(event: EventData) -> bool:
    """The rules ask for no more cards."""
    step = _standing(event).step
    return step is not None and step.next is Next.OVER


def agreed(event: EventData) -> bool:
    """The called result and pairs agree with the cards."""
    return _standing(event).agreed


def _standing(event: EventData) -> Standing:
    standing: Standing = event.kwargs["standing"]
    return standing


# Each (phase, trigger) ends with an unguarded row, so that no trigger is ever silently ignored.
Row = tuple[Trigger, Phase, Phase, tuple[Any, ...]]
W, D, R, C, S = Phase.WAITING, Phase.DEALING, Phase.DRAWING, Phase.COMPLETE, Phase.SUSPENDED
TRANSITIONS: tuple[Row, ...] = (
    (Trigger.LAY, W, D, (sound, dealing)),
    (Trigger.LAY, W, S, ()),
    (Trigger.LAY, D, D, (sound, dealing)),
    (Trigger.LAY, D, R, (sound, owing)),
    (Trigger.LAY, D, C, (sound, over)),
    (Trigger.LAY, D, S, ()),
    (Trigger.LAY, R, R, (sound, owing)),
    (Trigger.LAY, R, C, (sound, over)),
    (Trigger.LAY, R, S, ()),
    (Trigger.LAY, C, S, ()),
    (Trigger.LAY, S, S, ()),
    (Trigger.SHOW, W, W, (sound,)),
    (Trigger.SHOW, W, S, ()),
    (Trigger.SHOW, D, D, (sound, dealing)),
    (Trigger.SHOW, D, S, ()),
    (Trigger.SHOW, R, R, (sound, owing)),
    (Trigger.SHOW, R, C, (sound, over)),
    (Trigger.SHOW, R, S, ()),
    (Trigger.SHOW, C, C, (sound, over)),
    (Trigger.SHOW, C, R, (sound, owing)),  # a face keyed anew asks for another card
    (Trigger.SHOW, C, S, ()),
    (Trigger.SHOW, S, S, ()),
    (Trigger.CALL, W, W, (sound,)),
    (Trigger.CALL, W, S, ()),
    (Trigger.CALL, D, S, ()),
    (Trigger.CALL, R, C, (sound, agreed)),  # a person let an owed card or an unread face stand
    (Trigger.CALL, R, S, ()),
    (Trigger.CALL, C, C, (sound, agreed)),
    (Trigger.CALL, C, S, ()),
    (Trigger.CALL, S, S, ()),
    *((Trigger.HOLD, phase, S, ()) for phase in Phase),
    (Trigger.LIFT, S, W, (sound, no_hand)),
    (Trigger.LIFT, S, D, (sound, dealing)),
    (Trigger.LIFT, S, R, (sound, owing)),
    (Trigger.LIFT, S, C, (sound, over)),
    (Trigger.LIFT, S, S, ()),
    *((Trigger.LIFT, phase, phase, (sound,)) for phase in (W, D, R, C)),
    *((Trigger.LIFT, phase, S, ()) for phase in (W, D, R, C)),
    *((Trigger.CLOSE, phase, W, (sound,)) for phase in Phase),
    *((Trigger.CLOSE, phase, S, ()) for phase in Phase),
)


class _Cursor:
    """The model that `transitions` moves; it holds nothing but the phase."""

    state: Phase


class HandMachine:
    """A typed face of the `transitions` machine of one table."""

    def __init__(self) -> None:
        self._cursor = _Cursor()
        self._machine = LeanMachine(
            self._cursor,
            states=Phase,
            initial=Phase.WAITING,
            transitions=[
                {"trigger": trigger.value, "source": source, "dest": dest, "conditions": list(guards)}
                for trigger, source, dest, guards in TRANSITIONS
            ],
            auto_transitions=False,
            send_event=True,
        )

    @property
    def phase(self) -> Phase:
        """The phase the table is in."""
        return self._cursor.state

    def resume(self, phase: Phase) -> None:
        """Stand in a phase that was reached before."""
        self._machine.set_state(phase, self._cursor)

    def fire(self, trigger: Trigger, standing: Standing) -> Phase:
        """Move by one trigger and return the phase reached.

        Raises AssertionError if no row fired, which is a fault of TRANSITIONS.
        """
        moved = self._machine.events[trigger.value].trigger(self._cursor, standing=standing)
        assert moved is True, f"{trigger} in {self.phase} with {standing}"
        return self.phase
