"""The stream of many tables: snapshots first, then facts, each once, to whom they are meant for."""

from __future__ import annotations

import threading
import time

import pytest

from controller.api import feed as feeds
from controller.api import reader
from controller.core.facts import Audience, FactName, HandLine, Irregularity
from tests.api.serving import DEADLINE_S, TOKEN, Api, fact, running
from tests.pit.sample import SECRETS

PIT, SECRET = Audience.PIT, Audience.SURVEILLANCE


def numbers(found: list[dict]) -> list[int]:
    return [one["hand"] for one in found]


def test_a_stream_begins_with_a_snapshot_of_each_table_and_then_tells_facts(api: Api):
    """trust.md T5, faults.md B 48: a snapshot first, then only newer things."""
    api.take("1", fact(1))
    with api.events("?tables=2,1") as events:
        first, second = events.told("snapshot"), events.told("snapshot")
        api.take("1", fact(2))
        api.take("3", fact(3))
        api.take("2", fact(4))
        told = events.facts(2)
    assert [(one["table"], one["place"], one["of"]) for one in (first, second)] == [("2", 1, 2), ("1", 2, 2)]
    assert second["state"]["prompt"]["text"] == "PLAYER draws"
    assert first["id"] is None, "only with the last snapshot a client has everything"
    assert second["id"]
    assert [(one["table"], one["hand"]) for one in told] == [("1", 2), ("2", 4)]
    assert (told[0]["fact"], told[0]["shoe"]) == ("StoodBy", "3")


@pytest.mark.parametrize("cut", range(6))
def test_a_stream_goes_on_after_the_last_event_that_the_client_has(api: Api, cut: int):
    """faults.md A 51, B 47, 48: wherever the line breaks, each fact comes once, in order."""
    with api.events("?tables=1,2") as events:
        events.told("snapshot"), events.told("snapshot")
        for number in range(1, 4):
            api.take("1", fact(number))
        before = events.facts(min(cut, 3))
    for number in range(4, 7):
        api.take("2", fact(number))
    with api.events("?tables=1,2", **{"Last-Event-ID": events.last_id}) as events:
        after = events.facts(6 - len(before))
        api.take("1", fact(7))
        after += events.facts(1)
    assert numbers(before + after) == list(range(1, 8))


@pytest.mark.parametrize("ident", ["", "0.public.1", "x", "{boot}.public.99", "{boot}.pit.1", "{boot}.public.-1"])
def test_an_id_that_is_not_of_this_stream_gets_a_snapshot(api: Api, ident: str):
    api.take("1", fact(1))
    boot = api.feed.channels[Audience.PUBLIC].boot
    with api.events("?tables=1", **{"Last-Event-ID": ident.format(boot=boot)}) as events:
        assert events.told("snapshot")["table"] == "1"


def test_a_client_that_was_away_too_long_gets_a_snapshot_and_no_hole(api: Api, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(feeds, "RING_FACTS", 5)
    with api.events("?tables=1") as events:
        events.told("snapshot")
        api.take("1", fact(1))
        events.facts(1)
    for number in range(2, 9):
        api.take("1", fact(number))
    with api.events("?tables=1", **{"Last-Event-ID": events.last_id}) as events:
        assert events.told("snapshot")["event"] == "snapshot"
        api.take("1", fact(9))
        assert numbers(events.facts(1)) == [9]


@pytest.mark.parametrize(("audience", "seen"), [("public", [1, 4]), ("pit", [1, 2, 4]), ("surveillance", [1, 2, 3, 4])])
def test_each_audience_is_told_its_own_facts_and_no_other(api: Api, audience: str, seen: list[int]):
    """design.md section 1: every fact has an audience."""
    with api.events(f"?tables=1&audience={audience}") as events:
        events.told("snapshot")
        api.take("1", fact(1), fact(2, PIT), fact(3, SECRET, card="AS"), fact(4))
        told = events.facts(len(seen))
    assert numbers(told) == seen


def test_public_ids_do_not_tell_that_surveillance_has_learnt_something(api: Api):
    """trust.md 4.2: timing and size depend on public things only, and so do numbers."""
    with api.events("?tables=1") as events:
        events.told("snapshot")
        api.take("1", fact(1))
        api.take("1", *(fact(number, SECRET) for number in range(2, 9)))
        api.take("1", fact(9))
        first, second = events.facts(2)
    assert [int(one["id"].rpartition(".")[2]) for one in (first, second)] == [1, 2]


def test_a_public_fact_names_no_person_and_no_alarm(api: Api):
    """trust.md 4.3: composition is for surveillance; staff numbers are for the pit."""
    alarm, known = Irregularity("impossible-card", None, None), Irregularity("overdraw", None, None)
    line = HandLine((), None, None, (alarm, known))
    ended = fact(1, name=FactName.HAND_VOIDED, by="staff:1042", line=line)
    told = {}
    for audience in ("public", "pit", "surveillance"):
        with api.events(f"?tables=1&audience={audience}") as events:
            events.told("snapshot")
            api.take("1", ended)
            told[audience] = events.told()
    kinds = {name: [found["kind"] for found in one["irregularities"]] for name, one in told.items()}
    assert kinds == {
        "public": ["overdraw"],
        "pit": ["overdraw"],
        "surveillance": ["impossible-card", "overdraw"],
    }
    assert [one.get("by") for one in told.values()] == [None, "staff:1042", "staff:1042"]


def test_a_hidden_face_is_in_the_snapshot_of_surveillance_alone(api: Api):
    """trust.md 4.2."""
    found = {}
    for audience in ("public", "pit", "surveillance"):
        with api.events(f"?tables=2&audience={audience}") as events:
            found[audience] = str(events.told("snapshot")["state"])
    assert [secret in found["surveillance"] for secret in SECRETS] == [True] * 3
    assert not any(secret in found[name] for secret in SECRETS for name in ("public", "pit"))


def test_a_quiet_stream_beats_with_the_id_to_go_on_from(api: Api):
    """trust.md T5."""
    with api.events("?tables=1") as events:
        snapshot = events.told("snapshot")
        began = time.monotonic()
        beat = events.told("beat")
    assert time.monotonic() - began < DEADLINE_S / 2
    assert beat["id"] == snapshot["id"]


@pytest.mark.parametrize("audience", ["public", "pit"])
def test_beats_come_as_ever_while_surveillance_learns_one_thing_after_another(api: Api, audience: str):
    """trust.md 4.2: nothing that only faces decide shows in the timing of what others get."""
    with api.events(f"?tables=1&audience={audience}") as events:
        events.told("snapshot")
        stop = threading.Event()

        def learn() -> None:
            while not stop.wait(0.05):
                api.take("1", fact(1, SECRET))

        learning = threading.Thread(target=learn)
        learning.start()
        began = time.monotonic()
        events.told("beat"), events.told("beat")
        took = time.monotonic() - began
        stop.set()
        learning.join()
    assert took > 1.5 * reader.BEAT_S
    assert took < 2 * reader.BEAT_S + 1.0


def test_another_machine_needs_the_token_for_what_surveillance_sees():
    """trust.md 4.3; the same guard as the page."""
    with running("middle", token=TOKEN) as api, api.client(Host="pit.example") as client:
        refused = client.get("/api/v1/events?audience=surveillance")
        with client.stream("GET", "/api/v1/events", headers={"Authorization": f"Bearer {TOKEN}"}) as response:
            assert response.status_code == 200
    assert refused.status_code == 403
    assert refused.headers["content-type"] == "application/problem+json"


def test_the_end_of_the_server_ends_the_streams_within_a_second(api: Api):
    with api.events() as events:
        events.told("snapshot")
        began = time.monotonic()
        api.run(api.web.stop())
        assert time.monotonic() - began < 1.0


def test_a_stream_of_a_table_that_is_not_here_is_refused(api: Api):
    with api.client() as client:
        answer = client.get("/api/v1/events?tables=1,9")
    assert (answer.status_code, answer.json()["type"]) == (404, "urn:tirage:tables")
