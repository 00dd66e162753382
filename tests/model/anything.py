"""Any signal and any command in any order, seeded: what no shoe would say so, and what a confused person asks."""

from __future__ import annotations

import random
from collections.abc import Iterator

from controller.core.cards import DECK, Card, Seat
from controller.core.engine import Table
from controller.core.inputs import (
    Accept,
    Acknowledge,
    CloseShoe,
    Command,
    Correct,
    Elapsed,
    Input,
    KeyCard,
    Moment,
    NewHand,
    NewShoe,
    RestOfHand,
    Started,
    Timer,
    Turned,
    Void,
)
from controller.core.profile import Burn, Closes, Deal, House, NewShoes
from controller.core.signals import (
    BurnCardDrawn,
    BytesDamaged,
    Call,
    CardCarried,
    CardDrawn,
    CardShown,
    CutCardOut,
    Damage,
    ErrorCleared,
    ErrorRaised,
    Fault,
    Identifies,
    LinkLost,
    LinkOpened,
    LockTurned,
    OffGameCardDrawn,
    OffGameCardShown,
    OffGameMode,
    OrderStage,
    Pairs,
    PoweredUp,
    PresetChanged,
    ResultCalled,
    ShoeOrdered,
    StoodBy,
)

SEATS = (Seat.PLAYER, Seat.BANKER)
ORDER = [(Seat.PLAYER, 1), (Seat.BANKER, 1), (Seat.PLAYER, 2), (Seat.BANKER, 2), (Seat.PLAYER, 3), (Seat.BANKER, 3)]


def house(rng: random.Random) -> House:
    return House(
        decks=rng.choice([1, 6, 8]),
        deal=rng.choice(list(Deal)),
        hands_after_cut=rng.choice([0, 1, 2]),
        burn=rng.choice(list(Burn)),
        closes=rng.choice([Closes.SHOE, Closes.SHOE, Closes.CONTROLLER]),
        new_shoe=rng.choice(list(NewShoes)),
    )


def face(rng: random.Random) -> Card | None:
    return rng.choice([None, rng.choice(DECK), rng.choice(DECK), rng.choice(DECK)])


def signal(rng: random.Random, at: int):
    """Half of the time the next card of a hand, else whatever comes."""
    seat, index = ORDER[at % 6]
    if rng.random() < 0.45:
        return CardDrawn(seat, index, face(rng), unread=rng.random() < 0.05)
    seat, index = rng.choice(ORDER)
    fault = rng.choice(list(Fault))
    return rng.choice(
        [
            CardDrawn(seat, index, face(rng)),
            CardDrawn(rng.choice([None, seat]), rng.choice([None, index, 4]), face(rng), unread=True),
            CardShown(seat, index, face(rng)),
            CardShown(seat, index, face(rng)),
            CardCarried(seat, index, face(rng)),
            BurnCardDrawn(rng.random() < 0.3, rng.randrange(9), face(rng)),
            OffGameCardDrawn(rng.choice(list(OffGameMode)), rng.randrange(16), face(rng)),
            OffGameCardShown(face(rng)),
            ResultCalled(rng.choice(list(Call)), rng.choice([None, *Pairs]), rng.random() < 0.1),
            ResultCalled(rng.choice(list(Call)), rng.choice([None, *Pairs])),
            StoodBy(),
            PoweredUp(),
            CutCardOut(),
            ErrorRaised(fault, 1, error_mode=False),
            ErrorRaised(Fault.OVERDRAW, 2, error_mode=False),
            ErrorCleared(fault, 1),
            ErrorCleared(Fault.OVERDRAW, 2),
            LockTurned(locked=rng.random() < 0.5),
            PresetChanged("01", "0000"),
            ShoeOrdered("lock", rng.choice(list(OrderStage))),
            BytesDamaged(rng.choice(list(Damage)), rng.randrange(9), rng.randrange(3)),
            LinkOpened("shoe"),
            LinkLost("unplugged"),
        ]
    )


def act(rng: random.Random, table: Table):
    holds = [*(table.hand.holds if table.hand else ()), *table.holds]
    for hand in table.unsettled.values():
        holds = rng.choice([holds, list(hand.holds)])
    seat, index = rng.choice(ORDER)
    return rng.choice(
        [
            Void(),
            Accept(tuple(hold.id for hold in holds)),
            Accept(tuple(hold.id for hold in holds)),
            Accept(tuple(hold.id for hold in holds[:1])),
            Correct(rng.choice(list(Call))),
            KeyCard(seat, index, face(rng) or Card.of_value(3)),
            KeyCard(seat, index, rng.choice(DECK)),
            RestOfHand(),
            RestOfHand(),
            NewHand(),
            Turned(),
            Acknowledge(rng.choice([*table.incidents, "none"])),
            CloseShoe(rng.choice([None, 14])),
            NewShoe(),
        ]
    )


def meant(rng: random.Random, table: Table) -> str:
    refs = ["", "9-9", *table.unsettled, *(record.hand.ref for record in list(table.records.values())[-2:])]
    if table.hand:
        refs += [table.hand.ref] * 4
    return rng.choice(refs)


def inputs(rng: random.Random, table: Table, size: int) -> Iterator[Input]:
    """Yield inputs that look at the table as a person would; the caller applies each before asking for the next."""
    at = 0
    for number in range(size):
        now = Moment(number * 1_000_000_000, number)
        roll = rng.random()
        if roll < 0.72:
            item = signal(rng, at)
            at = at + 1 if isinstance(item, CardDrawn) else 0 if isinstance(item, ResultCalled) else at
            yield Input(item, now)
        elif roll < 0.96:
            ident = f"c{rng.randrange(number + 1) if rng.random() < 0.1 else number}"
            yield Input(Command(ident, act(rng, table), meant(rng, table)), now, "staff:7")
        elif roll < 0.98:
            yield Input(Elapsed(rng.choice(list(Timer))), now, "timer")
        else:
            yield Input(Started(), now, "recorder")


def table_for(rng: random.Random) -> Table:
    return Table(house(rng), identifies=rng.choice(list(Identifies)))
