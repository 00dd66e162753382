"""The interface of the real daemon, with a shoe on a real terminal: commands once, none late, facts as dealt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from controller.core.signals import Call, PoweredUp, StoodBy
from tests.api.serving import COMMAND, DEADLINE_S, Events
from tests.daemon.daemon import HOST, Daemon, Dealt, facts, table
from tests.daemon.test_commands import NO_BURN, cards, result

FEED = '[[feeds]]\nname = "tv"\ntoken = "of-the-television"\ntables = ["b1"]\n'


@pytest.fixture
def dealt(tmp_path: Path) -> Iterator[tuple[Daemon, Dealt, httpx.Client]]:
    with table(tmp_path, mode="open", deal="face_up", more=NO_BURN + FEED) as (daemon, shoe, stream):
        stream.close()
        with httpx.Client(base_url=f"http://{HOST}:{daemon.pit}", timeout=DEADLINE_S, trust_env=False) as client:
            yield daemon, shoe, client


def give(client: httpx.Client, key: str, act: dict, hand: str, staff: str = "1042") -> httpx.Response:
    body = {"act": act, "hand": hand, "staff": staff}
    return client.post("/api/v1/tables/b1/commands", json=body, headers=COMMAND | {"Idempotency-Key": key})


def until(events: Events, *names: str) -> list[dict]:
    """The facts up to the one named."""
    found = []
    while not found or found[-1]["fact"] not in names:
        found.append(events.told())
    return found


def test_a_hand_from_the_terminal_to_the_stream_and_the_record(dealt):
    """design.md sections 1 and 6: the words of `replay --json`, as they happen; and what the journal has afterwards."""
    daemon, shoe, client = dealt
    with client.stream("GET", "/api/v1/events") as response:
        events = Events(response)
        assert events.told("snapshot")["state"]["table"] == "b1"
        shoe.say(PoweredUp(), *cards("9S 4H KD 2C"), result(Call.PLAYER), StoodBy())
        told = until(events, "HandCompleted")
    drawn = [(one["seat"], one["index"], one["card"]) for one in told if one["fact"] == "CardDrawn"]
    assert drawn == [("player", 1, "9S"), ("banker", 1, "4H"), ("player", 2, "KD"), ("banker", 2, "2C")]
    assert (told[-1]["result"], told[-1]["recorded"], told[-1]["player"]) == ("player", "player", ["9S", "KD"])
    assert all(one["id"] for one in told)
    state = client.get("/api/v1/tables/b1").json()
    assert (state["shoe"]["counts"]["player"], state["shoe"]["results"][0]["natural"]) == (1, True)
    record = client.get("/api/v1/tables/b1/hands/1").json()
    assert [[spot["card"] for spot in seat["spots"]] for seat in record["seats"]] == [["9S", "KD"], ["4H", "2C"]]
    assert (record["result"], record["void"], record["open"], len(record["verdicts"])) == ("player", False, False, 1)
    with client.stream("GET", "/api/v1/feeds/tv/events", headers={"Authorization": "Bearer of-the-television"}) as tv:
        assert Events(tv).told("snapshot")["state"]["shoe"]["results"][0]["result"] == "player"
    daemon.end()


def test_a_late_command_for_a_hand_that_has_moved_on_is_refused(dealt, tmp_path: Path):
    """Requirement: it names the hand that the person saw; the next one is not touched."""
    daemon, shoe, client = dealt
    with client.stream("GET", "/api/v1/events") as response:
        events = Events(response)
        events.told("snapshot")
        shoe.say(PoweredUp(), *cards("9S 4H KD 2C"), result(Call.PLAYER), StoodBy(), *cards("2S 3H"))
        until(events, "HandCompleted")
        until(events, "CardDrawn")
        until(events, "CardDrawn")
        late = give(client, "late-void-1", {"kind": "turned"}, "1-1")
        again = give(client, "late-void-1", {"kind": "turned"}, "1-1")
        in_time = give(client, "void-of-the-second", {"kind": "void"}, "1-2")
        assert until(events, "HandVoided")[-1]["hand"] == 2
    assert (late.status_code, late.headers["content-type"]) == (409, "application/problem+json")
    assert late.json()["type"] == "urn:tirage:rejected.moved-on"
    assert "moved on" in late.json()["detail"]
    assert again.json() == late.json()
    assert in_time.json() == {"accepted": True, "sentence": "", "approval": None}
    daemon.end()
    assert len(facts(tmp_path, "CommandRejected")) == len(facts(tmp_path, "CommandAccepted")) == 1
    assert [one["hand"] for one in facts(tmp_path, "HandVoided")] == [2]


def test_a_command_is_taken_once_however_often_it_is_sent(dealt, tmp_path: Path):
    """Requirement: idempotency keys."""
    daemon, shoe, client = dealt
    with client.stream("GET", "/api/v1/events") as response:
        events = Events(response)
        events.told("snapshot")
        shoe.say(PoweredUp(), *cards("2S 3H"))
        until(events, "CardDrawn"), until(events, "CardDrawn")
    answers = [give(client, "one-void-only", {"kind": "void"}, "1-1") for _ in range(3)]
    other = give(client, "one-void-only", {"kind": "void"}, "1-2")
    namesake = give(client, "one-void-only", {"kind": "void"}, "1-1", staff="2001")
    assert [answer.status_code for answer in answers] == [200] * 3
    assert (other.status_code, other.json()["type"]) == (422, "urn:tirage:key-used")
    assert namesake.status_code == 409, "a key is one's own: a colleague with the same one is judged afresh"
    daemon.end()
    assert len(facts(tmp_path, "HandVoided")) == 1
    assert facts(tmp_path, "HandVoided")[0]["by"] == "staff:1042"
