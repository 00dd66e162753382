"""What may be tried before it counts: the route, its guards, and that it tells no more than players know."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest

from controller.core.profile import Deal
from controller.daemon.floor import Calendar
from tests.browser.playing import TableFloor
from tests.faults.felt import BANKER_WINS, PLAYER_WINS, Felt
from tests.pit.conftest import Pit, running

OURS = {"X-Tirage-Command": "1", "Content-Type": "application/json"}
SPOTS = (("player", 1), ("banker", 1), ("player", 2), ("banker", 2))


@pytest.fixture
def felt() -> Felt:
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.hand(PLAYER_WINS, "player")
    return felt


@pytest.fixture
def table(felt) -> Iterator[Pit]:
    yield from running(TableFloor(felt))  # type: ignore[arg-type]


def placed(*spots: tuple[str, int]) -> list[dict[str, object]]:
    return [
        {"kind": "placed", "place": place, "seat": seat, "index": index} for place, (seat, index) in enumerate(spots)
    ]


def post(pit, act: dict[str, object], hand: str = "", path: str = "preview", **headers: str):
    body = {"id": str(uuid.uuid4()), "staff": "1042", "hand": hand, "act": act}
    with pit.client() as client:
        return client.post(f"/table/1/{path}", json=body, headers=OURS | headers)


def test_a_preview_gives_findings_with_rules_roads_and_counts(table, felt):
    felt.draw("P1:2D B1:AH P2:3C B2:2D P3:4S")
    cards = placed(*SPOTS, ("banker", 3))
    answer = post(table, {"kind": "relay", "cards": cards}, felt.table.hand.ref).json()
    assert answer["accepted"]
    assert answer["accepts"] == ["player-missed-draw"]
    assert "R-PB-03" in answer["html"]
    assert "road bead" in answer["html"]
    assert felt.holds == []


def test_what_was_tried_is_then_taken(table, felt):
    ref = felt.table.results[0].hand.ref
    act = {"kind": "correct", "result": "tie"}
    assert "was 1" in post(table, act, ref).json()["html"]
    assert felt.results == ["banker", "player"]
    assert post(table, act, ref, "commands").status_code == 200
    assert felt.results == ["tie", "player"]


def test_what_would_be_refused_says_why(table):
    answer = post(table, {"kind": "relay", "cards": []}, "1-1")
    assert answer.status_code == 200
    assert answer.json()["accepted"] is False
    assert answer.json()["sentence"].startswith("The cards cannot lie so")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"X-Forwarded-For": "192.0.2.7"}, 403),
    ],
    ids=str,
)
def test_a_preview_has_the_guards_of_a_command(table, headers, status):
    """trust.md 4.4: what tells something about the table is asked for by our own pages alone."""
    assert post(table, {"kind": "void"}, "1-1", **headers).status_code == status


def test_a_preview_without_our_header_is_refused(table):
    with table.client() as client:
        assert client.post("/table/1/preview", json={}).status_code == 403


@pytest.mark.parametrize(
    "cards",
    [
        [{"kind": "void"}],
        [{"kind": "placed", "place": True}],
        [{"kind": "placed", "place": 0, "more": 1}],
        [{"kind": "placed", "place": 0, "seat": "nobody"}],
        [{"kind": "placed", "place": 0, "card": {"kind": "placed"}}],
        [{"kind": "placed", "place": 0}] * 13,
        "void",
    ],
)
def test_cards_that_are_none_are_422(table, cards):
    """No act is smuggled in as a card."""
    answer = post(table, {"kind": "relay", "cards": cards}, "1-1", "commands")
    assert answer.status_code == 422


def test_the_hands_are_told_as_players_know_them():
    """faults.md A 24; no face before the reveal leaves surveillance."""
    felt = Felt(deal=Deal.FACE_DOWN)
    felt.draw(BANKER_WINS)
    for pit in running(TableFloor(felt)):  # type: ignore[arg-type]
        with pit.client() as client:
            [hand] = client.get("/table/1/hands").json()["hands"]
    assert hand["open"]
    assert [card["card"] for card in hand["cards"]] == [None] * 4
    assert [(card["seat"], card["index"]) for card in hand["cards"]] == list(SPOTS)


def test_the_latest_hand_comes_first(table, felt):
    felt.draw("P1:2D")
    with table.client() as client:
        hands = client.get("/table/1/hands").json()["hands"]
    assert [(hand["number"], hand["open"], hand["call"]) for hand in hands] == [
        (3, True, ""),
        (2, False, "player"),
        (1, False, "banker"),
    ]


@pytest.mark.parametrize(
    ("utc", "day"),
    [
        (datetime(2026, 11, 29, 21, 59, tzinfo=UTC), "2026-11-29"),  # 05:59 in Macau
        (datetime(2026, 11, 29, 22, 0, tzinfo=UTC), "2026-11-30"),  # 06:00 there
        (datetime(2026, 11, 30, 21, 59, tzinfo=UTC), "2026-11-30"),
    ],
)
def test_a_gaming_day_goes_by_the_houses_clock(utc, day):
    """Promised: gaming day with the house's zone."""
    assert Calendar(ZoneInfo("Asia/Macau"), time(6)).day(utc) == day


@pytest.mark.parametrize(
    ("utc", "day"),
    [
        (datetime(2026, 3, 29, 3, 59, tzinfo=UTC), "2026-03-28"),  # 05:59 in Paris, an hour after summer time began
        (datetime(2026, 3, 29, 4, 0, tzinfo=UTC), "2026-03-29"),
        (datetime(2026, 10, 25, 4, 59, tzinfo=UTC), "2026-10-24"),  # 05:59, three hours after it ended
        (datetime(2026, 10, 25, 5, 0, tzinfo=UTC), "2026-10-25"),
    ],
)
def test_a_gaming_day_begins_by_the_wall_when_the_clocks_change(utc, day):
    assert Calendar(ZoneInfo("Europe/Paris"), time(6)).day(utc) == day
