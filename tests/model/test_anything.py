"""Whatever is said and asked, in any order: no exception, no lost card, and the phase always agrees with the holds."""

from __future__ import annotations

import json
import random

import pytest

from controller.core import snapshot
from controller.core.engine import Table
from controller.core.facts import Fact, FactName
from controller.core.inputs import Command, Input
from controller.core.machine import Phase
from controller.core.showing import public_view
from controller.core.signals import BurnCardDrawn, CardDrawn, OffGameCardDrawn
from controller.core.watching import pit_view, surveillance_view
from controller.core.words import fact_dict, input_dict, input_of
from tests.model.anything import inputs, table_for

SIZE = 120
REFUSED = FactName.COMMAND_REJECTED
TAKES_ONE = (CardDrawn, BurnCardDrawn, OffGameCardDrawn)


def state(table: Table) -> dict:
    return {name: value for name, value in snapshot.taken(table).items() if name != "commands"}


def check(table: Table) -> None:
    hand = table.hand
    held = bool(table.holds or (hand and hand.holds))
    assert (table.phase is Phase.SUSPENDED) == held
    if not held:
        assert (table.phase is Phase.WAITING) == (hand is None)
    assert all(earlier.holds for earlier in table.unsettled.values()), "nobody could ever close it"
    assert all(earlier.ref == ref for ref, earlier in table.unsettled.items())
    assert not (table.deferred and not table.asks_whose()), "cards wait and nobody is asked"
    counts = table.shoe.counts
    assert min(counts.values(), default=0) >= 0
    assert counts.total() + table.shoe.unknown == len(table.shoe.faces)
    places = [laid.place for record in table.records.values() for laid in record.hand.laid]
    places += [laid.place for laid in hand.laid] if hand else []
    assert len(places) == len(set(places)), "a card lies in two hands"
    view = public_view(table, ident="1", name="1")
    assert surveillance_view(table, pit_view(table, view)).out == len(table.shoe.faces)


def cards_out(table: Table) -> tuple[int, int]:
    return table.shoe.number, len(table.shoe.faces) + len(table.deferred)


def conserved(item: Input, before: tuple[int, int], after: tuple[int, int]) -> None:
    """No card comes back, and each one that is announced is counted, or waits with the question whose it is."""
    if before[0] == after[0]:
        more = after[1] - before[1]
        assert more >= (1 if isinstance(item.what, TAKES_ONE) else 0) or isinstance(item.what, Command), item


def run(seed: int) -> None:
    rng = random.Random(seed)
    table = table_for(rng)
    said: list[Input] = []
    told: list[Fact] = []
    for item in inputs(rng, table, SIZE):
        before, was = cards_out(table), state(table) if isinstance(item.what, Command) else {}
        known = isinstance(item.what, Command) and item.what.id in table.commands
        facts = table.apply(item)
        said.append(item)
        told += facts
        check(table)
        conserved(item, before, cards_out(table))
        if known:
            assert facts == ()
        if known or [fact.name for fact in facts] == [REFUSED]:
            assert state(table) == was, "a refused command changed something"
    repeat(table, said, told)


def repeat(table: Table, said: list[Input], told: list[Fact]) -> None:
    written = [json.dumps(fact_dict(fact)) for fact in told]
    read = [input_of(json.loads(json.dumps(input_dict(item)))) for item in said]
    fresh = Table(table.house, identifies=table.identifies)
    assert [json.dumps(fact_dict(fact)) for item in read for fact in fresh.apply(item)] == written
    assert snapshot.taken(fresh) == snapshot.taken(table)
    half = Table(table.house, identifies=table.identifies)
    first = [json.dumps(fact_dict(fact)) for item in read[: SIZE // 2] for fact in half.apply(item)]
    resumed = Table(table.house, identifies=table.identifies)
    snapshot.restore(resumed, json.loads(json.dumps(snapshot.taken(half))))
    second = [json.dumps(fact_dict(fact)) for item in read[SIZE // 2 :] for fact in resumed.apply(item)]
    assert first + second == written


@pytest.mark.parametrize("seed", range(60))
def test_any_signals_and_commands_in_any_order_leave_a_table_that_a_person_can_go_on_with(seed):
    run(seed)


@pytest.mark.long
@pytest.mark.parametrize("batch", range(40))
def test_many_more_of_them(batch):
    for seed in range(10_000 + batch * 100, 10_000 + (batch + 1) * 100):
        run(seed)
