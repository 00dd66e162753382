"""The truth of a simulation against what the controller finds by itself."""

from __future__ import annotations

from collections import Counter

import pytest

from controller.core.engine import Table as Controller
from controller.core.facts import FactName
from controller.core.inputs import Input
from controller.core.profile import Deal, House
from controller.core.signals import Names
from controller.core.words import fact_dict
from controller.simulate.dealer import possible
from controller.simulate.dealing import Shoe, Table
from controller.simulate.hand import Mode
from controller.sources.unattended import Policy, play

KEYS = ("hand", "player", "banker", "result", "recorded")
SEEDS = range(4)


def found(signals):
    table = Controller(House(deal=Deal.FACE_UP))
    facts = [fact for told in play(table, map(Input, signals), Policy.ACCEPT) for fact in told]
    return {fact.hand: fact_dict(fact) for fact in facts if fact.name is FactName.HAND_COMPLETED}


def told(line):
    """What a line says; an unread card and an overdraw of one hand may stand in either order in hidden mode."""
    wrong = sorted(map(str, line["irregularities"]))
    return {key: line[key] for key in KEYS} | {"irregularities": wrong}


@pytest.mark.parametrize("names", [Names.BY_ITS_RULE, Names.BY_SENSOR])
@pytest.mark.parametrize("mode", Mode)
def test_the_controller_finds_every_irregularity_of_the_truth_and_no_other(mode, names):
    """design.md section 6: an audit line is what a reader of the wire can prove."""
    kinds = Counter()
    for seed in SEEDS:
        shoe = Shoe(Table(mode=mode, names_seat=names, rates=dict.fromkeys(possible(names), 0.06)), seed)
        signals = list(shoe.opening())
        hands = list(shoe.hands())
        signals += [signal for hand in hands for signal in hand.signals]
        truth = [hand.truth.as_line() for hand in hands if hand.truth.hand is not None]
        lines = found(signals)
        assert [told(line) for line in truth] == [told(lines[line["hand"]]) for line in truth]
        kinds.update(wrong["kind"] for line in truth for wrong in line["irregularities"])
    expected = {"overdraw", "unread-card", "result-mismatch"}
    if names is Names.BY_SENSOR:
        expected |= {"player-false-draw", "player-missed-draw", "banker-false-draw", "banker-missed-draw"}
    assert kinds.keys() == expected
