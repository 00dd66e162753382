"""A croupier at an old game: a line shoe on a real terminal, the real daemon, and keys of the page.

What happens is written in the order in which it comes: `2H` is a card, `:1` a key, `:@A` one held for a second,
`:#400` digits typed, `:remedy.move` the key of whatever has these words of the catalogue beside it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page, expect

from controller import catalogue
from controller.core.cards import Card
from controller.core.signals import CardDrawn
from drivers.emulators.line import LineShoe
from tests.browser.palette import small
from tests.daemon.daemon import HOST, Daemon
from tests.daemon.line_table import config, line_table
from tests.e2e.looking import until
from tests.e2e.sitting import Speaking

__all__ = ["Croupier", "LineDealt", "Pressed", "config", "seated"]

DEADLINE_MS = 10_000
SIZE = (1280, 800)
# Parts that are not as the server has them now; how long ago the shoe was heard is counted by the page itself.
BEHIND = """async () => {
    const served = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html');
    const text = place => {
        const still = place.cloneNode(true);
        still.querySelectorAll('time').forEach(it => it.replaceChildren());
        still.querySelectorAll('[style=""]').forEach(it => it.removeAttribute('style'));
        return still.innerHTML;
    };
    return [...document.querySelectorAll('[data-part]')].map(place => [place.dataset.part, text(place),
        text(served.querySelector(`[data-part=${place.dataset.part}]`))]).filter(([, here, there]) => here !== there);
}"""
HIDE = "() => document.querySelectorAll('.heard, #answer').forEach(it => { it.style.visibility = 'hidden'; })"
SHOW = "() => document.querySelectorAll('.heard, #answer').forEach(it => it.removeAttribute('style'))"
LYING = ".felt .spot .card:not(.empty)"
# The button that a key or some words mean now: in the question that is open, else on the page or in its list.
BUTTON = """wanted => {
    const open = document.querySelector('dialog[open]');
    const row = open ? null : document.activeElement.closest('[data-row]');
    const places = open ? [open] : [row, document.querySelector('main'), document.querySelector('#keys')];
    const keys = it => [it.dataset.key, it.dataset.pad, row?.contains(it) ? it.dataset.rowKey : undefined];
    const said = it => (it.querySelector('span:not(.nth):not(.pip):not(.where), .where') ?? it).textContent.trim();
    const found = places.filter(it => it).flatMap(it => [...it.querySelectorAll('button')])
        .filter(it => !it.hidden && (!open || it.offsetParent))
        .find(it => keys(it).includes(wanted) || said(it) === wanted);
    if (!found) return null;
    const {act, press, page} = found.dataset;
    return {
        key: keys(found).includes(wanted) ? wanted : found.dataset.key, words: said(found), ready: !found.disabled,
        commands: Boolean(act && press === 'tap') || press === 'hold' || 'confirm' in found.dataset,
        asks: Boolean(page && page !== 'unsettled') || Boolean(press?.startsWith('ask')),
    };
}"""


@dataclass(frozen=True)
class Pressed:
    """A key as it was pressed, and what the page had beside it; a sum that was typed has no words."""

    key: str
    words: str = ""
    held: bool = False


@dataclass
class Croupier:
    """Deals at a table and presses its keys, one at a time, as the page offers them."""

    daemon: Daemon
    shoe: Speaking
    page: Page
    board: Page
    pressed: list[Pressed] = field(default_factory=list)
    taken: int = 0

    def play(self, steps: str) -> None:
        """Deal cards and press keys."""
        for step in steps.split():
            if step.startswith(":"):
                self.press(step[1:])
            else:
                self.draw(step)

    def draw(self, face: str) -> None:
        """Let a card leave the shoe and wait until the page shows one more."""
        lying, waiting = self.page.locator(LYING), self.page.locator(".prompt.waiting")
        before = 0 if waiting.count() else lying.count()
        self.shoe.say(CardDrawn(None, None, Card.parse(face)))
        if before:
            lying.nth(before).wait_for(state="attached", timeout=DEADLINE_MS)
        else:
            waiting.wait_for(state="detached", timeout=DEADLINE_MS)  # what lay there was the hand before
        expect(lying).to_have_count(before + 1, timeout=DEADLINE_MS)

    def press(self, key: str) -> None:
        """Press a key of the page as it offers it now, and wait for what comes of it."""
        if key.startswith("#"):
            self.page.keyboard.type(key[1:])
            self.pressed.append(Pressed(key[1:]))
            return
        held, name = key.startswith("@"), key.removeprefix("@")
        button = self._offered(catalogue.load().word(name) if "." in name else name)
        self.pressed.append(Pressed(button["key"], button["words"], held))
        if button["commands"]:
            self._command(button["key"])
            return
        self.page.keyboard.press("Backspace" if button["key"] == "-" else button["key"])
        if button["asks"]:
            self.page.wait_for_selector("dialog[open]", timeout=DEADLINE_MS)

    def _offered(self, wanted: str) -> dict:
        """Wait until the page has a button for this, ready to be pressed."""
        found: list[dict] = []

        def ready() -> bool:
            found[:] = filter(None, [self.page.evaluate(BUTTON, wanted)])
            return bool(found) and found[0]["ready"]

        until(ready, lambda: f"the page has no {wanted!r}")
        return found[0]

    def _command(self, key: str) -> None:
        with self.page.expect_response("**/commands") as answer:
            self.page.keyboard.down(key)
        self.page.keyboard.up(key)
        assert answer.value.status == 200, answer.value.text()
        self.follow()

    def follow(self) -> None:
        """Wait until the page shows what the server has."""
        until(lambda: not self.page.evaluate(BEHIND), lambda: f"the page did not follow: {self.page.evaluate(BEHIND)}")

    def picture(self, name: str) -> None:
        """Keep what the croupier sees, where pictures are asked for."""
        self.taken += 1
        folder = os.environ.get("TIRAGE_PICTURES")
        if folder:
            self.saved(Path(folder) / f"{self.taken:02}-{name.replace(' ', '-')}.png")

    def saved(self, path: Path) -> None:
        """Save what the croupier sees as a small file; what comes and goes by the clock is left out of it."""
        self.page.evaluate(HIDE)
        png = self.page.screenshot()
        self.page.evaluate(SHOW)
        path.write_bytes(small(self.board, png))


class LineDealt(Speaking):
    """A line shoe that speaks beside a browser."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.emulator = LineShoe()


@contextmanager
def seated(folder: Path, profile: str, look: Callable, rules: str = "") -> Iterator[Croupier]:
    """Start a daemon by a profile, plug the shoe in, and sit the croupier down at the page."""
    with line_table(folder, profile, LineDealt, rules) as table:
        daemon = table.start()
        address = f"http://{HOST}:{daemon.pit}"
        page, board = (look(*SIZE).open(f"{address}/{kind}/b1") for kind in ("table", "board"))
        page.evaluate("sessionStorage.setItem('staff', '1042')")
        page.reload()
        page.wait_for_selector("body:not(.stale)")
        yield Croupier(daemon, table.shoe, page, board)
        for one in (page, board):
            one.close()  # it would ask for its events again and again
