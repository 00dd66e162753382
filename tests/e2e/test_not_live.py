"""NOT LIVE: within one second of the link's end, within two of the server's, and back by itself."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.core.signals import PoweredUp, StoodBy
from tests.daemon.daemon import run
from tests.e2e.looking import SERVER_GONE, Pages, pages_of
from tests.e2e.sitting import drawn, sitting

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

LINK_S, SERVER_S = 1.0, 2.0
# The browser's own note of the moment: asking it again and again would add half a second.
WATCH = """() => new MutationObserver((_, watch) => {
    if (!document.body.classList.contains('stale')) return;
    window.staleAt = Date.now() / 1000;
    watch.disconnect();
}).observe(document.body, {attributes: true, attributeFilter: ['class']})"""
NOT_LIVE = {"dealer": ".prompt.not-live", "board": ".latest .off", "pit": ".link.not-live"}


def all_pages(pages: Pages) -> dict[str, Page]:
    return {name: getattr(pages, name) for name in NOT_LIVE}


def test_a_closed_terminal_is_seen_within_a_second_and_its_return_too(tmp_path: Path, look: Callable):
    """trust.md T5, faults.md A 6: each page by itself."""
    with sitting(tmp_path, mode="open", deal="face_up") as table, pages_of(table, look) as pages:
        table.say(PoweredUp(), drawn("P1", "3H"))
        pages.prompts("BANKER: card 1")
        began = time.monotonic()
        table.shoe.pty.unplug()
        for name, page in all_pages(pages).items():
            page.wait_for_selector(NOT_LIVE[name])
        assert time.monotonic() - began < LINK_S
        pages.prompts("NOT LIVE: deal by procedure")
        expect(pages.dealer.locator(".prompt .why")).to_contain_text("cable")
        table.shoe.plug()
        expect(pages.dealer.locator(".bar .link")).to_have_text("CONNECTING")
        table.say(drawn("B1", "4D"))
        expect(pages.dealer.locator(".bar .link")).to_have_text("LIVE")
        pages.lies("B1", "4 of diamonds")
        pages.wrong("The shoe was not connected during this hand.")
        expect(pages.pit.locator(".incident")).to_have_count(1)
        for name, page in all_pages(pages).items():
            expect(page.locator(NOT_LIVE[name])).to_have_count(0)


def test_a_killed_daemon_is_seen_within_two_seconds_and_its_next_start_too(tmp_path: Path, look: Callable):
    """trust.md T5, faults.md A 50, B 38: the page shows nothing that could be taken for the state of now."""
    with sitting(tmp_path, mode="open", deal="face_up") as table, pages_of(table, look, allowed=SERVER_GONE) as pages:
        table.say(PoweredUp(), drawn("P1", "3H"))
        pages.prompts("BANKER: card 1")
        goes_stale(pages, table.daemon.kill)
        assert not pages.dealer.locator(".prompt").is_visible()
        with run("--config", tmp_path / "tirage.toml"):
            for page in all_pages(pages).values():
                page.wait_for_selector("body:not(.stale)")
            pages.wrong("The recorder was started again during this hand.")
            pages.lies("P1", "3 of hearts")


def test_a_daemon_that_hangs_is_seen_within_two_seconds(tmp_path: Path, look: Callable):
    """trust.md T5, faults.md A 50, B 47: SIGSTOP closes nothing; only its silence tells."""
    with sitting(tmp_path) as table, pages_of(table, look) as pages:
        table.say(PoweredUp(), StoodBy())
        expect(pages.dealer.locator(".bar .link")).to_have_text("LIVE")
        goes_stale(pages, lambda: table.daemon.process.send_signal(signal.SIGSTOP))
        table.daemon.process.send_signal(signal.SIGCONT)
        for page in all_pages(pages).values():
            page.wait_for_selector("body:not(.stale)")


def goes_stale(pages: Pages, end: Callable[[], None]) -> None:
    """Let the server end, and see each page say so in time."""
    for page in all_pages(pages).values():
        page.evaluate(WATCH)
    began = time.time()
    end()
    for page in all_pages(pages).values():
        page.wait_for_selector("body.stale")
        assert page.evaluate("window.staleAt") - began < SERVER_S
        assert page.locator(".stale-banner").is_visible()
