"""Feeds to programs outside the house: their own token, public facts, and nothing before its time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import pairwise

import pytest

from controller.api.door import Outside
from controller.core.facts import Audience, FactName
from tests.api.serving import Api, fact, running

DELAY_S = 0.6
SLOW = {"Authorization": "Bearer of-the-slow-one"}
WITH = {"Authorization": "Bearer of-the-television"}


@pytest.fixture
def api() -> Iterator[Api]:
    tv = Outside("tv", "of-the-television", ("1",), DELAY_S)
    now = Outside("now", "of-the-other-one", ("1",))
    with running("between", "middle", outside=(tv, now)) as made:
        made.take("1")  # as a station does when it opens
        yield made


def test_nothing_is_told_before_its_delay_is_over(api: Api):
    with api.events(path="/api/v1/feeds/tv/events", **WITH) as events:
        events.told("snapshot")
        told = []
        for number in range(1, 4):
            api.take("1", fact(number))
            happened = time.monotonic()
            told.append((events.told()["hand"], time.monotonic() - happened))
    assert [number for number, _ in told] == [1, 2, 3]
    assert min(late for _, late in told) >= DELAY_S - 0.01  # less the way from the loop's clock to this one
    assert max(late for _, late in told) < DELAY_S + 1.0


def test_a_snapshot_is_as_old_as_the_facts_that_follow_it(api: Api):
    """A board that was newer would tell the result before its time."""
    with api.events(path="/api/v1/feeds/tv/events", **WITH) as events:
        events.told("snapshot")  # the first board is ripe
    began = time.monotonic()
    api.take("1", fact(1, name=FactName.HAND_COMPLETED), state="empty")
    with api.events(path="/api/v1/feeds/tv/events", **WITH) as events:
        first = events.told("snapshot")
        assert time.monotonic() - began < DELAY_S, "this machine is too slow to look in time"
        told = events.told()
    with api.events(path="/api/v1/feeds/tv/events", **WITH) as events:
        then = events.told("snapshot")
    assert len(first["state"]["shoe"]["results"]) == 68
    assert told["fact"] == "HandCompleted"
    assert then["state"]["shoe"]["results"] == []


def test_beats_do_not_tell_of_facts_that_are_not_told_yet(api: Api):
    """Facts come all the time, but none is ripe: the beats come as on a quiet table."""
    slow = Outside("slow", "of-the-slow-one", ("1",), 3_600.0)
    with running("between", outside=(slow,)) as hour, hour.events("", "/api/v1/feeds/slow/events", **SLOW) as events:
        events.told("beat")
        came = []
        for number in range(1, 4):
            hour.take("1", fact(number))
            events.told("beat")
            came.append(time.monotonic())
    assert all(0.5 < late - early < 2.0 for early, late in pairwise(came))


def test_a_feed_has_public_facts_only(api: Api):
    with api.events(path="/api/v1/feeds/tv/events", **WITH) as events:
        events.told("snapshot")
        api.take("1", fact(1, Audience.PIT), fact(2, Audience.SURVEILLANCE), fact(3))
        api.take("2", fact(4))
        api.take("1", fact(5))
        assert [events.told()["hand"] for _ in range(2)] == [3, 5]


def test_a_feed_tells_neither_prompts_nor_what_the_house_could_do(api: Api):
    with api.events(path="/api/v1/feeds/tv/events", **WITH) as events:
        state = events.told("snapshot")["state"]
    assert set(state) == {"table", "name", "hand", "phase", "seats", "shoe"}


def test_a_feed_goes_on_by_id_and_keeps_its_delay(api: Api):
    with api.events(path="/api/v1/feeds/tv/events", **WITH) as events:
        events.told("snapshot")
    api.take("1", fact(1))
    happened = time.monotonic()
    with api.events(path="/api/v1/feeds/tv/events", **WITH, **{"Last-Event-ID": events.last_id}) as events:
        assert events.told()["hand"] == 1
    assert time.monotonic() - happened >= DELAY_S - 0.01


@pytest.mark.parametrize(
    ("name", "token"),
    [("tv", ""), ("tv", "of-the-other-one"), ("now", "of-the-television"), ("nobody", "of-the-television")],
)
def test_each_feed_has_a_token_of_its_own(api: Api, name: str, token: str):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with api.client(**headers) as client:
        answer = client.get(f"/api/v1/feeds/{name}/events")
    assert (answer.status_code, answer.json()["type"]) == (401, "urn:tirage:feed")


def test_a_feed_without_a_delay_tells_at_once(api: Api):
    with api.events(path="/api/v1/feeds/now/events", Authorization="Bearer of-the-other-one") as events:
        events.told("snapshot")
        api.take("1", fact(1))
        happened = time.monotonic()
        events.told()
    assert time.monotonic() - happened < DELAY_S
