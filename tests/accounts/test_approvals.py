"""Two persons for one act (trust.md 4.3; ASVS 2.3.5, 7.5.3)."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from controller.accounts.roles import Role, fitting
from controller.core.inputs import Command, Correct, Void
from controller.core.signals import Call
from controller.core.views import Sentence
from controller.pit.floor import Answer
from controller.pit.guards import Refusal
from tests.accounts.house import NUMBERS, SECOND_SUPERVISOR, running

DEALER, SUPERVISOR, SURVEILLANCE = (NUMBERS[role] for role in (Role.DEALER, Role.SUPERVISOR, Role.SURVEILLANCE))
IDENT = "3f0c1a52-7c1b-4b0e-9d0e-0c6f1a2b3c4d"


def test_what_the_first_asks_reaches_the_table_when_the_second_approves(two_persons):
    with two_persons.signed_in(SUPERVISOR) as first, two_persons.signed_in(SURVEILLANCE) as second:
        asked = first.give(ident=IDENT)
        assert (asked.status_code, asked.json()["accepted"]) == (202, False)
        assert two_persons.floor.given == []
        assert second.says(asked.json()["approval"]).status_code == 200
    [(table, command, by)] = two_persons.floor.given
    assert (table, command, by) == ("1", Command(IDENT, Void(), "3-69"), f"staff:{SUPERVISOR}+staff:{SURVEILLANCE}")


def test_the_second_person_sees_exactly_what_is_approved_and_its_hash_is_in_both_records(two_persons):
    with two_persons.signed_in(SUPERVISOR) as first, two_persons.signed_in(SURVEILLANCE) as second:
        first.give({"kind": "correct", "result": "tie"}, ident=IDENT)
        [shown] = second.waiting()
        second.says(shown)
    canonical = f'{{"act":{{"kind":"correct","result":"tie"}},"hand":"3-69","id":"{IDENT}","table":"1"}}'
    assert shown["hash"] == hashlib.sha256(canonical.encode()).hexdigest()
    assert (shown["command"], shown["hand"], shown["first"]) == (
        {"kind": "correct", "result": "tie"},
        "3-69",
        SUPERVISOR,
    )
    records = [two_persons.told(what)[0] for what in ("approval-asked", "approval-given")]
    assert [record["hash"] for record in records] == [shown["hash"]] * 2
    assert [record["who"] for record in records] == [f"staff:{SUPERVISOR}", f"staff:{SURVEILLANCE}"]


def test_the_hash_can_be_made_again_from_the_journals_line(two_persons):
    """Whoever audits has the journal and the access log, and no running daemon."""
    from controller.core.inputs import Input
    from controller.core.words import input_dict

    with two_persons.signed_in(SUPERVISOR) as first, two_persons.signed_in(SURVEILLANCE) as second:
        asked = first.give().json()["approval"]
        second.says(asked)
    [(table, command, by)] = two_persons.floor.given
    data = input_dict(Input(command, by=by))["data"]
    told = json.dumps({"table": table, **data}, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(told.encode()).hexdigest() == asked["hash"]


def test_nobody_approves_what_the_same_person_asked(two_persons):
    """Not in another browser, and not by a second role of one person."""
    two_persons.people.store.set_roles(SUPERVISOR, fitting(["supervisor", "surveillance"]))
    with two_persons.signed_in(SUPERVISOR) as first, two_persons.signed_in(SUPERVISOR) as again:
        asked = first.give().json()["approval"]
        assert first.says(asked).status_code == 403
        assert again.says(asked).status_code == 403
        assert again.waiting()[0]["may"] is False
    assert two_persons.floor.given == []
    assert {line["why"] for line in two_persons.told("refused")} == {"approval.own"}


def test_another_supervisor_may_be_the_second_person(two_persons):
    with two_persons.signed_in(SUPERVISOR) as first, two_persons.signed_in(SECOND_SUPERVISOR) as second:
        assert second.says(first.give().json()["approval"]).status_code == 200
    assert two_persons.floor.given[0][2] == f"staff:{SUPERVISOR}+staff:{SECOND_SUPERVISOR}"


@pytest.mark.parametrize("role", [Role.DEALER, Role.AUDITOR, Role.TECHNICIAN, Role.ACCOUNT_ADMIN])
def test_no_other_role_approves(two_persons, role):
    with two_persons.signed_in(SUPERVISOR) as first, two_persons.signed_in(NUMBERS[role]) as other:
        assert other.says(first.give().json()["approval"]).status_code == 403
    assert two_persons.floor.given == []


def test_after_two_minutes_nobody_can_approve_and_that_is_recorded(two_persons):
    """trust.md 4.3: within 120 s."""
    with two_persons.signed_in(SUPERVISOR) as first, two_persons.signed_in(SURVEILLANCE) as second:
        early, late = (first.give().json()["approval"] for _ in range(2))
        two_persons.time.s += 119.9
        assert second.says(early).status_code == 200
        two_persons.time.s += 0.1
        assert second.says(late).status_code == 409
    assert len(two_persons.floor.given) == 1
    assert [line["approval"] for line in two_persons.told("approval-expired")] == [late["id"]]


def test_what_nobody_decided_before_the_end_is_recorded_as_expired(tmp_path):
    with running(tmp_path, two_persons=frozenset({"void"})) as house, house.signed_in(SUPERVISOR) as first:
        asked = first.give().json()["approval"]
    assert house.told("approval-expired")[0]["approval"] == asked["id"]


def test_a_refusal_changes_nothing_and_is_recorded_and_final(two_persons):
    with two_persons.signed_in(SUPERVISOR) as first, two_persons.signed_in(SURVEILLANCE) as second:
        asked = first.give().json()["approval"]
        assert second.says(asked, "refuse").status_code == 200
        assert second.says(asked).status_code == 409
        assert first.waiting()[0]["state"] == "refused"
    assert two_persons.floor.given == []
    assert two_persons.told("approval-refused")[0]["who"] == f"staff:{SURVEILLANCE}"


def test_an_approval_is_given_once(two_persons):
    with two_persons.signed_in(SUPERVISOR) as first, two_persons.signed_in(SURVEILLANCE) as second:
        asked = first.give().json()["approval"]
        assert [second.says(asked).status_code for _ in range(3)] == [200, 409, 409]
    assert len(two_persons.floor.given) == 1


def test_what_was_not_shown_cannot_be_approved(two_persons):
    """A page that shows one act and sends the id of another."""
    with two_persons.signed_in(SUPERVISOR) as first, two_persons.signed_in(SURVEILLANCE) as second:
        one, other = (first.give({"kind": "correct", "result": call}).json()["approval"] for call in ("tie", "banker"))
        assert second.says(one, hash=other["hash"]).status_code == 409
    assert two_persons.floor.given == []


def test_the_same_command_again_waits_once(two_persons):
    """The page repeats a command whose answer was lost."""
    with two_persons.signed_in(SUPERVISOR) as first:
        answers = [first.give(ident=IDENT).json()["approval"]["id"] for _ in range(3)]
        assert len(set(answers)) == 1
        assert len(two_persons.told("approval-asked")) == 1
        changed = first.give({"kind": "correct", "result": "tie"}, ident=IDENT)
        assert changed.status_code == 409


def test_a_hand_that_has_moved_on_meanwhile_is_refused_by_the_table(two_persons):
    two_persons.floor.answer = Answer(accepted=False, sentence=Sentence("rejected.moved-on"))
    with two_persons.signed_in(SUPERVISOR) as first, two_persons.signed_in(SURVEILLANCE) as second:
        answer = second.says(first.give().json()["approval"])
    assert (answer.status_code, answer.json()["accepted"]) == (409, False)


@pytest.mark.parametrize("change", ["disabled", "roles"])
def test_who_may_no_longer_ask_has_asked_for_nothing(two_persons, change):
    """ASVS 2.3.3: all or nothing."""
    with two_persons.signed_in(SUPERVISOR) as first, two_persons.signed_in(SURVEILLANCE) as second:
        asked = first.give().json()["approval"]
        if change == "disabled":
            two_persons.people.store.set_disabled(SUPERVISOR, 1)
        else:
            two_persons.people.store.set_roles(SUPERVISOR, fitting(["dealer"]))
        assert second.says(asked).status_code == 409
    assert two_persons.floor.given == []


def test_without_its_record_nothing_is_approved(two_persons):
    """ASVS 16.5.3: fail closed."""
    with two_persons.signed_in(SUPERVISOR) as first, two_persons.signed_in(SURVEILLANCE) as second:
        asked = first.give().json()["approval"]
        two_persons.fill_disk()
        assert second.says(asked).status_code == 503
        assert first.give().status_code == 503
        two_persons.empty_disk()
        assert two_persons.floor.given == []
        assert second.says(asked).status_code == 200


def test_no_way_through_the_doors_lets_one_person_void(two_persons):
    """Zero single-person voids: every route that takes a body, every method, and the floor itself."""
    body = {"id": IDENT, "staff": SURVEILLANCE, "hand": "3-69", "act": {"kind": "void"}}
    paths = {re.sub(r"\{\w+(:int)?\}", "1", getattr(route, "path", "")) for route in two_persons.app.routes}
    with two_persons.signed_in(SUPERVISOR) as person:
        for path in sorted(paths - {"/signout", "/signin"}):
            for method in ("POST", "PUT", "PATCH", "DELETE"):
                two_persons.time.s += 4
                with person.client.stream(method, path, json=body) as answer:
                    assert answer.status_code < 500, (method, path)
        floor = two_persons.app.state.pages.floor
        for by in (
            f"staff:{SUPERVISOR}",
            f"staff:{SUPERVISOR} ONE PERSON",
            f"staff:{SUPERVISOR}+staff:{SURVEILLANCE}",
            f"staff:{SUPERVISOR}+staff:{SUPERVISOR}",
        ):
            for command in (Command(IDENT, Void(), "3-69"), Command(IDENT, Correct(Call.TIE), "3-69")):
                with pytest.raises(Refusal):
                    two_persons.run(floor.command("1", command, by))
    assert two_persons.floor.given == []


def test_acts_that_the_house_did_not_name_need_one_person(two_persons):
    with two_persons.signed_in(SUPERVISOR) as person:
        assert person.give({"kind": "accept", "holds": []}).status_code == 200
    assert two_persons.floor.given[0][2] == f"staff:{SUPERVISOR} ONE PERSON"


def test_the_first_persons_name_is_shown_to_the_second_and_never_logged(two_persons):
    two_persons.people.store._writing.execute("INSERT INTO names VALUES (?, 'Ada Byron')", (SUPERVISOR,))
    with two_persons.signed_in(SUPERVISOR) as first, two_persons.signed_in(SURVEILLANCE) as second:
        first.give()
        assert second.waiting()[0]["names"] == {SUPERVISOR: "Ada Byron"}
    assert "Ada" not in (two_persons.folder / "access.jsonl").read_text()
