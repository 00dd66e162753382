"""The one table of what a person can do: kinds of command, how they are given, and the only source of keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from controller.core.cards import Seat


class Press(Enum):
    """How an act is given."""

    TAP = "tap"
    HOLD = "hold"  # one second, with progress: it takes something away or cannot be undone at once
    ASK = "ask"  # opens a question first; ends with a tap
    ASK_HOLD = "ask-hold"  # opens a question first; ends with a hold


class Place(Enum):
    """Where an act's button stands; its key works in both cases."""

    FOOT = "foot"  # on the page
    LIST = "list"  # in the list of keys


@dataclass(frozen=True, slots=True)
class ActKey:
    """An act by its kind (core/inputs.py), the key that gives it on the dealer's page, and how it is pressed.

    ``pad`` is a second key, for the hand that stays at the number pad. ``seat`` and ``at`` are what the page sends
    along where an act means one of several.
    """

    kind: str
    key: str
    press: Press
    place: Place = Place.FOOT
    pad: str = ""
    seat: str = ""
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a page or of a question that is no act by itself; its words are `key.NAME`."""

    name: str
    key: str


ACTS = (
    # Where people decide, a hand is dealt with these alone: all of them lie on a number pad.
    ActKey("turned", "T", Press.TAP, pad="Enter"),
    ActKey("takes", "1", Press.TAP),
    ActKey("opened_next", "0", Press.TAP),
    ActKey("close_bets", "L", Press.TAP),
    ActKey("relay", "!", Press.ASK_HOLD),
    ActKey("key_card", "K", Press.ASK),
    ActKey("apply", "G", Press.ASK_HOLD, Place.LIST),
    ActKey("accept", "A", Press.HOLD),
    ActKey("correct", "C", Press.ASK_HOLD),
    ActKey("void", "V", Press.HOLD),
    ActKey("rest_of_hand", "R", Press.TAP),
    ActKey("new_hand", "N", Press.TAP),
    ActKey("new_shoe", "W", Press.ASK_HOLD, Place.LIST),
    ActKey("close_shoe", "E", Press.ASK_HOLD, Place.LIST),
    ActKey("manual_hand", "M", Press.ASK_HOLD, Place.LIST),
    ActKey("blind_hands", "B", Press.ASK_HOLD, Place.LIST),
    ActKey("mark_hand", "F", Press.ASK, Place.LIST),
    ActKey("on_duty", "D", Press.ASK, Place.LIST),
    ActKey("open_table", "O", Press.ASK, Place.LIST),
    ActKey("begin_maintenance", "Y", Press.HOLD, Place.LIST),
    ActKey("end_maintenance", "Z", Press.HOLD, Place.LIST),
    ActKey("close_table", "X", Press.HOLD, Place.LIST),
)

# What closes an earlier hand; a card of it is keyed where its cards are laid.
SETTLING = tuple(act for act in ACTS if act.kind in {"relay", "accept", "correct", "void", "apply"})
TAKES = next(act for act in ACTS if act.kind == "takes")

# Acts of the list that stand on the page itself while they are what is due.
DEAD_SHOE = frozenset({"manual_hand", "blind_hands"})  # without the shoe's word hands are entered by hand
SHOE_ENDS = frozenset({"new_shoe", "close_shoe"})

# What every page with keys has besides.
PAGE = (Key("earlier", "H"), Key("unsettled", "U"), Key("sound", "S"), Key("list", "?"))

# What a page has besides where its table keeps money: the question of bankacts.py.
BANK = Key("bank", "$")

# In the question of remedies, where the dealer's own number does not decide.
DECIDER = Key("decider", "S")

# The cards as they lie: the digits of the cards choose one, then a seat's letter or one of these says what is so.
FATES = (Key("burnt", "X"), Key("next", "N"), Key("seen", "S"), Key("face", "K"))
SEATS = {"player": "P", "punter": "P", "right": "R", "left": "L", "banker": "B"}
CONFIRM = "Enter"  # held for one second
# Who won a side: the side's own letter or one of these. Where there are several sides, one key for each in turn.
CALLS = SEATS | {"tie": "T", "void": "N"}
SANCTIONS = {"none": "N", "blame": "M", "fine": "F", "liable": "A", "no_hold": "H", "pass_bank": "G"}
SORTS = {"normal": "N", "free": "F", "demonstration": "D"}
POSTS = {"dealer": "D", "supervisor": "S"}


def laying(seats: Iterable[Seat]) -> tuple[Key, ...]:
    """Return the keys of the cards as they lie at a table with these seats.

    >>> [key.key for key in laying((Seat.PLAYER, Seat.BANKER))]
    ['P', 'B', 'X', 'N', 'S', 'K']
    """
    return (*(Key(seat.value, SEATS[seat.value]) for seat in seats), *FATES)


def taking(seats: Sequence[Seat], possible: Iterable[Seat], at: int | None = None) -> tuple[ActKey, ...]:
    """Return an act for each seat that may have taken the card ``at``; its digit is the seat's place at the table.

    >>> [(act.seat, act.key) for act in taking((Seat.RIGHT, Seat.LEFT, Seat.BANKER), (Seat.LEFT, Seat.BANKER))]
    [('left', '2'), ('banker', '3')]
    """
    return tuple(replace(TAKES, key=str(seats.index(seat) + 1), seat=seat.value, at=at) for seat in possible)


def offered(kinds: Iterable[str]) -> tuple[ActKey, ...]:
    """Return the acts of these kinds in the table's order; a kind may be spelt with hyphens.

    >>> [act.key for act in offered(["void", "key-card"])]
    ['K', 'V']
    """
    wanted = {kind.replace("-", "_") for kind in kinds}
    return tuple(act for act in ACTS if act.kind in wanted)
