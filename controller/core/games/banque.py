"""Baccarat banque: a banker against a right and a left hand, as Foster has it or as in Las Vegas (rules.md part B)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from functools import cache

from controller.core.cards import Seat
from controller.core.games.tables import Flow, Game, Looks, Sources, Thirds, Turn, Verdict

BANQUE = "banque"
SIDES = (Seat.RIGHT, Seat.LEFT)


class FiveRule(Enum):
    """What binds a player (rules.md B.6 D11)."""

    ADVICE = "advice"  # nothing: drawing under five is advice (R-000-57)
    CLUB_LAW = "club_law"  # must draw under five, must stand over five (R-000-58)
    STRICT = "strict"  # the same, as the game's own rule (R-004-21)


class BothRefuse(Enum):
    """What the banker does where both players stood (rules.md B.6 D5)."""

    FORCED = "forced"  # he must take the card offered (R-000-36)
    FREE = "free"  # as he likes (R-004-13)


class BankerNatural(Enum):
    """A banker's eight against a player's nine (rules.md B.6 D13)."""

    COMPARE = "compare"
    WINS = "wins"  # as R-004-08 has it literally


@dataclass(frozen=True, slots=True)
class BanqueSwitches:
    """What the texts of banque disagree about. The values here are those of Foster."""

    natural_flow: Flow = Flow.ALL_AT_ONCE  # D1
    looks: Looks = Looks.TOGETHER  # D3
    thirds: Thirds = Thirds.TRAVELLING  # D4, D5
    both_refuse: BothRefuse = BothRefuse.FORCED  # D5
    five_rule: FiveRule = FiveRule.ADVICE  # D11
    banker_natural: BankerNatural = BankerNatural.COMPARE  # D13


SWITCHES: dict[str, type[Enum]] = {
    "natural_flow": Flow,
    "looks": Looks,
    "thirds": Thirds,
    "both_refuse": BothRefuse,
    "five_rule": FiveRule,
    "banker_natural": BankerNatural,
}
FOSTER = BanqueSwitches()
LAS_VEGAS = BanqueSwitches(
    natural_flow=Flow.SEQUENTIAL,
    looks=Looks.BANKER_FIRST,
    thirds=Thirds.BY_REQUEST,
    both_refuse=BothRefuse.FREE,
    five_rule=FiveRule.STRICT,
)

FREE_ROWS = ("O",) * 8 + ("S", "S")
BOUND_ROWS = ("D",) * 5 + ("O", "S", "S", "S", "S")
PLAYER_RULES = {
    FiveRule.ADVICE: (FREE_ROWS, "R-000-57"),
    FiveRule.CLUB_LAW: (BOUND_ROWS, "R-000-58"),
    FiveRule.STRICT: (BOUND_ROWS, "R-004-21"),
}
BANKER_RULES = {
    # After any card taken the banker is free; the last column is for none.
    BothRefuse.FORCED: (("OOOOOOOOOOD",) * 8 + ("S" * 11,) * 2, "R-000-36", "R-000-38"),
    BothRefuse.FREE: (("O" * 11,) * 8 + ("S" * 11,) * 2, "R-004-13", "R-004-13"),
}
ALL_AT_ONCE_SOURCES = Sources(
    order="R-000-04",
    natural="R-000-27",
    most_cards="R-000-40",
    result="R-000-43",
    pair="R-PB-12",
    turns="R-000-33",
    own_natural="R-000-27",
    barred="R-000-32",
    final="R-000-23",
)
SEQUENTIAL_SOURCES = Sources(
    order="R-004-07",
    natural="R-004-08",
    most_cards="R-000-40",
    result="R-004-14",
    pair="R-PB-12",
    turns="R-004-12",
    own_natural="R-004-20",
    barred="R-000-32",
    final="R-000-23",
)


@cache
def banque(switches: BanqueSwitches = FOSTER) -> Game:
    """Return baccarat banque under these switches; the same switches give the same object."""
    rows, rule = PLAYER_RULES[switches.five_rule]
    banker, alone, after = BANKER_RULES[switches.both_refuse]
    sequential = switches.natural_flow is Flow.SEQUENTIAL
    return Game(
        name=BANQUE,
        deal=(Seat.RIGHT, Seat.LEFT, Seat.BANKER) * 2,
        turns=(
            *(Turn(side, rows=rows, rule=rule) for side in SIDES),
            Turn(
                Seat.BANKER,
                after=SIDES,
                rows=banker,
                rule=alone,
                rule_after=after,
                told=((Verdict.STAND, "R-004-20" if sequential else "R-000-27"),),
            ),
        ),
        natural=8,
        most_cards=3,
        thirds=switches.thirds,
        flow=switches.natural_flow,
        looks=switches.looks,
        outranks=sequential,  # R-004-16; where a natural ends the whole hand it cannot arise (D2)
        banker_natural_wins=switches.banker_natural is BankerNatural.WINS,
        sources=SEQUENTIAL_SOURCES if sequential else ALL_AT_ONCE_SOURCES,
        choices=tuple((field.name, getattr(switches, field.name).value) for field in fields(switches)),
    )
