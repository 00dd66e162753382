"""`tirage replay`: a captured shoe log or a journal, fact by fact."""

from __future__ import annotations

import sys
from typing import Any

import click

from controller.cli.gaming import at_a_table, of_a_game, setting_of
from controller.cli.params import FiniteRange

FORMATS = ("hex", "raw", "script", "journal")
UNATTENDED = ("accept", "void", "stop")

EPILOG = """\b
Examples:
  tirage replay shoe.hex
  tirage replay --json --pace 1 000042-shoe.raw
  tirage replay --json /var/lib/tirage/b1
  tirage replay --format hex - < shoe.hex
  tirage replay --game chemin-de-fer --keys keys.jsonl shoe.hex
  tirage replay --json --game las_vegas --format script evening.jsonl
  tirage replay --config /etc/tirage/tirage.toml --table b1 shoe.raw

\b
Exit codes: 0 clean, 1 irregularities found that stand in the end (or stopped by --unattended stop), 3 the input cannot
be read or is cut in a record, 4 a journal is damaged or its facts come out otherwise, 78 bad configuration, 2 usage.
"""


@click.command("replay", epilog=EPILOG)
@click.argument("file")
@of_a_game
@at_a_table
@click.option("--json", "as_json", is_flag=True, help="One JSON object a fact, then a summary.")
@click.option("--format", "named", type=click.Choice(FORMATS), help="What FILE is; needed for - (stdin).")
@click.option("--pace", type=FiniteRange(min=0), default=0.0, show_default=True,
              help="0 at once, 1 at the pace of the recording, 2 twice as fast.")  # fmt: skip
@click.option("--unattended", type=click.Choice(UNATTENDED), default="accept",
              show_default=True, help="How a capture's holds that wait for a person are closed.")  # fmt: skip
@click.option("--decks", type=click.IntRange(1, 16), help="Decks of a capture's shoe [8; 6 where people decide].")
@click.option("--keys", "keys_path", type=click.Path(exists=True, dir_okay=False),
              help="The croupier's keys to a capture of cards alone.")  # fmt: skip
def replay(file: str, game: str, switches: tuple[str, ...], **given: Any) -> None:
    """Replay FILE, a captured shoe log or a journal (a segment or a table's folder).

    A capture of chemin de fer or banque is one of a shoe that tells cards alone, so it needs the croupier's keys;
    a script of a simulation holds them, a journal has its own game and commands. --config says game, house, shoe and
    codes of cards as the daemon has them: so is read what a table at a line shoe or with codes of its own has captured.
    """
    from controller.cli.replaying import Pace, Replay, printer
    from controller.sources.unattended import Policy

    as_json = given["as_json"]
    run = Replay(
        file,
        Policy(given["unattended"]),
        setting_of(game, switches, given["config_path"], given["table_id"], given["decks"]),
        given["keys_path"],
        printer(as_json),
        Pace(given["pace"]),
    )
    sys.exit(run.go(given["named"], as_json=as_json))
