"""A capture of a table that kept its bank: the keys of the bank move its money again, as they did that evening."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from controller.core.cards import Card
from controller.core.signals import CardDrawn
from drivers.emulators import LineShoe

TABLE = """\
data = "data"
[[tables]]
id = "k1"
name = "One"
game = "chemin-de-fer"
decks = 6
[tables.shoe]
driver = "line"
port = "/dev/shoe"
[tables.rules]
profile = "chemin_tableau"
money = "bank"
"""
# Punter 8, banker 7: the bank of 1000 loses the 40 that were covered (R-002-07, R-002-08).
CARDS = "4H KD 4S 7C"
BANK = ('{"after":0,"act":{"kind":"show_bank","amount":1000}}',
        '{"after":0,"act":{"kind":"set_cover","on":"punter","amount":40}}')  # fmt: skip
TURNED = '{"after":4,"act":{"kind":"turned"}}'


@pytest.fixture
def replayed(tmp_path: Path, repository: Path):
    """Return a function that replays the coup with these keys and gives its facts."""
    (tmp_path / "table.toml").write_text(TABLE)
    speaker = LineShoe()
    said = [line for card in CARDS.split() for line in speaker.says(CardDrawn(None, 0, Card.parse(card)))]
    (tmp_path / "coup.hex").write_text("".join(f"{line.hex()}\n" for line in said))

    def run(*keys: str) -> list[dict]:
        (tmp_path / "keys.jsonl").write_text("\n".join([*keys, ""]))
        words = ["replay", "--json", "--config", "table.toml", "--table", "k1", "--keys", "keys.jsonl", "coup.hex"]
        command = [sys.executable, "-m", "controller", *words]
        environment = {"PYTHONPATH": str(repository)}
        done = subprocess.run(command, capture_output=True, cwd=tmp_path, env=environment, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


def test_keys_of_the_bank_move_its_money(replayed):
    """docs/interfaces.md, --keys: with --config the keys of the bank are taken as at the table."""
    facts = replayed(*BANK, TURNED)
    assert [fact["why"] for fact in facts if fact.get("fact") == "CommandRejected"] == []
    moved = [fact["entries"] for fact in facts if fact.get("fact") == "BankMoved"]
    assert [sum(entry["amount"] for entry in entries) for entries in moved][:2] == [1_000, 40]
    assert any(entry["why"] == "stake-won" and entry["amount"] == 40 for entry in moved[-1])


def test_a_capture_without_keys_of_the_bank_is_judged_without_money(replayed):
    """Nobody showed a bank: no incident is made of what nobody keyed."""
    facts = replayed(TURNED)
    assert [fact for fact in facts if fact.get("fact") in {"BankMoved", "IncidentOpened"}] == []
    assert [fact["result"] for fact in facts if fact.get("fact") == "HandCompleted"] == ["punter"]
