"""`tirage check-config`: what is wrong with a configuration, or what it says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import click

if TYPE_CHECKING:
    from controller.config import Config, ConfigError

EXIT_CONFIG = 78

EPILOG = """\b
Examples:
  tirage check-config /etc/tirage/tirage.toml
  tirage check-config --json tirage.toml
  tirage check-config - < tirage.toml

\b
Exit codes: 0 the configuration can be used, 78 it cannot, 2 usage.
"""


@click.command("check-config", epilog=EPILOG)
@click.argument("file", metavar="FILE|-", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="One JSON object a problem, then a summary.")
def check_config(file: str, as_json: bool) -> None:
    """Check a configuration; each problem names its line, what was expected and the fix.

    Nothing is opened: a shoe that is not connected now is no problem.
    """
    from controller.config import ConfigError, load

    try:
        config = load(file)
    except ConfigError as error:
        refuse(error, as_json=as_json)
    click.echo(json.dumps({"summary": summary(config)}) if as_json else "\n".join(lines(config)))


def refuse(error: ConfigError, *, as_json: bool) -> NoReturn:
    """Print every problem and end with the exit code of a bad configuration."""
    for problem in error.problems:
        click.echo(json.dumps(problem.as_dict()) if as_json else str(problem))
    if as_json:
        click.echo(json.dumps({"summary": {"problems": len(error.problems)}}))
    raise click.exceptions.Exit(EXIT_CONFIG)


def summary(config: Config) -> dict[str, Any]:
    """Return what the configuration says, with every default filled in; the token is not repeated."""
    return {
        "problems": 0,
        "data": config.data,
        "pit": str(config.server.pit),
        "metrics": str(config.server.metrics),
        "hosts": list(config.server.hosts),
        "token": config.server.token is not None,
        "accounts": config.accounts.model_dump(),
        "tables": list(tables(config)),
        "notes": list(notes(config)),
    }


def notes(config: Config) -> Iterator[str]:
    """Say what is no mistake and should be known all the same."""
    from controller.config import LetDown, let_down_of

    for table in config.tables:
        worth = let_down_of(config, table)
        if worth is not None:
            said = f"table {table.id}: let_down of {table.shoe.let_down} {worth.value}"
            yield said if worth is not LetDown.BY_TWO else f"{said}; take it out once the shoe proves itself again"


def tables(config: Config) -> Iterator[dict[str, Any]]:
    """Describe each table."""
    from controller.config import house_of, identifies_of, settings_dict

    for table in config.tables:
        yield {
            "id": table.id,
            "name": table.name,
            **table.shoe.model_dump(exclude={"codes"}),
            "codes": len(table.shoe.codes) if table.shoe.codes else None,
            "connected": connected(table.shoe.port),
            "profile": table.rules.profile,
            "rules": settings_dict(house_of(table), identifies_of(table)),
        }


def connected(port: str) -> bool | None:
    """Whether a device or file is there now; None for a serial server, which is not asked."""
    from drivers.ports import port_address

    return port_address(port).there


def lines(config: Config) -> Iterator[str]:
    """Return the summary for a person."""
    told = summary(config)
    yield "ok"
    yield f"data      {told['data']}"
    yield f"pit       http://{told['pit']}/ ({'other machines need the token' if told['token'] else 'no token'})"
    if told["accounts"]["enabled"]:
        two = ", ".join(told["accounts"]["two_persons"]) or "nothing"
        yield f"accounts  {told['accounts']['auth_policy']}, two persons for {two}"
    yield f"metrics   http://{told['metrics']}/metrics"
    for table in told["tables"]:
        rules = table["rules"]
        here = " (not connected now)" if table["connected"] is False else ""
        yield f"table {table['id']}  {table['name']}: {rules['game']}, {rules['decks']} decks, {rules['deal']}"
        yield f"    shoe  {table['driver']}, {table['mode']} mode, {table['port']} at {table['baud']} baud{here}"
        if table["profile"]:
            yield f"    profile {table['profile']} (`tirage profiles show` tells its remedies)"
        yield "    rules " + ", ".join(f"{key} {value}" for key, value in rules.items() if in_line(key, value))
    yield from told["notes"]


def in_line(key: str, value: Any) -> bool:
    """Whether a rule is told in the line of the rules: neither told above it nor a whole section."""
    return key not in ("game", "decks", "deal") and not isinstance(value, dict | list)
