"""All that is left of an evening, read back: board, report, recall, export, audit and replay of the journal."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.evening import EVENING
from tests.daemon.daemon import COMMAND, DEADLINE_S, REPOSITORY, Daemon, environment
from tests.e2e.sitting import aside

CELLS = """(name) => [...document.querySelectorAll(`.road.${name} > use`)].map(it =>
    [Math.floor(it.x.baseVal.value / 10), Math.floor(it.y.baseVal.value / 10), it.getAttribute('href').slice(-1)])"""
COUNTS = ("hand", "banker", "player", "tie", "banker-pair", "player-pair", "natural")
FACE = re.compile(r'<b><span title="[^"]*">(\w\w)</span></b>')
VERDICT = re.compile(r'<p class="verdict">.*<b>(\w+)</b></p>')
IRREGULAR = 1  # the exit code


def counted(board: Page) -> dict[str, int]:
    """The numbers of the board."""
    return dict(zip(COUNTS, map(int, board.locator(".counts dd").all_inner_texts()), strict=True))


def road(board: Page, name: str) -> set[tuple[int, int, str]]:
    """The cells of a road as they are drawn: column, row, mark."""
    return {(column, row, mark) for column, row, mark in board.evaluate(CELLS, name)}


def report(daemon: Daemon) -> dict:
    return dict(json.loads(aside(lambda: daemon.get(f"/table/b1/shoe/{EVENING}.json"))))


def recalled(daemon: Daemon, hands: int) -> Iterator[tuple[list[str], str]]:
    """The faces of each hand in drawing order and its result, as its recall shows them."""
    for number in range(1, hands + 1):
        path = f"/table/b1/hand/{number}?shoe={EVENING}"
        page = aside(lambda path=path: daemon.get(path))
        [verdict] = VERDICT.findall(page)
        yield FACE.findall(page), verdict.lower()


def told(*command: str | Path, code: int = IRREGULAR) -> list[dict]:
    """What a command of tirage says of the evening, line by line."""
    words = [*COMMAND, *map(str, command)]
    done = subprocess.run(
        words, cwd=REPOSITORY, capture_output=True, text=True, timeout=DEADLINE_S, check=False, env=environment()
    )
    assert (done.returncode, done.stderr) == (code, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def audited(folder: Path) -> list[dict]:
    """The hands of the journal as `tirage audit` judges them, kinds of irregularities instead of whole ones."""
    *hands, _ = told("audit", "--json", "--format", "journal", folder)
    return [
        {key: hand[key] for key in ("shoe", "hand", "player", "banker", "result", "recorded")}
        | {"kinds": [found["kind"] for found in hand["irregularities"]]}
        for hand in hands
    ]
