"""The stage of an evening: its pages, what the shoe says on its terminal, and the keys that people press."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import LIVE, Looker
from tests.browser.evening import Step
from tests.browser.evening_shoe import words_of_shoe
from tests.e2e.looking import BEADS, until
from tests.e2e.sitting import Sitting

STAFF = "1042"
DEADLINE_MS = 15_000
PLACES = {
    "prompt": ("table", ".prompt .say"),
    "wrong": ("table", ".wrong .sentence"),
    "result": ("table", "[data-part=result]"),
    "status": ("table", "[data-part=status]"),
    "live": ("table", ".link.live"),
    "felt": ("table", ".felt"),
    "judge": ("table", "dialog[open] .judged"),
    "was": ("table", "dialog[open] .would-counts .changed"),
    "told": ("table", "#blind .told"),
    "recall": ("table", ".bar .hand b"),
    "ruled": ("table", ".ruled"),
    "pit": ("pit", "[data-part=incidents]"),
    "open": ("pit", ".incidents h2 .number"),
    "tile": ("pit", ".tile"),
}


@dataclass
class Stage:
    """A table, its pages, and the keys that its people press."""

    sitting: Sitting
    pages: dict[str, Page]
    keys: Counter[str] = field(default_factory=Counter)
    complaints: list[str] = field(default_factory=list)
    taken: int = 0

    @classmethod
    def opened(
        cls, sitting: Sitting, browser: Browser, sizes: dict[str, tuple[int, int]], paths: dict[str, str]
    ) -> Stage:
        """Open every page in a window of its own, signed in."""
        stage = cls(sitting, {})
        for name, path in paths.items():
            width, height = sizes[name]
            context = browser.new_context(viewport={"width": width, "height": height})
            context.set_default_timeout(DEADLINE_MS)
            context.add_init_script(f"sessionStorage.setItem('staff', '{STAFF}')")
            looker = Looker(context.new_page(), stage.complaints)
            stage.pages[name] = looker.open(sitting.address + path)
        return stage

    def close(self) -> None:
        for page in self.pages.values():
            page.context.close()

    def look_at(self, name: str, path: str) -> None:
        """Go to a page that is read afterwards."""
        page = self.pages["pit"]
        page.goto(self.sitting.address + path)
        page.wait_for_selector(f"{LIVE}:not(:has([aria-busy=true]))")
        self._picture("afterwards", name, "pit")

    def play(self, step: Step) -> None:
        for word in step.says.split():
            self._say(word)
        for key in step.keys.split():
            self._key(step, self.pages[step.at], key)
        for place, text in step.shows:
            self._sees(place, text)
        self._picture(step.of, step.name, *step.pictures.split())

    def _say(self, word: str) -> None:
        match word:
            case "unplug":
                self.sitting.shoe.pty.unplug()
                self.pages["table"].wait_for_selector(".link.not-live")
            case "plug":
                self.sitting.shoe.plug()
            case _:
                self.sitting.say(*words_of_shoe(word))

    def _key(self, step: Step, page: Page, key: str) -> None:
        if key.startswith("#"):
            page.wait_for_selector(f"{key}[open]", timeout=DEADLINE_MS)
            return
        sign, rest = (key[0], key[1:]) if len(key) > 1 and key[0] in "'=@<" else ("", key)
        self.keys[step.of] += len(rest) if sign == "'" else 1
        KEYS[sign](page, rest)

    def _sees(self, place: str, text: str) -> None:
        if place == "board":
            until(lambda: self.pages["board"].evaluate(BEADS) == text, lambda: f"the beads are not {text}")
        elif place == "nothing":
            expect(self.pages["table"].locator(f".{text}")).to_have_count(0)
        else:
            page, selector = PLACES[place]
            expect(self.pages[page].locator(selector).filter(has_text=text)).not_to_have_count(0, timeout=DEADLINE_MS)

    def _picture(self, of: str, step: str, *names: str) -> None:
        self.taken += 1
        folder = os.environ.get("TIRAGE_PICTURES")
        for name in names if folder else ():
            path = Path(folder or "") / f"{self.taken:02}-{of.replace(' ', '-')}-{step}-{name}.png"
            self.pages[name].screenshot(path=path)


def ready(page: Page, key: str) -> None:
    """Wait until the page has a button for the key, as a person does."""
    within = "dialog[open]" if page.locator("dialog[open]").count() else "body"
    button = "[data-confirm], [type=submit]" if key == "Enter" else f"[data-key='{key.upper()}']"
    page.wait_for_selector(f"{within} :is({button}):enabled", state="attached")


def tap(page: Page, key: str) -> None:
    ready(page, key)
    page.keyboard.press(key)


def give(page: Page, key: str) -> None:
    ready(page, key)
    with page.expect_response("**/commands") as answer:
        page.keyboard.press(key)
    assert answer.value.ok, answer.value.text()


def hold(page: Page, key: str) -> None:
    ready(page, key)
    with page.expect_response("**/commands") as answer:
        page.keyboard.down(key)
    page.keyboard.up(key)
    assert answer.value.ok, answer.value.text()


def turn(page: Page, key: str) -> None:
    page.wait_for_selector("body[data-turns]", timeout=DEADLINE_MS)
    with page.expect_navigation():
        page.keyboard.press(key)
    page.wait_for_selector(LIVE)


def typed(page: Page, text: str) -> None:
    page.keyboard.type(text)


KEYS: dict[str, Callable[[Page, str], None]] = {"": tap, "'": typed, "=": give, "@": hold, "<": turn}
