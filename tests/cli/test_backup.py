"""`tirage backup` and `restore`: taken while the daemon records; an open shoe goes on at a second host."""

from __future__ import annotations

import io
import json
import sqlite3
import tarfile
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.main import main
from controller.core.cards import Card, Seat
from controller.core.signals import BurnCardDrawn, Call, CardDrawn, CardShown, Pairs, PoweredUp, ResultCalled, StoodBy
from tests.daemon.daemon import Dealt, Stream, config_of, facts, run, table
from tests.recall.conftest import journal as evening_journal

journal = evening_journal
P, B = Seat.PLAYER, Seat.BANKER


def call(*arguments: object) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)])


@pytest.fixture
def data(journal, tmp_path) -> Path:
    """A data folder as a daemon leaves it: a table, accounts, an access log, locks, and a half-written file."""
    folder = tmp_path / "data"
    (folder / "b1").mkdir(parents=True)
    for path in journal.iterdir():
        (folder / "b1" / path.name).write_bytes(path.read_bytes())
    (folder / "b1" / "journal.lock").write_text("1234")
    (folder / "b1" / "journal.reserve").write_bytes(bytes(4096))
    (folder / "b1" / "000002-shoe.jsonl.new").write_text("half")
    (folder / "b1" / "000002-shoe.torn-1").write_bytes(b"a torn tail")
    with sqlite3.connect(folder / "accounts.sqlite") as accounts:
        accounts.execute("create table t (n)")
        accounts.execute("insert into t values (1042)")
    accounts.close()
    (folder / "access.jsonl").write_text('{"whole":1}\n{"half":')
    return folder


@pytest.fixture
def taken(data, tmp_path) -> Path:
    out = tmp_path / "out.tar.gz"
    assert call("backup", data, out).exit_code == 0
    return out


def test_what_comes_back_is_what_was_there_without_locks_and_halves(data, taken, tmp_path):
    assert call("restore", taken, tmp_path / "second").exit_code == 0
    here = {path.relative_to(data).as_posix(): path for path in data.rglob("*") if path.is_file()}
    there = {path.relative_to(tmp_path / "second").as_posix() for path in (tmp_path / "second").rglob("*.*")}
    assert here.keys() - there == {"b1/journal.lock", "b1/journal.reserve", "b1/000002-shoe.jsonl.new"}
    for name in there & {name for name in here if name.startswith("b1/") and name.endswith(".jsonl")}:
        assert (tmp_path / "second" / name).read_bytes() == here[name].read_bytes()
    kept, *told = map(json.loads, (tmp_path / "second" / "access.jsonl").read_text().splitlines())
    assert kept == {"whole": 1}
    assert [line["what"] for line in told] == ["log-repaired", "backup", "restore"]
    with sqlite3.connect(tmp_path / "second" / "accounts.sqlite") as accounts:
        assert accounts.execute("select n from t").fetchall() == [(1042,)]
    accounts.close()


def test_the_manifest_names_every_file_with_its_hash(taken):
    with tarfile.open(taken) as archive:
        inside = {name: archive.extractfile(name).read() for name in archive.getnames()}
    manifest = json.loads(inside.pop("manifest.json"))
    assert {file["name"]: file["sha256"] for file in manifest["files"]} == {
        name: sha256(content).hexdigest() for name, content in inside.items()
    }
    assert [one["folder"] for one in manifest["tables"]] == ["b1"]


def test_the_open_segment_ends_with_a_whole_line_and_the_bytes_that_it_names(data, tmp_path):
    """Consistent while running: half a line, and bytes that no record names yet, are left for the next backup."""
    journal, raw = max(data.glob("b1/*.jsonl")), max(data.glob("b1/*.raw"))
    whole, bytes_named = journal.read_bytes(), raw.read_bytes()
    named = max(
        json.loads(line)["raw"][0] + json.loads(line)["raw"][1] for line in whole.splitlines() if b'"raw":[' in line
    )
    journal.write_bytes(whole + b'{"i":')
    raw.write_bytes(bytes_named + b"2026-09-21T13:33:2")
    assert call("backup", data, tmp_path / "again.tar.gz").exit_code == 0
    assert call("restore", tmp_path / "again.tar.gz", tmp_path / "second").exit_code == 0
    assert (tmp_path / "second" / "b1" / journal.name).read_bytes() == whole
    assert (tmp_path / "second" / "b1" / raw.name).read_bytes() == bytes_named[:named]


def changed(source: Path, out: Path, name: str, change) -> Path:
    """Copy a backup with one member changed; a member that becomes None is left out."""
    with tarfile.open(source) as old, tarfile.open(out, "w:gz") as new:
        for member in old:
            content = old.extractfile(member).read()
            if member.name == name:
                content = change(content)
            if content is not None:
                member.size = len(content)
                new.addfile(member, io.BytesIO(content))
    return out


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        ("b1/000002-shoe.raw", lambda content: content[:-1] + b"0", "is not what manifest.json says"),
        ("b1/000001-idle.jsonl", lambda _: None, "is not what manifest.json says"),
        ("manifest.json", lambda _: None, "has no whole manifest.json"),
        ("manifest.json", lambda text: text.replace(b'"format": 1', b'"format": 2'), "reads up to format 1"),
    ],
)
def test_a_backup_that_was_changed_is_refused_and_leaves_nothing(taken, tmp_path, name, change, sentence):
    result = call("restore", changed(taken, tmp_path / "bad.tar.gz", name, change), tmp_path / "second")
    assert (result.exit_code, sentence in result.stderr) == (4, True), result.stderr
    assert not any((tmp_path / "second").iterdir())


def test_a_manifest_that_fits_a_broken_chain_does_not_make_it_whole(taken, tmp_path):
    """trust.md 2.2: the chain is verified anew; whoever can write the manifest cannot edit a line unseen."""
    name = "b1/000002-shoe.jsonl"
    with tarfile.open(taken) as archive:
        content = archive.extractfile(name).read()
    edited = content.replace(b'"recorded":"player"', b'"recorded":"banker"', 1)
    hashes = (sha256(content).hexdigest().encode(), sha256(edited).hexdigest().encode())
    assert edited != content
    half = changed(taken, tmp_path / "half.tar.gz", name, lambda _: edited)
    bad = changed(half, tmp_path / "bad.tar.gz", "manifest.json", lambda text: text.replace(*hashes))
    result = call("restore", bad, tmp_path / "second")
    assert result.exit_code == 4
    assert "checksum does not fit" in result.stderr


def test_a_cut_or_foreign_file_is_no_backup(taken, tmp_path):
    (tmp_path / "cut.tar.gz").write_bytes(taken.read_bytes()[:-2_000])
    (tmp_path / "foreign.tar.gz").write_text("nothing of the kind")
    for name in ("cut", "foreign"):
        result = call("restore", tmp_path / f"{name}.tar.gz", tmp_path / "second")
        assert (result.exit_code, "is no whole backup" in result.stderr) == (4, True), result.stderr


def test_a_name_that_leads_out_of_the_folder_is_refused(taken, tmp_path):
    with tarfile.open(tmp_path / "bad.tar.gz", "w:gz") as new:
        member = tarfile.TarInfo("../out.txt")
        member.size = 1
        new.addfile(member, io.BytesIO(b"x"))
    assert call("restore", tmp_path / "bad.tar.gz", tmp_path / "second").exit_code == 4
    assert not (tmp_path / "out.txt").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("backup", "{data}", "{taken}"), 2, "is there already"),
        (("backup", "{data}"), 2, "give either --config"),
        (("backup", "{tmp}/nothing", "{tmp}/new.tar.gz"), 3, "is not there"),
        (("backup", "{data}", "{tmp}/nothing/new.tar.gz"), 5, "No such file"),
        (("backup", "--config", "{tmp}/nothing.toml", "{tmp}/new.tar.gz"), 78, "nothing.toml"),
        (("restore", "{taken}", "{data}"), 2, "is not empty"),
        (("restore", "{tmp}/nothing.tar.gz", "{tmp}/second"), 3, "is not there"),
    ],
)
def test_what_cannot_be_done_is_told_with_the_exit_code_of_the_contract(
    data, taken, tmp_path, arguments, code, sentence
):
    places = {"data": data, "taken": taken, "tmp": tmp_path}
    result = call(*(part.format(**places) for part in arguments))
    assert (result.exit_code, sentence in result.stderr) == (code, True), result.stderr


def test_an_open_shoe_goes_on_at_the_second_host(tmp_path):
    """Requirement. The backup is taken in mid-hand, while the first daemon runs; the same shoe is moved over."""
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    with table(first) as (_, shoe, page):
        shoe.say(PoweredUp(), StoodBy(), BurnCardDrawn(sets_count=True, left=1, card=Card.parse("AS")))
        shoe.say(BurnCardDrawn(sets_count=False, left=0, card=None))
        shoe.say(CardDrawn(P, 1, None), CardDrawn(B, 1, None), CardDrawn(P, 2, None))
        page.shows("prompt", "BANKER: card 2")
        made = call("backup", "--config", first / "tirage.toml", tmp_path / "out.tar.gz")
        assert made.exit_code == 0, made.stderr
    assert call("restore", tmp_path / "out.tar.gz", second / "data").exit_code == 0
    moved = Dealt(second / "shoe")
    moved.emulator = shoe.emulator  # its numbers go on
    moved.pty.plug()
    try:
        with run("--config", config_of(second)) as daemon:
            moved.plug()
            page = Stream(daemon)
            moved.say(CardDrawn(B, 2, None))
            for seat, index, face in ((P, 1, "9S"), (B, 1, "2C"), (P, 2, "KD"), (B, 2, "4H")):
                moved.say(CardShown(seat, index, Card.parse(face)))
            moved.say(ResultCalled(Call.PLAYER, Pairs.NONE))
            page.shows("trouble", "The recorder was started again during this hand")
            status, answer = daemon.give({"kind": "accept", "holds": holds_of(daemon)}, "1-1")
            assert (status, answer["accepted"]) == (200, True)
            page.shows("result", "PLAYER wins")
            daemon.end()  # what waits for the next commit is written
    finally:
        moved.pty.unplug()
    (line,) = facts(second, "HandCompleted")
    assert (line["player"], line["banker"], line["recorded"]) == (["9S", "KD"], ["2C", "4H"], "player")
    assert not facts(second, "LinkFault"), "nothing is missing between the two hosts"


def holds_of(daemon) -> list[str]:
    """The holds that the page offers to accept."""
    import re
    from html import unescape

    found = re.search(r'data-act="accept"[^>]*data-holds="([^"]*)"', daemon.get("/table/b1"))
    assert found
    held: list[str] = json.loads(unescape(found[1]))
    return held


def test_a_backup_is_not_written_into_what_it_takes(data):
    """Design, section 6: 2 is usage."""
    done = call("backup", data, data / "tirage.tar.gz")
    assert (done.exit_code, "would overwrite the input" in done.stderr) == (2, True)


def test_what_cannot_be_written_has_the_name_that_was_given(data, tmp_path):
    """The file is written under another name at first, which nobody knows."""
    out = tmp_path / "nowhere" / "tirage.tar.gz"
    done = call("backup", data, out)
    assert (done.exit_code, done.stderr) == (5, f"tirage backup: {out}: No such file or directory\n")


def test_damage_is_told_of_the_journal_and_not_of_a_copy(data, tmp_path):
    [journal] = sorted((data / "b1").glob("*.jsonl"))[-1:]
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([lines[0], b"{}\n", *lines[2:]]))
    done = call("backup", data, tmp_path / "tirage.tar.gz")
    assert done.exit_code == 4
    assert str(journal) in done.stderr


def test_accounts_that_cannot_be_read_are_told_by_their_path(data, tmp_path):
    (data / "accounts.sqlite").write_bytes(b"no database at all" * 99)
    done = call("backup", data, tmp_path / "tirage.tar.gz")
    assert done.exit_code == 3
    assert str(data / "accounts.sqlite") in done.stderr
