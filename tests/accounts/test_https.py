"""Cookies and transport: TLS by a proxy, or this machine alone (ASVS 3.3, 3.4.1, 4.4)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from controller.accounts.roles import Role
from tests.accounts.house import NUMBERS, OURS, PASSWORD, House, running

SUPERVISOR = NUMBERS[Role.SUPERVISOR]
TLS = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7", "Host": "pit.example"}
BODY = {"number": SUPERVISOR, "password": PASSWORD}


@pytest.fixture
def secure(tmp_path) -> Iterator[House]:
    with running(tmp_path, https=True) as made:
        yield made


def test_with_tls_the_cookies_name_promises_what_browsers_then_hold_to(secure):
    """ASVS 3.3.1 to 3.3.4."""
    with secure.client(**OURS, **TLS) as client:
        answer = client.post("/signin", json=BODY)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-tirage-session=")
    parts = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert {"secure", "httponly", "samesite=strict", "path=/"} <= parts
    assert not any(part.startswith("domain") for part in parts)


def test_with_tls_every_answer_asks_for_tls_from_now_on(secure):
    """ASVS 3.4.1."""
    with secure.client(**TLS) as client:
        assert "max-age=31536000" in client.get("/signin").headers["strict-transport-security"]


def test_on_plain_http_the_name_is_another_and_no_promise_is_made(house):
    """Browsers take no __Host- cookie without TLS."""
    with house.client(**OURS) as client:
        answer = client.post("/signin", json=BODY)
    assert answer.headers["set-cookie"].startswith("tirage-session-plain-http=")
    assert "strict-transport-security" not in answer.headers


@pytest.mark.parametrize("path", ["/signin", "/board/1", "/me"])
def test_what_did_not_come_by_tls_is_refused_where_the_house_has_it(secure, path):
    with secure.client() as client:
        assert client.get(path).status_code == 403


@pytest.mark.parametrize("headers", [TLS, {"X-Forwarded-For": "192.0.2.7"}, {"Host": "pit.example"}], ids=str)
def test_without_tls_only_this_machine_itself_may_sign_in(house, headers):
    """A proxy without TLS would carry passwords in clear."""
    with house.client(**OURS, **headers) as client:
        assert client.post("/signin", json=BODY).status_code == 403


def test_the_log_has_the_address_that_the_proxy_saw(secure):
    """Only the last one: the ones before it are what the client wrote."""
    told = TLS | {"X-Forwarded-For": "203.0.113.9, 192.0.2.7"}
    with secure.client(**OURS, **told) as client:
        client.post("/signin", json=BODY)
    assert secure.told("sign-in")[0]["where"] == "192.0.2.7"


@pytest.mark.parametrize("path", ["/signin", "/me", "/approvals", "/board/1", "/nowhere", "/static/signin.js"])
def test_the_strict_policy_is_on_every_answer(house, path):
    """ASVS 3.4.3, 3.4.6; no page needs more than its own scripts and styles."""
    with house.signed_in(SUPERVISOR) as person:
        policy = person.client.get(path).headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("path", ["/signin", "/me", "/approvals", "/table/1", "/"])
def test_no_page_of_a_person_is_kept_by_a_cache(house, path):
    """ASVS 14.3.2."""
    with house.signed_in(SUPERVISOR) as person:
        assert person.client.get(path).headers["cache-control"] == "no-store"
