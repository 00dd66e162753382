"""Face-down non-interference of the old games through the whole system, from a line shoe to every public output."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.core.signals import CardDrawn
from tests.browser.old_games import LineDealt, config
from tests.daemon.daemon import run
from tests.e2e.listening import Listener, parting
from tests.e2e.programs import FEED
from tests.e2e.sitting import Sitting, card

# What is drawn face up is a heart in both shoes, so that everything black is a secret. `:seat` names who takes.
PLAYS = {
    "chemin_tableau": ("2C 3C 2S QC :punter 4H 5C", "4S KS 4C JS :punter 4H AS", "5C 5S KC 2C :punter 4H 7S"),
    "banque_foster": (
        "2C 3C 2S QC KS 5C :right 4H 7C 6S",
        "9C KC 8S QS TS AC :right 4H 5S 6C",
        "KC KS 7C AC AS 2C :right 4H 8C 9S",
    ),
    "banque_las_vegas": (
        "2C 3C 2S QC KS 5C :left 4H 7C",
        "9C KC 8S QS TS AC :left 4H 5S",
        "5C KS 7C QS AS AC :left 4H 8C",
    ),
}
BLACK = re.compile(r"of (?:clubs|spades)|\b(?:A|[2-9]|T|10|J|Q|K)[CS]\b")


@contextmanager
def dealt(folder: Path, profile: str) -> Iterator[Sitting]:
    folder.mkdir()
    shoe = LineDealt(folder / "shoe")
    shoe.pty.plug()
    try:
        file = config(folder, profile)
        file.write_text(file.read_text() + FEED)
        with run("--config", file) as daemon:
            shoe.plug()
            yield Sitting(folder, daemon, shoe)
    finally:
        shoe.pty.unplug()


def heard(folder: Path, profile: str, plays: str) -> tuple[list[dict[str, str]], dict[str, str], str]:
    """All that leaves the daemon after each step to the turn, then after it, and surveillance before it."""
    with dealt(folder, profile) as table, Listener(table) as listener:
        for step in plays.split():
            if step.startswith(":"):
                act = {"kind": "takes", "seat": step[1:]}
                assert table.daemon.give(act, "1-1", ident="7b2d0b7e-2f3e-4f61-9c55-0d7f6c0c7d10")[0] == 200
                listener.hear()
            else:
                listener.say(CardDrawn(None, None, card(step)))
        before, surveillance = list(listener.steps), table.daemon.get("/surveillance/b1")
        assert table.daemon.give({"kind": "turned"}, "1-1")[0] == 200
        return before, listener.hear(), surveillance


@pytest.mark.timeout(240)
@pytest.mark.parametrize("profile", PLAYS)
def test_until_the_turn_nothing_tells_one_hand_from_another(tmp_path: Path, profile: str):
    """Promised: a natural, a false draw, an optional five look alike, byte for byte at each step (rules.md C.6)."""
    plain, *others = PLAYS[profile]
    before, after, surveillance = heard(tmp_path / "plain", profile, plain)
    for number, plays in enumerate(others):
        other, revealed, seen = heard(tmp_path / str(number), profile, plays)
        assert parting(before, other) is None, plays
        assert after["/table/b1"] != revealed["/table/b1"], plays
        assert seen != surveillance, "faces that differ nowhere prove nothing"
    assert "4 of hearts" in before[-1]["/table/b1"], "the card that was taken lies face up"
    for number, step in enumerate(before, 1):
        for place, body in step.items():
            assert BLACK.search(body) is None, f"{place} at step {number}"
    assert BLACK.search(after["/table/b1"]), "the canary is blind"
