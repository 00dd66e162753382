"""One rotten line of an old shoe takes that shoe away and no other (faults.md B 39; README, recall)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.main import main
from controller.core.inputs import CloseShoe, NewShoe
from controller.core.signals import Call
from controller.pit.recall import Archive
from tests.api.serving import running
from tests.pit.conftest import Pit
from tests.pit.sample import floor_of
from tests.recall.dealing import Dealing, deal
from tests.recall.serving import Recalled

ROTTEN = [b'"card":"', b'"result":"player"']  # before a shoe's number is known, and after it
SEGMENTS = {1: "000002-shoe.jsonl", 2: "000004-shoe.jsonl", 3: "000006-shoe.jsonl"}


async def three_shoes(dealing: Dealing) -> None:
    """Two hands of each shoe; the last one is in play."""
    for number in SEGMENTS:
        await dealing.shoe()
        await dealing.hand("9S KD", "2C 4H", Call.PLAYER)
        await dealing.hand("2S 3H 5D", "KD 7C", Call.BANKER)
        if number < len(SEGMENTS):
            await dealing.ask(CloseShoe(stub=400))
            await dealing.ask(NewShoe(f"S-{number + 1}"))


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return deal(tmp_path_factory.mktemp("three") / "1", three_shoes)


@pytest.fixture(params=[(shoe, rotten) for shoe in SEGMENTS for rotten in ROTTEN], ids=str)
def damaged(evening: Path, tmp_path: Path, request: pytest.FixtureRequest) -> tuple[Path, int, int]:
    """A folder, the shoe of which one line is not what was written, and the number of that line."""
    shoe, rotten = request.param
    folder = shutil.copytree(evening, tmp_path / "1")
    path = folder / SEGMENTS[shoe]
    before = path.read_bytes()
    place = before.index(rotten)
    path.write_bytes(before[: place + 2] + b"o" + before[place + 3 :])
    return folder, shoe, before[:place].count(b"\n") + 1


def served(folder: Path) -> Iterator[Pit]:
    yield from Recalled.running(floor_of("middle"), {"1": folder})


def test_the_pages_of_the_other_shoes_are_there_and_the_damaged_one_names_its_line(damaged):
    """faults.md B 39: damage is told with its file and line, and takes nothing that is whole."""
    folder, shoe, line = damaged
    whole = sorted(SEGMENTS.keys() - {shoe})
    for pages in served(folder):
        with pages.client() as client:
            for number in whole:
                ends = ("/table/1/hand/1?shoe={n}", "/table/1/shoe/{n}", "/surveillance/1/line?shoe={n}")
                assert [client.get(end.format(n=number)).status_code for end in ends] == [200] * 3
            answer = client.get(f"/table/1/shoe/{shoe}")
            newest = client.get("/table/1/hand").status_code, client.get("/surveillance/1/line").status_code
    assert answer.status_code == 409
    assert f"{SEGMENTS[shoe]}, line {line}" in answer.text
    assert newest == ((409, 409) if shoe == 3 else (200, 200))


def test_programs_get_the_whole_shoes_and_a_problem_for_the_damaged_one(damaged):
    """docs/interfaces.md: a refusal is problem+json with a sentence for people."""
    folder, shoe, line = damaged
    with running("middle", archive=Archive({"1": folder})) as made, made.client() as client:
        answers = {number: client.get(f"/api/v1/tables/1/hands?shoe={number}") for number in SEGMENTS}
    refused = answers.pop(shoe)
    assert all(len(answer.json()["hands"]) == 2 for answer in answers.values())
    assert (refused.status_code, refused.headers["Content-Type"]) == (409, "application/problem+json")
    assert refused.json()["type"] == "urn:tirage:recall.damaged"
    assert f"{SEGMENTS[shoe]}, line {line}" in refused.json()["detail"]


def test_an_export_gives_the_rows_of_the_whole_shoes_and_ends_with_4(damaged):
    """docs/interfaces.md, exit codes: 4 a journal is damaged."""
    folder, shoe, line = damaged
    result = exported(folder)
    hands = {(row["shoe"], row["hand"]) for row in map(json.loads, result.stdout.splitlines()) if row["closed"]}
    assert {(str(number), hand) for number in SEGMENTS.keys() - {shoe} for hand in (1, 2)} <= hands
    assert (str(shoe), 2) not in hands
    assert result.exit_code == 4
    assert f"{SEGMENTS[shoe]}, line {line}" in result.stderr


def test_a_rotten_read_is_named_on_the_page_of_the_line_and_the_shoes_report_stands(evening: Path, tmp_path: Path):
    """faults.md B 39: the raw bytes rot as well as the record."""
    folder = shutil.copytree(evening, tmp_path / "1")
    path = folder / SEGMENTS[1].replace(".jsonl", ".raw")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:4], b"\xff" + lines[4][1:], *lines[5:]]))
    for pages in served(folder):
        with pages.client() as client:
            answer = client.get("/surveillance/1/line?shoe=1")
            whole = [client.get(there).status_code for there in ("/table/1/shoe/1", "/surveillance/1/line?shoe=2")]
    assert answer.status_code == 409
    assert f"{path.name}, line 5" in answer.text
    assert whole == [200, 200]


def exported(folder: Path) -> Result:
    return CliRunner().invoke(main, ["export", str(folder), "--format", "jsonl"])


def test_each_damage_of_an_export_is_named(evening: Path, tmp_path: Path):
    """docs/interfaces.md, export."""
    folder = shutil.copytree(evening, tmp_path / "1")
    for shoe in (1, 2):
        path = folder / SEGMENTS[shoe]
        path.write_bytes(path.read_bytes().replace(ROTTEN[0], b'"cord":"', 1))
    result = exported(folder)
    assert result.exit_code == 4
    assert all(SEGMENTS[shoe] in result.stderr for shoe in (1, 2))
    assert {row["shoe"] for row in map(json.loads, result.stdout.splitlines())} == {"3"}
