"""The access log: durable, chained, one line whatever comes (ASVS 16.2, 16.4; trust.md 4.4)."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path

import pytest

from controller.accounts.accesslog import AccessLog, Entry, Flaw, read
from controller.accounts.errors import CannotLog
from tests.accounts.house import Turned

NASTY = "x\n2026-01-01T00:00:00Z staff:1 sign-in\r\x1b[2J\u2028\u202e\x00"


def log_of(folder: Path) -> AccessLog:
    return AccessLog(folder, Turned().clock)


def written(folder: Path, count: int = 4) -> Path:
    log = log_of(folder)
    for number in range(count):
        log.tell(Entry(f"staff:{number}", "sign-in", "192.0.2.7", (("place", number),)))
    log.close()
    return log.path


def flaws(path: Path) -> list[Flaw]:
    return [told for told in read(path) if isinstance(told, Flaw)]


def test_a_line_says_who_what_where_and_when_in_utc(tmp_path):
    """ASVS 16.2.1, 16.2.2."""
    first = json.loads(written(tmp_path).read_text().splitlines()[0])
    assert (first["who"], first["what"], first["where"]) == ("staff:0", "sign-in", "192.0.2.7")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z", first["utc"])


def test_nothing_that_comes_from_outside_ends_a_line_or_moves_a_cursor(tmp_path):
    """ASVS 16.4.1: log injection."""
    log = log_of(tmp_path)
    log.tell(Entry(NASTY, "refused", NASTY, (("path", NASTY),)))
    log.close()
    content = log.path.read_bytes()
    assert content.count(b"\n") == 1
    assert all(32 <= byte < 127 for byte in content[:-1])
    assert json.loads(content)["path"] == NASTY


def test_a_value_of_any_length_costs_a_bounded_line(tmp_path):
    log = log_of(tmp_path)
    log.tell(Entry("x" * 100_000, "refused", "y" * 100_000, (("path", "z" * 100_000),)))
    log.close()
    assert log.path.stat().st_size < 2_000


def test_an_untouched_log_has_no_flaw(tmp_path):
    assert flaws(written(tmp_path)) == []


@pytest.mark.parametrize(
    "touch",
    [
        lambda lines: [lines[0], lines[1].replace(b"staff:1", b"staff:9"), *lines[2:]],
        lambda lines: [lines[0], *lines[2:]],
        lambda lines: [lines[0], lines[2], lines[1], lines[3]],
        lambda lines: [*lines[:3], lines[2], lines[3]],
        lambda lines: [*lines[:3], lines[3][:-5]],
        lambda lines: lines[1:],
    ],
    ids=["edited", "deleted", "swapped", "doubled", "cut", "beheaded"],
)
def test_a_log_that_was_touched_shows_it(tmp_path, touch):
    path = written(tmp_path)
    path.write_bytes(b"".join(touch(path.read_bytes().splitlines(keepends=True))))
    assert flaws(path)


def test_two_processes_write_one_chain(tmp_path):
    """The command line works beside the daemon."""
    one, two = log_of(tmp_path), log_of(tmp_path)
    for number in range(6):
        (one, two)[number % 2].tell(Entry("os:0", "account-added", "terminal", (("account", str(number)),)))
    one.close()
    two.close()
    assert flaws(one.path) == []
    assert [told["account"] for told in read(one.path)] == list("012345")


def test_a_torn_end_is_cut_and_that_is_told(tmp_path):
    """After a stop in mid-line the chain goes on."""
    path = written(tmp_path)
    with path.open("ab") as file:
        file.write(b'{"i":5,"prev":"ab')
    log = log_of(tmp_path)
    log.tell(Entry("staff:7", "sign-in", "192.0.2.7"))
    log.close()
    assert flaws(path) == []
    assert [told["what"] for told in read(path)][-2:] == ["log-repaired", "sign-in"]


def test_only_the_daemons_own_user_reads_it(tmp_path):
    assert stat.S_IMODE(written(tmp_path).stat().st_mode) == 0o600


def test_a_full_disk_is_told_to_whoever_wanted_to_log(tmp_path):
    """ASVS 16.5.3; /dev/full is a disk that is full."""
    log = log_of(tmp_path)
    full = os.open("/dev/full", os.O_RDWR)
    os.dup2(full, log._fd)
    os.close(full)
    with pytest.raises(CannotLog):
        log.tell(Entry("staff:1", "sign-in", "192.0.2.7"))
    log.close()
