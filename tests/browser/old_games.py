"""A croupier at an old game: a line shoe on a real terminal, the real daemon, and keys of the page.

A coup is written as its cards and keys in the order in which they come: `2H 3H 2S 3S :1 9C :T`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page, expect

from controller.core.cards import Card
from controller.core.signals import CardDrawn
from drivers.emulators.line import LineShoe
from tests.daemon.daemon import HOST, Daemon, free_port, run
from tests.e2e.looking import until
from tests.e2e.sitting import Speaking

DEADLINE_MS = 10_000
SERVED = """async () => {
    const served = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html');
    return [...document.querySelectorAll('[data-part]')].every(
        place => place.innerHTML === served.querySelector(`[data-part=${place.dataset.part}]`).innerHTML);
}"""
LYING = ".felt .spot .card:not(.empty)"


@dataclass(frozen=True)
class Coup:
    """What happens at the table, what the croupier reads after it, and whether it is kept as pictures."""

    name: str
    plays: str
    result: str = ""
    wrong: str = ""  # a sentence of what is wrong, before the last key settles it
    prompts: tuple[tuple[int, str], ...] = ()  # after so many cards and keys
    picture_at: tuple[int, ...] = ()


@dataclass
class Croupier:
    """Deals at a table and presses its keys, one at a time, as the page offers them."""

    daemon: Daemon
    shoe: Speaking
    page: Page
    board: Page
    keys: dict[str, int] = field(default_factory=dict)
    taken: int = 0

    def deal(self, coup: Coup) -> None:
        """Deal a coup and see what must be seen."""
        prompts, steps = dict(coup.prompts), coup.plays.split()
        for number, step in enumerate(steps, 1):
            if step.startswith(":"):
                self.press(step[1:])
                self.keys[coup.name] = self.keys.get(coup.name, 0) + 1
            else:
                self.draw(step)
            if number in prompts:
                expect(self.page.locator(".prompt .say")).to_have_text(prompts[number], timeout=DEADLINE_MS)
            if coup.wrong and number == len(steps) - 1:
                expect(self.page.locator(".wrong .sentence")).to_contain_text(coup.wrong, timeout=DEADLINE_MS)
            if number in coup.picture_at:
                self.picture(coup.name)
        for word in filter(None, coup.result.split(", ")):
            expect(self.page.locator("[data-part=result]")).to_contain_text(word, timeout=DEADLINE_MS)

    def draw(self, face: str) -> None:
        """Let a card leave the shoe and wait until the page shows one more."""
        new = self.page.locator(".prompt.waiting").count() > 0
        before = 0 if new else self.page.locator(LYING).count()
        self.shoe.say(CardDrawn(None, None, Card.parse(face)))
        expect(self.page.locator(LYING)).to_have_count(before + 1, timeout=DEADLINE_MS)

    def press(self, key: str) -> None:
        """Press a key of the page; one written `@A` is held for a second."""
        held, name = key.startswith("@"), key.removeprefix("@")
        pad = f"main button[data-pad='{name}'], main button[data-key='{name}'], [data-row-key='{name}']"
        self.page.wait_for_selector(pad, timeout=DEADLINE_MS)
        with self.page.expect_response("**/commands") as answer:
            if held:
                self.page.keyboard.down(name)
            else:
                self.page.keyboard.press(name)
        self.page.keyboard.up(name)
        assert answer.value.status == 200, answer.value.text()
        until(lambda: self.page.evaluate(SERVED), lambda: "the page did not follow")

    def picture(self, name: str) -> None:
        """Keep what the croupier sees, where pictures are asked for."""
        self.taken += 1
        folder = os.environ.get("TIRAGE_PICTURES")
        if folder:
            self.page.screenshot(path=Path(folder) / f"{self.taken:02}-{name.replace(' ', '-')}.png")


class LineDealt(Speaking):
    """A line shoe that speaks beside a browser."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.emulator = LineShoe()


def config(folder: Path, profile: str, rules: str = "") -> Path:
    """Write the configuration of one table at a line shoe; ``rules`` is what it changes of its profile."""
    path = folder / "tirage.toml"
    path.write_text(
        f"""data = "data"
[server]
pit = "{HOST}:{free_port()}"
metrics = "{HOST}:{free_port()}"
[[tables]]
id = "b1"
name = "Table 1"
[tables.shoe]
driver = "line"
port = "{folder / "shoe"}"
[tables.rules]
profile = "{profile}"
{rules}
"""
    )
    return path


@contextmanager
def seated(folder: Path, profile: str, look: Callable, rules: str = "") -> Iterator[Croupier]:
    """Start a daemon by a profile, plug the shoe in, and sit the croupier down at the page."""
    folder.mkdir(exist_ok=True)
    with ExitStack() as stack:
        shoe = LineDealt(folder / "shoe")
        stack.callback(shoe.pty.unplug)
        shoe.pty.plug()
        daemon = stack.enter_context(run("--config", config(folder, profile, rules)))
        shoe.plug()
        address = f"http://{HOST}:{daemon.pit}"
        page, board = (look().open(f"{address}/{kind}/b1") for kind in ("table", "board"))
        page.evaluate("sessionStorage.setItem('staff', '1042')")
        page.reload()
        page.wait_for_selector("body:not(.stale)")
        yield Croupier(daemon, shoe, page, board)


def evening(croupier: Croupier, coups: Sequence[Coup]) -> dict[str, int]:
    """Deal an evening and return how many keys each coup took."""
    for coup in coups:
        croupier.deal(coup)
    return croupier.keys
