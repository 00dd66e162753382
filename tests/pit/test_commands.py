"""The door for commands: each guard by itself, and what goes through."""

from __future__ import annotations

import re
import uuid

import pytest

from controller.core.cards import Card, Seat
from controller.core.inputs import Acknowledge, Correct, KeyCard, Void
from controller.core.signals import Call
from controller.core.views import Sentence
from controller.pit.floor import Answer

OURS = {"X-Tirage-Command": "1", "Content-Type": "application/json"}
TOKEN = "correct horse battery"
ELSEWHERE = {"X-Forwarded-For": "192.0.2.7"}


def body(**changes: object) -> dict[str, object]:
    return {"id": str(uuid.uuid4()), "staff": "1042", "hand": "3-69", "act": {"kind": "void"}} | changes


def give(pit, content: object = None, path: str = "/table/1/commands", **headers: str):
    with pit.client() as client:
        return client.post(path, json=content or body(), headers=OURS | headers)


def test_a_command_reaches_the_floor_with_its_staff_number(pit):
    content = body()
    answer = give(pit, content)
    assert (answer.status_code, answer.json()) == (200, {"accepted": True, "sentence": ""})
    [(table, command, by)] = pit.floor.given
    assert (table, by, command.act, command.hand) == ("1", "staff:1042", Void(), "3-69")
    assert command.id == content["id"]


def test_a_repeated_command_goes_through_for_the_floor_to_decide(pit):
    """Idempotency is the table's: it knows what it has judged."""
    content = body()
    give(pit, content)
    give(pit, content)
    assert [command.id for _, command, _ in pit.floor.given] == [content["id"]] * 2


@pytest.mark.parametrize(
    ("act", "read"),
    [
        ({"kind": "correct", "result": "tie"}, Correct(Call.TIE)),
        ({"kind": "key_card", "seat": "banker", "index": 3, "card": "TD"}, KeyCard(Seat.BANKER, 3, Card.parse("TD"))),
        ({"kind": "acknowledge", "incident": "i1", "note": "seen"}, Acknowledge("i1", "seen")),
    ],
)
def test_an_act_is_read_as_the_journal_writes_it(pit, act, read):
    assert give(pit, body(act=act)).status_code == 200
    assert pit.floor.given[0][1].act == read


def test_a_rejected_command_is_409_with_the_tables_sentence(pit):
    pit.floor.answer = Answer(accepted=False, sentence=Sentence("rejected.moved-on"))
    answer = give(pit)
    assert answer.status_code == 409
    assert answer.json()["sentence"].startswith("That hand has moved on")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Host": "evil.example"}, 421),
        (ELSEWHERE, 403),
        ({"Host": "pit.example"}, 403),
    ],
    ids=str,
)
def test_a_command_from_elsewhere_is_refused(pit, headers, status):
    """trust.md 4.4: no cross-origin, no DNS rebinding, no other machine without a token."""
    answer = give(pit, None, **headers)
    assert answer.status_code == status
    assert answer.json()["accepted"] is False
    assert answer.json()["sentence"].endswith(".")
    assert pit.floor.given == []


def test_a_command_without_our_header_is_refused(pit):
    """A form of another site cannot set a header of its own."""
    with pit.client() as client:
        answer = client.post("/table/1/commands", json=body())
    assert answer.status_code == 403
    assert pit.floor.given == []


def test_our_own_origin_is_taken(pit):
    assert give(pit, None, Origin=pit.address, **{"Sec-Fetch-Site": "same-origin"}).status_code == 200


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH"])
def test_a_command_is_never_given_by_another_method(pit, method):
    """trust.md 4.4, ASVS 3.5.3: no change of state by GET."""
    with pit.client() as client:
        answer = client.request(method, "/table/1/commands", headers=OURS)
    assert answer.status_code == 405
    assert pit.floor.given == []


@pytest.mark.parametrize(
    "content",
    [
        body(id="7"),
        body(staff="Alice"),
        body(staff="1042\n"),
        body(staff=1042),
        body(staff=""),
        body(more="x"),
        body(hand="x" * 65),
        body(act={"kind": "explode"}),
        body(act={}),
        body(act={"kind": "void", "more": 1}),
        body(act={"kind": "correct"}),
        body(act={"kind": "correct", "result": "maybe"}),
        body(act={"kind": "correct", "result": {"kind": "void"}}),
        body(act={"kind": "key_card", "seat": "player", "index": 3, "card": 7}),
        body(act={"kind": "key_card", "seat": "player", "index": True, "card": "AS"}),
        body(act={"kind": "card_drawn", "seat": "player", "index": 1, "card": "AS"}),
        body(act={"kind": "started"}),
        body(act={"kind": "acknowledge", "incident": "i1", "note": "x" * 501}),
        [body()],
        "void",
    ],
)
def test_a_body_that_is_no_command_is_422_and_changes_nothing(pit, content):
    answer = give(pit, content)
    assert answer.status_code == 422
    assert answer.json()["sentence"].startswith("This command cannot be read")
    assert pit.floor.given == []


def test_a_body_that_is_too_long_is_413(pit):
    assert give(pit, body(act={"kind": "accept", "holds": ["x" * 400] * 40})).status_code == 413
    assert pit.floor.given == []


def test_bytes_that_are_no_json_are_422(pit):
    with pit.client() as client:
        answer = client.post("/table/1/commands", content=b"\xff{", headers=OURS)
    assert answer.status_code == 422


def test_a_table_that_is_not_there_is_404(pit):
    assert give(pit, None, "/table/99/commands").status_code == 404


def test_another_machine_needs_the_token(guarded):
    """Loopback or a configured token, until accounts exist."""
    wrong = give(guarded, None, Authorization="Bearer wrong", **ELSEWHERE)
    right = give(guarded, None, Authorization=f"Bearer {TOKEN}", **ELSEWHERE)
    assert (wrong.status_code, right.status_code) == (403, 200)
    assert len(guarded.floor.given) == 1


def test_no_token_configured_means_that_no_token_fits(pit):
    assert give(pit, None, Authorization="Bearer", **ELSEWHERE).status_code == 403
    assert give(pit, None, Authorization="Bearer None", **ELSEWHERE).status_code == 403


def test_the_token_buys_a_cookie_that_no_script_can_read(guarded):
    with guarded.client(**OURS, **ELSEWHERE) as client:
        assert client.get("/surveillance/1").status_code == 403
        assert client.post("/token", json={"token": "wrong"}).status_code == 403
        answer = client.post("/token", json={"token": TOKEN})
        assert answer.status_code == 200
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert client.get("/surveillance/1").status_code == 200
        assert client.post("/table/1/commands", json=body()).status_code == 200


@pytest.mark.parametrize("path", ["/surveillance/1", "/events/surveillance/1"])
def test_surveillance_is_closed_to_other_machines(pit, path):
    with pit.client(**ELSEWHERE) as client:
        assert client.get(path).status_code == 403


@pytest.mark.parametrize("path", ["/table/1", "/board/1"])
def test_no_public_page_names_surveillance(pit, path):
    with pit.client() as client:
        assert "surveillance" not in client.get(path).text.lower()


def test_the_pit_leads_to_surveillance_and_says_nothing_else_of_it(pit):
    """The link is there for who may follow it; the page behind it is checked when it is opened."""
    with pit.client() as client:
        page = client.get("/").text
    without = re.sub(r'<a data-opens="surveillance".*?</a>', "", page)
    assert without != page
    assert "surveillance" not in without.lower()
