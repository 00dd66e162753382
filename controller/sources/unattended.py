"""What stands in for a person while a capture is replayed: captures have no people in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import Enum
from itertools import count

from controller.core.engine import Table
from controller.core.facts import Fact
from controller.core.games import Game
from controller.core.hand import Hand
from controller.core.inputs import Accept, Act, Command, Input, NewHand, Void
from controller.core.profile import Burn, Closes, Deal, House, NewShoes
from controller.sources.keys import Keys, of_no_hand

ACTOR = "replay"
NOBODY = House(new_shoe=NewShoes.WIRE)  # the house of a capture: nobody is there who could confirm a shoe
# A shoe that tells cards alone: nothing is heard of burnt cards, a cut card or a result.
CARDS_ALONE = replace(NOBODY, deal=Deal.FACE_DOWN, closes=Closes.CONTROLLER, burn=Burn.NONE, cut_card_by=0, decks=6)
ASKS = "taker-unknown"


def house_of(game: Game, decks: int | None = None) -> House:
    """Return the house by which a capture of this game is judged; ``decks`` None is as many as the game usually has."""
    base = CARDS_ALONE if game.asks_taker else NOBODY
    return replace(base, game=game, decks=base.decks if decks is None else decks)


class Policy(Enum):
    """How holds that wait for a person are closed."""

    ACCEPT = "accept"
    VOID = "void"
    STOP = "stop"


class WaitsForPersonError(Exception):
    """The replay stopped at a hold that only a person may lift."""


def play(table: Table, inputs: Iterable[Input], policy: Policy, keys: Keys | None = None) -> Iterator[tuple[Fact, ...]]:
    """Apply inputs with the keys to them, and close what waits for a person; yields the facts of each input.

    Raises WaitsForPersonError under the policy `stop`, after the facts of the hold were given.
    """
    numbers = count(1)
    for item in inputs:
        for keyed in keys.before(item) if keys else ():
            yield table.apply(keyed)
        yield table.apply(item)
        for keyed in keys.due(item, table) if keys else ():
            if of_no_hand(keyed):  # whoever begins a shoe has settled the last hand before
                yield from settled(table, policy, item, numbers)
            yield table.apply(keyed)
        yield from settled(table, policy, item, numbers)


def settled(table: Table, policy: Policy, item: Input, numbers: Iterator[int]) -> Iterator[tuple[Fact, ...]]:
    """Close what waits for a person after this input, one thing after another. Raises WaitsForPersonError."""
    while (asked := waiting(table)) is not None:
        hand, kinds, ids = asked
        if policy is Policy.STOP:
            where = f"hand {hand.number} of shoe {hand.shoe}" if hand else f"shoe {table.shoe.number}, between hands"
            raise WaitsForPersonError(f"{where} waits for a person: {', '.join(kinds)}")
        name = f"{ACTOR}-{next(numbers)}"
        command = Command(name, act(table, policy, hand, kinds, ids), hand.ref if hand else "")
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
    """Return what the policy does: a hand without its first cards is dropped, whatever the policy.

    A hand of which nobody says who took a card cannot be accepted: it is closed without a result.
    """
    if "powered-up" in kinds:
        return NewHand()
    if ASKS in kinds:
        return Void()
    if policy is Policy.VOID and hand is not None and hand.holds and not hand.incomplete(table.game):
        return Void()
    return Accept(ids)
