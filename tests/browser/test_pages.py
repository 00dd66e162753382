"""The pages in a real Chromium, over a sample floor: looks, keys, holds, and NOT LIVE."""

from __future__ import annotations

import json
import time

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.pit import sample

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

SIZES = ((1920, 1080), (1280, 800))
STATES = tuple(sample.STATES)


def signed_in(page, number: str = "1042") -> None:
    page.evaluate(f"sessionStorage.setItem('staff', '{number}')")
    page.reload()
    page.wait_for_selector("body:not(.stale)")


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_page_renders_without_a_complaint_and_without_scrolling_sideways(serve, look, width, height):
    """Requirement: looked at 1920x1080 and 1280x800; the dealer's page and the board fit without scrolling."""
    served = serve(*STATES)
    looker = look(width, height)
    for number in range(1, len(STATES) + 1):
        for kind in ("table", "board"):
            page = looker.open(f"{served.address}/{kind}/{number}")
            over = page.evaluate(
                "(page => [page.scrollWidth - innerWidth, page.scrollHeight - innerHeight])(document.documentElement)"
            )
            assert over == [0, 0], f"{kind} {STATES[number - 1]}"
    looker.open(f"{served.address}/")
    looker.open(f"{served.address}/surveillance/5")
    assert looker.complaints == []


def test_axe_finds_nothing(serve, look):
    """Requirement: axe finds nothing."""
    served = serve("middle", "incident", "unsettled", "not-live", "finished")
    looker = look()
    found = []
    tables = [f"/table/{number}" for number in range(1, 6)]
    for path in ("/", *tables, "/board/1", "/board/4", "/board/5", "/surveillance/2"):
        report = Axe().run(looker.open(served.address + path)).response
        assert report["passes"], "axe looked at nothing"
        found += [(path, item["id"], item["nodes"][0]["html"][:120]) for item in report["violations"]]
    assert found == []


def test_a_change_is_seen_without_a_reload(serve, look):
    served = serve("middle")
    page = look().open(f"{served.address}/table/1")
    served.show("1", "incident")
    page.wait_for_selector(".wrong .rule-id:has-text('R-PB-05')")


def test_the_page_says_not_live_within_two_seconds_of_the_servers_death_and_comes_back(serve, look):
    """trust.md T5."""
    served = serve("middle")
    page = look().open(f"{served.address}/table/1")
    served.process.kill()
    began = time.monotonic()
    page.wait_for_selector("body.stale", timeout=3_000)
    assert time.monotonic() - began < 2.0
    assert page.locator(".stale-banner").is_visible()
    assert not page.locator(".prompt").is_visible(), "an old prompt must not be read"
    served.process.wait()
    serve("incident", port=served.port)
    page.wait_for_selector("body:not(.stale)", timeout=8_000)
    page.wait_for_selector(".wrong .rule-id")


def test_the_page_says_not_live_within_two_seconds_of_a_server_that_hangs(serve, look):
    """trust.md T5: a stopped server closes nothing; only its silence tells."""
    served = serve("middle")
    page = look().open(f"{served.address}/board/1")
    served.process.send_signal(19)  # SIGSTOP
    began = time.monotonic()
    page.wait_for_selector("body.stale", timeout=3_000)
    assert time.monotonic() - began < 2.0
    served.process.send_signal(18)  # SIGCONT
    page.wait_for_selector("body:not(.stale)", timeout=8_000)


def test_without_the_script_nothing_claims_to_be_live(serve, look):
    served = serve("middle")
    page = look(java_script_enabled=False).page
    page.goto(f"{served.address}/table/1")
    assert page.locator(".stale-banner").is_visible()


def test_the_first_act_asks_for_the_staff_number_and_keeps_it(serve, look):
    """Requirement: each act with a staff number, kept for the shift and shown."""
    served = serve("face-down")
    page = look().open(f"{served.address}/table/1")
    page.keyboard.press("t")
    page.keyboard.type("1042")
    page.keyboard.press("Enter")
    given = json.loads(served.given())
    assert (given["by"], given["act"], given["hand"]) == ("staff:1042", {"kind": "turned"}, "3-69")
    assert page.locator("#staff b").inner_text() == "1042"


def test_a_hold_of_a_key_for_a_second_voids_and_a_short_one_does_not(serve, look):
    """Requirement: the destructive ones need a one-second hold."""
    served = serve("incident")
    page = look().open(f"{served.address}/table/1")
    signed_in(page)
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.keyboard.down("v")
    page.wait_for_selector("#act-void[style*='--held']")
    page.keyboard.up("v")
    page.wait_for_selector("#act-void:not([style*='--held'])")
    assert sent == []
    began = time.monotonic()
    with page.expect_response("**/commands"):
        page.keyboard.down("v")
    took = time.monotonic() - began
    page.keyboard.up("v")
    assert took >= 0.95
    assert json.loads(served.given())["act"] == {"kind": "void"}


def test_a_hold_of_the_button_accepts_the_holds_that_were_seen(serve, look):
    served = serve("incident")
    page = look().open(f"{served.address}/table/1")
    signed_in(page)
    page.locator("#act-accept").hover()
    with page.expect_response("**/commands"):
        page.mouse.down()
    page.mouse.up()
    assert json.loads(served.given())["act"] == {"kind": "accept", "holds": ["h2"]}


def test_a_card_is_keyed_by_two_keys(serve, look):
    """Requirement: key card: rank, suit."""
    served = serve("unread")
    page = look().open(f"{served.address}/table/1")
    signed_in(page)
    page.keyboard.press("k")
    page.wait_for_selector("#ask-key_card[open]")
    page.keyboard.press("0")
    page.keyboard.press("h")
    act = json.loads(served.given())["act"]
    assert act == {"kind": "key_card", "seat": "player", "index": 2, "card": "TH"}


def test_a_correction_is_chosen_and_then_held(serve, look):
    served = serve("incident")
    page = look().open(f"{served.address}/table/1")
    signed_in(page)
    page.keyboard.press("c")
    page.wait_for_selector("#ask-correct[open]")
    with page.expect_response("**/commands"):
        page.keyboard.down("t")
    page.keyboard.up("t")
    assert json.loads(served.given())["act"] == {"kind": "correct", "result": "tie"}


def test_an_incident_is_acknowledged_with_a_note(serve, look):
    served = serve("incident")
    page = look().open(f"{served.address}/")
    signed_in(page)
    page.locator("#ack-1-i1").click()
    page.locator("#ask-acknowledge textarea").fill("seen on camera 4")
    page.locator("#ask-acknowledge button[type=submit]").click()
    assert json.loads(served.given())["act"] == {"kind": "acknowledge", "incident": "i1", "note": "seen on camera 4"}


def test_the_boards_digits_are_ninety_pixels_high_at_1080p(serve, look):
    """Requirement: digits at least 90 px high at 1080p, contrast at least 7:1."""
    served = serve("middle")
    page = look().open(f"{served.address}/board/1")
    measured = page.evaluate(
        """[...document.querySelectorAll('.counts dd')].map(place => {
            const style = getComputedStyle(place), pen = document.createElement('canvas').getContext('2d');
            pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
            const box = pen.measureText('1');
            return [box.actualBoundingBoxAscent + box.actualBoundingBoxDescent, style.color];
        })"""
    )
    assert len(measured) == 7
    for height, colour in measured:
        assert height >= 90
        # #16352a is the lightest ground that a digit can stand on
        assert contrast(colour, (0x16, 0x35, 0x2A)) >= 7.0


def contrast(colour: str, ground: tuple[int, int, int]) -> float:
    """WCAG 2.2 relative luminance."""

    def luminance(channels) -> float:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in channels)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    ink = [int(part) for part in colour[4:-1].split(",")]
    lighter, darker = sorted((luminance(ink), luminance(ground)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_every_target_is_big_enough_for_a_finger(serve, look):
    """Requirement: touch targets 44 px."""
    served = serve("incident", "unsettled", "unread")
    looker = look(1280, 800)
    for path in ("/", "/table/1", "/table/2", "/table/3"):
        page = looker.open(served.address + path)
        small = page.evaluate(
            """[...document.querySelectorAll('button, a, input')].filter(it => it.offsetParent)
               .map(it => [it.id, it.getBoundingClientRect()]).filter(([, box]) => box.width < 44 || box.height < 44)
               .map(([id, box]) => `${id} ${box.width}x${box.height}`)"""
        )
        assert small == []


def test_a_question_closes_when_the_page_goes_stale(serve, look):
    """It would lie above the banner, over a hand that may be gone."""
    served = serve("unread")
    page = look().open(f"{served.address}/table/1")
    signed_in(page)
    page.keyboard.press("k")
    page.wait_for_selector("#ask-key_card[open]")
    served.process.kill()
    page.wait_for_selector("body.stale")
    assert page.locator("dialog[open]").count() == 0


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_acts_stay_in_view_however_much_is_wrong(serve, look, width, height):
    """What is wrong scrolls, and says how much there is."""
    page = look(width, height).open(f"{serve('much-wrong').address}/table/1")
    box = page.locator("#act-void").bounding_box()
    assert box["y"] + box["height"] <= height
    seen = page.locator(".in-all").bounding_box()
    assert seen["y"] + seen["height"] <= box["y"]
    assert page.locator(".in-all").inner_text() == "8 in all"


def test_hands_that_are_still_open_are_reached_and_accepted_by_keys(serve, look):
    """Promised: keys for everything; U goes from one to the next, their buttons then have their keys."""
    served = serve("much-wrong")
    page = look().open(f"{served.address}/table/1")
    signed_in(page)
    page.keyboard.press("u")
    page.keyboard.press("u")
    with page.expect_response("**/commands"):
        page.keyboard.down("a")
    page.keyboard.up("a")
    given = json.loads(served.given())
    assert (given["hand"], given["act"]) == ("3-62", {"kind": "accept", "holds": ["u62"]})


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_ribbon_of_the_demonstration_lies_over_no_button(serve, look, width, height):
    """What can be pressed is seen whole."""
    served = serve("middle")
    looker = look(width, height)
    for path in ("/", "/table/1", "/board/1", "/surveillance/1", "/surveillance"):
        page = looker.open(served.address + path)
        ribbon = page.locator(".demo").bounding_box()
        for box in [it.bounding_box() for it in page.locator("header.bar :is(a, button)").all()]:
            apart = box["x"] + box["width"] <= ribbon["x"] or box["y"] >= ribbon["y"] + ribbon["height"]
            assert apart, path


def test_a_note_is_sent_by_enter_and_shift_enter_begins_a_line(serve, look):
    """Promised: an incident is acknowledged by keys alone."""
    served = serve("incident")
    page = look().open(f"{served.address}/")
    signed_in(page)
    page.keyboard.press("1")
    page.keyboard.type("two")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("lines")
    page.keyboard.press("Enter")
    given = json.loads(served.given())
    assert given["act"]["note"] == "two\nlines"
