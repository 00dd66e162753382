"""The two machines of a table as tables: total, nothing unreachable, nothing silently ignored (design.md section 3)."""

from __future__ import annotations

from itertools import product

import pytest

from controller.core.cards import Card
from controller.core.judgement import Next, Step
from controller.core.machine import TRANSITIONS, HandMachine, Phase, Standing, Trigger
from controller.core.profile import House
from controller.core.shoe import STAGES, Shoe, Stage

STEPS = (None, *(Step(following) for following in Next))
STANDINGS = [
    Standing(open=is_open, step=step, dealt_out=dealt, held=held, agreed=agreed)
    for is_open, step, dealt, held, agreed in product((False, True), STEPS, (False, True), (False, True), (False, True))
]


def rows(phase: Phase, trigger: Trigger) -> list[tuple]:
    return [row for row in TRANSITIONS if row[0] is trigger and row[1] is phase]


def at(phase: Phase) -> HandMachine:
    machine = HandMachine()
    machine.resume(phase)
    return machine


@pytest.mark.parametrize(("phase", "trigger"), list(product(Phase, Trigger)))
def test_each_phase_answers_each_trigger_and_ends_with_an_unguarded_row(phase, trigger):
    answers = rows(phase, trigger)
    assert answers[-1][3] == ()
    assert all(row[3] for row in answers[:-1])


@pytest.mark.parametrize(("phase", "trigger"), list(product(Phase, Trigger)))
def test_every_standing_fires_and_ends_where_the_first_fitting_row_says(phase, trigger):
    class Event:
        def __init__(self, standing: Standing) -> None:
            self.kwargs = {"standing": standing}

    for standing in STANDINGS:
        expected = next(row[2] for row in rows(phase, trigger) if all(guard(Event(standing)) for guard in row[3]))
        assert at(phase).fire(trigger, standing) is expected


def test_no_row_stands_behind_rows_that_always_go_before_it():
    def meets(row: tuple, standing: Standing) -> bool:
        event = type("Event", (), {"kwargs": {"standing": standing}})()
        return all(guard(event) for guard in row[3])

    for phase, trigger in product(Phase, Trigger):
        reached = {
            next(place for place, row in enumerate(rows(phase, trigger)) if meets(row, standing))
            for standing in STANDINGS
        }
        assert reached == set(range(len(rows(phase, trigger)))), (phase, trigger)


def test_a_misspelt_name_cannot_stand_in_the_tables():
    """`transitions` finds a wrong string only when it fires; here names are members and guards are functions."""
    for trigger, source, dest, guards in TRANSITIONS:
        assert isinstance(trigger, Trigger)
        assert {source, dest} <= set(Phase)
        assert all(callable(guard) for guard in guards)
    triggers = {"begun", "cut", "counted", "ended"}
    for trigger, source, dest, guards in STAGES:
        assert trigger in triggers
        assert {source, dest} <= set(Stage)
        assert all(callable(guard) for guard in guards)


@pytest.mark.parametrize("phase", list(Phase))
def test_a_held_table_moves_nowhere_but_to_suspended(phase):
    for trigger, standing in product(Trigger, STANDINGS):
        if standing.held:
            assert at(phase).fire(trigger, standing) is Phase.SUSPENDED


def test_a_hold_suspends_whatever_the_standing():
    for phase, standing in product(Phase, STANDINGS):
        assert at(phase).fire(Trigger.HOLD, standing) is Phase.SUSPENDED


@pytest.mark.parametrize(("trigger", "stage"), list(product(("begun", "cut", "counted", "ended"), Stage)))
def test_the_shoe_answers_each_trigger_in_each_stage(trigger, stage):
    answers = [row for row in STAGES if row[:2] == (trigger, stage)]
    assert answers[-1][3] == ()
    assert all(row[3] for row in answers[:-1])
    for left in range(-1, 4):
        shoe = Shoe(1, House(hands_after_cut=left), hands_left=left)
        shoe.resume(stage)
        shoe._fire(trigger)
        assert shoe.stage in {row[2] for row in answers}


@pytest.mark.parametrize("allowed", range(4))
def test_after_the_cut_card_in_mid_hand_that_many_hands_may_begin(allowed):
    """faults.md A 41."""
    shoe = Shoe(1, House(hands_after_cut=allowed))
    shoe.begin_hand()
    shoe.cut()
    shoe.end_hand()
    begun = 0
    while shoe.stage is not Stage.FINISHED:
        assert (shoe.stage is Stage.LAST_HAND) == (begun == allowed - 1)
        shoe.begin_hand()
        begun += 1
        shoe.end_hand()
    assert begun == allowed


def test_a_second_cut_card_gives_no_further_hands():
    shoe = Shoe(1, House(hands_after_cut=1))
    shoe.cut()
    shoe.end_hand()
    shoe.begin_hand()
    shoe.cut()
    shoe.end_hand()
    assert shoe.stage is Stage.FINISHED


def test_a_later_word_about_a_card_replaces_the_earlier_one_and_counts_it_once():
    shoe = Shoe(1, House(decks=1))
    place = shoe.take(Card.parse("2S"))
    shoe.identify(place, Card.parse("3H"))
    assert (len(shoe.faces), shoe.counts[Card.parse("2S")], shoe.counts[Card.parse("3H")]) == (1, 0, 1)
    assert (shoe.unknown, shoe.left) == (0, 51)
    shoe.identify(place, None)
    assert (shoe.unknown, shoe.counts.total()) == (1, 0)


@pytest.mark.parametrize(
    ("cards", "alarmed"),
    [
        ("AS 2S 3S 4S 5S 6S", True),  # five steps up
        ("AS 2S 3S 4S 5S 9H", False),  # four
        ("6H 5H 4H 3H 2H AH", True),  # five down
        ("QC KC AC 2C 3C 4C", True),  # over the king
        ("AS 2S 3S 9D 8D 7D 9H 5C 6C 2H AH", True),  # three up, three down: six either way
        ("AS 2S 3S 9D 8D 7D 9H 5C 6C 2H AD", False),  # five either way
        ("AS 2H 3S 4H 5S 6H 7S 8H", False),  # never of one suit
    ],
)
def test_factory_order_is_known_by_its_successors(cards, alarmed):
    """faults.md A 40: 5 of 20 one way, 6 of 20 either way."""
    shoe = Shoe(1, House())
    for card in cards.split():
        shoe.take(Card.parse(card))
    assert shoe.in_factory_order() is alarmed
