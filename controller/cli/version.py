"""`tirage version`."""

import json

import click

from controller.version import NOT_CERTIFIED, VERSION


@click.command("version", epilog="\b\nExample:\n  tirage version")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def version(as_json: bool) -> None:
    """Say which version this is."""
    if as_json:
        print(json.dumps({"version": VERSION, "certified": False, "notice": NOT_CERTIFIED}))
    else:
        print(f"tirage {VERSION}\n{NOT_CERTIFIED}")
