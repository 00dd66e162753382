"""Scripts of signals: the file format that simulations write and tests read."""

from __future__ import annotations

import pytest

from controller.core.signals import CardDrawn, StoodBy
from controller.simulate.dealer import Slip
from controller.simulate.demo import demo_steps
from controller.simulate.hand import Mode
from controller.simulate.pace import rescaled
from controller.simulate.playing import Simulation
from controller.simulate.script import ScriptError, read_bytes, read_script, write_line
from drivers.emulators import Step
from tests.simulate.shoes import table


def test_a_script_comes_back_as_it_was_written():
    """design.md section 2: a script is also the fixture format."""
    steps = list(Simulation(table(*Slip, rate=0.2), seed=3).steps())
    assert list(read_script(map(write_line, steps))) == steps


def test_a_line_is_an_object_with_the_wait_and_the_fields_of_the_signal():
    """The written form is a contract of the fixtures."""
    assert write_line(Step(CardDrawn(None, None, None), 0.8)) == (
        '{"wait":0.8,"kind":"card_drawn","seat":null,"index":null,"card":null,"unread":false}'
    )


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([], "line 1: expected steps, one a line"),
        ([b"# nothing\n", b"\n"], "line 1: expected steps, one a line"),
        ([b'{"kind":"stood_by"}\n', b"\xff\xfe{\n"], "line 2: expected text in UTF-8, got the byte 0xff"),
    ],
)
def test_a_file_that_holds_no_script_is_told_by_what_was_expected(lines, sentence):
    """design.md section 6: 3 is unreadable; the sentence says what to do."""
    with pytest.raises(ScriptError, match=sentence):
        list(read_bytes(lines))


def test_blank_lines_and_remarks_are_skipped_and_a_wait_may_be_left_out():
    """A fixture may say where it comes from."""
    assert list(read_script(["# a hand\n", "\n", '{"kind":"stood_by"}\n'])) == [Step(StoodBy(), 0.0)]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{", "line 2: expected an object such as"),
        ("[1]", r"line 2: expected a JSON object, got '\[1\]'"),
        ('{"kind":"nope"}', "line 2: expected a known kind, got 'nope'"),
        ('{"kind":"started"}', "line 2: started is no signal of a shoe"),
        ('{"kind":"stood_by","wait":-1}', "line 2: wait is a number of seconds from 0, not -1"),
        ('{"kind":"stood_by","wait":NaN}', "line 2: wait is a number of seconds from 0, not nan"),
        ('{"kind":"stood_by","wait":true}', "line 2: wait is a number"),
        ('{"kind":"card_shown","seat":"player","index":1,"card":"XX"}', "line 2: expected a card such as AS"),
        ('{"kind":"card_shown","seat":"player"}', "line 2: card_shown: .*missing"),
        ('{"kind":"card_shown","seat":"nobody","index":1,"card":null}', "line 2: 'nobody' is not a valid Seat"),
        ('{"kind":"card_shown","seat":"player","index":1,"card":5}', "line 2: "),
    ],
)
def test_an_error_names_the_line_and_what_was_expected(line, sentence):
    """A script is written by hand as well."""
    with pytest.raises(ScriptError, match=sentence):
        list(read_script(['{"kind":"stood_by"}', line]))


def test_at_true_pace_a_card_takes_one_and_a_half_to_three_seconds():
    """The opening card waits for the bets besides."""
    steps = list(Simulation(table(), seed=1).steps())
    waits = [step.wait_s for step in steps if isinstance(step.signal, CardDrawn) and step.signal.index > 1]
    assert 1.5 <= min(waits) < max(waits) <= 3.0
    assert {step.wait_s for step in rescaled(steps, 0)} == {0.0}


@pytest.mark.parametrize("mode", Mode)
def test_the_demonstration_goes_on_into_the_next_shoe_and_is_repeatable(mode):
    """Burn group, cut card and a new burn group, without end."""
    steps = demo_steps(1, mode)
    kinds = [type(next(steps).signal).__name__ for _ in range(4_000)]
    assert kinds.count("CutCardOut") >= 2
    first = kinds.index("CutCardOut")
    assert "BurnCardDrawn" in kinds[first:]
    assert {"OffGameCardDrawn", "CardCarried", "ErrorRaised"} <= set(kinds)
    again = demo_steps(1, mode)
    assert kinds == [type(next(again).signal).__name__ for _ in range(4_000)]


def test_the_demonstration_shows_only_what_the_shoe_settles_by_itself():
    """Nobody attends it: no card stays unread, no result is wrong, every overdraw and every other error ends."""
    steps = demo_steps(2, Mode.OPEN)
    signals = [next(steps).signal for _ in range(4_000)]
    assert not any(isinstance(signal, CardDrawn) and signal.unread for signal in signals)
    raised = sum(type(signal).__name__ == "ErrorRaised" and signal.code != 7 for signal in signals)
    cleared = sum(type(signal).__name__ == "ErrorCleared" for signal in signals)
    assert raised - cleared in (0, 1)
