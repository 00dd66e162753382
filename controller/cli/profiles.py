"""`tirage profiles`: what a house has chosen, each value with its source; checked and compared."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from controller.core.profile import House

EXIT_DIFFERENT = 1
NONE = "-"
DEFAULT = "the default"

GROUP_EPILOG = """\b
Examples:
  tirage profiles list
  tirage profiles show chemin_tableau
  tirage profiles diff house_burn house_reuse
"""
LIST_EPILOG = """\b
Example:
  tirage profiles list --json

\b
Exit codes: 0 listed, 2 usage.
"""
SHOW_EPILOG = """\b
Examples:
  tirage profiles show fr_2007
  tirage profiles show ./house.toml --json

\b
Exit codes: 0 shown, 78 the profile has mistakes, 2 usage.
"""
CHECK_EPILOG = """\b
Example:
  tirage profiles check house.toml

\b
Exit codes: 0 the profile can be used, 78 it cannot, 2 usage.
"""
DIFF_EPILOG = """\b
Examples:
  tirage profiles diff house_burn house_reuse
  tirage profiles diff fr_2007 ./house.toml --json

\b
Exit codes: 0 no difference, 1 they differ, 78 a profile has mistakes, 2 usage.
"""
JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object a line, then a summary.")


@click.group(epilog=GROUP_EPILOG)
def profiles() -> None:
    """House profiles: those that ship with tirage, and a house's own.

    A NAME is one that `list` shows, or the path of a file that ends in .toml.
    """


@profiles.command("list", epilog=LIST_EPILOG)
@JSON
def list_all(as_json: bool) -> None:
    """List the profiles that ship with tirage."""
    from controller.profiles import names, profile, text_of
    from controller.profiles.telling import about

    told = [{"name": name, "game": profile(name).game.name, "about": about(text_of(name))} for name in names()]
    if as_json:
        _lines_and_summary(told, {"profiles": len(told)})
        return
    for one in told:
        click.echo(f"{one['name']:<25} {one['game']:<14} {one['about']}")


@profiles.command(epilog=SHOW_EPILOG)
@click.argument("name")
@JSON
def show(name: str, as_json: bool) -> None:
    """Show every value of a profile with the source that its line names."""
    from controller.profiles.telling import values

    house, text = _read(name, as_json=as_json)
    told = [{"key": one.key, "value": one.value, "source": one.source} for one in values(house, text)]
    if as_json:
        _lines_and_summary(told, {"profile": name, "game": house.game.name, "values": len(told)})
        return
    width = max(len(f"{one['key']} = {_written(one['value'])}") for one in told)
    for one in told:
        left = f"{one['key']} = {_written(one['value'])}"
        click.echo(f"{left:<{width}}  # {one['source'] or DEFAULT}")


@profiles.command(epilog=CHECK_EPILOG)
@click.argument("file", metavar="FILE|-", type=click.Path())
@JSON
def check(file: str, as_json: bool) -> None:
    """Check a house's own profile; each problem names its line, what was expected and the fix."""
    from controller.cli.check_config import refuse
    from controller.profiles.checking import house_in
    from controller.toml.problems import ConfigError
    from controller.toml.reading import text_at

    try:
        house = house_in(file, text_at(file, "a profile that can be read"))
    except ConfigError as error:
        refuse(error, as_json=as_json)
    if as_json:
        click.echo(json.dumps({"summary": {"problems": 0, "game": house.game.name, "decks": house.decks}}))
        return
    click.echo(f"ok\n{house.game.name}, {house.decks} decks, dealt {house.deal.value}")


@profiles.command(epilog=DIFF_EPILOG)
@click.argument("one")
@click.argument("other")
@JSON
def diff(one: str, other: str, as_json: bool) -> None:
    """Say where two profiles differ, key by key and irregularity by irregularity."""
    from controller.profiles.telling import differences

    found = list(differences(_read(one, as_json=as_json), _read(other, as_json=as_json)))
    if as_json:
        told = [{"key": at.key, "one": at.one, "other": at.other} for at in found]
        _lines_and_summary(told, {"one": one, "other": other, "differences": len(found)})
    elif not found:
        click.echo("no difference")
    else:
        width = max(len(at.key) for at in found)
        for at in found:
            click.echo(f"{at.key:<{width}}  {_written(at.one)}  |  {_written(at.other)}")
    raise click.exceptions.Exit(EXIT_DIFFERENT if found else 0)


def _read(name: str, *, as_json: bool) -> tuple[House, str]:
    """Return a profile and its text, or end with what is wrong."""
    from controller.cli.check_config import refuse
    from controller.profiles import ENDING, names, profile, text_of
    from controller.toml.problems import ConfigError

    try:
        return profile(name), text_of(name)
    except KeyError:
        known = ", ".join(names())
        raise click.UsageError(f"there is no profile {name}; there are {known}, or name a {ENDING} file") from None
    except ConfigError as error:
        refuse(error, as_json=as_json)


def _written(value: Any) -> str:
    """Return a value as TOML writes it."""
    return NONE if value is None else json.dumps(value)


def _lines_and_summary(told: list[dict[str, Any]], summary: dict[str, Any]) -> None:
    for line in (*told, {"summary": summary}):
        click.echo(json.dumps(line))
