"""replay and audit of what a configured table's shoe has captured: its own codes, its house, its game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.main import main
from drivers.line.codes import DECK

# A house's own codes, as wire-formats.md section 2 allows: four digits a card.
CODE_OF = {card: f"{number:04}" for number, card in enumerate(sorted(DECK), 1)}
HEAD = """\
data = "journals"
[[tables]]
id = "{table}"
name = "Table"
{deal}
[tables.shoe]
driver = "line"
port = "/dev/ttyUSB{at}"
[tables.shoe.codes]
{codes}
[tables.rules]
{rules}
"""
CODES = "\n".join(f'"{code}" = "{card}"' for card, code in CODE_OF.items())
OPEN_PUNTO = 'closes = "controller"\nburn = "none"'


def tirage(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, words)], catch_exceptions=False)


def lines_of(done: Result) -> list[dict]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def table(rules: str, *, name: str = "b1", deal: str = "", at: int = 0) -> str:
    return HEAD.format(table=name, deal=deal, at=at, codes=CODES, rules=rules)


@pytest.fixture
def house(tmp_path: Path):
    """Return a function that writes a configuration of these tables."""

    def write(first: str, *more: str) -> Path:
        path = tmp_path / "tirage.toml"
        path.write_text(first + "".join(text.partition("\n")[2] for text in more))
        return path

    return write


def wire(script: Path, out: Path) -> Path:
    """Put the cards of a script on a line in the house's own codes."""
    steps = [json.loads(line) for line in script.read_text().splitlines()]
    cards = [step["card"] for step in steps if step.get("kind") == "card_drawn"]
    out.write_bytes(b"".join(f"{CODE_OF[card]}\r\n".encode() for card in cards))
    return out


def test_a_punto_banco_table_at_a_line_shoe_is_judged_by_its_configuration(tmp_path, house):
    """R-PB-01: order and count place the cards; the codes are the house's own."""
    script, told = tmp_path / "one.script", tmp_path / "truth.jsonl"
    dealt = ("--seed", 4, "--hands", 30, "--mode", "open", "--out", script, "--truth", told)
    assert tirage("simulate", *dealt).exit_code == 0
    config = house(table(OPEN_PUNTO, deal='deal = "face_up"'))
    capture = wire(script, tmp_path / "shoe.raw")
    done = tirage("audit", "--json", "--config", config, capture)
    truth = [json.loads(line) for line in told.read_text().splitlines()[:-1]]
    found = [[line["player"], line["banker"], line["result"]] for line in lines_of(done)[:-1]]
    assert found == [[line["player"], line["banker"], line["result"]] for line in truth]
    replayed = tirage("replay", "--json", "--config", config, capture)
    assert (done.exit_code, replayed.exit_code) == (0, 0)
    assert lines_of(replayed)[-1]["summary"]["hands"] == 30


@pytest.mark.parametrize("profile", ["chemin_tableau", "banque_las_vegas"])
def test_an_old_game_is_judged_by_the_profile_and_the_codes_of_its_table(tmp_path, house, profile):
    """wire-formats.md section 2; the game and its switches come from the configuration."""
    game = {"chemin_tableau": "chemin_tableau", "banque_las_vegas": "las_vegas"}[profile]
    script, keys, told = tmp_path / "one.script", tmp_path / "keys.jsonl", tmp_path / "truth.jsonl"
    asked = ("--game", game, "--seed", 9, "--hands", 20, "--errors", "0.05", "--errors", "card-unread=0")
    assert tirage("simulate", *asked, "--out", script, "--truth", told).exit_code == 0
    hexed = ("--script", script, "--game", game, "--format", "bytes", "--out", tmp_path / "any", "--keys", keys)
    assert tirage("simulate", *hexed).exit_code == 0
    config = house(table(OPEN_PUNTO, deal='deal = "face_up"'), table(f'profile = "{profile}"', name="c1", at=1))
    capture = wire(script, tmp_path / "shoe.raw")
    done = tirage("audit", "--json", "--config", config, "--table", "c1", "--keys", keys, capture)
    truth = [json.loads(line) for line in told.read_text().splitlines()[:-1]]
    kept = [{key: line[key] for key in line if key not in ("labels", "keys", "felt")} for line in truth]
    assert lines_of(done)[:-1] == kept
    assert tirage("replay", "--config", config, "--table", "c1", "--keys", keys, capture).exit_code == done.exit_code


def test_the_default_codes_do_not_read_the_houses_own(tmp_path, house):
    """A text that is no code is a card that could not be read, never a default card."""
    capture = tmp_path / "shoe.raw"
    capture.write_bytes(b"0001\r\n0002\r\n0003\r\n0004\r\n")
    keys = tmp_path / "keys.jsonl"
    keys.write_text('{"after":4,"act":{"kind":"turned"}}\n')
    blind = lines_of(tirage("audit", "--json", "--game", "chemin-de-fer", "--keys", keys, capture))
    config = house(table('profile = "chemin_tableau"'))
    seeing = lines_of(tirage("audit", "--json", "--config", config, "--keys", keys, capture))
    assert blind[0]["punter"] == [None, None]
    assert None not in seeing[0]["punter"]


def test_face_down_at_a_shoe_of_cards_alone_needs_the_key_that_turns(tmp_path, house):
    capture = tmp_path / "shoe.raw"
    capture.write_bytes(b"0001\r\n")
    done = tirage("audit", "--config", house(table(OPEN_PUNTO, deal='deal = "face_down"')), capture)
    assert done.exit_code == 2
    assert "nobody else tells when the cards are turned: add --keys FILE" in done.stderr


@pytest.mark.parametrize("command", ["audit", "replay"])
@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("--table", "b1"), 2, "add --config FILE"),
        (("--config", "{config}"), 2, "name one of the tables: --table b1 | c1"),
        (("--config", "{config}", "--table", "x"), 2, "name one of the tables: --table b1 | c1"),
        (("--config", "{config}", "--table", "c1", "--game", "banque"), 2, "leave out --game and --switch"),
        (("--config", "{config}", "--table", "c1", "--switch", "banker_table=free"), 2, "leave out --game"),
        (("--config", "{bad}"), 78, "data"),
    ],
)
def test_what_does_not_go_together_is_said(tmp_path, house, command, words, code, says):
    """design.md section 6: 2 usage, 78 bad configuration."""
    config = house(table(OPEN_PUNTO, deal='deal = "face_up"'), table('profile = "chemin_tableau"', name="c1", at=1))
    bad, capture = tmp_path / "bad.toml", tmp_path / "shoe.raw"
    bad.write_text("dato = 1\n")
    capture.write_bytes(b"0001\r\n")
    done = tirage(command, *(word.format(config=config, bad=bad) for word in words), capture)
    assert (done.exit_code, done.stdout) == (code, "")
    assert says in done.stderr
