"""A hidden shoe: backs, what the wire proves, faces at the reveal, the result at its call; then the end of the shoe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.core.signals import (
    BurnCardDrawn,
    Call,
    CutCardOut,
    ErrorCleared,
    ErrorRaised,
    Fault,
    OffGameCardDrawn,
    OffGameCardShown,
    OffGameMode,
    Pairs,
    PoweredUp,
    ResultCalled,
    Signal,
)
from tests.e2e.looking import Pages, pages_of
from tests.e2e.sitting import Sitting, aside, card, dealt, drawn, shown, sitting

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

BACK = "Face down"
NONE = "\N{EN DASH}"
PLAYER = ResultCalled(Call.PLAYER, Pairs.NONE)
BACKS = "? ? ? ?"


@pytest.fixture
def at_table(tmp_path: Path, look: Callable) -> Iterator[tuple[Sitting, Pages]]:
    with sitting(tmp_path) as table, pages_of(table, look) as pages:
        table.say(PoweredUp())
        pages.prompts("Waiting for the first card")
        yield table, pages


def reveal(faces: str) -> list[Signal]:
    return [shown(*face.split("=")) for face in faces.split()]


def test_backs_and_prompts_say_what_the_wire_proves_and_faces_come_with_the_reveal(at_table):
    """Promised; wire-formats.md 1.1: hidden mode tells faces with I, after the last card."""
    table, pages = at_table
    for count, (name, says) in enumerate(
        (
            ("P1", "BANKER: card 1"),
            ("B1", "PLAYER: card 2"),
            ("P2", "BANKER: card 2"),
            ("B2", "4 cards out"),
            ("P3", "Lay this card on PLAYER"),
            ("B3", "Turn the cards, press RESULT"),
        ),
        1,
    ):
        table.say(drawn(name, "?"))
        pages.prompts(says)
        felt = pages.felt()
        assert [*felt["P"], *felt["B"]].count(BACK) == count
    expect(pages.dealer.locator(".points b")).to_have_text([NONE, NONE])
    table.say(*reveal("P1=2H P2=3D P3=KC B1=AS B2=QH"))
    pages.lies("P3", "king of clubs")
    pages.lies("B3", BACK)
    table.say(*reveal("B3=3C"))
    pages.lies("B3", "3 of clubs")
    expect(pages.dealer.locator(".points b")).to_have_text(["5", "4"])
    expect(pages.dealer.locator("[data-part=result]")).to_have_text("No result yet")
    pages.beads("")
    table.say(PLAYER)
    pages.result("Hand 1", "PLAYER wins", "P5", "B4")
    pages.beads("P")
    expect(pages.pit.locator(".tile .outcome")).to_contain_text("PLAYER wins")


def test_a_single_third_card_goes_where_the_shoe_counted_it(at_table):
    """Promised: "lay this card on BANKER"."""
    table, pages = at_table
    table.say(*dealt(BACKS), drawn("B3", "?"))
    pages.prompts("Lay this card on BANKER")
    assert pages.felt() == {"P": [BACK, BACK, "PLAYER 3: No card"], "B": [BACK, BACK, BACK]}


def test_a_hidden_overdraw_is_withdrawn(at_table):
    """faults.md A 12, in hidden mode: told in a sentence, ended by the shoe."""
    table, pages = at_table
    table.say(*dealt(BACKS), ErrorRaised(Fault.OVERDRAW, 2, error_mode=False))
    pages.prompts("Card too many: follow the shoe")
    table.say(
        OffGameCardDrawn(OffGameMode.SETTING, 0, None), OffGameCardShown(card("9D")), ErrorCleared(Fault.OVERDRAW, 2)
    )
    pages.nothing_wrong()
    pages.prompts("4 cards out")
    table.say(*reveal("P1=2H P2=6D B1=KS B2=7H"), PLAYER)
    pages.beads("P")


def test_after_the_cut_card_all_pages_say_last_hand_then_finished_and_a_confirmed_burn_group_clears_the_board(at_table):
    """rules.md C.4, faults.md A 41: one hand after the cut card; A 10: a person confirms the shoe that is proposed."""
    table, pages = at_table
    hand = [*dealt(BACKS), *reveal("P1=2H P2=6D B1=KS B2=7H"), PLAYER]
    table.say(*hand[:2], CutCardOut(), *hand[2:])
    pages.prompts("LAST HAND")
    said_everywhere(pages, "LAST HAND")
    table.say(*hand)
    pages.prompts("SHOE FINISHED")
    said_everywhere(pages, "SHOE FINISHED")
    pages.beads("PP")
    table.say(
        BurnCardDrawn(sets_count=True, left=0, card=card("AH")), BurnCardDrawn(sets_count=False, left=0, card=None)
    )
    pages.prompts("New shoe: supervisor confirms")
    pages.beads("PP")
    assert aside(lambda: table.daemon.give({"kind": "new_shoe"}))[0] == 200
    pages.beads("")
    pages.prompts("Waiting for the first card")
    expect(pages.board.locator(".latest .stage")).to_have_count(0)
    expect(pages.board.locator(".shoe b")).to_have_text("2")
    expect(pages.board.locator(".counts dd")).to_have_text([NONE, "0", "0", "0", "0", "0", "0"])
    expect(pages.dealer.locator("[data-part=result]")).to_have_text("No result yet")
    expect(pages.pit.locator(".tile .state")).to_have_text("Waiting")


def said_everywhere(pages: Pages, words: str) -> None:
    expect(pages.dealer.locator(".bar .stage")).to_have_text(words)
    expect(pages.board.locator(".latest .stage")).to_have_text(words)
    expect(pages.pit.locator(".tile .state")).to_have_text(words)
