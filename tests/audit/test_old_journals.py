"""A journal of the old games: its own game, its own switches, and the commands that the croupier gave."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from controller.core.games import GAMES
from controller.core.inputs import Command
from controller.simulate.coups.evening import Coups
from controller.simulate.coups.shoes import Evening
from controller.simulate.coups.wrongs import Wrong
from controller.simulate.script import KeyStep
from controller.sources.journal import replay
from controller.sources.unattended import house_of
from drivers.emulators import LineShoe
from drivers.shoes import Chosen
from tests.recall.dealing import Dealing

NOT_OF_THE_LINE = ("labels", "keys", "felt")


async def recorded(folder: Path, evening: Coups) -> list[str]:
    """Play an evening to a recorder in a line shoe's bytes; return the truth's lines."""
    house, speaker, told = house_of(evening.evening.game), LineShoe(), []
    dealing = Dealing(folder, mode="open", house=house, chosen=Chosen())
    await dealing.begin()
    for step in evening.steps(told.append):
        if isinstance(step, KeyStep):
            command: Command = step.command
            await dealing.ask(command.act, command.hand)
        else:
            for line in speaker.says(step.signal):
                await dealing.read(line, dealing.now())
    await dealing.recorder.close()
    return told[:-1]


@pytest.mark.parametrize("variant", ["chemin_free", "las_vegas"])
def test_a_journal_is_audited_by_its_own_switches(audit, tmp_path, variant):
    """The switches stand in the journal: `--game` only names the seats of the lines."""

    game = GAMES[variant]
    evening = Coups(Evening(game, rates={Wrong.FORGOTTEN_CLOSE: 0.2, Wrong.WRONG_SPOT: 0.1}), 5, hands=12)
    truth = [json.loads(line) for line in asyncio.run(recorded(tmp_path / "b1", evening))]
    done = audit("--json", "--game", game.name, str(tmp_path / "b1"))
    lines = [{key: line[key] for key in line if key not in NOT_OF_THE_LINE} for line in truth]
    assert done.hands == lines
    assert len(lines) == 12
    assert [found for replayed in replay(tmp_path / "b1") for found in replayed.differences] == []


def test_a_journal_of_another_game_says_which(audit, tmp_path):
    """Lines have the seats of one game."""
    asyncio.run(recorded(tmp_path / "b1", Coups(Evening(GAMES["foster"]), 5, hands=2)))
    done = audit("--json", str(tmp_path / "b1"))
    assert done.code == 2
    assert "this is a journal of banque: add --game banque" in done.err
