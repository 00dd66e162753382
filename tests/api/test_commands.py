"""Commands of programs at the door: the guards of the pages, keys, bodies, and one answer for one key."""

from __future__ import annotations

import asyncio

import pytest

from controller.core.inputs import Command, Void
from controller.core.views import Sentence
from controller.pit.floor import Answer
from tests.api.serving import COMMAND, TOKEN, Api

PATH = "/api/v1/tables/1/commands"
BODY = {"act": {"kind": "void"}, "hand": "3-69", "staff": "1042"}
KEY = {"Idempotency-Key": "key-0001"}


def test_a_command_reaches_the_table_with_its_hand_and_its_person(api: Api):
    with api.client(**COMMAND, **KEY) as client:
        answer = client.post(PATH, json=BODY)
    assert (answer.status_code, answer.json()) == (200, {"accepted": True, "sentence": "", "approval": None})
    assert api.floor.given == [("1", Command("1042-key-0001", Void(), "3-69"), "staff:1042")]


def test_a_key_that_comes_again_gets_the_same_answer_and_reaches_no_table(api: Api):
    with api.client(**COMMAND, **KEY) as client:
        api.floor.answer = Answer(False, Sentence("rejected.moved-on"))
        first = client.post(PATH, json=BODY)
        api.floor.answer = Answer(True)
        again = client.post(PATH, json=BODY)
    assert first.status_code == again.status_code == 409
    assert first.json() == again.json()
    assert len(api.floor.given) == 1


def test_two_requests_at_once_with_one_key_are_one_command(api: Api):
    """The second waits for the first one's answer."""
    gate = asyncio.Event()
    ask = api.floor.command

    async def slow(table, command, by):
        await gate.wait()
        return await ask(table, command, by)

    api.floor.command = slow
    with api.client(**COMMAND, **KEY) as one, api.client(**COMMAND, **KEY) as two:

        async def both():
            futures = [asyncio.to_thread(client.post, PATH, json=BODY) for client in (one, two)]
            running = [asyncio.create_task(future) for future in futures]
            asyncio.get_running_loop().call_later(0.2, api.loop.call_soon_threadsafe, gate.set)
            return await asyncio.gather(*running)

        answers = asyncio.run(both())
    assert [answer.status_code for answer in answers] == [200, 200]
    assert len(api.floor.given) == 1


@pytest.mark.parametrize(
    ("headers", "body", "status", "kind"),
    [
        ({}, BODY, 400, "key"),
        ({"Idempotency-Key": "short"}, BODY, 400, "key"),
        ({"Idempotency-Key": "with a space in it"}, BODY, 400, "key"),
        (KEY, BODY | {"staff": ""}, 422, "staff"),
        (KEY, BODY | {"staff": "1 or 2"}, 422, "refused.malformed"),
        (KEY, BODY | {"act": {"kind": "explode"}}, 422, "refused.malformed"),
        (KEY, BODY | {"more": 1}, 422, "refused.malformed"),
        (KEY, {"act": {"kind": "relay", "cards": ["x" * 400] * 11}}, 413, "refused.too-long"),
        (KEY | {"Content-Type": "text/plain"}, BODY, 415, "refused.content-type"),
        (KEY | {"Origin": "http://elsewhere.example"}, BODY, 403, "refused.origin"),
        (KEY | {"Sec-Fetch-Site": "cross-site"}, BODY, 403, "refused.origin"),
    ],
)
def test_what_cannot_be_read_or_comes_from_elsewhere_is_refused_with_a_sentence(api, headers, body, status, kind):
    with api.client(**COMMAND | headers) as client:
        answer = client.post(PATH, json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    found = answer.json()
    assert (found["type"], found["status"], found["instance"]) == (f"urn:tirage:{kind}", status, PATH)
    assert found["detail"].endswith(".")
    assert api.floor.given == []


def test_a_command_without_the_header_that_no_form_can_send_is_refused(api: Api):
    """trust.md 4.4: anti-CSRF."""
    with api.client(**KEY) as client:
        assert client.post(PATH, json=BODY).status_code == 403
    assert api.floor.given == []


def test_another_machine_gives_commands_with_the_token_only(guarded: Api):
    """trust.md 4.3, the same guard as the page."""
    with guarded.client(**COMMAND, **KEY, Host="pit.example") as client:
        refused = client.post(PATH, json=BODY)
        wrong = client.post(PATH, json=BODY, headers={"Authorization": "Bearer something else"})
        right = client.post(PATH, json=BODY, headers={"Authorization": f"Bearer {TOKEN}"})
    assert [answer.status_code for answer in (refused, wrong, right)] == [403, 403, 200]
    assert len(guarded.floor.given) == 1


def test_a_supervisors_decision_by_a_number_that_nobody_checked_says_so(api: Api):
    """rules.md 1.5: where nobody signs in a program's number is as good as a typed one."""
    act = {"kind": "apply", "irregularity": "PBI-01", "remedy": "burn", "places": [4]}
    with api.client(**COMMAND, **KEY) as client:
        assert client.post(PATH, json={"act": act, "hand": "3-69", "staff": "1042"}).status_code == 200
    assert [by for _, _, by in api.floor.given] == ["staff:1042 NUMBER NOT CHECKED"]
