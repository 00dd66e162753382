"""Chemin de fer and banque told a second time, flat, from the texts (rules.md A, B). Imports nothing from the project.

Cards are (seat, value 0..9) in the order they left the shoe, the first cards first. Faults are (kind, seat, source).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Fault = tuple[str, str | None, str]
Dealt = Sequence[tuple[str | None, int]]
Later = Mapping[str, list[int]]  # what each seat took after its first cards

CHEMIN_DEAL = ("punter", "banker", "punter", "banker")  # R-002-12
BANQUE_DEAL = ("right", "left", "banker", "right", "left", "banker")  # R-000-01..04, R-004-07
STOOD = "-"


@dataclass(frozen=True)
class Rules:
    """One game.

    ``five`` says what binds a player: "advice" (R-000-57) nothing; "strict" (R-002-22..26, R-004-21) and "club_law"
    (R-000-58) draw under 5, stand over it. ``natural`` ends the coup "all_at_once" or only its own side, "sequential"
    (D1). ``both_refuse`` leaves the banker "free" or "forced" to draw (D5). ``optional`` are the banker's free cells
    (total, third card or "-") in the table; None frees him altogether (R-002-27). ``banker_natural`` is compared
    ("compare") or "wins" (D13).
    """

    deal: tuple[str, ...]
    five: str = "strict"
    natural: str = "all_at_once"
    both_refuse: str = "free"
    optional: frozenset[tuple[int, object]] | None = None
    banker_natural: str = "compare"

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(seat for seat in self.deal if seat != "banker"))

    @property
    def turns(self) -> tuple[str, ...]:
        return (*self.players, "banker")


def chemin_tableau(optional: Iterable[tuple[int, object]]) -> Rules:
    """A.4 with any set of optional cells."""
    return Rules(CHEMIN_DEAL, optional=frozenset(optional))


FOSTER = Rules(BANQUE_DEAL, five="advice", both_refuse="forced")
LAS_VEGAS = Rules(BANQUE_DEAL, natural="sequential")
RULES = {
    "chemin_free": Rules(CHEMIN_DEAL),
    "chemin_tableau": chemin_tableau([(3, 9), (5, 4)]),
    "chemin_tableau_no_option": chemin_tableau([]),
    "foster": FOSTER,
    "las_vegas": LAS_VEGAS,
}


@dataclass(frozen=True)
class Terms:
    """What rulings made of the seats of this coup.

    ``one_card``: its single card is the hand, and final (IR-08). ``two_tens``: no card, counts 0, may draw (IR-09).
    ``liars`` announced 8 or 9 falsely and may draw on 0 only (IR-10). ``refused``: the side plays no coup (IR-05, 06).
    """

    one_card: frozenset[str] = frozenset()
    two_tens: frozenset[str] = frozenset()
    liars: frozenset[str] = frozenset()
    refused: frozenset[str] = frozenset()


PLAIN = Terms()


@dataclass(frozen=True)
class Told:
    """What the cards say.

    ``next``: who may lawfully get the next card, as (seat, "must" | "may") in the order of asking; a later one
    gets it if those before him decline. ``over`` when nobody may. ``owed``: faults that closing the hand now adds.
    ``sides``: each player's seat -> its own name, "banker", "tie", or None (refused, or first cards missing), by all
    cards as dealt; ``counted`` the same by the cards that the rules let count. ``points``: all cards of each seat.
    """

    next: tuple[tuple[str, str], ...]
    over: bool
    faults: tuple[Fault, ...]
    owed: tuple[Fault, ...]
    points: dict[str, int]
    sides: dict[str, str | None]
    counted: dict[str, str | None]


def table_draws(total: int, third: int | None) -> bool:
    """A.4 where no cell is optional: D."""
    if total <= 2:
        return True
    if third is None:
        return total <= 5
    lowest, highest = {3: (0, 9), 4: (2, 7), 5: (4, 7), 6: (6, 7)}.get(total, (1, 0))
    return lowest <= third <= highest and (total, third) != (3, 8)


class Coup:
    """The cards of one coup, taken one after another."""

    def __init__(self, rules: Rules, terms: Terms) -> None:
        self.rules, self.terms = rules, terms
        self.first: dict[str, list[int]] = {seat: [] for seat in rules.turns}
        self.later: dict[str, list[int]] = {seat: [] for seat in rules.turns}
        self.faults: list[Fault] = []

    def wanted(self, seat: str) -> int:
        """How many first cards make this seat's hand."""
        return 0 if seat in self.terms.two_tens else 1 if seat in self.terms.one_card else 2

    def complete(self) -> bool:
        return all(len(self.first[seat]) == self.wanted(seat) for seat in self.rules.turns)

    def point(self, seat: str) -> int:
        return sum(self.first[seat]) % 10

    def shows(self, seat: str) -> bool:
        """Whether the seat holds a natural, in a hand that it plays: 8 or 9 on two cards (1.2)."""
        return self.point(seat) >= 8 and self.wanted(seat) == 2 and seat not in self.terms.refused

    def ended(self, seat: str) -> bool:
        """Whether the seat is out of the draw before it begins: D1, R-004-08, R-004-10, R-000-15."""
        enders = self.rules.turns if self.rules.natural == "all_at_once" else ("banker", seat)
        if any(map(self.shows, enders)) or seat in self.terms.refused:
            return True
        return seat == "banker" and set(self.rules.players) <= self.terms.refused

    def word(self, seat: str, later: Later) -> str:
        """Must the seat take a card, may it, or must it not, when the others took these."""
        if self.ended(seat) or seat in self.terms.one_card:  # A7
            return "not"
        own = self.point(seat)
        if seat in self.terms.liars and own != 0:
            return "not"
        if seat == "banker":
            return self.banker(own, [later[player][0] for player in self.rules.players if later[player]])
        if self.rules.five == "advice" or own == 5:
            return "may"
        return "must" if own < 5 else "not"

    def banker(self, own: int, taken: list[int]) -> str:
        if self.rules.both_refuse == "forced" and not taken:
            return "must"  # R-000-36
        if self.rules.optional is None:
            return "may"
        third = taken[0] if taken else None
        if (own, STOOD if third is None else third) in self.rules.optional:
            return "may"
        return "must" if table_draws(own, third) else "not"

    def passed(self, seat: str) -> bool:
        """Whether a seat that decides later has drawn."""
        turns = self.rules.turns
        return any(self.later[after] for after in turns[turns.index(seat) + 1 :])

    def say(self, kind: str, seat: str | None, source: str) -> None:
        if (kind, seat) not in {fault[:2] for fault in self.faults}:
            self.faults.append((kind, seat, source))

    def take(self, place: int, seat: str | None, value: int) -> None:
        if place < sum(map(self.wanted, self.rules.turns)):
            if self.terms == PLAIN and seat != self.rules.deal[place]:
                self.say("wrong-order", seat, "deal")
            if seat is not None:
                self.first[seat].append(value)
            return
        if seat is None or self.later[seat]:
            self.say("extra-card", seat, "R-000-40")
        else:
            self.draw(seat)
        if seat is not None:
            self.later[seat].append(value)

    def draw(self, seat: str) -> None:
        """Judge a seat's third card before it is laid down."""
        if self.passed(seat):
            self.say("wrong-order", seat, "FD-B3")
        for earlier in self.rules.turns[: self.rules.turns.index(seat)]:
            if not self.later[earlier] and self.word(earlier, self.later) == "must":
                self.say(*self.missed(earlier))
        if self.word(seat, self.later) == "not":
            self.say(f"{seat}-false-draw", seat, self.false(seat))

    def false(self, seat: str) -> str:
        if self.ended(seat):
            return "FD-P3"
        if seat in self.terms.one_card:
            return "IR-08"
        if seat in self.terms.liars:
            return "IR-10"
        return "FD-B2" if seat == "banker" else "FD-P2"

    def missed(self, seat: str) -> Fault:
        forced = "R-000-36" if self.rules.both_refuse == "forced" else "FD-B1"
        return f"{seat}-missed-draw", seat, forced if seat == "banker" else "FD-P1"

    def owed(self) -> tuple[Fault, ...]:
        """What is wrong too if no further card comes."""
        if not self.complete():
            return (("incomplete-hand", None, ""),)
        said = {fault[:2] for fault in self.faults}
        silent = [seat for seat in self.rules.turns if not self.later[seat]]
        owing = [self.missed(seat) for seat in silent if self.word(seat, self.later) == "must"]
        return tuple(fault for fault in owing if fault[:2] not in said)

    def next(self, place: int) -> tuple[tuple[str, str], ...]:
        if not self.complete():
            return ((self.rules.deal[place], "must"),) if place < len(self.rules.deal) else ()
        found: list[tuple[str, str]] = []
        for seat in self.rules.turns:
            word = "not" if self.later[seat] or self.passed(seat) else self.word(seat, self.later)
            if word != "not":
                found.append((seat, word))
            if word == "must":
                break
        return tuple(found)

    def lawful(self) -> Later:
        """The third cards that the rules let count, in the order of the decisions."""
        kept: dict[str, list[int]] = {seat: [] for seat in self.rules.turns}
        for seat in self.rules.turns:
            if self.word(seat, kept) != "not":
                kept[seat] = self.later[seat][:1]
        return kept

    def sides(self, later: Later) -> dict[str, str | None]:
        if not self.complete():
            return dict.fromkeys(self.rules.players)
        played = {seat: self.won(seat, later) for seat in self.rules.players if seat not in self.terms.refused}
        return {seat: played.get(seat) for seat in self.rules.players}

    def won(self, seat: str, later: Later) -> str:
        """R-000-43, R-004-14; D13 where the banker's natural wins whatever the player holds."""
        player, banker = self.worth(seat, later), self.worth("banker", later)
        if self.rules.banker_natural == "wins" and self.shows("banker"):
            return "banker"
        return "tie" if player == banker else seat if player > banker else "banker"

    def worth(self, seat: str, later: Later) -> tuple[bool, int]:
        """R-004-16, D2: where a natural ends its side only, it beats every hand with a drawn card."""
        total = (self.point(seat) + sum(later[seat])) % 10
        return self.rules.natural == "sequential" and self.shows(seat) and not later[seat], total


def tell(rules: Rules, dealt: Dealt, terms: Terms = PLAIN) -> Told:
    """Say all that these cards say."""
    coup = Coup(rules, terms)
    for place, (seat, value) in enumerate(dealt):
        coup.take(place, seat, value)
    following = coup.next(len(dealt))
    return Told(
        next=following,
        over=coup.complete() and not following,
        faults=tuple(coup.faults),
        owed=coup.owed(),
        points={seat: (coup.point(seat) + sum(coup.later[seat])) % 10 for seat in rules.turns},
        sides=coup.sides(coup.later),
        counted=coup.sides(coup.lawful()) if coup.complete() else dict.fromkeys(rules.players),
    )


def laid(rules: Rules, values: Sequence[int], *thirds: tuple[str | None, int]) -> Dealt:
    """First cards by value in dealing order, then third cards as (seat, value)."""
    return (*zip(rules.deal, values, strict=False), *thirds)
