"""Punto banco face down from a line shoe: the wire tells each face, and no page has it until the key is pressed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.core.signals import CardDrawn
from drivers.emulators.line import LineShoe
from tests.daemon.daemon import config_of, run
from tests.e2e.listening import Listener, parting
from tests.e2e.programs import FEED
from tests.e2e.sitting import Sitting, Speaking, card

# Third cards are hearts in both shoes, so that everything black is a secret until the deal is turned.
PLAIN = "2C 3C 2S QC"  # Player 4 draws
OTHERS = {
    "natural": "9C 3C KS QC",
    "both stand": "6C 7C KS QC",
    "a pair": "2C 3C 2C QC",
    "factory order": "AC 2C 3C 4C",
}
BLACK = re.compile(r"of (?:clubs|spades)|\b(?:A|[2-9]|T|10|J|Q|K)[CS]\b")


@contextmanager
def dealt(folder: Path) -> Iterator[Sitting]:
    folder.mkdir()
    path = config_of(folder, mode="auto", more='[tables.rules]\ncloses = "controller"\nburn = "none"\n')
    text = path.read_text().replace('"angel-eye"', '"line"').replace("[tables.shoe]", "decks = 1\n[tables.shoe]")
    path.write_text(text + FEED)
    shoe = Speaking(folder / "shoe")
    shoe.emulator = LineShoe()  # type: ignore[assignment]
    shoe.pty.plug()
    try:
        with run("--config", path) as daemon:
            shoe.plug()
            yield Sitting(folder, daemon, shoe)
    finally:
        shoe.pty.unplug()


def turned(table: Sitting, listener: Listener) -> dict[str, str]:
    assert table.daemon.give({"kind": "turned"}, "1-1")[0] == 200
    return listener.hear()


def heard(folder: Path, faces: str, behind: str) -> tuple[list[dict[str, str]], dict[str, str], str]:
    """All that leaves the daemon after each card to the turn, then after it, and surveillance before it."""
    with dealt(folder) as table, Listener(table) as listener:
        for face in f"{faces} {behind}".split():
            listener.say(CardDrawn(None, None, card(face)))
        before, surveillance = list(listener.steps), table.daemon.get("/surveillance/b1")
        return before, turned(table, listener), surveillance


@pytest.mark.timeout(240)
@pytest.mark.parametrize("behind", ["", "4H"])
def test_until_the_key_turns_them_nothing_tells_one_deal_from_another(tmp_path: Path, behind: str):
    """Promised: byte for byte at each step; also where a card came out before anybody pressed the key."""
    before, after, surveillance = heard(tmp_path / "plain", PLAIN, behind)
    assert "Turn the cards, press T" in before[-1]["/table/b1"]
    for name, faces in OTHERS.items():
        other, revealed, seen = heard(tmp_path / name, faces, behind)
        assert parting(before, other) is None, name
        assert after["/table/b1"] != revealed["/table/b1"], name
        assert seen != surveillance, "faces that differ nowhere prove nothing"
    for number, step in enumerate(before, 1):
        for place, body in step.items():
            assert BLACK.search(body) is None, f"{place} at step {number}"
    assert BLACK.search(after["/table/b1"]), "the canary is blind"


@pytest.mark.timeout(240)
def test_a_hand_is_dealt_turned_drawn_and_closed(tmp_path: Path):
    """wire-formats.md section 2, rules.md R-PB-03: order, seats and close follow from what all have seen."""
    with dealt(tmp_path / "one") as table, Listener(table) as listener:
        for face in PLAIN.split():
            listener.say(CardDrawn(None, None, card(face)))
        assert "PLAYER draws" in turned(table, listener)["/table/b1"]
        listener.say(CardDrawn(None, None, card("4H")))  # Player 8
        last = listener.say(CardDrawn(None, None, card("5H")))  # Banker 3 draws on a 4
        assert "BANKER wins" in last["/table/b1"] or "TIE" in last["/table/b1"]
