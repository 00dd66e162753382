"""`tirage accounts`: the people who sign in, and the displays, of a configuration's data folder."""

from __future__ import annotations

import json
from time import time_ns
from typing import Any

import click

from controller.cli.kiosk import kiosk
from controller.cli.lettingdown import let_down
from controller.cli.office import (
    as_json_option,
    configured,
    example,
    known,
    number,
    office,
    password,
    role_option,
)

EXIT_INTEGRITY = 4

EPILOG = """\b
Examples:
  tirage accounts add 1042 --role dealer --config /etc/tirage/tirage.toml
  tirage accounts roles 1042 --role supervisor --role surveillance --config tirage.toml
  tirage accounts kiosk add "board 1" --config tirage.toml
  tirage accounts log --config tirage.toml

\b
Passwords are asked for on the terminal, or read as one line from standard input; they are never arguments.

\b
Exit codes: 0 done, 1 not done (no such account, a weak password), 2 usage, 78 bad configuration, 5 the log or the
folder cannot be written, 4 the access log is not what was written.
"""


@click.group("accounts", epilog=EPILOG)
def accounts() -> None:
    """Make and change the accounts of people and the tokens of displays."""


accounts.add_command(kiosk)
accounts.add_command(let_down)


@accounts.command("add", epilog=example('add 1042 --role dealer --name "Ada Byron" --config tirage.toml'))
@number
@role_option
@click.option("--name", default="", help="The person's name, kept apart from every log.")
@configured
def add(number: str, names: tuple[str, ...], name: str, path: str) -> None:
    """Make an account; its owner chooses another password at the first sign-in."""
    from controller.accounts.errors import AccountsError
    from controller.accounts.passwords import Keeper, check_new
    from controller.accounts.roles import fitting

    if not (number.isascii() and number.isdigit() and len(number) <= 10):
        raise click.UsageError("NUMBER is a staff number of 1 to 10 digits")
    with office(path) as at:
        roles = fitting(names)
        if at.store.account(number) is not None:
            raise AccountsError(f"there is an account {number} already")
        chosen = password()
        check_new(chosen, at.policy, number, name)
        at.tell("account-added", account=number, roles=" ".join(sorted(names)))
        at.store.add(number, name, roles, Keeper().hash(chosen), time_ns())
    click.echo(f"account {number}: {', '.join(names)}")


@accounts.command("list", epilog=example("list --config tirage.toml"))
@as_json_option
@configured
def list_accounts(as_json: bool, path: str) -> None:
    """List the accounts."""
    with office(path) as at:
        for account in at.store.accounts():
            told = {
                "number": account.number,
                "name": at.store.name(account.number),
                "roles": sorted(role.value for role in account.roles),
                "disabled": account.disabled,
                "must_change": account.must_change,
            }
            state = "  disabled" if account.disabled else "  password to be changed" if account.must_change else ""
            text = f"{account.number:<10}  {', '.join(told['roles'])}  {told['name']}{state}".rstrip()  # type: ignore[arg-type]
            click.echo(json.dumps(told) if as_json else text)


@accounts.command("roles", epilog=example("roles 1042 --role supervisor --role surveillance --config tirage.toml"))
@number
@role_option
@configured
def roles(number: str, names: tuple[str, ...], path: str) -> None:
    """Give an account other roles; its owner must sign in again."""
    from controller.accounts.roles import fitting

    with office(path) as at:
        wanted = fitting(names)
        known(at, number)
        at.tell("roles-changed", account=number, roles=" ".join(sorted(names)))
        at.store.set_roles(number, wanted)
    click.echo(f"account {number}: {', '.join(names)}")


@accounts.command("password", epilog=example("password 1042 --config tirage.toml"))
@number
@configured
def set_password(number: str, path: str) -> None:
    """Give an account another password, to be changed at the next sign-in."""
    from controller.accounts.passwords import Keeper, check_new

    with office(path) as at:
        known(at, number)
        chosen = password()
        check_new(chosen, at.policy, number, at.store.name(number))
        at.tell("password-set", account=number)
        at.store.set_password(number, Keeper().hash(chosen), time_ns(), must_change=1)
    click.echo(f"account {number}: password set")


@accounts.command("disable", epilog=example("disable 1042 --config tirage.toml"))
@number
@configured
def disable(number: str, path: str) -> None:
    """Close an account; whoever is signed in with it is out at once."""
    switch(path, number, "account-disabled", 1)


@accounts.command("enable", epilog=example("enable 1042 --config tirage.toml"))
@number
@configured
def enable(number: str, path: str) -> None:
    """Open a closed account again."""
    switch(path, number, "account-enabled", 0)


@accounts.command("erase", epilog=example("erase 1042 --config tirage.toml"))
@number
@configured
def erase(number: str, path: str) -> None:
    """Remove a person's name for good; the number stays, for the records name it."""
    with office(path) as at:
        known(at, number)
        at.tell("name-erased", account=number)
        gone = at.store.erase_name(number)
    click.echo(f"account {number}: {'name erased' if gone else 'there was no name'}")


@accounts.command("log", epilog=example("log --json --config tirage.toml"))
@as_json_option
@configured
def log(as_json: bool, path: str) -> None:
    """Show the access log and check that nothing in it was changed."""
    from controller.accounts.accesslog import Flaw, read

    flaws = 0
    with office(path) as at:
        at.tell("log-read")  # access to a log is itself logged
        for told in read(at.log.path):
            if isinstance(told, Flaw):
                flaws += 1
                click.echo(json.dumps({"flaw": {"line": told.line, "what": told.what}}) if as_json else str(told))
            else:
                click.echo(json.dumps(told) if as_json else line_of(told))
    if flaws:
        raise click.exceptions.Exit(EXIT_INTEGRITY)


def switch(path: str, number: str, what: str, disabled: int) -> None:
    """Close or open an account."""
    with office(path) as at:
        known(at, number)
        at.tell(what, account=number)
        at.store.set_disabled(number, disabled)
    click.echo(f"account {number}: {what.removeprefix('account-')}")


def line_of(told: dict[str, Any]) -> str:
    """Return a line of the log for a person; what came from outside is quoted, so that it moves no cursor."""
    more = {name: value for name, value in told.items() if name not in {"i", "prev", "utc", "who", "what", "where"}}
    rest = "  ".join(f"{name}={json.dumps(value)}" for name, value in more.items())
    return f"{told['utc']}  {json.dumps(told['who'])}  {told['what']}  {json.dumps(told['where'])}  {rest}".rstrip()
