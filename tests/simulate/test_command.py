"""`tirage simulate` as it is called (design, section 6)."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.cli.main import main


@pytest.mark.parametrize(
    "options",
    [("--pace", "nan"), ("--pace", "inf"), ("--pace", "-1"), ("--decks", "17"), ("--decks", "0"), ("--errors", "nan")],
)
def test_numbers_that_no_table_has_are_usage(options):
    done = CliRunner().invoke(main, ["simulate", "--hands", "1", *options])
    assert (done.exit_code, done.stdout) == (2, "")


@pytest.mark.parametrize("text", ["", "# nothing yet\n"])
def test_a_script_without_a_step_cannot_be_read(text: str, tmp_path: Path):
    path = tmp_path / "script.jsonl"
    path.write_text(text)
    done = CliRunner().invoke(main, ["simulate", "--script", str(path)])
    assert (done.exit_code, done.stdout) == (3, "")
    assert "expected steps, one a line" in done.stderr


def test_a_script_that_is_not_there_is_told_in_words(tmp_path: Path):
    done = CliRunner().invoke(main, ["simulate", "--script", str(tmp_path / "none.jsonl")])
    assert (done.exit_code, "Errno" in done.stderr) == (3, False)


def test_the_script_that_is_played_is_not_written_over(tmp_path: Path):
    path = tmp_path / "script.jsonl"
    path.write_text('{"kind":"stood_by"}\n')
    done = CliRunner().invoke(main, ["simulate", "--script", str(path), "--out", str(path)])
    assert (done.exit_code, path.read_text()) == (2, '{"kind":"stood_by"}\n')


def test_what_happened_and_what_was_said_are_two_files(tmp_path: Path):
    path = str(tmp_path / "one")
    done = CliRunner().invoke(main, ["simulate", "--hands", "1", "--out", path, "--truth", path])
    assert (done.exit_code, Path(path).exists()) == (2, False)
