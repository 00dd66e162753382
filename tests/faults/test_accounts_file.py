"""The one SQLite file: no table needs it, and nobody who reads it stands in another's way (faults.md B 40, 41)."""

from __future__ import annotations

import asyncio
import http.client
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.accounts.people import LOG_ALARM_BYTES, People, Rules
from controller.accounts.roles import Role
from controller.accounts.store import Store, store_of
from controller.core.signals import PoweredUp
from tests.accounts.house import OURS
from tests.daemon.daemon import DEADLINE_S, HOST, Daemon, Dealt, config_of, facts, records, run, table, until

MANY = 500


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path)
    made.add("1042", "Ada Byron", frozenset({Role.DEALER}), "$hash", 7)
    yield made
    made.close()


def test_b40_a_file_that_another_writer_locks_is_read_all_the_same(store: Store):
    """faults.md B 40: SQLITE_BUSY is for writers; who is signed in stays so."""
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert store.account("1042") is not None
        assert store.name("1042") == "Ada Byron"


def test_b40_tables_are_recorded_over_a_file_of_accounts_that_is_none(tmp_path: Path):
    """faults.md B 40: where nobody signs in its failure never blocks dealing; it is no part of the record."""
    (tmp_path / "data").mkdir()
    accounts = tmp_path / "data" / "accounts.sqlite"
    accounts.write_bytes(b"not a database")
    with table(tmp_path) as (daemon, shoe, stream):
        shoe.say(PoweredUp())
        stream.until(lambda parts: parts.get("status", "").replace("NOT LIVE", "").endswith("LIVE"))
        daemon.end()
    assert [fact["fact"] for fact in facts(tmp_path, "PoweredUp")] == ["PoweredUp"]
    assert accounts.read_bytes() == b"not a database"


def post(daemon: Daemon, path: str, body: dict) -> tuple[int, str]:
    with closing(http.client.HTTPConnection(HOST, daemon.pit, timeout=DEADLINE_S)) as line:
        line.request("POST", path, json.dumps(body), OURS | {"Content-Type": "application/json"})
        answer = line.getresponse()
        return answer.status, json.loads(answer.read())["sentence"]


def test_b40_where_people_sign_in_tables_are_recorded_over_a_file_of_accounts_that_is_none(tmp_path: Path):
    """faults.md B 40: never blocks dealing, is not thrown away; nobody signs in, and the page says why."""
    (tmp_path / "data").mkdir()
    accounts = tmp_path / "data" / "accounts.sqlite"
    accounts.write_bytes(b"not a database")
    shoe = Dealt(tmp_path / "shoe")
    shoe.pty.plug()
    try:
        with run("--config", config_of(tmp_path, more="[accounts]\nenabled = true\n")) as daemon:
            shoe.plug()
            shoe.say(PoweredUp())
            until(lambda: "powered_up" in [record["kind"] for record in records(tmp_path)])
            for path, body in (
                ("/signin", {"number": "1042", "password": "no matter which"}),
                ("/display", {"token": "t" * 32}),
            ):
                status, sentence = post(daemon, path, body)
                assert (status, sentence.partition(":")[0]) == (503, "The file of accounts cannot be read")
            assert daemon.metrics()["tirage_accounts_readable"] == 0
            assert "accounts" in daemon.logged("accounts unreadable")["reason"]
            assert daemon.end()[0] == 0
    finally:
        shoe.pty.unplug()
    assert accounts.read_bytes() == b"not a database"
    assert [entry["why"] for entry in access(tmp_path) if entry["what"] == "refused"] == ["accounts-unreadable"] * 2


def access(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "data" / "access.jsonl").read_text().splitlines()]


def test_b40_a_file_with_a_damaged_page_is_none_of_ours(store: Store):
    """faults.md B 40: malformed further inside than its head."""
    for number in range(MANY):
        store.failed("1042", f"192.0.2.{number}", number, 0)
    store.close()
    whole = store.path.read_bytes()
    store.path.write_bytes(whole[:8192] + bytes(byte ^ 0xFF for byte in whole[8192:12288]) + whole[12288:])
    damaged = store.path.read_bytes()
    shut = store_of(store.path.parent)
    assert (shut.unreadable != "", shut.accounts(), shut.display("hash")) == (True, [], None)
    assert store.path.read_bytes() == damaged
    shut.close()


def test_b41_a_log_that_a_forgotten_reader_lets_grow_is_told_once(tmp_path: Path):
    """faults.md B 41: a size alarm, in the log of who did what and as a number."""
    people = People(tmp_path, Rules())
    people.store.add("1042", "Ada Byron", frozenset({Role.DEALER}), "$hash", 7)
    with closing(sqlite3.connect(people.store.path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM accounts").fetchone()
        for _ in range(5):
            people.store.add_display(f"board {_}", "h" * 5_000_000 + str(_), 7)
            asyncio.run(people.tidy())
        assert people.store.log_bytes > LOG_ALARM_BYTES
        other.execute("COMMIT")
    lines = [json.loads(line) for line in (tmp_path / "access.jsonl").read_text().splitlines()]
    assert [(line["what"], line["bytes"] > LOG_ALARM_BYTES) for line in lines] == [("accounts-log-large", True)]
    asyncio.run(people.close())


def test_b41_who_reads_leaves_no_reader_behind_that_keeps_the_log_from_being_emptied(store: Store):
    """faults.md B 41: after many readings and writings a checkpoint takes the whole write-ahead log."""
    for number in range(MANY):
        store.failed("1042", "192.0.2.7", number, 0)
        assert store.account("1042") is not None
        store.failures("1042", "192.0.2.7")
    log = store.path.with_name(store.path.name + "-wal")
    assert log.stat().st_size > 0
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        busy, left, taken = other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert (busy, left, taken, log.stat().st_size) == (0, 0, 0, 0)


def another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE stock (card TEXT)")


@pytest.mark.parametrize("strange", [Path.touch, another_program], ids=["empty", "of another program"])
def test_b40_a_file_that_is_not_ours_is_unreadable_and_is_left_as_it_is(tmp_path: Path, strange: Callable):
    """faults.md B 40: a file cut to nothing is no new house, and nothing is written into a file of somebody else."""
    path = tmp_path / "accounts.sqlite"
    strange(path)
    before = path.read_bytes()
    store = store_of(tmp_path)
    assert str(path) in store.unreadable
    store.close()
    assert (path.read_bytes(), [one.name for one in tmp_path.iterdir()]) == (before, [path.name])


def test_b40_two_who_open_a_new_file_at_once_both_have_it(tmp_path: Path):
    first, second = Store(tmp_path), Store(tmp_path)
    first.add("1042", "Ada Byron", frozenset({Role.DEALER}), "$hash", 7)
    assert second.account("1042") is not None
    first.close()
    second.close()
