"""Recall in a real Chromium over the real daemon: arrow keys, swiping, filters, and the review of an incident."""

from __future__ import annotations

from pathlib import Path
from urllib.error import HTTPError

import pytest
from axe_playwright_python.sync_playwright import Axe

from controller.core.cards import Card
from controller.core.signals import BurnCardDrawn, Call, CardDrawn, CardShown, Pairs, PoweredUp, ResultCalled, StoodBy
from tests.browser.conftest import chromium, look
from tests.daemon.daemon import until
from tests.e2e.sitting import aside, sitting
from tests.recall.dealing import spots

pytestmark = pytest.mark.browser
__all__ = ["chromium", "look"]


def hand(player: str, banker: str, call: Call) -> list:
    faces = {seat: cards.split() for seat, cards in zip(("player", "banker"), (player, banker), strict=True)}
    drawn = [CardDrawn(seat, index, None) for seat, index in spots(player, banker)]
    shown = [CardShown(seat, index, Card.parse(faces[seat.value][index - 1])) for seat, index in spots(player, banker)]
    return [*drawn, *shown, ResultCalled(call, Pairs.NONE)]


def shows(page, number: str) -> None:
    """Wait for a hand's page, and until it listens."""
    page.wait_for_selector(f".bar .hand b:text-is('{number}')")
    page.wait_for_selector("body[data-turns]")


def test_a_dispute_is_answered_from_the_dealers_page_with_arrow_keys(look, tmp_path):
    """Requirement: left and right keys, latest first; one key from the dealer's page, one for each hand back."""
    with sitting(tmp_path / "table") as table:
        table.say(PoweredUp(), StoodBy(), BurnCardDrawn(sets_count=True, left=1, card=Card.parse("AS")))
        table.say(BurnCardDrawn(sets_count=False, left=0, card=None))
        table.say(*hand("9S KD", "2C 4H", Call.PLAYER), *hand("2S 5D", "7C AH", Call.BANKER))
        table.say(*hand("8C KH", "3C 4D", Call.BANKER))  # Player has won: an incident
        looker = look()
        page = looker.open(f"{table.address}/table/b1")
        page.wait_for_selector(".wrong")
        page.wait_for_selector("body[data-turns]")
        page.keyboard.press("ArrowLeft")
        page.wait_for_url("**/table/b1/hand")
        shows(page, "3")
        for number in ("2", "1"):
            page.keyboard.press("ArrowLeft")
            shows(page, number)
        page.keyboard.press("ArrowLeft")  # there is no hand before the first
        page.keyboard.press("ArrowRight")
        shows(page, "2")
        assert page.inner_text(".ruled .verdict") == "BANKER"
        page.keyboard.press("Home")
        shows(page, "3")
        page.keyboard.press("Escape")
        page.wait_for_selector(".prompt")
        assert looker.complaints == []


def test_surveillance_filters_by_key_and_reviews_what_was_acknowledged(look, tmp_path):
    """Requirement: shoe timeline, filters, incidents with a note and a review; nothing of it is streamed."""
    with sitting(tmp_path / "table") as table:
        table.say(PoweredUp(), StoodBy(), BurnCardDrawn(sets_count=True, left=1, card=Card.parse("AS")))
        table.say(BurnCardDrawn(sets_count=False, left=0, card=None), *hand("9S KD", "2C 4H", Call.BANKER))
        looker = look()
        page = looker.open(f"{table.address}/surveillance/b1")
        page.wait_for_selector(".alarms .incident")
        given = aside(lambda: table.daemon.give({"kind": "acknowledge", "incident": "1-i1", "note": "camera 4"}))
        assert given[1]["accepted"]
        page.wait_for_selector("body[data-turns]")
        page.keyboard.press("u")
        page.wait_for_selector(".history [data-act=review]")
        assert "camera 4" in page.inner_text(".history")
        page.keyboard.press("2")
        page.wait_for_selector("[data-groups=results][aria-pressed=true]")
        assert page.locator(".timeline tr.of-cards").count() == 0
        page.click(".history [data-act=review]")
        page.fill("#ask-staff input", "3001")
        page.keyboard.press("Enter")
        page.wait_for_selector(".history [data-act=review]", state="detached")
        page.wait_for_selector("text=Reviewed by 3001")
        assert page.locator(".frames code").count() > 5
        assert looker.complaints == []


def test_a_hand_is_turned_by_swiping(look, tmp_path):
    """Requirement: touch, and axe finds nothing. A drag to the right is the hand before."""
    with sitting(tmp_path / "table") as table:
        table.say(PoweredUp(), StoodBy(), BurnCardDrawn(sets_count=True, left=1, card=Card.parse("AS")))
        table.say(BurnCardDrawn(sets_count=False, left=0, card=None))
        table.say(*hand("9S KD", "2C 4H", Call.PLAYER), *hand("2S 5D", "7C AH", Call.BANKER))
        looker = look(1280, 800, has_touch=True, bypass_csp=True)  # axe is a script of its own
        page = looker.open(f"{table.address}/table/b1")
        page.wait_for_selector(".result :text('BANKER wins')")
        page.goto(f"{table.address}/table/b1/hand")
        assert page.inner_text(".bar .hand b") == "2"
        assert Axe().run(page).response["violations"] == []
        line = page.context.new_cdp_session(page)
        for kind, points in (
            ("touchStart", [{"x": 300, "y": 400}]),
            ("touchMove", [{"x": 600, "y": 400}]),
            ("touchEnd", []),
        ):
            line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        shows(page, "1")


def test_the_clerk_ends_with_its_daemon_however_that_ends(tmp_path):
    """A killed daemon leaves nothing behind that holds memory or the journal."""
    with sitting(tmp_path / "table") as table:
        table.say(PoweredUp(), StoodBy(), BurnCardDrawn(sets_count=True, left=1, card=Card.parse("AS")))
        table.say(BurnCardDrawn(sets_count=False, left=0, card=None), *hand("9S KD", "2C 4H", Call.PLAYER))
        until(lambda: "9S" in dealt(table.daemon))
        clerks = children(table.daemon.process.pid)
        assert len(clerks) == 1
        table.daemon.kill()
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in clerks))


def dealt(daemon) -> str:
    """The report's table of hands; empty before there is a shoe."""
    try:
        return str(aside(lambda: daemon.get("/table/b1/shoe/1.csv")))
    except HTTPError:
        return ""


def children(pid: int) -> list[int]:
    """The processes that a process has started to replay."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def test_a_recalled_hand_of_the_shoe_in_play_leads_to_its_correction(look, tmp_path):
    """Promised: from the dispute to the ruling by one key, with the hand already chosen."""
    with sitting(tmp_path / "table") as table:
        table.say(PoweredUp(), StoodBy(), BurnCardDrawn(sets_count=True, left=1, card=Card.parse("AS")))
        table.say(BurnCardDrawn(sets_count=False, left=0, card=None))
        table.say(*hand("9S KD", "2C 4H", Call.PLAYER), *hand("2S 5D", "7C AH", Call.BANKER))
        page = look().open(f"{table.address}/table/b1")
        page.evaluate("sessionStorage.setItem('staff', '1042')")
        page.wait_for_selector(".result :text('BANKER wins')")
        page.goto(f"{table.address}/table/b1/hand/1")
        page.wait_for_selector("body[data-turns]")
        page.keyboard.press("c")
        page.wait_for_selector("#earlier[open] .hand-row[aria-pressed=true]:has-text('Hand 1')")
