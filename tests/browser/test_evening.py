"""A scripted evening: one real daemon, a shoe's real bytes, one browser; every step is seen and every key counted.

`TIRAGE_PICTURES=FOLDER` keeps a picture of each step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.browser import evening_oracle as oracle
from tests.browser.evening import HANDS, OUT, STEPS, STUB, UNSEEN
from tests.browser.evening_books import audited, counted, recalled, report, road, told
from tests.browser.evening_stage import Stage
from tests.e2e.sitting import aside, sitting

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

RULES = '[tables.rules]\nnew_shoe = "confirm"\nno_result_s = 3600\nescalate_s = 3600\n'
SIZES = {"table": (1280, 800), "board": (1920, 1080), "pit": (1920, 1080)}
PATHS = {"table": "/table/b1", "board": "/board/b1", "pit": "/"}
AFTERWARDS = {"report": "/table/b1/shoe/2", "hand": "/table/b1/hand/11?shoe=2", "surveillance": "/surveillance/b1"}
FAULTS = {
    "a wrong spot",
    "an overdraw withdrawn",
    "an overdraw carried",
    "an unread card",
    "a power-up in mid-hand",
    "a cable pulled",
    "a wrong result button",
    "a dispute",
    "a correction two hands back",
}
MOST_KEYS = 4


@dataclass(frozen=True)
class Evening:
    """What is left of an evening."""

    keys: Counter[str]
    counts: dict[str, int]
    roads: dict[str, set[tuple[int, int, str]]]
    report: dict
    recalled: list[tuple[list[str], str]]
    complaints: list[str]
    data: Path


@pytest.fixture(scope="module")
def evening(chromium, tmp_path_factory) -> Iterator[Evening]:
    """The whole evening, step by step."""
    folder = tmp_path_factory.mktemp("evening")
    with sitting(folder, mode="open", deal="face_up", more=RULES) as table:
        stage = Stage.opened(table, chromium, SIZES, PATHS)
        for step in STEPS:
            stage.play(step)
        board = stage.pages["board"]
        left = {
            "counts": counted(board),
            "roads": {name: road(board, name) for name in ("bead", "big", *oracle.DERIVED)},
            "report": report(table.daemon),
            "recalled": list(recalled(table.daemon, len(HANDS))),
        }
        for name, path in AFTERWARDS.items():
            stage.look_at(name, path)
        stage.close()
        aside(table.daemon.end)
        yield Evening(stage.keys, **left, complaints=stage.complaints, data=folder / "data" / "b1")


def test_a_lawful_hand_needs_no_key(evening):
    """Promised: on a shoe that closes its own hands a lawful hand needs no key at all."""
    assert evening.keys["a lawful hand"] == 0


def test_no_fault_costs_more_than_four_keys(evening):
    """Promised: each fault at most four keys, a new shoe and an acknowledgement too."""
    costs = {what: evening.keys[what] for what in (*sorted(FAULTS), "a new shoe", "an acknowledgement")}
    assert {what: keys for what, keys in costs.items() if keys > MOST_KEYS} == {}
    assert {step.of for step in STEPS} >= FAULTS


def test_the_board_shows_what_was_dealt(evening):
    """rules.md part D: later facts supersede earlier ones, and every road follows."""
    assert evening.counts == oracle.counts()
    assert evening.roads == oracle.roads()


def test_the_report_adds_up(evening):
    """faults.md A 43: what nobody heard of is missing, and told."""
    cards = evening.report["cards"]
    assert (cards["out"], cards["stub"], cards["difference"]) == (OUT - UNSEEN, STUB, UNSEEN)
    assert evening.report["results"] == dict(Counter(hand.result for hand in HANDS))
    assert evening.report["sources"] == {"shoe": len(HANDS) - 2, "blind": 2}
    assert [change["staff"] for change in evening.report["people"]] == ["2001", "3001", "2002"]
    assert [incident["hand"] for incident in evening.report["incidents"]] == [11, 12, 13, 15, 16, None, 19, None]
    assert [bool(incident["acknowledged_by"]) for incident in evening.report["incidents"]] == [*[False] * 7, True]


def test_the_recall_shows_every_hand_as_it_lay(evening):
    """Promised: cards in drawing order, and the result that stands."""
    seen = [([] if hand.blind else hand.faces.split(), hand.result) for hand in HANDS]
    assert evening.recalled == seen


def test_the_journal_audits_to_what_was_dealt_and_replays_without_a_difference(evening):
    """Promised: the same judge, live and in the audit; every hand, every irregularity, nothing more."""
    assert audited(evening.data) == oracle.audit_lines()
    assert told("replay", "--json", evening.data)[-1]["summary"]["differences"] == 0


def test_the_export_is_what_was_dealt(evening):
    """Promised: `tirage export`, verified line by line."""
    hands = told("export", "--format", "jsonl", evening.data)
    assert [(one["player"], one["banker"], one["recorded"]) for one in hands] == [
        (line["player"], line["banker"], line["recorded"]) for line in oracle.audit_lines()
    ]


def test_the_browser_complained_of_nothing(evening):
    assert evening.complaints == []


def test_the_felt_of_the_script_gives_its_results():
    """The oracle itself: every hand whose cards are seen gives the result that stands (rules.md R-PB-10)."""
    assert [hand for hand in HANDS if not oracle.sound(hand)] == []
