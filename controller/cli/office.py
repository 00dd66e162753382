"""The accounts of a data folder as `tirage accounts` opens them, and what its commands have in common."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import click

if TYPE_CHECKING:
    from controller.accounts.accesslog import AccessLog
    from controller.accounts.policy import AuthPolicy
    from controller.accounts.store import Store

EXIT_CONFIG, EXIT_DEVICE, EXIT_FOUND = 78, 5, 1

Wrapped = Callable[..., Any]


@dataclass(frozen=True)
class Office:
    """The data folder's accounts, open, with the log in which each change is told."""

    store: Store
    log: AccessLog
    policy: AuthPolicy

    def tell(self, what: str, **more: str | int) -> None:
        """Record what is done here: the terminal knows its user by the system's number only."""
        from controller.accounts.accesslog import Entry

        self.log.tell(Entry(f"os:{os.getuid()}", what, "terminal", tuple(more.items())))


@contextmanager
def office(path: str) -> Iterator[Office]:
    """Open the accounts of a configuration; what goes wrong becomes one line and an exit code."""
    from controller.accounts.accesslog import AccessLog
    from controller.accounts.clock import Clock
    from controller.accounts.errors import AccountsError, CannotLog
    from controller.accounts.policy import POLICIES
    from controller.accounts.store import Store
    from controller.config import ConfigError, load

    try:
        config = load(path)
    except ConfigError as error:
        fail(error, EXIT_CONFIG)
    try:
        store, log = Store(config.data_folder), AccessLog(config.data_folder, Clock())
        try:
            yield Office(store, log, POLICIES[config.accounts.auth_policy])
        finally:
            log.close()
            store.close()
    except CannotLog as error:
        fail(error, EXIT_DEVICE)
    except AccountsError as error:
        fail(error, EXIT_FOUND)


def fail(error: Exception, code: int) -> NoReturn:
    """Say what is wrong and end."""
    click.echo(f"tirage accounts: {error}" if code != EXIT_CONFIG else str(error), err=True)
    raise click.exceptions.Exit(code)


def password() -> str:
    """Return a password from the terminal, typed twice, or one line of standard input."""
    if sys.stdin.isatty():
        return str(click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")


def configured(function: Wrapped) -> Wrapped:
    """Add --config."""
    return click.option("--config", "path", type=click.Path(), required=True, help="The configuration (TOML).")(
        function
    )


number = click.argument("number", metavar="NUMBER")


def role_names(_ctx: click.Context, _param: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse roles that are not there, or do not go together."""
    from controller.accounts.errors import AccountsError
    from controller.accounts.roles import fitting

    try:
        fitting(names)
    except AccountsError as error:
        raise click.BadParameter(str(error)) from error
    return names


role_option = click.option(
    "--role",
    "names",
    multiple=True,
    required=True,
    callback=role_names,
    help="dealer, supervisor, surveillance, auditor, technician or account-admin; may be repeated.",
)
as_json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")


def example(words: str) -> str:
    """Return the end of a command's help."""
    return f"\b\nExample:\n  tirage accounts {words}"


def known(at: Office, number: str) -> None:
    """Refuse a number that has no account, before anything is told. Raises AccountsError."""
    from controller.accounts.errors import AccountsError

    if at.store.account(number) is None:
        raise AccountsError(f"there is no account {number}")
