"""What stands in for a person while a capture is replayed: captures have no people in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from controller.core.engine import Table
from controller.core.facts import Fact
from controller.core.hand import Hand
from controller.core.inputs import Accept, Act, Command, Input, NewHand, Void

ACTOR = "replay"


class Policy(Enum):
    """How holds that wait for a person are closed."""

    ACCEPT = "accept"
    VOID = "void"
    STOP = "stop"


class WaitsForPersonError(Exception):
    """The replay stopped at a hold that only a person may lift."""


def play(table: Table, inputs: Iterable[Input], policy: Policy) -> Iterator[tuple[Fact, ...]]:
    """Apply inputs and close what waits for a person; yields the facts of each input.

    Raises WaitsForPersonError under the policy `stop`, after the facts of the hold were given.
    """
    count = 0
    for item in inputs:
        yield table.apply(item)
        while (asked := waiting(table)) is not None:
            hand, kinds, ids = asked
            if policy is Policy.STOP:
                where = (
                    f"hand {hand.number} of shoe {hand.shoe}" if hand else f"shoe {table.shoe.number}, between hands"
                )
                raise WaitsForPersonError(f"{where} waits for a person: {', '.join(kinds)}")
            count += 1
            command = Command(f"{ACTOR}-{count}", act(table, policy, hand, kinds, ids), hand.ref if hand else "")
            yield table.apply(Input(command, item.at, ACTOR))


def waiting(table: Table) -> tuple[Hand | None, tuple[str, ...], tuple[str, ...]] | None:
    """Return what waits for a person, an earlier hand first: the hand, the kinds of its holds and their ids."""
    for hand in (*table.unsettled.values(), table.hand):
        own = hand.holds if hand else ()
        holds = (*own, *(table.holds if hand is table.hand else ()))
        if any(hold.person for hold in holds):
            return hand, tuple(hold.kind for hold in holds), tuple(hold.id for hold in holds)
    return None


def act(table: Table, policy: Policy, hand: Hand | None, kinds: tuple[str, ...], ids: tuple[str, ...]) -> Act:
    """Return what the policy does: a hand without its first cards is dropped, whatever the policy."""
    if "powered-up" in kinds:
        return NewHand()
    if policy is Policy.VOID and hand is not None and hand.holds and not hand.incomplete(table.game):
        return Void()
    return Accept(ids)
