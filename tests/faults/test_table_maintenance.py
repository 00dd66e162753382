"""faults.md A 22: a setting that changes at the shoe within a maintenance window, and outside of one."""

from __future__ import annotations

import json

import pytest

from controller.core.engine import Table
from controller.core.incidents import Level
from controller.core.inputs import BeginMaintenance, EndMaintenance
from controller.core.profile import Maintenance
from controller.core.signals import PresetChanged
from controller.core.snapshot import restore, taken
from tests.faults.felt import Felt, names

CHANGE = PresetChanged("01", "0009")


@pytest.fixture
def felt() -> Felt:
    return Felt(maintenance=Maintenance.WINDOW)


def levels(felt: Felt) -> list[Level]:
    return [incident.level for incident in felt.table.incidents.values()]


def test_a22_a_setting_that_is_changed_while_nobody_maintains_the_shoe_is_an_alert(felt: Felt):
    felt.say(CHANGE)
    assert (felt.incidents, levels(felt)) == (["preset-changed"], [Level.ALERT])


def test_a22_within_a_window_it_is_a_notice_and_after_it_an_alert_again(felt: Felt):
    told = felt.ask(BeginMaintenance(), "", by="staff:7")
    assert names(told) == ["CommandAccepted", "MaintenanceChanged"]
    assert (told[1]["open"], told[1]["by"]) == (True, "staff:7")
    felt.say(CHANGE, CHANGE)
    assert levels(felt) == [Level.NOTICE] * 2
    assert [fact["value"] for fact in felt.told("PresetChanged")] == ["0009", "0009"]
    felt.ask(EndMaintenance(), "")
    felt.say(CHANGE)
    assert levels(felt) == [Level.NOTICE] * 2 + [Level.ALERT]


def test_a22_a_hand_that_begins_ends_the_window(felt: Felt):
    felt.ask(BeginMaintenance(), "")
    felt.draw("P1:2S")
    assert [fact["open"] for fact in felt.told("MaintenanceChanged")] == [True, False]
    felt.say(CHANGE)
    assert levels(felt) == [Level.ALERT]


def test_a22_nobody_maintains_a_shoe_in_mid_hand(felt: Felt):
    felt.draw("P1:2S")
    assert felt.ask(BeginMaintenance(), "")[0]["why"] == "hand-open"


def test_a22_the_page_offers_to_open_a_window_or_to_close_it(felt: Felt):
    assert "begin_maintenance" in felt.view.acts
    felt.ask(BeginMaintenance(), "")
    assert felt.ask(BeginMaintenance(), "")[0]["why"] == "nothing-to-do"
    assert ("begin_maintenance" in felt.view.acts, "end_maintenance" in felt.view.acts) == (False, True)
    felt.ask(EndMaintenance(), "")
    assert felt.ask(EndMaintenance(), "")[0]["why"] == "nothing-to-do"


def test_a22_a_window_outlasts_a_stop(felt: Felt):
    """Design, section 1: what a snapshot brings back goes on where it was."""
    felt.ask(BeginMaintenance(), "")
    again = Table(felt.table.house)
    restore(again, json.loads(json.dumps(taken(felt.table))))
    felt.table = again
    felt.say(CHANGE)
    assert felt.incidents == ["preset-maintained"]


def test_a22_a_house_without_windows_opens_none():
    felt = Felt()
    assert felt.ask(BeginMaintenance(), "")[0]["why"] == "nothing-to-do"
    assert "begin_maintenance" not in felt.view.acts
