"""How long ago a shoe's last byte came: on each page of staff, counted by the page, over unplug and restart too."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.core.signals import PoweredUp, StoodBy
from tests.daemon.daemon import Stream, run
from tests.e2e.looking import until
from tests.e2e.sitting import Sitting, aside, sitting

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

PATHS = ("/table/b1", "/", "/surveillance/b1")
AGE = "time[data-heard=b1]"
TOLD = """([place, ago]) => {
    document.dispatchEvent(new CustomEvent('heard', {detail: {now: ago, at: {b1: 0}}}));
    return document.querySelector(place).textContent;
}"""


def opened(table: Sitting, look: Callable) -> list[Page]:
    return [look().open(table.address + path) for path in PATHS]


def number_of(table: Sitting) -> int:
    """The number of the last change of the dealer's page."""
    stream = Stream(table.daemon)
    _, message = next(stream.events())
    stream.close()
    return int(message["seq"])


def shows(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.locator(AGE).first).to_have_text(text, timeout=10_000)


def age_s(page: Page) -> int:
    """The age that the page shows, in seconds below a minute; -1 if it shows none."""
    found = re.fullmatch(r"last byte (\d+) s ago", page.locator(AGE).first.inner_text())
    return int(found[1]) if found else -1


def ages(page: Page, seconds: int) -> None:
    """Wait until the page shows so many seconds or more."""
    until(lambda: age_s(page) >= seconds, page.locator(AGE).first.inner_text)


def test_each_page_counts_on_from_the_last_byte(tmp_path: Path, look: Callable):
    """faults.md B 9, 50: a shoe without heartbeat; by the server's clock, without a push for each second."""
    with sitting(tmp_path) as table:
        pages = opened(table, look)
        for page in pages:
            shows(page, "no byte yet")
        table.say(PoweredUp(), StoodBy())
        pages[0].wait_for_selector(".link.live")
        changes = number_of(table)
        for page in pages:
            ages(page, 3)
        assert number_of(table) == changes, "the server told them nothing but its own time"
        for page in pages:
            table.shoe.write(b"\x00")  # no frame, so nothing is judged; a byte all the same
            shows(page, re.compile(r"last byte [0-2] s ago"))


def test_the_age_goes_on_while_unplugged_and_over_a_restart(tmp_path: Path, look: Callable):
    """faults.md B 1, 30: neither a lost port nor a new process makes an old byte young."""
    with sitting(tmp_path) as table:
        table.say(PoweredUp(), StoodBy())
        page = look().open(table.address + "/table/b1")
        ages(page, 1)
        aside(table.shoe.pty.unplug)
        page.wait_for_selector(".link.not-live")
        ages(page, before := age_s(page) + 2)
        table.daemon.kill()
        with run("--config", tmp_path / "tirage.toml"):
            page.wait_for_selector("body.stale")
            assert page.locator(AGE).inner_text() == "", "a page that hears nothing does not know"
            page.wait_for_selector("body:not(.stale)")
            assert age_s(page) > before
            ages(page, age_s(page) + 1)


def test_minutes_and_hours_are_told_as_such(tmp_path: Path, look: Callable):
    """The words of a long silence, from the page's own script."""
    with sitting(tmp_path) as table:
        page = look().open(table.address + "/table/b1")
        for ago_ms, text in ((125_000, "last byte 2 min 5 s ago"), (7_500_000, "last byte 2 h 5 min ago")):
            assert page.evaluate(TOLD, [AGE, ago_ms]) == text
