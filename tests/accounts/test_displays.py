"""Displays without a person: a read-only token each (trust.md 4.4)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from tests.accounts.house import OURS, House, Person

TOKEN = "d" * 43


@contextmanager
def display(house: House) -> Iterator[httpx.Client]:
    house.people.store.add_display("board 1", hashlib.sha256(TOKEN.encode()).hexdigest(), 1)
    with house.client(**OURS) as client:
        assert client.post("/display", json={"token": TOKEN}).status_code == 200
        yield client


def test_a_display_shows_board_and_table_for_days(house):
    with display(house) as client:
        house.time.s += 30 * 86_400
        for path in ("/board/1", "/table/1"):
            assert client.get(path).status_code == 200
    assert house.told("display-admitted")[0]["who"] == "display:board 1"


@pytest.mark.parametrize("path", ["/", "/surveillance/1", "/events/surveillance/1", "/approvals/list", "/me"])
def test_a_display_shows_nothing_else(house, path):
    with display(house) as client:
        assert client.get(path).status_code == 401


def test_a_display_gives_no_command(house):
    with display(house) as client:
        assert Person("", client).give({"kind": "turned"}).status_code == 401
    assert house.floor.given == []
    assert house.told("refused")[0]["who"] == "display:board 1"


def test_a_token_that_was_taken_back_ends_the_stream_too(house):
    with display(house) as client, client.stream("GET", "/events/board/1") as stream:
        lines = stream.iter_lines()
        next(lines)
        house.people.store.remove_display("board 1")
        assert ": the session is over" in list(lines)
        assert client.get("/board/1").status_code == 401


def test_a_wrong_token_is_refused_and_guessing_is_limited(house):
    with house.client(**OURS) as client:
        answers = [client.post("/display", json={"token": "x" * 43}).status_code for _ in range(11)]
    assert answers == [403] * 10 + [429]


def test_the_tokens_cookie_is_kept_from_scripts_and_other_sites(house):
    house.people.store.add_display("board 1", hashlib.sha256(TOKEN.encode()).hexdigest(), 1)
    with house.client(**OURS) as client:
        cookie = client.post("/display", json={"token": TOKEN}).headers["set-cookie"].lower()
    assert cookie.startswith("tirage-display-plain-http=")
    assert all(part in cookie for part in ("httponly", "samesite=strict", "path=/"))


def test_the_file_holds_no_token(house):
    with display(house):
        pass
    files = [path.read_bytes() for path in house.folder.iterdir()]
    assert not any(TOKEN.encode() in content for content in files)
