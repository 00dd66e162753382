"""The pages that are made are fresh, and a rule that nothing proves is told."""

from __future__ import annotations

import pytest

from tests.rules import diagrams, table


@pytest.mark.parametrize("made", [table, diagrams], ids=["rules", "state-machines"])
def test_a_made_page_is_as_its_sources_have_it(made):
    """Promised: the table of rules and the state diagrams are generated and checked fresh."""
    assert made.main(["--check"]) == 0, f"run python -m {made.__name__}"


def test_every_rule_has_a_test_of_its_own_or_a_reason():
    """Promised: each rule of the texts by id; R-000-01..58, R-002-01..30, R-003-10..18, R-004-01..21 and the rest."""
    rules = table.read()[1]
    families = {"R-000": 58, "R-002": 30, "R-003": 9, "R-004": 21, "R-FRC": 9, "R-FRB": 8, "R-PB": 12}
    families |= {"IR": 16, "PBI": 20, "FD": 6}
    assert {family: sum(ident.rpartition("-")[0] == family for ident in rules) for family in families} == families
    assert table.problems(rules, table.tests_by_id(), table.places_by_id(), table.sentences()) == []


def test_a_rule_without_a_proof_a_stranger_and_a_place_that_is_gone_are_told():
    """The check can fail."""
    rules = table.read()[1]
    lone = {"R-000-33": {"text": "", "source": "S0", "where": ["gone.py"], "sees": ["prompt.gone"]}}
    wrong = table.problems(rules | lone, {"R-999-01": ["a test"]}, {}, table.sentences())
    assert "R-000-33 has neither a test nor a reason" in wrong
    assert "R-000-33 names gone.py, which is not there" in wrong
    assert "R-000-33 has people read prompt.gone, which the catalogue has not" in wrong
    assert "a test is named by R-999-01, which is no rule" in wrong


def test_a_page_that_was_touched_is_stale(tmp_path, monkeypatch, capsys):
    """The check can fail."""
    for made in (table, diagrams):
        monkeypatch.setattr(made, "DOCUMENT", tmp_path / "page.md")
        assert made.main([]) == made.main(["--check"]) == 0
        (tmp_path / "page.md").write_text("something else")
        assert made.main(["--check"]) == 1
        assert "is stale" in capsys.readouterr().err


def test_every_phase_answers_every_trigger():
    """Promised: no trigger is ever ignored silently; the last row of each has no guard."""
    last = {(trigger, source): guards for trigger, source, _, guards in diagrams.TRANSITIONS}
    assert len(last) == len(diagrams.Phase) * len(diagrams.Trigger)
    assert set(last.values()) == {()}
