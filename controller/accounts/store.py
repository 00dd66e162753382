"""Accounts on disk: SQLite, one small file that only the daemon's own user reads."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from controller.accounts.errors import AccountsError
from controller.accounts.files import private
from controller.accounts.roles import Roles, fitting

FILE_NAME = "accounts.sqlite"
FORMAT = 1
BUSY_S = 5.0
SCHEMA = """
CREATE TABLE accounts (
    number TEXT PRIMARY KEY, hash TEXT NOT NULL, roles TEXT NOT NULL, disabled INTEGER NOT NULL DEFAULT 0,
    must_change INTEGER NOT NULL DEFAULT 0, version INTEGER NOT NULL DEFAULT 1, changed_utc_ns INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE names (number TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE failures (
    number TEXT NOT NULL, source TEXT NOT NULL, count INTEGER NOT NULL, last_utc_ns INTEGER NOT NULL,
    PRIMARY KEY (number, source)
) STRICT, WITHOUT ROWID;
CREATE TABLE displays (name TEXT PRIMARY KEY, token_hash TEXT NOT NULL UNIQUE, made_utc_ns INTEGER NOT NULL)
    STRICT, WITHOUT ROWID;
"""
ACCOUNT = "SELECT number, hash, roles, disabled, must_change, version, changed_utc_ns FROM accounts"


@dataclass(frozen=True, slots=True)
class Account:
    """A person as the program knows one: a staff number. The name is kept elsewhere, and can be erased."""

    number: str
    hash: str = field(repr=False)
    roles: Roles
    disabled: bool
    must_change: bool
    version: int  # grows with every change: a session of an earlier one is over
    changed_utc_ns: int


def _refuse_strange(path: Path) -> None:
    """Look at what lies there before anything is written: a file without a word or of somebody else is not ours.

    Raises AccountsError, OSError, sqlite3.Error.
    """
    if not path.exists():
        return
    if not path.stat().st_size:
        raise AccountsError(f"{path} is empty; restore it, or remove it where nobody ever had an account")
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_S)) as looking:
        (found,) = looking.execute("PRAGMA user_version").fetchone()
        (tables,) = looking.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if found == 0 and tables:
        raise AccountsError(f"{path} is a file of another program; restore the file of accounts")


def _account(row: tuple[str, str, str, int, int, int, int]) -> Account:
    number, kept, roles, disabled, must_change, version, changed = row
    return Account(number, kept, fitting(roles.split()), bool(disabled), bool(must_change), version, changed)


class Store:
    """The file. Every method is one short transaction; writes are durable when they return.

    Raises AccountsError where the file cannot be opened or is not one of ours.
    """

    unreadable = ""  # why nobody can be looked up

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self._lock = Lock()  # one writer; readers have a connection of their own and never wait for the disk
        try:
            _refuse_strange(self.path)
            os.close(private(self.path))  # SQLite gives -wal and -shm the same mode and owner
            self._writing = self._connection()
            self._make()
            self._reading = self._connection()
        except (OSError, sqlite3.Error) as error:
            raise AccountsError(f"cannot open {self.path}: {error}") from error

    def _connection(self) -> sqlite3.Connection:
        made = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON", "trusted_schema = OFF"):
            made.execute(f"PRAGMA {pragma}")
        return made

    def _make(self) -> None:
        with self._change() as change:
            (found,) = change.execute("PRAGMA user_version").fetchone()
            if found == FORMAT:
                self._check(change)
                return
            if found != 0:
                raise AccountsError(f"{self.path} has format {found}; this version reads {FORMAT}")
            for statement in SCHEMA.split(";"):
                change.execute(statement)
            change.execute(f"PRAGMA user_version = {FORMAT}")

    @property
    def log_bytes(self) -> int:
        """The size of the file's write-ahead log; it grows while another process keeps a reader open (B 41)."""
        try:
            return self.path.with_name(self.path.name + "-wal").stat().st_size
        except OSError:
            return 0

    def _check(self, change: sqlite3.Connection) -> None:
        (word,) = change.execute("PRAGMA quick_check(1)").fetchone()
        if word != "ok":
            raise AccountsError(f"cannot open {self.path}: {word}")

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._writing.execute("BEGIN IMMEDIATE")
            try:
                yield self._writing
            except BaseException:
                self._writing.execute("ROLLBACK")
                raise
            self._writing.execute("COMMIT")

    def close(self) -> None:
        """Close both connections; the file is then whole by itself."""
        self._reading.close()
        self._writing.close()

    # Accounts.

    def account(self, number: str) -> Account | None:
        """Return an account, None if nobody has the number."""
        row = self._reading.execute(f"{ACCOUNT} WHERE number = ?", (number,)).fetchone()
        return None if row is None else _account(row)

    def accounts(self) -> list[Account]:
        """Return all accounts by number."""
        return [_account(row) for row in self._reading.execute(f"{ACCOUNT} ORDER BY number")]

    def name(self, number: str) -> str:
        """Return a person's name, empty if it was never told or has been erased."""
        row = self._reading.execute("SELECT name FROM names WHERE number = ?", (number,)).fetchone()
        return "" if row is None else str(row[0])

    def add(self, number: str, name: str, roles: Roles, kept: str, now_utc_ns: int) -> None:
        """Make an account; its first password must be changed by its owner. Raises AccountsError if it is there."""
        with self._change() as change:
            try:
                change.execute(
                    "INSERT INTO accounts (number, hash, roles, must_change, changed_utc_ns) VALUES (?, ?, ?, 1, ?)",
                    (number, kept, _told(roles), now_utc_ns),
                )
            except sqlite3.IntegrityError:
                raise AccountsError(f"there is an account {number} already") from None
            if name:
                change.execute("INSERT INTO names VALUES (?, ?)", (number, name))

    def set_roles(self, number: str, roles: Roles) -> None:
        """Give an account other roles. Raises AccountsError."""
        self._set(number, "roles = ?", _told(roles))

    def set_disabled(self, number: str, disabled: int) -> None:
        """Close an account (1), or open it again (0). Raises AccountsError."""
        self._set(number, "disabled = ?", disabled)

    def set_password(self, number: str, kept: str, now_utc_ns: int, *, must_change: int) -> None:
        """Give an account another password; earlier failures are forgotten. Raises AccountsError."""
        self._set(number, "hash = ?, changed_utc_ns = ?, must_change = ?", kept, now_utc_ns, must_change)
        self.forget_failures(number)

    def rehash(self, number: str, old: str, kept: str) -> None:
        """Keep the same password with newer parameters; sessions go on."""
        with self._change() as change:
            change.execute("UPDATE accounts SET hash = ? WHERE number = ? AND hash = ?", (kept, number, old))

    def erase_name(self, number: str) -> bool:
        """Remove a name for good, from the file and its log; return whether there was one.

        Raises AccountsError where another process keeps the log from being emptied.
        """
        with self._change() as change:
            gone = change.execute("DELETE FROM names WHERE number = ?", (number,)).rowcount > 0
        with self._lock:  # outside the transaction: what the write-ahead log still holds goes too
            self._writing.execute("VACUUM")
            busy, _, _ = self._writing.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise AccountsError("the name is gone, but the file's log may still hold it: erase again in a moment")
        return gone

    def _set(self, number: str, columns: str, *values: str | int) -> None:
        with self._change() as change:
            # The columns are written in this file; only the values come from outside.
            statement = f"UPDATE accounts SET {columns}, version = version + 1 WHERE number = ?"  # noqa: S608
            if change.execute(statement, (*values, number)).rowcount == 0:
                raise AccountsError(f"there is no account {number}")

    # Failures: kept on disk, so that a restart gives no new tries. Numbers that nobody has are counted alike.

    def failures(self, number: str, source: str) -> tuple[int, int]:
        """Return how many tries failed in a row, and when the last one did."""
        query = "SELECT count, last_utc_ns FROM failures WHERE number = ? AND source = ?"
        return self._reading.execute(query, (number, source)).fetchone() or (0, 0)

    def failed(self, number: str, source: str, now_utc_ns: int, forget_before_ns: int) -> None:
        """Count a failure, and forget those that are too old to matter."""
        with self._change() as change:
            change.execute("DELETE FROM failures WHERE last_utc_ns < ?", (forget_before_ns,))
            change.execute(
                "INSERT INTO failures VALUES (?, ?, 1, ?) ON CONFLICT (number, source)"
                " DO UPDATE SET count = count + 1, last_utc_ns = excluded.last_utc_ns",
                (number, source, now_utc_ns),
            )

    def forget_failures(self, number: str, source: str | None = None) -> None:
        """Forget the failures of a number, of one source or of all."""
        with self._change() as change:
            change.execute("DELETE FROM failures WHERE number = ? AND source = coalesce(?, source)", (number, source))

    # Displays.

    def add_display(self, name: str, token_hash: str, now_utc_ns: int) -> None:
        """Make a display. Raises AccountsError if one has the name."""
        with self._change() as change:
            try:
                change.execute("INSERT INTO displays VALUES (?, ?, ?)", (name, token_hash, now_utc_ns))
            except sqlite3.IntegrityError:
                raise AccountsError(f"there is a display {name} already; remove it first") from None

    def remove_display(self, name: str) -> None:
        """Take a display's token back. Raises AccountsError."""
        with self._change() as change:
            if change.execute("DELETE FROM displays WHERE name = ?", (name,)).rowcount == 0:
                raise AccountsError(f"there is no display {name}")

    def display(self, token_hash: str) -> str | None:
        """Return the display of a token."""
        row = self._reading.execute("SELECT name FROM displays WHERE token_hash = ?", (token_hash,)).fetchone()
        return None if row is None else str(row[0])

    def displays(self) -> list[tuple[str, int]]:
        """Return name and time of making of each display."""
        return list(self._reading.execute("SELECT name, made_utc_ns FROM displays ORDER BY name"))


class ShutStore(Store):
    """A store that knows nobody, in the place of a file that cannot be read and is left as it is (faults.md B 40)."""

    def __init__(self, folder: Path, reason: str) -> None:
        self.path = folder / FILE_NAME
        self.unreadable = reason
        self._lock = Lock()
        self._writing = self._reading = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._make()


def store_of(folder: Path) -> Store:
    """Return the store of a folder: where its file cannot be read tables go on all the same, and nobody signs in."""
    try:
        return Store(folder)
    except AccountsError as error:
        return ShutStore(folder, str(error))


def _told(roles: Roles) -> str:
    return " ".join(sorted(role.value for role in roles))
