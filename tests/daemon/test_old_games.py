"""Chemin de fer and banque at a real daemon: a shoe that tells cards only, and the keys of a croupier."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.daemon.daemon import HOST, Daemon, Dealt, facts, free_port, records, run, until

# Dealing order, then the third cards. Points beside them.
CHEMIN = ("S2 DK S3 D7", "H3")  # punter 5, then 8; banker 7
FOSTER = ("S5 H9 DK S2 H5 D6", "C8")  # right 7 refuses; left 4, then 2; banker 6
VEGAS = ("S5 H9 DT S3 H4 DA", "D8 C8")  # right 8; left 3, then 1; banker 1, then 9


def config(folder: Path, game: str, profile: str) -> Path:
    path = folder / "tirage.toml"
    path.write_text(
        f"""data = "data"
[server]
pit = "{HOST}:{free_port()}"
metrics = "{HOST}:{free_port()}"
[[tables]]
id = "b1"
name = "Grand jeu"
game = "{game}"
[tables.shoe]
driver = "line"
port = "{folder / "shoe"}"
[tables.rules]
profile = "{profile}"
"""
    )
    return path


@contextmanager
def at(folder: Path, game: str, profile: str) -> Iterator[tuple[Dealt, ExitStack, Path]]:
    """A plugged shoe, what is to be ended with it, and the configuration of its table."""
    shoe, file = Dealt(folder / "shoe"), config(folder, game, profile)
    shoe.pty.plug()
    with ExitStack() as stack:
        stack.callback(shoe.pty.unplug)
        yield shoe, stack, file


def deal(folder: Path, shoe: Dealt, codes: str) -> None:
    """Send cards as the shoe does and wait until the journal has them."""
    before = drawn(folder)
    shoe.write("".join(f"{code}\r\n" for code in codes.split()).encode())
    until(lambda: drawn(folder) == before + len(codes.split()))


def drawn(folder: Path) -> int:
    return sum(record["kind"] == "card_drawn" for record in records(folder))


def press(daemon: Daemon, **act: object) -> None:
    status, answer = daemon.give(act, "1-1")
    assert (status, answer["accepted"]) == (200, True), answer


@pytest.mark.parametrize(
    ("game", "profile", "cards", "taker", "result"),
    [
        ("chemin-de-fer", "chemin_tableau", CHEMIN, "punter", "punter"),
        ("banque", "banque_foster", FOSTER, "left", "right/banker"),
        ("banque", "banque_las_vegas", VEGAS, "left", "right/banker"),
    ],
    ids=["chemin", "foster", "las-vegas"],
)
def test_a_coup_dealt_in_bytes_is_closed_by_the_croupiers_keys_across_a_kill(
    tmp_path: Path, game: str, profile: str, cards: tuple[str, str], taker: str, result: str
):
    """R-002-12 to 28, R-000-01 to 43, V-004: killed in mid-hand; then one key names the taker and one closes."""
    with at(tmp_path, game, profile) as (shoe, stack, file):
        daemon = stack.enter_context(run("--config", file))
        shoe.plug()
        deal(tmp_path, shoe, cards[0][:8])
        daemon.kill()
        daemon = stack.enter_context(run("--config", file))
        shoe.plug()
        press(daemon, kind="accept", holds=["restarted"])
        deal(tmp_path, shoe, cards[0][9:])
        press(daemon, kind="takes", seat=taker)
        deal(tmp_path, shoe, cards[1])
        press(daemon, kind="turned")
        deal(tmp_path, shoe, "SA")
        daemon.end()
    (done,) = facts(tmp_path, "HandCompleted")
    assert (done["hand"], done["result"], done["irregularities"]) == (1, result, [])
    assert [fact["hand"] for fact in facts(tmp_path, "HandOpened")] == [1, 2]
