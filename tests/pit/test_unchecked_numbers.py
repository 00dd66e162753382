"""Where nobody signs in a number is what somebody typed: a supervisor's decision says that it was not checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from controller import catalogue
from controller.core.facts import Audience, FactName
from controller.core.inputs import OnDuty, Post
from controller.core.views import Sentence
from controller.core.words import input_dict
from controller.recall.story import Step
from controller.recall.timeline import entry
from tests.browser.playing import TableFloor
from tests.faults.felt import Felt
from tests.pit.conftest import Pit, running
from tests.pit.test_acts_preview import post

FALSE_DRAW = "P1:9S B1:2H P2:KC B2:4D P3:5H"
BURN = {"kind": "apply", "irregularity": "PBI-01", "remedy": "burn", "places": [4]}
STAMPED = "staff:1042 NUMBER NOT CHECKED"  # the number of tests/pit/test_acts_preview.py


@pytest.fixture
def felt() -> Felt:
    felt = Felt()
    felt.draw(FALSE_DRAW)
    return felt


@pytest.fixture
def table(felt: Felt) -> Iterator[Pit]:
    yield from running(TableFloor(felt))  # type: ignore[arg-type]


def given(table: Pit, felt: Felt, act: dict[str, object] = BURN):
    assert felt.table.hand is not None
    return post(table, act, felt.table.hand.ref, "commands")


@pytest.mark.parametrize("supervisor", ["", "1042", "2001"])
def test_a_supervisors_decision_by_a_typed_number_is_recorded_as_not_checked(table, felt, supervisor):
    """rules.md 1.5: who decides is recorded; that nobody signed in is, too, whoever was declared on duty."""
    felt.ask(OnDuty(Post.SUPERVISOR, supervisor), "")
    assert given(table, felt).status_code == 200
    assert [one["by"] for one in felt.told("RemedyApplied")] == [STAMPED]
    assert input_dict(felt.inputs[-1])["by"] == STAMPED


def test_what_the_house_leaves_to_its_dealers_needs_no_such_word(table, felt):
    """rules.md 1.6: a profile says of each irregularity who decides."""
    felt.table.house = replace(felt.table.house, decides=(("PBI-01", Post.DEALER),))
    assert given(table, felt).status_code == 200
    assert [one["by"] for one in felt.told("RemedyApplied")] == ["staff:1042"]


def test_the_dealer_on_duty_is_refused_by_the_table_as_before(table, felt):
    """rules.md 1.5: the refusal stands in the journal under the number that was typed."""
    felt.ask(OnDuty(Post.DEALER, "1042"), "")
    answer = given(table, felt)
    assert (answer.status_code, answer.json()["sentence"][:28]) == (409, "A supervisor decides this, n")
    [refused] = felt.told("CommandRejected")
    assert (refused["by"], refused["why"]) == ("staff:1042", "supervisor-decides")
    assert felt.told("RemedyApplied") == []


def test_other_acts_are_recorded_by_the_number_alone(table, felt):
    """docs/operating.md: without accounts every number is what somebody typed."""
    assert given(table, felt, {"kind": "void"}).status_code == 200
    assert [one["by"] for one in felt.told("HandVoided")] == ["staff:1042"]


def test_the_timeline_says_it_beside_the_number(table, felt):
    """Promised: who decided is read by people, not only by programs."""
    given(table, felt)
    [fact] = [fact for fact in felt.facts if fact.name is FactName.REMEDY_APPLIED]
    step = Step(felt.inputs[-1], (fact,), Sentence("prompt.waiting"), frozenset(), None, Path(), None)  # type: ignore[arg-type]
    told = entry(step, fact, Audience.PIT)
    assert told is not None
    assert told.by == "1042 NUMBER NOT CHECKED"


def test_the_question_of_remedies_says_it_before(table):
    """Promised: what is recorded is on the page before it counts."""
    words = catalogue.load(missing=catalogue.refuse).word("ruling.unchecked", n="#")
    with table.client() as client:
        assert f'data-unchecked="{words}"' in client.get("/table/1").text
