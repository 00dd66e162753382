"""A key that closes the bets, and why a hand is corrected, on the page of a real table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LIVE, processes
from tests.browser.test_people import Playing, at_table, tried

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

DEADLINE_MS = 15_000


@pytest.fixture
def play(repository: Path) -> Iterator[Callable[..., Playing]]:
    with processes(repository, "tests.browser.playing") as start:
        yield lambda *options: Playing(*start(*options, port=0))


def answered(page: Page, key: str, *, hold: bool = False) -> int:
    with page.expect_response("**/commands") as answer:
        page.keyboard.down(key)
        if not hold:
            page.keyboard.up(key)
    page.keyboard.up(key)
    return answer.value.status


def test_one_key_closes_the_bets_and_a_card_before_it_is_an_early_draw(play: Callable[..., Playing], look: Callable):
    """faults.md A 25: bets_closed = operator."""
    table = play("--bets_closed=operator")
    page = at_table(look(), table)
    expect(page.locator(".prompt")).to_contain_text("Bets are open", timeout=DEADLINE_MS)
    assert answered(page, "l") == 200
    expect(page.locator(".prompt")).to_contain_text("Waiting for the first card", timeout=DEADLINE_MS)
    table.say("hands 1")
    expect(page.locator(".prompt")).to_contain_text("Bets are open", timeout=DEADLINE_MS)
    table.say("draw P1:2S")
    expect(page.locator(".trouble")).to_contain_text("before the bets were closed", timeout=DEADLINE_MS)


def test_a_correction_is_refused_without_the_reason_that_the_house_asks_for(
    play: Callable[..., Playing], look: Callable
):
    """faults.md A 45: the field has the house's own reasons, and Enter from within it confirms."""
    table = play("--reason=called wrong")
    table.say("hands 2")
    page = at_table(look(), table)
    for reason, status in (("", 409), ("called wrong", 200)):
        page.wait_for_selector(LIVE)
        page.keyboard.press("h")
        page.wait_for_selector("#earlier[open] .hand-row")
        page.keyboard.press("2")
        page.keyboard.press("t")
        tried(page, "#earlier")
        field = page.locator("#earlier [name=reason]")
        expect(field).to_have_value("")
        assert page.locator("#reasons option").get_attribute("value") == "called wrong"
        if reason:
            field.fill(reason)
        assert answered(page, "Enter", hold=True) == status
    expect(page.locator(".result")).to_be_visible()


def test_in_the_question_of_the_result_enter_gives_the_keys_back_to_the_results(
    play: Callable[..., Playing], look: Callable
):
    """faults.md A 45: a reason is typed and the result still has its key."""
    table = play("--reason=called wrong")
    table.say("hands 1")
    page = at_table(look(), table)
    page.keyboard.press("c")
    page.wait_for_selector("#ask-correct[open]")
    page.locator("#ask-correct [name=reason]").click()
    page.keyboard.type("tip")
    page.keyboard.press("Enter")
    assert page.locator("#ask-correct [name=reason]").input_value() == "tip"
    assert answered(page, "t", hold=True) == 200
