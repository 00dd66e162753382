"""Who takes data out of a house with accounts, or puts it there, is in the access log (trust.md 4.3, 4.4)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.accounts.accesslog import AccessLog, Entry, Flaw, read
from controller.accounts.clock import Clock
from controller.cli.main import main
from tests.recall.conftest import journal as evening_journal

journal = evening_journal
ME = f"os:{os.getuid()}"


def call(*arguments: object) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)])


@pytest.fixture
def data(journal, tmp_path) -> Path:
    """A data folder with a table, in which an account was made once."""
    folder = tmp_path / "data"
    shutil.copytree(journal, folder / "b1")
    log = AccessLog(folder, Clock())
    log.tell(Entry(ME, "account-made", "terminal"))
    log.close()
    return folder


def told(folder: Path) -> list[tuple[str, str, str, str]]:
    lines = list(read(folder / "access.jsonl"))
    assert not [line for line in lines if isinstance(line, Flaw)]
    return [(line["who"], line["what"], line["where"], line["path"]) for line in lines[1:]]


@pytest.mark.parametrize("inner", ["", "b1", "b1/000002-shoe.jsonl"])
def test_an_export_is_told_from_whichever_place_it_is_taken(data, inner):
    assert call("export", data / inner, "--what", "facts").exit_code == 1
    assert told(data) == [(ME, "export", "terminal", str(data / inner))]


def test_a_backup_is_told_in_the_log_and_in_its_own_copy_and_the_restoring_after_it(data, tmp_path):
    out, second = tmp_path / "out.tar.gz", tmp_path / "second"
    assert call("backup", data, out).exit_code == 0
    assert call("restore", out, second).exit_code == 0
    assert told(data) == [(ME, "backup", "terminal", str(out))]
    assert told(second) == [*told(data), (ME, "restore", "terminal", str(out))]


def test_nothing_leaves_a_house_whose_log_cannot_tell_of_it(data, tmp_path):
    """A look that nobody can be asked about later is none; a folder in the place of the log stops root too."""
    (data / "access.jsonl").unlink()
    (data / "access.jsonl").mkdir()
    done = call("export", data)
    assert (done.exit_code, done.stdout) == (5, "")
    assert "access.jsonl" in done.stderr
    assert call("backup", data, tmp_path / "out.tar.gz").exit_code == 5
    assert not (tmp_path / "out.tar.gz").exists()


def test_a_journal_without_accounts_around_it_gets_no_log(journal, tmp_path):
    copy = tmp_path / "evidence"
    shutil.copytree(journal, copy)
    before = sorted(copy.rglob("*"))
    assert call("export", copy).exit_code == 1
    assert sorted(copy.rglob("*")) == before
