"""`tirage accounts let-down`: two persons, each by password, let a shoe speak with less than it proved before."""

from __future__ import annotations

import re
import secrets
import sys
from typing import TYPE_CHECKING

import click

from controller.cli.office import Office, configured, example, known, office

if TYPE_CHECKING:
    from controller.accounts.store import Account

DEVICE = re.compile(r"[0-9a-f]{16}")
WHERE = "terminal"


@click.command("let-down", epilog=example("let-down 0102030405060708 --table b1 --staff 7001 --second 2001 --config F"))
@click.argument("device", metavar="DEVICE")
@click.option("--table", "table_id", required=True, help="The table whose shoe it is.")
@click.option("--staff", "first", required=True, help="Who asks: a technician, supervisor or surveillance.")
@click.option("--second", required=True, help="Who agrees: another supervisor or surveillance.")
@configured
def let_down(device: str, table_id: str, first: str, second: str, path: str) -> None:
    """Let a tirage shoe speak with less proof than before; `let_down` in [tables.shoe] counts with this alone.

    Each of the two gives their own password: on the terminal, or as a line of standard input each. It counts for the
    starts of the next 30 days, and for this shoe at this table.
    """
    from controller.accounts.accesslog import Entry
    from controller.accounts.lettingdown import ASKED, GIVEN, Wish, check_two

    if not DEVICE.fullmatch(device):
        raise click.UsageError("DEVICE is 16 hex digits in small letters, as `tirage doctor` tells them")
    with office(path) as at:
        _check_table(path, table_id)
        check_two(_account(at, first), _account(at, second))
        _prove(at, first)
        _prove(at, second)
        told = Wish(table_id, device).told(secrets.token_urlsafe(9), first)
        for number, what in ((first, ASKED), (second, GIVEN)):
            at.log.tell(Entry(f"staff:{number}", what, WHERE, told))
    click.echo(
        f"{device} at {table_id}: staff {first} and {second} let it down; write let_down in [tables.shoe], then restart"
    )


def _check_table(path: str, table_id: str) -> None:
    """Refuse a table that is not there, or accounts that are not enabled. Raises AccountsError, click.UsageError."""
    from controller.accounts.errors import AccountsError
    from controller.cli.gaming import one_table
    from controller.config import load

    config = load(path)
    one_table(config.tables, table_id)
    if not config.accounts.enabled:
        raise AccountsError("the accounts are not enabled: nothing would ask for two persons")


def _account(at: Office, number: str) -> Account:
    """Return an account that may act. Raises AccountsError."""
    from controller.accounts.errors import AccountsError

    known(at, number)
    account = at.store.account(number)
    if account is None or account.disabled:
        raise AccountsError(f"the account {number} is closed")
    if account.must_change:
        raise AccountsError(f"{number} must sign in and choose a password first: somebody else knows this one")
    return account


def _prove(at: Office, number: str) -> None:
    """Ask for a person's password; failures count as at the sign-in. Raises AccountsError."""
    from controller.accounts.accesslog import Entry
    from controller.accounts.clock import Clock
    from controller.accounts.errors import AccountsError
    from controller.accounts.passwords import Keeper
    from controller.accounts.policy import DAY_S

    now, source = Clock().utc_ns(), WHERE if at.policy.counted_by == "address" else ""
    count, last = at.store.failures(number, source)
    if (wait := at.policy.wait_s(count) - max(0.0, (now - last) / 1e9)) > 0:
        raise AccountsError(f"too many wrong passwords of {number}: wait {wait:.0f} s")
    if not Keeper().fits(_account(at, number).hash, _password(number)):
        at.store.failed(number, source, now, now - DAY_S * 1_000_000_000)
        at.log.tell(Entry(f"staff:{number}", "sign-in-failed", WHERE))
        raise AccountsError(f"the password of {number} is wrong: nothing was changed")
    if count:
        at.store.forget_failures(number, source)


def _password(number: str) -> str:
    if sys.stdin.isatty():
        return str(click.prompt(f"Password of {number}", hide_input=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")
