"""`tirage run --demo`: two simulated shoes, nothing else needed and nothing left behind."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.daemon.daemon import HOST, Daemon, Stream, free_port, run, until

PAGES = [kind + table for kind in ("/table/", "/board/", "/surveillance/") for table in ("open", "hidden")]
FAST = "20"
OWN_PORTS = ("--pit", "--metrics")


def addresses() -> list[str]:
    return [word for option in OWN_PORTS for word in (option, f"{HOST}:{free_port()}")]


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with run("--demo", "--speed", FAST, *addresses(), tables=2) as daemon:
        yield daemon


def test_every_page_of_the_demonstration_says_so(demo: Daemon):
    """Promised: DEMO on every page."""
    assert "DEMO" in demo.announcement[0]
    assert "not certified" in demo.announcement[-1].lower()
    for page in ("/", *PAGES):
        assert "DEMO" in demo.get(page), page


def test_hands_of_both_shoes_are_judged(demo: Daemon):
    """Real pseudo-terminals, real bytes; one shoe is open and dealt face up, the other hidden."""
    for name in ("open", "hidden"):
        Stream(demo, f"table/{name}").shows("result", "Hand 1")
    cards = {name: demo.metrics()[f'tirage_cards_total{{table="{name}"}}'] for name in ("open", "hidden")}
    assert min(cards.values()) >= 4


def test_it_leaves_nothing_behind_when_it_is_told_to_end(demo: Daemon, tmp_path: Path):
    """A data folder of its own, gone with it; as are its pseudo-terminals."""
    assert len(list(tmp_path.glob("tirage-demo-*/journal/*/*.jsonl"))) >= 2
    until(lambda: demo.metrics()['tirage_link_live{table="open"}'] == 1)
    code, seconds = demo.end(signal.SIGTERM)
    assert (code, seconds < 1.0, list(tmp_path.iterdir())) == (0, True, [])
    assert "Traceback" not in demo.process.stderr.read()


def test_its_data_is_kept_where_it_is_asked_to(tmp_path: Path):
    with run("--demo", "--speed", FAST, "--data", tmp_path / "kept", *addresses(), tables=2) as daemon:
        assert daemon.end()[0] == 0
    assert sorted(path.parent.name for path in tmp_path.glob("kept/journal/*/000001-idle.jsonl")) == ["hidden", "open"]
