"""A page at a real table for what is ruled there: questions opened by keys, and looked at in every size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import LIVE, Looker, processes
from tests.browser.test_people import Playing

SIZES = ((1280, 800), (1366, 768), (1920, 1080))
DEALER = "1042"
FALSE_DRAW = "P1:7H B1:2H P2:KC B2:3D P3:5H"
# What is wrong with what is open: text that is cut, off the screen or too small to read, and a key of two buttons.
WRONG = """() => {
    const open = document.querySelector('dialog[open]'), root = open ?? document.querySelector('main'), wrong = [];
    const seen = it => it.offsetParent && !it.closest('svg, .hidden, .trouble');
    const text = it => [...it.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    const said = it => `${it.className || it.tagName}: ${it.textContent.trim().slice(0, 40)}`;
    for (const it of [root, ...[...root.querySelectorAll('*')].filter(seen)]) {
        const style = getComputedStyle(it), input = it.tagName === 'INPUT';
        const over = {X: it.scrollWidth - it.clientWidth, Y: it.scrollHeight - it.clientHeight};
        for (const [way, px] of Object.entries(over))
            if (!input && style[`overflow${way}`] !== 'visible' && px > 1) wrong.push(`cut by ${px} ${said(it)}`);
        if (!text(it)) continue;
        const range = document.createRange();
        range.selectNodeContents(it);
        const box = range.getBoundingClientRect();
        if (box.left < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) wrong.push(`off ${said(it)}`);
        const least = it.matches('kbd, .score i') ? 12 : 14;
        if (open && parseFloat(style.fontSize) < least) wrong.push(`small ${said(it)}`);
    }
    const buttons = [...root.querySelectorAll('button[data-key]')].filter(it => !it.hidden && it.offsetParent);
    const keys = buttons.map(it => it.dataset.key);
    return [...wrong, ...keys.filter((key, at) => keys.indexOf(key) !== at).map(key => `twice ${key}`)];
}"""


@dataclass
class Table:
    """A page at a table; what is looked at is looked at in every size."""

    page: Page
    playing: Playing

    def looked_at(self, what: str) -> None:
        for width, height in SIZES:
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
            assert self.page.evaluate(WRONG) == [], f"{what} at {width}x{height}"

    def say(self, line: str, selector: str) -> None:
        self.playing.say(line)
        self.page.wait_for_selector(selector)

    def asks(self, key: str, *more: str) -> None:
        """Open a question by its key and press more of it."""
        self.page.keyboard.press(key)
        self.page.wait_for_selector("dialog[open] button[data-key]")
        for one in more:
            self.page.keyboard.press(one)

    def choose(self, *words: str) -> None:
        """Press the key that a button of the question of remedies has beside these words."""
        for text in words:
            button = self.page.locator("#remedies .offers button", has_text=text).first
            self.page.keyboard.press(str(button.get_attribute("data-key")))

    def close(self) -> None:
        self.page.keyboard.press("Escape")
        expect(self.page.locator("dialog[open]")).to_have_count(0)

    def gives(self, key: str, *fields: str) -> None:
        """Give an act of the bank: its letter, and each field ended by Enter."""
        self.asks("$", key)
        for field in fields:
            self.page.keyboard.type(field)
            if field != fields[-1]:
                self.page.keyboard.press("Enter")
        with self.page.expect_response("**/commands") as answer:
            self.page.keyboard.press("Enter")
        assert answer.value.status == 200, answer.value.text()
        expect(self.page.locator("dialog[open]")).to_have_count(0)

    def tried(self) -> None:
        self.page.wait_for_selector("#remedies .preview .judged")
        self.page.wait_for_selector("#remedies [data-confirm]:enabled")

    def hold(self) -> None:
        with self.page.expect_response("**/commands") as answer:
            self.page.keyboard.down("Enter")
        self.page.keyboard.up("Enter")
        assert answer.value.status == 200, answer.value.text()


def tables(repository: Path, look: Callable[..., Looker]) -> Iterator[Callable[..., Table]]:
    """Yield a function that serves a table with these options (playing.py) and sits down at it."""
    with processes(repository, "tests.browser.playing") as start:

        def at(*options: str, language: str = "en") -> Table:
            playing = Playing(*start(*options))
            page = look().open(f"{playing.address}/table/1?lang={language}")
            page.evaluate(f"sessionStorage.setItem('staff', '{DEALER}')")
            page.reload()
            page.wait_for_selector(LIVE)
            return Table(page, playing)

        yield at
