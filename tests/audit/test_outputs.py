"""Text, CSV and page of an audit."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import time

import pytest

from controller.audit.texts import KINDS
from controller.catalogue import LANGUAGES, read
from tests.audit.conftest import COMMAND

TABLE = "shoe,player,banker,result\n<b>1</b>,2H 4D KS,3S 4C,tie\n<b>1</b>,2H 4D,3S 4C,banker\n2,2 x,3 4,\n"
DEADLINE_S = 20


def test_text_is_a_line_an_irregular_hand_and_a_summary(audit):
    lines = audit(table=TABLE).out.splitlines()
    assert lines[0].startswith("shoe <b>1</b> hand 1: Player 2H 4D KS, Banker 3S 4C, banker (recorded tie): ")
    assert "player-false-draw (R-PB-03)" in lines[0]
    assert lines[1].startswith("row 4: player: ")
    assert lines[2] == "2 hands, 1 irregular; Player 0, Banker 2, Tie 0"
    assert lines[-1] == "rows skipped 0, repeated 0, unreadable 1"


def test_summary_alone_is_one_line_of_json(audit):
    full, short = audit("--json", table=TABLE), audit("--json", "--summary", table=TABLE)
    assert short.lines == full.lines[-1:]
    assert short.code == full.code == 1


def test_control_characters_of_a_table_do_not_reach_the_terminal(audit):
    """trust.md, 16.4.1: output safe against injection."""
    out = audit(table="shoe,player,banker\n\x1b[2J,2H 3D,3S 4C\n3,\x1b]0;x\x07,3 4\n").out
    assert "\x1b" not in out
    assert "\\x1b[2J" in out


def test_the_hands_written_as_csv_give_the_same_audit_again(audit, tmp_path):
    out = tmp_path / "out.csv"
    first = audit("--json", "--csv", out, table=TABLE)
    again = audit("--json", "--columns", "result=recorded", out)
    assert again.hands == first.hands


def test_the_page_lists_irregular_hands_with_their_rules_and_asks_nothing_from_elsewhere(audit, tmp_path):
    page = tmp_path / "audit.html"
    audit("--report", page, table=TABLE)
    text = page.read_text()
    assert text.count("<tr><td>&lt;b&gt;1&lt;/b&gt;</td>") == 1
    assert "player-false-draw" in text
    assert "Player takes a card on 0 to 5 and stands on 6 and 7." in text
    assert "R-PB-05" not in text
    assert not re.search(r"(?:src|href|url)\s*[=(]|https?:|<script|@import", text)


@pytest.mark.parametrize(
    ("language", "says"), [("zh-Hans", "闲家补了规则不许的牌"), ("zh-Hant", "閒家補了規則不許的牌")]
)
def test_text_and_page_speak_the_language_asked_for_and_json_stays_as_it_is(audit, tmp_path, language, says):
    """design.md section 1: every sentence in one catalogue; section 6: --json is the contract."""
    page = tmp_path / "audit.html"
    out = audit("--language", language, "--report", page, table=TABLE).out
    html = page.read_text()
    assert says in out
    assert says in html
    assert f'<html lang="{language}">' in html
    for english in ("Player", "Banker", "recorded", "irregular", "Summary", "[audit"):
        assert english not in out + html
    assert audit("--json", "--language", language, table=TABLE).out == audit("--json", table=TABLE).out


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_and_rule_of_an_audit_has_its_words(language):
    named = {name for name in read(language) if name.startswith("audit.kind.")}
    assert named == {f"audit.kind.{kind}" for kind in KINDS}


def test_help_has_an_example(audit):
    """design.md section 6."""
    assert "tirage audit hands.csv" in audit("--help").out


def test_a_bar_is_drawn_on_a_terminal_and_nowhere_else(audit, repository, tmp_path):
    """design.md section 6: colour and progress bars only on a terminal."""
    path = tmp_path / "hands.csv"
    path.write_text("player,banker\n" + "2H 4D,3S 4C\n" * 20_000)
    assert audit("--summary", path).err == ""
    leader, follower = pty.openpty()
    environment = os.environ | {"PYTHONPATH": str(repository), "TERM": "xterm"}
    with subprocess.Popen(
        [*COMMAND, "--summary", str(path)], stdout=subprocess.PIPE, stderr=follower, env=environment
    ) as process:
        os.close(follower)
        seen = read_until_closed(leader)
        assert process.stdout.read().startswith(b"20,000 hands")
    assert b"hands.csv" in seen


def read_until_closed(leader: int) -> bytes:
    seen, deadline = b"", time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline:
        ready, _, _ = select.select([leader], [], [], 1)
        try:
            part = os.read(leader, 65_536) if ready else None
        except OSError:  # EIO: the other side is closed
            break
        if part == b"":
            break
        seen += part or b""
    os.close(leader)
    return seen
