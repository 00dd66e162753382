"""faults.md A 7: a shoe that falls silent again and again is one incident until somebody has seen it."""

from __future__ import annotations

from typing import Any

from controller.core.facts import FactName
from controller.core.inputs import Acknowledge, Elapsed, Input, Timer
from controller.core.signals import LinkLost, LinkOpened, StoodBy
from controller.core.words import fact_dict, input_dict, input_of
from tests.faults.felt import BANKER_WINS, Felt

SILENT = Elapsed(Timer.SILENCE, joins=True)


def linked() -> Felt:
    felt = Felt()
    felt.say(LinkOpened("by-id/shoe"), StoodBy())
    return felt


def fall_silent(felt: Felt, what: Elapsed = SILENT) -> list[dict[str, Any]]:
    return [fact_dict(fact) for fact in felt.put(Input(what, felt.now, "timer"))]


def test_a07_each_further_silence_joins_the_open_incident_with_its_count_and_time():
    felt = linked()
    for _ in range(3):
        fall_silent(felt)
        felt.stand_by()
    (incident,) = felt.pit.incidents
    assert [one.id for one in (incident.sentence, *incident.more)] == ["incident.silence", "incident.silence-again"]
    assert incident.more[0].blanks == (("n", "3"), ("time", "00:00:06"))
    assert len(felt.table.incidents[incident.id].items) == 2
    assert incident.since_utc_ns == 2_000_000_000


def test_a07_a_silence_after_somebody_has_seen_the_last_one_is_a_new_incident():
    felt = linked()
    fall_silent(felt)
    (seen,) = felt.pit.incidents
    assert felt.ask(Acknowledge(seen.id), "")[0]["fact"] == FactName.COMMAND_ACCEPTED.value
    felt.stand_by()
    fall_silent(felt)
    assert [one.id for one in felt.pit.incidents] != [seen.id]
    assert felt.incidents == ["silence"]


def test_a07_silences_join_across_hands_and_nothing_of_a_hand_joins_them():
    felt = linked()
    felt.draw("P1:2S")
    fall_silent(felt)
    felt.draw("B1:3H P2:4C B2:5D")
    felt.call("banker")
    felt.say(LinkLost("unplugged"), LinkOpened("by-id/shoe"), StoodBy())
    fall_silent(felt)
    felt.hand(BANKER_WINS, "banker")
    assert felt.incidents == ["silence", "silence-again", "link-down"]


def test_a07_a_silence_of_a_journal_from_before_opens_an_incident_each_time_as_it_did():
    """A journal that was written before silences joined replays to the facts that it holds."""
    felt = linked()
    old = input_dict(Input(SILENT, felt.now, "timer"))
    del old["data"]["joins"]
    for _ in range(2):
        facts = [fact_dict(fact)["fact"] for fact in felt.put(input_of(old))]
        felt.stand_by()
        assert facts == ["LinkChanged", "IncidentOpened"]
    assert felt.incidents == ["silence", "silence"]
