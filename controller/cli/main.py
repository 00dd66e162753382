"""The command `tirage`: finds each command late, so that `--help` is fast."""

from __future__ import annotations

import importlib
from typing import Any

import click

from controller.cli.standard import guarded

# Command to the module that holds it under the same name, hyphens as underscores.
COMMANDS = {
    "run": "Run the tables of a configuration, or a demonstration.",
    "replay": "Replay a captured shoe log or a journal, fact by fact.",
    "audit": "Judge the hands of tables (CSV), shoe captures and journals.",
    "roads": "Draw the roads of a shoe from its results.",
    "simulate": "Deal seeded shoes into scripts, bytes or a pseudo-terminal.",
    "decode": "Show the frames of a captured shoe log.",
    "export": "Write hands, facts or incidents of journals as CSV or JSON lines.",
    "backup": "Copy a data folder into one file while the daemon runs.",
    "restore": "Put a backup into an empty data folder, verified.",
    "accounts": "Make and change accounts and display tokens.",
    "profiles": "List, show, check and compare house profiles.",
    "check-config": "Check a configuration and say what to mend.",
    "devices": "List the serial devices that are plugged in, by identity.",
    "order": "Tell an Angel Eye shoe to lock, unlock, clear an error or confirm.",
    "doctor": "Listen at a shoe's port and say what is wrong first.",
    "version": "Say which version this is.",
}


class LateGroup(click.Group):
    """A group that imports a command when it is asked for."""

    def main(self, *arguments: Any, **more: Any) -> Any:
        """Run a command, and answer for its standard output."""
        with guarded():
            return super().main(*arguments, **more)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the commands in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return a command."""
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(importlib.import_module(f"controller.cli.{name}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


EPILOG = """\b
Examples:
  tirage run --demo
  tirage audit hands.csv
  tirage audit --help
"""


@click.group(cls=LateGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Baccarat dealer-assist and shoe controller.

    Not certified or approved by any jurisdiction.
    """
