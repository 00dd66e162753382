"""Each role by each route, against a table of its own that was written from trust.md 4.3."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from typing import get_args

import httpx
import pytest

from controller.accounts.roles import Role
from controller.core.inputs import Act
from controller.core.words import kind_of
from tests.accounts.house import NUMBERS, OURS, House, Person, running

# The letters of who may: dealer, supervisor, surveillance (V), auditor, technician, account admin (M), a display (K),
# nobody at all who is known (N). A route of the application without a row here fails the first test.
LETTERS = {
    "D": "dealer",
    "S": "supervisor",
    "V": "surveillance",
    "A": "auditor",
    "T": "technician",
    "M": "account-admin",
}
ROWS = {
    ("GET", "/static"): "DSVATMKN",
    ("GET", "/signin"): "DSVATMKN",
    ("POST", "/signin"): "DSVATMKN",
    ("POST", "/display"): "DSVATMKN",
    ("POST", "/token"): "",
    ("GET", "/me"): "DSVATM",
    ("GET", "/me/session"): "DSVATM",
    ("POST", "/me/password"): "DSVATM",
    ("POST", "/signout"): "DSVATM",
    ("GET", "/approvals"): "SV",
    ("GET", "/approvals/list"): "SV",
    ("POST", "/approvals/{approval}"): "SV",
    ("GET", "/"): "SV",
    ("GET", "/events/pit"): "SV",
    ("GET", "/table/{table}"): "DSVK",
    ("GET", "/events/table/{table}"): "DSVK",
    ("POST", "/table/{table}/commands"): "DSVATM",  # the kind of the command decides further: see COMMANDS
    ("POST", "/table/{table}/preview"): "DSVATM",  # as for the command that it tries
    ("GET", "/table/{table}/hands"): "DSVK",
    ("GET", "/board/{table}"): "DSVATK",
    ("GET", "/events/board/{table}"): "DSVATK",
    ("GET", "/surveillance"): "V",
    ("GET", "/surveillance/{table}"): "V",
    ("GET", "/events/surveillance/{table}"): "V",
    ("GET", "/table/{table}/hand"): "DSVA",
    ("GET", "/table/{table}/hand/{hand:int}"): "DSVA",
    ("GET", "/table/{table}/hand/{ref}"): "DSVA",
    ("GET", "/table/{table}/shoe"): "SVA",
    ("GET", "/table/{table}/shoe/{shoe:int}"): "SVA",
    ("GET", "/table/{table}/shoe/{shoe:int}.csv"): "SVA",
    ("GET", "/table/{table}/shoe/{shoe:int}.json"): "SVA",
    ("GET", "/table/{table}/shoe/{shoe:int}/incidents.csv"): "SVA",
    ("GET", "/table/{table}/shoe/{shoe:int}/incidents.json"): "SVA",
    ("GET", "/surveillance/{table}/hand"): "V",
    ("GET", "/surveillance/{table}/hand/{hand:int}"): "V",
    ("GET", "/surveillance/{table}/hand/{ref}"): "V",
    ("GET", "/surveillance/{table}/history"): "V",
    ("GET", "/surveillance/{table}/line"): "V",
}
COMMANDS = {
    "turned": "DS",
    "takes": "DS",
    "opened_next": "DS",
    "apply": "S",  # unless the house leaves it to its dealers
    "show_bank": "DS",
    "decline_bank": "DS",
    "pass_bank": "DS",
    "take_bank": "DS",
    "nobody_takes": "DS",
    "set_stake": "DS",
    "set_cover": "DS",
    "call_banco": "DS",
    "withdraw_banco": "DS",
    "close_stakes": "DS",
    "sit": "DS",
    "leave_place": "DS",
    "penalise": "S",
    "readmit": "S",
    "close_bets": "DS",
    "begin_maintenance": "S",
    "end_maintenance": "S",
    "on_duty": "DS",
    "new_shoe": "S",
    "close_shoe": "S",
    "open_table": "S",
    "close_table": "S",
    "void": "S",
    "accept": "S",
    "correct": "S",
    "key_card": "S",
    "rest_of_hand": "S",
    "new_hand": "S",
    "relay": "S",
    "mark_hand": "S",
    "manual_hand": "S",
    "blind_hands": "S",
    "acknowledge": "SV",
    "review": "V",
}
FIELDS = {
    "takes": {"seat": "punter"},
    "opened_next": {"place": 5},
    "apply": {"irregularity": "IR-04", "remedy": "move"},
    "show_bank": {"amount": 100},
    "take_bank": {"place": 2, "amount": 100},
    "set_stake": {"who": 2, "on": "punter", "amount": 100},
    "set_cover": {"on": "punter", "amount": 100},
    "call_banco": {"place": 2},
    "sit": {"place": 2},
    "leave_place": {"place": 2},
    "penalise": {"place": 2, "penalty": "blame", "rule": "R-002-25"},
    "readmit": {"place": 2},
    "on_duty": {"post": "dealer", "staff": ""},
    "open_table": {"day": "2026-11-30"},
    "accept": {"holds": []},
    "correct": {"result": "tie"},
    "key_card": {"seat": "player", "index": 3, "card": "AS"},
    "relay": {"cards": []},
    "mark_hand": {"sort": "free"},
    "manual_hand": {"cards": [], "result": "tie"},
    "blind_hands": {"results": ["tie"]},
    "acknowledge": {"incident": "i1"},
    "review": {"incident": "i1"},
}
REFUSED = {401, 403}
SIGN_OUT = ("POST", "/signout")


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, dict[str, httpx.Client]]]:
    """One of each role, a display and a stranger, each in a browser of one's own."""
    with running(tmp_path_factory.mktemp("house")) as house, ExitStack() as stack:
        came = {
            letter: stack.enter_context(house.signed_in(NUMBERS[Role(name)])).client for letter, name in LETTERS.items()
        }
        came["K"], came["N"] = (stack.enter_context(house.client(**OURS)) for _ in "KN")
        token = "k" * 43
        house.people.store.add_display("board 1", hashlib.sha256(token.encode()).hexdigest(), 1)
        assert came["K"].post("/display", json={"token": token}).status_code == 200
        yield house, came


def routes(house: House) -> list[tuple[str, str]]:
    found = []
    for route in house.app.routes:
        methods = getattr(route, "methods", None) or {"GET"}
        found += [(method, route.path) for method in methods if method != "HEAD"]
    return found


def asked(client: httpx.Client, method: str, path: str) -> int:
    address = re.sub(r"\{\w+(:int)?\}", "1", path) + ("/page.css" if path == "/static" else "")
    with client.stream(method, address, json={} if method == "POST" else None) as answer:
        return answer.status_code


def test_every_route_of_the_application_has_a_row(crowd):
    """A new route is closed until somebody has decided who may use it, here and in signin_routes.py."""
    house, _ = crowd
    assert set(routes(house)) - set(ROWS) == set()


@pytest.mark.parametrize("letter", [*LETTERS, "K", "N"])
@pytest.mark.parametrize("row", [row for row in ROWS if row != SIGN_OUT], ids=" ".join)
def test_each_role_opens_its_routes_and_no_other(crowd, row, letter):
    """trust.md 4.3. An empty body is 422 behind the gate, 404 where the approval is not there: both are inside."""
    _, came = crowd
    status = asked(came[letter], *row)
    assert (status not in REFUSED) == (letter in ROWS[row]), status


def test_every_kind_of_command_has_a_row():
    """A new kind is denied until somebody has decided who gives it."""
    assert {kind_of(act) for act in get_args(Act)} == set(COMMANDS)


@pytest.mark.parametrize("letter", [*LETTERS, "K", "N"])
def test_each_role_gives_its_commands_and_no_other(crowd, letter):
    """trust.md 4.3; what is refused never reaches the table."""
    house, came = crowd
    for kind, letters in COMMANDS.items():
        house.time.s += 4
        house.floor.given.clear()
        client = came[letter]
        status = Person("", client).give({"kind": kind} | FIELDS.get(kind, {})).status_code
        assert (status == 200) == (letter in letters), (kind, status)
        assert len(house.floor.given) == (1 if letter in letters else 0), kind
    house.time.s -= 4 * len(COMMANDS)


@pytest.mark.parametrize("letter", [*LETTERS, "K", "N"])
def test_each_role_tries_what_it_may_give_and_no_more(crowd, letter):
    """A preview tells what would come of an act: it is for those who may give it."""
    _, came = crowd
    for kind, letters in COMMANDS.items():
        body = {"id": str(uuid.uuid4()), "hand": "3-69", "act": {"kind": kind} | FIELDS.get(kind, {})}
        status = came[letter].post("/table/1/preview", json=body).status_code
        assert (status not in REFUSED) == (letter in letters), (kind, status)


def test_a_preview_denied_by_role_is_in_the_access_log(house):
    """trust.md T18: every denied try recorded; to try what one may not give is one."""
    with house.signed_in(NUMBERS[Role.DEALER]) as dealer:
        body = {"id": str(uuid.uuid4()), "hand": "3-69", "act": {"kind": "void"}}
        assert dealer.client.post("/table/1/preview", json=body).status_code == 403
    (told,) = house.told("refused")
    assert (told["who"], told["why"], told["path"]) == (
        f"staff:{NUMBERS[Role.DEALER]}",
        "role: void",
        "/table/1/preview",
    )


def test_a_command_of_an_unknown_kind_is_given_by_nobody(crowd):
    _, came = crowd
    assert Person("", came["S"]).give({"kind": "explode"}).status_code == 422


@pytest.mark.parametrize(
    ("letter", "post", "staff", "status"),
    [
        ("D", "dealer", NUMBERS[Role.DEALER], 200),
        ("D", "dealer", "1099", 403),
        ("D", "supervisor", NUMBERS[Role.DEALER], 403),
        ("S", "dealer", NUMBERS[Role.DEALER], 200),
        ("S", "supervisor", NUMBERS[Role.SUPERVISOR], 200),
        ("S", "supervisor", "1099", 403),
    ],
)
def test_nobody_puts_another_person_on_the_supervisors_post(crowd, letter, post, staff, status):
    house, came = crowd
    house.time.s += 60
    act = {"kind": "on_duty", "post": post, "staff": staff}
    assert Person("", came[letter]).give(act).status_code == status
    house.time.s -= 60


@pytest.mark.parametrize(("letter", "status"), [("D", 200), ("S", 200), ("V", 403)])
def test_a_dealer_decides_what_the_house_leaves_to_its_dealers(crowd, letter, status):
    """rules.md 1.6: a profile says of each irregularity who decides; all else is the supervisor's."""
    house, came = crowd
    house.time.s += 200
    house.floor.by_dealers = frozenset({"IR-02"})
    act = {"kind": "apply", "irregularity": "IR-02", "remedy": "burn", "places": [3]}
    tried = came[letter].post("/table/1/preview", json={"id": str(uuid.uuid4()), "hand": "3-69", "act": act})
    assert (Person("", came[letter]).give(act).status_code, tried.status_code) == (status, status)
    assert Person("", came["D"]).give(act | {"irregularity": "IR-07"}).status_code == 403
    house.floor.by_dealers = frozenset()
    house.time.s -= 200


def test_what_a_role_was_refused_is_in_the_log(house):
    """ASVS 16.3.2: who, what, where."""
    with house.signed_in(NUMBERS[Role.DEALER]) as person:
        assert person.client.get("/surveillance/1").status_code == 403
    last = house.told("refused")[-1]
    assert (last["who"], last["why"], last["path"]) == (f"staff:{NUMBERS[Role.DEALER]}", "role", "/surveillance/1")


def test_opening_what_only_surveillance_sees_is_in_the_log(crowd):
    """PCI 10.2.3 by trust.md 4.4: access to logs and exports is itself logged."""
    house, came = crowd
    before = len(house.told("opened"))
    assert came["V"].get("/surveillance/2").status_code == 200
    assert house.told("opened")[before:][0]["path"] == "/surveillance/2"


def test_a_route_without_a_row_is_closed_to_all(house):
    """Fail closed: whoever adds a route and forgets the table."""

    async def anything() -> dict[str, str]:
        return {"secret": "yes"}

    house.app.get("/forgotten")(anything)
    with house.signed_in(NUMBERS[Role.SURVEILLANCE]) as person:
        assert person.client.get("/forgotten").status_code == 403
