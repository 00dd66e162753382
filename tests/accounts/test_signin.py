"""Signing in and out over the real door (trust.md 4.4)."""

from __future__ import annotations

import re
import statistics
import time

import httpx
import pytest
from argon2 import PasswordHasher

from controller.accounts.passwords import Keeper
from controller.accounts.policy import GAMING
from controller.accounts.roles import Role, fitting
from tests.accounts.house import CHEAP, NUMBERS, OURS, PASSWORD, House, running

DEALER, SUPERVISOR = NUMBERS[Role.DEALER], NUMBERS[Role.SUPERVISOR]


def sign_in(house: House, number: str = SUPERVISOR, password: str = PASSWORD, **headers: str) -> httpx.Response:
    with house.client(**OURS, **headers) as client:
        return client.post("/signin", json={"number": number, "password": password})


def test_a_person_signs_in_sees_the_pit_and_signs_out(house):
    """ASVS 7.2.4, 7.4.1: a session begins at sign-in and is over at sign-out."""
    with house.signed_in(SUPERVISOR) as person:
        assert person.client.get("/").status_code == 200
        cookie = dict(person.client.cookies)
        assert person.client.post("/signout", json={}).status_code == 200
        person.client.cookies.update(cookie)
        assert person.client.get("/").status_code == 401
    assert [line["what"] for line in house.log()] == ["sign-in", "sign-out"]


def test_nobody_gets_a_page_and_a_browser_is_led_to_the_sign_in_page(house):
    """Loopback alone opens nothing once accounts are on."""
    with house.client() as client:
        assert client.get("/board/1").status_code == 401
        led = client.get("/table/1", headers={"Accept": "text/html"})
        assert (led.status_code, led.headers["location"]) == (303, "/signin?next=/table/1")


@pytest.mark.parametrize(("asked", "after"), [("/table/1", "/table/1"), ("//evil.example", "/me"), ("/a\\b", "/me")])
def test_the_sign_in_page_leads_to_pages_of_ours_only(house, asked, after):
    """ASVS 3.7.2: no open redirect."""
    with house.client() as client:
        html = client.get("/signin", params={"next": asked}).text
    assert re.search(r'data-after="([^"]*)"', html)[1] == after


def test_every_sign_in_has_a_token_of_its_own_with_128_bits_or_more(house):
    """ASVS 7.2.3, 7.2.4."""
    tokens = {sign_in(house).cookies["tirage-session-plain-http"] for _ in range(5)}
    assert len(tokens) == 5
    assert all(len(token) * 6 >= 128 for token in tokens)


def test_signing_in_again_in_the_same_browser_ends_the_first_session(house):
    with house.signed_in(SUPERVISOR) as person:
        old = dict(person.client.cookies)
        person.client.post("/signin", json={"number": DEALER, "password": PASSWORD})
        with house.client(cookie="; ".join(f"{name}={value}" for name, value in old.items())) as client:
            assert client.get("/").status_code == 401


@pytest.mark.parametrize(
    "who", [(SUPERVISOR, "not this one, though"), ("424242", PASSWORD), ("424242", "not this one, though")]
)
def test_a_wrong_password_and_an_unknown_number_get_the_same_answer(house, who):
    """ASVS 6.3.8: nobody learns which numbers exist."""
    answer = sign_in(house, *who)
    assert answer.status_code == 401
    assert answer.json() == {"accepted": False, "sentence": "Number or password is not right."}
    assert "set-cookie" not in answer.headers
    assert house.told("sign-in-failed")[-1]["who"] == f"staff:{who[0]}"


def test_an_unknown_number_takes_as_long_as_a_wrong_password():
    """ASVS 6.3.8: the same work is done for a number that nobody has."""
    keeper = Keeper(PasswordHasher(time_cost=4, memory_cost=8_192, parallelism=1))
    kept = keeper.hash(PASSWORD)
    keeper.fits(None, "the first one makes the stand-in")

    def took(hashed: str | None) -> float:
        start = time.process_time()
        keeper.fits(hashed, "not this one, though")
        return time.process_time() - start

    known, unknown = (statistics.median(took(hashed) for _ in range(7)) for hashed in (kept, None))
    assert 0.5 < unknown / known < 2


def test_a_closed_account_gets_the_same_answer_too(house):
    house.people.store.set_disabled(SUPERVISOR, 1)
    assert sign_in(house).json()["sentence"] == "Number or password is not right."


def test_the_fifth_failure_makes_the_address_wait_and_the_wait_doubles(house):
    """trust.md 4.4: 5 failures, then a delay doubling to 15 minutes."""
    for _ in range(5):
        assert sign_in(house, password="wrong").status_code == 401
        house.time.s += 7
    house.time.s -= 7
    assert sign_in(house).status_code == 429
    house.time.s += 5.1
    assert sign_in(house, password="wrong").status_code == 401
    house.time.s += 6
    assert sign_in(house).status_code == 429
    house.time.s += 4.1
    assert sign_in(house).status_code == 200
    house.time.s += 60
    assert sign_in(house, password="wrong").status_code == 401
    assert sign_in(house).status_code == 200


def test_an_unknown_number_is_made_to_wait_alike(house):
    for _ in range(5):
        sign_in(house, "424242")
    assert sign_in(house, "424242").status_code == 429


def test_failures_of_a_patron_at_another_address_keep_nobody_out(tmp_path):
    """trust.md 4.4: no hard lock that a patron could cause."""
    with running(tmp_path, https=True) as house:
        patron = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.66"}
        person = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
        for _ in range(6):
            sign_in(house, password="wrong", **patron)
        assert sign_in(house, **patron).status_code == 429
        assert sign_in(house, **person).status_code == 200


def test_the_gaming_policy_locks_the_account_for_half_an_hour_wherever_the_tries_came_from(tmp_path):
    """trust.md 4.4: gaming locks at 3 to 6 tries for 30 minutes."""
    with running(tmp_path, policy=GAMING, https=True) as house:

        def from_address(last: int, password: str) -> int:
            tls = {"X-Forwarded-Proto": "https", "X-Forwarded-For": f"192.0.2.{last}"}
            return sign_in(house, password=password, **tls).status_code

        for last in range(5):
            assert from_address(last, "wrong") == 401
        house.time.s += 1_799
        assert from_address(9, PASSWORD) == 429
        house.time.s += 2
        assert from_address(9, PASSWORD) == 200


def test_the_gaming_policy_asks_for_a_new_password_after_a_quarter(tmp_path):
    """25 CFR 543.16 against ASVS 6.2.10: only where the house has chosen it."""
    with running(tmp_path, policy=GAMING) as house:
        assert sign_in(house).json()["must_change"] is False
        house.time.s += 91 * 86_400
        assert sign_in(house).json()["must_change"] is True


def test_failures_outlive_a_restart(tmp_path):
    with running(tmp_path) as house:
        for _ in range(5):
            sign_in(house, password="wrong")
        kept = house.people.store.failures(SUPERVISOR, "127.0.0.1")
    assert kept[0] == 5


def test_an_address_gets_ten_sign_ins_a_minute(house):
    """trust.md 4.4."""
    answers = [sign_in(house, str(2_000 + place)).status_code for place in range(11)]
    assert answers == [401] * 10 + [429]
    house.time.s += 60
    assert sign_in(house).status_code == 200


def test_idle_for_a_quarter_of_an_hour_ends_the_session(house):
    """ASVS 7.3.1: idle time; what the page asks by itself does not count as a person."""
    with house.signed_in(SUPERVISOR) as person:
        house.time.s += 600
        assert person.client.get("/me/session").json()["idle_left_s"] == 300
        house.time.s += 299
        assert person.client.get("/").status_code == 200
        house.time.s += 899
        assert person.client.get("/me/session").status_code == 200
        house.time.s += 1
        assert person.client.get("/").status_code == 401
    assert house.told("session-ended")[0]["why"] == "idle"


def test_twelve_hours_end_the_session_of_a_busy_person(house):
    """ASVS 7.3.2."""
    with house.signed_in(SUPERVISOR) as person:
        for _ in range(12 * 6 - 1):
            house.time.s += 600
            assert person.client.get("/").status_code == 200
        house.time.s += 600
        assert person.client.get("/").status_code == 401
    assert house.told("session-ended")[0]["why"] == "absolute"


@pytest.mark.parametrize(
    "change",
    [
        lambda store: store.set_disabled(SUPERVISOR, 1),
        lambda store: store.set_roles(SUPERVISOR, fitting(["dealer", "supervisor"])),
        lambda store: store.set_password(SUPERVISOR, CHEAP.hash("another one for that"), 0, must_change=1),
    ],
    ids=["disabled", "roles", "password"],
)
def test_a_change_of_the_account_ends_its_sessions_and_its_open_streams(house, change):
    """ASVS 7.4.2: also where the page only listens."""
    with house.signed_in(SUPERVISOR) as person:
        with person.client.stream("GET", "/events/pit") as stream:
            lines = stream.iter_lines()
            assert next(lines).startswith("retry")
            change(house.people.store)
            assert list(lines)[-2] == ": the session is over"
        assert person.client.get("/").status_code == 401
    assert house.told("session-ended")[0]["why"] == "account-changed"


def test_an_idle_persons_stream_ends(house):
    """A page left open must not show for ever what its reader may no longer see."""
    with house.signed_in(SUPERVISOR) as person, person.client.stream("GET", "/events/pit") as stream:
        lines = stream.iter_lines()
        next(lines)
        house.time.s += 901
        assert ": the session is over" in list(lines)


def test_the_first_password_must_be_changed_before_anything_else(house):
    """ASVS 6.4.1: no lasting initial secret."""
    house.people.store.set_password(SUPERVISOR, CHEAP.hash(PASSWORD), 0, must_change=1)
    with house.signed_in(SUPERVISOR) as person:
        assert person.client.get("/").status_code == 403
        assert person.client.get("/", headers={"Accept": "text/html"}).headers["location"] == "/me"
        assert person.give().status_code == 403
        assert person.client.get("/me").status_code == 200
        new = {"old": PASSWORD, "new": "seven lanterns by the quay"}
        answer = person.client.post("/me/password", json=new)
        assert answer.status_code == 200
        person.client.headers["X-Tirage-Csrf"] = answer.json()["csrf"]
        assert person.client.get("/").status_code == 200
        assert house.floor.given == []
    assert sign_in(house).status_code == 401
    assert sign_in(house, password="seven lanterns by the quay").status_code == 200


@pytest.mark.parametrize("new", ["short", "passwordpassword", PASSWORD, f"the number {SUPERVISOR} it is", "x" * 129])
def test_a_new_password_that_is_weak_is_not_taken(house, new):
    """ASVS 6.2.1, 6.2.4, 6.2.11."""
    with house.signed_in(SUPERVISOR) as person:
        answer = person.client.post("/me/password", json={"old": PASSWORD, "new": new})
        assert answer.status_code == 422
        assert answer.json()["sentence"].endswith(".")
        assert person.client.get("/").status_code == 200


def test_the_old_password_is_asked_for_and_guessing_it_has_an_end(house):
    """ASVS 6.2.3: an unattended page gives no account away."""
    with house.signed_in(SUPERVISOR) as person:
        body = {"old": "not this one, though", "new": "seven lanterns by the quay"}
        answers = [person.client.post("/me/password", json=body).status_code for _ in range(6)]
    assert answers == [401] * 5 + [429]


def test_without_its_log_nobody_signs_in(house):
    """ASVS 16.5.3: fail closed."""
    house.fill_disk()
    answer = sign_in(house)
    house.empty_disk()
    assert answer.status_code == 503
    assert "set-cookie" not in answer.headers
    assert sign_in(house).status_code == 200


@pytest.mark.parametrize("number", ["Alice", "1042\n", "", "12345678901", "1 OR 1=1", "\uff11\uff10\uff14\uff12"])
def test_a_number_that_is_none_is_422_and_reaches_no_log(house, number):
    assert sign_in(house, number).status_code == 422
    assert house.log() == []
