"""simulate, audit and replay of chemin de fer and banque, as processes (design.md section 6)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sampling import sampled

TIRAGE = [sys.executable, "-m", "controller"]
NOT_OF_THE_LINE = ("labels", "keys", "felt")


@pytest.fixture
def tirage(repository: Path, tmp_path: Path):
    """Return a function that runs a command in a folder of its own and gives code, stdout and stderr."""

    def run(*words: str | Path) -> tuple[int, str, str]:
        command = [*TIRAGE, *map(str, words)]
        done = subprocess.run(command, capture_output=True, cwd=repository, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    return run


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def said(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def truth(path: Path) -> list[dict]:
    """The truth's audit lines, without what it has besides and without its summary."""
    return [{key: line[key] for key in line if key not in NOT_OF_THE_LINE} for line in rows(path)[:-1]]


@pytest.mark.parametrize("form", ["hex", "raw", "bytes"])
@pytest.mark.parametrize("game", ["chemin-de-fer", "foster", "las_vegas"])
def test_audit_and_replay_find_the_truth_in_bytes_and_keys(tirage, tmp_path, game, form):
    """Two shoes with everything that can go wrong: the wire's bytes and the croupier's keys prove the truth's lines."""
    wire, keys, told = tmp_path / "shoe.bin", tmp_path / "keys.jsonl", tmp_path / "truth.jsonl"
    asked = ("--game", game, "--seed", "9", "--shoes", "2", "--errors", "0.08", "--format", form)
    assert tirage("simulate", *asked, "--out", wire, "--keys", keys, "--truth", told)[0] == 0
    as_read = ("--game", game, "--keys", keys, "--format", "hex" if form == "hex" else "raw", "--json", wire)
    code, out, _ = tirage("audit", *as_read)
    assert code == 1
    assert said(out)[:-1] == truth(told)
    code, out, _ = tirage("replay", *as_read)
    assert code == 1
    closed = [fact for fact in said(out) if fact.get("fact") == "HandCompleted"]
    assert [{key: fact[key] for key in fact if key not in ("fact", "at")} for fact in closed] == truth(told)
    counts = rows(told)[-1]["summary"]
    assert said(out)[-1]["summary"]["frames"] == sum(
        sum(cards.values()) - cards["stub"] for cards in counts["cards"].values()
    )


def test_a_script_holds_the_keys_between_the_cards(tirage, tmp_path):
    script, told = tmp_path / "evening.jsonl", tmp_path / "truth.jsonl"
    asked = ("--game", "banque", "--switch", "five_rule=strict", "--errors", "forgotten-close=0.3")
    assert tirage("simulate", *asked, "--hands", "25", "--out", script, "--truth", told)[0] == 0
    asked = (*asked[:4], "--format", "script", "--json", script)
    code, out, _ = tirage("audit", *asked)
    assert (code, said(out)[:-1]) == (0, truth(told))
    closed = [fact for fact in said(tirage("replay", *asked)[1]) if fact.get("fact") == "HandCompleted"]
    assert [fact["hand"] for fact in closed] == [line["hand"] for line in truth(told)]


def test_a_script_is_put_into_bytes_and_keys(tirage, tmp_path):
    """A script that was written by hand is as good as one that was dealt."""
    script, wire, keys = tmp_path / "one.jsonl", tmp_path / "one.raw", tmp_path / "keys.jsonl"
    cards = [f'{{"kind":"card_drawn","seat":null,"index":null,"card":"{card}"}}' for card in ("2H", "3H", "2S", "3S")]
    script.write_text("\n".join([*cards, '{"act":{"kind":"turned"}}', ""]))
    asked = ("--game", "chemin_free")
    form = ("--format", "bytes", "--out", wire, "--keys", keys)
    assert tirage("simulate", *asked, "--script", script, *form)[0] == 0
    assert wire.read_bytes() == b"H2\r\nH3\r\nS2\r\nS3\r\n"
    assert rows(keys) == [{"after": 4, "act": {"kind": "turned"}, "hand": "", "id": "key-5"}]
    code, out, _ = tirage("audit", *asked, "--json", "--keys", keys, wire)
    assert code == 1
    assert [one["kind"] for one in said(out)[0]["irregularities"]] == ["punter-missed-draw"]


def test_keys_in_a_script_of_punto_banco_are_refused(tirage, tmp_path):
    script = tmp_path / "one.jsonl"
    script.write_text('{"act":{"kind":"turned"}}\n')
    code, out, err = tirage("simulate", "--script", script)
    assert (code, out) == (3, "")
    assert "name the game with --game" in err


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """Five cards of chemin de fer, as a line shoe says them."""
    path = tmp_path / "five.raw"
    path.write_bytes(b"H2\r\nH3\r\nS2\r\nS3\r\nC9\r\n")
    return path


@pytest.fixture
def keyed(tirage, capture, tmp_path):
    """Return a function that replays the five cards with these lines of keys."""

    def run(*lines: str, command: str = "audit", more: tuple[str, ...] = ()) -> tuple[int, str, str]:
        path = tmp_path / "keys.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines))
        return tirage(command, "--game", "chemin-de-fer", "--json", "--keys", path, *more, capture)

    return run


TURNED = '{"after":5,"act":{"kind":"turned"}}'
TAKES = '{"after":5,"act":{"kind":"takes","seat":"%s"}}'


@pytest.mark.parametrize("command", ["audit", "replay"])
def test_a_capture_without_keys_says_what_is_needed(tirage, capture, command):
    """A capture has no people in it, and this wire tells cards alone."""
    code, out, err = tirage(command, "--game", "chemin-de-fer", capture)
    assert (code, "Traceback" in err) == (2, False)
    assert "add --keys FILE with a line for each key" in err
    assert '{"after":4,"act":{"kind":"turned"}}' in err
    assert "hand" not in out


@pytest.mark.parametrize(("seat", "wrong"), [("punter", []), ("banker", ["punter-missed-draw", "banker-false-draw"])])
def test_a_key_without_a_hand_means_the_open_one(keyed, seat, wrong):
    code, out, _ = keyed("# who took it", TAKES % seat, TURNED)
    assert [one["kind"] for one in said(out)[0]["irregularities"]] == wrong
    assert code == bool(wrong)


@pytest.mark.parametrize("policy", ["accept", "void"])
def test_a_coup_of_which_nobody_said_who_took_a_card_has_no_result(keyed, policy):
    """It cannot be accepted: its result is not known. It is closed without one."""
    _, out, _ = keyed(TURNED, command="replay", more=("--unattended", policy))
    voided = [fact for fact in said(out) if fact.get("fact") == "HandVoided"]
    assert [(fact["result"], fact["recorded"]) for fact in voided] == [(None, None)]


def test_unattended_stop_ends_where_a_person_is_needed(keyed):
    code, _, err = keyed(TURNED, more=("--unattended", "stop"))
    assert code == 1
    assert "hand 1 of shoe 1 waits for a person: taker-unknown" in err


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("turned", "line 1: Expecting value"),
        ('{"act":{"kind":"turned"}}', "line 1: expected after, the number of cards before it, from 0"),
        ('{"after":-1,"act":{"kind":"turned"}}', "line 1: expected after"),
        ('{"after":4,"act":{"kind":"stood_by"}}', "line 1: expected an act"),
        ('{"after":4,"act":{"kind":"takes","seat":"judge"}}', "line 1: 'judge' is not a valid Seat"),
        ('{"after":4,"act":{"kind":"turned"},"by":"me"}', "line 1: a key has act, hand and id, not by"),
        ('{"after":9,"act":{"kind":"turned"}}', "a key stands after card 9, but only 5 cards came"),
    ],
)
def test_keys_that_do_not_fit_cannot_be_read(keyed, line, why):
    code, _, err = keyed(line)
    assert (code, "Traceback" in err) == (3, False)
    assert why in err


def test_what_one_shoe_has_and_the_other_lacks_is_usage(tirage, tmp_path):
    keys = tmp_path / "keys.jsonl"
    for words in (
        ("--game", "banque", "--faults", "noise=0.1"),
        ("--keys", keys),
        ("--game", "banque", "--keys", keys),
        ("--game", "banque", "--errors", "punter-false-draw=1"),
        ("--game", "las_vegas", "--errors", "banker-missed-draw=1"),
        ("--game", "chemin-de-fer", "--mode", "hidden"),
        ("--game", "foster", "--seats", "by-sensor"),
        ("--script", keys, "--mode", "open"),
    ):
        code, out, _ = tirage("simulate", "--hands", "1", *words)
        assert (code, out, keys.exists()) == (2, "", False), words


def test_what_only_an_angel_eye_has_is_refused_in_a_sentence(tirage):
    """docs/interfaces.md: an option that means nothing is no option that is ignored."""
    _, _, err = tirage("simulate", "--game", "banque", "--seats", "by-sensor")
    sentence = "--seats belongs to an Angel Eye of punto banco: a shoe of banque tells cards alone"
    assert sentence in " ".join(err.split())


@pytest.mark.parametrize("command", ["audit", "replay"])
@pytest.mark.parametrize(("dealt", "read"), [("chemin-de-fer", "foster"), ("foster", "chemin-de-fer")])
def test_keys_of_another_game_are_told_before_a_hand_is_made_of_the_cards(tirage, tmp_path, command, dealt, read):
    """docs/interfaces.md, keys: exit 3 for keys that do not fit, and no line of a hand."""
    wire, keys = tmp_path / "shoe.hex", tmp_path / "keys.jsonl"
    asked = ("--game", dealt, "--seed", "9", "--hands", "20", "--format", "hex", "--out", wire, "--keys", keys)
    assert tirage("simulate", *asked)[0] == 0
    code, out, err = tirage(command, "--json", "--game", read, "--keys", keys, wire)
    assert (code, len(said(out))) == (3, 1)
    assert "are these the keys of another game than --game?" in err


@pytest.mark.parametrize("command", ["audit", "replay"])
def test_bytes_of_another_games_shoe_are_told_with_the_game_they_were_read_as(tirage, capture, command):
    """design.md section 6: 3 is unreadable; a line of cards is no log of an Angel Eye."""
    code, _, err = tirage(command, "--game", "punto-banco", "--format", "raw", capture)
    assert code == 3
    assert "see `tirage decode`, and --format, and --game: it was read as punto-banco" in err


@pytest.mark.parametrize("command", ["audit", "replay"])
def test_keys_of_which_the_table_takes_none_are_told(keyed, command):
    """Nothing in them names a seat: that no key fits anywhere is all that shows it."""
    code, _, err = keyed('{"after":2,"act":{"kind":"turned"}}', '{"after":3,"act":{"kind":"turned"}}', command=command)
    assert code == 3
    assert "the table took none of the 2 keys as chemin-de-fer" in err


@pytest.mark.parametrize("game", ["chemin-de-fer", "foster"])
def test_a_forgotten_close_that_was_mended_is_no_irregularity_to_either_command(tirage, tmp_path, game):
    """design.md section 6: exit 1 is irregularities found, and an audit line has none of what a key has mended."""
    script = tmp_path / "evening.jsonl"
    asked = ("--game", game, "--seed", "5", "--errors", "forgotten-close=0.5", "--hands", "25")
    assert tirage("simulate", *asked, "--out", script)[0] == 0
    as_read = ("--game", game, "--format", "script", "--json", script)
    told = tirage("replay", *as_read)
    assert "IrregularityFound" in told[1], "nothing was there to be mended"
    assert (told[0], tirage("audit", *as_read)[0]) == (0, 0)


@pytest.mark.parametrize("errors", ["forgotten-close=0.4", "punter-false-draw=0.05", "card-unread=0.03"])
@pytest.mark.parametrize("seed", sampled([1, 2, 3], quick=[1]))
def test_replay_and_audit_end_alike(tirage, tmp_path, errors, seed):
    """Two commands on one evening: exit 1 of either is an irregularity that stands in the end."""
    script = tmp_path / "evening.jsonl"
    asked = ("--game", "chemin-de-fer", "--seed", str(seed), "--hands", "6")
    assert tirage("simulate", *asked, "--errors", errors, "--out", script)[0] == 0
    as_read = ("--game", "chemin-de-fer", "--format", "script", "--json", script)
    (replayed, _, _), (audited, out, _) = tirage("replay", *as_read), tirage("audit", *as_read)
    assert replayed == audited == bool(said(out)[-1]["summary"]["irregular_hands"])


BYTE_FAULTS = ("bit-flip", "lost-byte", "lost-frame", "doubled", "noise", "silence", "unplug")


@pytest.mark.parametrize("fault", BYTE_FAULTS)
def test_a_line_is_damaged_and_the_keys_stand_after_the_cards_that_are_heard(tirage, tmp_path, fault):
    """faults.md A 4 to 7 on a wire without numbers and copies: capture and keys still belong together."""
    wire, keys, whole = tmp_path / "shoe.raw", tmp_path / "keys.jsonl", tmp_path / "whole.raw"
    asked = ("--game", "chemin-de-fer", "--seed", "3", "--hands", "12", "--format", "raw")
    assert tirage("simulate", *asked, "--out", whole)[0] == 0
    done = tirage("simulate", *asked, "--faults", f"{fault}=0.08", "--out", wire, "--keys", keys)
    assert done[0] == 0, done[2]
    assert wire.read_bytes() != whole.read_bytes()
    as_read = ("--game", "chemin-de-fer", "--keys", keys, "--json", wire)
    audited, replayed = tirage("audit", *as_read), tirage("replay", *as_read)
    assert audited[0] == replayed[0], (audited[2], replayed[2])
    assert audited[0] in (0, 1), audited[2]
    kinds = {fact.get("kind") for fact in said(replayed[1]) if fact.get("fact") == "LinkFault"}
    assert (kinds == {"noise"}) is (fault in {"bit-flip", "lost-byte", "noise"}), "only these spoil a text"


@pytest.mark.parametrize("fault", ["lost-copy", "power-up"])
def test_what_a_line_does_not_have_is_refused(tirage, tmp_path, fault):
    """A line comes once, and a shoe that starts anew says nothing."""
    out = tmp_path / "shoe.hex"
    code, _, err = tirage("simulate", "--game", "banque", "--faults", f"{fault}=0.1", "--format", "hex", "--out", out)
    assert (code, out.exists()) == (2, False)
    assert "its --faults are bit-flip, doubled, lost-byte, lost-frame, noise, silence, unplug" in err
