"""An open shoe dealt face up: the card, the prompt before the next step, the result; and all that can stop a hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.core.signals import (
    Call,
    ErrorCleared,
    ErrorRaised,
    Fault,
    OffGameCardDrawn,
    OffGameCardShown,
    OffGameMode,
    Pairs,
    PoweredUp,
    ResultCalled,
)
from tests.daemon.daemon import run
from tests.e2e.looking import SERVER_GONE, Pages, pages_of
from tests.e2e.sitting import Sitting, card, carried, dealt, drawn, sitting, unread

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

PLAYER, BANKER, TIE = (ResultCalled(call, Pairs.NONE) for call in (Call.PLAYER, Call.BANKER, Call.TIE))
SURPLUS = (ErrorRaised(Fault.OVERDRAW, 2, error_mode=False), OffGameCardDrawn(OffGameMode.SETTING, 0, None))
SURPLUS_ENDS = ErrorCleared(Fault.OVERDRAW, 2)


@pytest.fixture
def at_table(tmp_path: Path, look: Callable) -> Iterator[tuple[Sitting, Pages]]:
    with sitting(tmp_path, mode="open", deal="face_up") as table, pages_of(table, look) as pages:
        table.say(PoweredUp())
        pages.prompts("Waiting for the first card")
        yield table, pages


def test_each_card_appears_and_the_next_step_is_said_before_it_happens(at_table):
    """rules.md R-PB-01..05: three hands, by a third card, by standing and by a natural."""
    table, pages = at_table
    for name, face, reads, says in (
        ("P1", "3H", "3 of hearts", "BANKER: card 1"),
        ("B1", "KD", "king of diamonds", "PLAYER: card 2"),
        ("P2", "2C", "2 of clubs", "BANKER: card 2"),
        ("B2", "7S", "7 of spades", "PLAYER draws"),
        ("P3", "6D", "6 of diamonds", "BANKER stands: no more cards"),
    ):
        table.say(drawn(name, face))
        pages.lies(name, reads)
        pages.prompts(says)
    assert pages.felt() == {
        "P": ["3 of hearts", "2 of clubs", "6 of diamonds"],
        "B": ["king of diamonds", "7 of spades", "BANKER 3: No card"],
    }
    table.say(BANKER)
    pages.prompts("Waiting for the first card")
    pages.result("Hand 1", "BANKER wins", "P1", "B7")
    pages.beads("B")
    table.say(*dealt("4H 5D 3C KS"))
    pages.prompts("BANKER draws", "R-PB-04")
    table.say(drawn("B3", "2H"))
    pages.prompts("Press RESULT")
    table.say(TIE, *dealt("9H 2D KC 3S"))
    pages.prompts("Natural: no more cards", "R-PB-02")
    table.say(PLAYER)
    pages.result("Hand 3", "PLAYER wins", "Natural")
    pages.beads("BTP")
    expect(pages.board.locator(".counts dd")).to_have_text(["3", "1", "1", "1", "0", "0", "1"])
    expect(pages.pit.locator(".tile .outcome")).to_contain_text("PLAYER wins")
    expect(pages.pit.locator(".incident")).to_have_count(0)


def test_an_overdrawn_card_that_is_taken_out_lets_the_hand_end(at_table):
    """faults.md A 12: the page says what to do and goes on by itself; the pit keeps the incident."""
    table, pages = at_table
    table.say(*dealt("3H KD 4C 7S"), *SURPLUS)
    pages.prompts("Card too many: follow the shoe")
    pages.wrong("Follow the shoe: take it out, or let it open the next hand.")
    expect(pages.dealer.locator(".wrong.shoe .by")).to_have_text("Ends by itself")
    table.say(OffGameCardShown(card("9D")), SURPLUS_ENDS)
    pages.nothing_wrong()
    pages.prompts("BANKER stands: no more cards")
    table.say(TIE)
    pages.beads("T")
    expect(pages.pit.locator(".incident .sentence")).to_contain_text("Overdraw")


def test_an_overdrawn_card_that_is_kept_opens_the_next_hand(at_table):
    """faults.md A 13: the page says that the card is to come, then shows it as carried."""
    table, pages = at_table
    table.say(*dealt("3H KD 4C 7S"), *SURPLUS, SURPLUS_ENDS)
    pages.nothing_wrong()
    table.say(TIE)
    expect(pages.dealer.locator(".carried")).to_have_text("The overdrawn card opens the next hand")
    table.say(carried("P1", "9D"))
    pages.lies("P1", "9 of diamonds")
    expect(pages.dealer.locator(".carried")).to_have_count(0)
    expect(pages.dealer.locator(".felt .player .spot.n1 .tag")).to_have_text("Carried")
    table.say(*dealt("9D KH QH 3S")[1:])
    pages.prompts("Natural: no more cards")
    table.say(PLAYER)
    pages.beads("TP")
    expect(pages.pit.locator(".incident .sentence")).to_contain_text("Overdraw")


def test_an_incident_is_acknowledged_by_click_with_number_and_note(tmp_path: Path, look: Callable):
    """Promised: open incidents stay until acknowledged, over a restart of the daemon too."""
    with sitting(tmp_path, mode="open", deal="face_up") as table, pages_of(table, look, allowed=SERVER_GONE) as pages:
        table.say(PoweredUp(), *dealt("3H KD 4C 7S"), *SURPLUS, SURPLUS_ENDS, TIE)
        expect(pages.pit.locator(".incident")).to_have_count(1)
        table.daemon.kill()
        pages.pit.wait_for_selector("body.stale")
        with run("--config", tmp_path / "tirage.toml"):
            pages.pit.wait_for_selector("body:not(.stale)")
            acknowledge = pages.pit.get_by_role("button", name="Acknowledge Baccarat 1")
            expect(acknowledge).to_have_count(2)  # the overdraw, and the notice that the recorder started again
            acknowledge.first.click()
            pages.pit.get_by_role("textbox", name="Your staff number").fill("1042")
            pages.pit.get_by_role("button", name="Confirm").click()
            pages.pit.get_by_role("textbox", name="Note").fill("card in the discard rack")
            pages.pit.locator("#ask-acknowledge button[type=submit]").click()
            expect(pages.pit.locator(".incident")).to_have_count(1)
            expect(pages.pit.locator(".incident")).to_contain_text("recorder was started again")
        journal = "".join(path.read_text() for path in (tmp_path / "data/b1").glob("*.jsonl"))
        assert "card in the discard rack" in journal
        assert "staff:1042" in journal


def test_an_unread_card_is_keyed_with_three_keys_and_the_hand_goes_on(at_table):
    """Promised; faults.md A 12: K, rank, suit, and the staff number once."""
    table, pages = at_table
    table.say(*dealt("3H KD 4C 7S")[:2], unread("P2"))
    pages.lies("P2", "Not read")
    pages.prompts("Wait for supervisor")
    pages.wrong("The shoe could not read a card. Key its face.")
    for key in ("k", "1", "0", "4", "2", "Enter"):
        pages.dealer.keyboard.press(key)
    pages.dealer.wait_for_selector("#ask-key_card[open]")
    with pages.dealer.expect_response("**/commands") as answer:
        pages.dealer.keyboard.press("4")
        pages.dealer.keyboard.press("c")
    assert answer.value.status == 200
    pages.lies("P2", "4 of clubs")
    expect(pages.dealer.locator(".felt .player .spot.n2 .tag")).to_have_text("Keyed")
    pages.nothing_wrong()
    pages.prompts("BANKER: card 2")
    table.say(drawn("B2", "7S"))
    pages.prompts("BANKER stands: no more cards")
    table.say(TIE)
    pages.result("Hand 1", "TIE", "P7", "B7")


def test_with_two_unread_cards_the_spot_is_one_more_key(at_table):
    """Promised: key card by at most four keys."""
    table, pages = at_table
    pages.sign_in()
    table.say(drawn("P1", "3H"), unread("B1"), unread("P2"), drawn("B2", "7S"))
    for keys, spot, reads in ((("k", "2", "0", "d"), "B1", "ten of diamonds"), (("k", "4", "c"), "P2", "4 of clubs")):
        pages.dealer.wait_for_selector("#act-key_card")
        with pages.dealer.expect_response("**/commands"):
            for key in keys:
                pages.dealer.keyboard.press(key)
        pages.lies(spot, reads)
    pages.prompts("BANKER stands: no more cards")


def false_draw(table: Sitting, pages: Pages) -> None:
    """Player stands on 7 and the shoe draws for it all the same, as one set to another game would."""
    table.say(*dealt("4H 5D 3C KS"))
    pages.prompts("BANKER draws", "R-PB-04")
    table.say(drawn("P3", "4S"))
    pages.lies("P3", "4 of spades")
    pages.prompts("Wait for supervisor")
    pages.wrong("PLAYER drew and had to stand. Leave the cards; a supervisor decides.")
    expect(pages.dealer.locator(".wrong .by")).to_contain_text("R-PB-03 PLAYER draws on 0 to 5, stands on 6 and 7.")


def test_a_false_draw_is_named_with_its_rule_and_accepted_by_a_hold(at_table):
    """rules.md R-PB-03, faults.md A 27."""
    table, pages = at_table
    pages.sign_in()
    false_draw(table, pages)
    expect(pages.pit.locator(".incident .rule-id")).to_have_text("R-PB-03")
    pages.hold("a")
    pages.nothing_wrong()
    pages.prompts("BANKER draws")
    table.say(drawn("B3", "4H"), BANKER)
    pages.result("Hand 1", "BANKER wins", "P1", "B9")
    pages.beads("B")
    expect(pages.pit.locator(".incident")).to_have_count(1)


def test_a_result_that_the_cards_deny_is_corrected_then_corrected_again_and_voided(at_table):
    """faults.md A 28, rules.md part D: later facts supersede earlier ones, and the roads follow."""
    table, pages = at_table
    pages.sign_in()
    table.say(*dealt("4H 4D 3C 2S"), PLAYER, *dealt("4H 4D 3C 2S"), BANKER)
    pages.wrong("The shoe called BANKER, the cards say otherwise. Check the cards; accept or correct.")
    pages.beads("P")
    pages.dealer.keyboard.press("c")
    pages.hold("t")
    pages.nothing_wrong()
    pages.result("Hand 2", "TIE", "Corrected")
    pages.beads("PT")
    pages.dealer.keyboard.press("c")
    pages.hold("b")
    pages.beads("PB")
    expect(pages.board.locator(".counts dd")).to_have_text(["2", "1", "1", "0", "0", "0", "0"])
    pages.hold("v")
    pages.beads("P")
    pages.result("Hand 2", "No result")


def test_a_hand_is_voided_by_a_hold_and_the_next_one_has_its_own_number(at_table):
    """rules.md part D: a void hand keeps its number and leaves no mark."""
    table, pages = at_table
    pages.sign_in()
    false_draw(table, pages)
    pages.hold("v")
    pages.nothing_wrong()
    table.say(*dealt("4H 4D 3C 2S"), PLAYER)
    pages.result("Hand 2", "PLAYER wins")
    pages.beads("P")
