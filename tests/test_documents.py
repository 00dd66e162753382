"""What the documents name is there: commands, pages, pictures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.cli.main import COMMANDS

PEOPLE = ("dealer", "supervisor", "surveillance", "technician")
MOST_BYTES = 200_000


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
