"""Face-down non-interference through the whole system: what only hidden faces decide leaves it with the reveal."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from controller.core.signals import (
    BurnCardDrawn,
    Call,
    ErrorCleared,
    ErrorRaised,
    Fault,
    OffGameCardDrawn,
    OffGameMode,
    Pairs,
    PoweredUp,
    ResultCalled,
    Signal,
)
from tests.e2e.listening import Listener, parting, timeless
from tests.e2e.looking import pages_of, until
from tests.e2e.sitting import card, carried, dealt, drawn, shown, sitting

PLAYER = ResultCalled(Call.PLAYER, Pairs.NONE)
FIRST_HAND = "9H 3H KH 4H"  # hearts are public, so that everything black is a secret
SPOTS = ("P1", "B1", "P2", "B2", "P3", "B3")
PLAIN = "2C 3C 2S QC KS 5C"
# What the same six spots hide; with one deck a second copy is one too many. Each is told at once from PLAIN when open.
HIDDEN = {
    "false draw": "4C 3C 3S QC KS 5C",
    "natural": "4C 3C 5S QC KS 5C",
    "impossible card": "2C 3C 2C QC KS 5C",
    "factory order": "AC 2C 3C 4C 5C 6C",
}
BLACK = re.compile(r"of (?:clubs|spades)|\b(?:A|[2-9]|T|10|J|Q|K)[CS]\b")


def script(mode: str, faces: str, burnt: str) -> list[Signal]:
    """Up to the reveal: a burn group, a hand of hearts with a card carried over, and a hand of hidden faces."""
    cards = faces.split() if mode == "open" else ["?"] * len(SPOTS)
    first = dealt(FIRST_HAND) if mode == "open" else dealt("? ? ? ?")
    shows = [shown(*both) for both in zip(SPOTS, FIRST_HAND.split(), strict=False)] if mode == "hidden" else []
    return [
        PoweredUp(),
        BurnCardDrawn(sets_count=True, left=0, card=card("2H")),
        *(BurnCardDrawn(sets_count=False, left=1 - at, card=card(face)) for at, face in enumerate(burnt.split())),
        *first,
        ErrorRaised(Fault.OVERDRAW, 2, error_mode=False),
        OffGameCardDrawn(OffGameMode.SETTING, 0, card(cards[0])),
        ErrorCleared(Fault.OVERDRAW, 2),
        *shows,
        PLAYER,
        carried("P1", cards[0]),
        *(drawn(*both) for both in zip(SPOTS[1:4], cards[1:4], strict=True)),
        ErrorRaised(Fault.DRAW_TIMEOUT, 7, error_mode=True),
        ErrorCleared(Fault.DRAW_TIMEOUT, 7),
        *(drawn(*both) for both in zip(SPOTS[4:], cards[4:], strict=True)),
    ]


def reveal(mode: str, faces: str) -> list[Signal]:
    shows = [shown(*both) for both in zip(SPOTS, faces.split(), strict=True)] if mode == "hidden" else []
    return [*shows, PLAYER]


def heard(folder: Path, mode: str, faces: str, burnt: str) -> tuple[list[dict[str, str]], dict[str, str], str]:
    """All that leaves the daemon after each step to the reveal, then after it, and surveillance before it."""
    with sitting(folder, mode=mode, deal="face_down", decks=1) as table, Listener(table) as listener:
        for signal in script(mode, faces, burnt):
            listener.say(signal)
        before, surveillance = list(listener.steps), table.daemon.get("/surveillance/b1")
        after = [listener.say(signal) for signal in reveal(mode, faces)][-1]
    return before, after, surveillance


@pytest.mark.timeout(240)
@pytest.mark.parametrize("mode", ["open", "hidden"])
def test_until_the_reveal_nothing_tells_one_hand_from_another(tmp_path: Path, mode: str):
    """Promised; faults.md A 39, 40: pages, streams and metrics, byte for byte at each step."""
    before, after, surveillance = heard(tmp_path / "plain", mode, PLAIN, "7C 8C")
    assert len({step["/events/table/b1"] for step in before}) > len(SPOTS), "the pages showed nothing"
    for name, faces in HIDDEN.items():
        other, revealed, seen = heard(tmp_path / name, mode, faces, "JS TS")
        assert parting(before, other) is None, name
        assert after["/table/b1"] != revealed["/table/b1"], name
        assert seen != surveillance, "faces that differ nowhere prove nothing"
    for number, step in enumerate(before, 1):
        for place, body in step.items():
            assert BLACK.search(body) is None, f"{place} at step {number}"
    assert mode == "hidden" or BLACK.search(surveillance), "the canary is blind"
    assert BLACK.search(after["/table/b1"]), "the canary is blind"


@pytest.mark.timeout(240)
def test_the_key_turned_reveals_and_no_more_than_the_hand(tmp_path: Path):
    """Promised: "before I, G or the key turned"; burnt cards stay unseen."""
    with sitting(tmp_path, mode="open", deal="face_down", decks=1) as table, Listener(table) as listener:
        for signal in script("open", HIDDEN["false draw"], "7C 8C"):
            told = listener.say(signal)
        assert BLACK.search(told["/table/b1"]) is None
        assert table.daemon.give({"kind": "turned"}, "1-2")[0] == 200
        told = listener.hear()
        assert "PLAYER drew and had to stand" in told["/table/b1"]
        assert 'tirage_irregularities_total{kind="player-false-draw",table="b1"} 1.0' in told["/metrics"]
        assert "3 of spades" in told["/table/b1"]
        assert not re.search("[78] of clubs", "".join(told.values()))


DOM = "document.documentElement.outerHTML"
SERVED = """async () => {
    const served = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html');
    const timeless = place => place.innerHTML.replace(/(<time[^>]*>)[^<]*/g, '$1');
    return [...document.querySelectorAll('[data-part]')].every(
        place => timeless(place) === timeless(served.querySelector(`[data-part=${place.dataset.part}]`)));
}"""


def dom_of(page: Page) -> str:
    """The document once it shows what the server would serve now."""
    until(lambda: page.evaluate(SERVED), lambda: "the page did not follow")
    return re.sub(r' data-awake="\w+"', "", timeless(str(page.evaluate(DOM))))  # the browser grants it when it likes


@pytest.mark.browser
@pytest.mark.timeout(240)
def test_until_the_reveal_the_documents_in_the_browser_are_the_same(tmp_path: Path, look: Callable):
    """Promised: the dealer's page, the board and the pit, as the browser has them."""

    def watched(folder: Path, faces: str) -> tuple[list[dict[str, str]], str]:
        steps = []
        with sitting(folder, mode="open", deal="face_down", decks=1) as table, pages_of(table, look) as pages:
            listener = Listener(table)
            opened = {"dealer": pages.dealer, "board": pages.board, "pit": pages.pit}
            with listener:
                for signal in script("open", faces, "7C 8C"):
                    listener.say(signal)
                    steps.append({name: dom_of(page) for name, page in opened.items()})
                listener.say(PLAYER)
                return steps, dom_of(pages.dealer)

    before, after = watched(tmp_path / "plain", PLAIN)
    other, revealed = watched(tmp_path / "other", HIDDEN["false draw"])
    assert parting(before, other) is None
    assert after != revealed
