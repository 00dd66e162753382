"""A hand that ended without a number is recalled by its reference; its number went to the next one."""

from __future__ import annotations

import re

import pytest

from controller.core.facts import Audience
from controller.core.inputs import NewHand
from controller.core.signals import Call, CardDrawn, PoweredUp
from controller.pit.recall_view import ended, leaf, shown
from controller.recall.hand import recall
from controller.recall.story import tell
from controller.recall.timeline import timeline
from tests.pit.sample import floor_of
from tests.recall.dealing import B, P, deal
from tests.recall.serving import Recalled

S = 1_000_000_000
REF = "1-2"


async def begun_anew(dealing) -> None:
    """Of the second hand two cards are out when the shoe powers up; a supervisor says that a new hand begins."""
    await dealing.shoe()
    await dealing.hand("9S KD", "2C 4H", Call.PLAYER)
    await dealing.say(CardDrawn(P, 1, None), CardDrawn(B, 1, None))
    await dealing.say(PoweredUp())
    await dealing.ask(NewHand(), dealing.table.hand.ref)
    await dealing.hand("8D QS", "6C JD", Call.PLAYER)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return deal(tmp_path_factory.mktemp("abandoned") / "b1", begun_anew)


@pytest.fixture(scope="module")
def shoe(folder):
    return tell(folder, 1)


def test_an_abandoned_hand_is_recalled_by_its_reference(shoe):
    """faults.md A 10, 11; design.md section 6: an abandoned hand takes no number."""
    hand = recall(shoe, REF, Audience.PIT)
    assert hand.abandoned
    assert not hand.open
    assert [(card.seat.value, card.index) for card in hand.cards] == [("player", 1), ("banker", 1)]
    assert hand.verdicts == ()
    assert (hand.previous, hand.following) == (1, 2)
    whats = [entry.what.id for moment in hand.moments for entry in moment.entries]
    assert whats.count("timeline.CardDrawn") == 2
    assert "timeline.HandAbandoned" in whats


def test_the_hand_that_took_its_number_shows_nothing_of_it(shoe):
    hand = recall(shoe, 2, Audience.SURVEILLANCE)
    assert not hand.abandoned
    whats = [entry.what.id for moment in hand.moments for entry in moment.entries]
    assert whats.count("timeline.CardDrawn") == 4
    assert "timeline.HandAbandoned" not in whats


def test_its_range_for_the_cameras_ends_with_its_last_card(shoe):
    hand = recall(shoe, REF, Audience.PIT)
    assert ended(shoe, hand) - hand.begin == S


def test_the_timeline_of_surveillance_leads_to_it(shoe):
    entries = timeline(shoe, (), most=500).entries
    gone = [entry for entry in entries if entry.ref == REF]
    assert {entry.what.id for entry in gone} >= {"timeline.HandOpened", "timeline.CardDrawn", "timeline.HandAbandoned"}
    later = [entry for entry in entries if entry.hand == 2 and not entry.ref]
    assert sum(entry.what.id == "timeline.CardDrawn" for entry in later) == 4


def test_leaves_go_around_it(shoe):
    found = shown(shoe, REF, Audience.PIT)
    assert (found.before, found.after) == (leaf(1, 1), leaf(2, 1))


def test_it_has_a_page_that_the_timeline_links_to(folder):
    """The requirement: reachable from the surveillance timeline."""
    for pages in Recalled.running(floor_of("middle"), {"1": folder}):
        with pages.client() as client:
            history = client.get("/surveillance/1/history?shoe=1").text
            (link,) = set(re.findall(rf'href="(/surveillance/1/hand/{REF}[^"]*)"', history))
            page = client.get(link)
            public = client.get(f"/table/1/hand/{REF}")
            missing = client.get("/table/1/hand/1-9")
        assert page.status_code == public.status_code == 200
        assert "Hand abandoned" in page.text
        assert missing.status_code == 404
