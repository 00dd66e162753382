"""Programs that nobody knows: how often they may come, and refusals in the language that they ask for."""

from __future__ import annotations

import httpx
import pytest

from controller import catalogue
from controller.api.door import Outside
from controller.api.patience import UNKNOWN_PER_MINUTE
from controller.api.problems import MEDIA_TYPE, STATUS
from tests.accounts.house import NUMBERS, OURS, Role
from tests.api.serving import TOKEN, running
from tests.api.test_roles import served

TABLES = "/api/v1/tables"
FEED = "/api/v1/feeds/tv/events"
ELSEWHERE = {"X-Forwarded-For": "192.0.2.7"}  # a proxy on this machine speaks for others


def many(client: httpx.Client, path: str, **headers: str) -> list[httpx.Response]:
    return [client.get(path, headers=headers) for _ in range(UNKNOWN_PER_MINUTE + 1)]


def test_who_is_not_known_is_told_to_wait_after_so_many_requests():
    """trust.md 4.4: a stranger cannot try tokens, or open and close streams, as fast as the network allows."""
    with running("middle", token=TOKEN, outside=(Outside("tv", "of-the-television"),)) as api, api.client() as client:
        *before, last = many(client, FEED, **ELSEWHERE, Authorization="Bearer wrong-wrong-wrong-wrong")
        assert {answer.status_code for answer in before} == {401}
        assert (last.status_code, last.headers["content-type"]) == (429, MEDIA_TYPE)
        assert last.json()["type"] == "urn:tirage:too-many"
        assert 1 <= int(last.headers["retry-after"]) <= 60
        known = {"Authorization": f"Bearer {TOKEN}"}
        assert client.get(TABLES, headers=ELSEWHERE | known).status_code == 200, "a token that fits is known"
        assert client.get(TABLES).status_code == 200, "so is this machine where nobody signs in"
        assert client.get("/board/1", headers=ELSEWHERE).status_code == 200, "a board on the wall is no program"


def test_with_accounts_a_session_is_known_and_a_stranger_is_not_though_on_this_machine(tmp_path):
    house, _ = served(tmp_path)
    try:
        with house.client(**OURS) as stranger, house.signed_in(NUMBERS[Role.SUPERVISOR]) as supervisor:
            *before, last = many(stranger, TABLES)
            assert {answer.status_code for answer in before} == {401}
            assert last.status_code == 429
            assert supervisor.client.get(TABLES).status_code == 200
    finally:
        house.stop()


def test_a_host_that_is_not_ours_is_a_problem_for_programs_and_a_page_for_people():
    """RFC 9457 under /api; trust.md 4.4: no DNS rebinding."""
    with running("middle") as api, api.client(Host="evil.example") as client:
        problem, page = client.get(TABLES), client.get("/")
    assert (problem.status_code, problem.headers["content-type"]) == (421, MEDIA_TYPE)
    assert problem.json()["type"] == "urn:tirage:refused.host"
    assert page.status_code == 421
    assert page.headers["content-type"].startswith("text/html")
    assert problem.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("asked", "language"), [("", "en"), ("fr", "en"), ("zh-CN", "zh-Hans"), ("zh-TW,en;q=0.5", "zh-Hant")]
)
def test_a_refusal_is_told_in_the_language_asked_for_and_in_english_without(asked, language):
    """design.md section 1: every sentence has an id in one catalogue."""
    words = catalogue.load(language)
    with running("middle") as api, api.client(**({"Accept-Language": asked} if asked else {})) as client:
        archive, tables = client.get(f"{TABLES}/1/hands"), client.get("/api/v1/events?tables=9")
    assert archive.json()["detail"] == words.texts["api.no-archive"]
    assert tables.json()["detail"] == words.texts["api.tables"]


@pytest.mark.parametrize("language", ["en", "zh-Hans", "zh-Hant"])
def test_every_refusal_of_the_interface_is_in_the_catalogue(language):
    assert {name.removeprefix("api.") for name in catalogue.read(language) if name.startswith("api.")} == set(STATUS)
