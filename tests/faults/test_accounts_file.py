"""The one SQLite file: no table needs it, and nobody who reads it stands in another's way (faults.md B 40, 41)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.accounts.roles import Role
from controller.accounts.store import Store
from controller.core.signals import PoweredUp
from tests.daemon.daemon import facts, table

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
