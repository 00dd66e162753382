"""A remedy that two persons give at a real daemon: asked for, read, approved, and written once in both their names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import NAMESPACE_OID, uuid5

import httpx

from controller.accounts.roles import Role
from controller.accounts.store import FILE_NAME
from controller.core.signals import PoweredUp
from tests.accounts.house import NUMBERS, OURS, PASSWORD, SECOND_SUPERVISOR, Person, accounts
from tests.daemon.daemon import DEADLINE_S, HOST, Daemon, facts, records, table, until
from tests.daemon.test_commands import cards
from tests.daemon.test_people import EXTRA, NATURAL

ASKS = '[tables.rules]\nburn = "none"\nmoney = "full"\n[accounts]\nenabled = true\ntwo_persons = ["apply"]\n'
BURN = {"kind": "apply", "irregularity": "PBI-01", "remedy": "burn", "places": [4]}
STAKE = {"kind": "set_stake", "who": 3, "on": "banker", "amount": 400}
SUPERVISOR, DEALER = NUMBERS[Role.SUPERVISOR], NUMBERS[Role.DEALER]


@contextmanager
def signed_in(daemon: Daemon, number: str) -> Iterator[Person]:
    with httpx.Client(
        base_url=f"http://{HOST}:{daemon.pit}", headers=OURS, timeout=DEADLINE_S, trust_env=False
    ) as client:
        answer = client.post("/signin", json={"number": number, "password": PASSWORD})
        assert answer.status_code == 200, answer.text
        client.headers["X-Tirage-Csrf"] = answer.json()["csrf"]
        yield Person(number, client)


def give(person: Person, act: dict, hand: str = "") -> httpx.Response:
    """Ask for an act; the same person's same act has the same id, as a page that repeats itself."""
    ident = str(uuid5(NAMESPACE_OID, f"{person.number} {act['kind']}"))
    return person.client.post("/table/b1/commands", json={"id": ident, "hand": hand, "act": act})


def hands(person: Person) -> list[dict]:
    return list(person.client.get("/table/b1/hands").json()["hands"])


def test_a_remedy_of_two_persons_is_in_the_journal_once_with_both_numbers(tmp_path: Path):
    """trust.md 4.3: the second person approves exactly what is recorded; a repeated request changes nothing."""
    data = tmp_path / "data"
    data.mkdir()
    (data / FILE_NAME).write_bytes(accounts())
    with table(tmp_path, mode="open", deal="face_up", more=ASKS) as (daemon, shoe, _):
        with signed_in(daemon, DEALER) as dealer:
            assert give(dealer, STAKE).status_code == 200
            shoe.say(PoweredUp(), *cards(NATURAL), EXTRA)
            until(lambda: any("PBI-01" in hand["fits"] for hand in hands(dealer)))
            assert give(dealer, BURN, "1-1").status_code == 403
        with signed_in(daemon, SUPERVISOR) as first, signed_in(daemon, SECOND_SUPERVISOR) as second:
            asked = give(first, BURN, "1-1")
            assert asked.status_code == 202, asked.text
            [shown] = second.waiting()
            assert ["Would become", "Player drew and had to stand · Card to the basket · PLAYER 3 5H"] in shown["told"]
            assert second.says(shown).status_code == 200
            assert give(first, BURN, "1-1").status_code == 202  # the page says it again: it is decided already
        daemon.end()
    [done] = facts(tmp_path, "RemedyApplied")
    assert (done["remedy"], done["by"]) == ("burn", f"staff:{SUPERVISOR}+staff:{SECOND_SUPERVISOR}")
    given = [record["by"] for record in records(tmp_path) if record["kind"] == "command"]
    assert given == [f"staff:{DEALER}", f"staff:{SUPERVISOR}+staff:{SECOND_SUPERVISOR}"]
