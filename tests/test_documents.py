"""What the documents name is there: commands, pages, pictures."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from controller import catalogue
from controller.cli.main import COMMANDS
from tests.browser.palette import PALETTE, SIGNATURE
from tests.rules import evenings, table

PEOPLE = ("dealer", "supervisor", "surveillance", "technician")
MOST_BYTES = 200_000
EVENING_SIZE = (1280, 800)
MOST_BYTES_OF_EVENINGS = 2_500_000
# What the console says or has beside a key, from which parts of the catalogue.
SAID = (
    "prompt",
    "hold",
    "short",
    "ruling",
    "lay",
    "situation",
    "remedy",
    "sanction",
    "act",
    "key",
    "bank",
    "card",
    "page",
    "seat",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_stands_in_the_readme_and_in_the_interfaces(repository: Path, command: str):
    """Who reads what it can do must find all of it."""
    assert f"\ntirage {command}" in (repository / "README.md").read_text()
    told = (
        (repository / "docs" / "interfaces.md").read_text().split("## Command line")[1].split("Text is for people")[0]
    )
    assert re.search(rf"`(tirage )?{command}`", told)


@pytest.mark.parametrize("name", [*PEOPLE, "security", "protocol", "operating"])
def test_every_manual_is_led_to_and_leads_somewhere(repository: Path, name: str):
    """A page or a picture that is not there costs a reader's trust."""
    assert f"docs/{name}.md" in (repository / "README.md").read_text()
    document = repository / "docs" / f"{name}.md"
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", document.read_text())
    assert [link for link in links if not (document.parent / link).is_file()] == []


def test_pictures_are_shown_somewhere_and_small(repository: Path):
    """They go with every copy of the source."""
    shown = "".join(path.read_text() for path in (repository / "docs").glob("*.md"))
    pictures = list((repository / "docs" / "pictures").glob("*.png"))
    assert pictures
    assert [path.name for path in pictures if f"pictures/{path.name}" not in shown] == []
    assert [path.name for path in pictures if path.stat().st_size > MOST_BYTES] == []


@pytest.fixture(params=evenings.NAMES)
def evening(request) -> evenings.Evening:
    """A worked evening's script."""
    return evenings.read(request.param)


def test_an_evening_is_a_dozen_coups_each_with_a_picture_and_rules_that_are_there(evening: evenings.Evening):
    """Promised: a worked evening for each old game, with the console's pictures."""
    assert evenings.problems(evening) == []
    assert len(list(evenings.numbered(evening))) >= 12


def test_an_evening_has_its_script_its_page_and_its_pictures(evening: evenings.Evening):
    """`make pictures` made all of them: what the script asks for is shown, and each picture is a PNG of one size."""
    page = (evenings.FOLDER / f"{evening.name}.md").read_text()
    shown = re.findall(r"\]\(pictures/([^)]+)\)", page)
    assert shown == list(evenings.pictures(evening).values())
    for name in shown:
        head = (evenings.FOLDER / "pictures" / name).read_bytes()[:26]
        assert head.startswith(SIGNATURE), name
        assert (struct.unpack(">II", head[16:24]), head[25]) == (EVENING_SIZE, PALETTE), name


def test_the_pictures_of_the_evenings_are_all_shown_and_small():
    """They go with every copy of the source."""
    files = list((evenings.FOLDER / "pictures").iterdir())
    wanted = {name for one in map(evenings.read, evenings.NAMES) for name in evenings.pictures(one).values()}
    assert {path.name for path in files} == wanted
    assert sum(path.stat().st_size for path in files) <= MOST_BYTES_OF_EVENINGS


def test_an_evening_tells_its_script_and_quotes_the_rules(evening: evenings.Evening):
    """Where no browser is there to play it, a script or a rule that was changed still makes the page stale."""
    page, rules = (evenings.FOLDER / f"{evening.name}.md").read_text(), table.read()[1]
    coups = [coup for _, coup in evenings.numbered(evening)]
    rows = [row.removeprefix("| ").split(" | ")[0] for row in page.splitlines() if row.startswith("| ")]
    assert [row for row in rows if row != evenings.COLUMNS[0]] == [one.cloth for coup in coups for one in coup.moments]
    quoted = re.findall(r"^- ([A-Z][\w-]+): (.*)$", page, re.MULTILINE)
    assert quoted == [(ident, rules[ident]["text"]) for coup in coups for ident in coup.rules]
    assert all(coup.why.strip() in page for coup in coups)


def test_the_console_of_an_evening_speaks_the_catalogue(evening: evenings.Evening):
    """Where no browser is there to play it, a sentence that was changed still makes the page stale."""
    told = catalogue.read("en")
    one = "|".join(
        re.sub(r"\\{\w+\\}", r"\\w+", re.escape(text)) for name, text in told.items() if name.split(".")[0] in SAID
    )
    spoken = re.compile(rf"(?:{one})(?:(?:, | · )(?:{one}))*")
    rows = [
        row.split(" | ")
        for row in (evenings.FOLDER / f"{evening.name}.md").read_text().splitlines()
        if row.startswith("| ")
    ]
    keys = [line.partition("** ")[2] for row in rows for line in row[2].split("<br>") if line.startswith("**")]
    says = [text for row in rows for text in re.findall(r"\*\*(.+?)\*\*", row[3])]
    assert len(says) > len(list(evenings.numbered(evening)))
    assert [text for text in (*says, *filter(None, keys)) if not spoken.fullmatch(text)] == []
