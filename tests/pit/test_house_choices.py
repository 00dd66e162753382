"""What a house chose, as the pages of a real table show it."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from controller.core.inputs import Void
from controller.core.profile import BetsClosed, VoidMark
from controller.core.signals import LinkOpened, StoodBy
from tests.browser.playing import TableFloor
from tests.faults.felt import BANKER_WINS, Felt
from tests.pit.conftest import running

PROMPTS = {"en": "Bets are open", "zh-Hans": "接受下注中", "zh-Hant": "接受下注中"}


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    felt = Felt(bets_closed=BetsClosed.OPERATOR, void_mark=VoidMark.BEAD, reasons=('keyed "wrong"', "读错"))
    felt.say(LinkOpened("/dev/shoe"), StoodBy())
    felt.hand(BANKER_WINS, "banker")
    felt.ask(Void(), "1-1")
    felt.accept()
    for pit in running(TableFloor(felt)):  # type: ignore[arg-type]
        with pit.client() as made:
            yield made


def test_a33_the_board_has_the_mark_of_a_void_hand(client: httpx.Client):
    """faults.md A 33."""
    assert client.get("/board/1").text.count('href="#bead-V"') == 1


@pytest.mark.parametrize("language", PROMPTS)
def test_a25_the_dealer_reads_that_bets_are_open_and_has_a_key_for_their_close(client: httpx.Client, language: str):
    """faults.md A 25."""
    html = client.get(f"/table/1?lang={language}").text
    assert PROMPTS[language] in html
    assert 'data-act="close_bets"' in html


def test_a45_the_questions_of_a_correction_and_of_a_shoe_offer_the_reasons_of_the_house(client: httpx.Client):
    """faults.md A 44, 45."""
    html = client.get("/table/1").text
    assert '<option value="keyed &#34;wrong&#34;"></option><option value="读错"></option>' in html
    for question in ("ask-correct", "ask-new_shoe", "earlier", "cards"):
        _, _, dialog = html.partition(f'<dialog id="{question}"')
        assert 'name="reason"' in dialog.partition("</dialog>")[0], question
