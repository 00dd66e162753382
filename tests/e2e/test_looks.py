"""Live pages in each state: axe finds nothing, nothing lies outside the screen; pictures are kept where asked for.

With TIRAGE_PICTURES=FOLDER in the environment a picture of each page in each state and size is written there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from controller.core.signals import Call, CutCardOut, ErrorRaised, Fault, Pairs, PoweredUp, ResultCalled
from controller.simulate.dealing import Shoe, Table
from controller.simulate.hand import Mode
from tests.daemon.daemon import free_port, run, until
from tests.e2e.looking import SERVER_GONE, Pages, pages_of
from tests.e2e.sitting import Sitting, dealt, drawn, sitting
from tests.sampling import sampled

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

PICTURES = "TIRAGE_PICTURES"
SIZES = ((1920, 1080), (1280, 800))
HANDS = 30
OUTSIDE = "(it => [it.scrollWidth - innerWidth, it.scrollHeight - innerHeight])(document.documentElement)"
PLAYER = ResultCalled(Call.PLAYER, Pairs.NONE)
FINDINGS = "violations"


def picture(page: Page, name: str) -> None:
    if folder := os.environ.get(PICTURES):
        width = page.viewport_size["width"]
        page.screenshot(path=Path(folder) / f"{name}-{width}.png")


def looked_at(pages: Pages, state: str) -> list[tuple[str, str, str]]:
    """Look at each page in this state; return what axe finds."""
    found = []
    for name in ("dealer", "board", "pit"):
        page: Page = getattr(pages, name)
        picture(page, f"{state}-{name}")
        across, down = page.evaluate(OUTSIDE)
        assert across == 0, f"{name} {state}"
        assert down == 0 or name == "pit", f"{name} {state}: {down} px below the screen"
        if page.viewport_size["width"] == SIZES[0][0]:
            report = Axe().run(page).response
            found += [(state, name, f"{item['id']} {item['nodes'][0]['html'][:120]}") for item in report[FINDINGS]]
    return found


def dealt_so_far(table: Sitting, number: int) -> bool:
    return re.search(rf"Hand {number}\b", table.daemon.get("/table/b1")) is not None


def played(table: Sitting) -> None:
    """Deal many hands of a seeded shoe, each once the one before is known: all at once would be babble (B 21)."""
    shoe = Shoe(Table(mode=Mode.OPEN), seed=7)
    table.say(*shoe.opening())
    for number, hand in enumerate(shoe.hands(HANDS), 1):
        table.say(*hand.signals)
        until(partial(dealt_so_far, table, number))


@pytest.mark.parametrize(("width", "height"), sampled(SIZES, quick=SIZES[:1]))
def test_live_pages_are_sound_in_each_state(tmp_path: Path, look: Callable, width: int, height: int):
    """Promised: empty, in mid-hand, with an incident, NOT LIVE, shoe finished; axe."""
    with (
        sitting(tmp_path, mode="open", deal="face_up") as table,
        pages_of(table, look, size=(width, height), allowed=SERVER_GONE) as pages,
    ):
        found = [finding for state in STATES for finding in looked_at(pages, state(table, pages))]
        assert found == []


def connecting(table: Sitting, pages: Pages) -> str:
    expect(pages.dealer.locator(".bar .link")).to_have_text("CONNECTING")
    return "connecting"


def empty(table: Sitting, pages: Pages) -> str:
    table.say(PoweredUp())
    pages.prompts("Waiting for the first card")
    return "empty"


def between_hands(table: Sitting, pages: Pages) -> str:
    played(table)
    pages.result(f"Hand {HANDS}")
    return "between-hands"


def mid_hand(table: Sitting, pages: Pages) -> str:
    table.say(*dealt("3H TD 2C 7S"))
    pages.prompts("PLAYER draws")
    return "mid-hand"


def overdraw(table: Sitting, pages: Pages) -> str:
    table.say(drawn("P3", "6D"), ErrorRaised(Fault.OVERDRAW, 2, error_mode=False))
    pages.prompts("Card too many: follow the shoe")
    return "overdraw"


def incident(table: Sitting, pages: Pages) -> str:
    table.say(PLAYER)
    pages.wrong("The shoe called PLAYER, the cards say otherwise.")
    return "incident"


def much_wrong(table: Sitting, pages: Pages) -> str:
    table.say(drawn("B3", "KC"), ErrorRaised(Fault.CANNOT_READ, 1, error_mode=True))
    expect(pages.dealer.locator(".wrong")).to_have_count(3)
    return "much-wrong"


def not_live(table: Sitting, pages: Pages) -> str:
    table.shoe.pty.unplug()
    pages.prompts("NOT LIVE: deal by procedure")
    return "not-live"


def last_hand(table: Sitting, pages: Pages) -> str:
    table.shoe.plug()
    table.say(CutCardOut())
    expect(pages.dealer.locator(".bar .link")).to_have_text("LIVE")
    pages.sign_in()
    pages.hold("v")
    pages.prompts("LAST HAND")
    return "last-hand"


def finished(table: Sitting, pages: Pages) -> str:
    table.say(*dealt("4H 4D 3C 2S"), PLAYER)
    pages.prompts("SHOE FINISHED")
    return "finished"


def stale(table: Sitting, pages: Pages) -> str:
    table.daemon.kill()
    for page in (pages.dealer, pages.board, pages.pit):
        page.wait_for_selector("body.stale")
    return "stale"


STATES = (
    connecting,
    empty,
    between_hands,
    mid_hand,
    overdraw,
    incident,
    much_wrong,
    not_live,
    last_hand,
    finished,
    stale,
)


def test_the_demonstration_says_so_on_every_page(look: Callable):
    """Promised: DEMO on every page; the hands go on by themselves."""
    arguments = ("--demo", f"--pit=127.0.0.1:{free_port()}", f"--metrics=127.0.0.1:{free_port()}", "--speed=20")
    with run(*arguments, tables=2) as daemon:
        looker = look()
        for path in ("/", "/table/open", "/table/hidden", "/board/open", "/board/hidden", "/surveillance/open"):
            page = looker.open(f"http://127.0.0.1:{daemon.pit}{path}")
            expect(page.locator(".demo")).to_have_text("DEMO")
            if path.startswith("/board"):
                expect(page.locator(".latest .which")).to_contain_text("Hand 3", timeout=30_000)
            picture(page, "demo-" + path.strip("/").replace("/", "-"))
        assert looker.complaints == []
        assert daemon.end()[0] == 0
