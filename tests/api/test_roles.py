"""With accounts: each role by each address of the interface, against a table written from trust.md 4.3."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from controller.accounts.roles import Role
from controller.api.door import Outside
from controller.api.feed import Feed
from tests.accounts.house import NUMBERS, OURS, House
from tests.accounts.test_roles import LETTERS, REFUSED
from tests.api.serving import Events, fact
from tests.pit.sample import incident

TABLE = "/api/v1/tables/{table}"
# Dealer, supervisor, surveillance (V), auditor, technician, account admin (M), a display (K), nobody (N).
ROWS = {
    ("GET", "/api/v1/openapi.json"): "DSVATMKN",
    ("GET", "/api/v1/tables"): "DSVATK",
    ("GET", TABLE): "DSVATK",
    ("GET", f"{TABLE}/roads"): "DSVATK",
    ("GET", f"{TABLE}/shoes/current"): "DSVATK",
    ("GET", f"{TABLE}/pit"): "SV",
    ("GET", f"{TABLE}/surveillance"): "V",
    ("GET", f"{TABLE}/shoes/{{shoe}}"): "SVA",
    ("GET", f"{TABLE}/hands"): "DSVA",
    ("GET", f"{TABLE}/hands/{{hand}}"): "DSVA",
    ("GET", f"{TABLE}/incidents"): "SVA",
    ("GET", "/api/v1/events"): "DSVATK",
    ("GET", "/api/v1/events?audience=pit"): "SV",
    ("GET", "/api/v1/events?audience=surveillance"): "V",
    ("GET", "/api/v1/feeds/{feed}/events"): "",  # a feed's token is not a person's session
    ("POST", f"{TABLE}/commands"): "S",  # for `void`; every other kind as on the pages
}
VOID = {"act": {"kind": "void"}, "hand": "3-69"}


def served(folder: Path) -> tuple[House, Feed]:
    """The house of the accounts' tests with the interface."""
    feed = Feed()
    house = House(folder, more={"feed": feed, "outside": (Outside("tv", "of-the-television"),)})
    house.start()
    return house, feed


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, dict[str, httpx.Client]]]:
    """One of each role, a display and a stranger, each in a browser of one's own."""
    house, _ = served(tmp_path_factory.mktemp("house"))
    with ExitStack() as stack:
        stack.callback(house.stop)
        came = {
            letter: stack.enter_context(house.signed_in(NUMBERS[Role(name)])).client for letter, name in LETTERS.items()
        }
        came["K"], came["N"] = (stack.enter_context(house.client(**OURS)) for _ in "KN")
        token = "k" * 43
        house.people.store.add_display("board 1", hashlib.sha256(token.encode()).hexdigest(), 1)
        assert came["K"].post("/display", json={"token": token}).status_code == 200
        yield house, came


def asked(client: httpx.Client, method: str, path: str, key: str) -> int:
    address = path.format(table="1", shoe="1", hand="1", feed="tv")
    body, headers = (VOID, {"Idempotency-Key": key}) if method == "POST" else (None, {})
    with client.stream(method, address, json=body, headers=headers) as answer:
        return answer.status_code


def test_every_address_of_the_interface_has_a_row(crowd):
    """A new one is closed until somebody has decided who may use it, here and in openings.py."""
    house, _ = crowd
    routes = {(method, route.path) for route in house.app.routes for method in getattr(route, "methods", None) or ()}
    ours = {(method, path) for method, path in routes if path.startswith("/api/") and method != "HEAD"}
    assert ours == {(method, path) for method, path in ROWS if "?" not in path}


@pytest.mark.parametrize("letter", [*LETTERS, "K", "N"])
@pytest.mark.parametrize("row", ROWS, ids=" ".join)
def test_each_role_opens_its_addresses_and_no_other(crowd, row, letter):
    """trust.md 4.3. There is no journal here: what is behind the gate of hands and shoes is 404."""
    house, came = crowd
    house.time.s += 1
    status = asked(came[letter], *row, f"void-of-{letter}")
    assert (status not in REFUSED) == (letter in ROWS[row]), status


def test_what_surveillance_opens_by_the_interface_is_in_the_log(crowd):
    """PCI 10.2.3 by trust.md 4.4."""
    house, came = crowd
    before = len(house.told("opened"))
    asked(came["V"], "GET", f"{TABLE}/surveillance", "")
    asked(came["V"], "GET", "/api/v1/events?audience=surveillance", "")
    assert [line["path"] for line in house.told("opened")[before:]] == [
        "/api/v1/tables/1/surveillance",
        "/api/v1/events",
    ]


def test_a_command_without_the_sessions_own_token_is_refused(crowd):
    """trust.md 4.4: anti-CSRF."""
    house, came = crowd
    given = len(house.floor.given)
    headers = {"Idempotency-Key": "forged-one", "X-Tirage-Csrf": "guessed"}
    assert came["S"].post(TABLE.format(table="1") + "/commands", json=VOID, headers=headers).status_code == 403
    assert len(house.floor.given) == given


def test_a_stream_ends_with_the_session_of_its_reader(tmp_path: Path):
    """ASVS 7.4: who signed out sees nothing more."""
    house, feed = served(tmp_path)
    path = "/api/v1/events?tables=1&audience=surveillance"
    with ExitStack() as stack:
        stack.callback(house.stop)
        person = stack.enter_context(house.signed_in(NUMBERS[Role.SURVEILLANCE]))
        events = Events(stack.enter_context(person.client.stream("GET", path)))
        events.told("snapshot")
        assert person.client.post("/signout", json={}).status_code == 200

        async def tell() -> None:
            feed.take("1", (fact(1),))

        house.run(tell())
        with pytest.raises(AssertionError, match="the stream ended"):
            events.told()


def test_a_feed_is_opened_by_its_token_without_a_session(crowd):
    _, came = crowd
    headers = {"Authorization": "Bearer of-the-television"}
    with came["N"].stream("GET", "/api/v1/feeds/tv/events", headers=headers) as answer:
        assert answer.status_code == 200


def test_surveillance_alone_reads_when_within_a_hand_an_incident_began(crowd):
    """R-002-30: it would tell how long somebody thought; one between hands is no secret."""
    house, came = crowd
    within, between = incident("1", 1), replace(incident("1", 2), hand=None)
    silence = replace(incident("1", 3, "silence"), hand=None)  # begins a set time after the last card
    house.floor.incidents = {"1": (within, between, silence)}
    try:
        read = {
            letter: came[letter].get(f"{TABLE.format(table='1')}/incidents").json()["incidents"] for letter in "SVA"
        }
        pit, whole = (came["V"].get(f"{TABLE.format(table='1')}/{page}").json() for page in ("pit", "surveillance"))
    finally:
        house.floor.incidents = {}
    dated = {letter: [one["since"] is not None for one in told] for letter, told in read.items()}
    assert dated == {"S": [False, True, False], "V": [True] * 3, "A": [False, True, False]}
    assert [one["since"] is not None for one in pit["incidents"]] == [False, True, False]
    assert [one["since"] is not None for one in whole["pit"]["incidents"]] == [True] * 3
