"""`tirage replay`: a captured shoe log or a journal, fact by fact."""

from __future__ import annotations

import sys

import click

from controller.cli.params import FiniteRange

FORMATS = ("hex", "raw", "journal")
UNATTENDED = ("accept", "void", "stop")

EPILOG = """\b
Examples:
  tirage replay shoe.hex
  tirage replay --json --pace 1 000042-shoe.raw
  tirage replay --json /var/lib/tirage/b1
  tirage replay --format hex - < shoe.hex

\b
Exit codes: 0 clean, 1 irregularities found (or stopped by --unattended stop), 3 the input cannot be read or is cut
in a record, 4 a journal is damaged or its facts come out otherwise, 2 usage.
"""


@click.command("replay", epilog=EPILOG)
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a fact, then a summary.")
@click.option("--format", "named", type=click.Choice(FORMATS), help="What FILE is; needed for - (stdin).")
@click.option("--pace", type=FiniteRange(min=0), default=0.0, show_default=True,
              help="0 at once, 1 at the pace of the recording, 2 twice as fast.")  # fmt: skip
@click.option("--unattended", type=click.Choice(UNATTENDED), default="accept",
              show_default=True, help="How a capture's holds that wait for a person are closed.")  # fmt: skip
@click.option("--decks", type=click.IntRange(1, 16), default=8, show_default=True, help="Decks of a capture's shoe.")
def replay(file: str, as_json: bool, named: str | None, pace: float, unattended: str, decks: int) -> None:
    """Replay FILE, a captured shoe log or a journal (a segment or a table's folder)."""
    from controller.cli.replaying import Pace, Replay, printer
    from controller.sources.unattended import Policy

    run = Replay(file, Policy(unattended), decks, printer(as_json), Pace(pace))
    sys.exit(run.go(named, as_json=as_json))
