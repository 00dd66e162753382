"""Pages in Chinese in a real Chromium: nothing is cut off, the keys stay, and what comes later is Chinese too."""

from __future__ import annotations

import json

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.test_pages import SIZES, signed_in
from tests.pit import sample
from tests.sampling import sampled

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

STATES = tuple(sample.STATES)
CUT_OFF = """() => [...document.querySelectorAll('main *')]
    .filter(it => it.offsetParent && !it.classList.contains('hidden') && it.textContent.trim())
    .filter(it => {
        const box = it.getBoundingClientRect();
        const style = getComputedStyle(it);
        const hides = style.overflow !== 'visible';
        const low = style.overflowY !== 'auto' && it.scrollHeight > it.clientHeight + 1;  // else it scrolls
        const inner = hides && (it.scrollWidth > it.clientWidth + 1 || low);
        return inner || box.right > innerWidth + 1 || box.left < -1;
    }).map(it => it.outerHTML.slice(0, 120))"""
BEYOND = "(page => [page.scrollWidth - innerWidth, page.scrollHeight - innerHeight])(document.documentElement)"


@pytest.mark.parametrize(
    ("width", "height", "language"),
    sampled(
        [(*size, language) for size in SIZES for language in ("zh-Hans", "zh-Hant")],
        quick=[(*SIZES[0], "zh-Hant"), (*SIZES[-1], "zh-Hans")],
    ),
)
def test_nothing_is_cut_off(serve, look, width, height, language):
    """Requirement: text is not clipped at 1920x1080 and 1280x800 in Chinese."""
    served = serve(*STATES)
    looker = look(width, height)
    wrong = []
    for number, state in enumerate(STATES, start=1):
        for kind in ("table", "board"):
            page = looker.open(f"{served.address}/{kind}/{number}?lang={language}")
            if (beyond := page.evaluate(BEYOND)) != [0, 0] or page.evaluate(CUT_OFF):
                wrong.append((kind, state, beyond, page.evaluate(CUT_OFF)))
    for path in ("/", "/surveillance/5"):
        cut = looker.open(f"{served.address}{path}?lang={language}").evaluate(CUT_OFF)
        wrong += [(path, cut)] if cut else []
    assert wrong == []
    assert looker.complaints == []


def test_axe_finds_nothing_in_chinese(serve, look):
    """Requirement: axe finds nothing; it also reads the languages of the page and of the chooser's words."""
    served = serve("middle", "incident")
    looker = look(locale="zh-TW")
    found = []
    for path in ("/", "/table/2", "/board/1", "/surveillance/2"):
        page = looker.open(served.address + path)
        assert page.locator("html").get_attribute("lang") == "zh-Hant"
        found += [(path, item["id"], item["nodes"][0]["html"][:120]) for item in Axe().run(page).response["violations"]]
    assert found == []


def test_a_choice_is_a_finger_away_and_is_kept(serve, look):
    """Requirement: a small chooser on each page, 44 px; the pages that follow keep the choice."""
    served = serve("middle")
    page = look(1280, 800).open(f"{served.address}/")
    for tag in ("en", "zh-Hans", "zh-Hant"):
        box = page.locator(f".languages a[lang={tag}]").bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
    page.locator(".languages a[lang=zh-Hant]").click()
    page.wait_for_selector("html[lang=zh-Hant] body:not(.stale)")
    page.locator("#tile-1").click()
    page.wait_for_selector("html[lang=zh-Hant] .seat h2:has-text('閒')")


def test_what_changes_later_is_said_in_the_pages_language(serve, look):
    """The stream is rendered in the language of the page, whatever the cookie of another page has become."""
    served = serve("middle")
    looker = look()
    page = looker.open(f"{served.address}/table/1?lang=zh-Hans")
    other = page.context.new_page()
    other.goto(f"{served.address}/board/1?lang=en")
    served.show("1", "incident")
    page.wait_for_selector(".wrong .sentence:has-text('庄应停牌却补了牌')")
    other.wait_for_selector("dt:has-text('BANKER')")


def test_the_keys_of_a_choice_are_those_of_the_keyboard(serve, look):
    """A key that stands for 和 could not be pressed."""
    served = serve("incident")
    page = look().open(f"{served.address}/table/1?lang=zh-Hans")
    signed_in(page)
    page.keyboard.press("c")
    page.wait_for_selector("#ask-correct[open]")
    assert page.locator("#ask-correct .call-tie").inner_text().split() == ["和", "T"]
    with page.expect_response("**/commands"):
        page.keyboard.down("t")
    page.keyboard.up("t")
    assert json.loads(served.given())["act"] == {"kind": "correct", "result": "tie"}


def test_letters_of_beads_become_signs(serve, look):
    """Field practice: a bead plate in Chinese shows 庄, 闲 and 和 in its beads."""
    served = serve("middle")
    page = look().open(f"{served.address}/board/1?lang=zh-Hans")
    assert [page.locator(f"#bead-{mark} text").text_content() for mark in "BPT"] == ["庄", "闲", "和"]
