"""What people and the bank did has its words on the timeline, whichever way the journal spells it."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from controller import catalogue
from controller.catalogue import LANGUAGES
from controller.core.bank import BankAct, BankCommand
from controller.core.facts import Audience, Fact, FactName
from controller.core.inputs import Act, Correct, Input, Moment, Started
from controller.core.signals import Call
from controller.core.views import Sentence
from controller.core.words import kind_of
from controller.recall.story import Step
from controller.recall.timeline import entry
from tests.rules.test_money_corrected import BANKER_WINS, chemin, later

COMMANDS = get_args(Act)
MOVES = (*(act.__name__ for act in get_args(BankAct)), "Correction")  # as a journal holds them


def told(fact: Fact, language: str, audience: Audience) -> list[str]:
    """The words of a fact on the timeline; a missing one raises."""
    words = catalogue.load(language, catalogue.refuse)
    step = Step(Input(Started()), (fact,), Sentence("prompt.waiting"), frozenset(), None, Path(), None)  # type: ignore[arg-type]
    made = entry(step, fact, audience)
    assert made is not None
    return [words.text(word) for word in made.words if isinstance(word, Sentence)]


def fact(name: FactName, act: str) -> Fact:
    return Fact(name, 1, 1, Moment(), (("act", act), ("by", "staff:7")))


@pytest.mark.parametrize("audience", [Audience.PIT, Audience.SURVEILLANCE])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_act_of_a_person_has_its_words(language, audience):
    """design.md section 1: every sentence that a person reads has an id in one catalogue."""
    assert set(get_args(BankCommand)) <= set(COMMANDS)
    for act in COMMANDS:
        for name in (FactName.COMMAND_ACCEPTED, FactName.COMMAND_REJECTED):
            [said] = told(fact(name, kind_of(act)), language, audience)
            assert said, act


@pytest.mark.parametrize("audience", [Audience.PIT, Audience.SURVEILLANCE])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_movement_of_the_bank_has_its_words(language, audience):
    """design.md section 1; the journal names the act by its class (docs/interfaces.md, BankMoved)."""
    for act in MOVES:
        [said] = told(fact(FactName.BANK_MOVED, act), language, audience)
        assert said, act
    assert told(fact(FactName.BANK_MOVED, "SetCover"), "en", audience) == ["Set the cover"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hand_that_was_paid_and_corrected_is_told_in_words(language):
    """faults.md A 45: from the bank that is shown to the money that a later word moves."""
    cloth = chemin(BANKER_WINS)
    assert later(cloth, Correct(Call.PUNTER)) == ""
    moved = [one for one in cloth.facts if one.name is FactName.BANK_MOVED]
    acts = [dict(one.data)["act"] for one in moved]
    assert acts == ["ShowBank", "SetCover", "CloseStakes", "SettleSides", "Correction"]
    assert set(acts) <= set(MOVES)
    assert all(told(one, language, Audience.SURVEILLANCE) for one in moved)
