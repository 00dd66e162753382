"""An exported evening audited again: the same lines as its journal gives (docs/interfaces.md, export)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.main import main
from controller.core.games import GAMES
from controller.core.inputs import Void
from controller.core.profile import House
from controller.core.signals import Names
from controller.simulate.coups.evening import Coups
from controller.simulate.coups.shoes import Evening
from controller.simulate.coups.wrongs import Wrong
from controller.simulate.dealer import rates_of
from controller.simulate.dealing import Table
from controller.simulate.hand import Mode
from controller.simulate.playing import Simulation
from controller.simulate.script import KeyStep
from controller.sources.unattended import Policy, act, house_of, waiting
from drivers.emulators import LineShoe, Step
from drivers.shoes import Chosen
from tests.recall.dealing import Dealing

VARIANTS = ("chemin_free", "chemin_tableau", "foster", "las_vegas")
# What the cells of a table can prove: draws, faces that were not read, cards laid for the wrong seat.
PLAYERS = ("punter-", "right-", "left-", "banker-")
WRONGS = {one: 0.1 for one in Wrong if one.value.startswith(PLAYERS)} | {
    Wrong.CARD_UNREAD: 0.1,
    Wrong.WRONG_TAKER: 0.1,
    Wrong.FORGOTTEN_CLOSE: 0.1,
}
DEALERS = tuple(
    f"{name}=0.1"
    for name in ("player-false-draw", "player-missed-draw", "banker-false-draw", "banker-missed-draw", "card-unread")
)


def tirage(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, words)], catch_exceptions=False)


async def supervised(dealing: Dealing) -> None:
    """Accept whatever waits for a person."""
    while (asked := waiting(dealing.table)) is not None:
        hand, kinds, ids = asked
        await dealing.ask(act(dealing.table, Policy.ACCEPT, hand, kinds, ids), hand.ref if hand else "")


async def played(dealing: Dealing, steps: Iterator[Step | KeyStep], *, void: int = 0) -> None:
    """Play an evening to its journal; the hand of number ``void`` is closed without a result afterwards."""
    speaker = LineShoe()
    await dealing.begin()
    for step in steps:
        if isinstance(step, KeyStep):
            await dealing.ask(step.command.act, step.command.hand)
            continue
        await supervised(dealing)
        if dealing.house.game.asks_taker:
            for line in speaker.says(step.signal):
                await dealing.read(line, dealing.now())
        else:
            await dealing.say(step.signal)
        if void in dealing.table.records and not dealing.table.records[void].void and dealing.table.hand is None:
            await dealing.ask(Void(), dealing.table.records[void].hand.ref)
    await supervised(dealing)
    await dealing.recorder.close()


def lines_of(done: Result) -> list[dict]:
    assert done.exit_code in (0, 1), done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def both(folder: Path, game: str, name: str, *, decks: int) -> tuple[list[dict], list[dict]]:
    """The audit of a journal, and that of its export."""
    table = folder.with_suffix(".csv")
    table.write_text(tirage("export", folder).stdout)
    words = ("audit", "--json", "--decks", decks, "--columns", "result=recorded", "--format", "csv", table)
    return lines_of(tirage("audit", "--json", "--game", name, folder)), lines_of(tirage(*words, "--game", game))


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_exported_evening_of_the_old_games_is_audited_to_the_same_lines(tmp_path, variant):
    """Wrong players and croupiers, a closed hand made void: the columns of the seats hold what the journal holds."""
    game = GAMES[variant]
    dealing = Dealing(tmp_path / "b1", mode="open", house=house_of(game), chosen=Chosen())
    asyncio.run(played(dealing, Coups(Evening(game, rates=WRONGS), 3, hands=30).steps(), void=2))
    journal, table = both(tmp_path / "b1", variant, game.name, decks=6)
    assert table == journal
    kinds = journal[-1]["summary"]["by_kind"]
    assert {kind.rpartition("-")[2] for kind in kinds} == {"card", "draw"}, "nothing was wrong that could be lost"
    assert len(journal) == 31


def test_an_exported_evening_of_punto_banco_is_audited_to_the_same_lines(tmp_path):
    """rules.md R-PB-02 to 05: a dealer who errs, at a shoe whose seats are told by sensors."""
    table = Table(House(), Mode.OPEN, Names.BY_SENSOR, rates_of(DEALERS, Names.BY_SENSOR))
    dealing = Dealing(tmp_path / "b1", mode="open")
    asyncio.run(played(dealing, Simulation(table, 5, hands=40).steps(), void=2))
    journal, again = both(tmp_path / "b1", "punto-banco", "punto-banco", decks=8)
    assert again == journal
    assert journal[-1]["summary"]["irregular_hands"] > 5


def test_a_row_has_the_columns_of_every_game_and_the_cells_of_its_own(tmp_path):
    """One data folder holds tables of several games: the head is the same for all."""
    game = GAMES["foster"]
    dealing = Dealing(tmp_path / "b1", mode="open", house=house_of(game), chosen=Chosen())
    asyncio.run(played(dealing, Coups(Evening(game), 3, hands=1).steps()))
    head, row = (line.split(",") for line in tirage("export", tmp_path / "b1").stdout.splitlines())
    cells = dict(zip(head, row, strict=True))
    assert head[-7:] == ["punter", "right", "left", "punter_total", "right_total", "left_total", "ruled"]
    assert (cells["player"], cells["punter"], cells["punter_total"]) == ("", "", "")
    assert all(cells[seat] and cells[f"{seat}_total"] for seat in ("right", "left", "banker"))


def test_a_table_written_by_an_audit_is_audited_to_the_same_lines(audit, tmp_path):
    """`--csv` writes `?` for a card that was not read, and `audit` reads it so."""
    first = audit("--json", "--csv", tmp_path / "out.csv", table="player,banker\n2H ?,7C KD\n9S KD,? ? 2C\n")
    assert audit("--json", "--columns", "result=recorded", tmp_path / "out.csv").hands == first.hands
    assert first.hands[0]["player"] == ["2H", None]
    assert [[one[:2] for one in wrong] for wrong in first.wrong] == [
        [("unread-card", "player")],
        [("unread-card", "banker"), ("banker-false-draw", "banker")],
    ]


def test_a_void_hand_owes_no_card(audit):
    """R-PB-03 is owed on closing a hand: one without a result was never closed so."""
    done = audit("--json", table="player,banker,void\n2H 3H,7C KD,0\n2H 3H,7C KD,1\n2H 3H 4H,7C KD 2D,yes\n")
    assert [[one[0] for one in wrong] for wrong in done.wrong] == [["player-missed-draw"], [], ["banker-false-draw"]]
