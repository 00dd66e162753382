"""The command `tirage` as a whole: quick help with an example for each command, one clear answer to misuse."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner, Result

from controller.cli.main import COMMANDS, main
from controller.version import VERSION

HELP_S = 1.0
# What a person waits for at --help if these are imported: none of them is needed to tell what there is.
HEAVY = ("fastapi", "pydantic", "uvicorn", "transitions", "prometheus_client", "jinja2", "serial", "rich")


def tirage(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), prog_name="tirage")


def test_help_names_every_command_and_that_nobody_has_certified_it():
    """Design, section 6."""
    done = tirage("--help")
    assert done.exit_code == 0
    assert all(f"  {name} " in done.stdout for name in COMMANDS)
    assert "Not certified or approved by any jurisdiction" in done.stdout


def commands(group: click.Group, *above: str) -> Iterator[tuple[str, ...]]:
    """Every command, those of groups too, as the words that call it."""
    for name in group.list_commands(click.Context(group)):
        yield (*above, name)
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from commands(command, *above, name)


@pytest.mark.parametrize("words", [(), *commands(main)], ids=" ".join)
def test_the_help_of_each_command_has_an_example(words: tuple[str, ...]):
    """Design, section 6."""
    done = tirage(*words, "--help")
    assert done.exit_code == 0
    assert re.search(rf"\bExamples?:\s+{' '.join(('tirage', *words))}\b", done.stdout)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_imports_nothing_heavy(command: str):
    """Design, section 6: --help answers fast."""
    code = (
        "import sys; from controller.cli.main import main\n"
        f"try: main([{command!r}, '--help'])\nexcept SystemExit: print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(HEAVY) & set(done.stderr.split()) == set()


def test_the_version_is_told_fast():
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-m", "controller", "version"], capture_output=True, text=True, check=True)
    assert time.monotonic() - start < HELP_S
    assert done.stdout.startswith(f"tirage {VERSION}\n")
    assert "not certified" in done.stdout.lower()


@pytest.mark.parametrize("arguments", [["deal"], ["replay"], ["run", "--speed", "0", "--demo"], ["audit", "--wat"]])
def test_misuse_exits_2_and_says_what_was_wrong(arguments: list[str]):
    """Design, section 6: 2 is usage."""
    done = tirage(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Error: " in done.stderr


def test_an_output_that_nobody_reads_any_more_ends_it_quietly(repository):
    """`tirage replay ... | head -1`."""
    replay = [sys.executable, "-m", "controller", "replay", "tests/golden/two-shoes.hex"]
    with subprocess.Popen(replay, cwd=repository, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        said = process.stderr.read()
    assert b"Traceback" not in said
