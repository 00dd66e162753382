"""Accounts on disk, and what a password must be."""

from __future__ import annotations

import os
import sqlite3
import stat
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.accounts.accesslog import AccessLog
from controller.accounts.clock import Clock
from controller.accounts.errors import AccountsError, BadPassword
from controller.accounts.passwords import Keeper, check_new, is_common
from controller.accounts.policy import GAMING, MODERN
from controller.accounts.roles import Role, fitting
from controller.accounts.store import Store
from tests.accounts.house import PASSWORD

DEALER = fitting(["dealer"])


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path)
    yield made
    made.close()


def test_an_account_is_there_after_the_file_was_closed(tmp_path):
    first = Store(tmp_path)
    first.add("1042", "Ada Byron", fitting(["dealer", "supervisor"]), "$hash", 7)
    first.close()
    again = Store(tmp_path)
    account = again.account("1042")
    assert (account.roles, account.must_change, again.name("1042")) == (
        frozenset({Role.DEALER, Role.SUPERVISOR}),
        True,
        "Ada Byron",
    )
    assert "$hash" not in repr(account)
    again.close()


def test_only_the_daemons_own_user_reads_the_file_and_its_log(store, tmp_path):
    store.add("1042", "", DEALER, "$hash", 7)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert set(modes.values()) == {0o600}, modes


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files for others")
def test_what_root_makes_belongs_to_the_folders_owner(tmp_path):
    """`sudo tirage accounts add` before the daemon, which is another user, has ever run."""
    os.chown(tmp_path, 12_345, 12_346)
    made, log = Store(tmp_path), AccessLog(tmp_path, Clock())
    made.add("1042", "", DEALER, "$hash", 7)
    owners = {path.name: (path.stat().st_uid, path.stat().st_gid) for path in tmp_path.iterdir()}
    log.close()
    made.close()
    assert len(owners) == 4
    assert set(owners.values()) == {(12_345, 12_346)}, owners


def test_what_is_written_is_durable_and_typed(store):
    """dependencies.md: WAL, synchronous FULL, STRICT."""
    assert store._writing.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._writing.execute("PRAGMA synchronous").fetchone() == (2,)
    with pytest.raises(sqlite3.IntegrityError, match="cannot store TEXT value"):
        store._writing.execute("INSERT INTO failures VALUES ('1', 'a', 'many', 2)")


def test_an_erased_name_is_gone_from_every_byte_and_the_number_stays(store, tmp_path):
    """Promised: names live apart and can be erased."""
    daemon = Store(tmp_path)  # which is open beside the command line
    daemon.add("1042", "Ada Byron", DEALER, "$hash", 7)
    assert daemon.name("1042") == "Ada Byron"
    assert any(b"Ada Byron" in path.read_bytes() for path in tmp_path.iterdir())
    assert store.erase_name("1042")
    assert not any(b"Ada Byron" in path.read_bytes() for path in tmp_path.iterdir())
    assert store.account("1042") is not None
    assert daemon.name("1042") == ""
    daemon.close()


def test_a_number_belongs_to_one_account(store):
    store.add("1042", "", DEALER, "$hash", 7)
    with pytest.raises(AccountsError, match="already"):
        store.add("1042", "Another", DEALER, "$hash", 7)
    assert store.name("1042") == ""


def test_a_change_of_nobody_is_an_error(store):
    with pytest.raises(AccountsError, match="no account 9"):
        store.set_disabled("9", 1)


def test_a_name_that_another_reader_holds_fast_is_not_called_erased(store, tmp_path):
    """faults.md B 41: the write-ahead log cannot be emptied under an open reader."""
    store.add("1042", "Ada Byron", DEALER, "$hash", 7)
    store._writing.execute("PRAGMA busy_timeout = 50")
    reader = sqlite3.connect(store.path)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM names").fetchall()
    with pytest.raises(AccountsError, match="erase again"):
        store.erase_name("1042")
    reader.close()
    store.erase_name("1042")
    assert not any(b"Ada Byron" in path.read_bytes() for path in tmp_path.iterdir())


def test_two_processes_see_each_others_changes(store, tmp_path):
    other = Store(tmp_path)
    other.add("1042", "", DEALER, "$hash", 7)
    assert store.account("1042").version == 1
    other.set_disabled("1042", 1)
    assert (store.account("1042").disabled, store.account("1042").version) == (True, 2)
    other.close()


def test_a_file_of_a_later_version_is_left_alone(tmp_path):
    made = sqlite3.connect(tmp_path / "accounts.sqlite")
    made.execute("PRAGMA user_version = 9")
    made.close()
    with pytest.raises(AccountsError, match="format 9"):
        Store(tmp_path)


def test_a_file_that_is_no_store_is_told_in_a_sentence(tmp_path):
    """faults.md B 40: told, never thrown away."""
    (tmp_path / "accounts.sqlite").write_bytes(text := b"not a database at all, only some text" * 40)
    with pytest.raises(AccountsError, match="cannot open"):
        Store(tmp_path)
    assert (tmp_path / "accounts.sqlite").read_bytes() == text


def test_failures_of_yesterday_are_forgotten(store):
    store.failed("1", "a", 100, 0)
    store.failed("2", "b", 200, 150)
    assert (store.failures("1", "a"), store.failures("2", "b")) == ((0, 0), (1, 200))


@pytest.mark.parametrize("names", [[], ["account-admin", "supervisor"], ["croupier"]])
def test_roles_that_do_not_go_together_are_refused(names):
    """trust.md 4.3: the account admin has no table rights."""
    with pytest.raises(AccountsError):
        fitting(names)


@pytest.mark.parametrize(
    "password",
    [
        "aaaaaaaaaaaaaaaa",
        "1212121212121212",
        "abcdefghijklmnop",
        "1234567890123456",
        "qwertyuiopasdfgh",
        "qwertzuiopasdfgh",
        "passwordpassword",
        "Password12345678",
        "PASSWORD!!!!!!!!!",
        "welcome-welcome-1",
        "casino2026casino",
        "BaccaratBaccarat1",
        "correct horse battery staple",
        "Sunshine Princess",
    ],
)
def test_what_is_tried_first_is_refused(password):
    """ASVS 6.2.4."""
    assert is_common(password)


@pytest.mark.parametrize(
    "password",
    [
        PASSWORD,
        "seven lanterns by the quay",
        "x7Qp-20fj-44Lm-zz01",
        "龙井茶与三只白鹤在湖边的早晨飞",
        "correct kettle battery moss",
    ],
)
def test_a_few_unrelated_words_are_taken_without_rules_of_composition(password):
    """ASVS 6.2.5."""
    check_new(password, MODERN, "1042", "Ada Byron")


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("fourteen chars", "short"),
        ("x" * 129, "long"),
        ("kettle 1042 under moss", "own"),
        ("kettle BYRON under moss", "own"),
    ],
)
def test_what_is_wrong_with_a_password_is_said(password, reason):
    with pytest.raises(BadPassword) as caught:
        check_new(password, MODERN, "1042", "Ada Byron")
    assert caught.value.reason == reason


def test_a_long_password_is_taken_whole():
    """ASVS 6.2.9, 6.2.8: 64 and more, and every character counts."""
    keeper, long = Keeper(), "brass kettle under moss " * 5
    kept = keeper.hash(long)
    assert kept.startswith("$argon2id$")
    assert keeper.fits(kept, long)
    assert not keeper.fits(kept, long[:-1])
    assert not keeper.fits(kept, long.upper())


@given(st.text(max_size=200))
def test_any_text_is_judged_and_never_crashes(password):
    is_common(password)


def test_the_wait_grows_to_a_quarter_of_an_hour_and_no_further():
    """trust.md 4.4."""
    waits = [MODERN.wait_s(count) for count in range(1, 60)]
    assert waits[:4] == [0, 0, 0, 0]
    assert all(later == min(2 * earlier, 900) for earlier, later in pairwise(waits[4:]))
    assert {GAMING.wait_s(count) for count in range(5, 60)} == {1_800}
