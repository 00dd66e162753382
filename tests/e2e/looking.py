"""What a person sees on the pages, read from the browser."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Page, Request, expect

from tests.daemon.daemon import HOST
from tests.e2e.sitting import Sitting

BEADS = """() => [...document.querySelectorAll('svg.road.bead > use')].map(
    it => it.getAttribute('href').slice(-1)).join('')"""
SPOTS = """() => Object.fromEntries([...document.querySelectorAll('.felt .seat')].map(seat => [
    seat.classList.contains('player') ? 'P' : 'B',
    [...seat.querySelectorAll('svg.card')].map(it => it.getAttribute('aria-label')),
]))"""
DEADLINE_MS = 10_000
FULL_HD = (1920, 1080)
SERVER_GONE = "net::ERR_"  # what a browser says of a server that was killed


@dataclass
class Pages:
    """The dealer's page, the players' board and the pit, open side by side."""

    dealer: Page
    board: Page
    pit: Page
    complaints: list[list[str]]
    foreign: list[str] = field(default_factory=list)

    def prompts(self, text: str, rule: str = "") -> None:
        expect(self.dealer.locator(".prompt .say")).to_have_text(text, timeout=DEADLINE_MS)
        if rule:
            expect(self.dealer.locator(".prompt .why b")).to_have_text(rule)

    def lies(self, spot: str, face: str) -> None:
        """Wait until a card lies on a spot (`P3`) with this name, as a screen reader says it."""
        seat, place = {"P": "player", "B": "banker"}[spot[0]], int(spot[1])
        expect(self.dealer.locator(f".felt .seat.{seat} .spot.n{place} svg.card")).to_have_attribute("aria-label", face)

    def wrong(self, sentence: str) -> None:
        expect(self.dealer.locator(".wrong .sentence", has_text=sentence)).to_have_count(1, timeout=DEADLINE_MS)

    def nothing_wrong(self) -> None:
        expect(self.dealer.locator(".wrong")).to_have_count(0, timeout=DEADLINE_MS)

    def result(self, *words: str) -> None:
        for word in words:
            expect(self.dealer.locator("[data-part=result]")).to_contain_text(word, timeout=DEADLINE_MS)

    def beads(self, marks: str) -> None:
        """Wait until the bead plate has these marks, one letter a hand."""
        until(lambda: self.board.evaluate(BEADS) == marks, lambda: f"beads {self.board.evaluate(BEADS)}, not {marks}")

    def felt(self) -> dict[str, list[str]]:
        return dict(self.dealer.evaluate(SPOTS))

    def sign_in(self, number: str = "1042") -> None:
        for page in (self.dealer, self.pit):
            page.evaluate(f"sessionStorage.setItem('staff', '{number}')")
            page.reload()
            page.wait_for_selector("body:not(.stale)")

    def hold(self, key: str) -> None:
        """Press a key of the dealer's page until its act is answered."""
        with self.dealer.expect_response("**/commands") as answer:
            self.dealer.keyboard.down(key)
        self.dealer.keyboard.up(key)
        assert answer.value.status == 200, answer.value.text()

    def complained(self) -> list[str]:
        return [complaint for page in self.complaints for complaint in page]


@contextmanager
def pages_of(
    sitting: Sitting, look: Callable, *, allowed: str = "", size: tuple[int, int] = FULL_HD
) -> Iterator[Pages]:
    """Open all pages of a sitting; the browser may complain of nothing but ``allowed``, no request leaves the host."""
    lookers = [look(*size) for _ in range(3)]
    foreign: list[str] = []

    def watch(request: Request) -> None:
        if not request.url.startswith(f"http://{HOST}:{sitting.daemon.pit}/"):
            foreign.append(request.url)

    for looker in lookers:
        looker.page.on("request", watch)
    paths = ("/table/b1", "/board/b1", "/")
    opened = [looker.open(sitting.address + path) for looker, path in zip(lookers, paths, strict=True)]
    pages = Pages(*opened, complaints=[looker.complaints for looker in lookers], foreign=foreign)
    yield pages
    assert foreign == []
    assert [said for said in pages.complained() if not (allowed and allowed in said)] == []


def until(condition: Callable[[], object], why: Callable[[], str], deadline_s: float = 10.0) -> None:
    """Ask a page again and again; the browser works between two questions."""
    end = time.monotonic() + deadline_s
    while not condition():
        assert time.monotonic() < end, why()
