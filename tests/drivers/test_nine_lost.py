"""What an Angel Eye's numbers cannot show: nine messages lost in a row. What the shoe says next often does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.main import main
from controller.core.signals import ResultCalled, Signal
from controller.simulate.dealing import Shoe, Table
from controller.simulate.hand import Mode
from drivers.emulators import LineShoe
from drivers.emulators import Shoe as Emulator

NINE = 9
SEED = 5


def dealt(mode: str) -> list[Signal]:
    """A lawful shoe of twelve hands."""
    shoe = Shoe(Table(mode=Mode(mode)), SEED)
    return [*shoe.opening(), *(signal for hand in shoe.hands(12) for signal in hand.signals)]


def capture(folder: Path, signals: list[Signal], *, begin: int = 0, lost: int = 0) -> Path:
    """A capture from which the messages after the first ``begin`` were cut, with all their copies."""
    shoe = Emulator()
    frames = [b"".join(shoe.says(signal)) for signal in signals]
    path = folder / "shoe.raw"
    path.write_bytes(b"".join(frames[:begin] + frames[begin + lost :]))
    return path


def told(command: str, path: Path, *more: str) -> tuple[Result, dict[str, object]]:
    done = CliRunner().invoke(main, [command, "--json", "--format", "raw", *more, str(path)], catch_exceptions=False)
    return done, json.loads(done.stdout.splitlines()[-1])["summary"]


def last_line(path: Path, *more: str) -> str:
    """The summary of a replay as text."""
    done = CliRunner().invoke(main, ["replay", "--format", "raw", *more, str(path)], catch_exceptions=False)
    return done.stdout.splitlines()[-1]


def places(mode: str) -> list[int]:
    """The places in whose nine messages one hand ends or begins but not both, away from the opening."""
    signals = dealt(mode)
    ends = [number for number, signal in enumerate(signals) if isinstance(signal, ResultCalled)]
    return [end + shift for end in ends[1:6] for shift in (-NINE + 3, -NINE // 2)]


@pytest.mark.parametrize("mode", ["open", "hidden"])
def test_a_whole_capture_is_clean_and_its_summary_says_what_losses_would_show(tmp_path: Path, mode: str):
    """wire-formats.md 1.1: nine lost events in a row are invisible by number alone."""
    for command in ("replay", "audit"):
        done, _ = told(command, capture(tmp_path, dealt(mode)))
        assert (done.exit_code, done.stderr) == (0, "")
    assert last_line(tmp_path / "shoe.raw").endswith("messages missing 0: its numbers show losses of up to 8 in a row")


@pytest.mark.parametrize("place", places("hidden"))
def test_nine_messages_lost_are_told_by_what_the_shoe_says_next(tmp_path: Path, place: int):
    """faults.md A 4, 31, 37: no number shows it, but cards, faces and results no longer fit each other."""
    path = capture(tmp_path, dealt("hidden"), begin=place, lost=NINE)
    for command in ("replay", "audit"):
        done, summary = told(command, path)
        assert done.exit_code == 1
        assert "gaps" not in summary or summary["gaps"] == 0


def test_messages_that_do_not_fit_are_told_in_a_sentence_with_the_place(tmp_path: Path):
    """faults.md A 31: a result of a hand that was never told of."""
    signals = dealt("open")
    hand = next(n for n, signal in enumerate(signals) if isinstance(signal, ResultCalled)) + 1
    shorter = signals[:hand] + [signal for signal in signals[hand:] if isinstance(signal, ResultCalled)][1:2]
    for command in ("replay", "audit"):
        done, _ = told(command, capture(tmp_path, shorter))
        assert done.exit_code == 1
        assert "the shoe's messages are not whole in 1 place, first at shoe 1, between hands" in done.stderr


def test_a_gap_between_two_hands_is_no_clean_capture(tmp_path: Path):
    """faults.md A 4: messages are missing, though each hand that was told is lawful."""
    signals = dealt("open")
    first, second = [n for n, signal in enumerate(signals) if isinstance(signal, ResultCalled)][1:3]
    path = capture(tmp_path, signals, begin=first + 1, lost=second - first)
    done, summary = told("replay", path)
    assert (done.exit_code, summary["gaps"]) == (1, 1)
    assert f"messages missing {second - first}:" in last_line(path)
    assert "first at shoe 1, between hands (link-gap)" in done.stderr


def test_a_line_shoe_says_that_no_loss_shows_on_its_wire(tmp_path: Path):
    """wire-formats.md section 2: no numbers."""
    shoe, cards = LineShoe(), tmp_path / "cards.raw"
    cards.write_bytes(b"".join(b"".join(shoe.says(signal)) for signal in dealt("open")))
    config = tmp_path / "tirage.toml"
    config.write_text(
        f"""data = "{tmp_path / "data"}"
[server]
pit = "127.0.0.1:8080"
metrics = "127.0.0.1:9108"
[[tables]]
id = "b1"
name = "B1"
deal = "face_up"
[tables.shoe]
driver = "line"
port = "/dev/ttyS0"
[tables.rules]
closes = "controller"
"""
    )
    said = last_line(cards, "--config", str(config), "--table", "b1")
    assert said.endswith("messages missing 0: no loss shows on this wire")
