"""What is wrong in the end, to `replay` and to `audit` alike (design.md section 6, exit codes)."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from controller.cli.main import main
from controller.core.cards import Card, Seat
from controller.core.signals import Call, CardDrawn, Pairs, PoweredUp, ResultCalled, Signal, StoodBy
from controller.simulate.script import write_line
from drivers.emulators import Step

P, B = Seat.PLAYER, Seat.BANKER
WRONG_ORDER = (CardDrawn(B, 1, Card.parse("KH")), StoodBy())  # then nothing: it never gets its first cards
CLEAN = (
    CardDrawn(P, 1, Card.parse("9S")),
    CardDrawn(B, 1, Card.parse("KH")),
    CardDrawn(P, 2, Card.parse("KD")),
    CardDrawn(B, 2, Card.parse("7C")),
    ResultCalled(Call.PLAYER, Pairs.NONE),
)


@pytest.fixture
def codes(tmp_path):
    """Return a function that gives the exit codes of both commands, and the lines of the audit."""

    def run(*signals: Signal) -> tuple[int, int, list[dict]]:
        path = tmp_path / "evening.script"
        path.write_text("".join(f"{write_line(Step(signal))}\n" for signal in signals))
        words = ["--json", "--format", "script", str(path)]
        replayed, audited = (CliRunner().invoke(main, [command, *words]) for command in ("replay", "audit"))
        return replayed.exit_code, audited.exit_code, [json.loads(line) for line in audited.stdout.splitlines()]

    return run


def test_a_hand_that_the_input_leaves_open_is_told_with_what_is_wrong_already(codes):
    """R-PB-01: a card came out of order, and then nothing more."""
    replayed, audited, lines = codes(PoweredUp(), *WRONG_ORDER[:1])
    assert (replayed, audited) == (1, 1)
    assert [found["kind"] for found in lines[0]["irregularities"]] == ["wrong-order"]


def test_an_open_hand_with_nothing_wrong_is_no_line(codes):
    replayed, audited, lines = codes(PoweredUp(), *CLEAN, *CLEAN[:2])
    assert (replayed, audited) == (0, 0)
    assert [line.get("hand") for line in lines] == [1, None]


def test_an_abandoned_hand_has_no_line_and_is_not_forgotten(codes):
    """An abandoned hand takes no number, so the summary counts no hand; a card out of order was there all the same."""
    replayed, audited, lines = codes(PoweredUp(), *WRONG_ORDER, *CLEAN)
    assert (replayed, audited) == (1, 1)
    assert [line["hand"] for line in lines[:-1]] == [1]
    assert lines[0]["player"] == ["9S", "KD"]
    assert lines[-1]["summary"]["irregular_hands"] == 0
