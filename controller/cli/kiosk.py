"""`tirage accounts kiosk`: read-only tokens of displays."""

from __future__ import annotations

from time import time_ns

import click

from controller.cli.office import configured, example, office

TOKEN_BYTES = 32


@click.group("kiosk", epilog=example('kiosk add "board 1" --config tirage.toml'))
def kiosk() -> None:
    """Read-only tokens for displays without a person: boards and dealers' pages."""


@kiosk.command("add", epilog=example('kiosk add "board 1" --config tirage.toml'))
@click.argument("name")
@configured
def add_display(name: str, path: str) -> None:
    """Make a display and print its token, once."""
    import secrets

    from controller.accounts.sessions import digest

    if not name.isprintable() or not 1 <= len(name) <= 60:
        raise click.UsageError("NAME is a text of 1 to 60 characters")
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with office(path) as at:
        at.tell("display-added", display=name)
        at.store.add_display(name, digest(token), time_ns())
    click.echo(token)
    click.echo("Open /signin#display=TOKEN once on that display; the token is not shown again.", err=True)


@kiosk.command("list", epilog=example("kiosk list --config tirage.toml"))
@configured
def list_displays(path: str) -> None:
    """List the displays."""
    from controller.core.words import iso

    with office(path) as at:
        for name, made in at.store.displays():
            click.echo(f"{name}  since {iso(made)}")


@kiosk.command("remove", epilog=example('kiosk remove "board 1" --config tirage.toml'))
@click.argument("name")
@configured
def remove_display(name: str, path: str) -> None:
    """Take a display's token back; its pages go dark at once."""
    with office(path) as at:
        at.tell("display-removed", display=name)
        at.store.remove_display(name)
    click.echo(f"display {name}: removed")
