"""Shoes full of trouble, seeded: each hand is a story of plain events that a table and the fold both hear."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.model.one_hand import DEAL, value
from tests.oracle import punto_banco as oracle

RANKS, SUITS = "A23456789TJQK", "SHDC"
Event = tuple


class Stories:
    """One shoe; ``hidden`` says whether faces come with the cards or at the end."""

    def __init__(self, seed: int, *, hidden: bool) -> None:
        self.rng = random.Random(seed)
        self.hidden = hidden
        self.cards = [rank + suit for rank in RANKS for suit in SUITS] * 8
        self.rng.shuffle(self.cards)
        self.kept: str | None = None
        self.earlier = 0

    def events(self, hands: int) -> Iterator[Event]:
        for _ in range(hands):
            story = self.rng.choice(self.tales())
            if self.rng.random() < 0.6:
                yield ("stand",)
            if self.rng.random() < 0.1:
                yield ("power",)
            yield from story()

    def tales(self) -> list:
        always = [
            self.lawful,
            self.lawful,
            self.lawful,
            self.taken_out,
            self.carried,
            self.gap,
            self.power_new,
            self.power_rest,
            self.power_void,
            self.too_early,
            self.uncalled,
            self.wrong_call,
            self.forced_end,
            self.voided,
        ]
        return always if self.hidden else [*always, self.false_draw, self.false_draw, self.missed_draw]

    # What a hand is made of.

    def coup(self) -> list[tuple[str, int, str]]:
        """A lawful coup from the shoe, in drawing order; the kept card comes first."""
        first = [self.kept] if self.kept else []
        faces = first + [self.cards.pop() for _ in range(4 - len(first))]
        values = [value(face) for face in faces]
        dealt = [(seat, index, face) for (seat, index), face in zip(DEAL, faces, strict=True)]
        player, banker = [values[0], values[2]], [values[1], values[3]]
        if oracle.point(player) >= 8 or oracle.point(banker) >= 8:
            return dealt
        third = None
        if oracle.player_draws(oracle.point(player)):
            dealt.append(("player", 3, self.cards.pop()))
            third = value(dealt[-1][2])
        if oracle.banker_draws(oracle.point(banker), third):
            dealt.append(("banker", 3, self.cards.pop()))
        return dealt

    def draws(self, coup: list, start: int = 0) -> Iterator[Event]:
        for place, (seat, index, face) in enumerate(coup[start:], start):
            kept = place == 0 and self.kept is not None
            yield ("carry" if kept else "draw", seat, index, None if self.hidden else face)
            if kept:
                self.kept = None

    def shows(self, coup: list) -> Iterator[Event]:
        if self.hidden:
            yield from (("show", seat, index, face) for seat, index, face in coup)

    def call(self, coup: list) -> Event:
        seats = {seat: [face for s, _, face in coup if s == seat] for seat in ("player", "banker")}
        pair = {seat: faces[0][0] == faces[1][0] for seat, faces in seats.items()}
        pairs = {(False, False): "none", (True, False): "player", (False, True): "banker"}
        winner = oracle.winner(*([value(face) for face in faces] for faces in seats.values()))
        return ("call", winner, pairs.get((pair["player"], pair["banker"]), "both"))

    def end(self, coup: list) -> Iterator[Event]:
        yield from self.shows(coup)
        yield self.call(coup)
        if self.rng.random() < 0.1:
            yield self.call(coup)

    # The stories.

    def lawful(self) -> Iterator[Event]:
        coup = self.coup()
        yield from self.draws(coup)
        yield from self.end(coup)

    def taken_out(self) -> Iterator[Event]:
        coup, extra = self.coup(), self.cards.pop()
        yield from self.draws(coup)
        yield from (("over",), ("off", None), ("taken", extra))
        if self.rng.random() < 0.8:
            yield ("over-end",)
        yield from self.end(coup)

    def carried(self) -> Iterator[Event]:
        coup, extra = self.coup(), self.cards.pop()
        yield from self.draws(coup)
        yield from (("over",), ("off", None), ("over-end",))
        yield from self.end(coup)
        self.kept = extra
        yield from self.lawful()

    def gap(self) -> Iterator[Event]:
        coup = self.coup()
        lost = self.rng.randrange(1, len(coup) - 1)
        events = list(self.draws(coup))
        yield from events[:lost]
        yield ("gap", 1)
        yield from events[lost + 1 :]
        yield from self.end(coup)
        yield ("accept",)

    def before_power(self) -> list:
        return self.coup()[: self.rng.randrange(1, 4)]

    def power_new(self) -> Iterator[Event]:
        yield from self.draws(self.before_power())
        yield ("power",)
        yield from self.around(("new",))

    def power_void(self) -> Iterator[Event]:
        yield from self.draws(self.before_power())
        yield ("power",)
        yield from self.around(("void",))

    def around(self, answer: Event) -> Iterator[Event]:
        """A hand that begins before the answer, or after it."""
        events = list(self.lawful())
        at = self.rng.randrange(len(events) + 1)
        yield from (*events[:at], answer, *events[at:])

    def power_rest(self) -> Iterator[Event]:
        """The shoe counts anew; in hidden mode only four cards, for no wire says where a fifth would lie."""
        coup = self.coup()
        if self.hidden:
            coup = coup[:4]
        stop = self.rng.randrange(1, 4)
        yield from self.draws(coup[:stop])
        yield ("power",)
        names = [*DEAL, ("player", 3), ("banker", 3)]
        rest = [(*names[place], face) for place, (_, _, face) in enumerate(coup[stop:])]
        events = [*(("draw", seat, index, None if self.hidden else face) for seat, index, face in rest)]
        events += [*self.shows(rest), self.call(coup)]
        at = self.rng.randrange(len(events) + 1)
        yield from (*events[:at], ("rest",), *events[at:])
        if self.hidden:
            yield ("accept",)

    def too_early(self) -> Iterator[Event]:
        yield from self.draws(self.before_power())
        yield from (("stand",), ("accept",))

    def uncalled(self) -> Iterator[Event]:
        coup = self.coup()
        yield from self.draws(coup)
        yield from self.shows(coup)
        if self.rng.random() < 0.5:
            yield ("stand",)
        yield from self.lawful()
        yield ("accept-earlier",)

    def wrong_call(self) -> Iterator[Event]:
        coup = self.coup()
        yield from self.draws(coup)
        yield from self.shows(coup)
        yield ("call", self.rng.choice(["player", "banker", "tie"]), self.rng.choice(["none", "player", "both"]))
        yield ("accept",)

    def forced_end(self) -> Iterator[Event]:
        coup = self.coup()
        yield from self.draws(coup[: self.rng.randrange(1, len(coup) + 1)])
        yield ("call", "forced-end", "none")

    def voided(self) -> Iterator[Event]:
        coup = self.coup()
        yield from self.draws(coup[: self.rng.randrange(1, len(coup) + 1)])
        yield ("void",)

    def false_draw(self) -> Iterator[Event]:
        """A third card more than the rules ask for, on either seat; a placing sensor names where it lies."""
        coup = self.coup()
        thirds = [seat for seat, index, _ in coup if index == 3]
        seat = "banker" if "player" in thirds or self.rng.random() < 0.5 else "player"
        if seat in thirds or (seat == "player" and "banker" in thirds):
            yield from self.draws(coup)
            yield from self.end(coup)
            return
        coup.append((seat, 3, self.cards.pop()))
        yield from self.draws(coup)
        if self.rng.random() < 0.5:
            yield ("accept",)
        yield self.call(coup)
        yield ("accept",)

    def missed_draw(self) -> Iterator[Event]:
        coup = self.coup()
        coup = coup[: self.rng.randrange(4, len(coup) + 1)]
        yield from self.draws(coup)
        yield from self.end(coup)
        yield ("accept",)
