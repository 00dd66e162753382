"""`tirage simulate`: seeded shoes as scripts, as bytes, or played on a pseudo-terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from controller.cli.gaming import of_a_game
from controller.cli.params import MOST_DECKS, FiniteRange

FORMATS = ("script", "hex", "raw", "bytes")

EPILOG = """\b
Examples:
  tirage simulate --seed 7 --hands 3
  tirage simulate --errors 0.02 --truth truth.jsonl --format hex --out shoe.hex
  tirage simulate --pty ./shoe --mode open --pace 0.2 --faults bit-flip=0.01
  tirage simulate --script shoe.jsonl --pty ./shoe
  tirage simulate --game chemin-de-fer --seed 3 --out evening.jsonl
  tirage simulate --game banque --switch five_rule=strict --errors 0.05 \\
      --format hex --out shoe.hex --keys keys.jsonl --truth truth.jsonl
  tirage audit --game banque --switch five_rule=strict --keys keys.jsonl shoe.hex

\b
Errors of the dealer (chance 0..1 for each hand that gives the occasion):
  overdraw-withdrawn overdraw-carried wrong-spot wrong-button early-stand-by
  card-re-slid card-unread wrong-result power-up
  and only with --seats by-sensor, instead of wrong-spot:
  player-false-draw player-missed-draw banker-false-draw banker-missed-draw
Faults of the bytes (chance for each signal, or @N for the Nth):
  bit-flip lost-byte lost-copy lost-frame doubled noise silence power-up unplug
A shoe that tells cards alone has no lost-copy and no power-up; the keys then
stand after the cards that a reader of the damaged bytes hears.

\b
This shoe names the spot by its own reading of the rules: a surplus card is its
error 2, a card on the wrong spot is a lawful frame and stands in --truth only.

\b
Where people decide (chemin de fer, banque), the shoe is one that tells cards
alone, and the croupier presses as few keys as there can be: a script holds
them between the cards, --keys writes them beside the bytes. People play by
their rule, and by what wins more often where they are free. Errors:
  punter-false-draw punter-missed-draw (right-, left-, banker- alike)
  extra-card card-unread faced-card forgotten-close wrong-taker wrong-spot

\b
Exit codes: 0 done, 2 usage, 3 a script cannot be read, 5 no pseudo-terminal.
"""


@click.command("simulate", epilog=EPILOG)
@of_a_game
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed deals the same shoes.")
@click.option("--shoes", type=click.IntRange(1), default=1, show_default=True, help="How many shoes.")
@click.option("--hands", type=click.IntRange(1), help="At most so many hands a shoe [until its last hand].")
@click.option("--decks", type=click.IntRange(1, MOST_DECKS), help="[8; 6 where people decide]")
@click.option("--mode", type=click.Choice(("open", "hidden")), default="hidden", show_default=True,
              help="Whether faces come when drawn, or when the hand is complete.")  # fmt: skip
@click.option("--seats", type=click.Choice(("by-its-rule", "by-sensor")), default="by-its-rule", show_default=True,
              help="How the source knows where a card lies.")  # fmt: skip
@click.option("--errors", metavar="RATE|NAME=RATE", multiple=True, help="A dealer who errs; may be repeated.")
@click.option("--faults", metavar="NAME=RATE", multiple=True, help="Damage to the bytes; may be repeated.")
@click.option("--pace", type=FiniteRange(0), default=1.0, show_default=True, help="1 is true pace, 0 is at once.")
@click.option("--script", "script_path", metavar="FILE|-", help="Play this script instead of dealing.")
@click.option("--pty", "pty_path", type=click.Path(path_type=Path), help="Play on a pseudo-terminal at this path.")
@click.option("--out", "out_path", metavar="FILE|-", help="Write here [- unless --pty is given].")
@click.option("--format", "form", type=click.Choice(FORMATS), default="script", show_default=True,
              help="hex has one read a line, raw is the recorder's file.")  # fmt: skip
@click.option("--truth", "truth_path", type=click.Path(dir_okay=False), help="Write what really happened as JSON.")
@click.option("--keys", "keys_path", type=click.Path(dir_okay=False),
              help="Write the croupier's keys, a JSON line each, where the bytes hold none.")  # fmt: skip
def simulate(**given: Any) -> None:
    """Deal seeded shoes by the game's own table, with a dealer who errs if asked, and play them."""
    from controller.cli.simulating import Asked

    asked = Asked(**given)
    asked.check()
    if asked.out_path or asked.pty_path is None:
        asked.write()
    if asked.pty_path is not None:
        asked.play(asked.pty_path)
