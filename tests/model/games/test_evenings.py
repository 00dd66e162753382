"""Whole evenings of the old games: whatever croupier and supervisor may do, against what the texts say of the cards.

Promised: the results of closed hands agree, every card is accounted for after every event, a restart changes nothing,
and the same inputs give the same facts.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from controller.core.cards import DECK, Card
from controller.core.engine import Table
from controller.core.facts import Fact, FactName
from controller.core.hand import Hand as Lying
from controller.core.inputs import Accept, Fate, Input, OpenedNext, Placed, Relay, Takes, Turned, Void
from controller.core.remedies.situations import Remedy
from controller.core.snapshot import restore, taken
from controller.core.words import fact_dict
from tests.model.games.evening import Hand, value
from tests.oracle.banque_table import surplus
from tests.oracle.old_games import PLAIN, RULES
from tests.rules.cloth import SEATS, Cloth

DECKS = 6
SEAT_OF = {seat.value: seat for seat in SEATS.values()}
LETTER = {seat.value: letter for letter, seat in SEATS.items()}
CHANCE = st.randoms(use_true_random=False)


class Recorded(Cloth):
    """A table of which every input is kept, as a journal keeps it."""

    inputs: list[Input]

    def _apply(self, item: Input) -> tuple[Fact, ...]:
        self.__dict__.setdefault("inputs", []).append(item)
        return super()._apply(item)


class Evening(RuleBasedStateMachine):
    """One shoe at a table of an old game."""

    game = ""

    @initialize(seed=st.integers(0, 2**32))
    def opens(self, seed: int) -> None:
        self.rules = RULES[self.game]
        self.cloth = Recorded(self.game, decks=DECKS)
        self.stack = [str(card) for card in DECK] * DECKS
        random.Random(seed).shuffle(self.stack)
        self.live: dict[int, Hand] = {}  # hands that are not closed, by number
        self.open: Hand | None = None
        self.kept: str | None = None
        self.heard = 0
        self.closed = 0

    # What people do.

    @rule(more=st.integers(1, 4))
    def cards(self, more: int) -> None:
        for _ in range(more):
            self.card()

    @rule(chance=CHANCE)
    def lawful_hand(self, chance: random.Random) -> None:
        """Deal and draw as the texts ask, the optional ones as it comes."""
        hand = self.open
        while self.stack and (hand is None or len(hand.faces) < hand.firsts):
            self.card()
            hand = self.open
        while self.stack and hand is not None and hand is self.open and not hand.ended and not hand.unnamed():
            asked = hand.told_by_the_texts().next
            takers = [seat for seat, word in asked if word == "must" or chance.random() < 0.5]
            if not takers or takers[0] not in hand.takers():
                break
            self.press_takes(hand, takers[0])
            self.card()

    @precondition(lambda self: self.open is not None)
    @rule(seat=st.sampled_from(sorted(SEAT_OF)))
    def names_a_taker(self, seat: str) -> None:
        assert self.open is not None
        self.press_takes(self.open, seat)

    @precondition(
        lambda self: self.open is not None and len(self.open.faces) >= self.open.firsts and not self.open.ended
    )
    @rule()
    def turns(self) -> None:
        hand = self.hand
        hand.ended, hand.taker = True, None
        lawful = not (hand.wrong() or hand.unnamed() or hand.moved or self.cloth.holds)
        assert self.cloth.press(Turned()) == ""
        self.hear()
        assert not lawful or hand.number not in self.live  # nothing is wrong: one key closes

    @precondition(lambda self: self.open is not None)
    @rule(chance=CHANCE)
    def forgot_to_turn(self, chance: random.Random) -> None:
        hand = self.hand
        if hand.moved or len(hand.faces) <= hand.firsts:
            return
        place = chance.randrange(hand.firsts, len(hand.faces))
        if hand.ended and len(hand.faces) - place > hand.firsts:
            return  # all were seen: the drawing rules alone say where such a hand ends
        assert self.cloth.press(OpenedNext(place)) == ""
        rest, hand.faces = hand.faces[place:], hand.faces[:place]
        hand.seats, hand.ended, hand.taker = hand.seats[:place], True, None
        self.opened(rest, hand.number + 1)  # seen by all and over, it may be closed already
        self.hear()

    @precondition(lambda self: self.open is not None)
    @rule(chance=CHANCE)
    def lie_otherwise(self, chance: random.Random) -> None:
        """The cards lie otherwise than was thought: first cards around wrongly, drawn ones with anybody."""
        hand = self.hand
        firsts, thirds = hand.firsts, len(hand.faces) - hand.firsts
        if hand.terms != PLAIN or hand.moved or not 0 <= thirds <= len(hand.turns):
            return
        order = chance.sample(self.rules.deal, len(self.rules.deal)) if chance.random() < 0.5 else [*self.rules.deal]
        hand.seats = [*order, *chance.sample(hand.turns, thirds)]
        hand.moved = True
        assert firsts + thirds == len(hand.seats)
        self.lie(hand.seats)
        self.hear()

    @precondition(lambda self: self.open is not None and len(self.open.faces) < self.open.firsts)
    @rule(chance=CHANCE)
    def lays_a_part_of_the_deal_wrongly_for_a_while(self, chance: random.Random) -> None:
        """Said of the first cards while the deal goes on, and taken back: nothing of it stays."""
        hand = self.hand
        if hand.terms != PLAIN or hand.moved:
            return
        self.lie([chance.choice(self.rules.turns) for _ in hand.faces])
        for _ in range(chance.randint(1, hand.firsts - len(hand.faces))):
            self.card()
        if self.open is hand:
            self.lie(hand.seats)
        self.hear()

    @precondition(lambda self: self.open is not None and self.kept is None)
    @rule()
    def keeps_the_last_card(self) -> None:
        """The last card is kept for the next hand."""
        hand = self.hand
        named = len(hand.faces) == hand.firsts + 1 and not hand.ended and not hand.moved
        if not named:
            return
        spots = [
            Placed(at, SEAT_OF[seat or ""], 1 + at // len(hand.turns), seen=False)
            for at, seat in enumerate(hand.seats[:-1])
        ]
        assert self.cloth.press(Relay((*spots, Placed(len(spots), fate=Fate.NEXT, seen=False)))) == ""
        self.kept = hand.faces.pop()
        hand.seats.pop()
        self.hear()

    @precondition(lambda self: self.open is not None)
    @rule(chance=CHANCE)
    def a_faced_card(self, chance: random.Random) -> None:
        """IR-02: it goes to the basket and the next card serves."""
        hand = self.hand
        if hand.ended or hand.moved or not hand.faces:
            return
        place = chance.randrange(min(len(hand.faces), hand.firsts))
        laid = self.cloth.hand.laid
        if laid[place].exposed and place < len(laid) - 1:  # turned with another hand by mistake: seen, not faced
            assert self.cloth.apply("IR-02", Remedy.BURN, place) == "needs-faced"
            return
        hand.noted |= len(hand.told) > len(hand.turns)
        assert self.cloth.apply("IR-02", Remedy.BURN, place) == ""
        hand.faces.pop(place)
        hand.taker = None
        hand.seats = [*self.rules.deal[: len(hand.faces)], *[None] * (len(hand.faces) - len(self.rules.deal))]
        self.hear()

    @precondition(lambda self: self.open is not None and self.open.moved)
    @rule()
    def moves_the_cards(self) -> None:
        """IR-04: each card goes where the deal has it, who drew is asked anew."""
        hand = self.hand
        if hand.ended or hand.ruled or hand.terms != PLAIN:
            return
        if any(laid.exposed and not laid.carried for laid in self.cloth.hand.laid):  # a taken card lies open
            assert self.cloth.apply("IR-04", Remedy.MOVE) == "needs-unseen"
            return
        assert self.cloth.apply("IR-04", Remedy.MOVE) == ""
        hand.seats = [*self.rules.deal[: len(hand.faces)], *[None] * (len(hand.faces) - len(self.rules.deal))]
        self.hear()

    @precondition(lambda self: self.open is not None and len(self.open.faces) >= self.open.firsts)
    @rule(chance=CHANCE)
    def gives_up(self, chance: random.Random) -> None:
        """IR-05: a holder gives up the hand and binds his side."""
        hand = self.hand
        if hand.ended:
            return
        seat = chance.choice(self.rules.players)
        if seat in hand.terms.refused:
            assert self.cloth.apply("IR-05", Remedy.REFUSE, seat=LETTER[seat]) == "choice-binds"
            return
        assert self.cloth.apply("IR-05", Remedy.REFUSE, seat=LETTER[seat]) == ""
        hand.terms = replace(hand.terms, refused=hand.terms.refused | {seat})
        hand.moved = True
        self.hear()

    @precondition(lambda self: self.open is not None and len(self.open.faces) == self.open.firsts)
    @rule(chance=CHANCE)
    def announces_falsely(self, chance: random.Random) -> None:
        """IR-10: no card for him, unless his point is nothing."""
        hand = self.hand
        if hand.ended:
            return
        seat = chance.choice(self.rules.players)
        assert self.cloth.apply("IR-10", Remedy.BAR, seat=LETTER[seat]) == ""
        hand.terms = replace(hand.terms, liars=hand.terms.liars | {seat})
        hand.moved = True
        self.hear()

    @precondition(lambda self: self.open is None and self.kept is None and len(self.stack) > 10)
    @rule(what=st.sampled_from(["IR-06", "IR-07", "IR-08", "IR-09"]), chance=CHANCE)
    def misdeals(self, what: str, chance: random.Random) -> None:
        """A deal that went wrong from its first card, and its remedy."""
        first, bank = self.rules.players[0], "banker"
        order = [*self.rules.deal]
        match what:
            case "IR-06":
                order += [first]
            case "IR-07":
                order += [bank]
            case "IR-08":  # the banker had two before the last player had
                order[-2:] = [bank, order[-2]]
                order += [bank]
            case _:
                order = [*self.rules.players, *self.rules.players, bank]
        faces = [self.stack.pop() for _ in order]
        self.cloth.cards(" ".join(faces))
        self.cloth.lie(" ".join(f"{LETTER[seat]}{order[: at + 1].count(seat)}" for at, seat in enumerate(order)))
        self.put_right(what, order, faces, chance)

    def put_right(self, what: str, order: list[str], faces: list[str], chance: random.Random) -> None:
        held = {seat: [face for at, face in enumerate(faces) if order[at] == seat] for seat in self.rules.turns}
        first, terms = self.rules.players[0], PLAIN
        match what:
            case "IR-06":
                gone = chance.choice([at for at, seat in enumerate(order) if seat == first])
                assert self.cloth.apply(what, Remedy.PICK, gone) == ""
                held[first].remove(faces[gone])
            case "IR-07":
                assert self.cloth.apply(what, Remedy.MIN_POINT) == ""
                held["banker"].pop(surplus([value(face) for face in held["banker"]]))
            case "IR-08":
                assert self.cloth.apply(what, Remedy.ONE_CARD) == ""
                held["banker"] = held["banker"][2:]
                terms = replace(terms, one_card=frozenset({"banker"}))
            case _:
                assert self.cloth.apply(what, Remedy.ZERO_HAND) == ""
                held["banker"] = []
                terms = replace(terms, two_tens=frozenset({"banker"}))
        hand = Hand(self.rules, self.cloth.hand.number, terms=terms, moved=True, ruled=True)
        for at, seat in enumerate(self.rules.deal):
            nth = self.rules.deal[:at].count(seat)
            if nth < len(held[seat]):
                hand.faces.append(held[seat][nth])
                hand.seats.append(seat)
        assert self.cloth.holds == set()  # it was put right
        self.open = self.live[hand.number] = hand
        self.hear()

    @precondition(lambda self: self.open is not None)
    @rule()
    def voids(self) -> None:
        self.cloth.void()
        self.hear()

    @precondition(lambda self: bool(self.live))
    @rule(chance=CHANCE)
    def a_supervisor_settles(self, chance: random.Random) -> None:
        """What holds a hand is answered, let stand, or the hand is void; earlier hands too."""
        number = chance.choice(sorted(self.live))
        table, hand = self.cloth.table, self.live[number]
        lying = next(one for one in self.lying if one.number == number)
        if hand.unnamed() and hand.takers():
            self.press_takes(hand, chance.choice(sorted(hand.takers())), lying.ref)
            return
        if not lying.holds:
            return
        if hand.doubted() and any(hold.kind == "taker-unknown" for hold in lying.holds):
            self.press_takes(hand, min(hand.doubted()), lying.ref)
            return
        holds = (*lying.holds, *(table.holds if lying is table.hand else ()))
        act = Void() if chance.random() < 0.2 or hand.unnamed() else Accept(tuple(hold.id for hold in holds))
        assert self.cloth.press(act, lying.ref) == ""
        self.hear()

    @precondition(lambda self: any(hand.ended for hand in self.live.values()))
    @rule(chance=CHANCE)
    def the_close_was_a_slip(self, chance: random.Random) -> None:
        """Cards that opened the next hand since come back to the one that was ended, where they can be its own."""
        hand = self.live[chance.choice([number for number, one in self.live.items() if one.ended])]
        since = [] if hand is self.open or self.open is None else self.open.faces
        lying = next(one for one in self.lying if one.number == hand.number)
        possible = self.slip_takers(lying.ref)
        assert possible <= hand.slips(max(0, len(since) - 1))
        seat = chance.choice(hand.turns)
        taken_ = self.cloth.press(Takes(SEAT_OF[seat], len(hand.faces)), lying.ref) == ""
        assert taken_ is (seat in possible)
        if taken_:
            self.goes_on(hand, seat, since)
        self.hear()

    def goes_on(self, hand: Hand, seat: str, since: list[str]) -> None:
        hand.ended, hand.taker = False, seat
        self.open = hand  # of the other it is told that it was none
        for face in since:
            hand.lay(face)

    @property
    def lying(self) -> list[Lying]:
        table = self.cloth.table
        return [one for one in (table.hand, *table.unsettled.values()) if one]

    def slip_takers(self, ref: str) -> set[str]:
        """Who is offered as the taker of a card behind the last one of a hand that was ended."""
        view = self.cloth.view
        earlier = {one.hand_ref: (one.takers, one.taker_of) for one in view.unsettled}
        takers, place = earlier.get(ref, (view.takers, view.taker_of))
        laid = next(one.laid for one in self.lying if one.ref == ref)
        return {one.value for one in takers} if place == len(laid) else set()

    @rule()
    def restarts(self) -> None:
        """The table comes back from what was written of it."""
        again = Table(self.cloth.table.house, identifies=self.cloth.table.identifies)
        before = self.cloth.view
        restore(again, json.loads(json.dumps(taken(self.cloth.table))))
        self.cloth.table = again
        assert self.cloth.view == before

    # What must hold.

    @invariant()
    def every_card_is_accounted_for(self) -> None:
        """Dealt, burnt, basket and stub are 52 a deck, face by face."""
        if not hasattr(self, "cloth"):
            return
        shoe = self.cloth.table.shoe
        assert self.cloth.conserved()
        assert len(shoe.faces) + shoe.left == 52 * DECKS
        assert shoe.left == len(self.stack)
        assert Counter(map(str, shoe.faces)) + Counter(self.stack) == Counter({str(card): DECKS for card in DECK})

    @invariant()
    def the_table_has_the_hands_that_were_dealt(self) -> None:
        if not hasattr(self, "cloth"):
            return
        table = self.cloth.table
        assert (table.hand.number if table.hand else None) == (self.open.number if self.open else None)
        assert {one.number for one in (table.hand, *table.unsettled.values()) if one} == set(self.live)
        if table.hand is not None and self.open is not None:
            assert Counter(str(laid.card) for laid in table.hand.laid) == Counter(self.open.faces)
            asked = {seat.value for seat in self.cloth.view.takers}
            assert asked in (self.open.takers() or self.open.slips(), self.open.takers() or self.open.doubted())

    def teardown(self) -> None:
        """The same inputs give the same facts."""
        if not hasattr(self, "cloth"):
            return
        again = Table(self.cloth.table.house, identifies=self.cloth.table.identifies)
        assert [fact for item in self.cloth.inputs for fact in again.apply(item)] == self.cloth.facts
        assert taken(again) == taken(self.cloth.table)

    # How it is followed.

    def lie(self, seats: Sequence[str | None]) -> None:
        spots = [f"{LETTER[seat]}{seats[: at + 1].count(seat)}" for at, seat in enumerate(seats) if seat]
        self.cloth.lie(" ".join(spots))

    @property
    def hand(self) -> Hand:
        assert self.open is not None
        return self.open

    def card(self) -> None:
        if not self.stack:
            return
        if self.open is not None and self.open.ended:
            self.open = None  # it waits for a supervisor, the next card is another hand's
        face = self.stack.pop()
        if self.open is not None:
            seen = [laid.exposed for laid in self.cloth.hand.laid]
            self.open.firsts_seen = all(seen[: self.open.firsts])
            self.open.thirds_seen = all(seen[self.open.firsts :])
        self.cloth.cards(face)
        if self.open is not None:
            self.open.lay(face)
            self.hear()
            return
        self.hear()
        kept, self.kept = self.kept, None
        self.opened([kept, face] if kept else [face])

    def opened(self, faces: list[str], number: int | None = None) -> None:
        self.open = Hand(self.rules, number or self.cloth.hand.number)
        for face in faces:
            self.open.lay(face)
        self.live[self.open.number] = self.open

    def press_takes(self, hand: Hand, seat: str, ref: str | None = None) -> None:
        lawful = seat in hand.takers()
        taken_ = self.cloth.press(Takes(SEAT_OF[seat]), ref) == ""
        late = hand.by_order() if hand is self.open else {}
        assert taken_ is (lawful or seat in late) or seat in hand.doubted()
        if lawful:
            hand.name(seat)
        elif taken_ and seat in late:
            hand.seats[late[seat]] = seat
        elif taken_:
            hand.seats[-1] = seat
        self.hear()

    def hear(self) -> None:
        """Hold what the table told of closed hands against the texts."""
        told, self.heard = self.cloth.facts[self.heard :], len(self.cloth.facts)
        for fact in told:
            if fact.name is FactName.HAND_COMPLETED:
                self.completed(fact)
            if fact.name in {FactName.HAND_COMPLETED, FactName.HAND_VOIDED, FactName.HAND_ABANDONED}:
                gone = self.live.pop(fact.hand or 0)
                self.open = None if gone is self.open else self.open

    def completed(self, fact: Fact) -> None:
        hand, line = self.live[fact.hand or 0], fact_dict(fact)
        found = {(one["kind"], one["seat"]) for one in line["irregularities"]}
        wrong = hand.wrong()
        assert line["result"] == hand.result(), (hand, line)
        assert wrong == found or ((hand.moved or hand.noted) and wrong < found), (hand, wrong, line)
        assert self.cloth.table.records[hand.number].outcome.value == line["result"]
        self.closed += 1


def evening_of(name: str) -> type[Evening]:
    return type(f"EveningOf_{name}", (Evening,), {"game": name})


@pytest.mark.parametrize("name", RULES)
def test_whatever_is_done_at_an_old_table_its_closed_hands_are_as_the_texts_have_them(name):
    """rules.md A, B and T5: results, irregularities, every card, restarts, and the journal's replay."""
    few = settings(max_examples=15, stateful_step_count=40, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(evening_of(name), settings=few)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", RULES)
def test_many_more_and_longer_evenings(name):
    """The same, searched anew each time."""
    many = settings(
        max_examples=400, stateful_step_count=120, derandomize=False, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(evening_of(name), settings=many)


def test_the_comparison_can_fail():
    """An oracle of another game disagrees."""
    hand = Hand(RULES["foster"], 1)
    for face in ["5C", "9S", "TS", "3C", "4C", "AH"]:
        hand.lay(face)
    cloth = Cloth("foster").cards("5C 9S TS 3C 4C AH").close()
    assert cloth.result == hand.result() == "right/left"
    other = Hand(RULES["las_vegas"], 1, [*hand.faces, "8D", "8C"], [*hand.seats, "left", "banker"])
    assert other.result() == "right/banker"
    assert Card.parse("5C").points == value("5C")
