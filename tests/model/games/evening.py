"""What a croupier did at a table of an old game, told flat: which cards, whose, and what was ruled. Knows no core."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

from tests.oracle.old_games import PLAIN, Dealt, Rules, Terms, Told, tell


def value(face: str) -> int:
    """The value of a face such as `TC`."""
    return 0 if face[0] in "TJQK" else "0A23456789".index(face[0])


@dataclass
class Hand:
    """One hand: its faces in the order of the shoe and, beside each, the seat that somebody named or the deal gave."""

    rules: Rules
    number: int
    faces: list[str] = field(default_factory=list)
    seats: list[str | None] = field(default_factory=list)
    terms: Terms = PLAIN
    taker: str | None = None  # named before the card came
    ended: bool = False
    firsts_seen: bool = False  # everybody sees the first cards, so that the texts say who gets the next one
    thirds_seen: bool = False  # and those drawn since, by which the banker goes
    moved: bool = False  # laid anew or put right: what was wrong before stays in the record
    noted: bool = False  # something was wrong before a card went out
    ruled: bool = False  # a card of the deal went out, so that the shoe's order says nothing of the others

    @property
    def firsts(self) -> int:
        return sum(0 if seat in self.terms.two_tens else 1 if seat in self.terms.one_card else 2 for seat in self.turns)

    @property
    def turns(self) -> tuple[str, ...]:
        return self.rules.turns

    @property
    def told(self) -> list[str | None]:
        """Who is said to have taken each card drawn after the deal."""
        return self.seats[self.firsts :]

    def ways(self, told: list[str | None]) -> list[tuple[str, ...]]:
        """Every way in which cards drawn after the deal can lie: one a seat, in the order of the decisions."""
        every = combinations(self.turns, len(told))
        return [way for way in every if all(said in (None, seat) for said, seat in zip(told, way, strict=True))]

    def unnamed(self) -> list[int]:
        """The places, among the cards drawn after the deal, of those that somebody took and nobody said who."""
        fit = next(size for size in range(len(self.told), -1, -1) if self.ways(self.told[:size]))
        if len(self.ways(self.told[:fit])) == 1:
            return []
        return [place for place in range(fit) if self.told[place] is None]

    def takers(self) -> set[str]:
        """Who may be named now: for the first card that nobody named, else for the next one."""
        if len(self.faces) < self.firsts:
            return set()
        at = (self.unnamed() or [len(self.told)])[0]
        if at == len(self.told) and self.ended:
            return set()
        return {seat for seat in self.turns if self.ways([*self.told[:at], seat, *self.told[at + 1 :]])}

    def doubted(self) -> set[str]:
        """The seat of the last card of a hand that is over, given by order alone: asked if the hand is wrong."""
        ways = self.ways(self.told)
        by_order = self.ended and self.told and self.told[-1] is None and len(ways) == 1
        return {ways[0][-1]} if by_order else set()

    def by_order(self) -> dict[str, int]:
        """The seats that order and count alone gave a drawn card, with its place: it may be named still."""
        fit = next(size for size in range(len(self.told), -1, -1) if self.ways(self.told[:size]))
        ways = self.ways(self.told[:fit])
        if self.ended or len(ways) != 1:
            return {}
        return {ways[0][at]: self.firsts + at for at, said in enumerate(self.told[:fit]) if said is None}

    def slips(self, more: int = 0) -> set[str]:
        """Who may be named as the one that takes a card after all, with so many cards behind his that came since."""
        if not self.ended or self.unnamed():
            return set()
        return {seat for seat in self.turns if self.ways([*self.told, seat, *[None] * more])}

    def name(self, seat: str) -> None:
        waiting = self.unnamed()
        if waiting:
            self.seats[self.firsts + waiting[0]] = seat
        else:
            self.taker = seat

    def lay(self, face: str) -> None:
        at = len(self.faces)
        if at < self.firsts:
            self.seats.append(self.rules.deal[at])
        else:
            self.seats.append(self.taker or self.due())
        self.faces.append(face)
        self.taker = None

    def due(self) -> str | None:
        """Who must get the next card by cards that everybody sees."""
        asked = self.told_by_the_texts().next if self.firsts_seen else ()
        if not asked or asked[0][1] != "must" or (asked[0][0] == "banker" and not self.thirds_seen):
            return None
        return asked[0][0]

    def dealt(self) -> Dealt:
        """The cards as they lie, whoever told it or however it follows from order and count."""
        fit = next(size for size in range(len(self.told), -1, -1) if self.ways(self.told[:size]))
        ways = self.ways(self.told[:fit])
        thirds = [*(ways[0] if len(ways) == 1 else self.told[:fit]), *self.told[fit:]]
        if self.moved and None not in self.told:
            thirds = self.told  # somebody laid them so
        return [*zip(self.seats[: self.firsts], map(value, self.faces), strict=False)] + [
            (seat, value(face)) for seat, face in zip(thirds, self.faces[self.firsts :], strict=True)
        ]

    def told_by_the_texts(self) -> Told:
        return tell(self.rules, self.dealt(), self.terms)

    def result(self) -> str | None:
        """The result as a table writes it; None where first cards are missing."""
        sides = self.told_by_the_texts().sides
        if len(self.faces) < self.firsts:
            return None
        return "/".join(won if (won := sides[seat]) else "void" for seat in self.rules.players)

    def wrong(self) -> set[tuple[str, str | None]]:
        said = self.told_by_the_texts()
        return {fault[:2] for fault in (*said.faults, *said.owed)}
